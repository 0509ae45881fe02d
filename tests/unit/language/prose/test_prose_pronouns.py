"""Which thing "it" is; where two could be meant, none is."""

from __future__ import annotations

import pytest
from reading_prose import READER, mention, read

from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Mention, Reading
from strategies.tables import table

MEANT = {
    "She looked at the cup. She picked it up.": "cup",
    "Tanya's phone rang. She picked it up.": "phone",
    "A cup of coffee stood on the table. She picked it up.": "cup",
    "He took the key out of his pocket and put it on the table.": "key",
    "She opened the letter and read it.": "letter",
    "The lamp stood by the door. He lit it.": "lamp",
    "You find a knife. You take it.": "knife",
    "She broke the cup. It was old.": "cup",
    "The box was heavy. Its lid was broken.": "box",
    "A cup and a bowl stood there. She took it.": None,
    "The cup hit the plate. It broke.": None,
    "She read the letter in the chair. She folded it.": "letter",
    "You do not read the letter. You lay it down.": "letter",
    "There was no key. It rained.": None,
    "She left. He saw it.": None,
    "I found the suitcase under the bed. It was brown.": "suitcase",
    "The clerk slid a form across and tapped it with her pen.": "form",
    "He had a newspaper. I lifted a corner of it.": "newspaper",
    "She had a parcel with a swan on it.": "parcel",
    "There was no milk. He drank it.": None,
    "It is twenty past nine.": None,
    "She raised her hand. He looked at it.": None,
    "Nobody had a table to stand it on.": None,
    "They stood by the lamp. Tom sat down. Ann wept. He told her of the war. She hated it.": None,
}


def it_of(reading: Reading) -> Mention | None:
    return next((m for m in reading.mentions if m.head in ("it", "its")), None)


@table("text, head", MEANT.items())
def test_it(text: str, head: str | None):
    reading = read(text)
    it = it_of(reading)
    same = [
        m.head
        for m in reading.mentions
        if it is not None and m is not it and m.cluster is not None and m.cluster == it.cluster
    ]
    assert same == ([head] if head is not None else [])


def test_them():
    reading = read("She picked up the keys and dropped them.")
    assert mention(reading, "them").cluster == mention(reading, "key").cluster is not None


def test_a_chain_of_its_is_one():
    reading = read("She took the cup. She washed it. She dried it.")
    assert len({m.cluster for m in reading.mentions if m.head in ("cup", "it")}) == 1


def test_full_noun_phrases_of_things_are_not_joined():
    reading = read("The cup fell. She looked at the cup.")
    assert [m.cluster for m in reading.mentions if m.head == "cup"] == [None, None]


def test_people_come_from_the_finder():
    reading = read("Mara sat down. Tom looked at her. She smiled.")
    assert mention(reading, "her").cluster == mention(reading, "Mara").cluster
    assert mention(reading, "she").cluster == mention(reading, "Mara").cluster
    assert mention(reading, "Tom").cluster != mention(reading, "Mara").cluster


def test_the_same_text_reads_the_same():
    text = "Mara took the cup. Tom saw it. “Put it down,” he said."
    assert READER.read(text) == READER.read(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Three cups stood there. The blue one was chipped.", [("cup", ("blue",))]),
        ("Three cups stood on a tray. The blue one fell.", [("cup", ("blue",))]),
        ("She broke a cup and took another.", [("cup", ("other",))]),
        ("Two lamps hung there. The first was lit.", [("lamp", ("first",))]),
        ("Two men came in. The first sat down.", []),
        ("One day she left.", []),
        ("No one came.", []),
    ],
)
def test_words_that_stand_for_a_noun(text: str, expected: list[tuple[str, tuple[str, ...]]]):
    found = [m for m in read(text).mentions if m.head in ("cup", "lamp", "one", "day", "man")]
    nouns = {"cups", "cup", "lamps", "men", "day"}
    stands = [(m.head, m.descriptors) for m in found if m.text.split()[-1] not in nouns]
    assert [s for s in stands if s[0] != "one"] == expected


def test_our_own_finder_is_the_default():
    reading = ProseReader().read("Mara looked at the cup. She picked it up.")
    assert [m.head for m in reading.mentions] == ["Mara", "cup", "she", "it"]
    assert mention(reading, "it").cluster == mention(reading, "cup").cluster is not None


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("She held it up. It was a key.", "it", "key"),
        ("He brought a clock, a round kitchen clock.", "clock", "clock"),
        ("The parcel was a book.", "parcel", "book"),
    ],
)
def test_what_a_thing_is_said_to_be_it_is(text: str, one: str, other: str):
    *_, first, last = [m for m in read(text).mentions if m.head in (one, other)]
    assert first.cluster == last.cluster is not None


@pytest.mark.parametrize(
    "text",
    ["The parcel was not a book.", "The spade, a rake, a hoe lay there.", "Grief was a stone."],
)
def test_what_it_is_not_it_is_not(text: str):
    things = [m.cluster for m in read(text).mentions]
    assert len([c for c in things if c is not None]) == len({c for c in things if c is not None})
