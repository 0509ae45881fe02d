"""Words for what somebody goes off, or is sent off, to do elsewhere.

Whoever goes to fetch wood is out of the room until they are back; who goes to get the cup from the
table is not. What is gone for decides: a thing that the sentence puts in the room, or somebody who
is there, is no errand.
"""

from __future__ import annotations

import re

# To bring what is elsewhere, or to see to it there. To sit, stand, open or help is done here.
FETCHING = (
    r"(?:fetch|get|find|bring|collect|gather|buy|borrow|chop|draw\s+(?:some\s+|more\s+)?water"
    r"|(?:look|search|hunt|send)\s+for|see\s+(?:to|about|who|what|if|whether)|check\s+(?:on|if|whether)"
    r"|alert|summon|round\s+up|feed|milk|saddle|tend\s+to|wake|greet\s+the)"
)
# "Goes for" these is out of the house; to go for a throat, or for the door, is not.
GONE_FOR = (
    r"(?:an?\s+(?:\w+\s+)?(?:walk|stroll|ride|swim|drive|run|smoke|wander)|help|water|wood|firewood"
    r"|(?:the|an?)\s+(?:doctor|priest|police|constable|sheriff|surgeon|midwife|vet|physician|guards?"
    r"|watch|nurse|ambulance|healer))"
)
# Where something is that is had without leaving the room.
_HERE = re.compile(
    r"\b(?:from|off|out\s+of|on|in|under|by|beside)\s+(?:the|a|an|his|her|their)\s+(?:\w+\s+)?(?:table"
    r"|shelf|shelves|chair|desk|mantel\w*|hearth|fire|fireplace|corner|window|sill|cupboard|drawer"
    r"|sideboard|counter|bar|hook|peg|rack|floor|wall|bed|chest|box|cabinet|bag|coat|pocket|basket"
    r"|dresser|bench|sofa|stove|tray|room)\b"
    r"|\b(?:a|the)\s+(?:better|closer|good)\s+(?:look|view)\b"
    r"|^\s+(?:\w+\s+)?(?:up|ready|dressed|down|going|started|to\s+(?:his|her|their)\s+feet|away|even"
    r"|comfortable|angry|lost|drunk|married|rid|hold|out|back|on|over|past|close|near)\b",
    re.IGNORECASE,
)


def is_near(what: str) -> bool:
    """Whether what somebody goes to get is in the room, as the rest of the sentence says."""
    return _HERE.search(what) is not None
