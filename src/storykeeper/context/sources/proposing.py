"""What every source makes: candidates of tier 3, and the words they have in common."""

from __future__ import annotations

from collections.abc import Iterable

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Tier
from storykeeper.context.words import capital


def proposed(item_id: str, **fields: object) -> Candidate:
    """A candidate of tier 3; its own source, unless it names others."""
    given = {"tier": Tier.RETRIEVED, "sources": (item_id,)} | fields
    return Candidate(id=item_id, **given)  # type: ignore[arg-type]


def themed(themes: Iterable[str]) -> str:
    """Themes in words."""
    return ", ".join(theme.replace("-", " ") for theme in themes)


def line(*said: str) -> str:
    """One line of a list from what there is to say, each a sentence; nothing if there is none."""
    words = [capital(text.strip().rstrip(".")) for text in said if text.strip()]
    return f"- {'. '.join(words)}" if words else ""


def just_told(boundary: Boundary, text: str) -> bool:
    """Whether it stands word for word in the turn told last, which every window has whole."""
    if not (boundary.narrator and boundary.recent and text.strip()):
        return False
    last = boundary.recent[-1]
    mine = last.player in boundary.minds  # what another player was told may not be in it
    return mine and " ".join(text.split()) in " ".join(last.prose.split())
