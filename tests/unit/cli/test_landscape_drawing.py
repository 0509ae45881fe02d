"""Maps and pictures of landscapes that an author could make: tiny, huge, hostile."""

from math import hypot
from xml.etree import ElementTree as ET

import pytest
from rich.cells import cell_len

from storykeeper.cli.landscape_map import drawn
from storykeeper.cli.landscape_table import scene_lines, table
from storykeeper.drawing.chart import CENTRE, RIM, chart, ring
from storykeeper.drawing.naming import CANVAS, names, ring_names
from storykeeper.drawing.seen import Seen, seen
from storykeeper.drawing.svg import svg
from storykeeper.gravity.landscape import landscape
from storykeeper.story.conditions import Condition
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.layers import Layer, LayerKind, Portal
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.scenes import Gate, Scene, SceneCast, Transition
from strategies.worlds import begun, example, play

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert('x')</script>",
    "\"quoted\" & 'quoted' ]]> <!-- -->",
    "x" * 300,
    "שעה " * 100,
    "\u202eturned\u2066 \x1b[31mred\x00\ufffe",
    "時間の" * 40,
    "e" + "\u0301" * 280,
    "",
)


def told(*scenes: Scene, title: str = "Told", **more) -> Seen:
    """A story of these scenes, before its first turn."""
    world = begun(
        Story(id="told", title=title, players=("ann",), start=scenes[0].id, voice="Plain.",
              cast=(Character(id="ann", name="Ann", line="You."),), scenes=scenes, **more)
    )  # fmt: skip
    return seen(world, landscape(world))


def fan(count: int, **more) -> Seen:
    """A scene that leads to all others."""
    ways = tuple(Transition(to=f"s{i}") for i in range(1, count))
    rest = [Scene(id=f"s{i}", title=f"Scene {i}", mass=i % 10 / 10) for i in range(1, count)]
    return told(Scene(id="s0", title="First", leads_to=ways), *rest, **more)


def circles(found: Seen, **options) -> list[ET.Element]:
    return list(ET.fromstring(svg(found, **options)).iter(f"{SVG}circle"))


# ── sizes ────────────────────────────────────────────────────────────────────────────────────


def test_one_scene_alone():
    found = told(Scene(id="only", title="Only", ending=True))
    assert "nothing pulls" in table(found)
    assert "nothing pulls" in drawn(found)
    assert len(circles(found)) == 1


def test_fifteen_scenes_are_all_there():
    found = fan(15)
    assert len(circles(found)) == 15
    assert "more" not in drawn(found)
    assert all(f"s{i} " in drawn(found) for i in range(15) if i)


def test_five_hundred_scenes_are_cut():
    found = fan(500)
    for text in (drawn(found), table(found)):
        assert "… and 479 more" in text
        assert len(text.splitlines()) < 40
    assert len(circles(found)) == 40
    assert "… and 460 more scenes" in svg(found)
    strongest = found.landscape.strongest.scene
    assert f"▸ {strongest}" in drawn(found)
    assert f'id="scene-{strongest}"' in svg(found)


def test_five_hundred_scenes_if_wanted():
    found = fan(500)
    assert len(circles(found, everything=True)) == 500
    for text in (drawn(found, everything=True), table(found, everything=True)):
        assert "more" not in text
        assert "s499" in text


def test_scenes_that_cannot_be_reached():
    found = told(Scene(id="one", title="One"), Scene(id="two", title="Two", mass=0.5))
    assert "out of reach: two" in drawn(found)
    assert [spot.standing for spot in found.spots] == ["active", "out of reach"]
    assert len(circles(found)) == 2


# ── words of an author ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_words(words):
    one = Scene(id="one", title=words, leads_to=(Transition(to="two"), Transition(to="three")))
    two = Scene(id="two", title=words, mass=0.9, cast=SceneCast(required=("ann",)))
    layer = Layer(id="deep", name=words, kind=LayerKind.DREAM, scenes=("three",),
                  portals=(Portal(from_="one", to="three"),))  # fmt: skip
    found = told(one, two, Scene(id="three", title=words), title=words, layers=(layer,))
    tree = ET.fromstring(svg(found))
    assert not list(tree.iter(f"{SVG}script")) + list(tree.iter("script"))
    assert len(list(tree.iter(f"{SVG}circle"))) == 3
    texts = [each.text or "" for each in tree.iter() if each.tag in (f"{SVG}text", f"{SVG}title")]
    assert max(map(cell_len, texts)) < 150
    for text in (drawn(found), table(found), *texts):
        assert not {"\x1b", "\x00", "\u202e", "\u2066", "\ufffe"} & set(text)
    bare = drawn(found).translate({0x2068: "", 0x2069: ""})
    assert max(map(cell_len, bare.splitlines())) <= 80


