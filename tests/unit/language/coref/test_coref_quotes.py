"""Quotation marks and speakers."""

from __future__ import annotations

import pytest

from storykeeper.language.coref.quotes import quotations
from storykeeper.language.parser import parse


def said(text):
    doc = parse(text)
    return [
        (doc[q.start : q.end].text, doc[q.speaker].text if q.speaker >= 0 else "")
        for q in quotations(doc)
    ]


@pytest.mark.parametrize(
    ("opening", "closing"), [('"', '"'), ("“", "”"), ("‘", "’"), ("'", "'"), ("«", "»")]
)
def test_all_kinds_of_marks(opening, closing):
    text = f"{opening}We should go home,{closing} Mara said."
    assert said(text) == [(f"{opening}We should go home,{closing}", "Mara")]


def test_apostrophes_are_no_marks():
    assert said("The boys' coats hung in Tom's hall. 'Tis late, and I can't stay.") == []
    assert said("‘It’s Tom’s,’ she said.") == [("‘It’s Tom’s,’", "she")]


def test_an_apostrophe_does_not_end_a_speech():
    assert said("‘Take the boys’ coats,’ she said.")[0][0] == "‘Take the boys’ coats,’"
    assert said("'Take the boys' coats,' she said.")[0][0] == "'Take the boys' coats,'"


def test_the_verb_may_stand_before():
    assert said('Then Elena whispered, "Stay here."')[0][1] == "Elena"


def test_without_a_verb_nobody_speaks():
    assert said('"Stay here." The door closed.') == [('"Stay here."', "")]


def test_in_a_paragraph_of_its_own_whoever_acts_speaks():
    text = 'Mara waits.\n\nYou shrug. "I was held up."\n\n"So I see," Tom says.'
    assert [speaker for _, speaker in said(text)] == ["You", "Tom"]


def test_a_new_paragraph_closes_what_was_left_open():
    assert [words for words, _ in said("“Go on, he said.\n\nThe rain fell.")] == [
        "“Go on, he said."
    ]


def test_a_speech_that_goes_on_opens_again():
    text = "“One day I left.\n\n“The next I came back,” he said."
    assert [words for words, _ in said(text)] == ["“One day I left.", "“The next I came back,”"]


def test_who_is_spoken_to():
    doc = parse('"Come in," Mara said to Tom.')
    (quoted,) = quotations(doc)
    assert doc[quoted.addressee].text == "Tom"
    assert quoted.sure


def test_nothing_is_quoted_in_nothing():
    assert said("") == []
