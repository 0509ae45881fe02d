"""Texts cut short, with somebody's words in them: whoever reads on sees where those end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.language.shortening import first_sentence, first_words, whole_quotes

WELL = "Mara sighs. “The well is dry. It was always dry,” says Mara. Tom nods. “So it is. Ha.”"


@pytest.mark.parametrize(("text", "cut"), [
    ("“The well is dry and the pond is frozen over,” says Mara.", "“The well is dry …”"),
    ('"The well is dry and the pond is frozen over," says Mara.', '"The well is dry …"'),
    ("He says «the well is dry and gone», she nods.", "He says «the well …»"),
    ("“Dry,” she says, and then nothing more.", "“Dry,” she says, and …"),
    ("“Dry,” she says.", "“Dry,” she says."),
    ("“It goes on for a while and longer", "“It goes on for …”"),
    ("Er sagt: „Der Brunnen ist leer und alt.“", "Er sagt: „Der Brunnen …"),
    ("It is Tom's, and Mara's too, she says.", "It is Tom's, and …"),
])  # fmt: skip
def test_first_words(text, cut):
    assert first_words(text, 4) == cut


def test_the_first_sentence_of_longer_words():
    assert (
        first_sentence("“The well is dry. It was always dry,” says Mara.") == "“The well is dry.”"
    )
    assert first_sentence("“The well is dry.” Mara nods.") == "“The well is dry.”"
    assert first_sentence("“As it was") == "“As it was"  # nothing was cut


@pytest.mark.parametrize(("part", "found"), [
    ("It was always dry,” says Mara.", "“It was always dry,” says Mara."),
    ("“The well is dry. It was always dry,” says Mara.",
     "“The well is dry. It was always dry,” says Mara."),
    ("Mara sighs. “The well is dry.", "Mara sighs. “The well is dry.”"),
    ("Tom nods.", "Tom nods."),
])  # fmt: skip
def test_a_part_out_of_the_middle(part, found):
    assert whole_quotes(part, of=WELL) == found


PIECES = st.sampled_from(["“A b c.", "D e,” says F.", "G h.", "“I j,” k l.", "“M n. O p.” Q r."])


@given(st.lists(PIECES, min_size=1, max_size=8), st.integers(1, 12))
def test_what_is_cut_is_never_left_open(pieces, most):
    """Of texts whose own marks are whole."""
    text = " ".join(pieces)
    if not whole(text):
        return
    assert whole(first_words(text, most))
    assert whole(first_sentence(text))


def whole(text: str) -> bool:
    depth = 0
    for mark in text:
        depth += (mark == "“") - (mark == "”")
        if depth not in (0, 1):
            return False
    return depth == 0
