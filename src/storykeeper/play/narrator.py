"""A narrator that is a model: one call a turn, from the window as it is.

What is shown while it comes is the beginning of what is kept (`staging.stage_filter`); the block in
which it declares what it told is never shown. A stream that breaks off is no telling: whoever asked
gets the error, and the turn can be told again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, cast

from storykeeper.context.window import Window
from storykeeper.errors import ModelUnavailable
from storykeeper.models.port import StreamingModel, Usage
from storykeeper.staging.stage_filter import StageFilter

LIMIT_TOKENS = 700  # of an answer, its block included
TEMPERATURE = 0.8
LENGTH = "length"  # how an answer ends that came to its limit
MOST_CHARS = 24  # of an answer for each token of its limit: some servers know no limit

Show = Callable[[str], object]  # takes a part of the prose


@dataclass(frozen=True, slots=True)
class Narrated:
    """What a model told, and how."""

    text: str  # with its stage block
    prose: str
    finish: str
    usage: Usage | None
    first_seconds: float  # until there was something to show
    seconds: float
    dropped: tuple[str, ...] = ()  # of what it declared, and why

    def kept(self, dropped: tuple[str, ...]) -> Narrated:
        """The same, once it is rendered."""
        return replace(self, dropped=dropped)


@dataclass(frozen=True, slots=True)
class Narrator:
    """A model, and how it is asked. `name` is what the ledger keeps of who told a turn."""

    model: StreamingModel
    name: str = "model"
    limit_tokens: int = LIMIT_TOKENS
    temperature: float = TEMPERATURE
    seed: int | None = None  # each take of a turn has the next
    cached: bool = False  # whether the server takes marks of what to keep in its cache
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def tell(self, window: Window, *, show: Show, take: int = 0) -> Narrated:
        """Prose for a window; each part is shown as soon as it is sure to be prose."""
        began = self.clock()
        answer = self.model.stream(
            window.cached_messages if self.cached else window.messages,
            limit_tokens=self.limit_tokens, temperature=self.temperature,
            seed=None if self.seed is None else self.seed + take,
        )  # fmt: skip
        held, first, left = StageFilter(), None, MOST_CHARS * self.limit_tokens
        with closing(cast("Any", iter(answer))) as parts:
            for part in parts:
                if more := held.add(part[:left]):
                    first = self.clock() if first is None else first
                    show(more)
                left -= len(part)
                if held.ended or left <= 0:
                    break
        if more := held.end():
            show(more)
        if not held.prose:
            raise ModelUnavailable(f"{self.name} wrote no prose; /retry, or use another model")
        now = self.clock()
        return Narrated(
            held.raw, held.prose, LENGTH if left <= 0 else answer.finish, answer.usage,
            (first or now) - began, now - began,
        )  # fmt: skip
