"""Who speaks to whom from afar, in plain words: "I phone Greta", "she hangs up", "on speaker".

Only what is plainly done counts: not what is wanted, denied, supposed or tried, nor a call that
nobody takes. To call somebody may be to shout: it is a telephone only where the sentence says so
(`plainly`), and else for whoever knows the world to judge. What is in quotation marks is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.events.atoms import LineChange

Span = tuple[int, int]

_MARK = "Ξ"  # stands for each letter of a name: a letter, so that words stay words
_QUOTED = re.compile(r'"[^"]*"|“[^“”]*”')
_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!?…;]+(?=\s|$)|\n")
DEVICE = (
    r"(?:tele|cell|mobile |smart)?phone|mobile|cell|handset|receiver|radio|walkie[- ]talkie"
    r"|intercom|headset|switchboard|video call|voice call"
)
DEVICES = re.compile(rf"\b(?:{DEVICE})s?\b", re.IGNORECASE)
_OWN = r"(?:the|a|an|his|her|their|my|your|our|its|Ξ+['’]s)"
# Beside quoted words, or after a verb of speaking: how they come across.
OVER = re.compile(
    rf"\b(?:(?:over|on|through|into|across|down)\s+(?:{_OWN}\s+)?|(?:by|via)\s+)(?:{DEVICE}|line)\b"
    r"|\b(?:on|at|from) the other end\b",
    re.IGNORECASE,
)
# What everybody there hears: a radio set, a loudspeaker.
ALOUD = re.compile(
    r"\b(?:radio|walkie[- ]talkie|intercom|(?:loud)?speaker(?:phone)?|hands[- ]free)\b",
    re.IGNORECASE,
)
UNANSWERED = re.compile(
    r"\b(?:no(?:body| one|ne)(?: else)? (?:answer|pick|take)(?:s|ed)?"
    r"|(?:do(?:es)?|did|is|was|will|would)(?:n['’]t| not) (?:answer|pick|take the call|there)"
    r"|voice ?mail|answering machine|no (?:answer|reply|signal|connection|dial tone)"
    r"|(?:line|number) (?:is|was) (?:engaged|busy|dead)|(?:rings?|rang) out|rings? and rings?"
    r"|(?:rings?|rang) unanswered)\b",
    re.IGNORECASE,
)
_SUBJECT = rf"(?P<who>{_MARK}+|he|she|they|you|I|we)"
_OBJECT = rf"(?P<whom>{_MARK}+|him|her|them|you|me)"
_ADVERBS = r"(?:\s+(?:\w+ly|then|now|also|just|finally|at once|at last|soon|again)){0,2}"
_TO_BE = r"(?:am|is|are|was|were|['’]m|['’]s|['’]re)"
_RINGS = (
    r"(?:(?:phon|telephon)(?:es?|ed)|rings?|rang|dial(?:s|led|ed)?|radio(?:s|ed)?"
    r"|(?P<call>calls?|called))"
)
_SPEAKS = r"(?:speaks?|spoke|talks?|talked|says?|said|tells?|told|asks?|asked|chats?|chatted)"
_LINE = rf"(?:{DEVICE}|line)"
_AFTER_CALL = re.compile(r"\s*(?:$|[.,;:!?…—–\n]|and\b|but\b|up\b|from\b|again\b)", re.IGNORECASE)
_FROM = re.compile(r"\s*from\s", re.IGNORECASE)
# Before who does it, these make it no deed of here and now.
_SUPPOSED = re.compile(
    r"\b(?:if|unless|should|when(?:ever)|before|until|till|perhaps|maybe|imagin\w*|suppos\w*|that"
    r"|whether|dream\w*|hop(?:es?|ed|ing)|wish\w*|rememb\w*|recall\w*|yesterday|ago|last|once|wait"
    r"\w*|wonder\w*|think\w*|thought|want\w*|as though|promis\w*|says?|said)\b",
    re.IGNORECASE,
)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


def _opening(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that a line is open between two."""
    over = rf"(?:over|on|by|via) (?:{_OWN} )?{_LINE}\b"
    return (
        _pattern(rf"\b{subject}(?P<verb>{_RINGS})(?: up)? {_OBJECT}\b"
                 rf"(?:['’]s (?:number|phone|mobile|cell|line)\b)?"),
        _pattern(rf"\b{subject}(?P<verb>gives?|gave) {_OBJECT} an? (?:call|ring)\b"),
        _pattern(rf"\b{subject}(?P<verb>{_TO_BE}|stays?|stayed) on the {_LINE} (?:with|to)"
                 rf" {_OBJECT}\b"),
        _pattern(rf"\b{subject}(?P<verb>gets?|got|has|had|reaches|reached) {_OBJECT}"
                 rf" (?:on|over) the {_LINE}\b"),
        _pattern(rf"\b{subject}(?P<verb>{_SPEAKS}) (?:(?:to|with) )?{_OBJECT}\b"
                 rf"[^.!?…;]{{0,200}}? {over}"),
    )  # fmt: skip


