"""Signs of a voice lowered or raised, of heads put together, and of who alone can hear.

Each is a small class of words: a voice that drops, a mouth at an ear, a saying that only one
person hears. They say how the words near them are said, also from the sentence before or after;
whose voice it is, and whether it is told as so, is for the reader of the sentence to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from storykeeper.language.lexicon import sort_of
from storykeeper.language.reading import Sort


class Sign(StrEnum):
    """What some words say of a voice."""

    LOWERED = "lowered"  # from here on: she lowers her voice, she leans to his ear
    FAINT = "faint"  # as it is: barely audible, so that only you hear; also of the words before
    WHISPERING = "whispering"  # somebody whispers; the wind does not
    SOFT = "soft"  # softly, in a low voice: not for the next room
    RAISED = "raised"  # from here on it is for all again


@dataclass(frozen=True, slots=True)
class Heard:
    """A sign, where it stands, and where it names whom the words are for."""

    sign: Sign
    start: int
    end: int
    whom: int | None = None  # where the name, or "your ear", begins
    several: bool = False  # it is one only of several: one alone huddles from the cold


_HIS = r"(?:my|your|his|her|their|its|our|the)"
_SOMEBODY = r"(?P<whom>(?:[\w’'-]+ ){0,2}?[\w’'-]+)"
_WHOSE = r"(?P<whom>my|your|his|her|their|[\w-]+['’]s)"
_VOICE = r"(?:voices?|tones?|speech|words?)"
_LESS = r"(?:barely|hardly|scarcely|almost|nearly|only just|just|no|little|not much|not)"
_BREATH = r"(?:whisper|murmur|breath|undertone|mumble|mutter|sigh|thread|hush)"
_BENDING = (
    r"(?:lean(?:s|ed|t|ing)?|bend(?:s|ing)?|bent|bow(?:s|ed|ing)?|stoop(?:s|ed|ing)?"
    r"|inclin(?:e|es|ed|ing)|huddl(?:e|es|ed|ing)|hunch(?:es|ed|ing)?|duck(?:s|ed|ing)?)"
)
_DRAWING = (
    r"(?:pull(?:s|ed|ing)?|draw(?:s|ing)?|drew|drawn|hold(?:s|ing)?|held|tug(?:s|ged|ging)?|haul(?:s|ed)?"
    r"|drag(?:s|ged)?|beckon(?:s|ed|ing)?|wav(?:e|es|ed|ing)|motion(?:s|ed|ing)?|gestur(?:e|es|ed|ing)"
    r"|gather(?:s|ed|ing)?|call(?:s|ed|ing)?|bring(?:s|ing)?|brought|yank(?:s|ed)?)"
)
_NEARING = (
    r"(?:step(?:s|ped|ping)?|mov(?:e|es|ed|ing)|press(?:es|ed|ing)?|edg(?:e|es|ed|ing)"
    r"|draw(?:s|ing)?|drew|sidl(?:e|es|ed|ing)|inch(?:es|ed|ing)?|com(?:e|es|ing)|came)"
)
_SELF = (
    r"(?:me|you|him|her|them|(?:him|her|my|your)self|(?:his|her|my|your) (?:side|chest|shoulder))"
)
_HEAR = r"(?:(?:over)?hear[sd]?|catch(?:es)?|caught|mak(?:e|es) out|made out)"
_NOT = r"(?:(?:does|do|did|can|could|will|would)(?: ?not|n['’]t)|never)"
# What is not heard is these words, not the rain.
_THEM = r"(?= (?:it|her|him|them|you|me|this|that|a word|any of|what)\b|[^\w ]|$)"
_MAY = r"(?:(?:can|could|may|might|will|would|should|is able to|are able to) )?"

# Who leans in for something, or holds somebody close to kiss them, says nothing of a voice.
_TO_HANDLE = (
    r"(?! and [\w’'-]+ (?:the|an?|some|another|more)\b"
    r"(?![^.!?\n]*\b(?:your|hand|arm|sleeve|shoulder|ear|whisper|voice)\b))"
)
_TO_HOLD = (
    r"(?!,? (?:(?:and|to|for|then) )?(?:\w+ly )?(?:(?:kiss|hug|embrac|cuddl|squeez|danc)\w*"
    r"|an? (?:\w+ )?(?:kiss|hug|embrace|cuddle|squeeze|dance)\b))"
)

_HUDDLE = r"huddl(?:e|ed|ing)\b"
_TOGETHER = (
    r"(?:s|ed|ing)? (?:together|among (?:themselves|yourselves|ourselves)"
    r"|(?:to|with) (?:each other|one another))\b"
)

_PATTERNS: dict[Sign, tuple[str, ...]] = {
    Sign.LOWERED: (
        (rf"(?:lower|drop|hush|quieten|quiet|muffl|reduc|sink|sank|sunk)\w* {_HIS} (?:\w+ )?"
        r"(?:voices?|tones?|volume)\b"),
        (rf"(?:keep(?:s|ing)?|kept) {_HIS} (?:\w+ )?(?:voices?|tones?) (?:\w+ )?"
        r"(?:low|down|hushed|quiet)\b"),
        (r"voices? (?:\w+ ){0,2}?(?:drop(?:s|ped|ping)?|sinks?|sank|sunk|falls?|fell|lower(?:s|ed)"
        r"|hush(?:es|ed)|dwindle[sd]?)\b(?! silent| away)"),
        rf"(?:drop|fall|fell|sink|sank|lapse|switch|go|went)\w* (?:in)?to an? (?:\w+ )?{_BREATH}\b",
        rf"{_BENDING} (?:[\w’'-]+ ){{0,5}}?(?:to|towards?|into|against|near|beside) {_SOMEBODY}",
        (rf"{_BENDING} (?:\w+ )??(?:close|closer|near|nearer|in|together)\b{_TO_HANDLE}"
        r"(?= (?:and|until|so|as|enough|close)\b|[^\w ’'-]|$)"),
        rf"{_DRAWING} {_SOMEBODY} (?:\w+ )?(?:close|near)(?:r|er)?\b{_TO_HANDLE}{_TO_HOLD}",
        rf"beckon(?:s|ed|ing)? {_SOMEBODY} (?:over|to {_SELF})\b",
        (rf"(?:pull|draw|drew|drawn|tug|drag|haul)\w* {_SOMEBODY} (?:\w+ )?(?:to|towards?|against)"
        rf" {_SELF}(?= (?:and|until|so)\b|[^\w ]|$){_TO_HOLD}"),
        rf"{_NEARING} (?:up |right |in )?(?:close|near)(?:r|er)? (?:to|beside|against) {_SOMEBODY}",
        rf"(?:press|edg|sidl|inch|scoot|shuffl|huddl)\w* up to {_SOMEBODY}",
        _HUDDLE,
        (rf"(?:mouth|lips|breath) (?:[\w’'-]+ ){{0,4}}?(?:to|at|against|near|by|on|brush\w*|beside"
        rf"|from|touch\w*) {_SOMEBODY} ear\b"),
        rf"(?:in|into|to|at|against|near|by|beside|toward|towards) {_SOMEBODY} ear\b(?! to)",
        rf"breath (?:[\w’'-]+ ){{0,2}}?(?:on |against )?{_WHOSE} (?:ear|cheek|neck|skin)\b",
        r"heads (?:\w+ )?(?:together|close)\b",
        (rf"(?:tilt|bend|bow|inclin|dip|lean|press|lower)\w* {_HIS} (?:head|face) (?:\w+ )?"
        rf"(?:to|towards?|near|beside|against) {_SOMEBODY}"),
        r"(?:out of|beyond) (?:earshot|hearing)\b",
        (rf"confid(?:e|es|ed|ing)\b(?! in (?:the|a|an|my|his|her|their|its)\b)"
        rf"(?: (?:to|in) {_SOMEBODY})?"),
        r"conspirator(?:ial|ially)\b",
        rf"and (?P<whom>[\w’'-]+) (?:whisper|murmur|mutter){_TOGETHER}",
        rf"(?:whisper|murmur|mutter){_TOGETHER}",
    ),
    Sign.FAINT: (
        rf"{_LESS} (?:even )?audibl[ey]\b",
        r"inaudibl[ey]\b",
        rf"{_LESS} (?:more than|above|louder than|over) an? (?:\w+ )?{_BREATH}\b",
        rf"{_LESS} an? (?:\w+ )?{_BREATH}\b",
        rf"{_VOICE} (?:[\w’'-]+ ){{0,3}}?an? (?:\w+ )?{_BREATH}\b",
        rf"{_VOICE} (?:[\w’'-]+ ){{0,3}}?(?:hushed|lowered)\b",
        r"(?:hushed|lowered) (?:voices?|tones?|words?)\b",
        rf"under {_HIS} breath\b",
        r"in an undertone\b|sotto voce\b|in (?:an? (?:\w+ )?)?(?:whisper|murmur)s?\b",
        rf"only (?:to |for )?{_SOMEBODY} {_MAY}{_HEAR}\b",
        rf"(?:nobody|no one|no-one|none)(?: else)? but {_SOMEBODY} {_MAY}{_HEAR}\b",
        rf"(?:nobody|no one|no-one|none)(?: else)? {_MAY}{_HEAR}\b",
        rf"{_NOT} {_HEAR}\b{_THEM}",
        rf"(?:barely|hardly|scarcely) {_HEAR}\b{_THEM}",
        r"so (?:low|soft|quiet|faint)(?:ly)?\b",
        rf"(?:to|for) {_SOMEBODY} and (?:no one|nobody) else\b",
        r"(?:my|your|his|her|their|[\w-]+['’]s) (?:whisper|murmur)\b",
        rf"(?:just|only|barely) loud enough for {_SOMEBODY}(?: alone)? to\b",
        r"too (?:soft|quiet|low|faint)(?:ly)? for\b",
        rf"(?:meant |intended )?for {_SOMEBODY} (?:alone|ears (?:only|alone))\b",
        r"(?:does not|doesn['’]t|did not|didn['’]t|not) carry\b",
    ),
    Sign.WHISPERING: (
        (r"(?:whisper|murmur|mutter)(?:s|ed|ing)?\b(?! of\b)"
        rf"(?: (?:to|at|with) {_SOMEBODY})?"),
    ),
    Sign.SOFT: (
        r"(?:speak\w*|spoke|talk\w*) (?:\w+ )?(?:softly|quietly|low)\b",
        rf"{_VOICE} (?:is |was |are |were |very |so )*(?:soft|quiet|low|gentle)\b",
    ),
    Sign.RAISED: (
        rf"rais(?:e|es|ed|ing) {_HIS} (?:\w+ )?voices?\b",
        r"voices? (?:\w+ )?(?:rises?|rose|rings? out|rang out|carries|carried|booms?|boomed)\b",
        r"(?:speak|speaks|spoke|speaking) up\b|aloud\b|out loud\b|loudly\b|louder\b(?! than)",
        r"(?:shout|yell|bellow|roar|holler)(?:s|ed|ing)?\b|calls? out\b|called out\b",
        (r"straighten(?:s|ed|ing)?\b|(?:lean|sit|step|draw|pull|rock|sink|settle)s? back\b"
        r"|(?:leaned|leant|sat|stepped|drew|pulled|rocked|sank|settled) back\b"),
        (rf"in (?:an?|{_HIS}) (?:\w+ )?(?:normal|ordinary|usual|everyday|full|clear|loud|ringing)"
        r" (?:voice|tone)\b"),
        (r"(?:to|at|addresses|addressed|faces|faced) (?:everyone|everybody|(?:all of |both of )"
        r"(?:you|them|us)|the (?:whole |entire )?(?:room|table|others|company|group|crowd|hall"
        r"|assembly|rest))\b"),
    ),
}  # fmt: skip
_SIGNS = tuple(
    (sign, re.compile(rf"\b(?:{pattern})", re.IGNORECASE), pattern is _HUDDLE)
    for sign, patterns in _PATTERNS.items()
    for pattern in patterns
)


def voices_in(text: str, start: int, end: int) -> list[Heard]:
    """The signs between two places of a text, in their order."""
    return sorted(_signs(text, start, end), key=lambda each: (each.start, -each.end))


def _signs(text: str, start: int, end: int) -> Iterator[Heard]:
    for sign, pattern, several in _SIGNS:
        for match in pattern.finditer(text, start, end):
            named = "whom" in pattern.groupindex and match["whom"] is not None
            whom = match.start("whom") if named else None
            yield Heard(sign, match.start(), match.end(), whom, several)


_WHISPERED = re.compile(
    r"\b(?P<what>[\w’'-]+),? (?:(?:\w+ly|all|still) )*(?:whisper|murmur|mutter)(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
_MUTE = frozenset({Sort.THING, Sort.PLACE, Sort.MATTER})
_LIVING = frozenset({Sort.PERSON, Sort.GROUP, Sort.ANIMAL})


def without_things(text: str) -> str:
    """Some words without what whispers in them and is nobody: the leaves, the sea."""
    return _WHISPERED.sub(lambda each: "" if _is_mute(each["what"]) else each.group(), text)


def _is_mute(noun: str) -> bool:
    """Whether a noun, of one or several, is of what cannot speak."""
    word = noun.casefold()
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ves')}f")
    sorts = {sort_of(each) for each in forms}
    return bool(sorts & _MUTE) and not sorts & _LIVING and noun == word
