"""How words are said, by the narration beside them: aloud, low, apart, or not at all.

What is thought, dreamt, remembered, long past or left unsaid is no speech. What is said low or
apart is for whom it is said to. Where something makes it likely that not all hear it, not all do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from storykeeper.language.call_words import OVER
from storykeeper.language.reading import MentionKind, Reading
from storykeeper.language.sending import is_sent
from storykeeper.language.voices import without_things
from storykeeper.language.writings import READ_OUT

# Words that make it likely that nobody else perceives what their sentence tells.
SECRET = re.compile(
    r"\b(unseen|unnoticed|secret\w*|silent\w*|alone|(?:him|her|my|your|them)sel(?:f|ves)"
    r"|back is turned|behind \S+ back|without \S+ (?:noticing|seeing|knowing)|keyhole|under"
    r" (?:my|your|his|her|their) breath|in (?:my|your|his|her|their) (?:head|mind|pocket|sleeve)"
    r"|sure|certain|afraid|suspect\w*|believ\w*|dream\w*|imagin\w*|rememb\w*|recall\w*|guess\w*"
    r"|wonder\w*|knows?|knew|thinks?|thought|meanwhile|elsewhere|whisper\w*|murmur\w*|mutter\w*"
    r"|note|writ\w*|wrote|scribbl\w*)\b",
    re.IGNORECASE,
)
MAX_BESIDE_CHARS = 400  # of narration on either side of quoted words
_SELF = r"(?:him|her|my|your|it|our|them)sel(?:f|ves)"
_SAY = (
    r"(?:(?:say|tell|ask|answer|add|call|shout|yell|scream|whisper|murmur|mutter|speak|warn|admit"
    r"|explain|announce|declare|exclaim|respond|return|remark|insist|confess|mention|suggest)"
    r"(?:s|ed|ing)?|said|told|spoke|spoken|cr(?:y|ies|ied|ying)|repl(?:y|ies|ied|ying))"
)
_SAYS = re.compile(rf"\b{_SAY}\b(?! {_SELF})", re.IGNORECASE)
_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!?…]+(?=\s|$)|\n")
_LOUD = re.compile(
    r"\b(?:aloud|out loud|loud(?:ly|er)?(?! than| enough)|shout\w*|yell\w*|calls? out)\b",
    re.IGNORECASE,
)
# What a clause beside the tag must say for the words to be kept from some: a room that falls
# silent, who pours herself tea, and somebody else who whispers say nothing of them.
_KEPT = re.compile(
    r"\b(?:unseen|unnoticed|unheard|secret\w*|back is turned|behind \S+ back"
    r"|without \S+ (?:noticing|seeing|knowing)|keyhole|meanwhile|elsewhere"
    rf"|under \S+ breath|(?:to|by) {_SELF}|in \S+ (?:head|mind|pocket|sleeve))\b"
    r"|^\W*(?:and |but |all |quite |now |still |almost )*(?:alone|(?:whisper|murmur|mutter)ing)\b",
    re.IGNORECASE,
)
_PARTED = re.compile(r"[,;:—–]|\b(?:and|but|while|as|who|whose|which|where|when)\b", re.IGNORECASE)
_ON_ITS_OWN = re.compile(rf"(?<!\bto )(?<!\bby )\b{_SELF}\b", re.IGNORECASE)  # "pours herself tea"
_NOT_LOW = re.compile(
    r"\b(?:without|not|never|no longer|instead of|rather than) (?:\w+ )?"
    r"(?:whisper|murmur|mutter)ing\b",
    re.IGNORECASE,
)
# Said, but not now or not at all: denied, wanted, supposed, dreamt, remembered, long ago.
_NOT_SAYING = re.compile(
    rf"\b(?:(?:do|does|did|dares?|could|can|would|will|must|need)(?: not|n['’]t)|cannot|never"
    rf"|not|almost|nearly|(?:want|wish|long|yearn|mean|intend|plan|hope|ache|refuse|forget|fail|use"
    rf"|decline|prepare|pretend|expect|prefer|ready|about|like|love|hate)\w* (?:not )?to|going to"
    rf"|meant to|forgot to|as (?:if|though)(?: to)?|(?:would|could|should|might)(?: have| never)?"
    rf"|(?<!\bI )(?:will|shall)|['’]d(?: have)?|had(?: once| often| always)?"
    rf"|without|instead of|rather than|from|ought to(?: have)?)"
    rf" (?:(?:even|quite|ever|yet|still|really|actually|just|to|\w+ly) ){{0,2}}{_SAY}\b"
    rf"|\b(?:dream|imagin|rememb|recall|pictur|fanc(?:y|ie)|suppos|pretend)\w*\b"
    rf"(?:,? (?!and\b|then\b|but\b)[\w'’]+){{0,6}}? {_SAY}\b"
    rf"|^\W*(?:[\w'’]+ ){{0,4}}(?:ago|yesterday|last (?:night|week|month|year|summer|winter))\b"
    rf"|{_SAY}(?: [\w'’]+){{0,3}},? (?:[\w'’]+ )?(?:long ago|\w+ ago|yesterday)\b",
    re.IGNORECASE,
)
# "…," said Mara: whatever else the sentence says, she did.
_TAGGED = re.compile(rf"\| ?(?:(?:[A-Z][\w'’]*|s?he|they|you) ){{0,2}}{_SAY}\b(?! {_SELF})")
_THINK = (
    rf"(?:thinks?|(?<!in )thought|thinking|wonder\w*|dream\w*|imagin\w*|rememb\w*|recall\w*"
    rf"|realis\w*|realiz\w*|(?:tell|told|remind)\w* {_SELF})"
)
_THINKING = re.compile(  # right before the words, whose place is marked, or right after them
    rf"\b{_THINK}(?: [\w'’]+){{0,3}}[ ,:;]*\||\| ?(?:[\w'’]+ ){{0,3}}{_THINK}\b"
    rf"|\bin [\w'’]+ (?:head|mind)\b",
    re.IGNORECASE,
)
_WRITING = re.compile(r"\b(?:writ\w+|wrote|scribbl\w*|scrawl\w*|jot\w*)\b", re.IGNORECASE)
_TO_SELF = re.compile(rf"\b{_SAY} (?:quietly |softly )?to {_SELF}\b", re.IGNORECASE)
_READ_OUT = re.compile(READ_OUT, re.IGNORECASE)
_MARKS = re.compile(r"[\"“”]")
DRAWN_ASIDE = re.compile(
    r"\b(?:draw|drew|take|took|pull|lead|led|steer|call|beckon|guide|tug)\w*"
    r" (?:[\w'’]+ ){1,3}(?:aside|apart|to one side|into (?:a|the) corner)\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\b(?:only (?:to )?[\w'’]+ (?:(?:can|could|may|might|will|would|should) )?(?:over)?hear[sd]?"
    r"|too (?:soft|quiet|low|faint)(?:ly)? for"
    r"|(?:out of|beyond|outside) (?:[\w'’]+ ){0,2}(?:hearing|earshot)"
    r"|(?:once|when|while|now|after|as soon as) (?:[\w'’]+ ){1,4}alone|alone with"
    r"|for [\w'’]+ ears (?:only|alone)|in(?:to)? [\w'’]+ ear|privately|in private"
    r"|in confidence|confidentially"
    r"|(?:no one|nobody|none)(?: else)?(?: \w+)? (?:over)?hears?|without [\w'’]+ hearing"
    r"|(?:cannot|can['’]t|could not|couldn['’]t|not|won['’]t|doesn['’]t) (?:over)?hear"
    r"|secretly)\b",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"\b(?:in an? (?:\w+ )?(?:low|soft|hushed|quiet|small|lowered) (?:voice|tone)|in an undertone"
    r"|in hushed tones|under \w+ breath|quietly|softly|in a (?:whisper|murmur)|sotto voce"
    r"|\w+ voice (?:is )?(?:low|lowered|hushed))\b",
    re.IGNORECASE,
)


_ASIDE = re.compile(r"[,;:—–]|\b(?:while|as|where|when|and|beside|near|with)\b", re.IGNORECASE)


# Of the speaker, not of somebody beside them: "mutters in her sleep", "Still asleep, she".
_SLEEP = (
    r"in (?:(?:my|your|his|her|their) |a )?(?:\w+ )?"
    r"(?:sleep|dreams?|nightmare|slumber|delirium)\b"
)
_SAID_ASLEEP = re.compile(
    rf"\b(?:{_SAY}|talk\w*|mumbl\w*|moan\w*|groan\w*)(?: [\w'’]+){{0,3}},? {_SLEEP}|^\W*{_SLEEP}"
    rf"|(?:^|,)\W*(?:still |fast |half |sound )*(?:asleep|dreaming)\b,"
    rf"|\bwithout (?:waking|opening (?:his|her|their) eyes)\b",
    re.IGNORECASE,
)


class Manner(StrEnum):
    """How words are said, as the narration beside them tells."""

    ALOUD = "aloud"
    QUIET = "quiet"  # for whom they are said to; if for nobody, for those in the room
    APART = "apart"  # for whom they are said to; if nobody is named, for the player told
    DOUBTFUL = "doubtful"  # something beside them makes it likely that not all hear them
    WRITTEN = "written"  # a name in them reaches nobody
    ALONE = "alone"  # to oneself: nor does one in these
    UNSAID = "unsaid"  # thought, dreamt, remembered, long past, not said: no utterance


LOW = frozenset({Manner.APART, Manner.QUIET})
CLOSED = frozenset({Manner.APART, Manner.DOUBTFUL, Manner.WRITTEN, Manner.ALONE})


def manner_of(beside: str) -> Manner:
    """How words are said, by the narration beside them."""
    beside = without_things(_NOT_LOW.sub("", beside))
    if _NOT_SAYING.search(beside):
        return Manner.DOUBTFUL if _TAGGED.search(beside) else Manner.UNSAID
    loud = _LOUD.search(beside) is not None or _READ_OUT.search(beside) is not None
    if not loud and _THINKING.search(beside) and not _SAYS.search(beside):
        return Manner.UNSAID
    if _WRITING.search(beside) or is_sent(beside):
        return Manner.WRITTEN
    if _TO_SELF.search(beside):
        return Manner.ALONE
    if _APART.search(beside) or DRAWN_ASIDE.search(beside):
        return Manner.APART
    if _QUIET.search(beside):
        return Manner.QUIET
    return Manner.DOUBTFUL if not loud and _is_kept(beside) else Manner.ALOUD


def _is_kept(beside: str) -> bool:
    """Whether something makes it likely that not all hear the words.

    What leads to them and their tag itself may say it with any word; what is told after the tag,
    in clauses of its own, only with one of how they are said.
    """
    led, _, rest = beside.partition("|")
    tagged = _TAGGED.search(beside)
    if tagged is None:
        plain = _ON_ITS_OWN.sub("", beside) if _SAYS.search(beside) else beside
        return SECRET.search(plain) is not None
    at = tagged.end() - len(led) - 1
    own, *others = _PARTED.split(rest[at:])
    near = f"{led}|{rest[:at]}{own}"
    kept = SECRET.search(_ON_ITS_OWN.sub("", near)) is not None
    return kept or any(_KEPT.search(each) for each in others)


def is_from_afar(beside: str) -> bool:
    """Whether words come over a telephone or the like; a song on the radio meanwhile is none."""
    parts = _ASIDE.split(beside)
    return any(OVER.search(part) and ("|" in part or _SAYS.search(part)) for part in parts)


def is_said_asleep(words: str) -> bool:
    """Whether the narration says that whoever speaks does so in their sleep."""
    return _SAID_ASLEEP.search(words[:MAX_BESIDE_CHARS]) is not None


def is_loud(words: str) -> bool:
    """Whether the narration says that something is said loudly."""
    return _LOUD.search(words) is not None


def beside(text: str, *, start: int, end: int, after: int = 0, before: int | None = None) -> str:
    """The narration of the sentence in which quoted words stand, with a bar in their place.

    Other quotations end at `after` and begin at `before`. A full stop within the words ends it.
    """
    first = max(after, start - MAX_BESIDE_CHARS)
    last = min(len(text) if before is None else before, end + MAX_BESIDE_CHARS)
    *earlier, led = _END.split(text[first:start])
    over = tag_end(text, start=start, end=end, before=last) == end
    rest = "" if over else _END.split(text[end:last], maxsplit=1)[0].strip()
    if not led.strip() and not rest:
        led = _sending([each for each in earlier if each.strip()][-1:])
    return f"{led.strip()} | {rest}"


def _sending(sentence: Sequence[str]) -> str:
    """The sentence before some words, if it sends them: "I text Dov. “…”"."""
    return next((each.strip() for each in sentence if is_sent(f"{each.strip()} |")), "")


def tag_end(text: str, *, start: int, end: int, before: int) -> int:
    """Where the sentence ends in which quoted words stand: after their tag, or with them."""
    rest = text[end:before]
    ended = text[start:end].rstrip("\"”’' ")[-1:] == "."
    if ended and not rest.lstrip(" ,;")[:1].islower():
        return end
    return sentence_ends(text, end, before, most=1)


def lead_start(text: str, at: int) -> int:
    """Where the sentence begins that stands before some place, or goes on there."""
    first = max(0, at - MAX_BESIDE_CHARS)
    ends = [each.end() for each in _END.finditer(text, first, at)]
    return ends[-1] if ends else first


def sentence_ends(text: str, start: int, stop: int, *, most: int) -> int:
    """Where so many sentences end that begin at some place."""
    at = start
    for _ in range(most):
        found = _END.search(text, at + len(text[at:stop]) - len(text[at:stop].lstrip()), stop)
        at = stop if found is None else found.end()
    return at


def sentence_at(text: str, at: int) -> str:
    """The sentence around a place in some text."""
    led = _END.split(text[max(0, at - MAX_BESIDE_CHARS) : at])[-1]
    return led + _END.split(text[at : at + MAX_BESIDE_CHARS], maxsplit=1)[0]


def surroundings(reading: Reading) -> list[str]:
    """What is narrated beside each quotation."""
    text, quotations, found = reading.text, reading.quotations, list[str]()
    for n, each in enumerate(quotations):
        next_at = quotations[n + 1].start if n + 1 < len(quotations) else None
        after = min(quotations[n - 1].end, each.start) if n else 0
        found.append(beside(text, start=each.start, end=each.end, after=after, before=next_at))
    return found


def manners(reading: Reading, around: Sequence[str] | None = None) -> list[Manner]:
    """How each quotation is said. Words go on as they began, within a paragraph, by the same one;
    who was drawn aside is spoken to apart until it ends.
    """
    text, quotations, found = reading.text, reading.quotations, list[Manner]()
    around = surroundings(reading) if around is None else around
    for n, (each, words) in enumerate(zip(quotations, around, strict=True)):
        last = quotations[n - 1] if n else None
        after = min(last.end, each.start) if last is not None else 0
        manner = manner_of(words)
        between = text[after : each.start]
        goes_on = last is not None and "\n" not in between
        goes_on = goes_on and last is not None and _may_be_one(reading, last.speaker, each.speaker)
        if manner is Manner.ALOUD and goes_on and between.strip() and not _LOUD.search(words):
            same = words == " | " or found[-1] in (Manner.APART, Manner.QUIET)
            manner = found[-1] if same else manner
        if manner in (Manner.ALOUD, Manner.QUIET, Manner.DOUBTFUL) and drawn(text, each.start):
            manner = Manner.APART
        found.append(manner)
    return found


def _may_be_one(reading: Reading, *speakers: int | None) -> bool:
    """Whether two speakers may be one: the second is called "she", or nothing."""
    first, second = speakers
    if second is None or first == second:
        return True
    one = None if first is None else reading.mentions[first]
    other = reading.mentions[second]
    named = one is not None and one.head == other.head
    return named or (other.kind is MentionKind.PRONOUN and other.person == 3)


def drawn(text: str, start: int) -> re.Match[str] | None:
    """Where the paragraph narrates, before some place in it, that somebody is drawn aside."""
    first = max(0, start - MAX_BESIDE_CHARS)
    first = max(first, text.rfind("\n", first, start) + 1)
    found = DRAWN_ASIDE.search(text, first, start)
    # After an odd number of marks it stands in what somebody says.
    said = found is not None and len(_MARKS.findall(text, first, found.start())) % 2 == 1
    return None if said else found
