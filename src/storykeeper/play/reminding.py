"""What a turn's words bring to mind: older turns that memory finds for a window.

It is recorded with the window, so that replaying needs no search: a model may have had a part in
it, and models change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.naming import told_to
from storykeeper.events.atoms import Atom
from storykeeper.events.turns import Reminded
from storykeeper.ledger.port import Ledger
from storykeeper.play.running import Running
from storykeeper.story.model import NARRATOR
from storykeeper.units import RunId, TurnNo
from storykeeper.world.state import World

if TYPE_CHECKING:
    from storykeeper.memory.found import Hit
    from storykeeper.play.recalling import Recollection

LEAST_TURNS = 9  # so few stand in the window anyway, word for word or in its journal
MOST = 12
PROMPT_TOKENS = 800
_PLACES = 6  # decimals that are kept


def reminded(
    recollection: Recollection, text: str, audience: str, *, ledger: Ledger, run: RunId,
    now: Running,
) -> tuple[Recalled, ...]:  # fmt: skip
    """What comes to mind at these words, the likeliest first; nothing at none."""
    from storykeeper.play.recalling import Query

    if not text.strip() or now.world.now < LEAST_TURNS:
        return ()
    query = Query(text, audience, budget=PROMPT_TOKENS)
    hits = recollection.found(query, ledger=ledger, run=run, now=now, most=MOST).hits
    best = max((hit.score for hit in hits), default=0.0)
    found = [
        Reminded(hit.item.sources[0], _share(hit.score, best), round(_likeness(hit), _PLACES))
        for hit in hits
        if hit.item.turn is not None
    ]
    turns = recollection.turns({turn_of(each.source) for each in found})
    return brought_back(found, turns)


def asked(world: World, present: PresentTurn, audience: str) -> str:
    """The words that bring something to mind: the player's own, or what somebody perceives of them.

    What one did not hear must bring nothing back.
    """
    if audience in (NARRATOR, present.player):
        return present.text
    line = Boundary(world, (), present, audience=audience)
    atoms = (record for record in present.decided if isinstance(record, Atom))
    return " ".join(told_to(line, atom) for atom in atoms if line.witnessed(atom))


def _likeness(hit: Hit) -> float:
    return 0.0 if hit.terms is None else min(1.0, max(0.0, hit.terms.likeness))


def _share(score: float, best: float) -> float:
    return round(min(1.0, max(0.0, score / best)), _PLACES) if best > 0 else 0.0


def brought_back(found: Sequence[Reminded], turns: Sequence[PastTurn]) -> tuple[Recalled, ...]:
    """What was found, with the turns it is of; what is of a turn that is no more is gone."""
    by_turn = {turn.turn: turn for turn in turns}
    return tuple(
        Recalled(each.source, each.share, each.likeness, by_turn[number])
        for each in found
        if (number := turn_of(each.source)) in by_turn
    )


def turn_of(source: str) -> TurnNo:
    """The turn of a source: 12 of `turn:12` and of `atom:t12.3`."""
    kind, _, name = source.partition(":")
    return TurnNo(int(name if kind == "turn" else name[1:].partition(".")[0]))
