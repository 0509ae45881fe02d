"""A chat model behind HTTP, in the protocol that OpenAI's servers and most local ones speak.

A call has one deadline, waits and second tries included. What it sends and what comes back is
somebody's story: neither is logged, nor put into an error. Nothing is read from the environment
unless asked: a proxy set for a browser has no business with a story.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from storykeeper.errors import ModelUnavailable
from storykeeper.models.port import Message

if TYPE_CHECKING:
    import httpx

MAX_ANSWER_BYTES = 4_000_000
_REFUSED_SCHEMA = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_BY_HAND = "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]


@dataclass(frozen=True, slots=True)
class _Answered:
    """What came back: a status, the seconds it asks to wait, and the body."""

    status: int
    wait_seconds: float | None
    body: bytes


@dataclass(slots=True)
class Endpoint:
    """A chat model at a URL such as `http://127.0.0.1:8080/v1`.

    `timeout_seconds` is for a whole call. A server that drips its answer is left at the first
    byte past the deadline; one that falls silent in the middle may take as long again.
    """

    url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 120.0
    retry_wait_seconds: float = 2.0  # the longest wait before the second try
    trust_env: bool = False
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    # Set once a server that refused a schema answered without one, so as to ask only once each.
    _by_hand: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        _check_url(self.url)
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise ModelUnavailable(
                "the API key has characters that no HTTP header can carry; copy it anew"
            )

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, object] | None, limit_tokens: int
    ) -> str:
        """The model's answer; a server that does not know schemas is told in words."""
        deadline = self.clock() + self.timeout_seconds
        body = self._body(messages, schema=schema, limit_tokens=limit_tokens)
        answered = self._asked(body, deadline=deadline)
        if "response_format" in body and answered.status in _REFUSED_SCHEMA:
            plain = self._body(messages, schema=schema, limit_tokens=limit_tokens, by_hand=True)
            answered = self._asked(plain, deadline=deadline)
            self._by_hand = answered.status == HTTPStatus.OK
        return self._text_of(answered)

    def _body(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, object] | None,
        limit_tokens: int,
        by_hand: bool = False,
    ) -> dict[str, object]:
        said = [{"role": message.role, "content": message.text} for message in messages]
        body: dict[str, object] = {
            "model": self.model, "messages": said, "max_tokens": limit_tokens,
            "temperature": 0, "stream": False,
        }  # fmt: skip
        if schema is None:
            return body
        if by_hand or self._by_hand:
            said.append({"role": "user", "content": _BY_HAND + json.dumps(schema)})
        else:
            named = {"name": "answer", "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    def _asked(self, body: Mapping[str, object], *, deadline: float) -> _Answered:
        """One try, and a second if the first met a server that is down, busy or broken."""
        for final in (False, True):
            try:
                answered = self._posted(body, deadline=deadline)
            except _Unreached as error:
                if final or not self._waited(None, deadline=deadline):
                    raise ModelUnavailable(str(error)) from error
                continue
            if final or not _may_pass(answered.status):
                return answered
            if not self._waited(answered.wait_seconds, deadline=deadline):
                return answered
        raise AssertionError("the second try is final")

    def _waited(self, asked: float | None, *, deadline: float) -> bool:
        """Waits before a second try; False if that would take longer than we have."""
        wait = self.retry_wait_seconds if asked is None else asked
        if wait > self.retry_wait_seconds or self.clock() + wait >= deadline:
            return False
        self.sleep(wait)
        return True

    def _posted(self, body: Mapping[str, object], *, deadline: float) -> _Answered:
        import httpx  # 300 ms: only when first needed

        try:
            with (
                httpx.Client(
                    trust_env=self.trust_env, timeout=max(0.001, deadline - self.clock())
                ) as client,
                client.stream(
                    "POST", self._address(), content=json.dumps(body), headers=self._headers()
                ) as response,
            ):
                return _Answered(
                    response.status_code,
                    _seconds(response.headers.get("retry-after")),
                    self._read(response, deadline=deadline),
                )
        except httpx.TimeoutException as error:
            raise self._too_slow() from error
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise _Unreached(
                f"no answer from {self.url} ({type(error).__name__}); is the server running?"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnavailable(
                f"{self.url} cannot be asked ({type(error).__name__}); check the URL"
            ) from error

    def _read(self, response: httpx.Response, *, deadline: float) -> bytes:
        # Raw, since we ask for no compression: a small body must not unfold into a large one.
        body = bytearray()
        for chunk in response.iter_raw():
            body += chunk
            if self.clock() > deadline:
                raise self._too_slow()
            if len(body) > MAX_ANSWER_BYTES:
                raise ModelUnavailable(
                    f"{self.url} answered with more than {MAX_ANSWER_BYTES:,} bytes;"
                    " ask it for fewer tokens"
                )
        return bytes(body)

    def _address(self) -> str:
        return f"{self.url.rstrip('/')}/chat/completions"

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        return headers | ({"Authorization": f"Bearer {self.api_key}"} if self.api_key else {})

    def _too_slow(self) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} did not answer within {self.timeout_seconds:g} s;"
            " allow more time or use a smaller model"
        )

    def _text_of(self, answered: _Answered) -> str:
        if answered.status != HTTPStatus.OK:
            raise ModelUnavailable(f"{self.url} answered {answered.status}; {_next(answered)}")
        try:
            completion = msgspec.json.decode(answered.body, type=_Completion)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._malformed("no chat completion") from error
        if not completion.choices:
            raise self._malformed("an empty list of choices")
        choice = completion.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise ModelUnavailable(f"the model at {self.url} refused to answer; use another model")
        if not choice.message.content:
            raise self._malformed("no text")
        return choice.message.content

    def _malformed(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} answered with {what}; check that it speaks the OpenAI chat protocol"
        )


class _Unreached(ModelUnavailable):
    """No connection, or it broke: worth a second try."""


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname is not None
        port = parts.port  # raises if it is no number
    except ValueError:
        fine, port = False, None
    if not fine or port == 0:
        raise ModelUnavailable("the model's URL must look like http://127.0.0.1:8080/v1")
    if parts.username is not None or parts.query:
        # What stands in a URL ends up in logs.
        raise ModelUnavailable("a model's URL may not hold a name, password or query; pass api_key")


def _may_pass(status: int) -> bool:
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _seconds(header: str | None) -> float | None:
    """Retry-After in seconds; a date counts as not said."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else None


def _next(answered: _Answered) -> str:
    match answered.status:
        case 401 | 403:
            return "check the API key"
        case 404:
            return "check the URL and the model's name"
        case 429 if answered.wait_seconds is not None:
            return f"wait {answered.wait_seconds:g} s and try again"
        case 429:
            return "wait and try again"
        case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return "try again, or look at the server's log"
        case _:
            return "check the URL, the model's name and how long a text it takes"
