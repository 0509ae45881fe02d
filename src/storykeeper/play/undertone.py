"""How low a player says something, by all of their line: F8.1b, of what is typed."""

from __future__ import annotations

import re

from storykeeper.language.unseen import AFTER, UNSEEN
from storykeeper.language.voices import Heard, Sign, voices_in
from storykeeper.play.manner import DRAWN_ASIDE, lead_start, sentence_at, sentence_ends

_HANDLE = (
    r"(?:take|grab|pick|slip|lift|remove|snatch|hide|put|drop|open|slide|tuck|unlock|swap|place)"
)
_TELL = r"(?:tell|say|speak|talk|ask|answer|inform|explain|show)"
_ALL = r"(?:every(?:one|body)|all|them|the (?:others|room|rest|table|company))"
# Said, or shown, to one person alone.
_FOR_ONE = re.compile(
    rf"\b(?:{_TELL} only (?:to |with )?\w+|{_TELL} (?:to |with )?\w+ (?:alone|only)"
    rf"|{_TELL} only to \w+|hiss (?:at|to) (?!{_ALL}\b)\w+"
    rf"|(?:show|hand|pass|give|slip|slide) (?!{_ALL}\b)[^.!?\n]*\b(?:letter|note|card|message"
    rf"|paper|page|slip|telegram|postcard|book|diary|photo\w*|screen|phone)\b[^.!?\n]{{0,40}}[.,;]?"
    rf" (?:and )?(?:it|which|that) (?:says|said|reads|read))\b",
    re.IGNORECASE,
)
# What a player may say of how they do something, so that nobody else perceives it.
_APART = re.compile(
    r"\b(?:silently|to myself|under my breath|in my (?:head|mind)|write|note|scribble"
    rf"|(?:quietly|softly) {_HANDLE}|{_HANDLE}\b[^.!?\n,;]*\bquietly"
    r"|steal (?!a (?:glance|look|kiss)|away|up|over)|swipe|nick|palm|pocket the)\b",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bwithout|\bto|\bif I|\bwould|\binstead of)\s+(?:\w+ly\s+)?$",
    re.IGNORECASE,
)
_THING = re.compile(r"(?:the|a|an|my|its|this|that)\b(?!.*\bear\b)", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|and I)(?: \w+)? $", re.IGNORECASE)
_ANOTHERS = re.compile(r"\b(?:his|her|their|your|'s|’s) (?:\w+ )?(?:voice|tone)", re.IGNORECASE)


def lowered(bare: str, *, start: int, end: int, after: int) -> str | None:
    """The sentence by which what stands at a place of a line is said low, if one is.

    `bare` is the line with blanks for its quotations; the one before ends at `after`.
    """
    low = _kept_to_one(bare, start=start, after=after, since=0)
    # The sentence of the words, and one more: "… Only Mara can hear me."
    stop = sentence_ends(bare, sentence_ends(bare, end, len(bare), most=1), len(bare), most=1)
    for sign in voices_in(bare, 0, stop):
        later = sign.start >= start and sign.sign is not Sign.FAINT
        if later or not _is_meant(bare, sign):
            continue
        if sign.sign is Sign.RAISED:
            low = _kept_to_one(bare, start=start, after=after, since=sign.end)
        elif sign.sign in (Sign.LOWERED, Sign.FAINT) or (
            sign.sign is Sign.WHISPERING and sign.start >= after
        ):
            low = sentence_at(bare, sign.start)
    return low


def _kept_to_one(bare: str, *, start: int, after: int, since: int) -> str | None:
    """The sentence before some words by which they are for one alone, who was drawn aside, too."""
    aside = DRAWN_ASIDE.finditer(bare, since, start)
    found = [*aside, *_FOR_ONE.finditer(bare, max(after, since), start)]
    meant = [each for each in found if not _UNDONE.search(bare[: each.start()])]
    return sentence_at(bare, meant[-1].start()) if meant else None


def _is_meant(bare: str, sign: Heard) -> bool:
    """Whether a sign is of the player's own voice, and told as so; not "close to the fire"."""
    words = bare[sign.start : sign.end]
    if _UNDONE.search(bare[: sign.start]) or _ANOTHERS.search(words):
        return False
    near = sign.whom is not None and sign.sign is Sign.LOWERED
    if sign.several and not _WE.search(bare[: sign.start]):
        return False  # "I huddle by the fire"
    return not (near and _THING.match(bare[sign.whom : sign.end]))


def is_unseen(bare: str, at: int | None) -> bool:
    """Whether what is done at a place of a line, or anywhere in it, is told to be unseen."""
    if at is None:
        return _is_apart(bare)
    last = sentence_ends(bare, at, len(bare), most=1)
    later = bare[last : sentence_ends(bare, last, len(bare), most=1)]
    told = later if AFTER.match(later) and UNSEEN.search(later) else ""
    return _is_apart(bare[lead_start(bare, at) : last] + told)


def _is_apart(words: str) -> bool:
    return _APART.search(words) is not None or UNSEEN.search(words) is not None
