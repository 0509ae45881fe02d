"""A player's line as what it says and what it does, each with whom it turns to.

Players mark little: speech stands in quotation marks, between asterisks stands what is done, and
the rest is either. A sentence that asks, or says *you* to somebody, is said; one with an *I*, or
that begins with a deed, is done. Whom it turns to is who is called by name, else whom the line
turned to last, else the only one there, else who answers, else with whom the player was last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import pairwise

from storykeeper.language.asides import without_asides
from storykeeper.language.lines import mended
from storykeeper.language.names import Found, Names
from storykeeper.language.phrases import is_adverb
from storykeeper.language.quoted import quoted_in
from storykeeper.language.reading import Gender
from storykeeper.language.verbs import base, is_verb, meant
from storykeeper.units import EntityId

_SENTENCE = re.compile(r"[^.!?…\n;—]+[.!?…]*")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*")
_PUT_OFF = re.compile(r"\b(?:was|were) (?:just |about )?(?:gonna|going to)\b", re.IGNORECASE)
_STEP = re.compile(rf"{_WORD.pattern}|,")  # a deed may begin after a comma
_TYPED = re.compile(_WORD.pattern, re.IGNORECASE)
_LETTER = re.compile(r"\w")
_SEEN = re.compile(r"\S")
_LETTERS = re.compile(r"[^\W\d_]+")
_ABOUT = re.compile(r"\b(?:about|re|regarding|concerning)\s+(?:the )?$", re.IGNORECASE)
_REQUEST = re.compile(r"\b(?:tell|show|teach|remind|read|explain to) (?:me|us)\b")
_WH = frozenset({
    "what", "what's", "whats", "where", "where's", "wheres", "who", "who's", "whos", "whose", "why",
    "how", "how's", "hows", "which",
})  # fmt: skip
_ASKING = frozenset({  # with who does it after them
    "is", "are", "am", "was", "were", "do", "does", "did", "can", "could", "may", "will", "would",
    "shall", "should", "has", "have", "isn't", "aren't", "don't", "didn't", "can't", "won't",
})  # fmt: skip
_SUBJECTS = frozenset({"i", "you", "u", "he", "she", "it", "we", "they", "there", "the", "that"})
_OPENING = frozenset({
    "so", "and", "but", "ok", "okay", "well", "oh", "then", "hey", "hi", "hello", "oi", "no", "yes",
    "sorry", "please", "now", "right", "fine", "wait", "listen", "dear", "my", "ah", "um", "ha",
})  # fmt: skip
# A deed stands first, or after one of these.
_LEADING = frozenset({",", "i", "i'll", "we", "and", "n", "then", "to", "just", "go"})
_OWN = frozenset({"i", "i'm", "i'll", "i've", "i'd", "we", "we're", "we'll"})
_YOU = frozenset({"you", "you're", "you've", "you'll", "you'd", "your", "yours", "u", "ur"})
_HIM = {"him": Gender.HE, "his": Gender.HE, "her": Gender.SHE, "hers": Gender.SHE,
        "them": Gender.THEY, "their": Gender.THEY}  # fmt: skip
_ANY = frozenset({"a", "an", "another", "some", "any", "no"})
_NONE = frozenset[str]()


class Sure(IntEnum):
    """By what it is known whom some words turn to."""

    NOBODY = 0
    LATELY = 1  # with whom the player was last, of several
    ANSWERS = 2  # who spoke first when the line was answered
    GOES_ON = 3  # whom the line turned to before
    ALONE = 4  # nobody else is there
    NAMED = 5


@dataclass(frozen=True, slots=True)
class Company:
    """Those whom a line can be for; of them those with whom the player was last, first, and who
    answered it first, if anybody has.
    """

    near: Sequence[EntityId]
    lately: Sequence[EntityId]
    genders: Mapping[EntityId, Gender]  # of everybody who can be named
    answers: EntityId | None = None


@dataclass(frozen=True)
class Utterance:
    """A sentence of a line."""

    text: str
    said: bool
    marked: bool  # in quotation marks
    found: tuple[Found, ...]
    to: EntityId | None = None
    sure: Sure = Sure.NOBODY

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, in small letters."""
        return _words(self.text)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """What is done in it, in plain form: words that stand where a deed does, not taken back."""
        kept = [] if _PUT_OFF.search(self.text) else meant(_STEP.findall(_folded(self.text)))
        places = (
            i for i, word in enumerate(kept)
            if word != "," and (i == 0 or kept[i - 1] in _LEADING or is_adverb(kept[i - 1]))
        )  # fmt: skip
        return frozenset(base(kept[i], _NONE) for i in places)

    def named(self, *, but_any: bool) -> Iterator[str]:
        """Its words; `but_any`: without those that any of a kind may be meant by, "a glass"."""
        before = ("", *self.words)
        return (w for b, w in zip(before, self.words, strict=False) if not (but_any and b in _ANY))

    @cached_property
    def of_oneself(self) -> bool:
        """Whether it only asks what the asker does, or would do: nobody need answer."""
        asking = [word for word in self.words if word not in _OPENING][:8]
        return any(a in _ASKING and b == "i" for a, b in pairwise(asking)) and not (
            {"you", "your", "u"} & {*self.words} or {"may", "can", "could"} & {*asking}
        )

    @cached_property
    def wants_words(self) -> bool:
        """Whether it wants to be told or shown something."""
        return _REQUEST.search(" ".join(self.words)) is not None

    @cached_property
    def asks(self) -> bool:
        """Whether it asks, or wants to be told."""
        return _asks(self.text, self.words)


