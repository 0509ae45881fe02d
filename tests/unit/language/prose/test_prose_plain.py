"""Plain sentences of who is where and what is moved, in which the parser used to err."""

import pytest

from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Modality, Somebody

READER = ProseReader()


def clause(text, *names):
    reading = READER.read(text, cast=tuple(Somebody((name,)) for name in names))
    (found,) = reading.clauses
    words = {
        role: [reading.mentions[i].text for i in getattr(found, role)]
        for role in ("actors", "targets", "subjects", "locations")
    }
    return found, words


@pytest.mark.parametrize(
    ("text", "names", "who"),
    [
        ("Emily entered the attic.", (), "Emily"),
        ("Emily likes the dress.", (), "Emily"),
        ("Lily is in the cellar.", (), "Lily"),
        ("Aiden likes the plum.", ("Aiden",), "Aiden"),
        ("Hunter is in the yard.", ("Hunter",), "Hunter"),
        ("Mara entered the attic.", (), "Mara"),
        ("Tom's back with the lamp.", ("Tom",), "Tom"),  # the parser hangs "'s" on Tom
    ],
)
def test_a_name_before_a_verb_is_who_does_it(text, names, who):
    found, words = clause(text, *names)
    assert words["actors"] == [who]
    assert found.modality is Modality.ASSERTED


@pytest.mark.parametrize("text", ["Slowly she entered the attic.", "Suddenly Tom laughed."])
def test_how_it_is_done_is_nobody(text):
    _, words = clause(text)
    assert words["actors"] in (["she"], ["Tom"])


@pytest.mark.parametrize("thing", ["the tie", "the stockings", "the key"])
def test_what_is_moved_somewhere_goes_there(thing):
    _, words = clause(f"Tom moved {thing} to the crate.")
    assert (words["targets"], words["locations"]) == ([thing], ["the crate"])


def test_what_belongs_to_the_thing_stays_with_it():
    _, words = clause("Tom broke the key to the crate.")
    assert words["targets"] == ["the key"]
    assert words["locations"] == []


def test_who_is_no_longer_there_is_not():
    found, _ = clause("Tom is no longer in the kitchen.")
    assert found.modality is Modality.NEGATED


def test_who_hates_does_not_hat():
    found, words = clause("Chloe hates the office.")
    assert (found.verb, words["actors"]) == ("hate", ["Chloe"])
