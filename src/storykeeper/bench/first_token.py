"""How long a player waits for the first word, with our layout and with the usual one.

There is no model in it: what is timed is what a layout does to one. An endpoint on this machine
answers over HTTP as a server with a prefix cache does: of a prompt it has the beginning that the
last prompt of the same layout had, and takes the rest at `PROMPT_SPEED` tokens a second before it
says its first word. The turns are those of `bench prefix`, both layouts of the same windows asked
one after the other. What is timed is `begin` and the stream up to its first word; of it the window
is given apart. By `PROMPT_SPEED` any other speed follows: wait = window + tokens taken ÷ speed.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import mean
from typing import Any, cast

from storykeeper.bench.prefix.evaluation import shared_prefix
from storykeeper.bench.prefix.naive import naive
from storykeeper.bench.prefix.script import script
from storykeeper.bench.prefix.stage import stage
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.timing import spread, timed
from storykeeper.bootstrap import Storykeeper
from storykeeper.language.tokens import counter
from storykeeper.models.endpoint import Endpoint

PROMPT_SPEED = 5_000  # tokens a second
WORDS, TURNS, WARMING = 100, 60, 12  # the first windows are not full


class Cached(BaseHTTPRequestHandler):
    """A server with a prefix cache, and no model."""

    last: dict[str, bytes]  # the last prompt, by what is asked for
    taken: dict[str, list[int]]  # tokens of each prompt that were not in the cache

    def do_POST(self) -> None:
        """One word, as soon as the prompt is taken."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name, prompt = asked["model"], "".join(m["content"] for m in asked["messages"]).encode()
        known = shared_prefix(self.last.get(name, b""), prompt)
        fresh = counter("o200k")(prompt[known:].decode(errors="ignore"))
        self.last[name] = prompt
        self.taken.setdefault(name, []).append(fresh)
        time.sleep(fresh / PROMPT_SPEED)
        word = {"choices": [{"index": 0, "delta": {"content": "Then"}, "finish_reason": None}]}
        body = f"data: {json.dumps(word)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
        """Nothing."""


@contextmanager
def served() -> Iterator[tuple[str, type[Cached]]]:
    """The endpoint, and what it counts."""
    kind = type("Served", (Cached,), {"last": {}, "taken": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", kind
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def first_token(place: Path, setup: Setup, figures: Figures) -> None:
    """Both layouts in one run; the figures go under `first_token`."""
    turns = 6 if setup.quick else TURNS
    counter("o200k")("warm")
    begun: list[float] = []
    waits: dict[str, list[float]] = {"storykeeper": [], "naive": []}
    with (
        served() as (url, server),
        Storykeeper.open(place / "first-token.db", story=stage()) as keeper,
    ):
        for step in script(turns, words=WORDS):
            start = time.perf_counter()
            turn = keeper.begin(step.line) if step.line else keeper.opening()
            begun.append(time.perf_counter() - start)
            naively = [{"role": "user", "content": naive(turn.window)[0]}]
            for name, messages in (("storykeeper", turn.window.messages), ("naive", naively)):
                model = Endpoint(url, name)
                waits[name].append(timed(partial(_first, model, messages)))
            keeper.render(turn, step.prose)
            keeper.read_ahead()
    skip = 0 if setup.quick else WARMING
    figures["storykeeper"]["first_token"] = {"prompt_speed": PROMPT_SPEED}
    figures["naive"] = {}
    for name, seconds in waits.items():
        both = [one + other for one, other in zip(begun, seconds, strict=True)]
        figures[name]["first_token"] = figures[name].get("first_token", {}) | {
            "ms": spread(both[skip:]),
            "window_ms": spread(begun[skip:]),
            "tokens_taken": round(mean(server.taken[name][skip:])),
        }


def _first(model: Endpoint, messages: list[dict[str, str]]) -> str:
    with closing(cast("Any", iter(model.stream(messages, limit_tokens=8)))) as parts:
        return str(next(parts))
