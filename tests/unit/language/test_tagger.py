"""The learned reader of who comes and goes."""

import pytest

from storykeeper.language.prose.reader import ProseReader
from storykeeper.language.reading import Gender
from storykeeper.language.tagger import SURE, Person, Tagger
from storykeeper.models.embedders.word_vectors import WordVectors

PEOPLE = (
    Person(("Ines",), Gender.SHE, "forge", is_player=True),
    Person(("Tom", "the smith"), Gender.HE, "forge", is_player=False),
    Person(("Cora",), Gender.SHE, "yard", is_player=False),
)
PLACES = {"forge": ("the forge",), "yard": ("the yard",)}
TOM = 1


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(WordVectors())


def chance(tagger: Tagger, text: str, kind: str, who: int = TOM) -> float:
    signs, _ = tagger.tag(ProseReader().read(text), PEOPLE, PLACES)
    return max((s.p for s in signs if s.kind == kind and s.who == who), default=0.0)


def test_who_walks_out_is_gone(tagger):
    assert chance(tagger, "Tom wipes his hands and walks out into the yard.", "departs") >= SURE


def test_who_only_thinks_of_it_is_not(tagger):
    goes = chance(tagger, "Tom walks out into the yard.", "departs")
    assert chance(tagger, "Tom thinks about the day he walked out.", "departs") < goes


def test_others_are_not_gone_with_them(tagger):
    assert chance(tagger, "Tom walks out into the yard. You go on filing.", "departs", who=0) < SURE


def test_where_they_go_is_one_of_the_places(tagger):
    signs, _ = tagger.tag(ProseReader().read("Tom walks out into the yard."), PEOPLE, PLACES)
    assert {s.to for s in signs if s.who == TOM and s.p >= SURE} == {"yard"}


@pytest.mark.parametrize("text", ["", "   ", "…", "x" * 5_000, "'" * 500])
def test_nothing_to_read_is_no_sign(tagger, text):
    signs, _ = tagger.tag(ProseReader().read(text), PEOPLE, PLACES)
    assert not [s for s in signs if s.p >= SURE]


def test_nobody_to_read_about(tagger):
    assert tagger.tag(ProseReader().read("Tom walks out."), (), PLACES) == ([], [])


def test_the_same_twice(tagger):
    reading = ProseReader().read("“Not here,” whispers Tom, and walks out into the yard.")
    assert tagger.tag(reading, PEOPLE, PLACES) == tagger.tag(reading, PEOPLE, PLACES)
