"""From items to text: the same items give the same bytes.

What is stable comes first (tier 1, the story so far, the last turns), what is fresh each turn last,
so that a model's prefix cache holds from turn to turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from storykeeper.context.inputs import ASKS, INTENT
from storykeeper.context.items import Shown, Tier
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.sources import BEAT, EARLIER, RECALLED
from storykeeper.context.tail import RECENT
from storykeeper.story.model import NARRATOR

BLANK = "\n\n"
HEAD = "tier 1"


@dataclass(frozen=True, slots=True)
class Headings:
    """What stands above the parts; short, counted, and silent about how it was made."""

    so_far: str
    recent: str
    retrieved: str
    earlier: str
    tell: str
    input: str
    ask: str = ""
    others: str = ""

    def over(self, shown: Shown) -> str:
        """The heading that an item stands under; tier 1 brings its own."""
        origin = shown.candidate.origin
        match shown.candidate.tier:
            case Tier.PREAMBLE:
                return ""
            case Tier.JOURNAL:
                return self.so_far if origin == SO_FAR else self.recent
            case Tier.RETRIEVED:
                own = {BEAT: self.tell, RECALLED: self.earlier, EARLIER: self.earlier}
                return own.get(origin, self.retrieved)
            case Tier.INPUT:
                return {ASKS: self.ask, INTENT: self.others}.get(origin, self.input)

    def used(self, shown: Iterable[Shown]) -> list[str]:
        """The headings above these items, each once, in order."""
        return list(dict.fromkeys(filter(None, map(self.over, shown))))


FOR_NARRATOR = Headings(
    so_far="# The story so far, in its own words; already told",
    recent="# Told last",
    retrieved="# To write from",
    earlier="# From earlier, as it was told",
    tell="# To be told now",
    input="# The player",
    ask="# Write",
    others="# What shows of the others now",
)
FOR_CHARACTER = Headings(
    so_far="# Earlier",
    recent="# What you last saw and heard",
    retrieved="# What you know of this",
    earlier="# What comes back to you",
    tell="# Now",
    input="# This moment",
)


def headings_for(audience: str) -> Headings:
    """The narrator's, or a character's."""
    return FOR_NARRATOR if audience == NARRATOR else FOR_CHARACTER


class Heads(Protocol):
    """What says under which heading an item stands."""

    def over(self, shown: Shown, /) -> str:
        """The heading, or nothing."""
        ...


def rendered(shown: Sequence[Shown], headings: Heads) -> tuple[str, str]:
    """The stable part (tier 1) and the rest."""
    first = [s for s in shown if s.candidate.tier is Tier.PREAMBLE]
    rest = [s for s in shown if s.candidate.tier is not Tier.PREAMBLE]
    return _joined(first, headings), _joined(rest, headings)


def whole(stable: str, fresh: str) -> str:
    """Both parts as one text."""
    return BLANK.join(part for part in (stable, fresh) if part)


# ── for a cache ──────────────────────────────────────────────────────────────────────────────

Part = dict[str, Any]
KEPT = {"type": "ephemeral"}


def in_parts(
    stable: str, shown: Sequence[Shown], headings: Headings
) -> tuple[list[Part], list[Part]]:
    """Tier 1, and the rest, in parts that stay the same between turns; joined, they are `whole`.

    The story so far is one part and every recent turn one, so that an appended turn changes none
    before it. Marked are tier 1, all up to the newest turn (the cache has it from the turn before)
    and the newest turn (the next turn will find it): three marks, of four that there may be.
    """
    rest = [s for s in shown if s.candidate.tier is not Tier.PREAMBLE]
    texts: dict[str, str] = {}
    for each, piece in zip(rest, _pieces(rest, headings), strict=True):
        origin = each.candidate.origin
        name = each.candidate.id if origin == RECENT else origin if origin == SO_FAR else ""
        texts[name] = texts.get(name, BLANK if stable and not texts else "") + piece
    told = [name for name in texts if name][-2:]
    return _parts({HEAD: stable} if stable else {}, [HEAD]), _parts(texts, told)


def _parts(texts: Mapping[str, str], kept: Sequence[str]) -> list[Part]:
    return [
        {"type": "text", "text": text} | ({"cache_control": dict(KEPT)} if name in kept else {})
        for name, text in texts.items()
    ]


# ── text ─────────────────────────────────────────────────────────────────────────────────────


def _joined(shown: Sequence[Shown], headings: Heads) -> str:
    return "".join(_pieces(shown, headings))


def _pieces(shown: Sequence[Shown], headings: Heads) -> Iterator[str]:
    above, before = "", ""
    for each in shown:
        heading = headings.over(each)
        if heading != above:
            yield f"{BLANK if before else ''}{heading}\n{each.text}"
        else:
            yield f"{_between(before, each.text)}{each.text}"
        above, before = heading, each.text


def _between(before: str, after: str) -> str:
    """Lines of a list stand close; everything else has air."""
    if not before:
        return ""
    return "\n" if after.startswith("- ") else BLANK
