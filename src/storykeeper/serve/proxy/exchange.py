"""What goes upstream in a request's place, and what of the answer goes to the client.

system   the client's own instructions, then what of the window stays the same
user     the rest of the window, with the parts of the last line that are no text
…        whatever stood behind the last line, as it came; the window then asks for nothing itself

A chat of which nothing is past yet needs no window: its first request goes as it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from storykeeper.context.window import Window
from storykeeper.errors import UNREADABLE
from storykeeper.serve.proxy.transcript import SEPARATOR, Transcript, beside_text
from storykeeper.staging.stage_filter import StageFilter

DONE = b"[DONE]"
_STORY = "story:"


def sent(request: Mapping[str, Any], said: Transcript, window: Window, *, model: str) -> bytes:
    """The request with the window in the place of its history; all else is as it came."""
    if said.is_new and not story_of(request.get("model")):
        return msgspec.json.encode({**request, "model": model} if model else request)
    stable = SEPARATOR.join(filter(None, (*said.system, window.stable)))
    text = window.fresh if said.is_turn else window.unasked
    others = beside_text(said.last)
    fresh: str | list[Any] = [{"type": "text", "text": text}, *others] if others else text
    messages = [
        {"role": "system", "content": stable},
        {"role": "user", "content": fresh},
        *said.after,
    ]
    asked = {**request, "messages": messages}
    if model:
        asked["model"] = model
    return msgspec.json.encode(asked)


def story_of(model: object) -> str:
    """The authored story that a model's name asks for, if it does."""
    return model.removeprefix(_STORY) if isinstance(model, str) and model.startswith(_STORY) else ""


def model_of(story: str) -> str:
    """The name by which a client asks for a story."""
    return f"{_STORY}{story}"


@dataclass(slots=True)
class Streamed:
    """An answer as it comes: its events, without the stage block; and all of its text."""

    filter: StageFilter = field(default_factory=StageFilter)
    finished: bool = False  # it said how it ended
    other: bool = False  # it is a call of a tool, or a refusal: no telling
    usable: bool = True
    _last: dict[str, Any] = field(default_factory=dict)

    def event(self, data: bytes) -> Iterator[bytes]:
        """What the client gets for an event of upstream's."""
        try:
            chunk = msgspec.json.decode(data)
            choice = chunk["choices"][0] if chunk.get("choices") else None
        except (*UNREADABLE, KeyError, TypeError, AttributeError):
            yield data
            return
        if not isinstance(choice, dict) or choice.get("index", 0) != 0:
            yield data
            return
        yield from self._chosen(chunk, choice)

    def rest(self) -> Iterator[bytes]:
        """What waited and may be shown after all, where the answer ended without saying so."""
        text = self.filter.end()
        if text and self._last:
            yield _with_text(self._last, text, finish=None)

    @property
    def is_telling(self) -> bool:
        """Whether the whole of it came, and it is prose."""
        return self.finished and not self.other and bool(self.filter.prose)

    def _chosen(self, chunk: dict[str, Any], choice: dict[str, Any]) -> Iterator[bytes]:
        delta = choice.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        self.other = self.other or bool(delta.get("tool_calls") or delta.get("refusal"))
        text, finish = delta.get("content"), choice.get("finish_reason")
        shown = self.filter.add(text) if isinstance(text, str) and text else text
        if finish:
            self.finished = finish in ("stop", "length", "eos")
            shown = (shown or "") + self.filter.end()
        if isinstance(text, str) and text and not shown and not finish and len(delta) == 1:
            self._last = chunk  # all of it waits
            return
        self._last = chunk
        if isinstance(text, str) or shown:
            yield _with_text(chunk, shown or "", finish=finish)
        else:
            yield msgspec.json.encode(chunk)


def _with_text(chunk: dict[str, Any], text: str, *, finish: object) -> bytes:
    choice = chunk["choices"][0]
    delta = {**(choice.get("delta") or {}), "content": text}
    chosen = {**choice, "delta": delta, "finish_reason": finish}
    return msgspec.json.encode({**chunk, "choices": [chosen, *chunk["choices"][1:]]})


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer that came at once: what the client gets, and what is kept."""

    body: bytes
    text: str  # with its stage block; empty if it is no telling

    @classmethod
    def of(cls, body: bytes) -> Whole:
        """Read one; a body that is no answer goes on as it came."""
        try:
            answer = msgspec.json.decode(body)
            choice = answer["choices"][0]
            message = choice["message"]
            text = message.get("content")
        except (*UNREADABLE, KeyError, IndexError, TypeError, AttributeError):
            return cls(body, "")
        if not isinstance(text, str) or not text:
            return cls(body, "")
        seen = StageFilter()
        shown = seen.add(text) + seen.end()
        kept = {**choice, "message": {**message, "content": shown}}
        tells = not message.get("tool_calls") and choice.get("finish_reason") != "content_filter"
        out = {**answer, "choices": [kept, *answer["choices"][1:]]}
        return cls(msgspec.json.encode(out), seen.raw if tells and seen.prose else "")