def _closing(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that somebody ends it."""
    thing = rf"{_OWN} (?:(?:tele|cell)?phone|receiver|handset|mobile|cell)"
    return (
        _pattern(rf"\b{subject}(?P<verb>(?:hangs?|hung) up|(?:rings?|rang) off)\b"
                 rf"(?! {_OWN}\b)(?: on {_OBJECT})?"),
        _pattern(rf"\b{subject}(?P<verb>(?:puts?|sets?|lays?|laid|slams?|slammed) down"
                 rf"|(?:hangs?|hung) up) {thing}\b"),
        _pattern(rf"\b{subject}(?P<verb>puts?|sets?|lays?|laid|slams?|slammed|hangs?|hung) {thing}"
                 r"(?: back)? (?:down|up|(?:on|in|into|onto) (?:the|its) (?:hook|cradle|rest))\b"),
        _pattern(rf"\b{subject}(?P<verb>ends?|ended|cuts?|breaks?|broke|disconnects?|disconnected)"
                 rf"(?: off)? {_OWN} (?:call|connection|line|phone call)\b"),
    )  # fmt: skip


def _speaking_out(subject: str) -> tuple[tuple[LineChange, re.Pattern[str]], ...]:
    """Ways to say that all in the room hear the other end, or no longer."""
    speaker = r"(?:loud)?speaker(?:phone)?"
    what = rf"(?:{_OBJECT}|it|{_OWN} (?:call|{DEVICE}))"
    turns = r"(?P<verb>puts?|switch(?:es|ed)?|turns?|turned|sets?|has|takes?|took)"
    return (
        (LineChange.ALOUD, _pattern(rf"\b{subject}{turns} {what} (?:on|on to|onto|to|over to)"
                                    rf" (?:the )?{speaker}\b")),
        (LineChange.ALOUD, _pattern(rf"\b{subject}{turns} on (?:the |{_OWN} )?{speaker}\b")),
        (LineChange.ALOUD, _pattern(rf"\b{subject}{turns} (?:the |{_OWN} ){speaker} on\b")),
        (LineChange.LOW, _pattern(rf"\b{subject}{turns} {what} off (?:the )?{speaker}\b")),
        (LineChange.LOW, _pattern(rf"\b{subject}{turns} off (?:the |{_OWN} )?{speaker}\b")),
        (LineChange.LOW, _pattern(rf"\b{subject}{turns} (?:the |{_OWN} ){speaker} off\b")),
    )  # fmt: skip


_TOLD = rf"{_SUBJECT}{_ADVERBS} "
_JOINED = rf"(?:and|then|,)(?: then)?{_ADVERBS} "  # "she picks up the phone and calls him"
_BIDDEN = r"(?:^|(?<=[.!?;,])|(?<=\band)|(?<=\bthen))\s*"  # of a player: "phone Greta"
_DEAD = _pattern(
    r"\bthe (?:line|connection|call|radio) (?:goes|went|falls|fell|is|was|gets|got)"
    r" (?:dead|silent|cut(?: off)?|over|lost)\b"
    r"|\bthe (?:line|connection|call) (?:ends|ended|drops|dropped|breaks|broke)\b"
)


@dataclass(frozen=True, slots=True)
class Call:
    """Something that a text says of a line. Spans are of words; None: they are not said."""

    at: int
    change: LineChange
    who: Span | None = None
    whom: Span | None = None
    plainly: bool = True  # it says that it is no shouting
    whence: bool = False  # and it says from where


def calls_in(text: str, named: Sequence[Span], *, typed: bool = False) -> tuple[Call, ...]:
    """All that a text says of lines, in order. `named` are the names of people in it.

    A text `typed` by a player need not say who does it.
    """
    plain = _QUOTED.sub(lambda each: " " * len(each.group()), text)
    for start, end in named:
        plain = plain[:start] + _MARK * (end - start) + plain[end:]
    found: dict[int, Call] = {}
    start = 0
    for stop in (*(each.end() for each in _END.finditer(plain)), len(plain)):
        for call in _in_sentence(plain, start, stop, typed=typed):
            found.setdefault(call.at, call)
        start = stop
    return tuple(found[at] for at in sorted(found))


def is_unanswered(text: str) -> bool:
    """Whether a text says that nobody took a call."""
    return UNANSWERED.search(_QUOTED.sub(" ", text)) is not None


def _in_sentence(text: str, start: int, stop: int, *, typed: bool) -> Iterator[Call]:
    sentence = text[start:stop]
    subjects = (_TOLD, _JOINED, _BIDDEN) if typed else (_TOLD, _JOINED)
    following = text[stop : stop + 80]
    for subject in subjects:
        for pattern in _OPENINGS[subject]:
            for each in pattern.finditer(sentence):
                call = _opened(each, sentence, start, unanswered=sentence + following)
                if call is not None:
                    yield call
        for pattern in _CLOSINGS[subject]:
            for each in pattern.finditer(sentence):
                yield _call(each, sentence, start, LineChange.CLOSED)
        for change, pattern in _SPEAKERS[subject]:
            for each in pattern.finditer(sentence):
                yield _call(each, sentence, start, change)
    for each in _DEAD.finditer(sentence):
        yield Call(start + each.start(), LineChange.CLOSED)


def _opened(each: re.Match[str], sentence: str, start: int, *, unanswered: str) -> Call | None:
    """A call that was taken; or that none was, where the words go on to say so."""
    if _SUPPOSED.search(sentence[: each.start("verb")]):
        return None
    rest = sentence[each.end() :]
    shouted = bool(each.groupdict().get("call"))
    if shouted and not _AFTER_CALL.match(rest) and not OVER.search(rest):
        return None  # "calls him a liar", "calls him over"
    taken = not UNANSWERED.search(unanswered)
    call = _call(each, sentence, start, LineChange.OPENED if taken else LineChange.CLOSED)
    said = not shouted or "’s " in each.group() or "'s " in each.group() or OVER.search(rest)
    plainly = bool(said) or DEVICES.search(sentence) is not None
    return Call(
        call.at, call.change, call.who, call.whom, plainly, whence=_FROM.match(rest) is not None
    )


def _call(each: re.Match[str], sentence: str, start: int, change: LineChange) -> Call:
    groups = each.groupdict()
    who = (each.start("who"), each.end("who")) if groups.get("who") else _first(sentence)
    whom = (each.start("whom"), each.end("whom")) if groups.get("whom") else None
    return Call(start + each.start("verb"), change, _moved(who, start), _moved(whom, start))


def _first(sentence: str) -> Span | None:
    """Whom a sentence begins with: of "she sits down and calls him", she."""
    found = _FIRST.match(sentence)
    return None if found is None else (found.start("who"), found.end("who"))


def _moved(span: Span | None, by: int) -> Span | None:
    return None if span is None else (span[0] + by, span[1] + by)


_FIRST = re.compile(rf"\s*{_SUBJECT}\b", re.IGNORECASE)
_SUBJECTS = (_TOLD, _JOINED, _BIDDEN)
_OPENINGS = {subject: _opening(subject) for subject in _SUBJECTS}
_CLOSINGS = {subject: _closing(subject) for subject in _SUBJECTS}
_SPEAKERS = {subject: _speaking_out(subject) for subject in _SUBJECTS}
