"""The learned reader of who comes and goes."""

from collections.abc import Sequence
from time import process_time

import numpy as np
import pytest

from storykeeper.language.prose.reader import ProseReader
from storykeeper.language.reading import Gender, Reading, Somebody
from storykeeper.language.tagger import HUSH, SURE, Hush, Person, Sign, Tagger
from storykeeper.models.embedders.word_vectors import WordVectors
from strategies.remembered import Remembered
from strategies.tables import table

PEOPLE = (
    Person(("Ines",), Gender.SHE, "forge", is_player=True),
    Person(("Tom", "the smith"), Gender.HE, "forge", is_player=False),
    Person(("Cora",), Gender.SHE, "yard", is_player=False),
    Person(("Mara",), Gender.SHE, "forge", is_player=False),
)
PLACES = {"forge": ("the forge",), "yard": ("the yard",), "kitchen": ("the kitchen",)}
INES, TOM, CORA, MARA = range(4)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger(WordVectors())


def read(text: str) -> Reading:
    return ProseReader().read(text, cast=tuple(Somebody(p.names, p.gender) for p in PEOPLE))


def tag(tagger: Tagger, text: str) -> tuple[list[Sign], list[Hush]]:
    return tagger.tag(read(text), PEOPLE, PLACES)


def chance(tagger: Tagger, text: str, kind: str, who: int = TOM) -> float:
    signs, _ = tag(tagger, text)
    return max((s.p for s in signs if s.kind == kind and s.who == who), default=0.0)


def sure(tagger: Tagger, text: str) -> set[tuple[int, str]]:
    return {(s.who, s.kind) for s in tag(tagger, text)[0] if s.p >= SURE}


PLAIN = [
    ("Tom leaves.", (TOM, "departs")),
    ("Tom left.", (TOM, "departs")),
    ("Tom goes out.", (TOM, "departs")),
    ("Tom nods and goes home.", (TOM, "departs")),
    ("Tom goes to the kitchen.", (TOM, "departs")),
    ("Tom wipes his hands and walks out into the yard.", (TOM, "departs")),
    ("You leave.", (INES, "departs")),
    ("Cora comes in.", (CORA, "arrives")),
    ("Tom falls asleep.", (TOM, "sleeps")),
    ("Tom dozes off in his chair.", (TOM, "sleeps")),
]


@table("text, sign", PLAIN)
def test_plain_sentences_are_read_surely(tagger, text, sign):
    assert sure(tagger, text) == {sign}


def test_who_wakes_again(tagger):
    assert sure(tagger, "Tom falls asleep. Then he wakes.") == {(TOM, "sleeps"), (TOM, "wakes")}


def test_two_who_leave_together(tagger):
    assert sure(tagger, "Mara and Tom leave together.") == {(TOM, "departs"), (MARA, "departs")}


ALIKE = [
    "Tom does not leave.",
    "Tom wants to leave.",
    "Tom thinks about leaving.",
    "Tom closes his eyes for a moment.",
    '"I am leaving tomorrow," says Tom.',
]


@pytest.mark.parametrize("text", ALIKE)
def test_what_only_looks_like_it(tagger, text):
    assert sure(tagger, text) == set()


def test_who_only_thinks_of_it_is_not_gone(tagger):
    goes = chance(tagger, "Tom walks out into the yard.", "departs")
    assert chance(tagger, "Tom thinks about the day he walked out.", "departs") < goes


def test_others_are_not_gone_with_them(tagger):
    text = "Tom walks out into the yard. You go on filing."
    assert chance(tagger, text, "departs", who=INES) < SURE


def places(tagger: Tagger, text: str, who: int = TOM) -> set[str | None]:
    return {s.to for s in tag(tagger, text)[0] if s.who == who and s.p >= SURE}


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("Tom walks out into the yard.", "yard"),
        ("Tom goes to the kitchen.", "kitchen"),
        ("Tom leaves the forge and goes to the kitchen.", "kitchen"),
        ("Tom leaves.", None),
        ("Tom leaves the forge.", None),
        ("Tom goes home.", None),
    ],
)
def test_where_they_go_is_what_the_text_says(tagger, text, to):
    assert places(tagger, text) == {to}


def test_who_comes_in_comes_to_where_the_others_are(tagger):
    assert places(tagger, "Cora comes in.", CORA) == {"forge"}


def hears(tagger: Tagger, text: str) -> set[int]:
    (hush,) = tag(tagger, text)[1]
    return {who for who, p in enumerate(hush.closed) if p < HUSH}


def test_a_whisper_is_for_one(tagger):
    said = hears(tagger, '"The gold is in the well," Mara whispers to Tom.')
    assert INES not in said
    assert MARA in said


def test_what_is_said_aloud_is_for_all_who_are_there(tagger):
    assert hears(tagger, '"The gold is in the well," says Mara.') == {INES, TOM, MARA}


def test_who_left_does_not_hear(tagger):
    assert hears(tagger, 'Tom leaves. "He took it," Mara says.') == {INES, MARA}


@pytest.mark.parametrize("text", ["", "   ", "…", "x" * 5_000, "'" * 500])
def test_nothing_to_read_is_no_sign(tagger, text):
    assert sure(tagger, text) == set()


def test_nobody_to_read_about(tagger):
    assert tagger.tag(read("Tom walks out."), (), PLACES) == ([], [])


def test_the_same_twice(tagger, monkeypatch):
    monkeypatch.setattr(Remembered, "kept", 0)
    text = "“Not here,” whispers Tom, and walks out into the yard."
    assert tag(tagger, text) == tag(tagger, text)


class Blind:
    """Vectors that take no time."""

    def vectors(self, opening: str, sentences: Sequence[Sequence[str]]) -> np.ndarray:
        return np.zeros((sum(map(len, sentences)), 384), np.float32)


@pytest.mark.parametrize("text", ['"Tom," she says to him, "go." ', "he goes, and Tom, and "])
def test_a_longer_text_takes_longer_in_proportion(text):
    blind = Tagger(Blind())

    def taken(times: int) -> float:
        reading = read(text * times)
        begun = process_time()
        blind.tag(reading, PEOPLE, PLACES)
        return process_time() - begun

    taken(50)
    assert taken(1_200) < 8 * taken(300) + 0.5
