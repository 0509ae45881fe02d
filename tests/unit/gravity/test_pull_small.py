"""Numbers so small that their squares are nothing."""

from storykeeper.gravity.pull import nearness


def test_what_is_no_distance_apart_is_near_however_sharp_the_edge():
    assert nearness(distance=0.0, steps=1, softening=1e-200) == 1.0
    assert nearness(distance=1.0, steps=1, softening=1e-200) == 0.0
