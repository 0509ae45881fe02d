"""What words stand on: what one person reads in their hands, and what all in a room can read."""

from __future__ import annotations

import re

# In the plain form. What is not here is read by who holds it: closed by default.
_POSTED = """
    sign signpost signboard banner poster placard plaque billboard board blackboard chalkboard
    whiteboard noticeboard notice marquee gravestone headstone tombstone grave monument statue
    graffiti mural flag pennant scoreboard nameplate wall gate arch lintel door facade shopfront
    hoarding pillar tower
    """
_HELD = """
    note letter card postcard page paper message telegram email e-mail text book diary journal
    ledger scroll parchment document contract newspaper headline article label tag ticket receipt
    map manual entry inscription line writing word handwriting caption title display screen monitor
    envelope slip scrap sticker file report list sheet leaflet pamphlet magazine legend motto
    lettering heading plate memo invitation warrant certificate deed bill menu tablet stone ribbon
    locket bracelet tattoo back cover spine margin wire cable dispatch fax printout clipping poem
    verse lyric prophecy rune glyph slate napkin manuscript typescript letterhead cheque check
    """
POSTED = frozenset(_POSTED.split())
WRITING = POSTED | frozenset(_HELD.split())
READ_OUT = (
    r"\b(?:aloud|out loud|loudly|reads?(?:ing)? (?:[\w’'-]+ ){0,3}?(?:out|off|back|to (?!my|him|her"
    r"|them|your|it)[\w’'-]+|to (?:him|her|them)(?!sel)))\b"
)
# Where words stand so that all can see them.
_ON_VIEW = re.compile(
    r"\b(?:on|above|over|across|along|beside|upon|against) (?:[\w’'-]+ ){0,3}?"
    r"(?:walls?|doors?|doorway|gates?|board|blackboard|chalkboard|whiteboard|noticeboard|ceiling"
    r"|roof|tower|fence|building|shop|entrance|window|arch|lintel|hearth|fireplace|mantel"
    r"|gravestone|headstone|tombstone|banner|sign|statue|pillar)\b",
    re.IGNORECASE,
)


def is_posted(head: str, sentence: str) -> bool:
    """Whether words on such a thing, told so, are there for all to see."""
    return head in POSTED or (head in ("", "word", "writing", "lettering", "inscription",
                                       "line", "legend", "message") and
                              _ON_VIEW.search(sentence) is not None)  # fmt: skip
