"""A memory as a store of LangGraph (`pip install storykeeper[langgraph]`).

    store = StorykeeperStore(Memory.open("agents.db"))
    graph = builder.compile(checkpointer=…, store=store)

An item of the store is an item of the memory: its words are the texts in its value (or in the
fields that `index` names), and its namespace, key and value stand in the metadata. `search` with a
query is the memory's own search; a store needs no embedding function.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import isfinite
from typing import Any

import msgspec

from storykeeper.adapters.missing import needs
from storykeeper.memories import Memory
from storykeeper.memory import items
from storykeeper.memory.pages import pages
from storykeeper.memory.profile import values_of
from storykeeper.memory.sharing import one_at_a_time

with needs("langgraph", extra="langgraph"):
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        tokenize_path,
    )

PATH, KEY, VALUE = "store path", "store key", "store value"
TTL, MADE, BLANK = "store ttl", "store made", "store blank"  # BLANK: nothing of it is searched
OF_VALUE = "value "  # before a name of the value's own, whose filter the memory answers itself
_BETWEEN = "\x1f"  # of a namespace's labels, each of which it stands behind
_OPERATORS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
_MOST_NAME = 150  # characters of a name that stands in the metadata
_MOST = 10_000  # hits that a filter is held to one by one


class StorykeeperStore(BaseStore):
    """A store whose items are those of a memory."""

    supports_ttl = True
    __slots__ = ("audience", "fields", "memory", "ttl_config")

    def __init__(
        self, memory: Memory, *, audience: str | None = None, fields: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
    ) -> None:  # fmt: skip
        """`audience`: for whom it keeps things; `fields` of a value are searched, or all of it."""
        self.memory = memory
        self.audience = audience
        self.fields = list(fields)
        self.ttl_config = ttl

    @property
    def opened(self) -> Any:
        """The memory's lock: what is done in one batch is done together."""
        return self.memory.opened

    @one_at_a_time
    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Each in its turn; of several puts of one key the last counts."""
        results: list[Result] = []
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        for op in ops:
            result: Result = None
            match op:
                case GetOp():
                    result = self._get(op)
                case SearchOp():
                    result = self._search(op)
                case ListNamespacesOp():
                    result = self._namespaces(op)
                case PutOp():
                    puts[op.namespace, op.key] = op
                case _:
                    raise ValueError(f"a store does not know {type(op).__name__}")
            results.append(result)
        for put in puts.values():
            self._put(put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, while the event loop goes on."""
        return await asyncio.to_thread(self.batch, list(ops))

    # ── one thing ────────────────────────────────────────────────────────────────────────────

    def _found(self, namespace: tuple[str, ...], key: str) -> items.Item | None:
        where = {PATH: _path(namespace), KEY: key}
        return next(iter(self.memory.list(audience=self.audience, where=where, limit=1)), None)

    def _get(self, op: GetOp) -> Item | None:
        found = self._found(op.namespace, op.key)
        if found is None:
            return None
        self._refresh(found, wanted=op.refresh_ttl)
        return Item(**_told(found))

    def _refresh(self, found: items.Item, *, wanted: bool) -> None:
        minutes = found.metadata.get(TTL)
        if wanted and isinstance(minutes, int | float):
            self.memory.update(found.id, expires=timedelta(minutes=minutes))

    def _put(self, op: PutOp) -> None:
        old = self._found(op.namespace, op.key)
        if op.value is None:
            if old is not None:
                self.memory.delete(old.id)
            return
        now = datetime.now(UTC)
        texts = list(self._texts(op.value, op.index))
        about = {
            PATH: _path(op.namespace), KEY: op.key, BLANK: not texts,
            VALUE: msgspec.json.encode(op.value).decode(),
            MADE: now.isoformat() if old is None else old.metadata[MADE],
        }  # fmt: skip
        about |= {OF_VALUE + name: each for name, each in op.value.items() if _plain(name, each)}
        minutes = op.ttl
        if minutes is not None:
            about[TTL] = minutes
        expires = None if minutes is None else timedelta(minutes=minutes)
        words = "\n".join(texts) or op.key or "nothing"
        if old is None:
            self.memory.add(
                words, at=now, metadata=about, session=_path(op.namespace)[:200],
                expires=None if expires is None else now + expires,
                audience=None if self.audience is None else {self.audience},
            )  # fmt: skip
        else:
            gone = dict.fromkeys(name for name in old.metadata if name not in about)
            until = None if expires is None else now + expires
            self.memory.update(old.id, text=words, at=now, metadata=gone | about, expires=until)

    def _texts(self, value: Mapping[str, Any], index: Any) -> Iterator[str]:
        if index is not False:
            for field in self.fields if index is None else index:
                where = field if field == "$" else tokenize_path(field)
                some = _words(value) if field == "$" else get_text_at_path(value, where)
                yield from (text for text in some if text.strip())

    # ── several ──────────────────────────────────────────────────────────────────────────────

    def _search(self, op: SearchOp) -> list[SearchItem]:
        ours = _filter(op)
        rest = {n: w for n, w in (op.filter or {}).items() if not _ours(n, w)}
        passing = (each for each in self._ranked(op, ours, held_to=rest) if _passes(each[0], rest))
        found = list(islice(passing, op.offset, op.offset + op.limit))
        for item, _ in found:
            self._refresh(item, wanted=op.refresh_ttl)
        return [SearchItem(**_told(item), score=score) for item, score in found]

    def _ranked(
        self, op: SearchOp, where: Mapping[str, Any], *, held_to: Mapping[str, Any]
    ) -> Iterator[tuple[items.Item, float | None]]:  # fmt: skip
        """What answers the query, then the rest as it was told; all of it, without a query."""
        seen: set[str] = set()
        if op.query:
            most = _MOST if held_to else op.offset + op.limit
            asked = {"$and": [where, {BLANK: False}]}
            for hit in self.memory.search(op.query, audience=self.audience, where=asked, k=most):
                seen.add(hit.item.id)
                yield hit.item, hit.score
        every = pages(
            lambda after: self.memory.list(audience=self.audience, where=where, after=after)
        )
        yield from ((item, None) for item in every if item.id not in seen)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        opened = self.memory.opened
        paths = values_of(
            self.memory.reach(), PATH, self.audience, alive_ms=opened.now_ms()
        )  # fmt: skip
        found = {tuple(str(path).split(_BETWEEN)[:-1]) for path in paths}
        conditions = op.match_conditions or ()
        found = {path for path in found if all(_matches(path, each) for each in conditions)}
        if op.max_depth is not None:
            found = {path[: op.max_depth] for path in found}
        return sorted(found)[op.offset : op.offset + op.limit]


