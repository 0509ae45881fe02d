"""An answer as it comes: text, part by part, and what it cost.

Four times are kept: to reach the server, until its first word, between two parts, and for all of
it. A watch breaks the connection off when one runs out, or when somebody wants no more of it; a
thread that waits in a socket hears of nothing else. Before the first word a server that is down,
busy or broken is tried again; after it an answer that ends without its end is a `StreamCut`.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Self

import msgspec

from storykeeper.errors import UNREADABLE, ModelUnavailable, StreamCut
from storykeeper.models.port import Usage
from storykeeper.models.posting import Answered, Post, Question, Unreached, may_pass, wait_asked
from storykeeper.models.refusals import filtered, refusal, stream_error
from storykeeper.models.server_events import events

if TYPE_CHECKING:
    import httpx

PATH = "/chat/completions"
DONE = "[DONE]"
REFUSES_FIELDS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})


Seconds = Annotated[float, msgspec.Meta(gt=0)]


class Patience(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a stream is waited for, in seconds."""

    connect: Seconds = 10.0
    first: Seconds = 120.0  # a small machine reads a long window slowly
    between: Seconds = 60.0
    total: Seconds = 600.0


class _Refusing(ModelUnavailable):
    """A status that is not OK, before any text."""

    def __init__(self, answered: Answered) -> None:
        super().__init__(str(answered.status))
        self.answered = answered


class _Details(msgspec.Struct):
    cached_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None

    def said(self) -> Usage:
        details = self.prompt_tokens_details
        cached = details.cached_tokens if details is not None else None
        return Usage(self.prompt_tokens or 0, self.completion_tokens or 0, cached or 0)


