"""A server of embeddings that can be changed, stopped and started again."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx  # noqa: F401 - loaded here, so that the first question does not wait for it
import numpy as np

from storykeeper import Memory

LIKE = {"automobile": "car", "eaten": "supper"}  # words that the server knows to be alike

Vector = list[float | None]


def vector(text: str, size: int = 8) -> Vector:
    """The sum of its words, each a direction of its own."""
    total = np.zeros(size)
    for word in text.lower().replace(":", " ").split():
        known = LIKE.get(word, word)
        total += np.random.default_rng(list(known.encode())).standard_normal(size)
    return [float(x) for x in total]


class Embedding:
    """A server that can be changed, stopped and started again on the same port."""

    def __init__(self) -> None:
        self.vectors: Callable[[list[str]], list[Vector]] = partial(map, vector)
        self.status = 200
        self.wait_seconds = 0.0
        self.asked: list[list[str]] = []
        self.most_chars = 10**9  # of a text; a question with a longer one is refused
        self._http: ThreadingHTTPServer | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def start(self) -> None:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
                server.asked.append(texts)
                time.sleep(server.wait_seconds)
                rows = [{"embedding": row} for row in server.vectors(texts)]
                body = json.dumps({"data": rows}).encode()
                long = any(len(text) > server.most_chars for text in texts)
                self.send_response(400 if long else server.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle(self):
                try:
                    super().handle()
                except OSError:
                    self.close_connection = True  # the client has left

            def log_message(self, *_):
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        self._http.daemon_threads = True
        self._port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        if self._http is not None:
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()
            self._http = None

    def mend(self) -> None:
        self.vectors, self.status, self.wait_seconds = partial(map, vector), 200, 0.0
        if self._http is None:
            self.start()


@contextmanager
def serving() -> Iterator[Embedding]:
    """One that runs, until it is no more needed."""
    made = Embedding()
    made.start()
    try:
        yield made
    finally:
        made.stop()


def opened(path: Path, server: Embedding, *, model: str = "tiny") -> Memory:
    return Memory.open(path, embedder=server.url, model=model)
