"""What a character has read that bears on the moment: passages of canon, each cited."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.canon.provenance import CANON
from storykeeper.context.boundary import Boundary
from storykeeper.context.foreign import safe
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.proposing import proposed
from storykeeper.scoring.composite import Terms

WRITTEN = "written"


def written(boundary: Boundary) -> Iterator[Candidate]:
    """Each passage with what it comes from; the same words in two sources come from both."""
    for each in boundary.present.written:
        also = "".join(f" [{cite}]" for cite in each.cites[1:])
        against = f" (said otherwise in {', '.join(each.opposed)})" if each.opposed else ""
        number = each.id.partition("#")[2]
        yield proposed(
            f"{CANON}:{each.id}", origin=WRITTEN, klass=Class.ENRICHMENT,
            full=f"- [{each.id}] {safe(' '.join(each.text.split()))}{also}{against}",
            sources=(f"{CANON}:{each.id}", *(f"{CANON}:{c}#{number}" for c in each.cites[1:])),
            terms=Terms(relevance=each.score / each.trust if each.trust else 0.0, trust=each.trust),
        )  # fmt: skip
