"""What makes words of going no going after all: habit, condition, report, another time.

"I have to run every morning", "if I have to go", "he said I must leave", "I'll go to the coast next
year".
"""

from __future__ import annotations

import re

from storykeeper.language.presence.phrasebook import Phrasebook
from storykeeper.language.presence.wording import Span, Wording

_LISTS = {
    "day": """
        monday / tuesday / wednesday / thursday / friday / saturday / sunday / mondays / tuesdays /
        wednesdays / thursdays / fridays / saturdays / sundays / weekdays / weekends / holidays
    """,
    "often": "every / each / always / usually / often / sometimes / never / daily / weekly",
    "season": "summer / winter / spring / autumn / fall / week / month / year / weekend",
    "while": "an hour / hours / days / weeks / months / years",
}

# Before it in its clause.
_BEFORE = Phrasebook(
    """
    <often>
    <day>
    if|whether|unless|whenever|when|before|after|once|until|till|where|which|what|why|how
    as if|though|soon
    imagine|suppose|supposing|pretend|thought
    said|says|tell|tells|told|asked|asks
    mean|means
    used to
    feel|feels|felt like
    ago
    do|does
    one day
    someday|mornings|evenings|places|tomorrow|next
    """,
    _LISTS,
)
# After it in its clause.
_AFTER = Phrasebook(
    """
    <often>
    on <day>
    next <season>
    next <day>
    next day|morning
    this <season>
    once|twice|times a
    in (about|two|three|four|a|couple|few) (of|few|couple) <while>
    one day
    if|when|whenever
    tomorrow|someday|sometime|eventually|sooner|regularly|anymore|together
    """,
    _LISTS,
)
_OPENS = re.compile(r"[,;:–—]")
_ENDS = re.compile(r"[,;:.!?–—]|\b(?:but|and|because|since|so|as)\b", re.IGNORECASE)


def in_earnest(wording: Wording, span: Span) -> bool:
    """Whether words are said of now, and not as a habit, a condition or a report."""
    first, last = wording.sentence_at(span[0])
    head = wording.plain[first : span[0]]
    opened = max((mark.end() for mark in _OPENS.finditer(head)), default=0)
    cut = _ENDS.search(wording.plain, span[1], last)
    before = (first + opened, span[0])
    after = (span[1], cut.start() if cut else last)
    return not (_within(_BEFORE, wording, before) or _within(_AFTER, wording, after))


def _within(book: Phrasebook, wording: Wording, clause: Span) -> bool:
    return any(clause[0] <= start < clause[1] for start, _ in book.find(wording))
