"""A file is wrapped to a width: where a line ends is not where a paragraph does."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.language.prose import ProseReader
from storykeeper.language.prose.wrapping import unwrapped

HERS = (
    '"One," says Mara. "Brass. It does the stair door and the log cupboard, he had them made'
    ' alike." The knife goes through the wick. "It was on a cord round his neck. I have not got'
    ' it."'
)
BEFORE = (
    "The form has forty-four lines, and she answers all of them from memory, without looking up"
    " from the wick that she is trimming. Thirty-one gallons of oil, and two mantles to spare."
)
TALK = '"Is it late?" asks Pell.\n"It is," says Mara, and does not look up.\n"Then light it."'


@pytest.mark.parametrize("width", range(60, 118, 3))
def test_who_speaks_does_not_hang_on_where_lines_end(width):
    text = "\n\n".join(textwrap.fill(each, width) for each in (BEFORE, HERS))
    found = ProseReader().read(text)
    said = [None if q.speaker is None else found.mentions[q.speaker].text for q in found.quotations]
    assert said == ["Mara"] * 3, text


def test_lines_of_a_dialogue_stay_lines():
    assert unwrapped(TALK) == TALK
    assert unwrapped(f"{textwrap.fill(BEFORE, 80)}\n\n{TALK}").endswith(TALK)


def test_lines_of_a_letter_stay_lines():
    letter = f"{textwrap.fill(BEFORE, 90)}\n\nDear Sir,\nthe light was out.\nYours, T. Orme"
    assert unwrapped(letter).endswith("Dear Sir,\nthe light was out.\nYours, T. Orme")


@given(st.text(alphabet='ab .,\n"', max_size=400))
def test_every_place_of_a_text_stays(text):
    made = unwrapped(text)
    assert len(made) == len(text)
    assert made.replace("\n", " ") == text.replace("\n", " ")
