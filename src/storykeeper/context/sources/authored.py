"""What the author wants told now; what a character was taught."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.proposing import proposed
from storykeeper.scoring.composite import Terms

BEAT, DOCTRINE = "beat", 0.5


def beats(boundary: Boundary) -> Iterator[Candidate]:
    """The beats that are due."""
    for name, beat in boundary.present.beats:
        yield proposed(
            f"beat:{name}", origin=BEAT, klass=Class.MANDATORY, full=beat.prose, terms=Terms()
        )


def doctrine(boundary: Boundary) -> Iterator[Candidate]:
    """A character's own, one by one."""
    if boundary.narrator:
        return
    me = boundary.plan.cast[boundary.audience]
    for i, text in enumerate(me.doctrine):
        yield proposed(
            f"doctrine:{me.id}/{i}", origin="doctrine", klass=Class.ENRICHMENT,
            sources=(f"card:{me.id}",), full=f"- Taught: {text.strip()}" if text.strip() else "",
            terms=Terms(relevance=DOCTRINE),
        )  # fmt: skip
