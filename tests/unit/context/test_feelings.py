"""Whose feelings are shown to whom: their owner's; the narrator acts whom nobody plays (F8.15)."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.events.changes import EventHappened
from storykeeper.events.vocabulary import Awareness, Dimension
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import MoodShift, RelationShift, StoryEvent
from storykeeper.story.model import NARRATOR
from storykeeper.story.people import Feeling, Mood
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.evolve import evolve
from strategies.parlour import engine, parlour, tell

PEOPLE = ("ann", "mara", "tom", "eve")


def around(audience, *, players=("ann",), turn_of="ann", **state):
    """The line around somebody; Ann, Mara and Tom are in the parlour, Eve is in the garden."""
    world = engine(structs.replace(parlour(), players=players)).world()
    world = structs.replace(world, **{k: tuple(map(EntityId, v)) for k, v in state.items()})
    present = PresentTurn(TurnNo(1), EntityId(turn_of), "I wait.")
    return Boundary(world, (), present, audience=audience)


def moods(boundary):
    return {who for who in PEOPLE if boundary.open(f"mood:{who}")}


def edges(boundary):
    pairs = [(of, to) for of in PEOPLE for to in PEOPLE if of != to]
    return {f"{of}/{to}" for of, to in pairs if boundary.open(f"relation:{of}/{to}")}


@pytest.mark.parametrize("who", PEOPLE)
def test_a_character_has_its_own_and_nobody_elses(who):
    line = around(who)
    assert moods(line) == {who}
    assert all(edge.startswith(f"{who}/") for edge in edges(line))


def test_the_narrator_acts_those_in_the_scene():
    line = around(NARRATOR)
    assert moods(line) == {"ann", "mara", "tom"}
    assert edges(line) == {"ann/mara", "ann/tom", "mara/ann", "mara/tom", "tom/ann", "tom/mara"}


@pytest.mark.parametrize("state", ["hidden", "invisible"])
def test_who_is_not_seen_shows_nothing_and_nobody_shows_it_of_them(state):
    line = around(NARRATOR, **{state: ("tom",)})
    assert moods(line) == {"ann", "mara"}
    assert edges(line) == {"ann/mara", "ann/tom", "mara/ann"}  # Ann has met him, and it is hers


def test_a_player_who_hides_still_has_what_others_feel_for_them():
    line = around(NARRATOR, hidden=("ann",))
    assert moods(line) == {"ann", "mara", "tom"}
    assert "mara/ann" in edges(line)


@pytest.mark.parametrize(("turn_of", "other"), [("ann", "tom"), ("tom", "ann")])
def test_what_another_players_character_feels_is_not_the_narrators_to_show(turn_of, other):
    line = around(NARRATOR, players=("ann", "tom"), turn_of=turn_of)
    assert moods(line) == {turn_of, "mara"}
    assert not [edge for edge in edges(line) if edge.startswith(f"{other}/")]
    assert f"mara/{other}" in edges(line)  # whom the narrator acts


def test_nobody_stands_anyhow_toward_one_of_whom_they_do_not_know():
    assert not around("ann").open("relation:ann/eve")
    assert not around(NARRATOR).open("relation:ann/eve")


# ── in windows ───────────────────────────────────────────────────────────────────────────────

WAITS = Condition(did=Did(who="player", act="wait"))


def stirred(*, moods=(), relations=(), players=("ann",)):
    """Something happens while Ann waits, and nobody perceives it."""
    event = StoryEvent(id="e", summary="x", when=WAITS, moods=moods, relations=relations)
    grief = Feeling(
        name="grief", awareness=Awareness.ARTICULATE, toward="eve", shown_as="counts the cups"
    )
    base = parlour()
    cast = [structs.replace(each, mood=Mood(feelings=(grief,))) for each in base.cast]
    return structs.replace(base, events=(event,), cast=tuple(cast), players=players)


def windows(story, *audiences, player="ann"):
    keeper = engine(story)
    tell(keeper, "“It rains,” says Tom. Mara looks at Ann.")
    tell(keeper, "The rain goes on.", "I wait.")
    turn = keeper.begin("I look at Mara and Tom.", player=player)
    return {who: keeper.window(who, text=turn.present.text).text for who in audiences}


def dark(who):
    return MoodShift(who=who, valence=-0.9, arousal=0.4)


def cold(who, whom):
    return RelationShift(from_=who, to=whom, dimension=Dimension.AFFECTION, by=-0.9)


@pytest.mark.parametrize("who", PEOPLE)
def test_what_moved_others_unseen_changes_no_byte_of_a_characters_window(who):
    others = [each for each in PEOPLE if each != who]
    moved = stirred(
        moods=tuple(map(dark, others)),
        relations=tuple(cold(a, b) for a in others for b in PEOPLE if a != b),
    )
    assert windows(moved, who) == windows(stirred(), who)


def test_the_narrator_has_the_effect_and_not_the_cause():
    still, moved = (
        windows(stirred(moods=m, relations=r), NARRATOR)[NARRATOR]
        for m, r in (((), ()), ((dark("tom"),), (cold("tom", "ann"),)))
    )
    card = next(line for line in moved.splitlines() if line.startswith("- Tom "))
    assert "Seems low and stirred" in card
    assert "Tom deeply dislikes Ann" in card
    assert "low" not in next(line for line in still.splitlines() if line.startswith("- Tom "))
    assert "Eve" not in moved  # whom the grief is for, and nobody here has met


def test_nor_does_it_show_what_another_player_feels():
    for audience in (NARRATOR, "ann"):
        still, moved = (
            windows(stirred(moods=m, relations=r, players=("ann", "tom")), audience)
            for m, r in (((), ()), ((dark("tom"),), (cold("tom", "ann"),)))
        )
        assert moved == still


def test_who_hides_shows_nothing_in_a_window_though_something_moves_them():
    def seen(story):
        keeper = engine(story)
        tell(keeper, "“It rains,” says Tom. Tom hides behind the curtain.")
        tell(keeper, "The rain goes on.", "I wait.")
        turn = keeper.begin("I look at Mara.")
        assert keeper.world().hidden == ("tom",)
        return keeper.window(NARRATOR, text=turn.present.text).text

    moved = stirred(moods=(dark("tom"),), relations=(cold("tom", "ann"), cold("mara", "tom")))
    assert seen(moved) == seen(stirred())


def test_a_shift_of_who_is_out_of_sight_is_no_news():
    world = engine(stirred(moods=(dark("tom"),))).world()
    now = EventHappened(TurnNo(1), "e")
    for hidden, open_ in (((), True), (("tom",), False)):
        state = structs.replace(evolve(world, now), hidden=tuple(map(EntityId, hidden)))
        line = Boundary(
            state, (), PresentTurn(TurnNo(1), EntityId("ann"), "", (now,)), audience=NARRATOR
        )
        assert line.open("shift:tom") is open_
