"""Who and what is around an audience: where it is, who is there to be seen, what lies there."""

from __future__ import annotations

from functools import cached_property

from storykeeper.canon.provenance import CANON as CANON
from storykeeper.canon.provenance import cite_of
from storykeeper.units import EntityId
from storykeeper.world.earshot import place_to
from storykeeper.world.finding import is_found_by
from storykeeper.world.knowledge.beliefs import believed
from storykeeper.world.knowledge.lessons import held as lesson_of
from storykeeper.world.state import World
from storykeeper.world.whereabouts import is_hidden

READ = "canon is for those who have read it"


class Around:
    """What surrounds the one whose eyes an audience has."""

    def __init__(self, world: World, mind: EntityId, *, narrator: bool) -> None:
        """`mind` is a character; of the narrator, that of the player whose turn it is."""
        self.world = world
        self.plan = world.plan
        self.narrator = narrator
        self.minds = (mind,)

    @cached_property
    def here(self) -> frozenset[str]:
        """Everyone of the cast where one of this audience is, as far as they are to be seen."""
        mind, cast = self.minds[0], map(EntityId, self.plan.cast)
        there = (w for w in cast if place_to(self.world, w, mind=mind) in self.places)
        return frozenset(who for who in there if not self._is_unseen(who))

    def has_read(self, passage: str) -> bool:
        """Whether `manual@1911.2#4` is of a source that they have read, at the version it has."""
        if self.narrator:
            return False
        read = self.plan.cast[self.minds[0]].scope.canon
        stated = {f"{each.id}@{each.version}" for each in self.plan.story.canon if each.id in read}
        return cite_of(passage) in stated

    def _is_unseen(self, entity: EntityId) -> bool:
        """Whether a character does not see who is there; the narrator told that they hid."""
        if self.narrator or entity in self.minds:
            return False
        world, me = self.world, self.minds[0]
        if me in world.asleep or me in world.away:
            return True  # they see nobody come or go
        return entity in world.away or (entity in self.plan.cast and is_hidden(world, entity))

    @cached_property
    def in_sight(self) -> frozenset[str]:
        """Those here and to be seen, themselves included: who hides shows nothing of themselves."""
        seen = (who for who in self.here if not is_hidden(self.world, EntityId(who)))
        return frozenset((self.minds[0], *seen))

    @cached_property
    def acted(self) -> frozenset[str]:
        """Whose feelings the narrator shows: who is in sight, and played by nobody.   F8.15"""
        return self.in_sight.difference(self.plan.players) if self.narrator else frozenset()

    def sees(self, thing: EntityId) -> bool:
        """Whether a thing lies where one of them is, and they see it or know that it is there."""
        if self.world.places.get(thing) not in self.places or self._is_unseen(thing):
            return False
        return any(is_found_by(self.world, mind, thing) for mind in self.minds)

    def at_hand(self, thing: EntityId) -> bool:
        """Whether a thing is here as far as they know: they hold it or see it, or whoever took it
        before their eyes is here.
        """
        if self.held(thing) or self.sees(thing):
            return True
        seen = (believed(self.world, (mind,), thing) for mind in self.minds)
        return any(s is not None and s.teller is None and s.place in self.here for s in seen)

    def in_hands(self, thing: str) -> EntityId | None:
        """Who has a thing, as one of them saw it last."""
        seen = (believed(self.world, (mind,), EntityId(thing)) for mind in self.minds)
        held = (s.place for s in seen if s is not None and s.teller is None)
        return next((who for who in held if who in self.plan.cast), None)

    def saw_learn(self, who: str, fact: str) -> bool:
        """Whether one of them perceived how somebody learned a fact, or has it from them."""
        seen = (lesson_of(self.world, (mind, EntityId(who)), fact) for mind in self.minds)
        return any(lesson is not None and not lesson.suspected for lesson in seen)

    @cached_property
    def beliefs(self) -> dict[str, str]:
        """What this audience holds true, by fact: the name of the belief."""
        held = self.world.beliefs.items()
        mine = [
            (b.fact, name)
            for name, b in held
            if b.fact is not None and b.who in self.minds and not b.superseded and not b.guessed
        ]
        return dict(sorted(mine, reverse=True))  # of several the first by name

    def held(self, thing: str) -> bool:
        """Whether a thing is in the hands of one of them."""
        return self.world.holders.get(EntityId(thing)) in self.minds

    @cached_property
    def places(self) -> frozenset[EntityId]:
        """Where they are."""
        found = (self.world.places.get(mind) for mind in self.minds)
        return frozenset(place for place in found if place is not None)
