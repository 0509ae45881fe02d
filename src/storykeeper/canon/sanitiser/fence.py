"""A fence around retrieved text, which nothing inside it can close.

Every line inside begins with a bar: there is no mark that ends the fence, only a line without it.
What stands as an item of a list is one line instead, and so is its own fence.
"""

from __future__ import annotations

BAR = "│ "


def fenced(text: str, source: str) -> str:
    """A text with its source above it; inside, every line begins with a bar."""
    lines = [f"{BAR}{line}".rstrip() for line in text.splitlines()]
    return "\n".join([f"From {in_one_line(source)}, quoted:", *lines])


def in_one_line(text: str) -> str:
    """A text as one line, so that it can be no other item and no heading."""
    return " ".join(text.split())
