"""What somebody gets to see of a turn: the player's words played out, and a window on that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from storykeeper.context.history import PresentTurn, Recalled
from storykeeper.context.parts import Part
from storykeeper.context.window import Window, assemble
from storykeeper.errors import StorykeeperError
from storykeeper.events.turns import Reminded, WindowAssembled
from storykeeper.language.tokens import counter
from storykeeper.play.beats import due
from storykeeper.play.commit import play_out
from storykeeper.play.reminding import asked
from storykeeper.play.running import Running
from storykeeper.units import SceneId, Tokens, TurnNo
from storykeeper.world.state import Pending, World

if TYPE_CHECKING:
    from storykeeper.memory.evidence import Evidence

NARRATOR = "narrator"


@dataclass(frozen=True, slots=True)
class Seen:
    """A turn as an audience sees it. None of it is true yet."""

    window: Window
    present: PresentTurn
    world: World


def nothing(_: str) -> tuple[()]:
    """No memory is asked."""
    return ()


@dataclass(frozen=True, slots=True)
class Remind:
    """What words bring to mind: of what was told, and of what is written."""

    past: Callable[[str], Sequence[Recalled]] = nothing
    written: Callable[[str], Sequence[Evidence]] = nothing


NOTHING = Remind()


def perceived(
    turn: Pending, then: Running, *, tokens: int | None, remind: Remind = NOTHING
) -> Window:
    """One character's window on something it perceives: `turn.player` is that character.

    Nothing is played out: a knock at the door is not something it does.
    """
    read = tuple(remind.written(turn.text))
    present = PresentTurn(turn.turn, turn.player, turn.text, written=read)
    budget = then.world.plan.story.budget
    return assemble(
        then.world, then.past.within(tokens or budget.brief_tokens), present,
        audience=turn.player, tokens=tokens, count=counter(budget.encoding),
        recalled=remind.past(turn.text), summaries=then.past.summaries,
    )  # fmt: skip


def seen(
    turn: Pending, then: Running, *, audience: str, tokens: int | None, remind: Remind = NOTHING,
    without: Collection[Part] = (), inline: bool = False,
) -> Seen:  # fmt: skip
    """The window on a turn, from where the run stands and what its words bring to mind."""
    unfolding = play_out(then.world, turn)
    beats = due(unfolding.world, unfolding.records)
    present = PresentTurn(turn.turn, turn.player, turn.text, tuple(unfolding.records), beats)
    words = asked(unfolding.world, present, audience)
    present = replace(present, written=tuple(remind.written(words)))
    budget = unfolding.world.plan.story.budget
    usual = budget.tokens if audience == NARRATOR else budget.brief_tokens
    window = assemble(
        unfolding.world, then.past.within(tokens or usual), present,
        audience=audience, tokens=tokens, count=counter(budget.encoding),
        recalled=remind.past(words),
        summaries=then.past.summaries, without=without, inline=inline,
    )  # fmt: skip
    return Seen(window, present, unfolding.world)


def look_ahead(then: Running, *, tokens: int | None, inline: bool) -> None:
    """What the next window will rest on, found while the player reads: the turn that is shown in
    its pieces, and where the past is cut with it, the story so far. It is all kept by value.
    """
    then, shown = then.copy(), then.world.pending
    if shown is None or not shown.take:
        return
    with suppress(StorykeeperError):  # whatever is wrong is said when they answer
        then.decide(shown)
        turn = Pending(TurnNo(shown.turn + 1), shown.player, "")
        seen(turn, then, audience=NARRATOR, tokens=tokens, inline=inline)


def on_record(window: Window, scene: SceneId) -> WindowAssembled:
    """A window as the ledger keeps it: its hashes, what was in it, and what memory found for it."""
    found = (Reminded(r.source, r.share, r.likeness) for r in window.recalled)
    return WindowAssembled(
        window.turn, window.audience, window.digest, window.receipt_digest, Tokens(window.tokens),
        window.shown, scene, window.receipt.spent.budget, tuple(found), window.inline,
        window.handles,
    )  # fmt: skip
