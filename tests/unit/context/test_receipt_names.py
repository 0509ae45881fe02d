"""The ids in the receipt that an audience reads: none that says more than it knows."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.context.receipt import hint_names
from storykeeper.context.window import ANOTHERS, Window, assemble
from storykeeper.errors import UnknownAudience
from storykeeper.events.changes import SecretRevealed
from storykeeper.story.knowledge import Fact
from storykeeper.story.layers import Layer, LayerKind
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene
from storykeeper.story.tuning import LayerOverride, Overrides
from storykeeper.units import TurnNo
from storykeeper.world.evolve import evolve
from strategies.tables import table
from strategies.windows import Played

EVERYBODY = (NARRATOR, "ana", "bo", "cy")


def story(*, name: str = "bo-did-it") -> Story:
    """Ana and Cy suspect what Bo knows; the author's name for it says all."""
    return Story(
        id="named", title="Named", players=("ana",), start="first", voice="Plain.",
        cast=tuple(
            Character(id=who, name=who.title(), line="Here.", at="hall") for who in EVERYBODY[1:]
        ),
        settings=(Setting(id="hall", name="the hall"),),
        things=(Thing(id="cup", name="the cup", at="hall"),),
        facts=(
            Fact(id="secret", full="Zus.", hint="A hum.", about=("cup",), known_by={"bo": "saw"}),
            Fact(id="cracked", full="It is cracked.", about=("cup",), known_by={"ana": "saw"}),
            Fact(id=name, full="Bo did it.", hint="A drip.", about=("cup",),
                 known_by={"bo": "saw"}, suspected_by={"ana": "heard", "cy": "heard"}),
            Fact(id="tale", full="Zut.", hint="A tune.", about=("cup",), layer="inner",
                 known_by={"ana": "read", "cy": "read"}),
        ),
        layers=(Layer(id="inner", name="Inner", kind=LayerKind.FRAME, scenes=("told",)),),
        overrides=Overrides(layers={"inner": LayerOverride(permeability=0.1)}),
        scenes=(Scene(id="first", title="First", setting="hall"), Scene(id="told", title="Told")),
    )  # fmt: skip


def made(of: Story, audience: str, *decided, tokens: int = 2_000) -> Window:
    """A window of a turn in which somebody asks about the cup, and learns something."""
    played = Played.of(of)
    played.play("", "Rain.")
    world, present = played.under_way("I ask Bo about the cup.")
    for record in decided:
        world = evolve(world, record)
    present = replace(present, decided=(*present.decided, *decided))
    return assemble(
        world, played.history, present, audience=audience, tokens=tokens, count=len
    )  # fmt: skip


def told(window: Window) -> str:
    return msgspec.json.encode(window.receipt_for(window.audience)).decode()


def ids(entries) -> list[str]:
    return [entry.id for entry in entries]


def learned(fact: str, *to: str, suspected: bool, how: str = "saw") -> SecretRevealed:
    return SecretRevealed(TurnNo(1), fact, to, how, suspected)


# ── what is only suspected ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("audience", "place"), [(NARRATOR, 2), ("ana", 2), ("cy", 1)])
def test_who_only_suspects_reads_a_number(audience, place):
    """To Ana it is the second fact that she has come by, to Cy the first: the tale is closed."""
    window = made(story(), audience)
    assert "A drip." in window.text
    assert "hint:bo-did-it" in ids(window.receipt.shown)
    assert "bo-did-it" not in told(window)
    (entry,) = [e for e in window.receipt_for(audience).shown if e.id.startswith("hint:")]
    assert (entry.id, entry.sources) == (f"hint:{place}", (f"hint:{place}",))


def test_who_knows_it_reads_the_authors_id():
    window = made(story(), "bo")
    assert {"fact:bo-did-it", "fact:secret"} <= set(ids(window.receipt_for("bo").shown))
    assert "fact:cracked" in ids(made(story(), "ana").receipt_for("ana").shown)


@pytest.mark.parametrize("audience", [NARRATOR, "ana", "cy"])
def test_another_id_changes_no_byte(audience):
    one, other = (made(story(name=name), audience) for name in ("bo-did-it", "a-far-longer-name"))
    assert (one.text, told(one)) == (other.text, told(other))
    assert one.receipt != other.receipt


