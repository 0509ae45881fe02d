"""One memory for several threads: its methods are called one at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Locked(Protocol):
    """What has a lock."""

    @property
    def lock(self) -> RLock:
        """Held by whoever is in one of its methods."""
        ...


class Shared(Protocol):
    """What several may hold, each for a namespace of their own."""

    @property
    def opened(self) -> Locked:
        """What they share."""
        ...


S = TypeVar("S", bound=Shared)


def one_at_a_time(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """The method, which waits while another thread is in one of them."""

    @wraps(method)
    def called(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self.opened.lock:
            return method(self, *args, **kwargs)

    return called
