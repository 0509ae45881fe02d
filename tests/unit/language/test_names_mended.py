"""A name with one letter wrong, and words that are near no name."""

import pytest

from storykeeper.language.names import Names
from strategies.tables import table

NAMES = Names((("a", ("Harrow Point",)), ("b", ("the lantern",)), ("c", ("Mara",)),
               ("d", ("the cellar",)), ("e", ("the collar",))))  # fmt: skip


@table(
    "word, meant",
    [
        ("lantren", "lantern"),  # swapped
        ("lanterm", "lantern"),  # changed
        ("lanern", "lantern"),  # left out
        ("lanttern", "lantern"),  # added
        ("antern", "lantern"),
        ("lanterns", "lantern"),
        ("harow", "harrow"),
        ("lantern", None),  # right
        ("lntren", None),  # two wrong
        ("lnatren", None),
        ("mraa", None),  # too short
        ("maras", None),  # the name is too short
        ("cbllar", None),  # the cellar or the collar
        ("xellar", "cellar"),
        ("", None),
        ("l" * 60_000, None),
    ],
)
def test_mending(word, meant):
    assert NAMES.mend(word) == meant


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("She rolls up her sleeves.", []),
        ("You row out to the Sleeves.", ["sleeves"]),
        ("The yard is wet.", ["yard"]),
        ("THE SLEEVES!", ["sleeves"]),
    ],
)
def test_prose_writes_names_large(prose, found):
    names = Names((("sleeves", ("the Sleeves",)), ("yard", ("the yard",))))
    assert [each.entity for each in names.find_in_prose(prose)] == found
