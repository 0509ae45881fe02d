"""Traps in made-up stories: each is found, with its file and line."""

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from storykeeper.language.unheard import is_heard
from strategies.small import STORY, lines, read

ROOM = """\
---
title: The room
setting: room
{head}---
It is a room.

## key-hers

She takes the key.

## key-his

He takes the key.
"""
BASE = (
    STORY.replace("start: shore", "start: room")
    + """\
  - {id: tom, name: Tom, line: Fishes., at: room}
settings:
  - {id: room, name: the room, paths: [{to: hall}]}
  - {id: hall, name: the hall}
things: [{id: key, name: the key, at: room}]
events:
  - {id: hers, summary: x, gives: {key: mara}}
  - {id: his, summary: y, gives: {key: tom}}
"""
)
HALL = "---\ntitle: The hall\nsetting: hall\nending: true\n{head}---\nIt is a hall.\n"
BEATS = """\
cast: {{contingent: [tom]}}
leads_to: [{{to: hall}}]
beats:
  key-hers: {{when: {one}, happens: [hers]}}
  key-his: {{when: {other}, happens: [his]{more}}}
"""


def story(room, hall="", base=BASE):
    scenes = {"scenes/room.md": ROOM.format(head=room), "scenes/hall.md": HALL.format(head=hall)}
    return read({"story.yaml": base, **scenes}, without=("scenes/shore.md",))


def beats(one="{at: {who: player, place: room}}", other="{present: tom}", more=""):
    return BEATS.format(one=one, other=other, more=more)


def test_two_beats_that_put_a_thing_in_two_hands():
    (said,) = lines(story(beats()), "beats-contradict")
    assert said.startswith("scenes/room.md:8")
    assert "`key-hers` leaves `key` with `mara`, `key-his` with `tom`" in said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{present: tom}", "{not: {present: tom}}"),
        ("{present: tom}", "{told: room/key-hers}"),
        ("{present: tom}", "{happened: hers}"),
    ],
)
def test_two_that_rule_each_other_out_or_follow_are_fine(one, other):
    assert lines(story(beats(one, other)), "beats-contradict") == []


def test_somebody_who_goes_in_one_beat_and_is_there_in_another():
    room = (
        "leads_to: [{to: hall}]\nbeats:\n"
        "  key-hers: {when: {at: {who: player, place: room}},"
        " stage: {moves: [{who: [tom], kind: departs, to: [hall]}]}}\n"
        "  key-his: {when: {has: {who: player, thing: key}}, stage: {here: [tom]}%s}\n"
    )
    (said,) = lines(story(room % ""), "beats-contradict")
    assert said.startswith("scenes/room.md:7")
    assert "`tom` goes away in `key-hers` and is there in `key-his`" in said
    assert lines(story(room % ", with: [tom]"), "beats-contradict") == []


def test_a_start_that_cannot_be_revisited():
    hall = "leads_to: [{to: room, when: {at: {who: player, place: room}}}]\n"
    (said,) = lines(story("leads_to: [{to: hall}]\n", hall), "no-way-back")
    assert said.startswith("scenes/hall.md:5")
    again = story("revisitable: true\nleads_to: [{to: hall}]\n", hall)
    assert lines(again, "no-way-back") == []


def test_a_way_that_time_alone_opens():
    room = "leads_to: [{to: hall, when: {since: {turns: 3, of: {visited: room}}}%s}]\n"
    (said,) = [str(p) for p in story(room % "").notes if p.code == "time-waits"]
    assert said.startswith("scenes/room.md:4")
    assert [p for p in story(room % ", bridge: You go out.").notes if p.code == "time-waits"] == []


def test_acts_that_can_be_typed():
    for act in ("take", "light", "ask", "climb", "pump", "follow"):
        assert is_heard(act), act
    for act in ("took", "looking", "pick up", "very"):
        assert not is_heard(act), act


def test_an_act_that_no_line_is_read_as(tmp_path):
    text = BASE.replace("summary: x,", "summary: x, when: {did: {who: player, act: lit, to: key}},")
    (tmp_path / "scenes").mkdir()
    (tmp_path / "story.yaml").write_text(text)
    (tmp_path / "scenes" / "room.md").write_text(ROOM.format(head="leads_to: [{to: hall}]\n"))
    (tmp_path / "scenes" / "hall.md").write_text(HALL.format(head=""))
    out = CliRunner().invoke(app, ["check", str(tmp_path)]).stdout
    assert "story.yaml:16" in next(line for line in out.splitlines() if "`lit`" in line)
