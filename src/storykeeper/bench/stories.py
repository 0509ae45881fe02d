"""Large stories without a subject: what the reader and the checks are timed on.

The same arguments give the same story. It is valid, every scene of it can be reached, and it has
the proportions of the example: a few facts and events for each scene, a layer for every fifty.
"""

from __future__ import annotations

from random import Random

from msgspec import structs

from storykeeper.story.conditions import At, Condition, Did, Knows, Threshold, Weighed
from storykeeper.story.knowledge import Fact, Reveal, StoryEvent
from storykeeper.story.layers import Layer, LayerKind, Portal, Prophecy, Reinforcement
from storykeeper.story.model import Story
from storykeeper.story.people import Belief, Character, Goal, Relation
from storykeeper.story.places import Path, Setting, Thing
from storykeeper.story.scenes import (
    Approach,
    Beat,
    Gate,
    MoodTarget,
    Scene,
    SceneCast,
    SceneType,
    Transition,
)

_WORDS = (
    "lamp", "tide", "stone", "letter", "door", "salt", "rope", "winter", "bread", "well", "glass",
    "harbour", "candle", "sister", "ladder", "garden", "bell", "road", "smoke", "thread",
)  # fmt: skip
_THEMES = ("debt", "light", "return", "silence", "water", "name")
_LAYER_EVERY = 50  # scenes; the 47th of each such run is a tale within the tale


