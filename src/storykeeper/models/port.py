"""What storykeeper asks of a chat model: one answer to some messages, at once or as it comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    """Something said to a model, or by it."""

    role: Literal["system", "user", "assistant"]
    text: str


class ChatModel(Protocol):
    """Answers messages."""

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, object] | None, limit_tokens: int
    ) -> str:
        """The answer, as text; never empty.

        `schema` is the JSON Schema that the answer is asked to fit. A model may not keep to it:
        whoever asks checks. Raises ModelUnavailable and nothing else, whatever is wrong.
        """
        ...


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost, as the server counts."""

    prompt_tokens: int = 0
    answer_tokens: int = 0
    cached_tokens: int = 0  # of the prompt, found in a cache


class Answer(Protocol):
    """An answer as it comes; how it ended and what it cost is known at its end."""

    @property
    def finish(self) -> str:
        """stop, length, …; empty if it has not ended."""
        ...

    @property
    def usage(self) -> Usage | None:
        """What it cost, if the server says so."""
        ...

    def __iter__(self) -> Iterator[str]:
        """Its text, part by part. Raises ModelUnavailable and nothing else."""
        ...


class StreamingModel(Protocol):
    """Answers messages, such as those of a window, part by part."""

    def stream(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        limit_tokens: int,
        temperature: float,
        seed: int | None,
    ) -> Answer:
        """The answer; nothing is asked before somebody iterates."""
        ...
