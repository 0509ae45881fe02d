"""How long a text may be read: whoever reads asks between two steps whether to go on.

All reading takes time that grows with the text and no faster, and no text is without end. This is
for what is left: a busy machine, a slow reader. What was being read then stays as it was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf

from storykeeper.errors import ReadingTooLong

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


def go_on() -> None:
    """Raise if the time for what is being read is over; called before each step of reading."""
    check = _check.get()
    if check is not None:
        check()


@dataclass(frozen=True, slots=True)
class Patience:
    """So many seconds for each text that is read, by a clock."""

    seconds: float = inf
    clock: Callable[[], float] = lambda: 0.0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """While one text is read."""
        until = self.clock() + self.seconds

        def check() -> None:
            if self.clock() > until:
                raise ReadingTooLong(f"reading it took more than {self.seconds:g} s")

        before = _check.set(check)
        try:
            yield
        finally:
            _check.reset(before)


ENDLESS = Patience()
