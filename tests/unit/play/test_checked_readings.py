"""Any reader may stand behind the port; what it answers is looked at before it counts."""

import pytest

from storykeeper.errors import ReadingInvalid
from storykeeper.events.vocabulary import Sort
from storykeeper.language.reading import (
    Clause,
    Implied,
    Joint,
    Link,
    Mention,
    MentionKind,
    Quotation,
    Reading,
)
from storykeeper.play.readings import MAX_STEPS, Readings

TEXT = "Mara took the cup."
MARA = Mention(0, 4, "Mara", "Mara", MentionKind.NAME, Sort.PERSON)
TOOK = Clause(0, 17, "take", actors=(0,))


class Answering:
    """A reader with one answer."""

    def __init__(self, **parts):
        self.answer = Reading(**({"text": TEXT} | parts))

    def read(self, text, *, cast=()):
        return self.answer


def read(**parts):
    return Readings(Answering(**parts)).read(TEXT)


def test_a_sound_reading_passes_as_it_is():
    assert read(mentions=(MARA,), clauses=(TOOK,)).notes == ()


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"clauses": (TOOK,)}, "mention 0, and there are 0"),
        ({"mentions": (MARA,), "clauses": (Clause(0, 4, "x", targets=(-1,)),)}, "mention -1"),
        ({"mentions": (MARA,), "clauses": (Clause(0, 4, "x", quotation=2),)}, "quotation 2"),
        ({"mentions": (Mention(0, 4, "M", "M", MentionKind.NAME, Sort.PERSON, whole=5),)},
         "mention 5, and there are 1"),
        ({"quotations": (Quotation(0, 4, "Hm", speaker=3),)}, "mention 3"),
        ({"links": (Link(Joint.CAUSE, 0, 1),)}, "clause 0"),
        ({"implied": (Implied("seat", "sat", 4),)}, "clause 4"),
        ({"text": "Another."}, "another text"),
    ],
)  # fmt: skip
def test_a_reading_that_speaks_of_what_is_not_there_is_refused(parts, what):
    with pytest.raises(ReadingInvalid, match=what):
        read(**parts)


def test_more_than_is_taken_is_said():
    clauses = (Clause(0, 4, "blink"),) * (MAX_STEPS + 1)
    assert "2,001 things happen in it" in read(clauses=clauses).notes[0]
