"""Who looks into a memory: somebody, nobody in particular, or the owner of the file."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal

from storykeeper.errors import ItemRefused


class Owner(Enum):
    """The owner of the file, who may see everything in it."""

    OWNER = "owner"

    def __repr__(self) -> str:
        return "OWNER"


OWNER: Final = Owner.OWNER
Asker = str | Literal[Owner.OWNER] | None


def asker_or_refuse(audience: object) -> str | None:
    """Who asks: one name, or nobody in particular."""
    if audience is not None and not isinstance(audience, str):
        raise ItemRefused(f"whoever asks is one name or None, not {repr(audience)[:40]}")
    return audience


def any_asker_or_refuse(audience: object) -> Asker:
    """Who asks, where the owner may too."""
    return OWNER if audience is OWNER else asker_or_refuse(audience)