class _Text(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    delta: _Text | None = None
    message: _Text | None = None  # of a server that does not stream, though it was asked to
    finish_reason: str | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: Any = None


@dataclass(slots=True)
class Stream:
    """One answer. Iterate over its text; then `finish` says how it ended and `usage` what it cost.

    `cancel` may be called from any thread.
    """

    post: Post
    body: Mapping[str, object]
    plain: Mapping[str, object] | None = None  # the same for a server that refuses some field
    patience: Patience = field(default_factory=Patience)
    usage: Usage | None = None
    finish: str = ""  # stop, length, …; empty if it has not ended
    chars: int = 0
    streamed: bool = True  # False: the server sent all of it at once
    first_seconds: float | None = None  # until the first text
    _watch: _Watch = field(default_factory=lambda: _Watch(), init=False, repr=False)

    def __iter__(self) -> Iterator[str]:
        began = self.post.clock()
        deadline = began + self.patience.total
        tried = 0
        while True:
            tried += 1
            try:
                for text in self._once(deadline):
                    if self.first_seconds is None:
                        self.first_seconds = self.post.clock() - began
                    self.chars += len(text)
                    yield text
            except Unreached as error:
                if self.chars or not self.post.waited(tried, None, deadline=deadline):
                    raise self._ended_by(error) from error
            except _Refusing as error:
                self._refused(error.answered, tried, deadline)
            else:
                return

    def _refused(self, answered: Answered, tried: int, deadline: float) -> None:
        """Returns if it is worth another try: in a while, or with less asked for."""
        told_apart = refusal(answered.body, self.post.url)
        if told_apart is not None:
            raise told_apart
        if answered.status in REFUSES_FIELDS and self.plain is not None:
            self.body, self.plain = self.plain, None
        elif not may_pass(answered.status) or not self.post.waited(
            tried, answered.wait_seconds, deadline=deadline
        ):
            raise self.post.refused(answered)

    def cancel(self) -> None:
        """No more of it is wanted: whoever iterates gets a StreamCut, soon."""
        self._watch.stop("it was broken off")

    def _once(self, deadline: float) -> Iterator[str]:
        patience = self.patience
        question = Question(
            json.dumps(self.body), PATH, patience.total, deadline, patience.connect, patience.first
        )
        with self.post.reached(question) as response, self._watch.over(response):
            if response.status_code != HTTPStatus.OK:
                body = self.post.read(response, question)
                raise _Refusing(Answered(response.status_code, wait_asked(response), body))
            response.request.extensions["timeout"]["read"] = None  # from here on the watch counts
            plain = "json" in response.headers.get("content-type", "")
            chunks = self._chunks(response, deadline)
            try:
                yield from self._whole(chunks) if plain else self._parts(events(chunks))
            except ValueError as error:
                raise self._malformed() from error

    def _chunks(self, response: httpx.Response, deadline: float) -> Iterator[bytes]:
        """The raw body; the watch is told how long the next part may take."""
        size, now = 0, time.monotonic
        end = now() + max(0.0, deadline - self.post.clock())
        self._watch.within(min(end, now() + self.patience.first))
        for chunk in response.iter_raw():
            size += len(chunk)
            if size > self.post.max_answer_bytes:
                raise ModelUnavailable(
                    f"{self.post.url} answered with more than {self.post.max_answer_bytes:,} bytes;"
                    " ask it for less at a time"
                )
            yield chunk
            said = self.patience.between if self.chars else self.patience.first
            self._watch.within(min(end, now() + said))

    def _parts(self, datas: Iterator[str]) -> Iterator[str]:
        for data in datas:
            if data.strip() == DONE:
                self.finish = self.finish or "stop"
                return
            try:
                chunk = msgspec.json.decode(data, type=_Chunk)
            except UNREADABLE as error:
                raise self._malformed() from error
            yield from self._text_of(chunk)
        if not self.finish:
            raise Unreached(f"no end of an answer from {self.post.url}; is the server running?")

    def _whole(self, chunks: Iterator[bytes]) -> Iterator[str]:
        """A server that answers at once, though a stream was asked for."""
        self.streamed = False
        try:
            chunk = msgspec.json.decode(b"".join(chunks), type=_Chunk)
        except UNREADABLE as error:
            raise self._malformed() from error
        yield from self._text_of(chunk)
        self.finish = self.finish or "stop"

    def _text_of(self, chunk: _Chunk) -> Iterator[str]:
        if chunk.error is not None:
            raise stream_error(chunk.error, self.post.url)
        if chunk.usage is not None:
            self.usage = chunk.usage.said()
        for choice in chunk.choices[:1]:
            said = choice.delta or choice.message or _Text()
            if said.refusal or choice.finish_reason == "content_filter":
                raise filtered(self.post.url)
            if said.content:
                yield said.content
            self.finish = choice.finish_reason or self.finish

    def _ended_by(self, error: ModelUnavailable) -> ModelUnavailable:
        """What to say of a connection that broke: the watch may have been what broke it."""
        why = self._watch.why
        if not self.chars:
            slow = self.post.too_slow(min(self.patience.first, self.patience.total))
            return slow if why == _LATE else ModelUnavailable(why or str(error))
        return StreamCut(
            f"the answer of {self.post.url} broke off after {self.chars:,} characters"
            f" ({why or 'the connection ended'}); /retry has it told again"
        )

    def _malformed(self) -> ModelUnavailable:
        what = (
            f"{self.post.url} answered with something that is no chat stream;"
            " check that it speaks the OpenAI chat protocol"
        )
        return StreamCut(what) if self.chars else ModelUnavailable(what)


_LATE = "it fell silent"


class _Watch:
    """Breaks a connection off at a moment, or when it is told to."""

    def __init__(self) -> None:
        self.why = ""
        self._name = ""
        self._moved = threading.Condition()
        self._until = float("inf")
        self._break: Callable[[], None] | None = None

    def over(self, response: httpx.Response) -> Self:
        """Watch a response; use as a context."""
        stream = response.extensions["network_stream"]
        self._break = lambda: _shut(stream.get_extra_info("socket"))
        self._name = f"watch of {response.url.host}:{response.url.port}"
        self._until = float("inf")
        return self

    def within(self, moment: float) -> None:
        """The next part is wanted by then."""
        with self._moved:
            self._until = moment
            self._moved.notify()

    def stop(self, why: str) -> None:
        with self._moved:
            self.why = self.why or why
            self._moved.notify()

    def __enter__(self) -> None:
        threading.Thread(target=self._run, daemon=True, name=self._name).start()

    def __exit__(self, *_: object) -> None:
        with self._moved:
            self._break = None
            self._moved.notify()

    def _run(self) -> None:
        with self._moved:
            while self._break is not None:
                left = self._until - time.monotonic()
                if self.why or left <= 0:
                    self.why = self.why or _LATE
                    self._break()
                    return
                self._moved.wait(min(left, threading.TIMEOUT_MAX))


def _shut(connection: socket.socket | None) -> None:
    """Wake whoever reads from it: it has come to its end."""
    if connection is not None:
        with suppress(OSError):  # it ended by itself
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
