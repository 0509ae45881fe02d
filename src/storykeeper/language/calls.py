"""Who speaks to whom from afar, in plain words: "I phone Greta", "she picks up", "he rings off".

To call somebody opens nothing: that they answer does, or that a text tells of talk on the line.
Only what is plainly done here and now begins one: not what is wanted, denied, supposed, asked,
usual, planned or past. An ending needs less. To call somebody may be to shout: it is a telephone
only where the words say so (`plainly`), and else for whoever knows the world to judge. What is in
quotation marks is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from storykeeper.language import call_hands as h
from storykeeper.language import call_words as w
from storykeeper.language.quoted import blanked

Span = tuple[int, int]

_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!?…;]+(?=\s|$)|\n")
# Without any of these no line begins.
_OF_CALLS = re.compile(
    rf"\b(?:{w.DEVICE}|call|calls|called|rings?|rang|dial\w*|buzz|line|tele\w+|phon\w+|radio\w*"
    r"|through to)\b|phone",
    re.IGNORECASE,
)


class Sign(StrEnum):
    """What a text says of a line."""

    RANG = "rang"  # somebody is called
    ANSWERED = "answered"  # whoever is called takes it
    TALKED = "talked"  # two speak on a line
    SPOKE = "spoke"  # one speaks to another, by whatever they do
    MISSED = "missed"  # nobody takes the call
    CLOSED = "closed"
    CLICKED = "clicked"  # an open line is closed; while it rings it may be the answer
    ALOUD = "aloud"
    LOW = "low"
    MUTED = "muted"
    UNMUTED = "unmuted"
    HELD = "held"  # neither end hears the other
    RESUMED = "resumed"
    PASSED = "passed"  # to another's hand, who speaks on it now
    TAKEN = "taken"  # from another's hand
    PAUSED = "paused"  # the other end is asked to wait
    TURNED = "turned"  # who is on it speaks to another from here on


BEGINNING = frozenset({Sign.RANG, Sign.ANSWERED, Sign.TALKED, Sign.SPOKE})


@dataclass(frozen=True, slots=True)
class Call:
    """Something that a text says of a line. Spans are of words; None: they are not said."""

    at: int
    sign: Sign
    who: Span | None = None
    whom: Span | None = None
    plainly: bool = True  # it says that it is no shouting
    whence: bool = False  # and it says from where


_MAKERS = (
    (Sign.RANG, w.ringing), (Sign.ANSWERED, w.answering), (Sign.TALKED, w.talking),
    (Sign.SPOKE, w.speaking), (Sign.ALOUD, w.speaking_out), (Sign.LOW, w.speaking_low),
    (Sign.PASSED, h.passing), (Sign.TAKEN, h.taking), (Sign.PAUSED, h.pausing),
    (Sign.TURNED, h.turning),
)  # fmt: skip
_BY_SUBJECT = {
    subject: tuple((sign, each) for sign, make in _MAKERS for each in make(subject))
    for subject in w.SUBJECTS
}
_BY_VERB = (
    *((Sign.CLOSED, each) for each in w.ENDING), *((Sign.MUTED, each) for each in w.MUTING),
    *((Sign.UNMUTED, each) for each in w.UNMUTING), (Sign.HELD, w.HOLDING),
    (Sign.RESUMED, w.RESUMING), (Sign.CLOSED, h.PARTING), (Sign.TURNED, h.TURNED_AWAY),
)  # fmt: skip


_BY_LINE = (
    (Sign.MISSED, w.MISSED), (Sign.CLOSED, w.DEAD), (Sign.CLICKED, w.CLICK), (Sign.CLOSED, w.LATER)
)  # fmt: skip


def speaks_of_calls(text: str) -> bool:
    """Whether anything in a text may be the beginning of a line."""
    return _OF_CALLS.search(text) is not None


def calls_in(text: str, named: Iterable[Span], *, typed: bool = False) -> tuple[Call, ...]:
    """All that a text says of lines, in order. `named` are the names of people in it.

    A text `typed` by a player need not say who does it.
    """
    plain = blanked(text)
    for start, end in named:
        plain = plain[:start] + w.MARK * (end - start) + plain[end:]
    found: dict[tuple[int, Sign], Call] = {}
    start = before = 0
    for stop in (*(each.end() for each in _END.finditer(plain)), len(plain)):
        said_by_now = w.DEVICES.search(plain, before, stop) is not None
        for call in _in_sentence(plain[start:stop], typed=typed):
            moved = _moved(call, start, plainly=call.plainly or said_by_now)
            found.setdefault((moved.at, moved.sign), moved)
        before, start = start, stop
    return tuple(sorted(_one_each(found.values()), key=lambda call: call.at))


def is_missed(words: str) -> bool:
    """Whether words beside others say that nobody takes a call, or a machine does."""
    return w.MISSED.search(words) is not None or w.RECORDED.search(words) is not None


def is_muting(words: str) -> bool:
    """Whether words beside others say that those do not go over the line."""
    return any(each.search(words) for each in w.MUTING)


def _one_each(calls: Iterable[Call]) -> Iterator[Call]:
    """Of what is said at one place the most telling: talk on a line is no mere speaking."""
    every = list(calls)
    telling = {call.at for call in every if call.sign in (Sign.RANG, Sign.TALKED)}
    passed = {call.at for call in every if call.sign is Sign.PASSED}
    muted = {call.at for call in every if call.sign in (Sign.MUTED, Sign.ALOUD, Sign.UNMUTED)}
    for call in every:
        if call.sign is Sign.SPOKE and call.at in telling:
            continue
        if call.sign is Sign.CLOSED and call.at in muted:
            continue  # "puts it on speaker" is not putting it down
        if call.sign is Sign.CLOSED and call.at in passed:
            continue  # it goes on in another's hand
        yield call


def _in_sentence(sentence: str, *, typed: bool) -> Iterator[Call]:
    for subject in w.SUBJECTS if typed else w.SUBJECTS[:-1]:
        for sign, pattern in _BY_SUBJECT[subject]:
            for each in pattern.finditer(sentence):
                call = _begun(sign, each, sentence, bidden=subject == w.BIDDEN)
                if call is not None:
                    yield call
    for pattern in (w.VOICE, w.SAYS_VOICE, w.ANSWERED_BY):
        for each in pattern.finditer(sentence):
            if _is_now(each, sentence) and not is_missed(sentence[each.start() :]):
                yield Call(each.start("verb"), Sign.ANSWERED, who=each.span("who"))
    for sign, pattern in _BY_VERB:
        for each in pattern.finditer(sentence):
            at = each.start("verb") if each.groupdict().get("verb") else each.start()
            if not w.UNDONE.search(sentence[:at]) and not w.NOT_YET.search(sentence[:at]):
                whom = _span(each, "whom") or _span(each, "to")
                call = Call(at, sign, who=_doer(sentence, at), whom=whom)
                if sign is Sign.MUTED:  # also for words beside it: "…," he says, covering it
                    yield replace(call, at=-1)
                yield call
    turning = h.TURNING.match(sentence)
    if turning is not None:
        yield Call(
            turning.start("verb"), Sign.TURNED, _after(sentence, turning), turning.span("whom")
        )
    for sign, pattern in _BY_LINE:
        found = pattern.search(sentence)
        if found is not None and (sign is Sign.MISSED or not w.NOT_YET.search(sentence)):
            yield Call(found.start(), sign)


def _begun(sign: Sign, each: re.Match[str], sentence: str, *, bidden: bool) -> Call | None:
    """A sign that wants a subject, if it is done here and now; or none."""
    who = _span(each, "who") or _first(sentence)
    if not _is_now(each, sentence) or not (bidden or _agrees(each, sentence, who)):
        return None
    call = Call(each.start("verb"), sign, who, _span(each, "whom"))
    if sign is not Sign.RANG:
        return call
    rest = sentence[each.end() :]
    unclear = bool(each.groupdict().get("call"))
    if unclear and not w.AFTER_CALL.match(rest) and not w.OVER.search(rest):
        return None  # "calls him a liar", "calls him over", "gives her a ring of gold"
    number = re.search(r"['’]s\s|\bnumber$", each.group()) is not None
    said = not unclear or number or w.OVER.search(rest) or w.DEVICES.search(sentence)
    return replace(call, plainly=bool(said), whence=w.FROM.match(rest) is not None)


def _is_now(each: re.Match[str], sentence: str) -> bool:
    asked = sentence.rstrip().endswith("?")
    before = sentence[: each.start("verb")]
    return not (asked or w.SUPPOSED.search(before) or w.ANOTHER_TIME.search(sentence))


def _agrees(each: re.Match[str], sentence: str, who: Span | None) -> bool:
    """Whether a verb is one of its subject: "Mara calls", "you call"; not "hear Mara call"."""
    verb = each.group("verb").split()[0].casefold()
    subject = "" if who is None else sentence[slice(*who)].casefold()
    return verb not in w.BARE or subject in w.AGREEING


def _doer(sentence: str, at: int) -> Span | None:
    """Who stands right before a verb, or else the only one who stands before it at all."""
    named = [each.span("who") for each in w.DOERS.finditer(sentence, 0, at)]
    if len(named) == 1 or (named and w.RIGHT_BEFORE.fullmatch(sentence, named[-1][1], at)):
        return named[-1]
    return None


def _after(sentence: str, each: re.Match[str]) -> Span | None:
    """Who does what a sentence begins with: "Turning to Tom, she laughs"."""
    found = w.DOERS.search(sentence, each.end())
    return None if found is None else found.span("who")


def _first(sentence: str) -> Span | None:
    """Whom a sentence begins with: of "she sits down and calls him", she."""
    found = w.FIRST.match(sentence)
    return None if found is None else found.span("who")


def _span(each: re.Match[str], group: str) -> Span | None:
    return each.span(group) if each.groupdict().get(group) else None


def _moved(call: Call, by: int, *, plainly: bool) -> Call:
    spans: Sequence[Span | None] = [
        None if span is None else (span[0] + by, span[1] + by) for span in (call.who, call.whom)
    ]
    return Call(call.at + by, call.sign, spans[0], spans[1], plainly, call.whence)
