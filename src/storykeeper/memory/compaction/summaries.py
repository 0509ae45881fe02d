"""A summary, and the way back from it.

    Expand*(x) = {x} if x was said, else the union of Expand*(y) over its sources y

Raw items are never changed and stay searchable. Of a summary and its sources only the better is
shown: the one that ranks higher.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from storykeeper.errors import LineageBroken
from storykeeper.memory.items import Item, Kind
from storykeeper.scoring.preservation import Method

Name = TypeVar("Name", bound=Hashable)  # of an item: its id, or its row
Sources = Mapping[Name, Sequence[Name]]  # of each summary, what it was made from


@dataclass(frozen=True, slots=True)
class Summary:
    """What some items say, in fewer words."""

    text: str
    brief: str
    hint: str
    sources: tuple[str, ...]  # in their order
    confidence: float
    method: Method
    audience: frozenset[str] | None
    namespace: str
    session: str
    turn: int | None  # of its last source
    at_ms: int | None
    entities: tuple[str, ...]
    weight: float  # of its weightiest source
    tokens: int
    source_tokens: int
    metadata_json: str = ""  # what all its sources have in common

    def item(self, *, id: str, order: int) -> Item:  # noqa: A002 - it is one
        """The summary as something remembered."""
        return Item(
            id=id, text=self.text, order=order, kind=Kind.SUMMARY, at_ms=self.at_ms,
            turn=self.turn, session=self.session, namespace=self.namespace,
            audience=self.audience, entities=self.entities, weight=self.weight,
            sources=self.sources, confidence=self.confidence, brief=self.brief, hint=self.hint,
            metadata_json=self.metadata_json,
        )  # fmt: skip


def expand(sources: Sources[Name], id: Name) -> tuple[Name, ...]:  # noqa: A002 - it is one
    """Expand*(id).   F6.6: what was said, in order, each once; a cycle is refused."""
    found: dict[Name, None] = {}
    above: set[Name] = set()  # summaries that we are inside of
    done: set[Name] = set()
    todo: list[tuple[Name, bool]] = [(id, False)]
    while todo:
        here, leaving = todo.pop()
        if leaving:
            above.discard(here)
            done.add(here)
        elif here not in sources:
            found[here] = None
        elif here in above:
            raise LineageBroken(f"summary {here} is among its own sources; {id} cannot be expanded")
        elif here not in done:
            if not sources[here]:
                raise LineageBroken(f"summary {here} has no sources; {id} cannot be expanded")
            above.add(here)
            todo.append((here, True))
            todo.extend((each, False) for each in reversed(sources[here]))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Shown(Generic[Name]):
    """What of a ranking is shown, and in whose favour the rest is not."""

    kept: tuple[Name, ...]
    instead: Mapping[Name, Name]  # left out → the better one


def better(ranked: Iterable[Name], sources: Sources[Name]) -> Shown[Name]:
    """Of a summary and its sources, at whatever depth, only the first in the ranking.   F6.7.

    `sources` needs to hold no more than the summaries among the ranked, and the summaries these
    were made from.
    """
    order = list(dict.fromkeys(ranked))
    above = _above(order, sources)
    kept: list[Name] = []
    instead: dict[Name, Name] = {}
    refused: dict[Name, Name] = {}  # below or above one that is kept
    for id_ in order:
        if id_ in refused:
            instead[id_] = refused[id_]
            continue
        kept.append(id_)
        for other in (*_below(id_, sources), *above.get(id_, ())):
            refused.setdefault(other, id_)
    return Shown(tuple(kept), instead)


def _above(ranked: Iterable[Name], sources: Sources[Name]) -> dict[Name, list[Name]]:
    """For everything below a ranked summary, which ranked summaries it is below."""
    above: dict[Name, list[Name]] = {}
    for id_ in ranked:
        for other in _below(id_, sources):
            above.setdefault(other, []).append(id_)
    return above


def _below(id_: Name, sources: Sources[Name]) -> list[Name]:
    found: dict[Name, None] = {}
    todo = list(sources.get(id_, ()))
    while todo:
        other = todo.pop()
        if other not in found:
            found[other] = None
            todo.extend(sources.get(other, ()))
    return list(found)
