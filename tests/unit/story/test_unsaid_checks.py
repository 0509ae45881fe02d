"""What would be played without a word, or with the wrong one: each is found, with file and line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from storykeeper.play.awaited import Waiting
from storykeeper.play.guide import guidance
from storykeeper.play.obvious_lines import reads_as
from storykeeper.play.offers import act_line
from storykeeper.story.conditions import Did
from storykeeper.story.loader import load_story
from storykeeper.world.state import Pending, in_turn
from strategies.small import STORY, lines, read
from strategies.worlds import begun, play

BASE = (
    STORY.replace("start: shore", "start: room")
    + """\
settings:
  - {id: room, name: the room, paths: [{to: hall}]}
  - {id: hall, name: the hall, paths: [{to: loft%s}]}
  - {id: loft, name: the loft}
things:
  - {id: piano, name: the piano, at: hall}
  - {id: stool, name: the stool, aliases: [%s], at: %s}
events:
  - {id: tuned, summary: x, when: {did: {who: player, act: %s, to: piano}}}
facts:
  - {id: worn, secret: true, full: The felts are worn., hint: It is warm., known_by: {mara: saw},
     revealed_by: [{when: {did: {who: player, act: open, to: piano}}, how: saw}]}
"""
)
ROOM = """\
---
title: The room
setting: room
leads_to: [{to: hall, when: {at: {who: player, place: hall}}}]
---
It is a room.
"""
HALL = """\
---
title: The hall
setting: hall
leads_to: [{to: loft, when: %s}]
beats:
  tuning: {when: {happened: tuned}}
  worn: {when: %s}
---
It is a hall.

## tuning

You tune it.

## worn

There is about a day on the strings.
"""
LOFT = "---\ntitle: The loft\nsetting: loft\nending: true\n---\nIt is a loft.\n"
WAY = "{at: {who: player, place: loft}}"
KNOWN = "{knows: {who: player, fact: worn}}"


def files(way=WAY, worn=KNOWN, path="", alias="the seat", at="hall", act="turn"):
    scenes = {"room": ROOM, "hall": HALL % (way, worn), "loft": LOFT}
    given = {f"scenes/{name}.md": text for name, text in scenes.items()}
    return {"story.yaml": BASE % (path, alias, at, act), **given}


def found(code, **changes):
    reading = read(files(**changes), without=("scenes/shore.md",))
    assert reading.errors == ()
    notes = [str(p) for p in reading.notes if p.code == code]
    return [*lines(reading, code), *(note for note in notes if note not in lines(reading, code))]


def test_a_story_in_order_has_none():
    for code in ("room-untold", "beat-overtaken", "learned-untold", "name-in-name"):
        assert found(code) == [], code


def test_a_room_that_one_can_walk_to_and_whose_scene_nothing_opens():
    (said,) = found("room-untold", way="{told: hall/tuning}")
    assert said.startswith("story.yaml:12")
    assert "who walks to `loft` is told nothing there: no way into `loft`" in said
    assert found("room-untold", way="{told: hall/tuning}", path=", when: {told: hall/tuning}") == []


@pytest.mark.parametrize(
    "way",
    [
        "{happened: tuned}",
        f"{{any: [{{happened: tuned}}, {WAY}]}}",
        "{happened: tuned, present: mara}",
    ],
)
def test_a_beat_that_a_way_out_goes_before(way):
    (said,) = found("beat-overtaken", way=way)
    assert said.startswith("scenes/hall.md:6")
    assert "let the way ask for `told: hall/tuning`" in said


def test_a_way_that_asks_for_less_than_the_beat_goes_before_nothing():
    assert found("beat-overtaken", way="{told: hall/tuning}") == []
    assert found("beat-overtaken", way=WAY) == []


def test_a_bridge_that_is_never_told():
    (said,) = found("bridge-untold", way="{told: hall/tuning}, bridge: You climb")
    assert said.startswith("scenes/hall.md:4")
    assert found("bridge-untold", way=f"{WAY}, bridge: You climb") == []


@pytest.mark.parametrize("told", [KNOWN, "{did: {who: player, act: open, to: piano}}"])
def test_a_secret_of_which_a_beat_tells(told):
    assert found("learned-untold", worn=told) == []


def test_a_secret_that_would_be_read_out():
    (said,) = found("learned-untold", worn="{present: mara}")
    assert "no beat tells of `worn` when it is learned" in said
    assert "its `full` is all that is told, word for word" in said


def test_a_thing_that_answers_for_another():
    (said,) = found("name-in-name", alias="the piano stool")
    assert "who names `piano` may be taken to mean `stool`" in said
    assert found("name-in-name", alias="the piano stool", at="loft") == []
    assert found("name-in-name", alias="the stool of the old grand piano") == []


@pytest.mark.parametrize("act", ["turn", "strike", "kerfuffle", "milk"])
def test_an_act_is_warned_of_if_it_cannot_be_typed_in_play(tmp_path, act):
    """The same code reads both, so that this holds whatever verbs it comes to know."""
    for name, text in files(act=act).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    story = load_story(tmp_path)
    world = play(begun(story), ["", "go to the hall"])[1]
    turn = Pending(2, "mara", f"{act} the piano")
    is_played = guidance(in_turn(world, turn), turn) is None
    said = CliRunner().invoke(app, ["check", str(tmp_path)]).stdout.splitlines()
    warned = [line for line in said if "read as" in line]
    assert [line[:13] for line in warned] == ([] if is_played else ["story.yaml:18"])
    assert warned == [] or f"“{act} the piano”" in warned[0]


PAGE = Path(__file__).parents[3] / "docs" / "reference" / "story-files.md"


def test_the_verbs_that_the_reference_lists_are_read_as_they_are_typed():
    listed = PAGE.read_text("utf-8").split("### Verbs\n")[1].split("\n\n")[1]
    verbs = [word.strip() for word in listed.replace("\n", " ").split(",")]
    assert len(verbs) > 60
    world = begun(read(files(), without=("scenes/shore.md",)).story)
    for verb in verbs:
        line = act_line(world, Waiting(verb, "piano", None))
        assert reads_as(world, line, Did(who="mara", act=verb, to="piano")) or reads_as(
            world, verb, Did(who="mara", act=verb)
        ), verb
