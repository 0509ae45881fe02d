"""A turn on its way to being fact: typed, asked about, shown, swiped, rejected, answered.

What is under way follows from these records alone, without the rest of a world: so the turns of a
run can be told from its ledger without folding it.
"""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.changes import ActionProposed
from storykeeper.events.turns import (
    Declared,
    InputReceived,
    LeftUnread,
    QuestionAnswered,
    QuestionAsked,
    Rejected,
    Rendered,
    Swiped,
    Unread,
    WindowAssembled,
)
from storykeeper.units import TurnNo
from storykeeper.world.state import Pending

TurnStep = (
    InputReceived
    | QuestionAsked
    | QuestionAnswered
    | WindowAssembled
    | Rendered
    | Declared
    | Swiped
    | Rejected
    | LeftUnread
    | ActionProposed
)

Both = tuple[Pending | None, Pending | None]  # what is answered and not yet fact; what is under way


def stepped(answered: Pending | None, pending: Pending | None, record: TurnStep) -> Both:
    """What is answered and what is under way, after a step."""
    match record:
        case InputReceived(turn=turn, player=player, text=text):
            asking = pending if pending is not None and pending.choices else None
            asking = None if asking is None else structs.replace(asking, asked=None)
            fresh = Pending(turn, player, text, asked=asking)
            # Answering is what makes the turn before count; one never shown is replaced.
            return pending if pending is not None and pending.take else answered, fresh
        case LeftUnread(turn=turn) if answered is not None and answered.turn == turn:
            return _unread(answered, record), pending
        case _ if pending is None or pending.turn != record.turn:
            return answered, pending
        case Rejected():
            return answered, None
        case _:
            return answered, _pending_after(pending, record)


def waiting(answered: Pending | None, pending: Pending | None, turn: TurnNo) -> Pending | None:
    """The turn of that number, if it is not fact yet."""
    return next((p for p in (answered, pending) if p is not None and p.turn == turn), None)


def settled(answered: Pending | None, pending: Pending | None, turn: TurnNo) -> Both:
    """The same, when a turn has become fact."""
    return (
        None if answered is not None and answered.turn == turn else answered,
        None if pending is not None and pending.turn == turn else pending,
    )


def _pending_after(pending: Pending, record: TurnStep) -> Pending:
    match record:
        case QuestionAsked(mention=mention, choices=choices):
            return structs.replace(pending, choices=choices, mention=mention)
        case QuestionAnswered(key=key) if pending.asked is not None:
            asked = pending.asked  # the turn goes on with the words it began with
            meant = (*asked.meant, (asked.mention, key))
            return structs.replace(asked, choices=(), mention="", meant=meant)
        case WindowAssembled(shown=shown, scene=scene, audience="narrator", handles=handles):
            return structs.replace(pending, shown=shown, scene=scene, handles=handles)
        case Rendered(take=take, prose=prose, stage=stage):
            takes = max(pending.takes, take)
            # Told without an answer: the question is past.
            return structs.replace(
                pending, take=take, takes=takes, prose=prose, stage=stage, choices=(), mention="",
                asked=None,
            )  # fmt: skip
        case Declared(take=take, stage=stage) if take == pending.take:
            return structs.replace(pending, stage=stage)
        case ActionProposed():
            return structs.replace(pending, proposed=(*pending.proposed, record))
        case Swiped():
            unread = tuple(each for each in pending.unread if each is not Unread.PROSE)
            return structs.replace(pending, take=0, prose="", stage=None, unread=unread)
        case LeftUnread():
            return _unread(pending, record)
        case _:
            return pending


def _unread(turn: Pending, left: LeftUnread) -> Pending:
    return structs.replace(turn, unread=tuple(dict.fromkeys((*turn.unread, left.what))))
