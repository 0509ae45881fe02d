"""`storykeeper memory show`: how much of what there is in a memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from storykeeper.cli.say import size, visible
from storykeeper.events.remembered import EmbedderChosen
from storykeeper.ledger.backup import disk_use
from storykeeper.memory.items import Kind
from storykeeper.memory.memory import Memory
from storykeeper.memory.moments import shown
from storykeeper.memory.store import Store
from storykeeper.memory.tables import KINDS, UNDATED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_NAMES = 12  # of speakers on one line


class Overview(msgspec.Struct, frozen=True):
    """What a memory has, in numbers."""

    items: int  # that are searched
    said: int
    written: int
    summaries: int
    gone: int  # retired or erased
    sessions: int
    speakers: dict[str, int]  # who said how many, the most first
    audiences: list[str]  # those who are named in the audience of something
    first: str | None
    last: str | None
    embedder: str
    space: str
    waiting: int  # for a vector, while the embedder cannot be asked
    disk: dict[str, int]


def overview(memory: Memory, file: Path) -> Overview:
    """Counted from the index, which has a number for everything."""
    store = memory.store
    index = store.index
    live = index.classes >= 0
    kinds = index.column("kind")[live]
    of = {kind: kinds == KINDS.index(kind) for kind in Kind}
    spoken = of[Kind.SAID]
    at = index.column("said")[live]
    at = at[at > UNDATED]
    return Overview(
        items=len(kinds),
        said=int(spoken.sum()),
        written=int(of[Kind.WRITTEN].sum()),
        summaries=int(of[Kind.SUMMARY].sum()),
        gone=store.rows - len(kinds),
        sessions=len(set(index.column("session")[live][spoken].tolist())),
        speakers=_counted(list(store.tables.speakers), index.column("speaker")[live][spoken]),
        audiences=_audiences(store, set(index.classes[live].tolist())),
        first=f"{shown(int(at.min())):%Y-%m-%d %H:%M}" if len(at) else None,
        last=f"{shown(int(at.max())):%Y-%m-%d %H:%M}" if len(at) else None,
        embedder=_embedder(store),
        space=store.space,
        waiting=len(store.tables.pending),
        disk=disk_use(file),
    )


def _counted(names: list[str], numbers: NDArray[np.float64]) -> dict[str, int]:
    import numpy as np

    found, often = np.unique(numbers.astype(np.int64), return_counts=True)
    counts = {names[n]: c for n, c in zip(found.tolist(), often.tolist(), strict=True) if names[n]}
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _audiences(store: Store, classes: set[int]) -> list[str]:
    eyes = (names for (_, names), number in store.tables.eyes.items() if number in classes)
    return sorted({name for names in eyes for name in names or ()})


def _embedder(store: Store) -> str:
    chosen = store.ledger.last(store.run, kind="embedder-chosen")
    return chosen.record.embedder if chosen and isinstance(chosen.record, EmbedderChosen) else ""


def overview_lines(found: Overview) -> Iterator[str]:
    """The same in words."""
    yield (
        f"{found.items:,} items: {found.said:,} said, {found.written:,} from documents,"
        f" {found.summaries:,} summaries"
        + (f"; {found.gone:,} retired or erased" if found.gone else "")
    )
    span = f", from {found.first} to {found.last}" if found.first else ""
    yield f"{_many(found.sessions, 'session')}{span}"
    if found.speakers:
        names = [f"{name} ({count:,})" for name, count in list(found.speakers.items())[:MAX_NAMES]]
        more = len(found.speakers) - len(names)
        rest = f" and {more:,} more" if more else ""
        yield visible(f"said by {', '.join(names)}{rest}")
    if found.audiences:
        yield visible(f"some of it only for {', '.join(found.audiences)}")
    yield visible(f"embedder {found.embedder or 'unknown'}, space {found.space}")
    if found.waiting:
        yield f"{found.waiting:,} wait for their vectors, and are found by words alone"
    kept = sum(found.disk.values()) - found.disk["index"]
    yield f"on disk: {size(kept)}, and an index of {size(found.disk['index'])} made from it"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
