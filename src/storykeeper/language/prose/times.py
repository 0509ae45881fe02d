"""Words that say when, or how long."""

from __future__ import annotations

import re
from collections.abc import Iterator

from storykeeper.language.reading import TimeExpression

_COUNT = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    r"fifty|a hundred|a few|several|many|some|a couple of|half an?|\d+)"
)
_UNIT = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|years?|decades?|centuries|century|moments?|while)"  # noqa: E501
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_PART = r"(?:morning|afternoon|evening|night|noon|midnight|dawn|dusk|daybreak|sunset|sunrise|nightfall|twilight|midday)"  # noqa: E501
_SEASON = r"(?:spring|summer|autumn|fall|winter)"

_PATTERN = re.compile(
    rf"""\b(?:
      {_COUNT}\s+(?:long\s+)?{_UNIT}\s+(?:ago|later|earlier|before|after(?:wards)?|from\s+now|hence)
    | (?:for|in|within|after|during)\s+(?:nearly\s+|almost\s+|about\s+|over\s+)?{_COUNT}\s+
      (?:long\s+)?{_UNIT}
    | (?:the\s+)?(?:day|night|week|month|year|morning|evening)\s+(?:before\s+last|before|after)
      (?!\s+(?:the|she|he|they|it|i|we|you|her|his|my)\b)
    | (?:the\s+day\s+)?(?:before|after)\s+(?:yesterday|tomorrow|{_PART})
    | (?:yesterday|today|tomorrow|tonight)(?:\s+{_PART})?
    | (?:last|next|this|that|one|the\s+next|the\s+following|the\s+previous|every|each)\s+
      (?:{_DAY}|{_MONTH}|{_SEASON}|{_PART}|day|week|month|year|moment)
    | (?:on\s+)?(?<!\w){_DAY}s?(?:\s+{_PART})?
    | (?:at|by|before|after|until|till|since|around|towards?)\s+(?:{_PART}|first\s+light)
    | (?:in|during|throughout)\s+the\s+(?:middle\s+of\s+the\s+)?(?:{_PART}|{_SEASON}|small\s+hours)
    | (?:at|by|around|until|past)\s+(?:half\s+past\s+|a\s+quarter\s+(?:to|past)\s+)?
      (?:\d{{1,2}}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)
      (?:\s*o['’]clock|\s*[ap]\.?m\.?)
    | \d{{1,2}}:\d\d(?:\s*[ap]\.?m\.?)?
    | \d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s+\d{{4}})? | in\s+{_MONTH}
    | for\s+(?:a\s+)?(?:very\s+)?long\s+(?:time|while) | for\s+(?:ages|ever)
    | long\s+ago | once\s+upon\s+a\s+time
    | a\s+(?:moment|minute|while|little\s+while)\s+(?:ago|later)
    | all\s+(?:day|night|morning|afternoon|evening|week|summer|winter)(?:\s+long)?
    | the\s+(?:next|following|previous|other|same)\s+(?:day|night|week|month|year|{_PART})
    | (?:in|at)\s+(?:those|these)\s+days | (?:just|right)\s+now | soon\s+after | at\s+once
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def find_times(text: str, *, by: int = 0) -> Iterator[TimeExpression]:
    """Every expression of time, in order; `by` is the place of the text's first character."""
    for match in _PATTERN.finditer(text):
        if match.group().strip():
            yield TimeExpression(match.start() + by, match.end() + by, match.group())
