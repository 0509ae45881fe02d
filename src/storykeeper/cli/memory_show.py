"""`storykeeper memory show`: how much of what there is in a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storykeeper.cli.say import size, visible
from storykeeper.memory.profile import Profile

MAX_NAMES = 12  # of speakers, or of metadata, on one line


def profile_lines(found: Profile, disk: Mapping[str, int]) -> Iterator[str]:
    """A profile in words, and what it takes on disk."""
    yield (
        f"{found.items:,} items: {found.said:,} said, {found.written:,} from documents,"
        f" {found.summaries:,} summaries"
        + (f"; {found.gone:,} deleted, forgotten, or of an earlier version" if found.gone else "")
    )
    span = f", from {found.first} to {found.last}" if found.first else ""
    yield f"{_many(found.sessions, 'session')}{span}"
    if found.speakers:
        yield visible(f"said by {_named(found.speakers)}")
    if found.audiences:
        yield visible(f"some of it only for {', '.join(found.audiences)}")
    if [*found.namespaces] not in ([], [""]):
        spaces = {name or "(none)": count for name, count in found.namespaces.items()}
        yield visible(f"in namespaces: {_named(spaces)}")
    if found.metadata:
        yield visible(f"metadata: {_named(found.metadata)}")
    if found.expiring:
        yield f"{_many(found.expiring, 'item')} to expire"
    yield visible(f"embedder {found.embedder or 'unknown'}, space {found.space}")
    if found.waiting:
        yield f"{found.waiting:,} wait for their vectors, and are found by words alone"
    kept = sum(disk.values()) - disk["index"]
    yield f"on disk: {size(kept)}, and an index of {size(disk['index'])} made from it"


def _named(counts: Mapping[str, int]) -> str:
    """`Ana (12), Ben (3) and 4 more`."""
    names = [f"{name} ({count:,})" for name, count in list(counts.items())[:MAX_NAMES]]
    more = len(counts) - len(names)
    return f"{', '.join(names)}{f' and {more:,} more' if more else ''}"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
