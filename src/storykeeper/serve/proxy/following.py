"""Brings a run in step with what a client shows, and keeps what is answered."""

from __future__ import annotations

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from storykeeper.bootstrap import Storykeeper
from storykeeper.context.window import Window
from storykeeper.errors import NoSuchTurn
from storykeeper.play.turn import Turn
from storykeeper.serve.pool import Pool
from storykeeper.serve.proxy import chat_run
from storykeeper.serve.proxy.chat_index import ChatIndex
from storykeeper.serve.proxy.chat_rows import DatabaseRows, SqliteRows
from storykeeper.serve.proxy.chat_story import Company, chat_story
from storykeeper.serve.proxy.steps import Row, Steps, steps
from storykeeper.serve.proxy.transcript import Round, Transcript
from storykeeper.serve.tenancy import CHAT, Opening, Tenancy


class TooFarBehind(Exception):
    """More happened since than can be played while somebody waits; it is being played."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of a chat: whose it is, what it shows, and what it is for."""

    said: Transcript
    people: Company
    chat: str = ""  # the client's own name for it, if it sends one
    story: str = ""  # of an authored story its id

    @property
    def who(self) -> str:
        """Chats with another of these are never the same."""
        others = "" if self.people.is_group else "|".join(self.people.others)
        return "/".join((self.chat, self.story, self.people.player, others))


@dataclass(frozen=True, slots=True)
class InStep:
    """A run that stands where its client is, and the window for what comes next."""

    run: str
    row: int
    line: str
    turn: Turn
    window: Window


class Following:
    """The chats of one tenant."""

    def __init__(self, pool: Pool[Storykeeper], tenancy: Tenancy) -> None:
        self._pool = pool
        self._tenancy = tenancy
        database = tenancy.settings.database
        self._index = ChatIndex(
            DatabaseRows(database, tenancy.name) if database else SqliteRows.open(tenancy.chats)
        )
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()

    async def follow(self, asked: Asked) -> InStep:
        """The run of a chat, in step, with the window for its last line."""
        async with self._locks[asked.who]:
            return await self._followed(asked)

    async def _followed(self, asked: Asked) -> InStep:
        run, rows, todo = await self._begun(asked)
        if len(todo.play) > self._tenancy.settings.limits.catch_up:
            self._pool.afterwards(self._caught_up(asked, run, rows, todo))
            raise TooFarBehind(f"{len(todo.play)} rounds are being played first")
        return await self._in_step(asked, run, rows, todo)

    async def told(self, there: InStep, text: str, *, narrator: str) -> bool:
        """Keep an answer as the turn's telling. False, if the chat went on meanwhile."""
        try:
            shown = await self._pool.use(
                self._tenancy.key(there.run), self._opening(there.run),
                partial(chat_run.rendered, turn=there.turn, text=text, narrator=narrator),
            )  # fmt: skip
        except NoSuchTurn:
            return False  # the next history says what became of it
        self._index.keep(
            there.run, there.row, turn=there.turn.number, said=Round(there.line, shown)
        )
        self._pool.afterwards(
            self._pool.use(
                self._tenancy.key(there.run), self._opening(there.run), Storykeeper.read_ahead
            )
        )
        return True

    async def _caught_up(self, asked: Asked, run: str, rows: Sequence[Row], todo: Steps) -> None:
        async with self._locks[asked.who]:
            await self._in_step(asked, run, rows, todo)

    async def _begun(self, asked: Asked) -> tuple[str, Sequence[Row], Steps]:
        """The run, or the branch of it, in which the client's rounds can go on; and what to do."""
        found = self._index.find(asked.who, asked.said)
        if found is not None:
            run, rows = found.run, found.rows
            todo = steps(rows, asked.said.rounds, found.start)
            while todo.branch_after is not None and not todo.renewed:
                run = await self._branched(run, rows, todo.branch_after)
                rows = self._index.rows(run)
                todo = steps(rows, asked.said.rounds, found.start)
            if not todo.renewed:
                return run, rows, todo
        run = f"{CHAT}{uuid.uuid4().hex[:16]}"
        await self._pool.use(
            self._tenancy.key(run), self._beginning(run, asked),
            partial(chat_run.opened, opening=asked.said.opening),
        )  # fmt: skip
        self._index.begin(run, who=asked.who, opening=asked.said.opening)
        return run, self._index.rows(run), Steps(play=asked.said.rounds)

    async def _branched(self, run: str, rows: Sequence[Row], after: int) -> str:
        stem = run.partition("@")[0]
        branch = f"b{self._index.branches(stem)}-{uuid.uuid4().hex[:6]}"
        await self._pool.use(
            self._tenancy.key(run), self._opening(run),
            lambda keeper: keeper.fork(at=rows[after].turn, name=branch),
        )  # fmt: skip
        made = f"{stem}@{branch}"
        lived = await self._pool.use(self._tenancy.key(made), self._opening(made), chat_run.lived)
        self._index.branch(made, of=run, after=after, lived=lived)
        return made

    async def _in_step(self, asked: Asked, run: str, rows: Sequence[Row], todo: Steps) -> InStep:
        def work(keeper: Storykeeper) -> tuple[list[chat_run.Done], Turn, Window]:
            chat_run.welcome(keeper, asked.people)
            changed = chat_run.done(keeper, rows, todo)
            turn = keeper.turn()
            tokens = self._tenancy.settings.window_tokens
            return changed, turn, chat_run.window_for(keeper, turn, asked.people, tokens=tokens)

        try:
            changed, turn, window = await self._pool.use(
                self._tenancy.key(run), self._opening(run), work
            )
        except chat_run.WentOn:
            self._index.forget(run)  # the chat begins anew, from its client's history
            return await self._followed(asked)
        for n, number, said in changed:
            self._index.keep(run, n, turn=number, said=said)
        row = max((n for n, *_ in changed), default=len(rows) - 1)
        return InStep(run, row, asked.said.rounds[-1].line, turn, window)

    def _opening(self, run: str) -> Opening:
        return self._tenancy.opening(run)

    def _beginning(self, run: str, asked: Asked) -> Opening:
        story = self._tenancy.story(asked.story) if asked.story else chat_story(asked.people)
        return self._tenancy.beginning(run, story)