def utterances(line: str, names: Names, company: Company) -> list[Utterance]:
    """The sentences of a line, in order."""
    line = _LETTERS.sub(lambda w: mended(w.group().casefold(), names) or w.group(), line)
    parts = [
        Utterance(text, said, marked, names.find(text)) for text, said, marked in _sentences(line)
    ]
    return _addressed(parts, company)


# ── what is said, what is done ───────────────────────────────────────────────────────────────


def _sentences(line: str) -> Iterator[tuple[str, bool, bool]]:
    line, _ = without_asides(line)
    at = 0
    for quoted in quoted_in(line):
        yield from _unmarked(line[at : quoted.start])
        yield from ((text, True, True) for text in _split(quoted.words))
        at = quoted.end
    yield from _unmarked(line[at:])


def _unmarked(text: str) -> Iterator[tuple[str, bool, bool]]:
    for i, piece in enumerate(text.split("*")):
        for each in _split(piece):
            yield each, i % 2 == 0 and _is_said(each), False


def _split(text: str) -> Iterator[str]:
    found = (each.group() for each in _SENTENCE.finditer(text))
    return (each.strip() for each in found if _LETTER.search(each))


def _is_said(text: str) -> bool:
    words = _words(text)
    if _asks(text, words):
        return words[:1] != ("i",)  # "I ask where it is?"
    if not _YOU.isdisjoint(words):
        return words[:1] != ("i",)
    return bool(words) and _OWN.isdisjoint(words) and not is_verb(words[0], _NONE)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_folded(text)))


def _folded(text: str) -> str:
    return text.casefold().replace("’", "'")


def _asks(text: str, words: Sequence[str]) -> bool:
    if "?" in text or _REQUEST.search(" ".join(words)):
        return True
    rest = [word for word in words if word not in _OPENING]
    if rest and rest[0] not in _WH | _ASKING | _OWN:  # "Tarn what's the time"
        rest = rest[1:] if rest[1:2] and rest[1] in _WH and not is_verb(rest[0], _NONE) else rest
    inverted = len(rest) > 1 and rest[0] in _ASKING and rest[1] in _SUBJECTS
    return inverted or (bool(rest) and rest[0] in _WH and rest[1:2] != ["i"])


# ── to whom ──────────────────────────────────────────────────────────────────────────────────


