"""Asides in a line are found in one pass, also where many are opened and none is closed."""

from __future__ import annotations

import pytest

from storykeeper.context import pieces
from strategies.nasty import repeated, too_much

pytestmark = pytest.mark.long  # it takes the time of the processor, which others share


def test_what_never_closes():
    def cut(line: str) -> None:
        pieces._cut.__wrapped__(1, "s", "ann", line, "", (), ())

    assert not too_much(cut, repeated("("), small=2_000, large=12_000)


def test_an_aside_is_nobodys_words():
    (piece,) = pieces._cut(1, "s", "ann", "I look ((brb)) and ((stay", "", (), ())
    assert piece.text == "ann’s player: I look and ((stay."
