"""A rendering is cut into pieces: never inside what is said, and nothing of it is lost."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.events.atoms import PieceKind
from storykeeper.language.quoted import quoted_in
from storykeeper.language.reading import Clause, Modality, Quotation, Reading
from storykeeper.staging.pieces import LONGEST, cut, person_of, piece_at
from strategies.tables import table
from strategies.wherry import READER


def reading(text: str, *, written: bool = False) -> Reading:
    """A text of which only its quotation marks are read."""
    said = (Quotation(q.start, q.end, q.words, written=written) for q in quoted_in(text))
    return Reading(text, quotations=tuple(said))


def pieces(text: str) -> list[str]:
    return [text[each.start : each.end] for each in cut(reading(text), named=bool)]


def read(text: str) -> list[tuple[str, PieceKind]]:
    """Its pieces with their kinds, as it is read in play."""
    whole = READER.read(text, cast=())
    found = cut(whole, named=lambda part: "Dov" in part)
    return [(text[each.start : each.end], each.kind) for each in found]


# ── where it is cut ──────────────────────────────────────────────────────────────────────────


@table(
    "text, expected",
    [
        ("", []),
        (" \n ", []),
        ("Rain", ["Rain"]),
        ("Rain falls. Dov nods.", ["Rain falls.", "Dov nods."]),
        ("Rain falls!  Dov nods?\n", ["Rain falls!", "Dov nods?"]),
        ("Rain\n\nHail", ["Rain", "Hail"]),
        ("Dov waits … and waits. Good.", ["Dov waits … and waits.", "Good."]),
        ("Mr. Dov nods. J. waits.", ["Mr. Dov nods.", "J. waits."]),
        ("*D. Orme and five.* It rains.", ["*D. Orme and five.*", "It rains."]),
        ("*9 Nov. 8.40. Lit.* It rains.", ["*9 Nov. 8.40.", "Lit.*", "It rains."]),
        ("That was in Nov. Rain falls.", ["That was in Nov.", "Rain falls."]),
        ("It is 3.50 now. Good.", ["It is 3.50 now.", "Good."]),
        ("雨だ。「行く。」彼は言った。", ["雨だ。", "「行く。」", "彼は言った。"]),
    ],
)
def test_a_sentence_is_a_piece(text, expected):
    assert pieces(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "“Go. Now. Run!” says Dov.",
        "“Go. Now,” says Dov, “or stay. It is late.”",
        '"Go. Now." he says.',
        "“Where? There?” asks Dov.",
        "“Go.\n\nNow.” says Dov.",
    ],
)
def test_what_is_said_and_who_says_it_is_one_piece(text):
    assert pieces(text) == [text]


def test_two_who_speak_are_two_pieces():
    assert pieces("“Go,” says Dov. “No. Never,” says Renna.") == [
        "“Go,” says Dov.", "“No. Never,” says Renna.",
    ]  # fmt: skip
    assert pieces("“Go!” “No.” Rain.") == ["“Go!”", "“No.”", "Rain."]


def test_text_without_an_end_is_cut_all_the_same():
    text = "“" + "No. " * 2_000 + "”"
    found = pieces(text)
    assert len(found) > 1
    assert max(map(len, found)) <= LONGEST + 4


QUOTES = st.sampled_from(["“Go. Now!”", '"Is it late? Yes."', "“No,”", "“Mr. Dov. Well …”"])
PLAIN = st.sampled_from(
    [
        "Rain falls.",
        "Dov nods!",
        "he says.",
        "says Dov",
        "Mr.",
        "…",
        "?",
        "\n\n",
        "雨。",
        "A",
        "e.g.",
    ]
)
TEXTS = st.lists(st.one_of(QUOTES, PLAIN, st.text(max_size=6)), max_size=12).map(" ".join)


@given(TEXTS)
def test_joined_they_are_the_prose_but_for_spaces(text):
    assert re.sub(r"\s", "", "".join(pieces(text))) == re.sub(r"\s", "", text)


@given(TEXTS)
def test_they_follow_each_other_and_are_not_empty(text):
    found = cut(reading(text), named=bool)
    assert all(text[each.start : each.end].strip() for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(TEXTS)
def test_none_ends_inside_what_is_said(text):
    whole = reading(text)
    ends = {each.end for each in cut(whole, named=bool)}
    for said in whole.quotations:
        assert not any(said.start < end < said.end for end in ends)


@given(TEXTS)
def test_every_quotation_is_in_the_piece_it_stands_in(text):
    whole = reading(text)
    found = cut(whole, named=bool)
    placed = {i: each for each in found for i in each.quotations}
    assert sorted(placed) == list(range(len(whole.quotations)))
    for i, each in placed.items():
        assert each.start <= whole.quotations[i].start < each.end


# ── what it tells ────────────────────────────────────────────────────────────────────────────


def test_what_is_said_is_speech_and_what_is_written_writing():
    text = "“Go,” says Dov."
    assert cut(reading(text), named=bool)[0].kind is PieceKind.SPEECH
    assert cut(reading(text, written=True), named=bool)[0].kind is PieceKind.WRITING


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        (Clause(0, 9, "nod", actors=(0,)), PieceKind.ACTION),
        (Clause(0, 9, "nod", Modality.NEGATED, actors=(0,)), PieceKind.DESCRIPTION),
        (Clause(0, 9, "be", actors=(0,), state="tall"), PieceKind.DESCRIPTION),
        (Clause(0, 9, "fall"), PieceKind.DESCRIPTION),
    ],
)
def test_a_deed_is_what_somebody_does(clause, kind):
    (piece,) = cut(Reading("Dov nods.", clauses=(clause,)), named=bool)
    assert piece.kind is kind
    assert piece.clauses == (0,)


@pytest.mark.parametrize(
    "text", ["Dov said that the boat was late.", "Dov told him ten, and what the cellarer had."]
)
def test_what_is_reported_was_said_aloud(text):
    assert [kind for _, kind in read(text)] == [PieceKind.ACTION]


def test_unless_it_was_long_ago():
    assert [k for _, k in read("Her mother used to say that rain was luck.")] == [PieceKind.THOUGHT]


def test_kinds_as_they_are_read():
    assert read(
        "Dov crosses the room. “It is late,” he says. You wonder whether he knows about the boat."
    ) == [
        ("Dov crosses the room.", PieceKind.ACTION),
        ("“It is late,” he says.", PieceKind.SPEECH),
        ("You wonder whether he knows about the boat.", PieceKind.THOUGHT),
    ]


@pytest.mark.parametrize(
    ("text", "person"),
    [("You wait.", 2), ("I wait.", 1), ("Dov waits.", 3), ("“I see you,” says Dov.", 3)],
)
def test_in_which_person_it_is_told(text, person):
    assert person_of(READER.read(text, cast=())) == person


def test_which_piece_a_place_is_in():
    text = "Rain falls. Dov nods."
    found = cut(reading(text), named=bool)
    assert [piece_at(found, at) for at in (0, 10, 11, 12, 20, len(text))] == [0, 0, 0, 1, 1, 1]
