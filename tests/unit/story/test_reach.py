"""What can come about, and what never will."""

import pytest

from storykeeper.bench.stories import big_story
from storykeeper.story.reach import reach
from strategies.small import codes, lines, read
from strategies.tables import table

STORY = """\
id: tower
title: Tower
players: [mara]
start: shore
voice: Plain.
cast:
  - {id: mara, name: Mara, line: x, at: beach}
  - {id: bo, name: Bo, line: x, at: attic}
settings:
  - {id: beach, name: Beach, paths: [{to: stairs}]}
  - {id: stairs, name: Stairs, paths: [{to: attic}]}
  - {id: attic, name: Attic}
  - {id: moon, name: Moon, paths: [{to: beach, one_way: true}]}
things:
  - {id: rope, name: rope, at: moon}
  - {id: lamp, name: lamp, held_by: bo}
  - {id: key, name: key}
facts:
  - {id: open-fact, full: x, known_by: {bo: saw}}
  - {id: lonely, full: x}
  - {id: guarded, full: x, hint: y, secret: true, known_by: {bo: saw},
     revealed_by: [{when: {told: shore/opening}}]}
events:
  - {id: storm, summary: x, when: {visited: attic-scene}}
  - {id: gift, summary: x, gives: {key: mara}}
"""
SHORE = """\
---
title: Shore
setting: beach
leads_to: [{to: attic-scene}]
gates:
  - {id: gate, conditions: [CONDITION]}
---
The tide.
"""
ATTIC = "---\ntitle: Attic\nending: true\ncast: {required: [bo]}\n---\nDust.\n"


def with_gate(condition, story=STORY, more=()):
    files = {"story.yaml": story, "scenes/shore.md": SHORE.replace("CONDITION", condition),
             "scenes/attic-scene.md": ATTIC, **dict(more)}  # fmt: skip
    return read(files)


@table(
    "condition",
    [
        "{knows: {who: player, fact: guarded}}",
        "{knows: {who: mara, fact: open-fact}}",  # Bo can be met, and it is no secret
        "{knows: {who: bo, fact: guarded}}",
        "{holds: lonely}",
        "{at: {who: player, place: attic}}",
        "{at: {who: bo, place: beach}}",
        "{at: {who: player, place: stairs}, present: bo}",
        "{has: {who: player, thing: lamp}}",
        "{happened: storm}",
        "{visited: attic-scene}",
        "{completed: attic-scene}",
        "{told: attic-scene/opening}",
        "{did: {who: player, act: ask, to: bo, about: rope}}",
        "{mood: {who: bo, valence: 1}}",
        "{relation: {from: bo, to: player, dimension: debt, at_least: 1}}",
        "{not: {knows: {who: player, fact: lonely}}}",
        "{any: [{happened: gift}, {happened: storm}]}",
        "{threshold: {at_least: 1, of: [{happened: gift}, {happened: storm}]}}",
        "{since: {turns: 3, of: {happened: storm}}}",
        "{within: {turns: 3, of: {happened: storm}}}",
        "{sequence: [{happened: storm}, {told: shore/opening}]}",
    ],
)
def test_what_can_come_about_opens_a_gate(condition):
    assert lines(with_gate(condition), "gate-shut") == []


@table(
    "condition, why",
    [
        ("{knows: {who: player, fact: lonely}}", "`player` can never know `lonely`"),
        ("{at: {who: player, place: moon}}", "`player` can never be at `moon`"),
        ("{has: {who: bo, thing: rope}}", "`bo` can never hold `rope`"),
        ("{has: {who: player, thing: key}}", "`player` can never hold `key`"),
        ("{happened: gift}", "the event `gift` can never happen"),
        ("{opened: gate}", "the gate `gate` can never open"),
        ("{all: [{happened: storm}, {happened: gift}]}", "the event `gift` can never happen"),
        ("{any: [{happened: gift}, {opened: gate}]}", "the event `gift` can never happen"),
        ("{threshold: {at_least: 2, of: [{happened: gift}, {happened: storm}]}}", "`gift`"),
        ("{since: {turns: 1, of: {happened: gift}}}", "`gift`"),
        ("{within: {turns: 1, of: {happened: gift}}}", "`gift`"),
        ("{sequence: [{happened: storm}, {happened: gift}]}", "`gift`"),
        ("{happened: storm, at: {who: mara, place: moon}}", "`moon`"),
    ],
)
def test_what_never_can_keeps_a_gate_shut_and_says_why(condition, why):
    reading = with_gate(condition)
    (said,) = lines(reading, "gate-shut")
    assert said.startswith("scenes/shore.md:6:")
    assert why in said
    assert reading.story is None


