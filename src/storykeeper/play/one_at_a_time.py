"""Threads may share a keeper: their calls are answered one after another.

None of them answers with words that another process has erased since the last.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class Shared(Protocol):
    """What several threads may hold."""

    @property
    def _lock(self) -> RLock: ...

    def _forget_erased(self) -> None: ...


Holder = TypeVar("Holder", bound=Shared)


def one_at_a_time(
    call: Callable[Concatenate[Holder, Given], Answer],
) -> Callable[Concatenate[Holder, Given], Answer]:
    """A method that waits until no other thread is in one of the same object."""

    @wraps(call)
    def waiting(self: Holder, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        with self._lock:
            self._forget_erased()
            return call(self, *args, **kwargs)

    return waiting
