"""SillyTavern as it is, installed from npm and driven in a real browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients.served import free_port, served

VERSION = "1.19.0"
CACHE = Path(os.environ.get("STORYKEEPER_CLIENTS", Path.home() / ".cache" / "storykeeper-clients"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_SET = """([url]) => {
  const set = (where, value) => {
    const e = document.querySelector(where); e.value = value;
    for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, {bubbles: true}));
  };
  set('#main_api', 'openai'); set('#chat_completion_source', 'custom');
  set('#custom_api_url_text', url); set('#custom_model_id', 'tiny');
}"""
_COMMAND = """async line => {
  const ctx = SillyTavern.getContext();
  const timer = new Promise(done => setTimeout(() => done({pipe: '(late)'}), 60000));
  const got = await Promise.race(
    [ctx.executeSlashCommandsWithOptions(line, {handleExecutionErrors: true}), timer]);
  return String(got?.pipe ?? '');
}"""
_SHOWN = """() => SillyTavern.getContext().chat.filter(m => !m.is_system)
  .map(m => [m.is_user, m.name, m.mes])"""


def install() -> Path:
    """The program's folder; it is fetched from npm the first time."""
    folder = CACHE / f"sillytavern-{VERSION}" / "package"
    if not (folder / "node_modules").is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        run = {"cwd": folder.parent, "check": True, "capture_output": True}
        subprocess.run(["npm", "pack", f"sillytavern@{VERSION}"], **run)
        subprocess.run(["tar", "xzf", f"sillytavern-{VERSION}.tgz"], **run)
        subprocess.run(
            ["npm", "install", "--omit=dev", "--no-audit", "--no-fund"], **{**run, "cwd": folder}
        )
    return folder


@contextmanager
def sillytavern(data: Path) -> Iterator[str]:
    """A running one, with data of its own."""
    folder = install()
    port = free_port()
    settings = (folder / "default" / "config.yaml").read_text("utf-8")
    for old, new in (
        (r"^dataRoot: .*", f"dataRoot: {data}"), (r"^port: \d+", f"port: {port}"),
        (r"autoUpdate: true", "autoUpdate: false"), (r"autoDownload: true", "autoDownload: false"),
        (r"(browserLaunch:\n(?:.*\n)*?  enabled: )true", r"\1false"),
        (r"enableDownloadableTokenizers: true", "enableDownloadableTokenizers: false"),
    ):  # fmt: skip
        settings = re.sub(old, new, settings, flags=re.MULTILINE)
    data.mkdir(parents=True, exist_ok=True)
    config = data / "config.yaml"
    config.write_text(settings, "utf-8")
    command = ["node", "server.js", "--configPath", str(config)]
    with served(command, port=port, log=data / "log.txt", cwd=folder) as url:
        yield url


class Page:
    """A chat in a browser."""

    def __init__(self, page, url: str, endpoint: str) -> None:
        self._page = page
        page.set_default_timeout(120_000)
        page.goto(url)
        page.wait_for_function("!document.querySelector('#preloader')")
        page.wait_for_timeout(1_500)
        dialog = page.locator("dialog[open]")
        if dialog.count():
            dialog.locator(".popup-button-ok").last.click()
            page.wait_for_timeout(800)
        page.evaluate(_SET, [endpoint])
        page.wait_for_timeout(500)
        page.evaluate("document.querySelector('#api_button_openai').click()")
        page.wait_for_timeout(2_500)

    def character(self, name: str = "Seraphina") -> None:
        """A new chat with a character that comes with it."""
        self._page.evaluate(
            "async name => { const c = SillyTavern.getContext();"
            " await c.selectCharacterById(c.characters.findIndex(x => x.name === name)); }", name,
        )  # fmt: skip
        self._page.wait_for_timeout(1_000)
        self.do("/newchat")
        self._page.wait_for_timeout(1_500)

    def do(self, command: str) -> str:
        """A slash command, to its end."""
        said = str(self._page.evaluate(_COMMAND, command))
        self._page.wait_for_function(
            "() => getComputedStyle(document.querySelector('#mes_stop')).display === 'none'"
        )
        self._page.wait_for_timeout(700)
        return said

    def swipe(self) -> None:
        """Another telling of the last answer."""
        self._page.evaluate("document.querySelector('#chat .last_mes .swipe_right').click()")
        self._page.wait_for_timeout(2_000)
        self._page.wait_for_function(
            "() => getComputedStyle(document.querySelector('#mes_stop')).display === 'none'"
        )

    @property
    def shown(self) -> list[tuple[bool, str, str]]:
        """What stands in the chat: whether the player said it, who, and what."""
        return [tuple(each) for each in self._page.evaluate(_SHOWN)]

    def picture(self, path: Path) -> None:
        """A screenshot."""
        self._page.screenshot(path=str(path))
