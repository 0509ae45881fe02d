"""What one of the cast has of the past: their own window, as large as it may be, and no more."""

from __future__ import annotations

from typing import Any

from storykeeper.context.items import Tier
from storykeeper.serve.inspector.looking import Look

PLENTY = 60_000  # tokens: far more than anybody's brief, so that little is left out


async def own_journal(look: Look, turn: int) -> dict[str, Any]:
    """What they perceived and what they hold, as their window says it."""
    last = await look.keeper(lambda keeper: int(keeper.last_turn()))
    window = await look.window(min(turn, last), text="", tokens=PLENTY)
    receipt = window.receipt_for(look.audience)
    told = [
        {"id": entry.id, "origin": entry.origin, "tier": int(entry.tier), "text": item.text,
         "sources": entry.sources}
        for item, entry in zip(window.items, receipt.shown, strict=True)
    ]  # fmt: skip
    return {
        "turn": window.turn, "audience": look.audience,
        "perceived": [each for each in told if each["tier"] == int(Tier.JOURNAL)],
        "held": [each for each in told if each["tier"] != int(Tier.JOURNAL)],
        "left_out": len(receipt.left_out),
    }  # fmt: skip
