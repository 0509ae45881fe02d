"""Why a prompt is no longer the prompt before: every turn's change has a reason with a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.context.items import Shown, Tier
from storykeeper.context.render import headings_for, rendered, whole
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.tail import RECENT, STEADY_TURNS
from storykeeper.context.window import Window

APPENDED = "the turn appended"
NOTHING = "nothing new"
SCENE = "scene boundary"
FULL = "tier 2 full, cut anew"
STEADY = "cut anew at every sixteenth turn"
ROOM = "less room this turn"
PREAMBLE = "tier 1 changed within the scene"
OTHER = "unexplained"
REASONS = (APPENDED, NOTHING, SCENE, FULL, STEADY, ROOM, PREAMBLE, OTHER)


@dataclass(frozen=True, slots=True)
class Made:
    """A window, and the scene it was made in."""

    window: Window
    scene: str
    last: int  # the last turn that was told
    tier: int  # tokens that tier 2 may take

    @property
    def stable(self) -> str:
        """Tiers 1 and 2 as they stand in the text."""
        return whole(*rendered(self.above, headings_for(self.window.audience)))

    @property
    def above(self) -> list[Shown]:
        """The items of tiers 1 and 2."""
        return [each for each in self.window.items if each.candidate.tier <= Tier.JOURNAL]

    @property
    def first(self) -> str:
        """The first turn that is there word for word."""
        return next((s.candidate.id for s in self.above if s.candidate.origin == RECENT), "")


def reason(before: Made, now: Made) -> str:
    """Why tiers 1 and 2 differ from those before; the first thing that differs decides."""
    if now.scene != before.scene:
        return SCENE
    if now.stable.startswith(before.stable):
        return NOTHING if now.stable == before.stable else APPENDED
    if _texts(now, Tier.PREAMBLE) != _texts(before, Tier.PREAMBLE):
        return PREAMBLE
    return _cut(before, now)


def _cut(before: Made, now: Made) -> str:
    """The tail begins elsewhere, or what is told of before it is other: why just then."""
    if now.first == before.first and _so_far(now) == _so_far(before):
        return OTHER
    grown = now.above[-1].tokens + sum(s.tokens for s in before.above if _in_tier_2(s))
    if grown > now.tier:
        return FULL
    if now.last % STEADY_TURNS == 0:
        return STEADY
    return ROOM


def _in_tier_2(shown: Shown) -> bool:
    return shown.candidate.tier is Tier.JOURNAL


def _texts(made: Made, tier: Tier) -> Sequence[str]:
    return [each.text for each in made.above if each.candidate.tier is tier]


def _so_far(made: Made) -> Sequence[str]:
    return [each.text for each in made.above if each.candidate.origin == SO_FAR]
