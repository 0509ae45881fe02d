"""Atoms and compounds: the smallest things that happen, and how they hang together.

An atom says one thing that happened (`what`), who and what took part in which role, what that
implies between them, where it was read from and how sure we are. A participant may be known
(`Resolved`), only mentioned (`Unresolved`, with all that was said about it) or merely implied
(`Implicit`). Atoms are never changed: that a mention turned out to be the chipped cup is a record
of its own (`ReferenceResolved`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from storykeeper.events.effects import PRESENCE, Effect, effects_of
from storykeeper.events.vocabulary import Awareness, Dimension, Gender, Part, Sort, Text
from storykeeper.units import AtomId, Count, EntityId, Key, SceneId, Signed, TurnNo, Unit

# ── who and what ─────────────────────────────────────────────────────────────────────────────


class Role(StrEnum):
    """What a participant is to an atom."""

    ACTOR = "actor"
    TARGET = "target"
    INSTRUMENT = "instrument"
    LOCATION = "location"
    WITNESS = "witness"
    SUBJECT = "subject"


class Resolved(Part, frozen=True, tag_field="ref", tag="resolved"):
    """A thing the story keeps track of; read from a text, also the words and how it was found."""

    entity: EntityId
    mention: Text = ""
    descriptors: tuple[Text, ...] = ()
    by: str = ""  # name, possessive, spatial, anaphoric, descriptive, player
    place: Text = ""
    owner: Key | None = None  # whose it is said to be


class Unresolved(Part, frozen=True, tag_field="ref", tag="unresolved"):
    """Something mentioned, with enough about it to find out later which one it is."""

    mention: Text
    first_scene: SceneId
    first_turn: TurnNo
    descriptors: tuple[Text, ...] = ()
    place: Text = ""  # "on the table", "in her hand"
    possessor: Resolved | Unresolved | None = None
    prior_mentions: tuple[AtomId, ...] = ()  # in ledgers from before `joins`
    head: Text = ""  # its noun in the plain form: "cup"
    sort: Sort | None = None
    gender: Gender = Gender.UNKNOWN
    plural: bool = False
    named: bool = False
    joins: Key | None = None  # it is the one first mentioned there; None: this is its first mention
    among: tuple[Key, ...] = ()  # it is one of these, and nothing says which


class Implicit(Part, frozen=True, tag_field="ref", tag="implicit"):
    """Something nobody mentioned: sitting down implies a seat."""

    implied: Text
    because: Text


EntityRef = Resolved | Unresolved | Implicit


class Participant(Part, frozen=True):
    """Somebody or something, and its part in what happened."""

    role: Role
    entity: EntityRef


# ── what it implies ──────────────────────────────────────────────────────────────────────────


class ImplicationKind(StrEnum):
    """What an atom says about two of its participants."""

    ATTENTION = "attention"
    POSSESSION = "possession"
    PROXIMITY = "proximity"
    INFORMATION = "information"
    EMOTIONAL_CONNECTION = "emotional-connection"
    TRUST = "trust"
    CONFLICT = "conflict"
    CARE = "care"
    OBLIGATION = "obligation"
    RELATIONAL_SHIFT = "relational-shift"


class Implication(Part, frozen=True):
    """`of` and `toward` are places in the atom's list of participants."""

    kind: ImplicationKind
    of: Count
    toward: Count
    weight: Unit
    valence: Signed = 0.0


# ── what happened ────────────────────────────────────────────────────────────────────────────


class StateAsserted(Part, frozen=True, tag="state-asserted"):
    """Something was said to be so; of its subject maybe where it is: a setting, another thing."""

    state: Text
    at: EntityId | None = None


class ActionTaken(Part, frozen=True, tag="action-taken"):
    """Somebody did something; the act is a verb in its plain form, and may be the player's own."""

    act: Text
    about: EntityId | None = None
    also: tuple[str, ...] = ()  # acts that the author asks about by the same verb; in no window
    effects: tuple[Effect, ...] = ()  # what it changes in who and what can be perceived


