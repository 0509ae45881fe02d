"""Where the sentences of a text end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.language.shortening import first_sentence, sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Bob sits.", ["Bob sits."]),
        ("Bob sits. Mara stands", ["Bob sits.", "Mara stands"]),
        ("“Go!” she says. He goes.", ["“Go!”", "she says.", "He goes."]),
        ("It costs 3.5 marks... Does it?", ["It costs 3.5 marks...", "Does it?"]),
        ("*Bob sits.* (He smiles.) _So._", ["*Bob sits.*", "(He smiles.)", "_So._"]),
        ("… and then he left. Rain.", ["… and then he left.", "Rain."]),
        ("... Rain.", ["...", "Rain."]),
    ],
)
def test_sentences(text, found):
    assert list(sentences(text)) == found


@given(st.lists(st.sampled_from([".", "!", "…", "”", ")", " ", "a", "3.5", "“", '"'])).map("".join))
def test_no_word_is_lost_or_added(text):
    assert "".join(sentences(text)).replace(" ", "") == text.replace(" ", "")


def test_a_sentence_without_a_stop_is_one_too():
    assert [*sentences("Rain falls. Bob has the iron key")][-1] == "Bob has the iron key"
    assert first_sentence("Bob has the iron key") == "Bob has the iron key"
