"""Whoever holds something true, or only suspects it, must not learn from us whether it is so."""

import msgspec
import pytest
from msgspec import structs

from storykeeper.errors import UnknownAudience, UnknownPerson
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.people import Character
from storykeeper.story.places import Thing
from strategies.parlour import engine, parlour

ASK = Condition(did=Did(who="player", act="ask", to="tom", about="will"))


def keeper_of(*facts, more=()):
    made = parlour()
    will = Thing(id="will", name="the will")
    return engine(structs.replace(made, facts=facts, things=(*made.things, will),
                                  cast=(*made.cast, *more)))  # fmt: skip


def claim(confidence):
    return Fact(id="burnt", full="The will was burnt.", about=("will",), confidence=confidence,
                revealed_by=(Reveal(when=ASK, how="told by tom"),))  # fmt: skip


def shown(keeper, who, text):
    window = keeper.window(who, text=text)
    return window.text, window.tokens, msgspec.json.encode(window.receipt_for(who))


@pytest.mark.parametrize("who", ["narrator", "ann", "mara"])
def test_a_lie_looks_like_the_truth(who):
    asked, later = "I ask Tom about the will", "I look at the will"
    true, lie = (keeper_of(claim(so)) for so in (1.0, 0.1))
    assert shown(true, who, asked) == shown(lie, who, asked)
    for keeper in (true, lie):
        keeper.render(keeper.begin(asked), "“Burnt,” says Tom.")
        keeper.end_scene()
    assert shown(true, who, later) == shown(lie, who, later)
    assert set(true.knows("ann")) == set(lie.knows("ann")) == {"burnt"}


@pytest.mark.parametrize("who", ["narrator", "tom"])
def test_whom_a_suspicion_is_about_is_not_to_be_found_by_naming(who):
    strangers = [
        Character(id=name, name=name.title(), line="A stranger.") for name in ("zed", "pim")
    ]

    def seen(guilty, asked):
        fact = Fact(id="murderer", full=f"It was {guilty}.", hint="Somebody has killed.",
                    about=(guilty,), suspected_by={"ann": "heard", "tom": "heard"})  # fmt: skip
        return shown(keeper_of(fact, more=strangers), who, f"I ask Tom about {asked.title()}")

    assert seen("zed", "zed") == seen("pim", "zed")
    assert seen("zed", "pim") == seen("pim", "pim")


def test_asking_for_what_there_is_not():
    with pytest.raises(UnknownAudience, match="window"):
        engine().brief("narrator", "a knock")
    with pytest.raises(UnknownPerson, match="nothing called zzz"):
        engine().knows("mara", about="zzz")
