"""What somebody gets to see of a turn: the player's words played out, and a window on that."""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.context.history import PresentTurn
from storykeeper.context.window import Window, assemble
from storykeeper.language.tokens import counter
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import play_out
from storykeeper.play.running import Running
from storykeeper.world.state import Pending, World

NARRATOR = "narrator"


@dataclass(frozen=True, slots=True)
class Seen:
    """A turn as an audience sees it. None of it is true yet."""

    window: Window
    present: PresentTurn
    world: World


def perceived(turn: Pending, then: Running, *, tokens: int | None) -> Window:
    """One character's window on something it perceives: `turn.player` is that character.

    Nothing is played out: a knock at the door is not something it does.
    """
    present = PresentTurn(turn.turn, turn.player, turn.text)
    return assemble(
        then.world, then.past.turns, present,
        audience=turn.player, tokens=tokens,
        count=counter(then.world.plan.story.budget.encoding),
    )  # fmt: skip


def seen(turn: Pending, then: Running, *, audience: str, tokens: int | None) -> Seen:
    """The window on a turn, from where the run stands."""
    unfolding = play_out(then.world, turn)
    beat = next_beat(unfolding.world)
    beats = () if beat is None else (beat,)
    present = PresentTurn(turn.turn, turn.player, turn.text, tuple(unfolding.records), beats)
    window = assemble(
        unfolding.world, then.past.turns, present,
        audience=audience, tokens=tokens,
        count=counter(unfolding.world.plan.story.budget.encoding),
    )  # fmt: skip
    return Seen(window, present, unfolding.world)