def test_words_arrive_whole_where_there_is_room():
    found = told(Scene(id="one", title="Bread & <water>"))
    words = [each.text for each in ET.fromstring(svg(found)).iter(f"{SVG}text")]
    assert "Bread & <water>" in words


# ── the map ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def late() -> Seen:
    lines = ["", "I go on to Harrow.", "I ask Pell about the blue plate.", "I listen to Pell."]
    world = play(begun(example()), lines)[1]
    return seen(world, landscape(world))


def test_the_map_is_eighty_columns_wide(late):
    for found in (late, fan(40)):
        for line in drawn(found).splitlines():
            assert cell_len(line) <= 80, line


def test_nearer_scenes_have_shorter_stems(late):
    rows = {line[2:20].strip(): line for line in drawn(late).splitlines()}
    stems = [
        (spot.attractor.nearness, sum(map(rows[spot.scene[:18]].count, "─┄")))
        for spot in late.ahead
    ]
    assert len(stems) > 8
    assert [length for _, length in sorted(stems)] == sorted((s for _, s in stems), reverse=True)


def test_colour_is_only_around_what_is_there_without_it(late):
    coloured = drawn(late, colour=True)
    assert "\x1b[34m" in coloured
    for code in ("1", "2", "31", "33", "34", "0"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert [each.rstrip() for each in coloured.splitlines()] == drawn(late).splitlines()


# ── the picture ──────────────────────────────────────────────────────────────────────────────


def test_a_scene_is_as_far_from_the_middle_as_it_is_far(late):
    for disc in chart(late).discs:
        away = hypot(disc.x - CENTRE[0], disc.y - CENTRE[1])
        if disc.spot.attractor is not None:
            assert away == pytest.approx(ring(disc.spot.attractor.nearness))
        else:
            assert away == pytest.approx(0 if disc.spot.standing == "active" else RIM)


def test_area_goes_with_mass(late):
    shares = {
        round(disc.radius**2 / disc.spot.attractor.mass.total, 6)
        for disc in chart(late).discs
        if disc.spot.attractor is not None and disc.spot.attractor.mass.total > 0.1
    }
    assert len(shares) == 1


def test_a_scene_keeps_its_angle():
    lines = ["", "I go on to Harrow.", "I sit down at the table."]
    places = []
    for upto in (1, 3):
        world = play(begun(example()), lines[:upto])[1]
        discs = chart(seen(world, landscape(world))).discs
        places.append({d.spot.scene: (d.x - CENTRE[0], d.y - CENTRE[1]) for d in discs})
    both = [s for s in places[0] if hypot(*places[0][s]) > 1 and hypot(*places[1][s]) > 1]
    assert len(both) > 10
    for scene in both:
        (x, y), (p, q) = places[0][scene], places[1][scene]
        assert abs(x * q - y * p) < 1e-6 * hypot(x, y) * hypot(p, q)
        assert x * p + y * q > 0


def test_ways_and_layers_are_drawn(late):
    tree = ET.fromstring(svg(late))
    plan = late.world.plan
    assert len(list(tree.iter(f"{SVG}polygon"))) == len(plan.layers) == 2
    ways = [(scene.id, way.to) for scene in plan.scenes.values() for way in scene.leads_to]
    classes = [each.get("class", "") for each in tree.iter(f"{SVG}path")]
    kinds = [each for each in classes if each.startswith("way")]
    crossing = sum("crossing" in kind for kind in kinds)
    assert 0 < len(kinds) <= len(ways) + crossing
    assert crossing == 2 * len(plan.layers)


def test_names_stay_on_the_paper_and_off_each_other(late):
    placed = names(chart(late))
    assert len(placed) == len(late.spots)
    for i, one in enumerate(placed):
        assert CANVAS.left <= one.box.left < one.box.right <= CANVAS.right
        assert CANVAS.top <= one.box.top < one.box.bottom <= CANVAS.bottom
        assert not any(one.box.overlap(other.box) for other in placed[:i])
        assert not any(one.box.overlap(each.box) for each in ring_names(chart(late)))


# ── gates ────────────────────────────────────────────────────────────────────────────────────


def test_a_gate_says_what_it_waits_for_and_whether_in_vain():
    rang, went = Condition(happened="bell"), Condition(visited="one")
    gate = Gate(id="hatch", conditions=(Condition(not_=went), rang))
    story = {"events": (StoryEvent(id="bell", summary="It rings."),)}
    first = Scene(id="one", title="One", leads_to=(Transition(to="two"),))
    found = told(first, Scene(id="two", title="Two", gates=(gate,)), **story)
    assert "hatch  50% open, in two (Two); it waits for\n      bell has happened" in table(found)
    world = play(found.world, [""])[1]
    later = seen(world, landscape(world))
    assert "hatch  0% open and can no longer open, in two" in table(later)
    assert "      not (one has been visited) (never any more)\n" in table(later)
    assert "hatch 0% open and can no longer open" in scene_lines(later, "two")
