"""A request that is sent again is done once: its first answer is given again.

    Idempotency-Key: any text of up to 200 characters, kept for a day

The answer is kept before the client hears it. A request that was broken off in between is done
again, and the engine takes a line that was begun and never answered for the same turn.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storykeeper.serve.access import Caller
from storykeeper.serve.problems import refused
from storykeeper.serve.refusal import Refused

HEADER = "idempotency-key"
MAX_KEY_CHARS = 200
KEPT_SECONDS = 86_400
MAX_KEPT_BYTES = 4_000_000
_CHANGES = ("POST", "PUT", "DELETE")
_SCHEMA = """create table if not exists answers (
    key text primary key, fingerprint text not null, at integer not null,
    status integer, headers text, body blob) strict, without rowid"""


class Idempotent:
    """Keeps answers to requests that name a key; those of each tenant apart."""

    def __init__(self, app: ASGIApp, *, data: Path) -> None:
        self._app = app
        self._data = data
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

    def _begin(self, mark: tuple[str, str]) -> None:
        if len(mark[1]) > MAX_KEY_CHARS:
            raise _refusal("key", f"has more than {MAX_KEY_CHARS} characters")
        if mark in self._under_way:
            raise Refused(
                HTTPStatus.CONFLICT, "under-way",
                "a request with this Idempotency-Key is being answered; wait for it",
                retry_after="1",
            )  # fmt: skip
        self._under_way.add(mark)

    async def _once(
        self, mark: tuple[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        body = await _whole(receive)
        asked = b"\0".join((scope["method"].encode(), scope["raw_path"], scope["query_string"]))
        fingerprint = hashlib.sha256(asked + b"\0" + body).hexdigest()
        with closing(self._opened(mark[0])) as kept:
            known = kept.execute(
                "select fingerprint, status, headers, body from answers where key = ?", mark[1:]
            ).fetchone()
            if known is None:
                answer = _Answer(send)
                await self._app(scope, _again(body), answer.take)
                answer.keep(kept, mark[1], fingerprint)
                await answer.give()
                return
        if known[0] != fingerprint:
            raise _refusal("key", "was used for another request; use a new one")
        headers = dict(msgspec.json.decode(known[2])) | {"idempotency-replayed": "true"}
        await Response(known[3], status_code=known[1], headers=headers)(scope, receive, send)

    def _opened(self, tenant: str) -> sqlite3.Connection:
        path = self._data / "tenants" / tenant / "answers.db"
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = sqlite3.connect(path, isolation_level=None, timeout=5)
        kept.execute("pragma journal_mode = wal")
        kept.execute(_SCHEMA)
        kept.execute("delete from answers where at < ?", (int(time.time()) - KEPT_SECONDS,))
        return kept


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

    def keep(self, kept: sqlite3.Connection, key: str, fingerprint: str) -> None:
        if self._streams or not self._messages:
            return
        start = self._messages[0]
        if start["status"] >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return  # it may be asked again
        headers = [(name.decode(), value.decode()) for name, value in start["headers"]
                   if name.lower() != b"content-length"]  # fmt: skip
        body = b"".join(each.get("body", b"") for each in self._messages[1:])
        kept.execute(
            "insert or replace into answers values (?, ?, ?, ?, ?, ?)",
            (key, fingerprint, int(time.time()), start["status"],
             msgspec.json.encode(headers).decode(), body),
        )  # fmt: skip

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


def _refusal(kind: str, what: str) -> Refused:
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"idempotency-{kind}", f"this key {what}")
