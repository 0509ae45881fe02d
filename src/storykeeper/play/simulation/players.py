"""Who plays where nobody does: at random, out of curiosity, or toward a scene.

They type only what a player's character could think of, as `guide` offers it, with whatever else
the story waits for that can be reached; and now and then something odd. The author's conditions
are open to who plays toward a scene, and to nobody else.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Protocol

from storykeeper.play.awaited import Waiting, awaited
from storykeeper.play.commit import lexicon
from storykeeper.play.line_match import is_within_reach
from storykeeper.play.offers import act_line, waited_lines, way_lines
from storykeeper.play.simulation.wishes import Wish, wishes
from storykeeper.play.wording import name_of
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId, SceneId
from storykeeper.world.state import World, whose_turn

ODD = 0.05  # of the lines of who plays at random
ASTRAY = 0.1  # how often the better is passed over
NEARER = 0.7  # what an act is worth that is a step further from what is wished for
WAIT = "wait"


class Player(Protocol):
    """Somebody who types."""

    name: str

    def line(self, world: World, typed: list[str]) -> str:
        """What they type next; `typed` is what they typed before."""
        ...


class RandomPlayer:
    """Types anything that can be tried, each as likely; now and then something odd."""

    name = "random"

    def __init__(self, random: Random) -> None:
        self._random = random

    def line(self, world: World, typed: list[str]) -> str:
        """Anything."""
        if self._random.random() < ODD:
            return odd_line(world, self._random)
        return self._random.choice(lines_here(world))


class CuriousPlayer:
    """Types what was not typed yet, what the story waits for first."""

    name = "curious"

    def __init__(self, random: Random) -> None:
        self._random = random

    def line(self, world: World, typed: list[str]) -> str:
        """Something new, if there is any."""
        acts, ways = act_lines(world), way_lines(world)
        for kind in ([each for each in acts if each not in typed], ways):
            if kind and self._random.random() > ASTRAY:
                return self._random.choice(kind)
        return WAIT


class SeekingPlayer:
    """Plays toward a scene, and goes astray a little."""

    def __init__(self, random: Random, scene: SceneId) -> None:
        self._random = random
        self._scene = scene
        self.name = f"toward {scene}"

    def line(self, world: World, typed: list[str]) -> str:
        """What leads nearest to the scene, of what was not typed of late."""
        lately, often = typed[-3:], Counter(typed)
        kinds: tuple[dict[str, int], ...] = ({}, {}, {})
        for wish in wishes(world, self._scene):
            line = _typed(world, wish)
            if line is not None and line not in lately:
                kinds[_kind(wish)].setdefault(line, wish.steps)
        for lines in kinds:
            if lines and self._random.random() > ASTRAY:
                worth = [NEARER**steps / (1 + often[line]) ** 2 for line, steps in lines.items()]
                return self._random.choices([*lines], worth)[0]
        return WAIT


def _kind(wish: Wish) -> int:
    """Acts are tried first, then other places; and when nothing else is left, waiting."""
    return 0 if wish.act is not None else 1 if wish.place is not None else 2


def lines_here(world: World) -> list[str]:
    """All that can be tried here and of which something may come."""
    return [*act_lines(world), *way_lines(world), WAIT]


def act_lines(world: World) -> list[str]:
    """The acts that the story waits for, as far as a player's character could think of them."""
    bare = {each.act for each in awaited(world) if each.to is None}
    return [*waited_lines(world), *sorted(bare - {WAIT})]


def odd_line(world: World, random: Random) -> str:
    """Some act of the story done to anybody or anything of it."""
    plan = world.plan
    acts = sorted(lexicon(plan).acts) or ["look"]
    named = [EntityId(each) for each in (*plan.cast, *plan.settings, *plan.things)]
    to, about = random.choice(named), random.choice(named)
    act = random.choice(acts)
    line = f"{act} {name_of(world, to)}"
    return f"{line} about {name_of(world, about)}" if random.random() < 0.5 else line


def _typed(world: World, wish: Wish) -> str | None:
    """How a wish is typed, if that can be done here."""
    if wish.act is not None:
        to = _entity(world, wish.act.to)
        waiting = Waiting(wish.act.act, to, _entity(world, wish.act.about))
        return act_line(world, waiting) if is_within_reach(world, waiting) else None
    if wish.place is None:
        return WAIT
    here = world.places.get(whose_turn(world))
    return None if wish.place == here else f"go to {name_of(world, wish.place)}"


def _entity(world: World, name: str | None) -> EntityId | None:
    if name is None:
        return None
    return whose_turn(world) if name == PLAYER else EntityId(name)
