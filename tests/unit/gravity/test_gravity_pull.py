"""How hard scenes pull, how near they are felt to be, and what was foretold of them."""

from math import exp

import pytest

from storykeeper.gravity.prophecy import magnitude
from storykeeper.gravity.pull import Band, band, nearness, pull
from storykeeper.story.layers import Prophecy
from storykeeper.world.state import ProphecyState


@pytest.mark.parametrize(
    ("distance", "steps", "near"),
    [
        (0.0, 1, 1.0),  # all of it on arrival
        (0.25, 1, 0.5),
        (0.5, 1, 0.2),
        (1.0, 1, 1 / 17),
        (0.0, 2, 0.8),
        (0.25, 3, 0.32),
        (0.0, 0, 1.0),
    ],
)
def test_nearness_is_softened_and_fades_along_the_way(distance, steps, near):
    found = nearness(distance=distance, steps=steps, softening=0.25)
    assert found == pytest.approx(near)
    assert pull(mass=2.1, nearness=found) == pytest.approx(2.1 * near)


def test_a_harder_softening_reaches_less_far():
    assert nearness(distance=0.5, steps=1, softening=0.5) == pytest.approx(0.5)
    assert nearness(distance=0.5, steps=1, softening=0.1) == pytest.approx(1 / 26)


@pytest.mark.parametrize(
    ("near", "felt"),
    [
        (0.0, Band.DISTANT),
        (0.2499, Band.DISTANT),
        (0.25, Band.APPROACHING),
        (0.7499, Band.APPROACHING),
        (0.75, Band.IMMINENT),
        (1.0, Band.IMMINENT),
    ],
)
def test_the_borders_of_the_bands(near, felt):
    assert band(near) is felt


OMEN = Prophecy(id="omen", source="e1", target="b", base=0.4)


@pytest.mark.parametrize(
    ("state", "now", "strong"),
    [
        (ProphecyState(3, last=3), 3, 0.4),
        (ProphecyState(3, last=3), 13, 0.4 * exp(-0.1)),
        (ProphecyState(3, last=3), 1_003, 0.2),  # never less than half
        (ProphecyState(3, reinforced=0.3, last=9), 9, 0.55),
        (ProphecyState(3, reinforced=0.3, last=9), 109, max(0.2, 0.55 * exp(-1.0))),
        (ProphecyState(3, reinforced=0.3, last=9), 19, 0.55 * exp(-0.1)),
        (ProphecyState(3, reinforced=0.3, last=9), 5, 0.55),  # no age below nothing
        (ProphecyState(3, reinforced=0.3, last=9, fulfilled=12), 12, 0.0),
    ],
)
def test_the_life_of_a_prophecy(state, now, strong):
    assert magnitude(OMEN, state, now=now) == pytest.approx(strong)
