"""Worlds of the parlour with things in them, made without reading any text."""

from functools import cache

from msgspec import structs

from storykeeper.entities.reference import Reference
from storykeeper.events import atoms as a
from storykeeper.events.turns import TurnCommitted
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.index import indexed
from storykeeper.world.state import Entity, World
from strategies.parlour import parlour

PARLOUR, GARDEN = SceneId("in-parlour"), SceneId("in-garden")


@cache
def _first_world() -> World:
    return fold([adoption(parlour())])


def opened(story: Story | None = None) -> World:
    """Turn 0 is over, and everybody is in the parlour."""
    world = _first_world() if story is None else fold([adoption(story)])
    return goes_to(fold([TurnCommitted(TurnNo(0), 1)], world), PARLOUR, turn=0)


def goes_to(world: World, scene: str, *, turn: int) -> World:
    """The world after a scene was entered."""
    change = a.SceneChanged(SceneId(scene), a.SceneChange.ENTERED)
    return evolve(world, atom(what=change, turn=turn, source=a.Source.RULE, scene=scene))


def with_thing(world: World, key: str, **fields) -> World:
    """The world with an entry of the register; a cup on record in the parlour, if nothing else."""
    usual = {
        "words": "the cup", "head": "cup", "sort": Sort.THING, "gender": Gender.IT, "told": True,
        "scene": PARLOUR, "scenes": (PARLOUR,), "last_scene": PARLOUR, "events": 1,
        "seen": world.mentioned + 1, "last": world.now, "clock": world.clocks.get(PARLOUR, 0),
    }  # fmt: skip
    made = Entity(**usual | fields)
    keys = world.keys.set(made.id, Key(key)) if made.id and made.id != key else world.keys
    return structs.replace(
        world, register=world.register.set(Key(key), made), keys=keys,
        index=indexed(world.index, Key(key), made, world.register), mentioned=world.mentioned + 1,
        recent=(*world.recent, Key(key)),
    )  # fmt: skip


def reference(words: str = "the cup", **fields) -> Reference:
    """A mention; its last word is its noun, and what stands between describes it."""
    first, *rest = words.split()
    article = first in ("the", "a")
    named = fields.get("named", False)
    usual = {
        "head": words if named or not rest else rest[-1],
        "sort": Sort.THING, "gender": Gender.IT, "definite": first != "a",
        "descriptors": tuple(rest[:-1]) if article else (),
    }  # fmt: skip
    return Reference(words, **usual | fields)


def pronoun(words: str, **fields) -> Reference:
    genders = {"it": Gender.IT, "she": Gender.SHE, "he": Gender.HE, "they": Gender.THEY}
    usual = {"pronoun": True, "gender": genders[words], "plural": words == "they"}
    return Reference(words, **usual | fields)


def said(mention: str, head: str | None = None, **fields) -> a.Unresolved:
    """Something mentioned in a text, as an atom has it."""
    usual = {"head": mention.split()[-1] if head is None else head, "sort": Sort.THING}
    return a.Unresolved(mention, PARLOUR, TurnNo(0), **usual | fields)


def person(who: str, mention: str = "") -> a.Resolved:
    return a.Resolved(EntityId(who), mention)


def atom(*parts, what=None, turn=1, number=1, scene=PARLOUR, source=a.Source.NARRATOR, implied=()):
    """An atom: participants as (role, reference), implications as (kind, of, toward, weight)."""
    return a.Atom(
        turn=turn, id=f"t{turn}.{number}", scene=scene,
        what=a.ActionTaken("look") if what is None else what,
        participants=tuple(a.Participant(a.Role(role), ref) for role, ref in parts),
        implications=tuple(a.Implication(a.ImplicationKind(k), *more) for k, *more in implied),
        source=source, confidence=a.Confidence(0.9), priority=a.Priority.NORMAL,
    )  # fmt: skip


def looks(*, at: a.EntityRef, who: str = "mara", weight: float = 0.2, **more) -> a.Atom:
    """Somebody looks at something."""
    parts = [("actor", person(who)), ("target", at)]
    return atom(*parts, implied=[("attention", 0, 1, weight)], **more)
