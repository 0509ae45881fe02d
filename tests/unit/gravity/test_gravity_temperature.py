"""How hot scenes run, and what that favours."""

import pytest
from msgspec import structs

from storykeeper.events.atoms import (
    ActionTaken,
    EmotionShown,
    Implication,
    ImplicationKind,
    InformationTold,
    RelationShifted,
    SpeechUttered,
)
from storykeeper.events.vocabulary import Awareness, Dimension
from storykeeper.gravity.temperature import Valence, favour, intensity, temperature
from strategies.worlds import atom

HOT = {"tension": 1.2, "stakes": 1.2, "conflict": 1.2, "calm": 0.7, "routine": 0.7,
       "exposition": 0.7}  # fmt: skip
COOL = {"reflection": 1.2, "connection": 1.2, "tenderness": 1.2, "tension": 0.7, "urgency": 0.7}


@pytest.mark.parametrize("valence", Valence)
@pytest.mark.parametrize(
    ("warmth", "table"),
    [(1.0, HOT), (0.66, HOT), (0.6599, {}), (0.5, {}), (0.3301, {}), (0.33, COOL), (0.0, COOL)],
)
def test_what_the_moment_wants(warmth, table, valence):
    assert favour(warmth, valence, most=1.2, least=0.7) == table.get(valence, 1.0)


def test_its_range_is_the_authors_to_turn():
    assert favour(1.0, Valence.STAKES, most=2.0, least=0.5) == 2.0
    assert favour(0.0, Valence.URGENCY, most=2.0, least=0.5) == 0.5


def test_it_begins_where_the_author_says_and_halves_in_three_turns():
    assert temperature(0.8, ()) == 0.8
    assert temperature(0.8, [0.0] * 3) == pytest.approx(0.4)
    assert temperature(0.0, [1.0] * 6) == pytest.approx(0.75)
    assert temperature(0.5, [0.5] * 9) == pytest.approx(0.5)
    assert temperature(0.2, [1.0, 0.0]) < temperature(0.2, [0.0, 1.0])  # the latest counts most


def shown(arousal):
    return EmotionShown("fear", 0.0, arousal, 0.5, Awareness.ARTICULATE)


@pytest.mark.parametrize(
    ("what", "hot"),
    [
        (SpeechUttered("Well."), 0.4),
        (RelationShifted(Dimension.AFFECTION, -0.3), 0.7),
        (RelationShifted(Dimension.AFFECTION, 0.9), 1.0),
        (shown(0.9), 0.9),
        (shown(0.1), 0.4),
        (InformationTold("x", fact="f1"), 0.6),
        (InformationTold("x"), 0.4),
    ],
)
def test_how_intense_one_thing_is(what, hot):
    assert intensity([atom(what)]) == pytest.approx(hot)


def test_the_most_intense_of_a_turn_counts():
    blow = structs.replace(
        atom(ActionTaken("strike")),
        implications=(Implication(ImplicationKind.CONFLICT, of=0, toward=1, weight=0.6),),
    )
    assert intensity([]) == 0.2
    assert intensity([atom(SpeechUttered("x")), blow, atom(shown(0.5))]) == 0.8
    assert intensity([], authored=[0.9, 0.1]) == 0.9
    assert intensity([blow], authored=[0.1]) == 0.8
