"""What may be a player's line."""

from __future__ import annotations

import re

from storykeeper.errors import InputRefused

MAX_INPUT_BYTES = 64 * 1024
# Control characters but tab and line ends, and halves of surrogate pairs: a terminal, a model or a
# file would each make something else of them.
_AGAIN = frozenset({"g", "again", "do that again", "do it again"})
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def refuse_unplayable(text: str) -> None:
    """Refuse what is empty, too long, or not text."""
    if not text.strip():
        raise InputRefused("an empty line is not a turn; say or do something")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_INPUT_BYTES:
        raise InputRefused(
            f"the line is {size:,} bytes, the limit is {MAX_INPUT_BYTES:,}; split it up"
        )
    strange = _NO_TEXT.search(text)
    if strange is not None:
        raise InputRefused(
            f"the line holds U+{ord(strange.group()):04X}, which is not text; take it out"
        )


def done_again(text: str, last: str) -> str:
    """The last line, where a line says no more than that it is done again."""
    return last or text if text.strip().strip(".!").casefold() in _AGAIN else text
