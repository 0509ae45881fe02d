"""Small stories to try gravity on, told by scenes alone; and worlds of them, set as one likes."""

from immutables import Map
from msgspec import structs

from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import Condition, Knows, Weighed
from storykeeper.story.knowledge import Fact, StoryEvent
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Approach, Gate, Scene, Transition
from storykeeper.world.fold import fold
from storykeeper.world.state import Known, SceneState, SceneStatus

FACTS, EVENTS = ("f1", "f2", "f3", "f4"), ("e1", "e2", "e3")


def knows(fact, **more):
    return Condition(knows=Knows(who="player", fact=fact, **more))


def happened(event):
    return Condition(happened=event)


def never(condition):
    return Condition(not_=condition)


def gate(name, *conditions):
    return Gate(id=name, conditions=conditions)


def asks(*conditions, mood=None, weights=()):
    """One way of coming to a scene."""
    weights = weights or (1.0,) * len(conditions)
    pairs = zip(conditions, weights, strict=True)
    return Approach(predicates=tuple(Weighed(when=c, weight=w) for c, w in pairs), mood=mood)


def scene(name, *to, **more):
    """A scene that leads to others: to "b", or to ("b", a condition)."""
    ways = [(each, None) if isinstance(each, str) else each for each in to]
    leads = tuple(Transition(to=goal, when=when) for goal, when in ways)
    return Scene(id=name, title=name, leads_to=leads, **more)


def place(name, *to, **more):
    """A setting with paths: to "b", or to ("b", a cost), or to a path as it is."""
    paths = [
        way if isinstance(way, Path) else Path(to=way) if isinstance(way, str)
        else Path(to=way[0], cost=way[1])
        for way in to
    ]  # fmt: skip
    return Setting(id=name, name=name, paths=tuple(paths), **more)


def story(*scenes, players=("ann",), **more):
    """Ann, Bob and Eve, four facts, three events; it starts with the first scene."""
    people = (*players, "bob", "eve")
    settings = more.pop("settings", ())
    used = {s.setting for s in scenes if s.setting} - {s.id for s in settings}
    given = {
        "cast": tuple(Character(id=who, name=who.title(), line="x") for who in people),
        "facts": tuple(Fact(id=name, full=name) for name in FACTS),
        "events": tuple(StoryEvent(id=name, summary=name) for name in EVENTS),
        **more,
    }
    return Story(
        id="hills", title="Hills", players=players, start=scenes[0].id, voice="Plain.",
        settings=(*settings, *(place(name) for name in sorted(used))), scenes=scenes, **given,
    )  # fmt: skip


def world_of(told, /, *records, **fields):
    """The world of a story after these records, some of its maps replaced."""
    world = fold([adoption(told), *records])
    maps = {
        name: Map(value) if isinstance(value, dict) else value for name, value in fields.items()
    }
    return structs.replace(world, **maps)


def learned(*facts, by="ann", suspected=False):
    return {by: Map({fact: Known("saw", 1, suspected) for fact in facts})}


def done(*, completed=True):
    """A scene that was played."""
    status = SceneStatus.COMPLETED if completed else SceneStatus.REACHABLE
    return SceneState(status, 1, 1, 1, completed)
