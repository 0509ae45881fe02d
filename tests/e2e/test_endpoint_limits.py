"""A server that takes its time, or is not where one thinks: left in time, asked only if allowed.

Nothing here leaves this machine: what is refused is refused before a connection, and what is
allowed elsewhere is noted in place of being connected to.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpcore
import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.endpoint import EmbeddingEndpoint
from storykeeper.models.endpoint import Endpoint
from storykeeper.models.keys import allowed
from storykeeper.models.network import reachable_by_all
from storykeeper.models.port import Message
from storykeeper.models.settings import ModelSettings
from storykeeper.models.stream import Patience
from strategies.tables import table

LIMIT = 0.25  # seconds, and what a busy machine may add
SLACK = 1.5
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@contextmanager
def dripping(first: bytes, then: bytes) -> Iterator[str]:
    """A server that says one thing at once, and another again and again, for seconds."""
    over = threading.Event()

    def serve(listening: socket.socket) -> None:
        while not over.is_set():
            with suppress(OSError):
                connection, _ = listening.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(first)
                    while not over.wait(0.05):
                        connection.sendall(then)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        over.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def complete(url: str, **options) -> str:
    options = {"timeout_seconds": LIMIT, "tries": 1} | options
    return Endpoint(url, "tiny", **options).complete(
        [Message("user", "hello")], schema=None, limit_tokens=16
    )


def streamed(url: str) -> str:
    patience = Patience(connect=LIMIT, first=LIMIT, between=LIMIT, total=LIMIT)
    return "".join(Endpoint(url, "tiny", tries=1, patience=patience).stream([], limit_tokens=16))


def embedded(url: str) -> object:
    return EmbeddingEndpoint(url, "tiny", query_timeout_seconds=LIMIT, size=4).queries(["hello"])


@table(
    "ask, first, then",
    [
        (ask, first, then)
        for ask in (complete, embedded, streamed)
        for first, then in [
            (b"HTTP/1.1 200 OK\r\n", b"X-Slow: a\r\n"),  # headers without end
            (b"", b"H"),  # not even a first line
            (HEAD + b"Content-Length: 9999\r\n\r\n", b" "),  # a body without end
            (HEAD + b"Content-Length: 9999\r\n\r\n{", b""),  # one that falls silent
        ]
    ],
)
def test_no_server_is_waited_for_beyond_the_deadline(ask, first, then):
    with dripping(first, then) as url:
        began = time.monotonic()
        with pytest.raises(ModelUnavailable):
            ask(url)
        assert time.monotonic() - began < LIMIT + SLACK


def test_looking_up_a_name_does_not_outlive_it_either(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3) or [])
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="did not answer within"):
        complete("http://slow.example/v1")
    assert time.monotonic() - began < LIMIT + SLACK


# ── where it is ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def tried(monkeypatch) -> list[str]:
    """The addresses that would be connected to."""
    to: list[str] = []

    def noted(self, host, port, *_, **__):
        to.append(host)
        raise httpcore.ConnectError("not in a test")

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", noted)
    return to


def names(monkeypatch, **addresses: list[str]) -> None:
    def looked(host, port, **_):
        rows = addresses[host.split(".")[0]]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in rows]

    monkeypatch.setattr(socket, "getaddrinfo", looked)


@table(
    "host",
    ["10.0.0.1", "192.168.1.7", "172.16.3.4", "169.254.169.254", "100.64.0.1", "0.0.0.0",
     "224.0.0.1", "[fe80::1]", "[fd00::1]", "[::ffff:a00:1]", "[64:ff9b::a00:1]",
     "[2002:a00:1::]"],
)  # fmt: skip
def test_a_private_address_needs_a_yes(monkeypatch, tried, host):
    tried.clear()
    with pytest.raises(ModelUnavailable, match="STORYKEEPER_ALLOW=private"):
        complete(f"http://{host}/v1")
    assert tried == []
    with pytest.raises(ModelUnavailable, match="no answer"):
        complete(f"http://{host}/v1", allow=["private"])
    assert tried == [host.strip("[]")]


def test_a_name_is_judged_by_where_it_leads(monkeypatch, tried):
    names(monkeypatch, inner=["192.168.0.9"], both=["10.1.1.1", "93.184.216.34"], own=["127.0.0.1"])
    with pytest.raises(ModelUnavailable, match=r"inner.example is at 192\.168\.0\.9"):
        complete("https://inner.example/v1", api_key="k-123")
    for name in ("both", "own"):
        with pytest.raises(ModelUnavailable, match="no answer"):
            complete(f"http://{name}.example/v1")
    assert tried == ["93.184.216.34", "127.0.0.1"]  # the address that was looked at, not the name


def test_a_key_that_would_go_unencrypted_needs_a_yes(monkeypatch, tried):
    names(monkeypatch, far=["93.184.216.34"])
    for url in ("http://far.example/v1", "http://93.184.216.34/v1"):
        with pytest.raises(ModelUnavailable, match=r"unencrypted.*=plain-key") as no:
            complete(url, api_key="k-123")
        assert "k-123" not in str(no.value)
    assert tried == []
    for url, allow in [("https://far.example/v1", []), ("http://far.example/v1", ["plain-key"])]:
        with pytest.raises(ModelUnavailable, match="no answer"):
            complete(url, api_key="k-123", allow=allow)
    assert len(tried) == 2


def test_the_yes_is_a_setting_or_a_variable(monkeypatch):
    monkeypatch.delenv("STORYKEEPER_ALLOW", raising=False)
    assert allowed() == frozenset()
    assert ModelSettings(url="http://x/v1").endpoint(api_key=None).allow == frozenset()
    given = ModelSettings(url="http://x/v1", allow=("private",)).endpoint(api_key=None)
    assert given.allow == {"private"}
    monkeypatch.setenv("STORYKEEPER_ALLOW", "private, plain-key")
    assert allowed() == {"private", "plain-key"}
    monkeypatch.setenv("STORYKEEPER_ALLOW", "everything")
    with pytest.raises(ModelUnavailable, match="'everything'"):
        allowed()


def test_a_redirection_is_not_followed():
    """Nor is the key, or the story, sent where it leads."""
    body = b"HTTP/1.1 307 Temporary Redirect\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n"
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(0.3)
        to = f"http://127.0.0.1:{other.getsockname()[1]}/v1/chat/completions"

        def listen() -> None:
            with suppress(OSError):
                other.accept()[0].close()
                asked.set()

        thread = threading.Thread(target=listen)
        thread.start()
        with (
            dripping(body % to.encode(), b"") as url,
            pytest.raises(ModelUnavailable, match="answered 307"),
        ):
            complete(url, api_key="k-123")
        thread.join()
    assert not asked.is_set()


def test_what_everybody_reaches():
    import ipaddress

    assert reachable_by_all(ipaddress.ip_address("93.184.216.34"))
    assert reachable_by_all(ipaddress.ip_address("64:ff9b::5db8:d822"))
