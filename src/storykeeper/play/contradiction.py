"""Whether what somebody says or does contradicts a sentence of doctrine.

    negation     Nobody crosses the ford alone.         I cross the ford alone.
    number       The causeway bears two carts.          The causeway bears five carts.
    antonym      The stone stands on the west bank.     The stone stands on the east bank.
    order        Medicine is carried before food.       Food is carried before medicine.
    exception    The powderman alone opens the box.     The scout opens the box.
    attribute    The box is held by the powderman.      The box is held by the scout.

Deterministic and careful: two sentences contradict each other only if they speak of the same, which
is counted in shared words. What only holds under a condition contradicts nobody who does not speak
of that condition. A model of entailment may be asked as well (`models.entailment`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from storykeeper.language.shortening import sentences
from storykeeper.memory.compaction.terms import numbers, stem, terms

SAME = 0.75  # share of a sentence's content words that the other must have, to speak of the same
LEAST = 2  # content words in common
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+")
_NEGATIONS = frozenset(
    """not no never none nobody nothing neither nor cannot without forbidden don't doesn't didn't
    isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't mustn't""".split()  # noqa: SIM905
)
_CONDITION = re.compile(
    r"\b(?:unless|until|if|when|while|where|whenever|except|as long as|without|because)\b"
    r"(?P<what>.*)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*;\s*|,?\s+and\s+(?=(?:never|not|no)\b)|,\s+and\s+")
_ABOUT = re.compile(
    r"(?P<subject>.+?)\s+(?:is|are|was|were|has|have|must|may|shall|will|do|does)\b", re.IGNORECASE
)
# Somebody is left out of what is denied of all others.
_BUT = re.compile(
    r"\b(?:nobody|no one|none|nothing|never|no \w+)\s+"
    r"(?:else|other|but(?:\s+(?:the|a|an))?\s+(?P<who>\w+))\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"(?:only\s+)?(?P<who>.+?)\s+alone\s+(?P<what>.+)", re.IGNORECASE)
_COMPARED = frozenset(
    [
        "above",
        "below",
        "over",
        "under",
        "more",
        "fewer",
        "less",
        "least",
        "most",
        "up",
        "about",
        "nearly",
    ]
)
_BEFORE = re.compile(r"^(?P<first>.+?)\b(?P<how>before|after)\b(?P<then>[^,;.]+)", re.IGNORECASE)
_FIRST = re.compile(
    r"\b(?P<first>\w+) first,? (?:and|then) (?P<then>\w+) (?:afterwards|after|later|second|last)",
    re.IGNORECASE,
)
# Of these a thing has one at a time.
_ATTRIBUTE = re.compile(
    r"^(?P<what>.+?)\b(?P<how>is called|is named|is held by|is kept by|is kept in|is led by|"
    r"belongs to|stands? on|stood on|stands? in|lies? (?:on|in|under|between)|leads? to|"
    r"opens? with|is made of|is ruled by|is owned by|was built by|is the \w+ of)\b"
    r"(?P<that>[^,;.]+)",
    re.IGNORECASE,
)  # fmt: skip
# Forms that no rule of endings brings together.
_IRREGULAR = """spoken speak, spoke speak, taken take, took take, left leave, gave give, given give,
went go, gone go, broke break, broken break, brought bring, carried carry, fell fall, fallen fall,
kept keep, stole steal, stolen steal, told tell, said say, sold sell, stood stand, swam swim, threw
throw, thrown throw, written write, wrote write, shot shoot, struck strike, lit light, burnt burn,
drawn draw, drew draw, driven drive, drove drive, eaten eat, ate eat, fought fight, found find, held
hold, hidden hide, hid hide, led lead, lent lend, lost lose, paid pay, ran run, sank sink, sunk
sink, seen see, saw see, sent send, slept sleep, tore tear, torn tear, wore wear, worn wear, began
begin, begun begin, built build, bought buy, caught catch"""
_PRESENT = {stem(past): stem(now) for past, now in (pair.split() for pair in _IRREGULAR.split(","))}
_WHOEVER = frozenset(
    map(stem, ["hand", "hands", "party", "person", "people", "somebody", "anybody", "everybody"])
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """That two sentences contradict each other, how, and by which words."""

    kind: str
    said: str
    doctrine: str
    words: tuple[str, ...] = ()


def contradictions(
    said: str, doctrine: str, speaker: frozenset[str] = frozenset()
) -> Iterator[Contradiction]:
    """Every sentence of one text that contradicts one of the other.

    `speaker`: stems of what whoever says it is called, besides "I".
    """
    for one in sentences(said):
        for other in sentences(doctrine):
            found = (contradicts(one, clause, speaker) for clause in _clauses(other))
            yield from (each for each in found if each is not None)


def contradicts(
    said: str, doctrine: str, speaker: frozenset[str] = frozenset()
) -> Contradiction | None:
    """How a sentence contradicts one clause, if it does."""
    mine, theirs = _read(said), _read(doctrine)
    if not theirs.content or theirs.plain in mine.plain or not _condition_holds(mine, theirs):
        return None
    mine = replace(mine, content=mine.content | speaker)
    for kind, find in _KINDS.items():
        words = find(mine, theirs)
        if words is not None:
            return Contradiction(kind, said, doctrine, words)
    return None


@lru_cache(maxsize=4_096)
def _clauses(sentence: str) -> tuple[str, ...]:
    """A sentence in parts that each say something of what it is about."""
    first, *rest = _PARTS.split(sentence)
    about = _ABOUT.match(first)
    whole = [part for part in rest if _ABOUT.match(part)]
    if about is None:
        return (first, *whole)
    return (first, *(p if p in whole else f"{about['subject']} {p}" for p in rest))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, and what of it is compared."""

    plain: str
    words: tuple[str, ...]
    content: frozenset[str]  # of what holds in any case
    under: frozenset[str]  # of the condition
    negated: bool
    left_out: frozenset[str] | None  # who "nobody but" leaves out; nobody named by "nobody else"
    numbers: Mapping[str, str]  # by the stem of what is counted

    @property
    def every(self) -> frozenset[str]:
        """All its content words."""
        return self.content | self.under


