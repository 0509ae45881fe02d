"""Servers on this machine that speak the chat protocol over real HTTP, well or badly."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from storykeeper.models.endpoint import MAX_ANSWER_BYTES

Reply = Callable[[BaseHTTPRequestHandler, dict], None]


@dataclass
class Server:
    """What was asked, and the replies to give, the last of them again and again."""

    url: str
    replies: list[Reply]
    bodies: list[dict] = field(default_factory=list)
    headers: list[dict] = field(default_factory=list)
    listed: object = None  # what is served at /models


@contextmanager
def serving(*replies: Reply) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.bodies.append({"path": self.path, **body})
            server.headers.append({k.lower(): v for k, v in self.headers.items()})
            reply = server.replies[min(len(server.bodies), len(server.replies)) - 1]
            try:
                reply(self, body)
            except OSError:
                self.close_connection = True  # the client has left

        def do_GET(self):
            raw(200, json.dumps(server.listed).encode())(self, {})

        def log_message(self, *_):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server = Server(f"http://127.0.0.1:{http.server_address[1]}/v1", list(replies))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def raw(status: int, body: bytes, **headers: str) -> Reply:
    def reply(handler, _):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def says(text: object, **choice: object) -> Reply:
    written = text if isinstance(text, str) else json.dumps(text)
    said = {"message": {"role": "assistant", "content": written}, "finish_reason": "stop"}
    return raw(200, json.dumps({"id": "x", "choices": [said | choice]}).encode())


def breaks_off(handler, _):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.wfile.flush()
    handler.close_connection = True


def hangs_up(handler, _):
    handler.close_connection = True


def drips(handler, _):
    """A byte now and then, for as long as anybody listens."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(400):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def sleeps(handler, _):
    time.sleep(1.5)
    says("late")(handler, _)


def pours(handler, _):
    handler.send_response(200)
    handler.send_header("Content-Length", str(MAX_ANSWER_BYTES * 10))
    handler.end_headers()
    for _ in range(MAX_ANSWER_BYTES // 10_000 + 1_000):
        handler.wfile.write(b" " * 10_000)


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# ── streams ──────────────────────────────────────────────────────────────────────────────────


def data(event: object) -> bytes:
    """One server-sent event."""
    written = event if isinstance(event, str) else json.dumps(event)
    return f"data: {written}\n\n".encode()


def part(text: str, finish: str | None = None) -> bytes:
    return data({"choices": [{"delta": {"content": text}, "finish_reason": finish}]})


USAGE = {
    "prompt_tokens": 120,
    "completion_tokens": 7,
    "prompt_tokens_details": {"cached_tokens": 90},
}


def sends(*chunks: bytes, wait_seconds: float = 0.0, first_seconds: float = 0.0) -> Reply:
    """An answer in chunks, then the end of the connection, whether or not it was whole."""

    def reply(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        time.sleep(first_seconds)
        for chunk in chunks:
            handler.wfile.write(chunk)
            handler.wfile.flush()
            time.sleep(wait_seconds)
        handler.close_connection = True

    return reply


def streams(parts: Iterable[str], *, finish: str = "stop", **waits: float) -> Reply:
    """A whole answer, part by part, with what it cost."""
    ends = (part("", finish), data({"choices": [], "usage": USAGE}), data("[DONE]"))
    return sends(*map(part, parts), *ends, **waits)


def cut(parts: Iterable[str], **waits: float) -> Reply:
    """An answer that breaks off."""
    return sends(*map(part, parts), **waits)


def failing(status: int, code: str, message: str = "", **more: object) -> Reply:
    """An error as servers write them."""
    error = {"code": code, "type": "invalid_request_error", "message": message} | more
    return raw(status, json.dumps({"error": error}).encode())


def words(text: str) -> list[str]:
    """A text as a model says it: a word at a time."""
    return [f"{word} " for word in text.split(" ")][:-1] + text.split(" ")[-1:]