def test_somebody_out_of_reach_is_never_present():
    far = STORY.replace("at: attic}", "at: moon}")
    attic = ATTIC.replace("cast: {required: [bo]}\n", "")
    reading = with_gate("{present: bo}", far, {"scenes/attic-scene.md": attic})
    assert "`bo` can never be present" in lines(reading, "gate-shut")[0]


def test_a_layer_is_entered_by_its_portal_and_left_by_its_exit():
    layer = "layers:\n- {id: tale, name: Tale, kind: dream, scenes: [dream],\n"
    layer += "   portals: [{from: shore, to: dream}], exits: [{from: dream, to: island}]}\n"
    scene = "---\ntitle: x\nrequired: true\n---\nx\n"
    more = {"scenes/dream.md": scene, "scenes/island.md": scene}
    reading = with_gate("{visited: tale, completed: island}", STORY + layer, more)
    assert codes(reading) == ["never-happens"]  # the gift
    shut = layer.replace("to: dream}]", "to: dream, when: {happened: gift}}]")
    reading = with_gate("{holds: lonely}", STORY + shut, more)
    assert {"unreachable", "layer-closed", "never"} <= set(codes(reading))


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        ("known_by: {bo: saw}", "error"),
        ("known_by: {bo: saw}, revealed_by: [{when: {happened: gift}}]", "error"),
        ("known_by: {bo: saw}, revealed_by: [{when: {happened: storm}, to: [bo]}]", "error"),
        (
            "known_by: {bo: saw}, revealed_by: [{when: {happened: storm}, suspects: true}]",
            "warning",
        ),
        ("known_by: {bo: saw}, revealed_by: [{when: {happened: storm}}]", None),
        ("known_by: {bo: saw}, revealed_by: [{when: {happened: storm}, to: [present]}]", None),
        ("revealed_by: [{when: {happened: storm}, to: [bo]}]", None),
        ("known_by: {player: saw}", None),
        ("known_by: {mara: saw}", None),
    ],
)
def test_a_secret_must_be_learnable_by_somebody(fact, code):
    story = STORY.replace(
        "events:", f"  - {{id: kept, full: x, hint: y, secret: true, {fact}}}\nevents:"
    )
    reading = with_gate("{holds: lonely}", story)
    found = [(p.severity, p.file) for p in reading.problems if p.code == "secret-kept"]
    assert found == ([(code, "story.yaml")] if code else [])


def test_beats_events_and_gates_reveal_secrets():
    story = STORY.replace("events:", "  - {id: kept, full: x, hint: y, secret: true}\nevents:")
    assert lines(with_gate("{holds: lonely}", story), "secret-kept")
    gate = SHORE.replace("CONDITION]", "{holds: lonely}], reveals: [kept]")
    assert not lines(with_gate("", story, {"scenes/shore.md": gate}), "secret-kept")
    event = story.replace(
        "when: {visited: attic-scene}", "reveals: [kept], when: {told: shore/opening}"
    )
    assert not lines(with_gate("{holds: lonely}", event), "secret-kept")
    beat = SHORE.replace("gates:", "beats: {opening: {reveals: [kept]}}\ngates:")
    beat = beat.replace("CONDITION", "{holds: lonely}")
    assert not lines(with_gate("", story, {"scenes/shore.md": beat}), "secret-kept")


def test_unreachable_scenes_and_prophecies_are_warnings():
    prophecy = "prophecies: [{id: p, source: gift, target: island}]\n"
    island = {"scenes/island.md": "---\ntitle: x\n---\nx\n"}
    reading = with_gate("{holds: lonely}", STORY + prophecy, island)
    assert sorted(codes(reading)) == [
        "never-happens", "prophecy-target", "prophecy-unborn", "unreachable",
    ]  # fmt: skip
    assert reading.story is not None


def test_a_story_without_an_ending_is_a_warning():
    attic = ATTIC.replace("ending: true\n", "")
    assert "no-ending" in codes(with_gate("{holds: lonely}", more={"scenes/attic-scene.md": attic}))


def test_in_a_big_story_everything_can_come_about():
    story = big_story(scenes=120, seed=3)
    found = reach(story)
    assert all(("entered", scene.id) in found for scene in story.scenes)
    assert all(("happened", event.id) in found for event in story.events)
    assert all(("knows", "person-0", fact.id) in found for fact in story.facts)
