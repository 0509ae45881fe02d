"""Where lines come from and prose goes to: a terminal, a pipe or a script."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from storykeeper.cli.say import visible
from storykeeper.errors import InputRefused

if TYPE_CHECKING:
    from storykeeper.cli.page import Page

try:
    import readline
    import termios
except ImportError:  # not Unix: lines are read without editing, and a paste is line by line
    readline = termios = None  # type: ignore[assignment]

PROMPT = "> "
PASTE_STARTS = 0.01  # seconds: nobody types a second line as fast after the first
PASTE_ENDS = 0.1
MAX_PASTE_BYTES = 4_000_000


class Screen:
    """Prose on a terminal, plain text everywhere else."""

    def __init__(self, *, plain: bool = False) -> None:
        self.rich = sys.stdout.isatty() and not plain

    def prose(self, text: str) -> None:
        """A rendering, wrapped like a page."""
        if self.rich:
            _page().prose(visible(text))
        else:
            self.raw(f"\n{text}\n")

    @contextmanager
    def telling(self) -> Iterator[Callable[[str], None]]:
        """Prose as it comes: call with each part. Whatever breaks it off, the line is ended."""
        flow = _page().flow() if self.rich else None
        if flow is None:
            self._write("\n")
        try:
            yield self._write if flow is None else lambda text: flow.add(visible(text))
        finally:
            if flow is None:
                self._write("\n\n")
            else:
                flow.end()

    @staticmethod
    def _write(text: str) -> None:
        sys.stdout.write(visible(text))
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Something said by the program, not by the story."""
        if self.rich:
            _page().line(visible(text), style="dim italic")
        else:
            self.raw(f"[{text}]")

    def raw(self, text: str) -> None:
        """Text as it is, but for what would move the cursor, and lines longer than a terminal."""
        seen = visible(text)
        sys.stdout.write(f"{_page().plain(seen) if self.rich else seen}\n")
        sys.stdout.flush()

    def status(self, text: str) -> None:
        """A dim remark above the prompt; terminals only."""
        if self.rich:
            _page().line(visible(text), style="dim")


class Lines(Protocol):
    """Where the player's lines come from."""

    def __iter__(self) -> Iterator[str]: ...


class Keyboard:
    """Lines typed at a prompt, with history. What is pasted together is one line of play.

    A terminal that brackets what is pasted tells us (readline then keeps the line ends). One that
    does not is found out by speed: the rest is there as soon as the first line is. What was typed
    while the story was being told is there before the prompt is, and stays line by line.
    """

    def __init__(self, *, said: Iterable[str] = ()) -> None:
        if readline is not None:
            readline.parse_and_bind("set enable-bracketed-paste on")
            for line in said:
                readline.add_history(line)

    def __iter__(self) -> Iterator[str]:
        while True:
            typed_ahead = _waiting(0)
            try:
                line = input(PROMPT)
            except EOFError:  # Ctrl-D
                sys.stdout.write("\n")
                return
            if not typed_ahead and _waiting(PASTE_STARTS):
                line = f"{line}\n{_rest_of_paste()}"
            if line.strip():
                yield line


class Script:
    """Lines from a file or a pipe, each shown as if it were typed. `#` begins a remark."""

    def __init__(self, lines: Iterable[str], screen: Screen) -> None:
        self._lines = lines
        self._screen = screen

    @classmethod
    def read(cls, path: Path, screen: Screen) -> Script:
        """A script in a file."""
        try:
            return cls(path.read_text("utf-8").split("\n"), screen)
        except UnicodeDecodeError as error:
            raise InputRefused(f"{path} is not UTF-8 text: {error}; save it as UTF-8") from error

    @classmethod
    def piped(cls, screen: Screen) -> Script:
        """A script on standard input. Bytes that are not text reach the engine, which says so."""
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="surrogateescape")
        return cls(sys.stdin, screen)

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            text = line.strip()
            if text and not text.startswith("#"):
                self._screen.raw(f"{PROMPT}{text}")
                yield text


def _page() -> Page:
    """What prints on a terminal; loaded when there is one, since that takes a while."""
    from storykeeper.cli.page import page

    return page()


def _waiting(seconds: float) -> bool:
    if termios is None or not sys.stdin.isatty():
        return False
    return bool(select.select([sys.stdin.fileno()], [], [], seconds)[0])


def _rest_of_paste() -> str:
    """What a paste has left on the terminal, read past every buffer."""
    parts: list[bytes] = []
    with _character_by_character():
        while sum(map(len, parts)) < MAX_PASTE_BYTES and _waiting(PASTE_ENDS):
            part = os.read(sys.stdin.fileno(), 65_536)
            if not part:
                break
            parts.append(part)
    pasted = b"".join(parts).decode("utf-8", "surrogateescape")
    return pasted.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")  # Enter is a \r


@contextmanager
def _character_by_character() -> Iterator[None]:
    """A terminal that hands over what it has; by lines it loses what is beyond 4,095 bytes."""
    before = termios.tcgetattr(sys.stdin.fileno())
    now = [*before[:6], [*before[6]]]
    now[3] &= ~termios.ICANON
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
    termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, now)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, before)
