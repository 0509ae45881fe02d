"""What each candidate would bring into a scene, and each row of the table that this decides."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.sources import proposals
from storykeeper.context.window import assemble
from storykeeper.events import atoms as a
from storykeeper.events.changes import IntentPredicted, MoodDelta, SecretRevealed
from storykeeper.events.vocabulary import Awareness
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.temperature import Valence
from storykeeper.story.knowledge import Bearing, Fact
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Feeling, Mood, ProphecyState, Standing
from strategies.hills import learned, world_of
from unit.context.test_layer_fields import UNDER
from unit.context.test_sources_alone import act, past, seen, told

V = Valence
MOVED = IntentPredicted(20, "bob", "to leave", 0.8, mood=MoodDelta(arousal=0.2))


def proposed(item, *decided, of=None, text="I look at Bob.", **more):
    line = seen(told() if of is None else of, *decided, text=text, **more)
    found = proposals(line, told_above=frozenset(), landscape=landscape(line.world))
    return next(each for each in found if each.id == item).valence


# ── people ───────────────────────────────────────────────────────────────────────────────────

MOODS = [
    (Mood(-0.4, 0.8), V.TENSION),
    (Mood(0.1, 0.8, 0.8), V.URGENCY),
    (Mood(0.5, 0.5), V.CONNECTION),
    (Mood(0.1, 0.2), V.CALM),
    (Mood(-0.3, 0.2), V.REFLECTION),
]


@pytest.mark.parametrize(("mood", "valence"), MOODS)
def test_a_mood(mood, valence):
    assert proposed("emotion:bob", MOVED, text="", moods={"bob": mood}) is valence
    assert proposed("entity:bob", moods={"bob": mood}) in (valence, V.NEUTRAL)


@pytest.mark.parametrize(
    ("standing", "valence"),
    [
        (Standing(affection=-0.6), V.CONFLICT),
        (Standing(benevolence=-0.6), V.CONFLICT),
        (Standing(affection=0.6), V.TENDERNESS),
        (Standing(reliability=0.6), V.NEUTRAL),
    ],
)
def test_how_somebody_stands(standing, valence):
    edges = {("bob", "ann"): standing}
    assert proposed("entity:bob", standings=edges, moods={"bob": Mood()}) is valence


def test_what_is_not_shown_colours_nothing():
    """To Eve's card nothing is open of how she stands and feels: she is on the hill."""
    state = {"standings": {("eve", "ann"): Standing(affection=-0.9)},
             "moods": {"eve": Mood(-0.9, 0.9)}}  # fmt: skip
    assert proposed("entity:eve", text="I think of Eve.", **state) is V.NEUTRAL


# ── places, things, facts ────────────────────────────────────────────────────────────────────


def test_what_is_described():
    assert proposed("entity:ring", text="I look at the ring.") is V.EXPOSITION


@pytest.mark.parametrize(("weight", "valence"), [(0.9, V.STAKES), (0.5, V.EXPOSITION)])
def test_what_is_known(weight, valence):
    fact = Fact(id="f1", full="The well is dry.", about=("bob",), weight=weight,
                bears_on=(Bearing(from_="bob", to="ann", note="It stings."),))  # fmt: skip
    of = told(facts=(fact,), peak=structs.replace(told().scenes[1], gates=()))
    assert proposed("fact:f1", of=of, known=learned("f1")) is valence
    news = SecretRevealed(20, "f1", ("ann",), "saw")
    world = evolve(world_of(of), news)
    state = {"known": world.known}
    assert proposed("revelation:f1", news, of=of, **state) is valence
    assert proposed("bearing:f1/bob/ann", news, of=of, **state) is V.REFLECTION


def test_what_is_suspected_is_tense_and_says_no_more():
    for weight in (0.1, 0.9):
        fact = Fact(id="f1", full="The well is dry.", hint="A dry bucket.", weight=weight)
        of = told(facts=(fact,), peak=structs.replace(told().scenes[1], gates=()))
        known = learned("f1", suspected=True)
        assert proposed("hint:f1", of=of, known=known) is V.TENSION
        news = SecretRevealed(20, "f1", ("ann",), "saw", suspected=True)
        assert proposed("revelation:f1", news, of=of, known=known) is V.NEUTRAL


# ── what happened ────────────────────────────────────────────────────────────────────────────

K = a.ImplicationKind
MOMENTS = [
    ((K.CONFLICT, 0.0), V.CONFLICT),
    ((K.CARE, 0.5), V.TENDERNESS),
    ((K.TRUST, 0.5), V.CONNECTION),
    ((K.EMOTIONAL_CONNECTION, 0.5), V.CONNECTION),
    ((K.TRUST, -0.5), V.ROUTINE),
    (None, V.ROUTINE),
]


def told_turn(*atoms):
    return PastTurn(5, "first", "ann", "I give Bob the cup", "Bob takes it.", atoms)


