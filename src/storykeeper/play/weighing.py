"""What of a run's records memories weigh by: what earned its place, and which turns are images."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from storykeeper.events.atoms import AtomIn, Bond, Compound
from storykeeper.events.changes import EntityPromoted
from storykeeper.events.records import AnyRecord
from storykeeper.units import AtomId, EntityId
from storykeeper.world.register import key_of
from storykeeper.world.state import World


class Weighing:
    """Gathered as records come."""

    def __init__(self, promoted: Iterable[EntityId] = (), images: Iterable[int] = ()) -> None:
        self.promoted = dict.fromkeys(promoted)  # all that ever earned a higher place, in order
        self.images = set(images)  # turns in which something is an image of something else

    def take(self, record: AnyRecord) -> None:
        """One record on."""
        if isinstance(record, EntityPromoted):
            self.promoted[record.entity] = None
        elif isinstance(record, Compound):
            self.images.update(thematic_turns(record))


def densities(world: World, promoted: Iterable[EntityId]) -> dict[str, float]:
    """The density of every scene (F7.8), by what earned a higher place.

    It is the narrator's alone: a scene is dense with things that a character may never have met,
    and a character must not feel what it cannot know. To characters no memory weighs more. Nor does
    any where several play: what earned its place did so, and turns went by, with others too.
    """
    if len(world.plan.players) > 1:
        return {}
    keys = {key_of(world, entity) for entity in promoted}
    known = (world.register.get(key) for key in keys)
    found = Counter(entity.scene for entity in known if entity is not None)
    return {scene: found[scene] / turns for scene, turns in world.clocks.items() if turns}


def thematic_turns(compound: Compound) -> set[int]:
    """Turns of the members of a thematic compound."""
    return {int(atom[1:].partition(".")[0]) for atom in _thematic_members(compound)}


def _thematic_members(compound: Compound) -> Iterator[AtomId]:
    for member in compound.members:
        if isinstance(member, AtomIn):
            if compound.bond is Bond.THEMATIC:
                yield member.atom
        elif Bond.THEMATIC in (compound.bond, member.bond):
            yield from member.atoms