def big_story(scenes: int, seed: int) -> Story:
    """A valid story of so many scenes."""
    random = Random(seed)
    people = max(4, scenes // 10)
    places = max(3, scenes // 8)
    story = Story(
        id="big-story",
        title="A story of great length",
        players=("person-0",),
        start=_scene_id(0),
        voice=_prose(random, words=60),
        rules=(_prose(random, words=12), _prose(random, words=10)),
        cast=tuple(_character(i, people, places, random) for i in range(people)),
        settings=tuple(_setting(i, places, random) for i in range(places)),
        things=tuple(_thing(i, places, random) for i in range(people)),
        facts=tuple(_fact(i, people, random) for i in range(scenes)),
        events=tuple(_event(i, random) for i in range(scenes)),
        layers=tuple(_layer(i) for i in _layer_starts(scenes)),
        prophecies=tuple(_prophecy(i, scenes) for i in range(scenes // 25)),
        themes={theme: (_THEMES[(i + 1) % len(_THEMES)],) for i, theme in enumerate(_THEMES)},
        scenes=tuple(_scene(i, scenes, people, places, random) for i in range(scenes)),
    )
    opening = story.scenes[0].cast.required  # the scene says where they are
    cast = (structs.replace(c, at=None) if c.id in opening else c for c in story.cast)
    return structs.replace(story, cast=tuple(cast))


def _scene_id(i: int) -> str:
    return f"scene-{i:05d}"  # in the order of the numbers when sorted


def _prose(random: Random, *, words: int) -> str:
    text = " ".join(random.choice(_WORDS) for _ in range(words))
    return f"{text.capitalize()}."


def _character(i: int, people: int, places: int, random: Random) -> Character:
    return Character(
        id=f"person-{i}",
        name=f"Person {i}",
        line=_prose(random, words=10),
        at=f"place-{random.randrange(places)}",
        beliefs=(Belief(text=_prose(random, words=8), weight=0.7),),
        goals=(Goal(text=_prose(random, words=6)),),
        relations=(Relation(to=f"person-{(i + 1) % people}", affection=0.2),),
    )


def _setting(i: int, places: int, random: Random) -> Setting:
    paths = (Path(to=f"place-{i + 1}", cost=1.5),) if i + 1 < places else ()
    description = _prose(random, words=20)
    return Setting(id=f"place-{i}", name=f"Place {i}", description=description, paths=paths)


def _thing(i: int, places: int, random: Random) -> Thing:
    return Thing(id=f"thing-{i}", name=f"thing {i}", at=f"place-{random.randrange(places)}")


def _fact(i: int, people: int, random: Random) -> Fact:
    told = Condition(told=f"{_scene_id(i)}/opening")
    return Fact(
        id=f"fact-{i}",
        full=_prose(random, words=18),
        hint="Somebody is not saying something.",
        secret=i % 4 == 0,
        about=(f"person-{random.randrange(people)}",),
        known_by={f"person-{random.randrange(1, people)}": "saw"},
        revealed_by=(Reveal(when=told, to=("player",)),),
    )


def _event(i: int, random: Random) -> StoryEvent:
    return StoryEvent(
        id=f"event-{i}",
        summary=_prose(random, words=12),
        themes=(random.choice(_THEMES),),
        mass={_scene_id(i): 0.1},
    )


def _layer_starts(scenes: int) -> range:
    """The scenes that are a tale of their own: one in each run of fifty, never the last."""
    return range(_LAYER_EVERY - 4, scenes - 1, _LAYER_EVERY)


def _layer(first: int) -> Layer:
    return Layer(
        id=f"tale-{first}",
        name=f"The tale of {first}",
        kind=LayerKind.FRAME,
        scenes=(_scene_id(first),),
        themes=("light",),
        portals=(Portal(from_=_scene_id(first - 1), to=_scene_id(first)),),
        exits=(Portal(from_=_scene_id(first), to=_scene_id(first + 1)),),
    )


def _prophecy(i: int, scenes: int) -> Prophecy:
    return Prophecy(
        id=f"prophecy-{i}",
        source=f"event-{i * 25}",
        target=_scene_id(min(scenes - 1, i * 25 + 24)),
        reinforced_by=(Reinforcement(event=f"event-{i * 25 + 1}"),),
        imagery=("a light over water",),
    )


def _scene(i: int, scenes: int, people: int, places: int, random: Random) -> Scene:
    others = tuple(f"person-{n}" for n in random.sample(range(1, people), k=2))
    return Scene(
        id=_scene_id(i),
        title=f"Scene {i}",
        type=random.choice(tuple(SceneType)),
        setting=f"place-{random.randrange(places)}",
        mass=round(random.random(), 2),
        required=i % 7 == 0,
        ending=i == scenes - 1,
        cast=SceneCast(required=("person-0", others[0]), contingent=(others[1],)),
        themes=(random.choice(_THEMES),),
        tone=_prose(random, words=5),
        stakes=_prose(random, words=9),
        approach=(_approach(i),),
        gates=(_gate(i),) if i % 3 == 0 else (),
        leads_to=_transitions(i, scenes),
        beats=_beats(i, random),
    )


def _approach(i: int) -> Approach:
    knows = Condition(knows=Knows(who="player", fact=f"fact-{max(0, i - 1)}"))
    mood = MoodTarget(valence=-0.2, determination=0.7)
    return Approach(predicates=(Weighed(when=knows, weight=2.0),), mood=mood)


def _gate(i: int) -> Gate:
    before = max(0, i - 1)
    one_of = (
        Condition(happened=f"event-{before}"),
        Condition(at=At(who="player", place="place-0")),
        Condition(did=Did(who="player", act="look at", to="thing-0")),
    )
    return Gate(
        id=f"gate-{i}",
        conditions=(
            Condition(knows=Knows(who="player", fact=f"fact-{before}")),
            Condition(threshold=Threshold(at_least=2, of=one_of)),
        ),
    )


def _transitions(i: int, scenes: int) -> tuple[Transition, ...]:
    """To the next scene, and where there is one to the scene after; never past a tale's edge."""
    tales = set(_layer_starts(scenes))
    if i in tales or i + 1 >= scenes:
        return ()
    ways = []
    if i + 1 not in tales:
        opened = Condition(opened=f"gate-{i}") if i % 3 == 0 else None
        ways.append(Transition(to=_scene_id(i + 1), when=opened, label="onward"))
    if i + 2 < scenes and i + 2 not in tales:
        ways.append(Transition(to=_scene_id(i + 2), when=Condition(happened=f"event-{i}")))
    return tuple(ways)


def _beats(i: int, random: Random) -> tuple[Beat, ...]:
    opening = Beat(id="opening", prose=_prose(random, words=60), happens=(f"event-{i}",))
    after = Condition(told=f"{_scene_id(i)}/opening")
    return (opening, Beat(id="later", prose=_prose(random, words=40), when=after))
