"""The service on this machine, over real HTTP, and a chat client as they are."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import uvicorn

from storykeeper import Storykeeper
from storykeeper.models.settings import ModelSettings
from storykeeper.serve.app import create_app
from storykeeper.serve.settings import Limits, ServiceSettings


@dataclass
class Running:
    """A service that can be asked."""

    url: str
    data: Path
    app: object

    def runs(self, tenant: str = "local") -> list[Path]:
        folder = self.data / "tenants" / tenant / "runs"
        return sorted(folder.glob("*.db"))

    def lived(self, run: str, tenant: str = "local") -> list[tuple[str, str]]:
        """What a run has lived through: what was typed and told, the last turn included."""
        stem, _, branch = run.partition("@")
        path = self.data / "tenants" / tenant / "runs" / f"{stem}.db"
        address = f"{path}@{branch}" if branch else str(path)
        with Storykeeper.open(address, read_only=True) as keeper:
            told = [(turn.text, turn.prose) for turn in keeper.history()]
            pending = keeper.world().pending
            if pending is not None:
                told.append((pending.text, pending.prose))
        return told


@contextmanager
def service(data: Path, *, model: str = "", **settings) -> Iterator[Running]:
    limits = settings.pop("limits", Limits())
    made = ServiceSettings(
        data=data, port=0, model=ModelSettings(url=model, name="tiny"), limits=limits, **settings
    )
    app = create_app(made)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until, "the service did not start"
        assert thread.is_alive(), "the service ended"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Running(f"http://127.0.0.1:{port}", data, app)
    finally:
        server.should_exit = True
        thread.join()


@dataclass
class Chat:
    """A client that keeps a chat as people see it, and sends all of it each time."""

    service: Running
    system: str = "You are Seraphina, guardian of the glade."
    opening: str = ""
    model: str = "tiny"
    headers: dict = field(default_factory=dict)
    stream: bool = True
    messages: list[dict] = field(default_factory=list)
    run: str = ""
    notes: list[str] = field(default_factory=list)

    def __post_init__(self):
        if self.opening:
            self.messages.append({"role": "assistant", "content": self.opening})

    def ask(self, *more: dict, **request) -> str:
        """One request of all there is, and `more` behind it; the answer, kept by nobody."""
        system = [{"role": "system", "content": self.system}] if self.system else []
        body = {"model": self.model, "stream": self.stream,
                "messages": [*system, *self.messages, *more], **request}  # fmt: skip
        answer = httpx.post(
            f"{self.service.url}/v1/chat/completions", json=body, headers=self.headers, timeout=60
        )
        self.run = answer.headers.get("x-storykeeper-run", "")
        self.notes.append(answer.headers.get("x-storykeeper", ""))
        assert answer.status_code == 200, answer.text
        if not self.stream:
            return answer.json()["choices"][0]["message"]["content"]
        return said_in(answer.text)

    def send(self, line: str) -> str:
        self.messages.append({"role": "user", "content": line})
        return self._kept(self.ask())

    def swipe(self) -> str:
        self.messages.pop()
        return self._kept(self.ask())

    def show(self, text: str) -> None:
        """Another telling of the last turn, from those there are."""
        self.messages[-1] = {"role": "assistant", "content": text}

    def _kept(self, text: str) -> str:
        self.messages.append({"role": "assistant", "content": text})
        return text

    @property
    def shown(self) -> list[tuple[str, str]]:
        """What the client shows, as rounds."""
        rounds = [("", self.opening)] if self.opening else []
        for message in self.messages[1 if self.opening else 0 :]:
            if message["role"] == "user":
                rounds.append((message["content"], ""))
            else:
                rounds[-1] = (rounds[-1][0], message["content"])
        return rounds


def said_in(events: str) -> str:
    """The text of an answer in events; it must have its end."""
    datas = [line[6:] for line in events.splitlines() if line.startswith("data: ")]
    assert datas[-1] == "[DONE]", events
    chunks = [json.loads(each) for each in datas[:-1]]
    choices = [choice for chunk in chunks for choice in chunk.get("choices", [])]
    return "".join(choice.get("delta", {}).get("content") or "" for choice in choices)
