"""Prose and remarks on a real terminal."""

from __future__ import annotations

from functools import cache
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

WIDTH = 80  # of a page; a wider terminal is left empty at the right
MARGIN = 2


class Page:
    """A terminal with colours."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)

    def prose(self, text: str) -> None:
        """A rendering, wrapped like a page."""
        width = min(self._console.width, WIDTH)
        self._console.print(Padding(_told(text), (1, 2, 1, 2)), width=width)

    def flow(self) -> Flow:
        """A rendering that is still coming."""
        return Flow(self._console)

    def plain(self, text: str) -> str:
        """Lines as they are; those that are too long go on in the next, further in."""
        width = self._console.width
        return "\n".join(
            line if cell_len(line) <= width else _folded(line, width) for line in text.split("\n")
        )

    def line(self, text: str, *, style: str) -> None:
        """A remark."""
        self._console.print(Text(text, style=style), overflow="fold")


def _told(text: str) -> Markdown:
    """Prose with its stresses. A link shows where it leads, and nobody can follow it."""
    return Markdown(text, hyperlinks=False)


def _folded(line: str, width: int) -> str:
    bare = line.lstrip()
    further = min(len(line) - len(bare) + MARGIN, width // 2)
    return "\n".join(
        wrap(bare, width, initial_indent=line[: len(line) - len(bare)],
             subsequent_indent=" " * further, break_on_hyphens=False)
    )  # fmt: skip


class Flow:
    """Prose that is still coming, wrapped word by word to the width that the terminal has then."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._word = ""
        self._column = 0
        self._write("\n")

    def add(self, text: str) -> None:
        """The next part; a word is shown once it is whole."""
        for char in text:
            if not char.isspace():
                self._word += char
                continue
            self._put()
            if char == "\n":
                self._write("\n")
                self._column = 0
        self._console.file.flush()

    def end(self) -> None:
        """Nothing more comes."""
        self._put()
        self._write("\n\n")
        self._console.file.flush()

    def _put(self) -> None:
        """A word, on this line or the next."""
        width = min(self._console.width, WIDTH) - MARGIN
        if not self._word:
            return
        size = cell_len(self._word)
        if self._column and self._column + 1 + size > width:
            self._write("\n")
            self._column = 0
        before = " " if self._column else " " * MARGIN
        self._write(before + self._word)
        self._column += len(before) + size
        self._word = ""

    def _write(self, text: str) -> None:
        self._console.file.write(text)


@cache
def page() -> Page:
    """The terminal of this process."""
    return Page()
