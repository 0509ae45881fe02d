"""Words of leaving that tell of no leaving, or of one that comes later.

A leaving is what a finite verb asserts of somebody who leaves nothing behind by it. "Makes to
leave" names what is meant, "leaves it at that" what is let be, "right and left" a direction; and
who does something before they leave has not left when they do it.
"""

from __future__ import annotations

import re

from storykeeper.events.effects import Effect, effects_of
from storykeeper.language.reading import Clause, MentionKind, Reading, Sort
from storykeeper.play.going import DEAD

TURNING, LETTING = "turn to leave", "leave behind"  # what is done instead
_DIRECTION = re.compile(
    r"\b(?:right|up|down|ahead|forward|centre|center)\b[\s,]*(?:(?:and|or|then|to\s+the)[\s,]+)*"
    r"left\W*$",
    re.IGNORECASE,
)
_ACHIEVED = r"(?<!manages )(?<!managed )(?<!first )(?<!last )(?<!next )(?<!happens )(?<!happened )"
_INTERRUPTED = re.compile(r"\s*,?\s*(?:when|but)\b", re.IGNORECASE)
_UNDER_WAY = re.compile(r"\b(?:is|are|was|were|be)\s+(?:\w+\s+)?\w+ing\b", re.IGNORECASE)
_BEFORE = re.compile(r"\bbefore\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_FIRST = re.compile(r"^\W*(?:\w+\s+)?before\b", re.IGNORECASE)
PREVENTED = re.compile(
    r"\b(?:stop|catch|caught|grab|hold|held|seiz|block|bar|intercept|detain|prevent|restrain)\w*\s",
    re.IGNORECASE,
)
# What one is no longer part of: "left school at fourteen".
_BEHIND_ONE = re.compile(
    r"\b(?:leaves?|left)\s+(?:school|college|university|service|office\s+in|the\s+(?:army|navy|force"
    r"|church|service|party|stage|profession))\b",
    re.IGNORECASE,
)
_FURTHER = 30  # letters after a clause that may be its own
_SENTENCE_END = re.compile(r"[.!?…][\"”’']?(?=\s|$)|\n")
_LET_BE = frozenset({Sort.THING, Sort.PERSON, Sort.ANIMAL, Sort.PART, Sort.ABSTRACT})


def is_direction(text: str, end: int) -> bool:
    """Whether a "left" that ends there is a side: "right and left", "up, then left"."""
    return _DIRECTION.search(text[max(0, end - 60) : end]) is not None


def instead(reading: Reading, clause: Clause, *, told: bool) -> str:
    """What a clause of leaving tells in truth, if it tells of none; else nothing.

    `told` says whether what is left is on record as a part of it.
    """
    if Effect.STEPS_OUT not in effects_of(clause.verb):
        return ""
    words = reading.text[clause.start : clause.end]
    if clause.verb == "die" and not DEAD.search(
        reading.text[clause.start : clause.end + 30]
    ):  # "dies laughing"
        return "laugh"
    if clause.verb == "leave" and _BEHIND_ONE.search(words):
        return LETTING
    if clause.verb == "leave" and is_direction(reading.text, clause.end):
        return "look"
    plain = re.escape(clause.verb.partition(" ")[0])
    meant = re.search(rf"{_ACHIEVED}\bto\s+(?:\w+ly\s+)?{plain}\b", words, re.IGNORECASE)
    under_way = _UNDER_WAY.search(words) and _INTERRUPTED.match(reading.text, clause.end)
    if meant or under_way or (is_later(reading, clause) and _is_prevented(reading, clause)):
        return TURNING
    return LETTING if clause.verb == "leave" and not told and _lets_be(reading, clause) else ""


def _lets_be(reading: Reading, clause: Clause) -> bool:
    """Whether something is left that is no place: "leaves it at that"."""
    return any(
        mention.kind is MentionKind.PRONOUN or mention.sort in _LET_BE
        for mention in (reading.mentions[i] for i in (*clause.targets, *clause.subjects))
    )


def is_later(reading: Reading, clause: Clause) -> bool:
    """Whether a clause of leaving tells what comes after the rest of its sentence: before it."""
    if Effect.STEPS_OUT not in effects_of(clause.verb):
        return False
    opened = _BEFORE.search(reading.text, max(0, clause.start - 30), clause.start)
    return bool(opened or _FIRST.search(reading.text[clause.start : clause.end]))


def sentence_end(text: str, at: int) -> int:
    """Where the sentence around a place ends."""
    found = _SENTENCE_END.search(text, at)
    return len(text) if found is None else found.end()


def _is_prevented(reading: Reading, clause: Clause) -> bool:
    """Whether the sentence tells that somebody keeps them from it."""
    last = sentence_end(reading.text, clause.end)
    first = max((m.end() for m in _SENTENCE_END.finditer(reading.text, 0, clause.start)), default=0)
    return PREVENTED.search(reading.text, first, last) is not None
