"""One question to a model's server over HTTP, and its answer, before a deadline.

A call has one deadline, waits and second tries included. A connection is kept for the next question
until it is closed, or nobody can ask any more. What may pass (a server that is down, busy or
broken) is tried again, each time after twice the wait. What is sent and what comes back is
somebody's story: neither is logged, nor put into an error. Nothing is read from the environment
unless asked: a proxy set for a browser has no business with a story.
"""

from __future__ import annotations

import json
import math
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from storykeeper.errors import ModelUnavailable

if TYPE_CHECKING:
    import httpx

    from storykeeper.models.network import Deadline


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back: a status, the seconds it asks to wait, and the body."""

    status: int
    wait_seconds: float | None
    body: bytes


class _Line:
    """A client, made when it is first needed; making one takes some 50 ms."""

    def __init__(self) -> None:
        self.deadline: Deadline | None = None
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._end: Callable[[], object] = bool

    def client(self, post: Post) -> httpx.Client:
        """The one that is open."""
        import httpx  # 300 ms: only when first needed

        from storykeeper.models.network import Deadline, Transport

        with self._lock:
            if self._client is None:
                self.deadline = Deadline()
                transport = Transport(
                    allow=post.allow, keyed=post.api_key is not None,
                    plain=post.url.startswith("http:"), deadline=self.deadline,
                    proxy=post.proxy(), trust_env=post.trust_env,
                )  # fmt: skip
                self._client = httpx.Client(transport=transport, trust_env=post.trust_env)
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

    A server is left at its deadline, whether it is silent or drips headers. It is asked at an
    address of this machine or of the public network; for others, and for a key that would go there
    unencrypted, `allow` must have a yes. No redirection is followed.
    """

    url: str
    api_key: str | None = field(default=None, repr=False)
    retry_wait_seconds: float = 2.0  # the longest wait before the second try
    tries: int = 2
    max_answer_bytes: int = 4_000_000
    trust_env: bool = False
    allow: Collection[str] = ()
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
        """One try, and others if it met a server that is down, busy or broken.

        `seconds` is what the whole call was given: it is what an error names.
        """
        question = Question(json.dumps(body), path, seconds, deadline)
        for number in range(1, self.tries + 1):
            try:
                answered = self._posted(question)
            except Unreached as error:
                if not self.waited(number, None, deadline=deadline):
                    raise ModelUnavailable(str(error)) from error
                continue
            if not may_pass(answered.status):
                return answered
            if not self.waited(number, answered.wait_seconds, deadline=deadline):
                return answered
        raise AssertionError("the last try is final")

    def listed(self, path: str, *, seconds: float) -> Answered:
        """What a server has to show at a path; one try."""
        return self._posted(Question("", path, seconds, self.clock() + seconds, method="GET"))

    def proxy(self) -> str | None:
        """The proxy that the environment names for this server, if the environment is asked."""
        if not self.trust_env:
            return None
        from urllib.request import getproxies, proxy_bypass  # 20 ms: only when wanted

        parts, named = urlsplit(self.url), getproxies()
        bypassed = proxy_bypass(parts.netloc)
        return None if bypassed else named.get(parts.scheme) or named.get("all")

    def close(self) -> None:
        """Let go of the connection; the next question opens another."""
        self._line.close()

    def refused(self, answered: Answered) -> ModelUnavailable:
        """What to say of an answer that is not OK; `Refused`, if it may be for what was asked."""
        kind = Refused if _for_what_was_asked(answered.status) else ModelUnavailable
        return kind(f"{self.url} answered {answered.status}; {_next(answered)}")

    def waited(self, tried: int, asked: float | None, *, deadline: float) -> bool:
        """Waits before another try; False if there is none, or it would take longer than we have.

        Twice as long before each; as long as the server asks, if that is not too long.
        """
        longest = self.retry_wait_seconds * 2 ** (tried - 1)
        wait = longest if asked is None else asked
        if tried >= self.tries or wait > longest or self.clock() + wait >= deadline:
            return False
        self.sleep(wait)
        return True

    def _posted(self, question: Question) -> Answered:
        with self.reached(question) as response:
            return Answered(
                response.status_code, wait_asked(response), self.read(response, question)
            )

    @contextmanager
    def reached(self, question: Question) -> Iterator[httpx.Response]:
        """The response to a question, its body not yet read."""
        import httpx

        left = max(0.001, question.deadline - self.clock())
        connect = min(left, question.connect_seconds)
        client, began = self._line.client(self), time.monotonic()
        deadline = self._line.deadline
        assert deadline is not None
        deadline.at = began + min(left, question.first_seconds)
        try:
            with client.stream(
                question.method,
                f"{self.url.rstrip('/')}{question.path}",
                content=question.content or None,
                headers=self._headers(),
                timeout=httpx.Timeout(min(left, question.first_seconds), connect=connect),
            ) as response:
                deadline.at = began + left
                yield response
        except httpx.TimeoutException as error:
            raise self.too_slow(question.waited_for(error, left)) from error
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise Unreached(
                f"no answer from {self.url} ({type(error).__name__}); is the server running?"
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnavailable(
                f"{self.url} cannot be asked ({type(error).__name__}); check the URL"
            ) from error

    def read(self, response: httpx.Response, question: Question) -> bytes:
        """All of a body, before the deadline."""
        # Raw, since we ask for no compression: a small body must not unfold into a large one.
        body = bytearray()
        for chunk in response.iter_raw():
            body += chunk
            if self.clock() > question.deadline:
                raise self.too_slow(question.seconds)
            if len(body) > self.max_answer_bytes:
                raise ModelUnavailable(
                    f"{self.url} answered with more than {self.max_answer_bytes:,} bytes;"
                    " ask it for less at a time"
                )
        return bytes(body)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        return headers | ({"Authorization": f"Bearer {self.api_key}"} if self.api_key else {})

    def too_slow(self, seconds: float) -> ModelUnavailable:
        """What to say of a server that takes longer than this."""
        return ModelUnavailable(
            f"{self.url} did not answer within {seconds:g} s;"
            " allow more time or use a smaller model"
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where, and how long anybody waits for it."""

    content: str
    path: str
    seconds: float  # for all of it, as an error names them
    deadline: float
    connect_seconds: float = math.inf
    first_seconds: float = math.inf  # until an answer begins
    method: str = "POST"

    def waited_for(self, error: httpx.TimeoutException, left: float) -> float:
        """The time that ran out: to reach the server, for its first word, or for all of it."""
        import httpx

        connecting = isinstance(error, httpx.ConnectTimeout)
        own = self.connect_seconds if connecting else self.first_seconds
        return own if own < left else self.seconds


class Refused(ModelUnavailable):
    """A server that is there, and does not take what it was asked, or answers what is no answer."""


class Unreached(ModelUnavailable):
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


def may_pass(status: int) -> bool:
    """Whether the same question may be answered in a while."""
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def wait_asked(response: httpx.Response) -> float | None:
    """Retry-After in seconds; a date counts as not said."""
    header: str | None = response.headers.get("retry-after")
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
