"""`bench serve`: many chats by many clients at once, and reads between them.

Each client plays its own chats in turn, as a chat client does: all of the history with each
request. The upstream answers at once, so that what is measured is ours. The floor is a bare ASGI
echo on the same machine, asked by the same clients; the overhead to the first token is what the
proxy adds to asking upstream itself.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.serving.endpoints import ANSWER
from storykeeper.bench.serving.processes import free_port, resident_mb, running
from storykeeper.bench.timing import percentile

if TYPE_CHECKING:
    import httpx

UVICORN = ("uvicorn", "--log-level", "error", "--port")
READS = 0.3  # of all requests: presence, or where the run stands
LINES = (
    "I ask her where the key went.", "I look at the lamp.", "I go to the window and wait.",
    "I put the order on the table.", "“Who was here before me?” I ask.", "I drink the tea.",
)  # fmt: skip


@dataclass
class _Chat:
    number: int
    messages: list[dict[str, str]] = field(default_factory=list)
    run: str = ""


@dataclass
class _Taken:
    """How long each request took, and which failed."""

    turns: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    errors: int = 0
    memory_mb: list[float] = field(default_factory=list)


def measure(setup: Setup) -> Figures:
    """The figures; small sizes with `quick`."""
    runs, clients, rounds = (20, 5, 2) if setup.quick else (1_000, 50, 4)
    return asyncio.run(_measured(setup, runs=runs, clients=clients, rounds=rounds))


async def _measured(setup: Setup, *, runs: int, clients: int, rounds: int) -> Figures:
    upstream, echo, service = free_port(), free_port(), free_port()
    app = "storykeeper.bench.serving.endpoints"
    with (
        tempfile.TemporaryDirectory() as data,
        running(*UVICORN, str(upstream), f"{app}:upstream", port=upstream),
        running(*UVICORN, str(echo), f"{app}:echo", port=echo),
        running("storykeeper", "serve", "--port", str(service), "--data", data, "--model",
                f"http://127.0.0.1:{upstream}/v1", "--per-minute", "1000000",
                port=service) as process,
    ):  # fmt: skip
        setup.say(f"{runs} chats, {clients} clients, {rounds} turns each")
        ours = await _load(service, runs, clients, rounds, setup, process.pid)
        floor = await _load(echo, runs, clients, min(rounds, 2), setup, None)
        direct = await _first_tokens(upstream)
        through = await _first_tokens(service)
    figures = _figures(ours[0], ours[1])
    figures["overhead_first_token"] = {
        "p50": round(percentile(through, 0.5) - percentile(direct, 0.5), 1),
        "p95": round(percentile(through, 0.95) - percentile(direct, 0.5), 1),
    }
    return {"storykeeper": figures, "floor": _figures(floor[0], floor[1])}


async def _load(
    port: int, runs: int, clients: int, rounds: int, setup: Setup, pid: int | None
) -> tuple[_Taken, float]:
    import httpx

    taken, chats = _Taken(), [_Chat(n) for n in range(runs)]
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    began = time.perf_counter()
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", timeout=120, limits=limits
    ) as http:
        for turn in range(rounds):
            waiting = iter(chats)
            workers = (_client(http, waiting, taken, random.Random(f"{turn}-{n}"))
                       for n in range(clients))  # fmt: skip
            await asyncio.gather(*workers)
            if pid is not None:
                taken.memory_mb.append(resident_mb(pid))
                setup.say(f"turn {turn + 1}: {taken.memory_mb[-1]:.0f} MB, {taken.errors} errors")
    return taken, time.perf_counter() - began


async def _client(
    http: httpx.AsyncClient, chats: Any, taken: _Taken, chance: random.Random
) -> None:
    for chat in chats:
        await _timed(taken, taken.turns, partial(_turn, http, chat, taken, chance))
        if chance.random() < READS and chat.run:
            path = chance.choice(["", "/presence"])
            await _timed(taken, taken.reads, partial(_read, http, f"/v1/runs/{chat.run}{path}"))


async def _timed(taken: _Taken, into: list[float], work: Callable[[], Awaitable[None]]) -> None:
    import httpx

    began = time.perf_counter()
    try:
        await work()
    except (httpx.HTTPError, ValueError):
        taken.errors += 1
    into.append((time.perf_counter() - began) * 1e3)


async def _read(http: httpx.AsyncClient, path: str) -> None:
    (await http.get(path)).raise_for_status()


async def _turn(http: httpx.AsyncClient, chat: _Chat, taken: _Taken, chance: random.Random) -> None:
    line = f"{chance.choice(LINES)} ({chat.number})"
    system = {"role": "system", "content": f"You are Ana of chat {chat.number}."}
    messages = [system, *chat.messages, {"role": "user", "content": line}]
    began, text = time.perf_counter(), ""
    body = {"model": "scripted", "stream": True, "messages": messages}
    async with http.stream("POST", "/v1/chat/completions", json=body) as answer:
        answer.raise_for_status()
        if answer.headers.get("x-storykeeper", ""):
            raise ValueError(answer.headers["x-storykeeper"])
        chat.run = answer.headers.get("x-storykeeper-run", "")
        async for part in answer.aiter_text():
            if not text:
                taken.first.append((time.perf_counter() - began) * 1e3)
            text += part
    chat.messages += [{"role": "user", "content": line}, {"role": "assistant", "content": ANSWER}]


async def _first_tokens(port: int, *, asked: int = 60) -> list[float]:
    """How long a chat's first token takes, one after another, in a chat of some length."""
    import httpx

    taken, chat, chance = _Taken(), _Chat(-1), random.Random(0)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as http:
        for _ in range(asked):
            await _turn(http, chat, taken, chance)
    return taken.first[10:]


def _figures(taken: _Taken, seconds: float) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "turns_per_second": round(len(taken.turns) / seconds, 1), "errors": taken.errors,
        **{f"p{p}": round(percentile(taken.turns, p / 100), 1) for p in (50, 95, 99)},
    }  # fmt: skip
    if taken.reads:
        figures["reads"] = {"p50": round(percentile(taken.reads, 0.5), 1),
                            "p95": round(percentile(taken.reads, 0.95), 1)}  # fmt: skip
    if taken.memory_mb:
        figures["memory_mb"] = {"first": round(taken.memory_mb[0]),
                                "last": round(taken.memory_mb[-1])}  # fmt: skip
    return figures
