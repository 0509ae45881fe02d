"""The records of a turn as they would be in play, made up: for load, not for meaning."""

from __future__ import annotations

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    Confidence,
    Happening,
    Implication,
    ImplicationKind,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    Unresolved,
)
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived, Rendered, TurnCommitted, WindowAssembled
from storykeeper.units import AtomId, Digest, EntityId, SceneId, Tokens, TurnNo

PROSE = (
    "Mara turns the cup so that the chip faces the wall. Rain has found the gap under the sash"
    " again; she folds the cloth twice and lays it there without looking. \u201cHe had it in his"
    " coat,\u201d she says at last. \u201cThe brass one. He always had it in his coat.\u201d The"
    " lamp above you ticks as it cools. "
)


def records_of_a_turn(number: int) -> list[AnyRecord]:
    """Input, window, rendering, commit, and two atoms."""
    turn, scene = TurnNo(number), SceneId("kitchen")
    actor = Participant(Role.ACTOR, Resolved(EntityId("mara")))
    cup = Unresolved("the cup", scene, turn, descriptors=("chipped",), place="on the table")
    return [
        InputReceived(turn, EntityId("ilya"), f"I ask Mara about the key, time {number}"),
        WindowAssembled(turn, "narrator", Digest("0" * 64), Digest("1" * 64), Tokens(2900)),
        Rendered(turn, 1, PROSE * 2, "offline"),
        TurnCommitted(turn, 1),
        Atom(
            turn=turn,
            id=AtomId(f"t{number}.1"),
            scene=scene,
            what=ActionTaken("turn"),
            participants=(actor, Participant(Role.TARGET, cup)),
            implications=(Implication(ImplicationKind.ATTENTION, 0, 1, 0.2),),
            source=Source.NARRATOR,
            confidence=Confidence(0.9),
            priority=Priority.NORMAL,
        ),
        Atom(
            turn=turn,
            id=AtomId(f"t{number}.2"),
            scene=scene,
            what=SpeechUttered("He had it in his coat"),
            participants=(actor, Participant(Role.WITNESS, Resolved(EntityId("ilya")))),
            source=Source.NARRATOR,
            confidence=Confidence(0.9),
            priority=Priority.FOREGROUND,
        ),
    ]


def atom_of_a_turn(
    number: int, place: int, what: Happening, *, actor: EntityId, target: EntityId
) -> Atom:
    """Something else that happens in it, between two people."""
    roles = ((Role.ACTOR, actor), (Role.TARGET, target))
    return Atom(
        turn=TurnNo(number),
        id=AtomId(f"t{number}.{place}"),
        scene=SceneId("kitchen"),
        what=what,
        participants=tuple(Participant(role, Resolved(who)) for role, who in roles),
        source=Source.NARRATOR,
        confidence=Confidence(0.9),
        priority=Priority.NORMAL,
    )
