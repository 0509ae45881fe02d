"""The system's Chromium, driven; and axe, which looks for what some people could not use."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

AXE = "4.14.1"
CACHE = Path(os.environ.get("STORYKEEPER_CLIENTS", Path.home() / ".cache" / "storykeeper-clients"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--enable-precise-memory-info",
)  # fmt: skip
PATIENCE = 90_000  # milliseconds: the machine may have other work
SETTLED = (
    "() => document.querySelector('#view-title') && !document.querySelector('.waiting, .stale')"
    " && !document.querySelector('[aria-busy=true]')"
)


def axe_source() -> str:
    """What axe is; it is fetched from npm the first time."""
    folder = CACHE / f"axe-core-{AXE}"
    if not (folder / "package" / "axe.min.js").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        run = {"cwd": folder, "check": True, "capture_output": True}
        subprocess.run(["npm", "pack", f"axe-core@{AXE}"], **run)
        subprocess.run(["tar", "xzf", f"axe-core-{AXE}.tgz"], **run)
    return (folder / "package" / "axe.min.js").read_text("utf-8")


@dataclass
class Tab:
    """A page of the inspector, and all that came of it."""

    page: object
    address: str
    said: list[str] = field(default_factory=list)  # on the console, and errors
    asked: list[str] = field(default_factory=list)  # every address that was asked for
    bodies: list[str] = field(default_factory=list)  # every answer

    def open(self, view: str = "", *, turn: int | None = None, more: str = "") -> None:
        """A view, settled."""
        place = f"{self.address}&view={view}" + ("" if turn is None else f"&turn={turn}") + more
        self.page.goto("about:blank")
        self.page.goto(place)
        self.settle()

    def settle(self) -> None:
        """Until nothing is on its way any more."""
        self.page.wait_for_function(SETTLED)
        self.page.wait_for_timeout(150)
        self.page.wait_for_function(SETTLED)

    def text(self, where: str = "main") -> str:
        return self.page.locator(where).first.inner_text()

    def violations(self) -> list[str]:
        """What axe finds, in words."""
        if not self.page.evaluate("() => !!window.axe"):
            self.page.evaluate(axe_source())  # in the page's world, past its policy
        found = self.page.evaluate(
            "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
            ".map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ') + ' '"
            " + (n.failureSummary || '').slice(0, 160)).join(' | '))"
        )
        return list(found)

    def clean(self) -> None:
        """Nothing was said on the console, and nothing asked of anybody else."""
        assert self.said == []
        own = self.address.partition("/inspect")[0]
        assert [each for each in self.asked if not each.startswith((own, "blob:", "data:"))] == []


@contextmanager
def chromium() -> Iterator[object]:
    """A browser."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def tab(browser, address: str, *, width: int = 1280, height: int = 900, **options) -> Iterator[Tab]:
    """A page in a context of its own."""
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    made = Tab(page, address)
    page.on("console", lambda message: made.said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: made.said.append(str(error)))
    page.on(
        "dialog", lambda dialog: (made.said.append(f"dialog {dialog.message}"), dialog.dismiss())
    )
    page.on("request", lambda request: made.asked.append(request.url))
    page.on("response", lambda answer: _kept(made, answer))
    yield made
    context.close()


def _kept(made: Tab, answer) -> None:
    if "/v1/" in answer.url:
        try:
            made.bodies.append(answer.text())
        except Exception as error:  # it was broken off
            made.bodies.append(str(error))
