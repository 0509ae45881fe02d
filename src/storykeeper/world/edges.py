"""What an implication moves in how somebody stands toward somebody or something (F7.7)."""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.atoms import Implication, ImplicationKind
from storykeeper.world.state import Edge


def stood(edge: Edge, implied: Implication) -> Edge:
    """An edge after one implication of whose it is: the table of implication → standing (F7.7)."""
    changes = {
        measure: getattr(edge, measure) + sign * implied.weight
        for measure, sign in standing_of(implied)
    }
    return structs.replace(edge, **changes) if changes else edge


def standing_of(implied: Implication) -> tuple[tuple[str, float], ...]:
    """F7.7  which measures of a standing an implication moves, and which way.

    Possession and proximity are where things are, and attention alone is no relation.
    """
    match implied.kind:
        case ImplicationKind.EMOTIONAL_CONNECTION if implied.valence >= 0:
            return (("affection", implied.valence or 1.0),)
        case ImplicationKind.EMOTIONAL_CONNECTION:
            return (("reliability", implied.valence), ("benevolence", implied.valence))
        case ImplicationKind.TRUST:
            sign = -1.0 if implied.valence < 0 else 1.0
            return (("reliability", sign), ("benevolence", sign))
        case ImplicationKind.CONFLICT:
            return (("benevolence", -1.0), ("affection", -1.0))
        case ImplicationKind.CARE:
            return (("benevolence", 1.0), ("affection", 1.0))
        case ImplicationKind.OBLIGATION:
            return (("debt", 1.0),)
        case _:
            return ()
