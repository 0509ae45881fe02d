"""Whose words are in quotes, and to whom they are said."""

from __future__ import annotations

import pytest
from reading_prose import clause, mention, read

from storykeeper.language.reading import Reading
from strategies.tables import table

WORDS = {
    '"Wait," said Tom. "The tide is coming."': ["Wait,", "The tide is coming."],
    "“Wait,” said Tom.": ["Wait,"],
    "‘Wait,’ said Tom. ‘It’s the boys’ turn.’": ["Wait,", "It’s the boys’ turn."],
    "— Wait, said Tom.": ["Wait, said Tom."],
    "— Wait! — said Tom. — Come back!": ["Wait!", "Come back!"],
    "«Wait», said Tom.": ["Wait"],
    "“Wait. The tide\n\n“is coming,” said Tom.": ["Wait. The tide\n\n“is coming,"],
    "“Wait. The tide is coming\n\nTom left.": ["Wait. The tide is coming"],
    "“Wait, the tide\nis coming,” said Tom.": ["Wait, the tide\nis coming,"],
    "Tom’s boat and the boys’ hats were gone.": [],
    "He measured 6\" of rain.": [],
    "": [],
}  # fmt: skip

# text → (speaker, addressee) of each quotation
SAID = {
    "“Wait,” said Tom.": [("Tom", "")],
    "“Wait,” Tom said.": [("Tom", "")],
    "Tom said, “Wait.”": [("Tom", "")],
    "“Wait,” she said to Tom.": [("she", "Tom")],
    "“Who is there?” Mara asked the sailor.": [("Mara", "the sailor")],
    "“Wait,” whispered the old man.": [("the old man", "")],
    "“Wait,” said Tom. “The tide is coming.”": [("Tom", ""), ("Tom", "")],
    "“Who is there?” asked Mara.\n\n“Tom,” said Tom.\n\n“Come in.”\n\n“Thank you.”": [
        ("Mara", ""), ("Tom", "Mara"), ("Mara", "Tom"), ("Tom", "Mara"),
    ],
    "Tom put down the cup. “I am leaving.”": [("Tom", "")],
    "“Mara, wait,” said Tom.": [("Tom", "Mara")],
    "“Whose boat is that?” you ask. She shrugs. “His.”": [("you", ""), ("She", "you")],
    "“You young dog,” said the man.": [("the man", "")],
    "“Wait,” cried his wife.": [("his wife", "")],
    "“I am,” he returned.": [("he", "")],
    "“Go!”": [("", "")],
    "You say, “Give me the key.”": [("You", "")],
    "I told Mara, “The lamp is out.”": [("I", "Mara")],
}  # fmt: skip


def named(reading: Reading, place: int | None) -> str:
    return "" if place is None else reading.mentions[place].text


@table("text, words", WORDS.items())
def test_words(text: str, words: list[str]):
    assert [q.words for q in read(text).quotations] == words


@table("text, said", SAID.items())
def test_who_speaks_to_whom(text: str, said: list[tuple[str, str]]):
    reading = read(text)
    found = [(named(reading, q.speaker), named(reading, q.addressee)) for q in reading.quotations]
    assert found == said


@pytest.mark.parametrize(
    ("text", "whispered"),
    [
        ("“Wait,” he whispered.", True),
        ("“Wait,” she murmured to Tom.", True),
        ("“Wait,” she said under her breath.", True),
        ("“Wait,” he said.", False),
        ("“Wait,” he whispered. “They are here.”", True),
    ],
)
def test_whispering(text: str, whispered: bool):
    assert [q.whispered for q in read(text).quotations][-1] is whispered


def test_what_is_said_carries_its_quotation():
    reading = read("Tom put down the lamp. “The cup is gone,” he said. “Mara took it.”")
    assert mention(reading, "lamp").quotation is None
    assert mention(reading, "cup").quotation == 0
    assert mention(reading, "Mara").quotation == 1
    assert clause(reading, "take").quotation == 1
    assert clause(reading, "say").quotation is None


def test_quotations_are_where_they_stand():
    text = "Tom said, “Wait.” She did."
    found = read(text).quotations[0]
    assert text[found.start : found.end] == "“Wait.”"


@pytest.mark.parametrize("verb", ["whispers to you", "murmurs", "whispered to Tom", "mutters"])
def test_what_a_lead_gives_to_somebody_is_nobody_elses(verb: str):
    """The parser may take “Greta whispers” for a noun; then whoever else speaks did not say it."""
    swan = "“Beside some dagger, below this skeleton, is a swan which that daisy trimmed.”"
    reading = read(f"Greta {verb}, {swan} The rain goes on. “It is late,” says Mara.")
    first, last = reading.quotations
    assert named(reading, first.speaker) in ("Greta", "")
    assert first.whispered
    assert named(reading, last.speaker) == "Mara"
    assert not last.whispered
