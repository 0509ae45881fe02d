"""One question to a model's server over HTTP, and its answer, before a deadline.

A call has one deadline, waits and second tries included. A connection is kept for the next question
until it is closed, or nobody can ask any more. What is sent and what comes back is
somebody's story: neither is logged, nor put into an error. Nothing is read from the environment
unless asked: a proxy set for a browser has no business with a story.
"""

from __future__ import annotations

import json
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from storykeeper.errors import ModelUnavailable

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back: a status, the seconds it asks to wait, and the body."""

    status: int
    wait_seconds: float | None
    body: bytes


class _Line:
    """A client, made when it is first needed; making one takes some 50 ms."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._end: Callable[[], object] = bool

    def client(self, *, trust_env: bool) -> httpx.Client:
        """The one that is open."""
        import httpx  # 300 ms: only when first needed

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(trust_env=trust_env)
                self._end = weakref.finalize(self, self._client.close)
            return self._client

    def close(self) -> None:
        """Let go of connections; asking again opens new ones."""
        with self._lock:
            self._client = None
            self._end()


@dataclass(frozen=True, slots=True)
class Post:
    """A server at a URL such as `http://127.0.0.1:8080/v1`.

    A server that drips its answer is left at the first byte past the deadline; one that falls
    silent in the middle may take as long again.
    """

    url: str
    api_key: str | None = field(default=None, repr=False)
    retry_wait_seconds: float = 2.0  # the longest wait before the second try
    max_answer_bytes: int = 4_000_000
    trust_env: bool = False
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _line: _Line = field(default_factory=_Line, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_url(self.url)
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise ModelUnavailable(
                "the API key has characters that no HTTP header can carry; copy it anew"
            )

    def asked(
        self, path: str, body: Mapping[str, object], *, seconds: float, deadline: float
    ) -> Answered:
        """One try, and a second if the first met a server that is down, busy or broken.

        `seconds` is what the whole call was given: it is what an error names.
        """
        question = _Question(f"{self.url.rstrip('/')}{path}", json.dumps(body), seconds, deadline)
        for final in (False, True):
            try:
                answered = self._posted(question)
            except _Unreached as error:
                if final or not self._waited(None, deadline=deadline):
                    raise ModelUnavailable(str(error)) from error
                continue
            if final or not _may_pass(answered.status):
                return answered
            if not self._waited(answered.wait_seconds, deadline=deadline):
                return answered
        raise AssertionError("the second try is final")

    def close(self) -> None:
        """Let go of the connection; the next question opens another."""
        self._line.close()

    def refused(self, answered: Answered) -> ModelUnavailable:
        """What to say of an answer that is not OK; `Refused`, if it may be for what was asked."""
        kind = Refused if _for_what_was_asked(answered.status) else ModelUnavailable
        return kind(f"{self.url} answered {answered.status}; {_next(answered)}")

    def _waited(self, asked: float | None, *, deadline: float) -> bool:
        """Waits before a second try; False if that would take longer than we have."""
        wait = self.retry_wait_seconds if asked is None else asked
        if wait > self.retry_wait_seconds or self.clock() + wait >= deadline:
            return False
        self.sleep(wait)
        return True

    def _posted(self, question: _Question) -> Answered:
        import httpx

        try:
            with self._line.client(trust_env=self.trust_env).stream(
                "POST",
                question.address,
                content=question.content,
                headers=self._headers(),
                timeout=max(0.001, question.deadline - self.clock()),
            ) as response:
                return Answered(
                    response.status_code,
                    _seconds(response.headers.get("retry-after")),
                    self._read(response, question),
                )
        except httpx.TimeoutException as error:
            raise self._too_slow(question) from error
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise _Unreached(
                f"no answer from {self.url} ({type(error).__name__}); is the server running?"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnavailable(
                f"{self.url} cannot be asked ({type(error).__name__}); check the URL"
            ) from error

    def _read(self, response: httpx.Response, question: _Question) -> bytes:
        # Raw, since we ask for no compression: a small body must not unfold into a large one.
        body = bytearray()
        for chunk in response.iter_raw():
            body += chunk
            if self.clock() > question.deadline:
                raise self._too_slow(question)
            if len(body) > self.max_answer_bytes:
                raise ModelUnavailable(
                    f"{self.url} answered with more than {self.max_answer_bytes:,} bytes;"
                    " ask it for less at a time"
                )
        return bytes(body)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        return headers | ({"Authorization": f"Bearer {self.api_key}"} if self.api_key else {})

    def _too_slow(self, question: _Question) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} did not answer within {question.seconds:g} s;"
            " allow more time or use a smaller model"
        )


@dataclass(frozen=True, slots=True)
class _Question:
    address: str
    content: str
    seconds: float
    deadline: float


class Refused(ModelUnavailable):
    """A server that is there, and does not take what it was asked, or answers what is no answer."""


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


# Who asks, where, and how often: the same for whatever is asked.
_WHATEVER_IS_ASKED = frozenset({401, 402, 403, 404, 405, 407, 408, 425, 429})


def _for_what_was_asked(status: int) -> bool:
    return (
        HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
        and status not in _WHATEVER_IS_ASKED
    )


def _may_pass(status: int) -> bool:
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _seconds(header: str | None) -> float | None:
    """Retry-After in seconds; a date counts as not said."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else None


def _next(answered: Answered) -> str:
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
