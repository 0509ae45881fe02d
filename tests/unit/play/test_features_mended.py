"""Gates of the players, gates that a word would open, and the nearest of several moods."""

from __future__ import annotations

from msgspec import structs

from storykeeper.story.conditions import Condition, Knows, RelationRange
from storykeeper.story.scenes import Gate, MoodTarget
from storykeeper.world.state import Mood, Standing
from strategies.hills import asks, happened, learned
from unit.play.test_features import LIKES, of_bob, told

EVENTS = {"e1": 1, "e2": 1, "e3": 1}


def door(condition):
    return Gate(id="door", conditions=(*map(happened, EVENTS), condition))


def test_a_gate_that_hangs_on_a_player_hangs_on_who_they_play():
    toward = Condition(relation=RelationRange(from_="bob", to="player", dimension="affection",
                                              at_least=0.9))  # fmt: skip
    held = {**LIKES, ("bob", "ann"): Standing(affection=0.5)}
    plain = {e.toward: e.weight for e in of_bob(told(), standings=held, happened=EVENTS).edges}
    near = of_bob(told(gate=door(toward)), standings=held, happened=EVENTS)
    weights = {e.toward: e.weight for e in near.edges}
    assert [each.gate for each in near.gates] == ["door"]
    assert weights["ann"] / weights["cy"] > plain["ann"] / plain["cy"]


def test_whoever_knows_what_a_player_must_learn_could_open_it():
    story = told(gate=door(Condition(knows=Knows(who="player", fact="f4"))))
    assert of_bob(story, happened=EVENTS).gates == ()
    knows = of_bob(story, happened=EVENTS, known=learned("f4", by="bob"))
    assert [each.gate for each in knows.gates] == ["door"]


def test_of_several_moods_the_nearest_leans():
    grim, glad = MoodTarget(valence=-0.8), MoodTarget(valence=0.8)
    story = told(mood=grim)
    peak = next(each for each in story.scenes if each.id == "peak")
    both = structs.replace(peak, approach=(asks(mood=grim), asks(mood=glad)))
    story = structs.replace(
        story, scenes=tuple(both if each.id == "peak" else each for each in story.scenes)
    )
    assert of_bob(story, moods={"ann": Mood(valence=0.7)}).framing.toward == glad
    assert of_bob(story, moods={"ann": Mood(valence=-0.7)}).framing.toward == grim
