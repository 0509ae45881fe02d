"""What storykeeper asks of a chat model: one answer to some messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


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
