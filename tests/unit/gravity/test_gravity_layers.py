"""What tales within the tale weigh, and what of them crosses."""

import pytest

from storykeeper.events.vocabulary import WAYS
from storykeeper.gravity.layers import (
    collective,
    emotion_crossing,
    relation_crossing,
)
from storykeeper.story.layers import Layer, LayerKind
from storykeeper.world.layers import AT_EXIT, LEARNED
from storykeeper.world.state import LayerState

TALE = Layer(id="tale", name="Tale", kind=LayerKind.FRAME, scenes=("t",), base_mass=0.3)


@pytest.mark.parametrize(
    ("state", "weighs"),
    [
        (LayerState(), 0.3),
        (LayerState(visits=1), 0.5),
        (LayerState(visits=3), 0.3 + 0.2 + 0.2 / 1.3 + 0.2 / 1.6),
        (LayerState(visits=1, completed=True), 0.6),
    ],
)
def test_each_visit_leaves_less_than_the_one_before(state, weighs):
    assert collective(TALE, state).total == pytest.approx(weighs)


def test_its_terms_are_kept_and_may_be_stated():
    tale = Layer(id="tale", name="Tale", kind=LayerKind.FRAME, scenes=("t",), base_mass=0.1,
                 residue=0.4, completion_bonus=0.5, resonance=0.25)  # fmt: skip
    found = collective(tale, LayerState(visits=2, completed=True))
    assert (found.base, found.completion, found.resonance) == (0.1, 0.5, 0.25)
    assert found.residue == pytest.approx(0.4 + 0.4 / 1.3)
    assert collective(tale, LayerState(visits=2), stated=0.8).total == 0.8
    assert collective(tale, LayerState(visits=2), stated=0.0).total == 0.0


@pytest.mark.parametrize(
    ("psi", "emotion", "relation"),
    [(0.0, 0, 0), (0.2, 0, 0), (0.35, 0.5, 0), (0.5, 1, 0), (0.7, 1, 0), (0.85, 1, 0.5), (1, 1, 1)],
)
def test_what_crosses_at_a_boundary(psi, emotion, relation):
    assert emotion_crossing(psi) == pytest.approx(emotion)
    assert relation_crossing(psi) == pytest.approx(relation, abs=1e-12)


def test_every_kind_of_tale_says_what_is_left_of_it_and_how_it_was_learned():
    assert AT_EXIT == {
        LayerKind.FRAME: 0.3, LayerKind.MEMORY: 0.7, LayerKind.DREAM: 0.2,
        LayerKind.PARALLEL: 1.0, LayerKind.TEXT: 0.1, LayerKind.ALTERNATE: 0.4,
    }  # fmt: skip
    assert (
        dict(
            zip(
                LayerKind,
                ("told", "remembered", "dreamed", "lived", "read", "imagined"),
                strict=True,
            )
        )
        == LEARNED
    )
    assert {*LEARNED.values()} <= {*WAYS}
