"""Sentences of a line, whom each turns to, and who is called: each is looked for once."""

from __future__ import annotations

import pytest

from storykeeper.language.names import Names
from storykeeper.language.reading import Gender
from storykeeper.language.utterances import Company, utterances
from strategies.nasty import NASTY, too_much
from strategies.sizes import times

NAMES = Names((("mara", ("Mara Rudd",)), ("tom", ("Tom",))))
COMPANY = Company(("mara", "tom"), ("mara",), {"mara": Gender.SHE, "tom": Gender.HE})
HARDEST = ("single quotes", "breaks", "a name", "brackets", "quotes left open", "names joined")

pytestmark = pytest.mark.long  # it takes the time of the processor, which others share


@pytest.mark.parametrize("kind", HARDEST)
def test_sentences_are_found_once(kind):
    def read(text: str) -> None:
        utterances(text, NAMES, COMPANY)

    assert not too_much(read, NASTY[kind], small=times(4_000, 16_000), large=times(24_000, 64_000))


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("Mara, look here.", ["mara"]),
        ("Where is it, Tom?", ["tom"]),
        ("Tom, see. And that. Mara, come.", ["tom", "tom", "mara"]),
        ('"See? And that." I nod to Tom.', ["tom", "tom", "tom"]),
        ("Look at Tom and tell me what he does.", ["mara"]),
    ],
)
def test_whom_it_turns_to(line, to):
    assert [each.to for each in utterances(line, NAMES, COMPANY)] == to
