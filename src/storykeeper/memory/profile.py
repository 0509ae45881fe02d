"""How much of what there is in a memory, as far as somebody may see."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from storykeeper.events.remembered import EmbedderChosen
from storykeeper.memory.asker import OWNER, Asker
from storykeeper.memory.items import Kind
from storykeeper.memory.metadata import Value, read
from storykeeper.memory.moments import shown
from storykeeper.memory.reach import Reach
from storykeeper.memory.sieve import NEVER
from storykeeper.memory.tables import KINDS, UNDATED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.store import Store
    from storykeeper.memory.view import View


class Profile(msgspec.Struct, frozen=True):
    """What a memory has, in numbers."""

    items: int  # that are searched
    said: int
    written: int
    summaries: int
    sessions: int
    speakers: dict[str, int]  # who said how many, the most first
    audiences: list[str]  # those who are named in the audience of something
    metadata: dict[str, int]  # how many have a value of each name, the most first
    first: str | None
    last: str | None
    expiring: int  # that are to expire
    waiting: int  # for a vector, while the embedder cannot be asked
    # Of the whole file, for its owner alone, outside of all namespaces:
    gone: int = 0  # deleted, forgotten, or an earlier version
    namespaces: dict[str, int] = {}
    embedder: str = ""
    space: str = ""


def profile(reach: Reach, audience: Asker, *, alive_ms: int | None) -> Profile:
    """Counted from the index, which has a number for everything."""
    store, view = reach.store, reach.view(audience, None, alive_ms=alive_ms)
    index, rows = store.index, view.rows
    kinds = index.column("kind")[rows]
    spoken = kinds == KINDS.index(Kind.SAID)
    at = index.column("said")[rows]
    at = at[at > UNDATED]
    found = Profile(
        items=len(rows),
        said=int(spoken.sum()),
        written=int((kinds == KINDS.index(Kind.WRITTEN)).sum()),
        summaries=int((kinds == KINDS.index(Kind.SUMMARY)).sum()),
        sessions=len(set(index.column("session")[rows][spoken].tolist())),
        speakers=_counted(list(store.tables.speakers), index.column("speaker")[rows][spoken]),
        audiences=_audiences(store, set(index.classes[rows].tolist())),
        metadata=_names(store, view),
        first=f"{shown(int(at.min())):%Y-%m-%d %H:%M}" if len(at) else None,
        last=f"{shown(int(at.max())):%Y-%m-%d %H:%M}" if len(at) else None,
        expiring=int((index.column("until")[rows] != NEVER).sum()),
        waiting=sum(1 for row in store.tables.pending if view.every.mask[row]),
    )
    whole = audience is OWNER and not reach.namespace
    return _with_the_file(found, store) if whole else found


def values_of(
    reach: Reach, name: str, audience: Asker, *, alive_ms: int | None
) -> dict[Value, int]:  # fmt: skip
    """The values of a name in the metadata, with how many have each: texts, numbers and truths."""
    import numpy as np

    view = reach.view(audience, None, alive_ms=alive_ms)
    places, values = reach.store.sieve.column(name)[:2]
    there = places[view.rows]
    found, often = np.unique(there[there >= 0], return_counts=True)
    pairs = zip(found.tolist(), often.tolist(), strict=True)
    return {values[at]: count for at, count in pairs if not isinstance(values[at], list)}


def _with_the_file(found: Profile, store: Store) -> Profile:
    live = store.index.classes[store.index.classes >= 0]
    spaces: Counter[str] = Counter()
    names = [namespace for namespace, _ in store.tables.eyes]
    for number in live.tolist():
        spaces[names[number]] += 1
    return msgspec.structs.replace(
        found, gone=store.rows - len(live), namespaces=dict(sorted(spaces.items())),
        embedder=_embedder(store), space=store.space,
    )  # fmt: skip


def _counted(names: list[str], numbers: NDArray[np.float64]) -> dict[str, int]:
    import numpy as np

    found, often = np.unique(numbers.astype(np.int64), return_counts=True)
    counts = {names[n]: c for n, c in zip(found.tolist(), often.tolist(), strict=True) if names[n]}
    return _most_first(counts)


def _most_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _names(store: Store, view: View) -> dict[str, int]:
    counts: Counter[str] = Counter()
    seen = view.every.mask
    for row, note in enumerate(store.index.notes()):
        if note and seen[row]:
            counts.update(read(note.decode()).keys())
    return _most_first(counts)


def _audiences(store: Store, classes: set[int]) -> list[str]:
    eyes = (names for (_, names), number in store.tables.eyes.items() if number in classes)
    return sorted({name for names in eyes for name in names or ()})


def _embedder(store: Store) -> str:
    chosen = store.ledger.last(store.run, kind="embedder-chosen")
    return chosen.record.embedder if chosen and isinstance(chosen.record, EmbedderChosen) else ""
