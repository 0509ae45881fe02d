"""Going by carrying: who takes the bread through to the kitchen is in the kitchen.

A finite verb of carrying, what is carried, and where to. Nothing is carried by a look, a thought, a
talk or a hand that goes there, and nobody goes by what they take to, or bring back to, in mind.
"""

from __future__ import annotations

import re

from storykeeper.language.lexicon import sort_of
from storykeeper.language.reading import Sort

_VERB = (
    r"(?:takes|took|carries|carried|brings|brought|bears|bore|hauls|hauled|lugs|lugged|drags|dragged"
    r"|wheels|wheeled|carts|carted|ferries|ferried|totes|toted|steers|steered|runs|ran|walks|walked"
    r"|(?:has|have)\s+(?:just\s+|already\s+)?(?:taken|carried|brought|hauled|dragged|wheeled)"
    r"|(?<!to\s)(?:take|carry|bring|bear|haul|lug|drag|wheel|cart|ferry))"
)
_WORD = r"(?!(?:to|into|for|and|but|from|that|who|which|when|while|as|if)\b)[\w’'-]+\s+"
_WAY = r"(?:(?:back|off|out|away|over|on|up|down|through|across|along|straight)\s+)"
CARRYING = re.compile(
    rf"\b{_VERB}\s+(?P<what>(?:{_WORD}){{1,6}}?(?:of\s+(?:{_WORD}){{1,4}}?)?)"
    rf"(?:with\s+(?:him|her|them)\s+)?{_WAY}{{0,2}}(?:in)?to\s+"
)
_IN_MIND = re.compile(
    r"\b(?:looks?|glances?|peeks?|peeps?|eyes?|gaze|stare|thoughts?|minds?|attention|memor(?:y|ies)"
    r"|talk|conversation|discussion|subject|topic|questions?|voice|ears?|heart|smile|nose"
    r"|liking|fancy|dislike|shine|exception|offen[cs]e|objection|pleasure|care|time|aim"
    r"|you|me|us|him|her|them)\s*$",
    re.IGNORECASE,
)
# "The key to the cellar" is one thing.
_OF_A_PLACE = re.compile(
    r"\b(?:keys?|doors?|entrance|hatch|gate|lid|map|plans?|bell|deeds?|bolt|lock|answer)\s+to\s+$"
)


def what_of(found: re.Match[str]) -> str:
    """What is carried, by the words found for it: without the way it goes."""
    return re.sub(rf"\s(?:{_WAY})*$", "", found["what"])


def is_carried(found: re.Match[str]) -> bool:
    """Whether these words name what one must go with to bring it somewhere."""
    what = what_of(found)
    if not what or _IN_MIND.search(what) or _OF_A_PLACE.search(found.group()):
        return False
    return sort_of(what.split()[-1].casefold()) is not Sort.PART