def deed(act: str, about: EntityId | None = None, also: tuple[str, ...] = ()) -> ActionTaken:
    """A deed with the effects of its verb."""
    return ActionTaken(act, about, also, effects_of(act))


def told_deed(act: str) -> ActionTaken:
    """A deed that prose tells of: who is there after it is read from more than its verb."""
    return ActionTaken(act, effects=tuple(e for e in effects_of(act) if e not in PRESENCE))


class Moved(Part, frozen=True, tag="moved"):
    """The actor went to a setting; or the subject, a thing, went there, into hands or a thing."""

    to: EntityId
    origin: EntityId | None = None


class EmotionShown(Part, frozen=True, tag="emotion-shown"):
    """A feeling was seen or said, with how far its owner knows it."""

    feeling: str
    valence: Signed
    arousal: Unit
    determination: Unit
    awareness: Awareness


class InformationTold(Part, frozen=True, tag="information-told"):
    """Somebody told somebody something: an authored fact, or a claim in words."""

    claim: Text
    fact: str | None = None
    at: EntityId | None = None  # where the subject is, as they say
    guessed: bool = False  # who said the fact has it from nowhere: to hear it is not to be told


class SpeechUttered(Part, frozen=True, tag="speech-uttered"):
    """Somebody said something aloud, or low enough that only some could hear; or it is written."""

    words: Text
    whispered: bool = False
    asleep: bool = False  # in their sleep: they do not know of it
    written: bool = False  # by the actor, or on the instrument: who perceives it has read it


class RelationShifted(Part, frozen=True, tag="relation-shifted"):
    """How the actor stands toward the target changed."""

    dimension: Dimension
    by: Signed


class EnvironmentChanged(Part, frozen=True, tag="environment-changed"):
    """The world around them changed: the lamp went out."""

    change: Text


class SceneChange(StrEnum):
    """A step in the life of a scene."""

    REACHED = "reached"
    ENTERED = "entered"
    COMPLETED = "completed"
    LEFT = "left"
    REVISITED = "revisited"


class SceneChanged(Part, frozen=True, tag="scene-changed"):
    """A scene came into reach, began, ended."""

    scene: SceneId
    change: SceneChange


class EntityChange(StrEnum):
    """A step in the life of somebody or something."""

    APPEARED = "appeared"
    DEPARTED = "departed"
    CREATED = "created"
    DESTROYED = "destroyed"


class EntityChanged(Part, frozen=True, tag="entity-changed"):
    """Somebody or something came, went, began or ceased to be; it is the atom's subject."""

    change: EntityChange


class LineChange(StrEnum):
    """What becomes of a telephone line, or whatever else people speak from afar by."""

    RANG = "rang"  # the actor calls the target, who has not answered
    OPENED = "opened"
    ALOUD = "aloud"  # on speaker: all who are with the actor hear the other end, and are heard
    KEYED = "keyed"  # by radio: all hear it, and only who speaks into it is heard
    LOW = "low"  # neither any more
    MUTED = "muted"  # the actor hears the other end, and nobody there is heard
    UNMUTED = "unmuted"
    CLOSED = "closed"  # nor is anybody rung any more


class LineChanged(Part, frozen=True, tag="line-changed"):
    """The actor and the target can speak from afar, or no longer; without a target, with anybody.

    Whom the actor only calls is its subject, not its target: they may never know. What was done
    stands on an atom of its own: this is what it comes to.
    """

    change: LineChange


class Presence(StrEnum):
    """A change in what somebody can perceive, or be perceived of."""

    SLEPT = "slept"
    WOKE = "woke"
    HID = "hid"
    EMERGED = "emerged"
    DOUBTED = "doubted"  # they may be gone, asleep or elsewhere with their mind: nobody can tell
    SETTLED = "settled"  # they are there after all


