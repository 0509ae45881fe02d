"""How items are worded: no gap where nothing was said, and as strongly as it is felt."""

from dataclasses import replace

import pytest

from storykeeper.context.history import Recalled
from storykeeper.context.sources.recalled import recollections
from storykeeper.world.state import LayerState, Mood
from unit.context.test_sources_alone import felt, one, past, seen, told


def test_what_was_told_before_anybody_spoke():
    turn = replace(past(5), text="", prose="The rain falls. Bob has the iron key.")
    boundary = seen(told(), text="Where is the iron key?", history=(turn,),
                    recalled=(Recalled("turn:5", 0.5, 0.7, turn),))  # fmt: skip
    found = one(recollections(boundary))
    assert found.full == "- Earlier: The rain falls. Bob has the iron key"
    assert found.brief == "- Earlier: Bob has the iron key"


@pytest.mark.parametrize(("psi", "left", "valence", "degree"), [
    (0.9, 19, -0.9, "strongly"), (0.9, 19, 0.0, "still"), (0.9, 11, 0.0, "faintly"),
    (0.9, 11, -0.9, "still"), (0.35, 19, 0.0, "faintly"),
])  # fmt: skip
def test_what_a_tale_leaves_goes_with_the_mood_the_boundary_and_time(psi, left, valence, degree):
    fields = {
        "layers": {"tale": LayerState(visits=1, last_left=left)},
        "moods": {"ann": Mood(valence, 0.5, 0.5)},
    }
    assert f"It is {degree} in Ann" in felt(seen(told(psi=psi), **fields))["layer:tale"].brief
