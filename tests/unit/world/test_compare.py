"""Two worlds compared, in words."""

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.events.vocabulary import Awareness, Dimension, Tier
from storykeeper.story.adopt import adoption
from storykeeper.world import compare
from storykeeper.world.compare import Change, difference
from storykeeper.world.fold import fold
from storykeeper.world.state import World
from strategies.tables import table
from strategies.worlds import atom, begun, house, play, scene_changed

FELT = a.EmotionShown("joy", 0.5, 0.9, 0.2, Awareness.ARTICULATE)
CALM = "valence 0.00, arousal 0.50, determination 0.50"
GLAD = "valence 0.50, arousal 0.90, determination 0.20; joy 0.90 (articulate)"
NO_WEIGHT = "weight 0.00 in 0 events"
FORMED = ch.BeliefFormed(2, "bob", "b1", "x", "heard", 0.5)

ROWS = [
    (t.TurnCommitted(4), ["turn : 0 → 4", "turns in the scene : 0 → 1"]),
    (atom(a.Moved("attic"), actor="ann"),
     ["place ann: hall → attic",
      "seen ann: hall (turn 0, by ann bob) → hall (turn 0, by ann bob), attic (turn 1, by ann)",
      "seen eve: attic (turn 0, by eve) → attic (turn 0, by eve), attic (turn 1, by ann)"]),
    (atom(a.Moved("ann"), subject="letter"), ["holder letter: bob → ann"]),
    (atom(a.RelationShifted(Dimension.DEBT, 0.3), actor="bob", target="ann"),
     ["debt bob → ann: 0.00 → 0.30", "shifts bob → ann: 0 → 1"]),
    (atom(FELT, actor="bob"),
     [f"mood bob: {CALM} → {GLAD}"]),
    (atom(a.ActionTaken("ask", "key"), actor="ann", target="bob"),
     ["deeds : who ann, act ask, to bob, about key"]),
    (scene_changed("hall-scene", "entered"),
     ["present scene : hall-scene", "scene hall-scene: active, 1 visit"]),
    (ch.SecretRevealed(3, "secret", ("ann",), "saw"),
     ["knowledge ann · secret: suspects (heard, turn 0) → knows (saw, turn 3)"]),
    (t.Corrected(3, "secret", "", "secret", ("bob",)),
     ["knowledge bob · secret: knows (saw, turn 0) → nothing"]),
    (ch.BeatTold(3, "hall-scene", "rung"), ["beat hall-scene/rung: turn 3"]),
    (ch.ActMatched(3, "ann", "ask", "bob"), ["deeds : who ann, act ask, to bob"]),
    (ch.FactGuessed(3, "ann", "secret"), ["guesses ann: secret"]),
    (ch.GateOpened(3, "hatch"), ["gate hatch: turn 3"]),
    (ch.ConditionTurned(3, "abc", holds=True), ["mark abc: first in turn 3, still so"]),
    (ch.LayerEntered(3, "tale", "hall-scene"),
     ["layer tale: 1 visit, bumps 0.05", "layer stack : tale from hall-scene"]),
    (ch.LayerMerged(3, "tale", {"fox": "ann"}),
     ["is fox: ann", "layer tale: 0 visits, bumps 0.00, merged"]),
    (ch.ProphecyBorn(3, "omen", "storm"), ["prophecy omen: spoken in turn 3, reinforced by 0.00"]),
    (ch.ProphecyFulfilled(3, "omen", "x"), ["prophecy omen: fulfilled in turn 3"]),
    (ch.EntityDemoted(3, "key", Tier.TRACKED, Tier.REFERENCED, ""),
     [f"entity the key (key): tracked, {NO_WEIGHT} → referenced, {NO_WEIGHT}"]),
    (FORMED, ["belief b1: bob believes it (heard)"]),
    (ch.BeliefSuperseded(3, "eve", "eve:lie", "b1"),
     ["belief eve:lie: eve believes it (told by bob) → eve believed it"]),
    (t.InputReceived(3, "ann", "I go."), ["pending turn : turn 3, player ann, text I go."]),
]  # fmt: skip


@table("record, said", ROWS)
def test_a_difference_in_words(record, said):
    before = begun()
    after = fold([record], before)
    lines = [str(change).replace(", take 0, takes 0", "") for change in difference(before, after)]
    assert lines == said
    back = difference(after, before)
    assert [(c.what, c.key, c.after, c.before) for c in back] == [
        (c.what, c.key, c.before, c.after) for c in difference(before, after)
    ]


def test_the_same_world_is_not_different():
    assert difference(begun(), begun()) == ()


def test_another_story_is_said():
    (change,) = difference(begun(), fold([adoption(house(version="2"), turn=1)], begun()))
    assert (change.what, change.key) == ("story", "house")
    assert change.before.startswith("version 1 (")
    assert change.after.startswith("version 2 (")


def test_a_difference_too_small_for_two_digits_is_still_one():
    tiny = atom(a.RelationShifted(Dimension.AFFECTION, 0.001), actor="ann", target="bob")
    change = difference(begun(), fold([tiny], begun()))[0]
    assert change == Change("affection", "ann → bob", "0.2", "0.201")


def test_differences_are_sorted():
    world = play(begun(), ["", "I ring.", "I listen."])[1]
    changes = difference(begun(), world)
    assert list(changes) == sorted(changes)
    assert len(set(changes)) == len(changes) > 20
    assert all(change.before != change.after for change in changes)


def test_every_field_of_a_world_is_compared():
    apart = {"plan", "standings", "known", "register"}
    assert {*compare._CALLED, *apart, *compare.DERIVED} == set(World.__struct_fields__)
    assert not {*compare._CALLED, *apart} & compare.DERIVED