class PresenceChanged(Part, frozen=True, tag="presence-changed"):
    """The actors sleep, wake, hide, come out, or it is no longer or again sure that they are there.

    That they went somewhere is `moved`, that they are gone `entity-changed`.
    """

    change: Presence


class PieceKind(StrEnum):
    """What a piece of prose tells."""

    SPEECH = "speech"
    ACTION = "action"
    DESCRIPTION = "description"
    THOUGHT = "thought"
    ASIDE = "aside"  # the narrator's own remark
    WRITING = "writing"


class Kept(Part, frozen=True):
    """Somebody who did not perceive a piece, and the reason."""

    who: EntityId
    why: Text


class NamedIn(Part, frozen=True):
    """Somebody of the author's whom the words of a piece name."""

    who: EntityId
    words: Text


class PieceTold(Part, frozen=True, tag="piece-told"):
    """A piece of the prose, word for word; those who perceived it are its witnesses."""

    piece: PieceKind
    text: Text
    speaker: EntityId | None = None
    words: Text = ""  # of what is said or written, the words alone
    kept_from: tuple[Kept, ...] = ()  # who was near, did not perceive it, and why
    names: tuple[NamedIn, ...] = ()


Happening = (
    StateAsserted
    | ActionTaken
    | Moved
    | EmotionShown
    | InformationTold
    | SpeechUttered
    | RelationShifted
    | EnvironmentChanged
    | SceneChanged
    | EntityChanged
    | LineChanged
    | PresenceChanged
    | PieceTold
)

# ── where it comes from ──────────────────────────────────────────────────────────────────────


class Source(StrEnum):
    """Whose text an atom was read from."""

    PLAYER = "player"
    NARRATOR = "narrator"
    AUTHOR = "author"
    RULE = "rule"


class Voice(StrEnum):
    """Who says so, the weightiest first: of four that may say what happened."""

    PERSON = "person"  # a correction
    AUTHOR = "author"  # a beat's own stage directions
    NARRATOR = "narrator"  # what the narrator declares it told
    READER = "reader"  # what was read from the prose


class Priority(StrEnum):
    """How soon an atom matters: backdrop, ordinary, or what the turn is about."""

    BACKGROUND = "background"
    NORMAL = "normal"
    FOREGROUND = "foreground"


class Confidence(Part, frozen=True):
    """How sure we are, and what makes us so."""

    value: Unit
    evidence: tuple[Text, ...] = ()


class Atom(Part, frozen=True, tag_field="kind", tag="atom", kw_only=True):
    """One thing that happened."""

    turn: TurnNo
    id: AtomId
    scene: SceneId
    what: Happening
    participants: tuple[Participant, ...] = ()
    implications: tuple[Implication, ...] = ()
    source: Source
    confidence: Confidence
    priority: Priority
    says: Voice | None = None  # of what was staged: who says so


# ── how it hangs together ────────────────────────────────────────────────────────────────────


class Bond(StrEnum):
    """How the members of a compound belong together."""

    CAUSAL = "causal"
    TEMPORAL = "temporal"
    CONDITIONAL = "conditional"
    THEMATIC = "thematic"


class AtomIn(Part, frozen=True, tag_field="member", tag="atom"):
    """An atom as a member of a compound."""

    atom: AtomId


class CompoundIn(Part, frozen=True, tag_field="member", tag="compound"):
    """A compound inside a compound. It holds atoms only, so depth two is all there can be."""

    bond: Bond
    atoms: Annotated[tuple[AtomId, ...], Meta(min_length=2)]


class Compound(Part, frozen=True, tag_field="kind", tag="compound", kw_only=True):
    """Atoms that belong together, in order: because of, after, on condition of, as an image of."""

    turn: TurnNo
    id: AtomId
    bond: Bond
    members: Annotated[tuple[AtomIn | CompoundIn, ...], Meta(min_length=2)]
    themes: tuple[str, ...] = ()
