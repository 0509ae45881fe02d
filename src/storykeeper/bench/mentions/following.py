"""Texts read as play reads them, without a ledger: each piece is a rendering that became fact.

The story behind it is empty: one place, one player who says nothing, and scenes by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from storykeeper.bench.mentions.campaign_data import Turn
from storykeeper.entities.tiers import at_least
from storykeeper.events.atoms import SceneChange, SceneChanged, Source
from storykeeper.events.turns import InputReceived, Rendered
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader
from storykeeper.play.casting import Passage
from storykeeper.play.commit import commit, lexicon
from storykeeper.play.meant import Meant
from storykeeper.play.staged_telling import StagedTelling
from storykeeper.play.unfolding import Unfolding
from storykeeper.staging.cues import Cued
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Scene, SceneCast
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.state import Entity, World

READER = EntityId("reader")
_OBJECTS = frozenset({Sort.THING, Sort.UNKNOWN})


MOST_SCENES = 1_000


def empty_story() -> Story:
    """A story in which nothing is authored but that it has scenes."""
    here = SceneCast((READER,))
    return Story(
        id="empty", title="Empty", voice="", version="1", start="s0", players=(READER,),
        cast=(Character(id=READER, name="The Reader", line="Reads.", at="place"),),
        settings=(Setting("place", "The Place"),),
        scenes=tuple(
            Scene(id=f"s{n}", title=f"Scene {n}", setting="place", cast=here, revisitable=True)
            for n in range(MOST_SCENES)
        ),
    )  # fmt: skip


class Followed:
    """A run that only listens."""

    def __init__(self, reader: Reader | None = None) -> None:
        self.reader = reader or ProseReader()
        self.world = _adopted()
        self._scenes: dict[str, SceneId] = {}  # the names of the text's scenes → the story's

    def tell(self, prose: str, *, typed: str = "", scene: str = "here") -> None:
        """One more rendering, which becomes fact at once; and what the player typed before it."""
        turn = TurnNo(self.world.now + 1)
        there = self._scenes.setdefault(scene, SceneId(f"s{len(self._scenes)}"))
        if self.world.scene != there:
            self._enter(there, turn)
        world = evolve(self.world, InputReceived(turn, READER, typed))
        world = evolve(world, Rendered(turn, 1, prose))
        assert world.pending is not None
        reading = self.reader.read(prose, cast=lexicon(world.plan).cast)
        self.world = commit(world, world.pending, reading).world

    def _enter(self, scene: SceneId, turn: TurnNo) -> None:
        unfolding = Unfolding(self.world, turn)
        unfolding.happen(SceneChanged(scene, SceneChange.ENTERED), source=Source.RULE)
        self.world = unfolding.world

    def entries(self, tier: Tier) -> list[Entity]:
        """What stands at least in a tier, the author's aside."""
        return [
            known
            for _, known in sorted(self.world.register.items())
            if known.floor is None and at_least(known.tier, tier)
        ]

    def tracked(self) -> Sequence[Sequence[str]]:
        """What is tracked in the present scene: the names it goes by."""
        here = [k for k in self.entries(Tier.TRACKED) if k.last_scene == self.world.scene]
        return [(known.words, known.head) for known in here]

    def persistent(self) -> Sequence[Sequence[str]]:
        """What is kept for good."""
        return [(known.words, known.head) for known in self.entries(Tier.PERSISTENT)]


class Table(Followed):
    """A campaign, followed: the game master narrates, what the others say is typed."""

    def __init__(self, masters: Iterable[str], reader: Reader | None = None) -> None:
        super().__init__(reader)
        self._masters = frozenset(masters)
        self._typed: list[str] = []
        self._scene = ""

    def read(self, turn: Turn, *, scene: str) -> None:
        """One more turn at the table."""
        if scene != self._scene:
            self.finish()
            self._scene = scene
        if self._masters.intersection(turn.speakers):
            self.tell(turn.text, typed="\n".join(self._typed), scene=scene)
            self._typed = []
        else:
            self._typed.append(turn.text)

    def finish(self) -> None:
        """What was said last in a scene, and nobody narrated."""
        if self._typed:
            self.tell("", typed="\n".join(self._typed), scene=self._scene)
            self._typed = []


@cache
def _adopted() -> World:
    return fold([adoption(empty_story())])


def objects_of(text: str, reader: Reader | None = None) -> list[list[tuple[int, int]]]:
    """The things of a text, each as the places of its mentions, as play finds them."""
    followed = Followed(reader)
    world = followed.world
    turn = TurnNo(1)
    world = evolve(evolve(world, InputReceived(turn, READER, "")), Rendered(turn, 1, text))
    assert world.pending is not None
    words = lexicon(world.plan)
    unfolding = Unfolding(world, turn)
    reading = followed.reader.read(text, cast=words.cast)
    telling = StagedTelling(unfolding, Passage(world.pending, reading, words.names), Cued())
    telling.run()
    return _things(telling.cast.meant, unfolding.world)


def _things(meant: Meant, world: World) -> list[list[tuple[int, int]]]:
    """Mentions by what they were found to be."""
    found: dict[Key, list[tuple[int, int]]] = {}
    for i, key in sorted(meant.keys.items()):
        known = world.register.get(key)
        if known is not None and known.sort in _OBJECTS and _is_an_object(known):
            mention = meant.reading.mentions[i]
            found.setdefault(key, []).append((mention.start, mention.end))
    return list(found.values())


def _is_an_object(known: Entity) -> bool:
    """A name of nobody knows what is hardly a cup's."""
    return known.sort is not Sort.UNKNOWN or not known.named
