"""Why a server refuses, as far as it can be told apart: too long a text, or one it will not write.

What a server says of a text may quote it: it is looked at, and only its numbers are passed on.
Servers agree on no code: the names here are those of the ones that are in wide use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from storykeeper.errors import UNREADABLE, ContentFiltered, ContextTooLong, ModelUnavailable

# OpenAI and Azure, llama.cpp; in words: vLLM, Ollama, Anthropic, TGI.
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|string_above_max_length"
    r"|(maximum|available|model'?s?) context|context (length|window|size)|prompt is too long"
    r"|input is too long|tokens \+ `?max_new_tokens",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content_filter|content_policy|content management policy|responsibleai|moderation_blocked"
    r"|data_inspection_failed",
    re.IGNORECASE,
)
_MOST = re.compile(r"(?:context (?:length|size|window)\D{0,20}|> |\bn_ctx\D{0,4})(\d{3,8})")


def refusal(body: bytes, url: str) -> ContextTooLong | ContentFiltered | None:
    """What an error's body says, if it is one of the two that ask for something else next."""
    found = " ".join(_said(_decoded(body)))
    if _TOO_LONG.search(found):
        return too_long(url, _most_tokens(found))
    return filtered(url) if _FILTERED.search(found) else None


def stream_error(error: object, url: str) -> ModelUnavailable:
    """An error that a server sends in the middle of a stream, its status long gone."""
    told_apart = refusal(msgspec.json.encode({"error": error}), url)
    return told_apart or ModelUnavailable(
        f"{url} broke its answer off with an error; try again, or look at the server's log"
    )


def too_long(url: str, most_tokens: int | None = None) -> ContextTooLong:
    """More than the model can take."""
    most = "" if most_tokens is None else f" of {most_tokens:,} tokens"
    return ContextTooLong(
        f"the window and the answer do not fit the context{most} of the model at {url};"
        " allow a window of fewer tokens (--budget N), or a longer context",
        most_tokens=most_tokens,
    )


def filtered(url: str) -> ContentFiltered:
    """What it will not write."""
    return ContentFiltered(
        f"the model at {url} refused to answer; have it told again, or use another model"
    )


def _decoded(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body[:64_000])
    except UNREADABLE:
        return None


def _said(found: Any) -> Iterator[str]:
    """The codes, types and words of an error, wherever a server puts them, and its numbers."""
    if not isinstance(found, dict):
        return
    for name, value in found.items():
        if name in ("error", "innererror", "detail", "body"):
            yield from _said(value)
            if isinstance(value, str):
                yield value
        elif name in ("code", "type", "message") and isinstance(value, str):
            yield value
        elif name == "n_ctx" and isinstance(value, int):
            yield f"n_ctx {value}"


def _most_tokens(found: str) -> int | None:
    most = _MOST.search(found.replace(",", ""))
    return int(most[1]) if most else None
