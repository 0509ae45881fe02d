"""Words in quotes that nobody says: they stand on a note, a sign, a screen.

"It reads: …", "The note says …", "On the wall is painted …", "a card with the words …"; and what
somebody reads, unless it is told that they read it out.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.drafts import LIVING, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.quotes import Span
from storykeeper.language.prose.words import Words
from storykeeper.language.reading import MentionKind
from storykeeper.language.writings import READ_OUT, WRITING

_SAYS = frozenset({
    "say", "state", "declare", "proclaim", "announce", "bear", "run", "spell", "begin", "end", "go",
    "continue", "warn", "show", "display", "flash", "tell", "advertise", "promise", "ask", "list",
    "carry", "have", "contain", "add", "sign", "light up",
})  # fmt: skip
_INKED = (
    r"(?:written|painted|carved|scrawled|engraved|inscribed|printed|stamped|stencill?ed|chalked"
    r"|etched|embroidered|typed|scribbled|daubed|signed|tattooed|titled|headed|labell?ed|marked"
    r"|captioned|addressed|spelled|spelt|sprayed|scratched|chiselled|sewn|stitched|burned|burnt)"
)
# Right before the quotes: "is written in red:", "bearing the words".
_LED = re.compile(
    rf"\b{_INKED}\b[^.!?\n“”\"]*$"
    r"|\b(?:bearing|carrying|reading|saying|with|under|bears?|bore|carr(?:y|ies|ied)) (?:\w+ ){0,4}"
    r"(?:words?|inscription|legend|message|title|caption|heading|motto|slogan|lettering|name)[:,]?\s*$"
    r"|\b(?:words|inscription|legend|caption|heading|motto|slogan|lettering)\s*:?\s*$",
    re.IGNORECASE,
)
_ALOUD = re.compile(READ_OUT, re.IGNORECASE)
_NAMED = re.compile(
    r"([\w-]+)(?: (?:on|from|above|over|in|by|at|to) (?:[\w’'-]+ ){0,3}[\w’'-]+)?:\s*$"
)
_STOP = re.compile(r"[.!?…](?=\s|$)|\n|[“”\"]")
_NEAR = 160  # characters


def is_written(
    words: Words, mentions: Mentions, narrated: list[Happening], span: Span, text: str
) -> bool:
    """Whether quoted words are told to be read, and not said."""
    lead = _lead(text, span)
    near = [h for h in narrated if _adjacent(words, h, span, lead, text)]
    told = text[lead : span.start] + text[span.end : _tag(text, span)]
    if _ALOUD.search(told):
        return False
    closest = min(near, key=lambda h: _distance(words, h, span), default=None)
    if closest is not None and _is_somebody(mentions, closest):
        return _is_read(mentions, closest, text[lead : span.start])
    if _LED.search(text[lead : span.start]):
        return True
    if closest is None:
        return _led_by_a_thing(text[lead : span.start])
    verb = closest.verb.split()[0]
    on = any(_is_writing(words, mentions, i) for i in (*closest.subjects, *closest.actors))
    opens = verb in _SAYS or text[lead : span.start].rstrip().endswith(":")
    return verb == "read" or (on and opens)


def _is_read(mentions: Mentions, happening: Happening, lead: str) -> bool:
    """Whether what somebody does beside the words is to read them, or to write them somewhere."""
    verb, classes = happening.verb.split()[0], verb_classes(happening.verb)
    if verb == "read":
        return not any(_living(mentions, i) for i in happening.targets)
    if verb == "write" or classes & {VerbClass.SAY, VerbClass.ASK}:
        return False
    if _LED.search(lead):
        return True
    return bool(classes & {VerbClass.PERCEIVE}) and _led_by_a_thing(lead)


def _lead(text: str, span: Span) -> int:
    first = max(0, span.start - _NEAR)
    stops = [each.end() for each in _STOP.finditer(text, first, span.start)]
    return stops[-1] if stops else first


def _tag(text: str, span: Span) -> int:
    if text[span.inner_start : span.inner_end].rstrip()[-1:] == ".":
        return span.end
    found = _STOP.search(text, span.end, span.end + _NEAR)
    return min(len(text), span.end + _NEAR) if found is None else found.start()


def _adjacent(words: Words, happening: Happening, span: Span, lead: int, text: str) -> bool:
    verb = words[happening.at]
    before = lead <= verb.start and verb.end <= span.start
    return before or span.end <= verb.start < _tag(text, span)


def _distance(words: Words, happening: Happening, span: Span) -> int:
    verb = words[happening.at]
    return span.start - verb.end if verb.end <= span.start else verb.start - span.end


def _is_somebody(mentions: Mentions, happening: Happening) -> bool:
    return any(_living(mentions, i) for i in happening.actors)


def _living(mentions: Mentions, place: int) -> bool:
    draft = mentions[place]
    if draft.kind is MentionKind.PRONOUN:
        return draft.head not in ("it", "its", "itself", "this", "that", "which")
    return draft.sort in LIVING or draft.kind is MentionKind.NAME


def _is_writing(words: Words, mentions: Mentions, place: int) -> bool:
    """Whether a mention is of something that words stand on; "it", by what it stands for."""
    draft = mentions[place]
    if draft.kind is not MentionKind.PRONOUN:
        return draft.head.split()[-1:] != [] and draft.head.split()[-1] in WRITING
    first = bisect_left(mentions, words[draft.at].start - _NEAR, key=lambda d: words[d.at].start)
    before = [d for d in mentions[first:place] if d.kind is not MentionKind.PRONOUN]
    same = [d for d in before if draft.cluster is not None and d.cluster == draft.cluster]
    return any(d.head.split()[-1:] and d.head.split()[-1] in WRITING for d in same or before[-2:])


def _led_by_a_thing(lead: str) -> bool:
    """ "A note on the table: …" """
    found = _NAMED.search(lead)
    return found is not None and found[1].casefold().removesuffix("s") in WRITING
