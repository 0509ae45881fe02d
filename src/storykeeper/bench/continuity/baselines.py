"""What anybody would do without us, at the same tokens.

    plain           the newest whole turns that fit
    plain_summary   half of it: the newest whole turns; the other half: an extractive summary of
                    all that is older, in order

Both get the whole budget for the past; ours pays its preamble, headings and the input from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from storykeeper.bench.continuity.data import Told
from storykeeper.context.words import quoted
from storykeeper.language.tokens import Counter
from storykeeper.memory.compaction.extractive import extract
from storykeeper.memory.items import Item

BLANK = "\n\n"


def written(turn: Told) -> str:
    """A turn as a chat's history has it."""
    return BLANK.join(part for part in (quoted(turn.line), turn.prose) if part.strip())


def plain(turns: Sequence[Told], *, tokens: int, count: Counter) -> str:
    """The newest whole turns that fit, oldest first."""
    return BLANK.join(map(written, turns[_newest(turns, tokens, count) :]))


def plain_summary(turns: Sequence[Told], *, tokens: int, count: Counter) -> str:
    """The newest whole turns in half of it, and before them a summary of the rest."""
    start = _newest(turns, tokens // 2, count)
    recent = BLANK.join(map(written, turns[start:]))
    older = tuple(turns[:start])
    return BLANK.join(filter(None, (_summary(older, tokens - count(recent), count), recent)))


def _newest(turns: Sequence[Told], tokens: int, count: Counter) -> int:
    start, room = len(turns), tokens
    while start > 0 and (cost := count(written(turns[start - 1]) + BLANK)) <= room:
        start, room = start - 1, room - cost
    return start


@lru_cache(maxsize=4_096)
def _summary(older: tuple[Told, ...], room: int, count: Counter) -> str:
    """The sentences that say the most, in so many tokens; all of it, where that fits."""
    whole = BLANK.join(map(written, older))
    total = count(whole)
    if total <= room:
        return whole
    items = [Item(str(t.number), written(t), t.number) for t in older]
    share = room / total
    while share > 0.01:
        made = extract(items, count=count, share=share)
        if made is None or count(made.text) <= room:
            return made.text if made is not None else ""
        share *= 0.97
    return ""


BASELINES = {"plain": plain, "plain_summary": plain_summary}