def _addressed(parts: list[Utterance], company: Company) -> list[Utterance]:
    called = [_called(part, company) for part in parts]
    told = _told_to(parts, called)
    found: list[Utterance] = []
    for part, own, to in zip(parts, called, told, strict=True):
        sure = Sure.NAMED if own is not None else Sure.GOES_ON
        if to is None and not part.said:
            to = _meant(part, found, company)
        if to is None and found and found[-1].sure >= Sure.GOES_ON:
            to = found[-1].to
        if to is None:
            to, sure = _supposed(company)
        found.append(Utterance(part.text, part.said, part.marked, part.found, to, sure))
    return found


def _called(part: Utterance, company: Company) -> EntityId | None:
    """Who is called in what is said; who is turned to, in what is done."""
    people = [each for each in part.found if each.entity in company.genders]
    if not part.said:  # "ask Yevka about Tarn" turns to her
        people = [each for each in people if not _ABOUT.search(part.text, 0, each.start)]
        return people[-1].entity if people else None
    if not people:
        return None
    others = (w for w in _TYPED.finditer(part.text) if _folded(w.group()) not in _OPENING)
    begins = next((word.start() for word in others), len(part.text))
    return next((each.entity for each in people if _is_call(part.text, each, begins)), None)


def _is_call(text: str, name: Found, begins: int) -> bool:
    """Whether a name in what is said calls its bearer: it stands at an end, apart from the rest,
    which `begins` somewhere. Only what is beside the name is looked at.
    """
    opens = name.start <= begins
    if _LETTER.search(text, name.end) is None:
        return opens or _mark_before(text, name.start) == ","
    word = _TYPED.search(text, name.end)
    following = set() if word is None else {_folded(word.group())}
    mark = _SEEN.search(text, name.end)
    if mark is not None and mark.group() == "," and not _YOU.isdisjoint(following):
        return True
    asks = not (_WH | _ASKING | _YOU - {"your"}).isdisjoint(following)
    return opens and ((mark is not None and mark.group() in ",.!?:-") or asks)


def _mark_before(text: str, at: int) -> str:
    """The last sign before a place that is no space."""
    while at and text[at - 1].isspace():
        at -= 1
    return text[at - 1 : at]


def _told_to(
    parts: Sequence[Utterance], called: Sequence[EntityId | None]
) -> list[EntityId | None]:
    """Whom each part calls; of what is said and calls nobody, whom the rest of the same speech
    does, or who says what was said is told after it. From the last part to the first.
    """
    told: list[EntityId | None] = []
    first = next((i for i, whom in enumerate(called) if whom is not None), len(parts))
    after: int | None = None  # where the speech ends, or somebody is called in it
    for i in range(len(parts) - 1, -1, -1):
        whom = called[i]
        if whom is None and parts[i].said and after is not None and i <= first:
            meant = parts[after].said or parts[i].marked
            told.append(called[after] if meant else None)
        else:
            told.append(whom)
        if whom is not None or not parts[i].said:
            after = i
    return told[::-1]


def _meant(part: Utterance, before: Sequence[Utterance], company: Company) -> EntityId | None:
    """Whom *him* or *her* means: whom the line turned to last, or the only one there it fits."""
    gender = next((_HIM[word] for word in part.words if word in _HIM), None)
    if gender is None:
        return None
    going_on = before[-1].to if before and before[-1].sure >= Sure.GOES_ON else None
    if going_on is not None and company.genders.get(going_on) in (gender, Gender.UNKNOWN):
        return going_on
    fitting = [who for who in company.near if company.genders.get(who) is gender]
    return fitting[0] if len(fitting) == 1 else None


def _supposed(company: Company) -> tuple[EntityId | None, Sure]:
    if len(company.near) == 1:
        return company.near[0], Sure.ALONE
    if company.answers is not None:
        return company.answers, Sure.ANSWERS
    if company.lately:
        return company.lately[0], Sure.LATELY
    return None, Sure.NOBODY