@lru_cache(maxsize=16_384)
def _read(text: str) -> _Sentence:
    plain = " ".join(text.replace("’", "'").split())
    condition = _CONDITION.search(plain)
    head = plain if condition is None else plain[: condition.start()] or plain
    words = tuple(word.lower() for word in _WORD.findall(plain))
    heads = [word.lower() for word in _WORD.findall(head)]
    under = frozenset() if condition is None else _content(condition["what"])
    return _Sentence(
        plain.lower().rstrip(".!?"), words, _content(head), under,
        sum(word in _NEGATIONS for word in heads) % 2 == 1, _left_out(head), _counted(plain),
    )  # fmt: skip


def _left_out(text: str) -> frozenset[str] | None:
    found = _BUT.search(text)
    return None if found is None else _content(found["who"] or "")


def _content(text: str) -> frozenset[str]:
    present = {_PRESENT.get(each, each) for each in terms(text)}
    found = frozenset(present - {stem(word) for word in _NEGATIONS})
    return found - _WHOEVER or found


def _counted(text: str) -> dict[str, str]:
    """Numbers by what they count: the next content word."""
    found: dict[str, str] = {}
    words = _WORD.findall(text)
    for at, word in enumerate(words):
        is_bound = at > 0 and words[at - 1].lower() in _COMPARED
        for number in numbers(word):
            after = [stem(each) for each in words[at + 1 : at + 3] if terms(each)]
            if after and not is_bound:
                found.setdefault(after[0], number)
    return found


def _condition_holds(mine: _Sentence, theirs: _Sentence) -> bool:
    """What holds only under a condition is held against nobody who speaks of none of it."""
    return not theirs.under or bool(theirs.under & mine.every)


def _same(mine: _Sentence, theirs: _Sentence, *, but: int = 0) -> bool:
    """Whether they speak of the same, but for so many words."""
    shared = mine.every & theirs.content
    return len(shared) >= LEAST and len(shared) >= SAME * (len(theirs.content) - but)


