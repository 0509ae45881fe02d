"""What words stand on, and when they are read out."""

from __future__ import annotations

# In the plain form.
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
WRITING = frozenset(f"{_POSTED} {_HELD}".split())
READ_OUT = (
    r"\b(?:aloud|out loud|loudly|reads?(?:ing)? (?:[\w’'-]+ ){0,3}?(?:out|off|back|to (?!my|him|her"
    r"|them|your|it)[\w’'-]+|to (?:him|her|them)(?!sel)))\b"
)
