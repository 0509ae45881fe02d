"""Answers in the protocol's own form that no model gave: by the offline narrator, and refusals."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


def completion(text: str, *, model: str, id_: str, created: int) -> bytes:
    """A whole answer."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return msgspec.json.encode(
        {"id": id_, "object": "chat.completion", "created": created, "model": model,
         "choices": [choice], "usage": _NOTHING}
    )  # fmt: skip


def chunks(text: str, *, model: str, id_: str, created: int) -> Iterator[bytes]:
    """The same as it would come from a model: a paragraph at a time."""
    head = {"id": id_, "object": "chat.completion.chunk", "created": created, "model": model}
    parts = text.split("\n\n")
    for n, part in enumerate(parts):
        said = {"content": part if n == 0 else f"\n\n{part}"}
        delta = {"role": "assistant", **said} if n == 0 else said
        yield msgspec.json.encode({**head, "choices": [_choice(delta, None)]})
    yield msgspec.json.encode({**head, "choices": [_choice({}, "stop")]})


def refusal(what: str, *, kind: str) -> bytes:
    """A refusal, as clients of this protocol read one."""
    return msgspec.json.encode({"error": {"message": what, "type": kind, "code": kind}})


_NOTHING = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


def _choice(delta: dict[str, str], finish: str | None) -> dict[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish}
