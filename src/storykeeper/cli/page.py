"""Prose and remarks on a real terminal."""

from __future__ import annotations

from functools import cache

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

WIDTH = 80  # of a page; a wider terminal is left empty at the right


class Page:
    """A terminal with colours."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)

    def prose(self, text: str) -> None:
        """A rendering, wrapped like a page."""
        width = min(self._console.width, WIDTH)
        self._console.print(Padding(Markdown(text), (1, 2, 1, 2)), width=width)

    def line(self, text: str, *, style: str, one_line: bool = False) -> None:
        """A remark; with `one_line` it is cut rather than wrapped."""
        self._console.print(
            Text(text, style=style, overflow="ellipsis" if one_line else "fold", no_wrap=one_line)
        )


@cache
def page() -> Page:
    """The terminal of this process."""
    return Page()
