"""Who is meant by a name in a line's head, and whether a name is an address."""

import pytest

from storykeeper.language.presence import Cast
from storykeeper.language.presence.naming import many
from storykeeper.language.presence.wording import Wording
from strategies.tables import table

CAST = Cast.of(["Ana", "Bo", "Marcus", "Teresa"])


@table(
    "head, speakers",
    [
        ("Ana", ("Ana",)),
        (" ana ", ("Ana",)),
        ("Ana and Bo", ("Ana", "Bo")),
        ("Ana, Bo & Marcus", ("Ana", "Bo", "Marcus")),
        ("All", ("Bo", "Teresa")),
        ("Everyone", ("Bo", "Teresa")),
        ("Marcsu", ("Marcus",)),
        ("Terresa", ("Teresa",)),
        ("Stranger", ("Stranger",)),
        ("", ()),
    ],
)
def test_whom_a_head_means(head, speakers):
    assert CAST.speakers(head, here=("Bo", "Teresa")) == speakers


@table(
    "text, addressed, only_named",
    [
        ("Thanks, Ana.", {"Ana"}, set()),
        ("I agree with Ana.", set(), {"Ana"}),
        ("Ana, have you seen it?", {"Ana"}, set()),
        ("Ana has seen it.", set(), {"Ana"}),
        ("Hi Ana, Bo and Marcus!", {"Ana", "Bo", "Marcus"}, set()),
        ("I met Ana, Bo and Marcus.", set(), {"Ana", "Bo", "Marcus"}),
        ("You're so right Teresa!", {"Teresa"}, set()),
        ("I trust Teresa!", set(), {"Teresa"}),
        ("Hi Ana we were just talking.", {"Ana"}, set()),
        ("So Bo, what now?", {"Bo"}, set()),
        ("Ana's hat, Bo, is new.", {"Bo"}, {"Ana"}),
        ("Ana and I were talking.", set(), {"Ana"}),
        ("Well said, Terresa.", {"Teresa"}, set()),
        ("ana is a word here, bo too.", set(), set()),
    ],
)
def test_who_is_spoken_to(text, addressed, only_named):
    found = CAST.named(Wording(text))
    assert {n.who for n in found if n.addressed} == addressed
    assert {n.who for n in found if not n.addressed} == only_named
    assert all(text[n.start : n.end].strip(",.!") for n in found)


@pytest.mark.parametrize(
    ("text", "counted_on"),
    [
        ("Hello, you two.", (2, True)),
        ("It's good to meet both of you.", (2, True)),
        ("You three, listen.", (3, True)),
        ("Hey guys, look.", (2, False)),
        ("Welcome, everyone.", (2, False)),
        ("Everyone knows that.", (0, False)),
        ("I told the guys.", (0, False)),
        ("Hello.", (0, False)),
    ],
)
def test_how_many_an_address_to_all_counts_on(text, counted_on):
    assert many(Wording(text)) == counted_on


def test_people_go_by_several_names():
    cast = Cast.of({"mara": ["Mara Rudd", "Mrs Rudd"], "tom": ["Tom Rudd"]})
    assert cast.people == ("mara", "tom")
    assert cast.speakers("Mara") == ("mara",)
    assert cast.speakers("mara") == ("mara",)
    assert cast.speakers("Tom Rudd and Mara Rudd") == ("tom", "mara")
    assert cast.speakers("Rudd") == ("Rudd",)  # two go by it, so it is nobody's
    (named,) = cast.named(Wording("Good night, Mara."))
    assert (named.who, named.addressed) == ("mara", True)
