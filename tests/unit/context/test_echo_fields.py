"""The echo source: what has changed since, whichever way; and nothing of it twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.layout import TOLD_ABOVE
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.sources.echo import echoes
from storykeeper.context.tail import RECENT
from storykeeper.context.window import assemble
from storykeeper.events import atoms as a
from storykeeper.events.vocabulary import Awareness
from storykeeper.story.knowledge import MoodShift, RelationShift, StoryEvent
from storykeeper.world.state import Mood, Standing
from strategies.guarded import who
from strategies.hills import world_of
from unit.context.test_sources_alone import act, one, past, seen, told

MOVED = {("bob", "ann"): Standing(affection=-0.4, shifts=1, last_shift=9)}


def rhyming(*, history=(), then=None, of=None, turn=20, **state):
    """The echo of turn 5, in which Ann gave Bob the cup as she does now."""
    first = past(5) if then is None else then
    line = seen(told() if of is None else of, act(turn, 1), text="I give Bob the cup", turn=turn,
                history=(first, *history), **state)  # fmt: skip
    return one(each for each in echoes(line) if each.id == "echo:5")


def shifted(by, dimension="affection", turn=9, of="bob", to="ann"):
    parts = (a.Participant(a.Role.ACTOR, *who(of)), a.Participant(a.Role.TARGET, *who(to)))
    moved = a.Atom(
        turn=turn, id=f"t{turn}.1", scene="first", what=a.RelationShifted(dimension, by),
        participants=parts,
        source=a.Source.RULE, confidence=a.Confidence(1.0), priority=a.Priority.NORMAL,
    )  # fmt: skip
    return PastTurn(turn, "first", "ann", "x", "It rains.", (moved,))


def event(*, moods=(), relations=()):
    """A story in which the first event does something to people."""
    first = StoryEvent(id="e1", summary="x", moods=moods, relations=relations)
    return told(events=(first, *told().events[1:]))


# ── how they stand ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("by", "dimension", "said"),
    [
        (-0.4, "affection", "has grown colder to Ann"),
        (0.3, "affection", "has grown fonder of Ann"),
        (0.3, "reliability", "has come to rely on Ann more"),
        (-0.3, "competence", "thinks Ann less able"),
        (-0.3, "benevolence", "trusts Ann less"),
        (0.3, "debt", "has come to owe Ann more"),
    ],
)
def test_it_says_which_way_a_standing_has_moved(by, dimension, said):
    found = rhyming(history=(shifted(by, dimension),), standings=MOVED)
    assert f"Since then Bob {said}" in found.full
    assert "moved:bob/ann" in found.sources


def test_what_moved_it_before_does_not_count():
    found = rhyming(history=(shifted(0.3, turn=4), shifted(-0.3)), standings=MOVED)
    assert "Since then Bob has grown colder to Ann" in found.full


def test_what_the_authors_events_did_counts():
    shift = RelationShift(from_="bob", to="player", dimension="affection", by=-0.4)
    found = rhyming(of=event(relations=(shift,)), standings=MOVED, happened={"e1": 9})
    assert "Since then Bob has grown colder to Ann" in found.full


def test_both_ways_are_said():
    own = {("ann", "bob"): Standing(affection=0.5, shifts=1, last_shift=9)}
    found = rhyming(history=(shifted(0.5, of="ann", to="bob"),), standings=own)
    assert "Since then Ann has grown fonder of Bob" in found.full


# ── how they feel ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("person", "name"), [("player", "Ann"), ("bob", "Bob")])
@pytest.mark.parametrize("now", [-0.4, -1.0])
def test_it_says_which_way_a_mood_has_gone(person, name, now):
    shift = MoodShift(who=person, valence=-0.4, determination=0.3)
    moods = {"ann": Mood(now, 0.5, 0.8), "bob": Mood(now, 0.5, 0.8)}
    found = rhyming(of=event(moods=(shift,)), moods=moods, happened={"e1": 9})
    assert f"Since then {name} has grown darker and more resolved" in found.full
    who_ = "ann" if person == "player" else "bob"
    assert f"shift:{who_}" in found.sources
    assert found.full.count("has grown") == 1


def test_nothing_has_moved_nothing_is_said():
    shift = MoodShift(who="bob", valence=-0.4)
    assert "Since then" not in rhyming(of=event(moods=(shift,)), happened={"e1": 5}).full
    assert "Since then" not in rhyming().full


def felt(turn, *, name="fear", awareness=Awareness.ARTICULATE, number=2, seen_by=("ann",)):
    shown = a.EmotionShown(name, -0.8, 0.9, 0.5, awareness)
    given = act(turn, number)
    parts = [a.Participant(a.Role.ACTOR, *who("bob"))]
    parts += [a.Participant(a.Role.WITNESS, each) for each in who(*seen_by)]
    return structs.replace(given, what=shown, participants=tuple(parts))


def with_atoms(turn, *atoms):
    return replace(past(turn), atoms=(*past(turn).atoms, *atoms))


def test_what_was_seen_of_a_feeling_then_is_set_beside_now():
    found = rhyming(then=with_atoms(5, felt(5)), moods={"bob": Mood(0.2, 0.4, 0.5)})
    assert "Since then Bob has grown lighter and calmer, from fear" in found.full
    defended = felt(5, awareness=Awareness.DEFENDED)
    found = rhyming(then=with_atoms(5, defended), moods={"bob": Mood(0.2, 0.4, 0.5)})
    assert "Since then Bob has grown lighter and calmer" in found.full
    assert "fear" not in found.full


def test_what_nobody_saw_of_it_is_not():
    found = rhyming(then=with_atoms(5, felt(5, seen_by=())), moods={"bob": Mood(0.2, 0.4, 0.5)})
    assert "Since then" not in found.full


def test_a_feeling_shown_since_hides_what_the_mood_was():
    shift = MoodShift(who="bob", valence=0.4)
    shown = replace(past(12), atoms=(felt(12, number=1),))
    found = rhyming(of=event(moods=(shift,)), history=(shown,), happened={"e1": 9})
    assert "has grown" not in found.full


def test_of_several_players_it_is_not_kept_whose_turn_it_was():
    shift = MoodShift(who="player", valence=-0.4)
    both = structs.replace(event(moods=(shift,)), players=("ann", "bob"))
    assert "has grown" not in rhyming(of=both, happened={"e1": 9}).full


def test_of_one_who_is_gone_nothing_is_said():
    shift = MoodShift(who="bob", valence=-0.4)
    found = rhyming(of=event(moods=(shift,)), happened={"e1": 9}, standings=MOVED,
                    places={"ann": "hall", "bob": "hill"})  # fmt: skip
    assert "Since then" not in found.full


# ── nothing twice ────────────────────────────────────────────────────────────────────────────


def window(history, *, recalled, tokens=3_300):
    """A window in which Ann gives Bob the cup, as she did in turn 5."""
    now = history[-1].turn + 1
    world = world_of(told(), scene="first", now=now - 1)
    found = tuple(Recalled(f"turn:{t.turn}", 1.0, 0.9, t) for t in history if t.turn == recalled)
    present = PresentTurn(now, "ann", "I give Bob the cup", (act(now, 1),))
    return assemble(world, history, present, audience="narrator", tokens=tokens,
                    count=lambda text: len(text) // 3, recalled=found)  # fmt: skip


def quiet(turn, words=3):
    return PastTurn(turn, "first", "ann", "I wait.", "It rains. " * words, ())


def sources(shown, *origins):
    found = (each.candidate for each in shown.items if each.candidate.origin in origins)
    return [source for candidate in found for source in candidate.sources]


def test_of_a_turn_that_stands_word_for_word_there_is_no_echo():
    shown = window((past(5), *(quiet(t, words=1) for t in range(6, 20))), recalled=5)
    assert "turn:5" in sources(shown, RECENT)
    left = {each.id: each.reason for each in shown.receipt.left_out}
    assert left["echo:5"] == TOLD_ABOVE
    assert shown.text.count("Bob takes it") == 1


def test_nor_of_what_the_story_so_far_quotes_and_it_is_quoted_once():
    """Where the story so far has no room for it the echo says it."""
    turns, found = (past(5), *(quiet(t, words=60) for t in range(6, 20))), set()
    for tokens in range(900, 3_000, 100):
        shown = window(turns, recalled=5, tokens=tokens)
        quoted = "piece:5/1" in sources(shown, SO_FAR, RECENT)
        whole = "turn:5" in sources(shown, RECENT)
        assert ("echo:5" in shown.shown) is not (quoted or whole)
        assert shown.text.count("Bob takes it") == 1
        found.add(quoted)
    assert found == {True, False}


def test_what_an_echo_quotes_is_no_memory_besides():
    turns = (past(5), *(quiet(t, words=60) for t in range(6, 20)))
    shown = window(turns, recalled=5, tokens=700)
    assert "piece:5/1" in sources(shown, "echo")
    assert "piece:5/1" not in sources(shown, "recalled", "earlier")
