"""Where something comes from: `source_id@version`, kept through whatever is made of it.

What is made of several things comes from all that they come from; and it holds only as long as
every one of these is in use, at that version.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from storykeeper.canon.registry import CITE_PATTERN

_CITE = re.compile(CITE_PATTERN)
CANON = "canon"  # the kind of a source, as items have them: `canon:field-manual@1.2#14`


class Derived(Protocol):
    """Something that says what it comes from."""

    @property
    def cites(self) -> tuple[str, ...]:
        """`source_id@version`, each once."""
        ...


D = TypeVar("D", bound=Derived)


def is_cite(text: str) -> bool:
    """Whether this is `source_id@version`."""
    return _CITE.fullmatch(text) is not None


def cite_of(passage: str) -> str:
    """`field-manual@1.2` of `field-manual@1.2#14`."""
    return passage.partition("#")[0]


def joined(*several: Iterable[str]) -> tuple[str, ...]:
    """What a summary or a merger of several things comes from: all of it, each once, sorted."""
    return tuple(sorted({cite for each in several for cite in each}))


def outdated(cites: Iterable[str], in_force: Collection[str]) -> tuple[str, ...]:
    """Those that are no source in use at that version."""
    return tuple(cite for cite in cites if cite not in in_force)


def standing(derived: Iterable[D], in_force: Collection[str]) -> list[D]:
    """What still holds: all that it comes from is in use at that version."""
    return [each for each in derived if not outdated(each.cites, in_force)]
