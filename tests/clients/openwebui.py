"""Open WebUI as it is, installed from PyPI in a place of its own and driven in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients.served import free_port, served

PROGRAM = os.environ.get("STORYKEEPER_OPENWEBUI") or shutil.which("open-webui")
_SETTINGS = {
    "WEBUI_AUTH": "False", "WEBUI_SECRET_KEY": "test", "OPENAI_API_KEY": "none",
    "ENABLE_OLLAMA_API": "False", "OFFLINE_MODE": "True", "HF_HUB_OFFLINE": "1",
    "RAG_EMBEDDING_ENGINE": "openai", "ENABLE_VERSION_UPDATE_CHECK": "False",
    "ANONYMIZED_TELEMETRY": "False", "DO_NOT_TRACK": "1", "BYPASS_MODEL_ACCESS_CONTROL": "True",
    "ENABLE_TITLE_GENERATION": "False", "ENABLE_TAGS_GENERATION": "False",
    "ENABLE_FOLLOW_UP_GENERATION": "False", "ENABLE_PERSISTENT_CONFIG": "False",
    "ENABLE_FORWARD_USER_INFO_HEADERS": "True",
}  # fmt: skip
_SHOWN = """() => [...document.querySelectorAll('.chat-user, .chat-assistant')]
  .map(m => [m.classList.contains('chat-user'),
    [...m.querySelectorAll('p')].map(p => p.innerText).join('\\n\\n').trim()])"""
_ANSWERS = "n => document.querySelectorAll('.chat-assistant').length >= n"


@contextmanager
def openwebui(data: Path, endpoint: str) -> Iterator[str]:
    """A running one, without accounts, with data of its own."""
    data.mkdir(parents=True, exist_ok=True)
    port = free_port()
    command = [str(PROGRAM), "serve", "--host", "127.0.0.1", "--port", str(port)]
    more = {
        **_SETTINGS, "DATA_DIR": str(data), "OPENAI_API_BASE_URL": endpoint,
        "RAG_OPENAI_API_BASE_URL": endpoint,
    }  # fmt: skip
    with served(command, port=port, log=data / "log.txt", more=more, seconds=900) as url:
        yield url


class Page:
    """A new chat in a browser."""

    def __init__(self, page, url: str) -> None:
        self._page = page
        page.set_default_timeout(300_000)
        page.goto(url)
        page.wait_for_selector("#chat-input")
        page.wait_for_timeout(3_000)
        begin = page.get_by_text("Okay, Let's Go!")
        if begin.count():
            begin.first.click()
            page.wait_for_timeout(1_000)

    def say(self, line: str) -> None:
        """A line, and the whole of its answer."""
        answers = sum(not by_player for by_player, _ in self.shown)
        self._page.click("#chat-input")
        self._page.keyboard.type(line)
        self._page.keyboard.press("Enter")
        self._page.wait_for_function(_ANSWERS, arg=answers + 1)
        self._settled()

    def regenerate(self) -> None:
        """Another answer to the last line."""
        before = self.shown[-1]
        self._page.locator(".chat-assistant").last.hover()
        self._page.locator("button[aria-label='Regenerate']").last.click()
        self._page.wait_for_timeout(1_000)
        again = self._page.get_by_text("Try Again")
        if again.count():
            again.first.click()
        self._settled(other_than=before[1])

    def _settled(self, *, other_than: str = "") -> None:
        last = None
        for _ in range(300):
            now = self.shown[-1]
            if now[1] and now == last and not now[0] and now[1] != other_than:
                return
            last = now
            self._page.wait_for_timeout(1_000)
        raise AssertionError(f"no answer came to stand; there is {last}")

    @property
    def shown(self) -> list[tuple[bool, str]]:
        """What stands in the chat: whether the player said it, and what."""
        return [tuple(each) for each in self._page.evaluate(_SHOWN)]
