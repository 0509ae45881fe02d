"""What gravity does to the score of an item.

scene    = max pull(s)     over attractors s that it relates to
theme    = max pull(s)     over attractors it only resonates with
layer    = max C(g)·ψ(g)   over active or visited layers it resonates with
prophecy = Σ magnitude     over active prophecies whose target it relates to
gravity  = 1 + max(.3·scene, .15·theme, .25·layer, .2·prophecy)                           F2.7
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from storykeeper.gravity.landscape import Foretold, Landscape
from storykeeper.gravity.ties import Scenes, Subject, Ties, ties
from storykeeper.story.tuning import GravityTuning
from storykeeper.world.plan import Plan


@dataclass(frozen=True, slots=True)
class Pulls:
    """The four terms, each already times its weight."""

    scene: float = 0.0
    theme: float = 0.0
    layer: float = 0.0
    prophecy: float = 0.0

    @property
    def gravity(self) -> float:
        """1 + max of the four.   F2.7"""
        return 1.0 + max(self.scene, self.theme, self.layer, self.prophecy)


WEIGHTLESS = Pulls()


class Field:
    """A landscape, asked what it does to items."""

    def __init__(self, plan: Plan, landscape: Landscape) -> None:
        self.landscape = landscape
        self._plan = plan
        self._ties: Ties = ties(plan)
        self._pull: dict[str, float] = {each.scene: each.pull for each in landscape.attractors}
        # Scenes out of reach pull at nothing: however many there are, they are not gone through.
        targets = (each.target for each in landscape.prophecies)
        self._near = self._ties.among(frozenset((*self._pull, *targets)))
        self.tuning: GravityTuning = plan.story.tuning.gravity

    def pulls(self, subject: Subject) -> Pulls:
        """What gravity makes of an item about this."""
        subject = self._whole(subject)
        related = self._near.related(subject)
        resonant = self._near.resonant(subject) - related
        tuning = self.tuning
        return Pulls(
            scene=tuning.attractor_weight * self._most(related),
            theme=tuning.thematic_weight * self._most(resonant),
            layer=tuning.layer_weight * self._layer(subject),
            prophecy=tuning.prophetic_weight * self._foretold(subject, related),
        )

    def related(self, subject: Subject) -> Scenes:
        """The scenes that an item about this relates to."""
        return self._ties.related(self._whole(subject))

    def resonates(self, subject: Subject, themes: tuple[str, ...]) -> bool:
        """Whether an item about this has a theme in common with these."""
        return self._ties.resonate(self._whole(subject).themes, themes)

    def _whole(self, subject: Subject) -> Subject:
        """With the themes of the things it is about: a bridge object carries its own."""
        things = (self._plan.things.get(each) for each in subject.entities)
        more = tuple(t for thing in things if thing is not None for t in thing.themes)
        return structs.replace(subject, themes=(*subject.themes, *more))

    def _most(self, scenes: Scenes) -> float:
        return max((self._pull.get(each, 0.0) for each in scenes), default=0.0)

    def _layer(self, subject: Subject) -> float:
        """Of layers that it shares a theme with, or of which it is a bridge object."""
        found = (
            felt.strength
            for felt in self.landscape.layers
            if self._ties.resonate(subject.themes, self._plan.layers[felt.layer].themes)
            or any(self._bridges(entity, felt.layer) for entity in subject.entities)
        )
        return max(found, default=0.0)

    def _bridges(self, entity: str, layer: str) -> bool:
        thing = self._plan.things.get(entity)
        return thing is not None and layer in thing.forms

    def _foretold(self, subject: Subject, related: Scenes) -> float:
        return sum(
            each.magnitude
            for each in self.landscape.prophecies
            if each.target in related or self._leans(subject, each)
        )

    def _leans(self, subject: Subject, foretold: Foretold) -> bool:
        """For a prophecy its thematic register counts too, its target's, and bridge objects."""
        prophecy = self._plan.prophecies[foretold.prophecy]
        target = self._plan.scenes[prophecy.target]
        layer = self._plan.layer_of.get(prophecy.target)
        if layer is not None and any(self._bridges(each, layer) for each in subject.entities):
            return True
        return self._ties.resonate(subject.themes, (*prophecy.themes, *target.themes))
