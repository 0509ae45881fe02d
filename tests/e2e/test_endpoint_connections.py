"""One connection serves many questions, and goes when nobody asks any more."""

from __future__ import annotations

import gc
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from storykeeper import Memory
from storykeeper.models.embedders.endpoint import EmbeddingEndpoint


class Counting(ThreadingHTTPServer):
    """Keeps connections open, and knows how many there were and are."""

    daemon_threads = True

    def __init__(self) -> None:
        self.opened = self.open = 0
        self.hangs_up = False
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def shutdown_request(self, request: object) -> None:
        super().shutdown_request(request)
        self.open -= 1  # now whoever is at the other end can know it too

    def settled(self, count: int) -> bool:
        """Whether so many are open, soon."""
        for _ in range(200):
            if self.open == count:
                return True
            time.sleep(0.01)
        return False


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.server.opened += 1
        self.server.open += 1
        super().handle()

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        rows = [{"embedding": [1.0, float(len(text)), -1.0]} for text in texts]
        body = json.dumps({"data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = self.server.hangs_up

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Counting]:
    with Counting() as counting:
        thread = threading.Thread(target=counting.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield counting
        counting.shutdown()
        thread.join()


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> list[httpx.Client]:
    made: list[httpx.Client] = []
    whole = httpx.Client

    def client(**options: object) -> httpx.Client:
        made.append(whole(**options))
        return made[-1]

    monkeypatch.setattr(httpx, "Client", client)
    return made


def test_a_connection_is_used_again(server, clients):
    model = EmbeddingEndpoint(server.url, "tiny")
    assert model.dims == 3
    for n in range(5):
        model.queries([f"lamp {n}"])
        model.passages([f"ship {n}"])
    assert (len(clients), server.opened) == (1, 1)
    model.close()
    model.close()
    assert clients[0].is_closed
    assert server.settled(0)
    assert model.queries(["again"]).any()  # it opens another
    assert (len(clients), server.opened) == (2, 2)
    model.close()


def test_a_server_that_hangs_up_is_asked_again(server, clients):
    server.hangs_up = True
    waits: list[float] = []
    model = EmbeddingEndpoint(server.url, "tiny", sleep=waits.append)
    for n in range(4):
        model.queries([f"lamp {n}"])
        assert server.settled(0)
    assert (len(clients), server.opened, waits) == (1, 4, [])
    model.close()


def test_it_goes_with_whoever_asked(server, clients):
    model = EmbeddingEndpoint(server.url, "tiny")
    model.queries(["lamp"])
    del model
    gc.collect()
    assert clients[0].is_closed
    assert server.settled(0)


def test_it_goes_with_the_memory(server, clients, tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder=server.url, model="tiny") as memory:
        memory.add("The lamp is lit")
        memory.search("lamp")
        assert server.settled(1)
    assert all(client.is_closed for client in clients)
    assert server.settled(0)


def test_it_goes_with_the_space_that_is_let_go_of(server, clients, tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder=server.url, model="tiny") as memory:
        memory.add("The lamp is lit")
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        memory.search("lamp")
        assert memory.settle(wait=True)
        assert server.settled(0)
    assert all(client.is_closed for client in clients)
