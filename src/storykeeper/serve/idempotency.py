"""A request that is sent again is done once: its first answer is given again.

    Idempotency-Key: any text of up to 200 characters, kept for a day

The answer is kept before the client hears it. A request that was broken off in between is done
again, and whoever does it hears when it was begun before: a line that was begun and never answered
is the same turn, and one that was told since is not told again.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from http import HTTPStatus

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storykeeper.errors import StorykeeperError
from storykeeper.serve.access import Caller
from storykeeper.serve.answers import ALIVE_SECONDS, Answers, Given, UnderWay
from storykeeper.serve.problems import of_error, refused
from storykeeper.serve.refusal import Refused

HEADER = "idempotency-key"
MAX_KEY_CHARS = 200
MAX_KEPT_BYTES = 4_000_000
_CHANGES = ("POST", "PUT", "DELETE")


class Idempotent:
    """Keeps answers to requests that name a key; those of each tenant apart."""

    def __init__(self, app: ASGIApp, *, answers: Answers) -> None:
        self._app = app
        self._answers = answers
        self._under_way: set[tuple[str, str]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        key = Headers(scope=scope).get(HEADER, "") if scope["type"] == "http" else ""
        if not key or scope["method"] not in _CHANGES or scope["path"].startswith("/v1/chat"):
            await self._app(scope, receive, send)
            return
        caller: Caller = scope["state"]["caller"]
        mark = (caller.tenant, key)
        try:
            self._begin(mark)
            try:
                await self._once(mark, scope, receive, send)
            finally:
                self._under_way.discard(mark)
        except Refused as error:
            await refused(error)(scope, receive, send)
        except StorykeeperError as error:  # what is kept cannot be reached
            await of_error(error)(scope, receive, send)

    def _begin(self, mark: tuple[str, str]) -> None:
        if len(mark[1]) > MAX_KEY_CHARS:
            raise _refusal("key", f"has more than {MAX_KEY_CHARS} characters")
        if mark in self._under_way:
            raise _under_way()
        self._under_way.add(mark)

    async def _once(
        self, mark: tuple[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        body = await _whole(receive)
        asked = b"\0".join((scope["method"].encode(), scope["raw_path"], scope["query_string"]))
        fingerprint = hashlib.sha256(asked + b"\0" + body).hexdigest()
        try:
            known = await asyncio.to_thread(self._answers.claim, *mark, fingerprint)
        except UnderWay:
            raise _under_way() from None
        if isinstance(known, Given):
            if known.fingerprint != fingerprint:
                raise _refusal("key", "was used for another request; use a new one")
            headers = dict(msgspec.json.decode(known.headers)) | {"idempotency-replayed": "true"}
            again = Response(known.body, status_code=known.status, headers=headers)
            await again(scope, receive, send)
            return
        scope["state"]["broken_off_ms"] = known.broken_off_ms
        answer, alive = _Answer(send), asyncio.ensure_future(self._alive(mark))
        try:
            await self._app(scope, _again(body), answer.take)
        finally:
            alive.cancel()
            await asyncio.to_thread(self._answers.keep, *mark, answer.given(fingerprint))
        await answer.give()

    async def _alive(self, mark: tuple[str, str]) -> None:
        """While it is being answered no other process does."""
        while True:
            await asyncio.sleep(ALIVE_SECONDS)
            with suppress(StorykeeperError):
                await asyncio.to_thread(self._answers.still_at_it, *mark)


class _Answer:
    """An answer that is kept, then given; one that streams is given as it comes, and not kept."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._messages: list[Message] = []
        self._streams = False

    async def take(self, message: Message) -> None:
        self._messages.append(message)
        size = sum(len(each.get("body", b"")) for each in self._messages)
        if message.get("more_body") and (self._streams or size > MAX_KEPT_BYTES or self._is_events):
            self._streams = True
        if self._streams:
            await self.give()

    async def give(self) -> None:
        for message in self._messages:
            await self._send(message)
        self._messages.clear()

    def given(self, fingerprint: str) -> Given | None:
        """What is to be given again; None if it may be asked again."""
        if self._streams or not self._messages:
            return None
        start = self._messages[0]
        if start["status"] >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return None
        headers = [(name.decode(), value.decode()) for name, value in start["headers"]
                   if name.lower() != b"content-length"]  # fmt: skip
        body = b"".join(each.get("body", b"") for each in self._messages[1:])
        said = msgspec.json.encode(headers).decode()
        return Given(fingerprint, int(start["status"]), said, body)

    @property
    def _is_events(self) -> bool:
        headers = Headers(raw=self._messages[0].get("headers", []))
        return headers.get("content-type", "").startswith("text/event-stream")


async def _whole(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes) -> Receive:
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _under_way() -> Refused:
    return Refused(
        HTTPStatus.CONFLICT, "under-way",
        "a request with this Idempotency-Key is being answered; wait for it",
        retry_after="1",
    )  # fmt: skip


def _refusal(kind: str, what: str) -> Refused:
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"idempotency-{kind}", f"this key {what}")