def recalled(turn):
    found = (Recalled("turn:5", 1.0, 0.1, turn),)
    return proposed("recalled:5", text="x", history=(turn,), recalled=found)


@pytest.mark.parametrize(("implied", "valence"), MOMENTS)
def test_a_moment(implied, valence):
    kinds = () if implied is None else (a.Implication(implied[0], 0, 1, 0.5, implied[1]),)
    assert recalled(told_turn(structs.replace(act(5, 1), implications=kinds))) is valence


def test_a_moment_in_which_nothing_happened_is_calm_and_a_hot_one_tense():
    assert recalled(told_turn()) is V.CALM
    shown = a.EmotionShown("fear", -0.8, 0.9, 0.5, "articulate")
    assert recalled(told_turn(structs.replace(act(5, 1), what=shown))) is V.TENSION


def test_what_nobody_saw_of_it_colours_nothing():
    fight = structs.replace(act(5, 2, by="eve"),
                            implications=(a.Implication(K.CONFLICT, 0, 1, 0.5),))  # fmt: skip
    assert recalled(told_turn(act(5, 1), fight)) is V.ROUTINE


# ── what leans on the story, and what rhymes ─────────────────────────────────────────────────


def test_what_leans_on_it():
    born = {"prophecies": {"coal": ProphecyState(3, last=3)}}
    assert proposed("gravity:peak") is V.TENSION
    assert proposed("prophecy:coal", **born) is V.TENSION
    assert proposed("reread:tale", of=told(layers=(UNDER,)), happened={"e2": 4}) is V.REFLECTION


def test_an_echo():
    now = {"text": "I give Bob the cup", "history": (past(5),)}
    assert proposed("echo:5", act(20, 1), **now) is V.REFLECTION


# ── the table ────────────────────────────────────────────────────────────────────────────────

HOT, COOL, MILD = 0.9, 0.1, 0.5
TABLE = {
    V.TENSION: (1.2, 0.7), V.STAKES: (1.2, 1.0), V.CONFLICT: (1.2, 1.0), V.URGENCY: (1.0, 0.7),
    V.CALM: (0.7, 1.0), V.ROUTINE: (0.7, 1.0), V.EXPOSITION: (0.7, 1.0),
    V.REFLECTION: (1.0, 1.2), V.CONNECTION: (1.0, 1.2), V.TENDERNESS: (1.0, 1.2),
    V.NEUTRAL: (1.0, 1.0),
}  # fmt: skip


def factors(heat):
    """What the heat of a scene makes of everything in one crowded window: by valence."""
    fact = Fact(id="f1", full="The well is dry.", about=("bob",), weight=0.9)
    of = told(facts=(fact,), peak=structs.replace(told().scenes[1], gates=()), layers=(UNDER,))
    first = structs.replace(of.scenes[0], temperature=heat)
    of = structs.replace(of, scenes=(first, *of.scenes[1:]))
    older = [
        PastTurn(number, "inner", "ann", f"words {number}", "It rains.", atoms)
        for number, atoms in enumerate(_moments(), start=1)
    ]
    moods = {
        "bob": Mood(),
        "ann": Mood(0.1, 0.8, 0.8, (Feeling("hope", 0.5, Awareness.ARTICULATE),)),
    }
    world = world_of(
        of,
        scene="first",
        now=19,
        moods=moods,
        happened={"e2": 4},
        known=learned("f1"),
        standings={("bob", "ann"): Standing(reliability=0.6)},
    )
    found = tuple(Recalled(f"turn:{t.turn}", 1.0, 0.1, t) for t in older)  # no more at hand
    turns = [PastTurn(n, "inner", "ann", "I wait.", "It rains.", ()) for n in (17, 18, 19)]
    moved = (structs.replace(MOVED, who="ann"), act(20, 1))
    present = PresentTurn(20, "ann", "I show Bob the ring.", moved)
    made = assemble(world, turns, present, audience="narrator", tokens=20_000,
                    count=lambda text: len(text) // 3, recalled=found)  # fmt: skip
    assert made.receipt.heat == pytest.approx(heat)
    shown = {}
    for each in made.items:
        if each.candidate.tier == 3:
            shown.setdefault(each.candidate.valence, set()).add(each.candidate.terms.temperature)
    return shown


def _moments():
    """One turn of every kind that can be remembered."""
    for implied, _ in MOMENTS[:4]:
        yield (structs.replace(act(1, 1), implications=(a.Implication(implied[0], 0, 1, 0.5),)),)
    yield (act(1, 1),)
    yield ()


@pytest.mark.parametrize(("heat", "place"), [(HOT, 0), (COOL, 1), (MILD, None)])
def test_every_row_of_the_table_bears_on_a_window(heat, place):
    found = factors(heat)
    wanted = {v: {1.0 if place is None else row[place]} for v, row in TABLE.items()}
    assert found == wanted
