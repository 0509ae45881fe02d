"""What is told agrees with what is so: beats where they are, nobody moved by time alone."""

from functools import cache

import pytest

from storykeeper.engine import Engine
from storykeeper.play.narrate import STAGE, offline
from storykeeper.story.adopt import adoption
from storykeeper.units import MAIN
from strategies.ledgers import memory_ledger
from strategies.minds import kitchen
from strategies.parlour import READER
from strategies.runs import script
from strategies.worlds import example

YARD = """---
title: The yard
setting: yard
ending: true
---
Shingle.
"""
ROOM = """---
title: Supper
setting: kitchen
revisitable: true
cast: {contingent: [mara, pell]}
leads_to:
  - {to: yard, when: {since: {turns: 2, of: {visited: supper}}}%s}
beats:
  crock: {when: {within: {turns: 3, of: {did: {who: player, act: look, to: crock}}}}}
  mara-speaks: {when: {did: {who: player, act: wait}}, with: [%s]}
---
The kettle is on.

## crock

The oats are smooth.

## mara-speaks

"Well," says Mara.
"""


def started(story):
    ledger = memory_ledger()
    ledger.begin(MAIN, [adoption(story)])
    keeper = Engine(ledger, MAIN, reader=READER)
    turn = keeper.opening()
    keeper.render(turn, offline(turn.world, turn.present, keeper.history()), stage=STAGE)
    return keeper


def said(keeper, line):
    """What the offline narrator tells of a line; and the world with it."""
    turn = keeper.begin(line)
    told = offline(turn.world, turn.present, keeper.history())
    keeper.render(turn, told, stage=STAGE)
    return told, turn.world


@cache
def made(bridge="", present="mara"):
    scene = ROOM % (bridge, present)
    story = kitchen_of(scene)
    assert story is not None
    return story


def kitchen_of(scene):
    from storykeeper.story.reading import read_files
    from strategies.minds import TEXT

    files = {"story.yaml": TEXT, "scenes/supper.md": scene, "scenes/yard.md": YARD}
    reading = read_files([(name, body.encode()) for name, body in files.items()])
    assert not reading.errors, [str(p) for p in reading.errors]
    return reading.story


def test_a_beat_is_told_where_it_is_and_waits_while_one_is_elsewhere():
    keeper = started(made())
    told, _ = said(keeper, "I look at the crock. Then I go to the yard.")
    assert "The oats are smooth." not in told
    told, _ = said(keeper, "I go to the kitchen.")
    assert "The oats are smooth." in told


def test_a_beat_is_told_with_its_people():
    assert "says Mara" in said(started(made()), "I wait.")[0]
    assert "says Mara" not in said(started(made(present="tobit")), "I wait.")[0]


def test_time_moves_nobody_and_a_bridge_is_told():
    keeper = started(made())
    for _ in range(5):
        told, world = said(keeper, "I smile.")
        assert (world.scene, world.places["coyle"]) == ("supper", "kitchen")
    assert said(keeper, "I go to the yard.")[1].scene == "yard"
    keeper = started(made(", bridge: You go out for air."))
    said(keeper, "I smile.")
    told, world = said(keeper, "I smile.")
    assert (world.scene, world.places["coyle"]) == ("yard", "yard")
    assert told.index("You go out for air.") < told.index("Shingle.")


def test_a_bridge_stands_in_the_window_and_replays():
    keeper = started(made(", bridge: You go out for air."))
    said(keeper, "I smile.")
    turn = keeper.begin("I smile.")
    assert "# To be told now\nYou go out for air." in turn.window.text
    keeper.render(turn, "You go out.", stage=STAGE)
    keeper.end_scene()
    assert keeper.replay().windows == 3


# ── the example ──────────────────────────────────────────────────────────────────────────────


def test_looking_and_going_out_does_not_tell_the_kitchen_in_the_yard():
    keeper = started(example())
    for line in ("I go on to Harrow.", "look", "go to the kitchen", "look in the crock"):
        said(keeper, line)
    told, world = said(keeper, "go to the yard")
    assert world.places["coyle"] == "harrow"
    assert told.startswith("The yard")
    kitchens = [b.prose.split("\n")[0] for b in example().scenes if b.id == "kitchen"
                for b in b.beats]  # fmt: skip
    assert not any(each in told for each in kitchens)


@pytest.mark.long
def test_a_lit_lamp_changes_the_ending_and_what_cannot_be_lit_is_tried():
    lit = script("lit")
    keeper = started(example())
    for line in lit[: lit.index("I go to the lamp room.") + 1]:
        said(keeper, line)
    assert "You try to light the lamp." in said(keeper, "I light the lamp.")[0]
    assert "lamp-lit" not in keeper.world().happened
    for lights, ending in ((True, "lit"), (False, "dark")):
        keeper = started(example())
        for line in lit:
            lamp = line == "I light the lamp."
            told, world = said(keeper, line if lights or not lamp else "I leave the lamp dark.")
            if lamp:
                assert told.startswith("The spirit goes up blue") == lights
        assert world.scene == ending


@pytest.mark.long
def test_what_is_given_is_told_as_it_happened():
    keeper = started(example())
    lines = script("two-keepers")
    for line in lines[: lines.index("I read the second book.") + 1]:
        said(keeper, line)
    said(keeper, "I take the exercise book.")
    said(keeper, "I go to the landing.")
    told, world = said(keeper, "give Orme the exercise book")
    assert told.startswith("You give Tobit the second book.")
    assert world.holders["second-log"] == "tobit"
    told, world = said(keeper, "give Orme the exercise book")
    assert "You give" not in told
    assert world.holders["second-log"] == "tobit"


def test_minds_and_stage_directions_live_together():
    """The kitchen's own scene, with what its people do beside its beats."""
    told, world = said(started(kitchen()), "I look at the crock.")
    assert "stops." in told
    assert world.scene == "supper"
