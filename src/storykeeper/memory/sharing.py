"""One memory for several threads: its methods are called one at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Shared(Protocol):
    """What has a lock of its own."""

    lock: RLock


S = TypeVar("S", bound=Shared)


def one_at_a_time(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """The method, which waits while another thread is in one of them."""

    @wraps(method)
    def called(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self.lock:
            return method(self, *args, **kwargs)

    return called
