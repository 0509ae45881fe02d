"""All kinds of record. A new kind joins this list and the page docs/reference/records.md."""

from __future__ import annotations

from storykeeper.events.atoms import Atom, Compound
from storykeeper.events.changes import (
    ActionProposed,
    ActMatched,
    BeatTold,
    BeliefFormed,
    BeliefSuperseded,
    ConditionTurned,
    EntityDemoted,
    EntityPromoted,
    EventHappened,
    FactGuessed,
    GateOpened,
    IntentPredicted,
    IntentResolved,
    LayerEntered,
    LayerLeft,
    LayerMerged,
    ProphecyBorn,
    ProphecyFulfilled,
    ProphecyReinforced,
    ReferenceResolved,
    SecretRevealed,
)
from storykeeper.events.remembered import (
    EmbedderChosen,
    MemoryAdded,
    MemoryRepeated,
    MemoryRetired,
    MemoryShown,
    MemorySummarised,
)
from storykeeper.events.turns import (
    Corrected,
    Declared,
    InputReceived,
    LeftUnread,
    QuestionAnswered,
    QuestionAsked,
    Rejected,
    Rendered,
    RunBegun,
    RunForked,
    StageCorrected,
    StoryAdopted,
    StorySummed,
    Swiped,
    TextErased,
    TurnCommitted,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)

AnyRecord = (
    RunBegun
    | RunForked
    | StoryAdopted
    | InputReceived
    | QuestionAsked
    | QuestionAnswered
    | WindowAssembled
    | Rendered
    | Declared
    | Swiped
    | Rejected
    | LeftUnread
    | TurnCommitted
    | TurnEdited
    | TurnRetracted
    | StorySummed
    | Corrected
    | StageCorrected
    | TextErased
    | Atom
    | Compound
    | ReferenceResolved
    | EntityPromoted
    | EntityDemoted
    | BeatTold
    | EventHappened
    | ConditionTurned
    | SecretRevealed
    | ActMatched
    | FactGuessed
    | GateOpened
    | LayerEntered
    | LayerLeft
    | LayerMerged
    | ActionProposed
    | IntentPredicted
    | IntentResolved
    | BeliefFormed
    | BeliefSuperseded
    | ProphecyBorn
    | ProphecyReinforced
    | ProphecyFulfilled
    | MemoryAdded
    | MemorySummarised
    | MemoryRetired
    | MemoryRepeated
    | MemoryShown
    | EmbedderChosen
)
