"""The world: a frozen value made of small frozen values and persistent maps.

It holds what later steps decide on and nothing in bulk: positions, standings, moods, who knows
which fact, where scenes, layers and prophecies stand. Texts live in the ledger. One event costs
O(log n): maps share what did not change. They iterate in hash order, so whatever leaves them is
sorted first.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from immutables import Map
from msgspec import Struct, structs

from storykeeper.events.changes import ActionProposed
from storykeeper.events.staged import Declaration
from storykeeper.events.turns import Choice, Unread
from storykeeper.events.vocabulary import Awareness, Gender, Sort, Tier
from storykeeper.story.model import PLAYER
from storykeeper.units import AtomId, EntityId, Key, SceneId, TurnNo
from storykeeper.world.plan import Plan

# A persistent map from the left to the right; immutables.Map is generic only to type checkers.
EMPTY: Map[Any, Any] = Map()


class SceneStatus(StrEnum):
    """Where a scene stands."""

    DORMANT = "dormant"
    REACHABLE = "reachable"
    ACTIVE = "active"
    COMPLETED = "completed"
    REVISITABLE = "revisitable"


class SceneState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The life of one scene so far. Coming back does not undo that it was completed."""

    status: SceneStatus = SceneStatus.DORMANT
    visits: int = 0
    first_entered: TurnNo | None = None
    last_entered: TurnNo | None = None
    completed: bool = False  # played to its end at least once
    found: tuple[EntityId, ...] = ()  # who was to be seen there when it was last entered


class Standing(Struct, frozen=True, gc=False, omit_defaults=True):
    """How somebody stands toward somebody: three kinds of trust, affection, debt."""

    reliability: float = 0.0
    competence: float = 0.0
    benevolence: float = 0.0
    affection: float = 0.0
    debt: float = 0.0
    shifts: int = 0  # how often it changed in play
    last_shift: TurnNo | None = None


class Feeling(Struct, frozen=True, gc=False, omit_defaults=True):
    """A named emotion and how far its owner knows it."""

    name: str
    strength: float
    awareness: Awareness
    toward: EntityId | None = None
    shown_as: str = ""