def _path(namespace: tuple[str, ...]) -> str:
    return "".join(f"{label}{_BETWEEN}" for label in namespace)


def _told(item: items.Item) -> dict[str, Any]:
    about = item.metadata
    assert item.at_ms is not None
    return {
        "namespace": tuple(str(about[PATH]).split(_BETWEEN)[:-1]),
        "key": str(about[KEY]),
        "value": msgspec.json.decode(str(about[VALUE])),
        "created_at": datetime.fromisoformat(str(about[MADE])),
        "updated_at": datetime.fromtimestamp(item.at_ms / 1_000, UTC),
    }


def _words(value: Any) -> Iterator[str]:
    """The texts in a value, however deep."""
    match value:
        case str():
            yield value
        case Mapping():
            for each in value.values():
                yield from _words(each)
        case list() | tuple():
            for each in value:
                yield from _words(each)


# ── filters ──────────────────────────────────────────────────────────────────────────────────


def _plain(name: str, value: Any) -> bool:
    """Whether a value stands in the metadata under its name."""
    if len(name) > _MOST_NAME or (isinstance(value, float) and not isfinite(value)):
        return False
    return isinstance(value, str | int | float | bool)


def _ours(name: str, wanted: Any) -> bool:
    """Whether the memory's own filter answers a condition."""
    if isinstance(wanted, Mapping):
        words = all(word in _OPERATORS and _plain(name, each) for word, each in wanted.items())
        return bool(wanted) and words
    return _plain(name, wanted)


def _filter(op: SearchOp) -> dict[str, Any]:
    where: dict[str, Any] = {PATH: {"$starts": _path(op.namespace_prefix)}}
    for name, wanted in (op.filter or {}).items():
        if _ours(name, wanted):
            where[OF_VALUE + name] = wanted
    return where


def _passes(item: items.Item, rest: Mapping[str, Any]) -> bool:
    """What the memory's filter cannot say: lists and mappings are compared as wholes."""
    if not rest:
        return True
    value = msgspec.json.decode(str(item.metadata[VALUE]))
    return all(_same(value.get(name), wanted) for name, wanted in rest.items())


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping) and any(str(word).startswith("$") for word in wanted):
        unknown = [word for word in wanted if word not in ("$eq", "$ne")]
        if unknown:
            raise ValueError(f"a store compares lists and mappings by $eq and $ne, not {unknown}")
        return all((value == each) == (word == "$eq") for word, each in wanted.items())
    if isinstance(wanted, Mapping) and isinstance(value, Mapping):
        return all(_same(value.get(name), each) for name, each in wanted.items())
    return bool(value == wanted)


def _matches(path: tuple[str, ...], condition: MatchCondition) -> bool:
    wanted = condition.path
    if len(path) < len(wanted):
        return False
    some = path[: len(wanted)] if condition.match_type == "prefix" else path[-len(wanted) :]
    return all(label in ("*", own) for own, label in zip(some, wanted, strict=True))
