"""How fast a world is folded from its records, and whether twice as many take twice as long.

The records are made up, a thousand turns at a time, outside the clock; they move people, shift
standings and moods, reveal, tell and enter scenes, in a story of 500 scenes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.stories import big_story
from storykeeper.bench.timing import timed
from storykeeper.bench.turns import atom_of_a_turn, records_of_a_turn
from storykeeper.events.atoms import (
    EmotionShown,
    Happening,
    Moved,
    RelationShifted,
    SceneChange,
    SceneChanged,
)
from storykeeper.events.changes import BeatTold, ConditionTurned, SecretRevealed
from storykeeper.events.records import AnyRecord
from storykeeper.events.vocabulary import Awareness, Dimension
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.units import Digest, EntityId, SceneId, TurnNo
from storykeeper.world.fold import fold as folded
from storykeeper.world.state import World

_CHUNK_TURNS = 1_000


def fold(place: Path, setup: Setup, figures: Figures) -> None:
    """Records folded a second; the floor changes one field of a world for each, and no more."""
    del place
    story = big_story(scenes=40 if setup.quick else 500, seed=1)
    sizes = (1_000, 10_000) if setup.quick else (100_000, 1_000_000)
    begun = folded([adoption(story)])
    speeds = {str(size): round(size / _seconds(story, begun, size)) for size in sizes}
    figures["storykeeper"]["fold"] = {"per_second": speeds}
    figures["floor"]["fold"] = {"per_second": round(sizes[0] / _floor(story, begun, sizes[0]))}
    small, large = (speeds[str(size)] for size in sizes)
    figures["ratio"]["fold"] = {"small_to_large": round(small / large, 2)}  # 1 is linear


def turn_of_a_story(number: int, story: Story) -> list[AnyRecord]:
    """The records of a turn in which a good deal happens."""
    turn = TurnNo(number)
    one, other = (EntityId(story.cast[(number + i) % len(story.cast)].id) for i in (0, 1))
    fact, scene = (each[number % len(each)] for each in (story.facts, story.scenes))
    setting = EntityId(story.settings[number % len(story.settings)].id)
    feeling = EmotionShown("unease", -0.1, 0.4, 0.5, Awareness.PRECONSCIOUS)
    happenings: list[Happening] = [
        Moved(setting),
        RelationShifted(Dimension.AFFECTION, 0.01 if number % 2 else -0.01),
        feeling,
    ]
    if number % 8 == 0:
        happenings.append(SceneChanged(SceneId(scene.id), SceneChange.ENTERED))
    return [
        *records_of_a_turn(number),
        *(
            atom_of_a_turn(number, 3 + i, what, actor=one, target=other)
            for i, what in enumerate(happenings)
        ),
        SecretRevealed(turn, fact.id, (one, other), "saw"),
        BeatTold(turn, SceneId(scene.id), "opening"),
        ConditionTurned(turn, Digest(f"{number % 64:032x}"), bool(number % 128 // 64)),
    ]


def _chunks(story: Story, count: int) -> Iterator[list[AnyRecord]]:
    turn = 1
    while count > 0:
        turns = range(turn, turn + _CHUNK_TURNS)
        chunk = [record for number in turns for record in turn_of_a_story(number, story)][:count]
        yield chunk
        count -= len(chunk)
        turn += _CHUNK_TURNS


def _seconds(story: Story, world: World, count: int) -> float:
    seconds = 0.0
    for chunk in _chunks(story, count):

        def work(chunk: list[AnyRecord] = chunk) -> None:
            nonlocal world
            world = folded(chunk, world)

        seconds += timed(work)
    return seconds


def _floor(story: Story, world: World, count: int) -> float:
    seconds = 0.0
    for chunk in _chunks(story, count):

        def work(chunk: list[AnyRecord] = chunk) -> None:
            changed = world
            for record in chunk:
                changed = structs.replace(changed, now=record.turn)

        seconds += timed(work)
    return seconds
