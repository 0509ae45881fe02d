"""The player's words in a window: whole, or head, tail and a marked cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.context.inputs import fitted
from storykeeper.context.words import quoted
from storykeeper.language.tokens import counter

count = counter("o200k")


def test_what_fits_stays_whole():
    assert fitted("I wait.\nAnd wait.", room=20, price=count) == "> I wait.\n> And wait."


def test_what_does_not_keeps_its_head_and_its_tail():
    text = "I begin here. " + "And on. " * 500 + "I end here."
    cut = fitted(text, room=60, price=count)
    assert cut.startswith("> I begin here.")
    assert cut.endswith("I end here.")
    assert "[… cut: " in cut


def test_no_word_is_halved():
    text = " ".join(f"word{i}" for i in range(2_000))
    cut = fitted(text, room=80, price=count)
    kept = {w for w in cut.replace(">", " ").split() if w.startswith("word")}
    assert kept <= set(text.split())


@given(st.text(max_size=400), st.integers(0, 60))
def test_it_never_takes_more_than_its_room(text, room):
    cut = fitted(text, room=room, price=count)
    assert count(cut) <= room
    assert cut in ("", quoted(text)) or "[… cut: " in cut