def _by_negation(mine: _Sentence, theirs: _Sentence) -> tuple[str, ...] | None:
    if mine.negated is theirs.negated or not _same(mine, theirs):
        return None
    if _is_left_out(mine, theirs) or _is_left_out(theirs, mine):
        return None
    return tuple(sorted(mine.every & theirs.content))


def _is_left_out(one: _Sentence, other: _Sentence) -> bool:
    """Whether one may be of those whom the other leaves out."""
    who = other.left_out
    return who is not None and (not who or bool(who & one.every))


def _by_number(mine: _Sentence, theirs: _Sentence) -> tuple[str, ...] | None:
    if mine.negated is not theirs.negated or not _same(mine, theirs, but=1):
        return None
    for what, number in theirs.numbers.items():
        other = mine.numbers.get(what)
        if other is not None and other != number:
            return (f"{other} {what}", f"{number} {what}")
    return None


def _by_antonym(mine: _Sentence, theirs: _Sentence) -> tuple[str, ...] | None:
    if mine.negated is not theirs.negated or not _same(mine, theirs, but=1):
        return None
    only_mine = {stem(word): word for word in mine.words}
    for word in theirs.words:
        opposite = _antonyms().get(stem(word), frozenset()) & only_mine.keys()
        if opposite and stem(word) not in only_mine and not _stems(theirs) & opposite:
            return (only_mine[min(opposite)], word)
    return None


def _stems(of: _Sentence) -> set[str]:
    return set(map(stem, of.words))


def _by_order(mine: _Sentence, theirs: _Sentence) -> tuple[str, ...] | None:
    if mine.negated is not theirs.negated:
        return None
    for one in _orders(mine.plain):
        for other in _orders(theirs.plain):
            here, there = one[0] & other[1], one[1] & other[0]
            if here and there:
                return (*sorted(here), *sorted(there))
    return None


def _orders(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """What comes first, and what then."""
    for each in _FIRST.finditer(text):
        yield _content(each["first"]), _content(each["then"])
    found = _BEFORE.search(text)
    if found is not None:
        first, then = _content(found["first"]), _content(found["then"])
        yield (first - then, then - first) if found["how"] == "before" else (then - first, first)


def _by_attribute(mine: _Sentence, theirs: _Sentence) -> tuple[str, ...] | None:
    one, other = _ATTRIBUTE.match(mine.plain), _ATTRIBUTE.match(theirs.plain)
    if one is None or other is None or mine.negated or theirs.negated:
        return None
    if stem(one["how"].split()[0]) != stem(other["how"].split()[0]):
        return None
    if one["how"].split()[1:] != other["how"].split()[1:]:
        return None
    mine_of, theirs_of = _content(one["what"]), _content(other["what"])
    mine_that, theirs_that = _content(one["that"]), _content(other["that"])
    same = mine_of & theirs_of
    if not same or len(same) < SAME * len(mine_of | theirs_of) or mine_that & theirs_that:
        return None
    return (one["that"].strip(), other["that"].strip()) if mine_that and theirs_that else None


def _by_exception(mine: _Sentence, theirs: _Sentence) -> tuple[str, ...] | None:
    """What one alone does, somebody else does."""
    only = _ONLY.match(theirs.plain)
    if only is None or mine.negated:
        return None
    who, what = _content(only["who"]), _content(only["what"])
    is_done = len(what) >= LEAST and what <= mine.every
    return tuple(sorted(what)) if is_done and who and not who & mine.every else None


_KINDS = {
    "exception": _by_exception, "order": _by_order, "negation": _by_negation,
    "number": _by_number, "antonym": _by_antonym, "attribute": _by_attribute,
}  # fmt: skip


@lru_cache(maxsize=1)
def _antonyms() -> Mapping[str, frozenset[str]]:
    """Opposites of words, by stems."""
    found: dict[str, set[str]] = {}
    for line in files(__package__).joinpath("antonyms.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            one, other = map(stem, line.split())
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
