"""The gradient: walking toward the heaviest scene of the example, what is retrieved leans to it.

Measured is the share of the retrieved tokens that relate to that scene, the author's beats apart:
its own note, prophecies aimed at it, and whatever relates to it (maths §2.7). Where there is room
for nearly everything, whoever was in the scene still counts after it; so what is drawn to it then,
nothing, is asked of whole windows, and what relates to it of small ones, where items compete.

On the walk much changes at once: people are met, the past grows. So every effect is also shown on
one moment of it, made again with nothing else changed.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import pytest
from msgspec import structs

from storykeeper import Storykeeper
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Class, Tier
from storykeeper.context.sources import BEAT, GRAVITY, RECALLED, STANDING
from storykeeper.context.sources.entity import ENTITY
from storykeeper.context.sources.layers import BRIDGE, LAYER, PROPHECY
from storykeeper.context.window import Window, assemble
from storykeeper.engine import Turn
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.modifier import Field
from storykeeper.gravity.pull import Band
from storykeeper.language.tokens import counter
from storykeeper.story.adopt import adoption
from storykeeper.story.tuning import LayerOverride, Overrides, SceneOverride
from storykeeper.world.fold import fold
from strategies.runs import script, tell
from strategies.worlds import READER, changed, example, scene_changed

SCENE, TALE = "lamp-hour", "heron-tale"
STORY = example()
COUNT = counter(STORY.budget.encoding)
# Tokens of a window: of so many sizes one item more or less counts for little.
SMALL = tuple(range(1_350, 1_750, 50))  # items compete, and are whole: one size alone says little
SIZES = (*SMALL, 3_300, 4_400)  # the larger ones have room for nearly everything
COMPETE = slice(len(SMALL))
WALK = (*script("the-long-way"), "I wait.")  # the longest of the example, every tale and talk on it


@dataclass(frozen=True)
class Moment:
    """A turn of the walk, and what had been told before it."""

    turn: Turn
    history: tuple[PastTurn, ...]

    @property
    def band(self):
        """How near the scene is felt to be."""
        world = self.turn.world
        if world.scene == SCENE:
            return Band.ACTIVE
        if world.scenes[SCENE].completed if SCENE in world.scenes else False:
            return Band.RESOLVED
        return next(a.band for a in landscape(world).attractors if a.scene == SCENE)

    def again(self, *, story=STORY, records=()):
        """The same moment in another edition of the story, or after something more: its windows."""
        world = fold([adoption(story, turn=self.turn.number), *records], self.turn.world)
        return [self.window(world, size) for size in SIZES]

    def window(self, world, tokens):
        """Its window of another size, or of another world."""
        turn = self.turn
        return assemble(
            world, self.history, turn.present, audience="narrator", tokens=tokens, count=COUNT,
            recalled=turn.window.recalled,
        )  # fmt: skip


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    moments = []
    run = tmp_path_factory.mktemp("walk") / "run.db"
    with Storykeeper.open(run, story=STORY, reader=READER) as keeper:
        for line in ("", *WALK):
            turn = keeper.begin(line) if line else keeper.opening()
            moments.append(Moment(turn, tuple(keeper.history())))
            tell(keeper, turn)
    return moments


@pytest.fixture(scope="module")
def at_dusk(walk):
    """The moment at which it is nearest."""
    return walk[1 + WALK.index("I wait for sunset.")]


@pytest.fixture(scope="module")
def in_between(walk):
    """One on the way, in the kitchen, with nobody named."""
    return walk[len(WALK) - WALK[::-1].index("I go to the kitchen.")]


# ── what is measured ─────────────────────────────────────────────────────────────────────────


def retrieved(window: Window):
    shown = (each for each in window.items if each.candidate.tier is Tier.RETRIEVED)
    # What is told now, what holds, who is there in any case, and lines that fill the room too.
    beside = (BEAT, STANDING, ENTITY, RECALLED)
    chosen = (each for each in shown if each.candidate.klass is not Class.REST)
    return [each for each in chosen if each.candidate.origin not in beside]


def share(windows, counts):
    """The share of all retrieved tokens of some windows that are of a kind."""
    tokens = Counter()
    for window in windows:
        world = window._boundary.world
        field = Field(world.plan, landscape(world))
        for each in retrieved(window):
            tokens[counts(each.candidate, world, field)] += each.tokens
    return tokens[True] / max(1, tokens.total())  # from afar there may be nothing to say


def relates(candidate, world, field):
    """Whether it relates to the scene: of what is said of other scenes, only what it says."""
    if candidate.origin == GRAVITY:
        return SCENE in candidate.scenes
    if candidate.origin == PROPHECY:
        name = candidate.id.removeprefix(f"{PROPHECY}:")
        return world.plan.prophecies[name].target == SCENE
    return SCENE in field.related(candidate.subject)


def drawn(candidate, world, field):
    """Whether it relates to the scene, and that still lies ahead."""
    ahead = any(each.scene == SCENE and each.pull for each in field.landscape.attractors)
    own = candidate.origin in (GRAVITY, PROPHECY)
    return (ahead or own) and relates(candidate, world, field)


def of_the_tale(candidate, world, field):
    """Whether it comes out of the tale: an undertone, a thing of both worlds, a fact told there."""
    facts = {f"{kind}:{f.id}" for f in world.plan.facts.values() if f.layer == TALE
             for kind in ("fact", "hint")}  # fmt: skip
    return candidate.origin in (LAYER, BRIDGE) or not facts.isdisjoint(candidate.sources)


def stated(**overrides):
    return structs.replace(STORY, overrides=Overrides(**overrides))


def rises(shares):
    return all(left < right for left, right in pairwise(shares))


# ── the walk ─────────────────────────────────────────────────────────────────────────────────


def shares_by_band(walk, windows, counts):
    """The share in each band, in the order in which the walk comes to them."""
    found = {}
    for moment, window in zip(walk, windows, strict=True):
        found.setdefault(moment.band, []).append(window)
    return {band: share(each, counts) for band, each in found.items()}


@pytest.fixture(scope="module")
def by_band(walk):
    return shares_by_band(walk, [moment.turn.window for moment in walk], drawn)


@pytest.fixture(scope="module")
def where_items_compete(walk):
    """The same in windows that hold about half, of several sizes."""
    sizes = SMALL[::2]
    small = [moment.window(moment.turn.world, size) for size in sizes for moment in walk]
    return shares_by_band(walk * len(sizes), small, relates)


def test_the_walk_leads_from_afar_to_the_scene_and_beyond(walk, by_band):
    assert list(by_band) == [
        Band.DISTANT, Band.APPROACHING, Band.IMMINENT, Band.ACTIVE, Band.RESOLVED,
    ]  # fmt: skip
    bands = Counter(moment.band for moment in walk)
    assert all(bands[band] >= 3 for band in by_band)
    masses = [(each.mass.total, each.scene) for each in landscape(walk[0].turn.world).attractors]
    (heaviest, scene), (second, _) = sorted(masses, reverse=True)[:2]
    assert scene == SCENE
    assert heaviest > 1.5 * second


by_size = pytest.mark.parametrize("size", ["by_band", "where_items_compete"])


@by_size
def test_from_afar_little_of_what_is_retrieved_relates_to_it(size, walk, request):
    assert share([walk[0].turn.window], relates) < 0.3
    assert request.getfixturevalue(size)[Band.DISTANT] < 0.3


@by_size
def test_the_share_rises_on_the_way(size, request):
    found = request.getfixturevalue(size)
    near = [found[Band.APPROACHING], found[Band.IMMINENT]]
    assert min(near) > max(0.5, 3 * found[Band.DISTANT])
    # Where items compete what stands between, the dusk, takes its part of the last steps.
    assert size == "where_items_compete" or rises(near)


@by_size
def test_it_falls_when_the_scene_is_over(size, request):
    found = request.getfixturevalue(size)
    assert found[Band.RESOLVED] < found[Band.IMMINENT] - 0.1


def test_what_is_over_draws_nothing(by_band):
    assert by_band[Band.RESOLVED] == 0.0


def test_what_is_over_weighs_nothing(walk):
    """What still relates to it is the past itself: by its mass not a byte is another."""
    heavy = stated(scenes={SCENE: SceneOverride(mass=9.0, distance=0.0)})
    over = [moment for moment in walk if moment.band is Band.RESOLVED]
    for moment in over:
        assert [w.text for w in moment.again(story=heavy)] == [w.text for w in moment.again()]


# ── one moment, with one thing changed ───────────────────────────────────────────────────────


def test_a_moment_made_again_is_the_same(at_dusk):
    window = at_dusk.turn.window
    same = at_dusk.again()[SIZES.index(window.receipt.spent.budget)]
    assert same.digest == window.digest


@pytest.mark.parametrize("moment", ["in_between", "at_dusk"])
def test_only_nearer(moment, request):
    here = request.getfixturevalue(moment)
    nearer = [stated(scenes={SCENE: SceneOverride(distance=far)}) for far in (1.0, 0.5, 0.0)]
    far, between, near = (share(here.again(story=each), relates) for each in nearer)
    assert far <= between <= near  # items are whole: a small step may move none
    assert far < near


@pytest.mark.parametrize("moment", ["in_between", "at_dusk"])
def test_only_over(moment, request):
    here = request.getfixturevalue(moment)
    over = here.again(records=[scene_changed(SCENE, "completed", turn=here.turn.number)])
    assert share(over[COMPETE], relates) < share(here.again()[COMPETE], relates)


def test_only_cooler(at_dusk):
    cool, hot = (
        at_dusk.again(story=changed(STORY, "scenes", "dusk", temperature=heat))
        for heat in (0.0, 1.0)
    )
    assert share(cool[COMPETE], relates) < share(hot[COMPETE], relates)


def test_only_one_more_prophecy(at_dusk):
    known = [structs.replace(STORY, prophecies=STORY.prophecies[:count]) for count in range(3)]
    assert len(landscape(at_dusk.turn.world).prophecies) == 2
    assert rises([share(at_dusk.again(story=each), relates) for each in known])


@pytest.mark.parametrize("moment", ["in_between", "at_dusk"])
def test_only_a_thinner_boundary(moment, request):
    here = request.getfixturevalue(moment)
    thinner = [stated(layers={TALE: LayerOverride(permeability=psi)}) for psi in (0.1, 0.5, 0.9)]
    assert rises([share(here.again(story=each), of_the_tale) for each in thinner])


# ── what stays unsaid ────────────────────────────────────────────────────────────────────────


def plain(text):
    return " ".join(text.casefold().split()).rstrip(".")


def test_what_is_withheld_appears_at_no_distance(walk, at_dusk, in_between):
    scene = next(each for each in STORY.scenes if each.id == SCENE)
    secret = next(each for each in STORY.facts if each.id == "wil-out")
    assert "stakes" in scene.withheld
    before = [m.turn.window for m in walk if m.band not in (Band.ACTIVE, Band.RESOLVED)]
    nearest = stated(scenes={SCENE: SceneOverride(mass=9.0, distance=0.0)})
    made = [window for m in (in_between, at_dusk) for window in m.again(story=nearest)]
    assert len(before) > 20
    for window in (*before, *made):
        for words in (scene.stakes, secret.full, secret.hint):
            assert plain(words) not in plain(window.text)