class Mood(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where somebody stands emotionally."""

    valence: float = 0.0
    arousal: float = 0.5
    determination: float = 0.5
    feelings: tuple[Feeling, ...] = ()


class Known(Struct, frozen=True, gc=False, omit_defaults=True):
    """That somebody knows a fact, or only suspects it; how, and since when."""

    how: str
    since: TurnNo
    suspected: bool = False


class Sighting(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where something was seen or said to be, and who perceived it.

    Those in `by` did so openly, each before the eyes of all who perceived it; each group in `apart`
    did so too, seen by nobody but itself.
    """

    turn: TurnNo
    atom: AtomId
    place: EntityId | None  # a setting, a container, who holds it; None: gone, and not seen where
    by: tuple[EntityId, ...] = ()
    apart: tuple[tuple[EntityId, ...], ...] = ()
    supposed: tuple[tuple[EntityId, EntityId], ...] = ()  # (who, of whom): left there with it
    teller: EntityId | None = None  # it is only what they said
    # Who was where, as long as nobody knows in which room it was: then it is known who saw it.
    anywhere: tuple[tuple[EntityId, EntityId], ...] = ()


class Believed(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something somebody holds true. Superseded ones are kept, with what took their place."""

    who: EntityId
    how: str
    since: TurnNo
    confidence: float
    fact: str | None = None
    superseded: bool = False
    superseded_by: str | None = None
    claimed: bool = False  # they were told it in play, while it was not so
    lie: bool = False  # whoever told them did not hold it true
    guessed: bool = False  # whoever said it had it from nowhere: for the author, in no window


class Lesson(Struct, frozen=True, gc=False, omit_defaults=True):
    """An event by which a fact was learned, and who perceived it, as of a sighting."""

    how: str
    seen: Sighting  # of no place
    suspected: bool = False  # no more than its hint
    claimed: bool = False  # it was said while it was not so
    forgotten_by: tuple[EntityId, ...] = ()  # they no longer know where they have it from


class Bump(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that made a boundary thinner, and when."""

    turn: TurnNo
    amount: float


class LayerState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The life of a tale within the tale."""

    visits: int = 0
    last_left: TurnNo | None = None
    completed: bool = False
    merged: bool = False
    bumps: tuple[Bump, ...] = ()  # one a turn at most, the faded ones let go


class ProphecyState(Struct, frozen=True, gc=False, omit_defaults=True):
    """A prophecy that was spoken."""

    born: TurnNo
    reinforced: float = 0.0
    last: TurnNo = TurnNo(0)
    by: tuple[str, ...] = ()  # the events that reinforced it, each once
    fulfilled: TurnNo | None = None


class Mark(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a condition remembers: when something first held, and when it last did."""

    first: TurnNo
    last: TurnNo
    holds: bool


class Deed(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something done in the present turn."""

    who: EntityId
    act: str
    to: EntityId | None = None
    about: EntityId | None = None


class Before(Struct, frozen=True, gc=False, omit_defaults=True):
    """How somebody stood toward somebody before anything moved it in a tale."""

    who: EntityId
    toward: EntityId
    standing: Standing


class Inside(Struct, frozen=True, gc=False, omit_defaults=True):
    """A layer on the stack, and the scene it was entered from."""

    layer: str
    entered_from: SceneId
    before: tuple[Before, ...] = ()  # standings that were moved in it


class Pending(Struct, frozen=True, omit_defaults=True):
    """A turn that is not fact yet. It is the only text a world holds."""

    turn: TurnNo
    player: EntityId
    text: str
    shown: tuple[str, ...] = ()  # what its window held
    scene: SceneId = SceneId("")  # where it was told
    take: int = 0  # the one that stands; 0: nothing is shown
    takes: int = 0  # how many there were
    prose: str = ""
    stage: Declaration | None = None  # what the narrator declared of it
    handles: tuple[str, ...] | None = None  # the facts that its window offered, if it did: F1, F2 …
    choices: tuple[Choice, ...] = ()  # the player has to say which of these they mean
    mention: str = ""  # by these words
    asked: Pending | None = None  # the turn that these words may be an answer for
    meant: tuple[tuple[str, Key], ...] = ()  # what the player has said they mean by which words
    unread: tuple[Unread, ...] = ()  # what of it is kept and was not read
    proposed: tuple[ActionProposed, ...] = ()  # what models have characters do in it

    @property
    def told(self) -> tuple[str, ...]:
        """What its window held, without the beats that its telling left for later."""
        left = () if self.stage is None else self.stage.left
        return tuple(each for each in self.shown if each.removeprefix("beat:") not in left)


class Edge(Struct, frozen=True, gc=False, omit_defaults=True):
    """What is between an entry of the register and another; when and where it was last added to.

    The rest is how the one stands toward the other, in the measures of a standing.
    """

    weight: float
    last: TurnNo
    scene: SceneId
    reliability: float = 0.0
    benevolence: float = 0.0
    affection: float = 0.0
    debt: float = 0.0


class Entity(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Somebody or something that was referred to, and the weight it has gathered."""

    id: EntityId = EntityId("")  # once it is tracked; the author's have theirs from the start
    words: str  # how it is best called
    called: str = ""  # how the story has called what the author named
    head: str = ""
    named: bool = False
    sort: Sort = Sort.UNKNOWN
    gender: Gender = Gender.UNKNOWN
    plural: bool = False
    descriptors: tuple[str, ...] = ()
    possessor: str = ""  # a key or an id
    place: str = ""
    tier: Tier | None = None  # as decided; below tracked it follows from the weight
    floor: Tier | None = None  # it never sinks below: the author's
    scene: SceneId  # where it was first mentioned, and when
    first: TurnNo = TurnNo(0)
    scenes: tuple[SceneId, ...] = ()  # in which something happened to it
    last: TurnNo = TurnNo(0)
    last_scene: SceneId = SceneId("")
    clock: int = 0  # how many turns its last scene had had by then
    seen: int = 0  # the order of last mentions
    mentions: int = 0
    told: bool = False  # it is in the story, and not only in what a player typed
    at: tuple[str, ...] = ()  # its mentions while it had no id
    total: float = 0.0
    by_player: float = 0.0
    events: int = 0
    edges: dict[Key, Edge] = {}


class Given(Struct, frozen=True, gc=False):
    """What weight an atom of the present turn gave to whom."""

    atom: AtomId
    weights: tuple[tuple[Key, float], ...]


class Noticed(Struct, frozen=True):
    """What a player heard spoken of: when last, how often, and how much of it."""

    key: Key
    turn: TurnNo
    scene: SceneId
    clock: int
    seen: int
    weight: float


class World(Struct, frozen=True):
    """All of it."""

    plan: Plan
    now: TurnNo = TurnNo(0)  # the last turn that became fact
    scene: SceneId | None = None
    scene_turns: int = 0  # committed in the present scene
    connective_turns: int = 0  # since the last scene that was not connective
    inside: tuple[Inside, ...] = ()  # the layer stack, outermost first
    scenes: Map[SceneId, SceneState] = EMPTY
    masses: Map[SceneId, float] = EMPTY  # changes that events stated
    places: Map[EntityId, EntityId] = EMPTY  # who or what is in which setting
    bodies: Map[EntityId, EntityId] = EMPTY  # of who is in a tale: where their body stays
    holders: Map[EntityId, EntityId] = EMPTY  # which thing is held by whom
    containers: Map[EntityId, EntityId] = EMPTY  # which thing is in, on or under which other
    closed: tuple[EntityId, ...] = ()  # things that were shut: what is in them is not seen
    hidden: tuple[EntityId, ...] = ()  # who and what is here and not seen
    invisible: tuple[EntityId, ...] = ()  # they are not seen, wherever they go
    away: tuple[EntityId, ...] = ()  # they stepped out, and perceive nothing until they are back
    lines: tuple[tuple[EntityId, EntityId], ...] = ()  # who hears whom from afar
    ringing: tuple[tuple[EntityId, EntityId], ...] = ()  # who calls whom, and has no answer yet
    aloud: tuple[EntityId, ...] = ()  # whose end of a line all hear who are with them
    keyed: tuple[EntityId, ...] = ()  # of these, where only who speaks into it is heard
    muted: tuple[EntityId, ...] = ()  # at whose end of a line nobody is heard
    asleep: tuple[EntityId, ...] = ()  # they perceive nothing
    unsure: tuple[
        EntityId, ...
    ] = ()  # nobody can tell whether they are there: they perceive nothing
    deaf: tuple[EntityId, ...] = ()  # they hear nothing, besides whom the author made so
    sightings: Map[EntityId, tuple[Sighting, ...]] = EMPTY  # of whom or what, the latest last
    haunts: Map[EntityId, tuple[EntityId, ...]] = EMPTY  # where, whom these have there; sorted
    met: Map[EntityId, frozenset[EntityId]] = EMPTY  # who → where they were, what lay there, F8.11
    standings: Map[tuple[EntityId, EntityId], Standing] = EMPTY
    moods: Map[EntityId, Mood] = EMPTY
    truths: Map[str, float] = EMPTY  # fact → confidence
    known: Map[EntityId, Map[str, Known]] = EMPTY
    beliefs: Map[str, Believed] = EMPTY
    taught: Map[str, tuple[Lesson, ...]] = EMPTY  # fact → where two or more came by it together
    register: Map[Key, Entity] = EMPTY  # everybody and everything referred to
    keys: Map[EntityId, Key] = EMPTY  # of those who got their id in play
    index: Map[str, tuple[Key, ...]] = EMPTY  # by noun, word of a name, descriptor; the newest
    heard: Map[EntityId, tuple[str, ...]] = EMPTY  # player → names told, @ids been with; sorted
    guessed: Map[EntityId, tuple[str, ...]] = EMPTY  # player → those they typed before any was
    tried: Map[EntityId, tuple[str, ...]] = EMPTY  # player → facts they said and did not have
    noticed: Map[EntityId, tuple[Noticed, ...]] = EMPTY  # player, of several → what they heard of
    told_lines: tuple[str, ...] = ()  # traces of the last sentences told, to know them again
    recent: tuple[Key, ...] = ()  # the last ones referred to, the latest last
    mentioned: int = 0  # how many references there were
    clocks: Map[SceneId, int] = EMPTY  # turns committed in each scene
    given: tuple[Given, ...] = ()  # in the present turn
    gates: Map[str, TurnNo] = EMPTY
    told: Map[str, TurnNo] = EMPTY  # "scene/beat"
    happened: Map[str, TurnNo] = EMPTY
    shown: Map[str, TurnNo] = EMPTY  # what somebody could do → when they last did
    marks: Map[str, Mark] = EMPTY
    layers: Map[str, LayerState] = EMPTY
    one_with: Map[EntityId, EntityId] = EMPTY  # inside → outside, since a boundary fell
    prophecies: Map[str, ProphecyState] = EMPTY
    deeds: tuple[Deed, ...] = ()
    answered: Pending | None = None  # shown and answered, to be committed
    pending: Pending | None = None  # under way
    player: EntityId | None = None  # of several, whose turn is being decided; never kept


def in_turn(world: World, turn: Pending) -> World:
    """The world while a turn is decided. One player is who they are; an edited story may have
    others play than the turn was begun with.
    """
    players = world.plan.players
    player = turn.player if len(players) > 1 and turn.player in players else None
    return structs.replace(world, player=player)


def whose_turn(world: World) -> EntityId:
    """The player whose turn is being decided; the first, where there is none."""
    return world.plan.players[0] if world.player is None else world.player


def in_scene(world: World, who: EntityId) -> bool:
    """Whether the present scene is a player's: of several, who stayed elsewhere is not in it."""
    scene = world.plan.scenes.get(world.scene or "")
    if len(world.plan.players) < 2 or scene is None or scene.setting is None:
        return True
    return world.places.get(who) == scene.setting


def named(world: World, who: str) -> tuple[EntityId, ...]:
    """The characters that a name in the author's files stands for, in the turn being decided."""
    return world.plan.named(who, world.player)


def mark_name(condition: str, player: EntityId | None) -> str:
    """The name of a mark: of several players each has their own."""
    return condition if player is None else f"{condition}@{player}"


def mark_of(world: World, condition: str) -> Mark | None:
    """What is remembered of a condition for the player whose turn it is; with no turn, for any.

    A mark of no player is everybody's: it is the only player's, or of before they were told apart.
    """
    for player in world.plan.named(PLAYER, world.player):
        if (own := world.marks.get(mark_name(condition, player))) is not None:
            return own
    return world.marks.get(condition)


def present(world: World) -> tuple[EntityId, ...]:
    """Everyone of the cast where the player is whose turn it is, in the order of the cast."""
    here = world.places.get(whose_turn(world))
    cast = map(EntityId, world.plan.cast)
    return tuple(who for who in cast if here is not None and world.places.get(who) == here)
