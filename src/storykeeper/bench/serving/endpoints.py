"""Two ASGI applications as small as can be: what answers chats, and the floor that only echoes.

python -m uvicorn storykeeper.bench.serving.endpoints:upstream
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

ANSWER = (
    "The lamp burns low on the sill. She turns the key over twice and says nothing for a while,"
    " and then she puts it back into the crock and wipes her hands."
)
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
_HEAD = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}


def _chunk(delta: dict[str, str], finish: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({**_HEAD, "choices": [choice]}).encode() + b"\n\n"


_STREAM = b"".join(
    [_chunk({"content": f"{word} "}, None) for word in ANSWER.split(" ")]
    + [_chunk({}, "stop"), b"data: [DONE]\n\n"]
)


async def upstream(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """A model that answers at once, in events."""
    await _answered(scope, receive, send, _STREAM, b"text/event-stream")


async def echo(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Reads a request and says that it did."""
    await _answered(scope, receive, send, b'{"ok":true}', b"application/json")


async def _answered(
    scope: dict[str, Any], receive: Receive, send: Send, body: bytes, media: bytes
) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    while (await receive()).get("more_body"):
        continue
    headers = [(b"content-type", media), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
