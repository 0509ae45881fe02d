"""The words by which a telephone changes hands, is held off, and is ended with a goodbye.

Patterns as in `call_words`, of narration; and of what somebody says on a line, of their own words.
"""

from __future__ import annotations

import re

from storykeeper.language.call_words import DEVICE, HELD, MARK, OBJECT, OWN, pattern

_TAKES = (
    r"takes?|took|grabs?|grabbed|snatche[sd]|snatch|seizes?|seized|plucks?|plucked|pulls?|pulled"
    r"|wrests?|wrested|wrenche[sd]|tears?|tore|lifts?|lifted|slips?|slipped|yanks?|yanked|gets?|got"
)
_GIVES = r"hands?|handed|pass(?:es|ed)?|gives?|gave|tosse[sd]|throws?|threw|slides?|slid"
_HAND = r"(?:hands?|fingers?|grip|grasp|ear|palm)"


def passing(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that somebody gives it to another, who speaks on it now."""
    return (
        pattern(rf"\b{subject}(?P<verb>{_GIVES}) (?:over )?{HELD} (?:over |back )?to {OBJECT}"),
        pattern(rf"\b{subject}(?P<verb>{_GIVES}) {OBJECT} {HELD}\b"),
    )


def taking(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that somebody takes it from another; not from where it lies."""
    whose = rf"(?P<whom>{MARK}+|his|her|their|your|my)"
    return (
        pattern(rf"\b{subject}(?P<verb>{_TAKES}) {HELD} (?:away )?(?:from|out of|off)"
                rf" {whose}(?:['’]s)? (?:\w+ )?{_HAND}\b"),
        pattern(rf"\b{subject}(?P<verb>{_TAKES}) {HELD} (?:away )?(?:from|off) {OBJECT}"),
    )  # fmt: skip


_PAUSE = (
    r"(?:hold(?: on| the line)?|hang on|wait|stay(?: on(?: the (?:line|phone))?)?|be patient"
    r"|bear with \w+)"
)


def pausing(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that the other end is asked to wait."""
    asks = r"asks?|asked|tells?|told|begs?|begged|bids?|bade"
    return (pattern(rf"\b{subject}(?P<verb>{asks}) {OBJECT} to {_PAUSE}\b"),)


def turning(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that somebody speaks to another from here on."""
    turns = r"turns?|turned|swivels?|swivelled|spins?|spun|leans? over|leaned over"
    return (pattern(rf"\b{subject}(?P<verb>{turns})(?: round| around)? to(?:wards?)? {OBJECT}"),)


TURNING = pattern(rf"^\W*(?P<verb>turning)(?: round| around)? to(?:wards?)? {OBJECT}")
TURNED_AWAY = pattern(
    rf"\b(?P<verb>(?:turns?|turned|turning|looks?|looked) away) from (?:{OWN} )?(?:{DEVICE}|line)\b"
)
_FAREWELL = r"(?:good-?byes?|bye(?:-?bye)?s?|farewells?|adieus?|good ?night|so long)"
PARTING = pattern(  # said, and of whom: "tells Bea goodbye", "says good night to her"
    r"\b(?P<verb>says?|said|saying|bids?|bade|tells?|told|wish(?:es|ed)?)"
    rf" (?:(?P<whom>{MARK}+|him|her|them|you|me) )?(?:(?!to\b)\w+ ){{0,2}}?{_FAREWELL}\b"
    rf"(?: to (?P<to>{MARK}+|him|her|them|you|me)\b)?"
)

# ── in what is said ──────────────────────────────────────────────────────────────────────────

_FIRST = (
    r"(?:(?:oh|ah|well|so|now|no|yes|ok|okay|all right|right|look|sorry|excuse me|please|just|but"
    r"|and|then|wait|my (?:dear|love))\b[\s,.…—–-]*){0,4}"
)
_SHORT = r"(?:moment|second|sec|minute|min|bit|tick|mo)"
_HOLD = re.compile(
    rf"(?:^|[.!?…]\s+)\W*{_FIRST}(?:hold (?:on|the line|it)|hang on|hold(?=\W*$)"
    rf"|(?:just |one |wait |give me |half )(?:a |an |one |half a )?{_SHORT}|one {_SHORT}"
    rf"|an? {_SHORT}(?=\W*$|,)|bear with me|stay (?:on the line|there)|wait(?=\W*$))\b"
    r"(?!\s+to\b|\s+ago)",
    re.IGNORECASE,
)
_BACK = re.compile(
    rf"(?:^|[.!?…]\s+)\W*{_FIRST}(?:I['’]?(?:m| am) back|(?:are )?you (?:still )?there"
    r"|still there|where were we|sorry about that|go on|hello again|you were saying)\b",
    re.IGNORECASE,
)
_GOODBYE = re.compile(
    rf"(?:^|[.!?…]\s+)\W*{_FIRST}(?:good-?bye|bye(?:[- ]?bye)?|good ?night|farewell|over and out"
    r"|so long|cheerio|adieu|talk (?:to you )?(?:later|soon|tomorrow)|speak (?:later|soon))\b"
    r"(?!\s+(?:for|to|is|was|at|in)\b)[^.!?]{0,40}[.!…,\s]*$",
    re.IGNORECASE,
)


def holds_off(words: str) -> bool:
    """Whether somebody asks the other end to wait: "Hold on"; not "hold on to your hat"."""
    return _HOLD.search(words) is not None


def comes_back(words: str) -> bool:
    """Whether somebody is on the line again: "Are you still there?"."""
    return _BACK.search(words) is not None


def takes_leave(words: str) -> bool:
    """Whether the last that somebody says is a goodbye."""
    return _GOODBYE.search(words) is not None
