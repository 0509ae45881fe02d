"""Short texts of an author, made safe to stand in a row of a table or in a drawing."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len

_JOINERS = "\u200c\u200d"  # they shape words and pictures, and order nothing
_ENDS = f" {_JOINERS}"
_UNWANTED = frozenset({"Cc", "Cf", "Cs"})
_NO_CHARACTERS = "\ufffe\uffff"  # XML has no way of writing them
_CHARS_PER_CELL = 3  # marks upon marks take no room, and may not take all of it
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def label(text: str, *, cells: int) -> str:
    """The text on one line, cut to a width, without what would move a cursor or turn the line."""
    flat = " ".join("".join(map(_shown, text)).split()).strip(_ENDS)
    most = cells * _CHARS_PER_CELL
    if len(flat) <= most and cell_len(flat) <= cells:
        return flat
    kept = flat[:most]
    while kept and cell_len(kept) > cells - 1:
        kept = kept[:-1]
    return f"{kept.rstrip(_ENDS)}…"


def _shown(char: str) -> str:
    if char.isspace():
        return " "
    if char in _JOINERS:
        return char
    return "" if unicodedata.category(char) in _UNWANTED or char in _NO_CHARACTERS else char


def cell(text: str, width: int) -> str:
    """A label in a column: cut or filled to its width, its direction kept from its neighbours."""
    found = label(text, cells=width)
    return f"{isolated(found)}{' ' * (width - cell_len(found))}"


def isolated(text: str) -> str:
    """The same text; one that runs from right to left no longer turns what stands around it."""
    backward = any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if backward else text
