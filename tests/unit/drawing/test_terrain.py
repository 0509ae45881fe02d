"""The ground under a landscape, and lines that give way to names."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.drawing.chart import HEIGHT, WIDTH, chart
from storykeeper.drawing.lines import AIR, Box, broken, crossed, curve
from storykeeper.drawing.naming import name_boxes, names
from storykeeper.drawing.seen import seen
from storykeeper.drawing.terrain import LEVELS, contours, depth
from storykeeper.gravity.landscape import landscape
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.scenes import Scene, Transition
from strategies.worlds import begun, example

NUMBER = st.floats(0, 1000, allow_nan=False)
POINT = st.tuples(NUMBER, NUMBER)
BOX = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h), NUMBER, NUMBER, st.floats(1, 300), st.floats(1, 60)
)


@pytest.fixture(scope="module")
def drawn():
    world = begun(example())
    return chart(seen(world, landscape(world)), everything=True)


def inside(point, ring) -> bool:
    """Whether a line from a point to the right meets a ring an odd number of times."""
    x, y = point
    hits = 0
    for (x1, y1), (x2, y2) in pairwise((*ring, ring[0])):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            hits += 1
    return hits % 2 == 1


def test_every_scene_that_pulls_lies_in_a_well(drawn):
    found = contours(drawn.discs)
    assert [each.level for each in found] == list(LEVELS[: len(found)])
    for disc in drawn.discs:
        each = disc.spot.attractor
        if each is not None and each.mass.total > LEVELS[0]:
            around = sum(inside((disc.x + 0.1, disc.y + 0.1), ring) for ring in found[0].rings)
            assert around % 2 == 1, disc.spot.scene


def test_contours_are_closed_and_on_the_sheet(drawn):
    for each in contours(drawn.discs):
        for ring in each.rings:
            assert len(ring) > 3
            for (x1, y1), (x2, y2) in pairwise((*ring, ring[0])):
                assert abs(x1 - x2) < 25
                assert abs(y1 - y2) < 25
                assert -24 <= x1 <= WIDTH + 24
                assert -24 <= y1 <= HEIGHT + 24


def test_what_is_deeper_lies_within_what_is_less_deep(drawn):
    ground = depth(drawn.discs)
    areas = [(ground >= level).sum() for level in LEVELS]
    assert areas == sorted(areas, reverse=True)
    assert areas[0] > 0


def test_nothing_pulls_on_level_ground():
    assert contours(()) == ()


def test_many_far_away_make_no_abyss():
    """Five hundred scenes: the ground between them stays level, and each has its well."""
    ways = tuple(Transition(to=f"s{i}") for i in range(1, 500))
    scenes = (
        Scene(id="s0", title="First", leads_to=ways),
        *(Scene(id=f"s{i}", title=f"Scene {i}", mass=0.5, gates=()) for i in range(1, 500)),
    )
    story = Story(id="told", title="Told", players=("ann",), start="s0", voice="Plain.",
                  cast=(Character(id="ann", name="Ann", line="You."),), scenes=scenes)  # fmt: skip
    world = begun(story)
    found = chart(seen(world, landscape(world)), everything=True)
    ground = depth(found.discs)
    assert ground.max() < 2.0
    assert (ground > 0.3).mean() < 0.6


@given(st.lists(POINT, min_size=2, max_size=6), st.lists(BOX, max_size=6))
def test_no_line_goes_through_a_name(points, boxes):
    for part in broken(points, boxes):
        for start, end in pairwise(part):
            for box in boxes:
                assert crossed(start, end, box.wider(AIR / 2)) < 0.01


def test_a_line_in_the_open_stays_whole():
    assert broken([(0, 0), (50, 0), (50, 50)], [Box(60, 60, 90, 90)]) == ((
        (0, 0), (50, 0), (50, 50),
    ),)  # fmt: skip


def test_no_way_of_the_example_is_struck_through_a_name(drawn):
    boxes = name_boxes(drawn, names(drawn))
    lines = [part for link in drawn.links for part in broken((link.start, link.end), boxes)]
    assert lines
    assert all(crossed(*part, box) < 0.01 for part in lines for box in boxes)


def test_an_arc_begins_and_ends_where_it_should():
    points = curve((0, 0), (100, 0), 30)
    assert points[0] == (0, 0)
    assert points[-1] == (100, 0)
    assert min(y for _, y in points) == pytest.approx(-30, abs=0.5)
