"""Where lines come from and prose goes to: a terminal, a pipe or a script."""

from __future__ import annotations

import select
import sys
from collections.abc import Iterable, Iterator
from typing import Protocol

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

PROMPT = "> "
WIDTH = 80


class Screen:
    """Prose on a terminal, plain text everywhere else."""

    def __init__(self, *, plain: bool = False) -> None:
        self.rich = sys.stdout.isatty() and not plain
        self._console = Console(
            highlight=False,
            width=None if self.rich else WIDTH,
            color_system="auto" if self.rich else None,
        )

    def prose(self, text: str) -> None:
        """A rendering, wrapped like a page."""
        if self.rich:
            width = min(self._console.width, WIDTH)
            self._console.print(Padding(Markdown(text), (1, 2, 1, 2)), width=width)
        else:
            sys.stdout.write(f"\n{text}\n\n")
            sys.stdout.flush()

    def note(self, text: str) -> None:
        """Something said by the program, not by the story."""
        if self.rich:
            self._console.print(Text(text, style="dim italic"))
        else:
            sys.stdout.write(f"[{text}]\n")
            sys.stdout.flush()

    def raw(self, text: str) -> None:
        """Text as it is."""
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def status(self, text: str) -> None:
        """One dim line above the prompt; terminals only."""
        if self.rich:
            self._console.print(Text(text, style="dim", overflow="ellipsis", no_wrap=True))


class Lines(Protocol):
    """Where the player's lines come from."""

    def __iter__(self) -> Iterator[str]: ...


class Keyboard:
    """Lines typed at a prompt. Lines that are pasted together are one line of play."""

    def __iter__(self) -> Iterator[str]:
        while True:
            try:
                line = input(PROMPT)
            except EOFError:
                return
            yield "\n".join([line, *_already_there()])


def _already_there() -> Iterator[str]:
    """What a paste has left on standard input."""
    while sys.stdin.isatty() and select.select([sys.stdin], [], [], 0.02)[0]:
        line = sys.stdin.readline()
        if not line:
            return
        yield line.rstrip("\n")


class Script:
    """Lines from a file or a pipe, each shown as if it were typed. `#` begins a remark."""

    def __init__(self, lines: Iterable[str], screen: Screen) -> None:
        self._lines = lines
        self._screen = screen

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            text = line.strip()
            if text and not text.startswith("#"):
                self._screen.raw(f"{PROMPT}{text}")
                yield text
