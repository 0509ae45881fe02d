"""Which run has lived through which rounds: found by content, since most clients name no chat.

A cache beside the runs. If it is lost, chats begin anew from the history their clients send.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from storykeeper.serve.proxy.chat_rows import ChatRows
from storykeeper.serve.proxy.steps import Row, agreeing
from storykeeper.serve.proxy.transcript import Round, Transcript, key

_TRIED = 8  # rounds looked up, from the last
_YOUNG = 2  # rounds of a chat that may be known by its first line alone


@dataclass(frozen=True, slots=True)
class Found:
    """A run, what it has lived through, and where a client's rounds begin in it."""

    run: str
    rows: tuple[Row, ...]
    start: int


class ChatIndex:
    """The chats of a tenant."""

    def __init__(self, rows: ChatRows) -> None:
        self._rows = rows

    def close(self) -> None:
        """Let go of what it is kept in."""
        self._rows.close()

    def find(self, who: str, said: Transcript) -> Found | None:
        """The run with most of these rounds, the last used first; none, if none has any."""
        best: tuple[int, int, Found] | None = None
        for run, start in set(self._candidates(who, said)):
            rows = self.rows(run)
            score = agreeing(rows, said.rounds, start)
            if best is None or (score, self._touched(run)) > best[:2]:
                best = (score, self._touched(run), Found(run, rows, start))
        return None if best is None else best[2]

    def rows(self, run: str) -> tuple[Row, ...]:
        """What a run has lived through, in order."""
        found = self._all(
            "select turn, line_key, prose_key from rounds where {of}run = ? order by n", run
        )
        return tuple(Row(int(turn), str(line), str(prose)) for turn, line, prose in found)

    def begin(self, run: str, *, who: str, opening: str) -> None:
        """A new chat."""
        with self._rows.whole():
            self._touch(run, who)
            self._put(run, 0, Row(0, "", key(opening)))

    def branch(self, run: str, *, of: str, after: int, lived: Sequence[Row]) -> None:
        """Another chat that shares the rounds up to and including one, as they read in it.

        What was edited later in the other reads as it did then.
        """
        with self._rows.whole():
            who = self._one("select who from chats where {of}run = ?", of)
            self._touch(run, who)
            self._all(
                "insert into rounds ({t}run, n, turn, line_key, prose_key)"
                " select {v}?, n, turn, line_key, prose_key from rounds"
                " where {of}run = ? and n <= ?",
                run, of, after,
            )  # fmt: skip
            for row in lived:
                self._all(
                    "update rounds set line_key = ?, prose_key = ?"
                    " where {of}run = ? and turn = ? and n > 0",
                    row.line_key, row.prose_key, run, row.turn,
                )  # fmt: skip

    def keep(self, run: str, n: int, *, turn: int, said: Round) -> None:
        """What stands in a row now."""
        with self._rows.whole():
            self._touch(run, None)
            self._put(run, n, Row(turn, said.line_key, said.prose_key))

    def forget(self, run: str) -> None:
        """A run that went on without its client is no chat's any more."""
        with self._rows.whole():
            self._all("delete from rounds where {of}run = ?", run)
            self._all("update chats set who = '' where {of}run = ?", run)

    def branches(self, stem: str) -> int:
        """How many runs a chat's file holds."""
        return int(
            self._one(
                "select count(*) from chats where {of}(run = ? or run like ?)", stem, f"{stem}@%"
            )
        )

    def _candidates(self, who: str, said: Transcript) -> Iterator[tuple[str, int]]:
        whole = [(i, each) for i, each in enumerate(said.rounds, 1) if each.prose]
        for i, each in (*whole[:2], *whole[-_TRIED:]):
            for run, n in self._all(
                "select run, n from rounds join chats using ({t}run)"
                " where {of}line_key = ? and prose_key = ? and who = ?",
                each.line_key, each.prose_key, who,
            ):  # fmt: skip
                yield run, n - i
        if len(said.rounds) <= _YOUNG:
            yield from self._just_begun(who, said)

    def _just_begun(self, who: str, said: Transcript) -> Iterator[tuple[str, int]]:
        """The chat of this one's first line in which nothing was said since that is not here.

        Its answer is wanted again, or reads otherwise now.
        """
        for run, _ in self._all(
            "select run, 0 from rounds r join rounds o using ({t}run) join chats c using ({t}run)"
            " where {of}o.n = 0 and r.n = 1 and r.line_key = ? and o.prose_key = ? and c.who = ?"
            " and not exists (select 1 from rounds x where {of}x.run = r.run and x.n > ?)"
            " order by c.touched desc limit 1",
            said.rounds[0].line_key, key(said.opening), who, len(said.rounds),
        ):  # fmt: skip
            yield run, 0

    def _put(self, run: str, n: int, row: Row) -> None:
        self._all(
            "insert into rounds ({t}run, n, turn, line_key, prose_key) values ({v}?, ?, ?, ?, ?)"
            " on conflict ({t}run, n) do update set turn = excluded.turn,"
            " line_key = excluded.line_key, prose_key = excluded.prose_key",
            run, n, row.turn, row.line_key, row.prose_key,
        )  # fmt: skip

    def _touch(self, run: str, who: str | None) -> None:
        now = int(self._one("select coalesce(max(touched), 0) + 1 from chats where {of}1 = 1"))
        self._all(
            "insert into chats ({t}run, who, touched) values ({v}?, ?, ?)"
            " on conflict ({t}run) do update set touched = excluded.touched", run, who or "", now,
        )  # fmt: skip

    def _touched(self, run: str) -> int:
        return int(self._one("select touched from chats where {of}run = ?", run))

    def _one(self, statement: str, *values: object) -> str:
        return str(self._all(statement, *values)[0][0])

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._rows.execute(statement, values)