def test_what_did_not_get_in_is_a_number_too():
    window = made(story(), "ana", learned("bo-did-it", "ana", suspected=True))
    assert "hint:bo-did-it" in ids(window.receipt.left_out)  # the revelation says it
    assert "hint:2" in ids(window.receipt_for("ana").left_out)
    assert "bo-did-it" not in told(window)


def test_a_revelation_that_is_suspected_is_numbered_wherever_it_is_named():
    window = made(story(), "ana", learned("secret", "ana", suspected=True))
    assert "revelation:secret" in ids(window.receipt.shown)
    (entry,) = [e for e in window.receipt_for("ana").shown if e.origin == "revelation"]
    assert (entry.id, entry.sources) == ("revelation:3", ("hint:3", "learned:ana/3"))
    assert "secret" not in told(window)


def test_a_revelation_that_is_known_has_the_authors_id():
    window = made(story(), "ana", learned("secret", "ana", suspected=False))
    (entry,) = [e for e in window.receipt_for("ana").shown if e.origin == "revelation"]
    assert (entry.id, entry.sources) == ("revelation:secret", ("fact:secret", "learned:ana/secret"))


def test_numbers_stay_when_more_is_learned():
    """They follow the order of learning; what comes first in the story may be learned last."""
    before = made(story(), "ana").receipt_for("ana")
    after = made(story(), "ana", learned("secret", "ana", suspected=True)).receipt_for("ana")
    assert "hint:2" in ids(before.shown)
    assert {"hint:2", "revelation:3"} <= set(ids(after.shown))


@pytest.mark.parametrize(
    ("permeability", "hints"), [(0.1, ["hint:1"]), (0.6, ["hint:1", "hint:2"])]
)
def test_what_a_layer_withholds_is_not_counted(permeability, hints):
    """Cy read the tale, which comes first, and suspects the other."""
    over = Overrides(layers={"inner": LayerOverride(permeability=permeability)})
    *others, tale = story().facts
    moved = structs.replace(story(), overrides=over, facts=(tale, *others))
    listed = ids(made(moved, "cy").receipt_for("cy").shown)
    assert [name for name in listed if name.startswith("hint:")] == hints


@table(
    "text, named",
    [
        ("hint:bo-did-it", "hint:2"), ("revelation:bo-did-it/cy", "revelation:2/cy"),
        ("learned:ana/bo-did-it", "learned:ana/2"), ("fact:cracked", "fact:cracked"),
        ("revelation:cracked", "revelation:cracked"), ("hint:cracked", "hint:cracked"),
        ("hint:secret", "hint:0"), ("entity:bo", "entity:bo"), ("input", "input"),
        ("atom:t1.1", "atom:t1.1"), ("card:ana/goals", "card:ana/goals"),
    ],
)  # fmt: skip
def test_each_id_and_source(text, named):
    played = Played.of(story())
    played.play("", "Rain.")
    present = PresentTurn(TurnNo(1), "ana", "")
    line = Boundary(played.world, played.history, present, audience="ana")
    assert hint_names(line)(text) == named


# ── somebody else's window ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("audience", EVERYBODY)
def test_nobody_is_told_what_is_in_the_window_of_another(audience):
    window = made(story(), audience)
    for other in EVERYBODY:
        receipt = window.receipt_for(other)
        if other == audience:
            assert receipt.shown
            assert ANOTHERS not in receipt.notes
        else:
            assert (receipt.audience, receipt.turn) == (other, window.turn)
            assert (receipt.shown, receipt.left_out, receipt.notes) == ((), (), (ANOTHERS,))


def test_what_another_knows_does_not_show_in_what_is_told_of_their_window():
    """Bo is told something behind Ana's back; of his window she is told the same."""
    windows = [
        made(story(), "bo", *learning, tokens=tokens)
        for learning in ((), (learned("cracked", "bo", suspected=False),))
        for tokens in (900, 2_000)
    ]
    assert len({window.text for window in windows}) > 1
    assert len({msgspec.json.encode(window.receipt_for("ana")) for window in windows}) == 1


def test_one_who_is_nobody_is_refused():
    with pytest.raises(UnknownAudience, match="nobody called 'ghost'"):
        made(story(), "ana").receipt_for("ghost")
