"""The arms: windows of one moment, with one thing changed, and the words it should bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from immutables import Map
from msgspec import structs

from storykeeper.bench.gradient.story import (
    AHEAD,
    FORETOLD,
    LINES,
    MOMENTS,
    OPENINGS,
    TALE,
    TARGET,
    WORDS,
    story,
)
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.parts import Part
from storykeeper.context.window import Window, assemble
from storykeeper.language.tokens import counter
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.story.adopt import adoption
from storykeeper.story.model import NARRATOR, Story
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.fold import fold
from storykeeper.world.state import LayerState, ProphecyState, World

TOKENS = 290  # of a window: what must be in it, and little more


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of making the windows of a bench."""

    name: str
    story: Story
    off: bool = False  # without what lies ahead
    asks: str = ""  # said to the narrator outright, behind all else

    def window(self, moment: int) -> Window:
        """Its window of a moment: what was told last, and what the player types after it."""
        world, moment = _stood(self.story), moment % MOMENTS
        told = OPENINGS[moment % len(OPENINGS)]
        turn = TurnNo(10 + 5 * (moment % 2))  # images stand in every fifth turn
        past = [PastTurn(TurnNo(turn - 1), SceneId("hall"), EntityId("imre"), "", told)]
        present = PresentTurn(turn, EntityId("imre"), LINES[moment % len(LINES)])
        return assemble(
            world, past, present, audience=NARRATOR, tokens=TOKENS, count=counter("o200k"),
            without=[Part.GRAVITY] if self.off else (),
        )  # fmt: skip

    def messages(self, moment: int) -> list[dict[str, Any]]:
        """What the model is given."""
        said = self.window(moment).messages
        if self.asks:
            last = said[-1]
            said[-1] = last | {"content": f"{last['content']} {self.asks}"}
        return said


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two arms, and the words by which they are told apart."""

    system: str
    name: str
    low: Arm
    high: Arm
    about: str  # the scene, tale or prophecy that is made heavier

    @property
    def theme(self) -> frozenset[str]:
        """The words of its images, as they are compared."""
        return frozenset(map(stem, WORDS[self.about].split()))


def contrasts() -> list[Contrast]:
    """Mass, permeability and prophecy, low and high; and two controls of the first."""
    light, heavy = Arm("mass low", story(mass=0.1)), Arm("mass high", story(mass=9.0))
    told = f"Let this be felt in what you write, without naming it: {'; '.join(AHEAD[TARGET])}."
    return [
        Contrast("storykeeper", "mass", light, heavy, TARGET),
        Contrast("storykeeper", "permeability", Arm("tale firm", story(permeability=0.02)),
                 Arm("tale thin", story(permeability=0.95)), TALE),
        Contrast("storykeeper", "prophecy", Arm("not foretold", story()),
                 Arm("foretold", story(foretold=0.9)), FORETOLD),
        Contrast("instruction", "mass", light, Arm("instruction", light.story, asks=told), TARGET),
        Contrast("gravity_off", "mass", Arm("gravity off", light.story, off=True),
                 heavy, TARGET),
    ]  # fmt: skip


def share(prose: str, theme: frozenset[str]) -> float:
    """Percent of the content words of a prose that are of a theme."""
    said = [stem(word) for word in words(prose) if word not in STOP]
    return 100 * sum(each in theme for each in said) / len(said) if said else 0.0


@cache
def _worlds() -> dict[str, World]:
    return {}


def _stood(edition: Story) -> World:
    """Where the story stands: the tale was told once, and what was foretold was said."""
    record = adoption(edition)
    known = _worlds().get(record.digest)
    if known is None:
        world = fold([record])
        foretold: Mapping[str, Any] = {
            each.id: ProphecyState(TurnNo(0)) for each in edition.prophecies
        }
        known = _worlds()[record.digest] = structs.replace(
            world, prophecies=Map(foretold), scene=SceneId("hall"),
            layers=Map({TALE: LayerState(visits=1, last_left=TurnNo(0), completed=True)}),
        )  # fmt: skip
    return known
