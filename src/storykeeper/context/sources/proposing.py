"""What every source makes: candidates of tier 3."""

from __future__ import annotations

from storykeeper.context.items import Candidate, Tier


def proposed(item_id: str, **fields: object) -> Candidate:
    """A candidate of tier 3; its own source, unless it names others."""
    given = {"tier": Tier.RETRIEVED, "sources": (item_id,)} | fields
    return Candidate(id=item_id, **given)  # type: ignore[arg-type]
