"""What became of the world: recorded when it was decided, never worked out again."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from storykeeper.events.turns import Record
from storykeeper.events.vocabulary import Awareness, Grade, How, Part, Text, Tier
from storykeeper.units import Amount, AtomId, Count, Digest, EntityId, Key, SceneId, Signed, Unit


class ReferenceResolved(Record, frozen=True, tag="reference-resolved"):
    """A mention turned out to be this thing."""

    atom: AtomId
    participant: Count
    entity: EntityId
    strategy: str  # possessive, spatial, anaphoric, descriptive, name, player


class Weight(Part, frozen=True):
    """What a promotion was decided on."""

    total: Amount
    events: Count
    relationships: Count
    by_player: Amount


class EntityPromoted(Record, frozen=True, tag="entity-promoted"):
    """A thing earned a higher place."""

    entity: EntityId
    name: Text
    before: Tier | None
    after: Tier
    weight: Weight
    why: str
    key: Key = Key("")  # what it was known as before; empty: as the entity


class EntityDemoted(Record, frozen=True, tag="entity-demoted"):
    """A thing that nothing happens to any more sank by one tier."""

    entity: EntityId
    before: Tier
    after: Tier
    why: str


class BeatTold(Record, frozen=True, tag="beat-told"):
    """A piece of the author's prose was told."""

    scene: SceneId
    beat: str


class EventHappened(Record, frozen=True, tag="event-happened"):
    """Something the author wrote beforehand came about."""

    event: str
    player: EntityId | None = None  # of several, in whose turn: `player` in it is this one


class ConditionTurned(Record, frozen=True, tag="condition-turned"):
    """Something that a condition remembers began to hold, or ceased to."""

    condition: Digest
    holds: bool
    player: EntityId | None = None  # of several, for whom


class SecretRevealed(Record, frozen=True, tag="secret-revealed"):
    """These people now know the fact (or suspect it), and how."""

    fact: str
    to: Annotated[tuple[EntityId, ...], Meta(min_length=1)]
    how: How
    suspected: bool = False
    seen_by: tuple[EntityId, ...] = ()  # they knew it already, and were there


class ActMatched(Record, frozen=True, tag="act-matched"):
    """A player's line does an act that the story waits for, in words of its own."""

    who: EntityId
    act: str
    to: EntityId | None = None
    about: EntityId | None = None


class FactGuessed(Record, frozen=True, tag="fact-guessed"):
    """A player's line said what they do not have: that it is said back to them tells nothing."""

    who: EntityId
    fact: str


class GateOpened(Record, frozen=True, tag="gate-opened"):
    """All conditions of a gate held."""

    gate: str


class LayerEntered(Record, frozen=True, tag="layer-entered"):
    """The story went into a tale within it."""

    layer: str
    scene: SceneId
    who: tuple[EntityId, ...] = ()  # those whose body stays where it is


class LayerLeft(Record, frozen=True, tag="layer-left"):
    """And came out again."""

    layer: str
    scene: SceneId  # where it came out
    completed: bool = False


class LayerMerged(Record, frozen=True, tag="layer-merged"):
    """The boundary is gone for good; entities are one by the authored map."""

    layer: str
    entities: dict[EntityId, EntityId] = {}


class MoodDelta(Part, frozen=True):
    """A change of mood."""

    valence: Signed = 0.0
    arousal: Signed = 0.0
    determination: Signed = 0.0


class IntentPredicted(Record, frozen=True, tag="intent-predicted"):
    """What a character is about to do, as far as can be told. Its motive is its own."""

    who: EntityId
    intent: Text
    confidence: Unit
    mood: MoodDelta | None = None
    motive: Text = ""
    option: str = ""  # which of the things they could do: `mara/tells/0`
    to: tuple[EntityId, ...] = ()
    feeling: Text = ""  # that moves them, and how far they know of it
    awareness: Awareness | None = None
    by: str = ""  # the model that chose it; empty: the rules


class ActionProposed(Record, frozen=True, tag="action-proposed"):
    """What a model that plays a character has them do in a turn; a judge has allowed it."""

    who: EntityId
    option: str
    by: str
    words: Text = ""
    why: Text = ""


class IntentResolved(Record, frozen=True, tag="intent-resolved"):
    """What came of it, and what it made knowable."""

    who: EntityId
    outcome: Text  # as it shows; empty: nothing is to be seen of it
    succeeded: bool
    reveals: tuple[str, ...] = ()
    option: str = ""
    grade: Grade | None = None
    event: str = ""  # that came of it
    drawn: Unit | None = None  # where chance fell; below its chance it succeeds
    why: Text = ""  # if it was not possible: why


class BeliefFormed(Record, frozen=True, tag="belief-formed"):
    """Somebody holds something true, rightly or wrongly, and from where."""

    who: EntityId
    belief: str
    claim: Text
    how: How
    confidence: Unit
    fact: str | None = None


class BeliefSuperseded(Record, frozen=True, tag="belief-superseded"):
    """Somebody thinks otherwise now; the old belief is kept."""

    who: EntityId
    belief: str
    by: str | None
    why: Text = ""


class ProphecyBorn(Record, frozen=True, tag="prophecy-born"):
    """An event began to lean on a scene."""

    prophecy: str
    event: str


class ProphecyReinforced(Record, frozen=True, tag="prophecy-reinforced"):
    """Another event leaned the same way."""

    prophecy: str
    event: str
    amount: Unit


class ProphecyFulfilled(Record, frozen=True, tag="prophecy-fulfilled"):
    """What was foretold has come."""

    prophecy: str
    scene: SceneId
