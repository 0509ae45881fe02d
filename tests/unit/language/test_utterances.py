"""The sentences of a line, and whom each turns to."""

from __future__ import annotations

import pytest

from storykeeper.language.names import Names
from storykeeper.language.reading import Gender
from storykeeper.language.utterances import Company, Sure, utterances
from storykeeper.units import EntityId

CY = EntityId("cy")
COMPANY = Company(near=[CY], lately=[], genders={CY: Gender.HE})


@pytest.mark.parametrize(("line", "called"), [("“Cy, wait.”", True), ("“Cy 灯”", False)])
def test_words_in_other_letters_after_a_name_are_no_call(line: str, called: bool):
    found = utterances(line, Names(((CY, ("Cy",)),)), COMPANY)
    assert [each.sure is Sure.NAMED for each in found] == [called]
