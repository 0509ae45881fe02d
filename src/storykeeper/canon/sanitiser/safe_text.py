"""The sanitiser: a text from outside, safe to stand in a window, and what was done to it.

    1  what nobody sees is taken out                    (`invisible`)
    2  marks that mean something are written so that they mean nothing (`markup`)
    3  what is encoded is decoded, and marked if it says something     (`encoded`)
    4  a sentence that orders a language model about is marked         (`language.injection`)

What is marked stays readable: its words are joined by points, between brackets that say what it is.
Joined words are the surest known way to show a model that a text is quoted (datamarking), and no
filter behind us finds the phrase either. Sanitising twice is sanitising once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.canon.sanitiser.encoded import decoded
from storykeeper.canon.sanitiser.findings import Finding, Trick, finding
from storykeeper.canon.sanitiser.invisible import visible
from storykeeper.canon.sanitiser.lookalikes import folded
from storykeeper.canon.sanitiser.markup import plain_markup
from storykeeper.language.injection.detector import Detector

QUOTED, ENCODED = "⟦only quoted: ", "⟦in code: "
JOIN = "·"
GROUP = 4  # letters of an encoded text that stay together
MOST_CHARS = 1_000_000
_OURS = re.compile(r"⟦(?:only quoted|in code): (?P<inside>[^⟦⟧]*)⟧")
_SPACE = re.compile(r"\s+")
_WRAPPED = re.compile(r"\A[\"'“‘«„(\[\s]*(?P<inside>.*?)[\"'”’»)\]\s]*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sanitised:
    """A text that is safe to stand in a window, and what was found in it."""

    text: str
    findings: tuple[Finding, ...] = ()

    @property
    def tricks(self) -> frozenset[Trick]:
        """The kinds of what was found."""
        return frozenset(each.trick for each in self.findings)


@dataclass(frozen=True, slots=True)
class _Marked:
    """A part of a text that is to be marked."""

    start: int
    end: int
    trick: Trick
    because: tuple[str, ...]


@lru_cache(maxsize=8_192)
def sanitised(text: str) -> Sanitised:
    """A text from outside, safe to stand in a window."""
    if len(text) > MOST_CHARS:
        raise ValueError(f"a text of {len(text):,} characters; at most {MOST_CHARS:,} at a time")
    seen, invisible = visible(text)
    seen, forged = _without_our_marks(seen)
    plain, marks = plain_markup(seen)
    marked, said = _marked(plain)
    found = (*invisible, *forged, *marks, *said)
    return Sanitised(marked, found) if found or marked != text else Sanitised(text)


@lru_cache(maxsize=8_192)
def unmarked(text: str) -> Sanitised:
    """A text in which no mark means anything; what it says is not read. For what is made of parts
    that were sanitised, and of our own words between them.
    """
    seen, invisible = visible(text)
    plain, marks = plain_markup(seen)
    return Sanitised(plain, (*invisible, *marks))


def _without_our_marks(text: str) -> tuple[str, list[Finding]]:
    """Our brackets, where they hold words that are not joined, or nothing that we say of them."""
    if "⟦" not in text and "⟧" not in text:
        return text, []
    found: list[Finding] = []
    kept = [m.span() for m in _OURS.finditer(text) if not _SPACE.search(m["inside"])]
    parts, at = [], 0
    for start, end in [*kept, (len(text), len(text))]:
        loose = text[at:start]
        plain = loose.replace("⟦", "[").replace("⟧", "]")
        if plain != loose:
            found.append(finding(Trick.MARK, loose, plain))
        parts += [plain, text[start:end]]
        at = end
    return "".join(parts), found


def _marked(text: str) -> tuple[str, list[Finding]]:
    ours = [m.span() for m in _OURS.finditer(text)]
    spans = [each for each in _to_mark(text) if not _within(each.start, each.end, ours)]
    found: list[Finding] = []
    for each in sorted(spans, key=lambda m: -m.start):
        was = text[each.start : each.end]
        now = _as_quoted(was) if each.trick is Trick.ORDER else _as_code(was)
        found.insert(0, finding(each.trick, was, now, each.because))
        text = text[: each.start] + now + text[each.end :]
    return text, found


def _to_mark(text: str) -> list[_Marked]:
    """Parts that are to be marked, none of them in another."""
    detector = _detector()
    found: list[_Marked] = []
    looks = folded(text)
    for part in decoded(looks):
        orders = detector.found(part.says)
        if part.by_machine or orders:
            reason = orders[0].because if orders else (f"says: {part.says[:80]}",)
            found.append(_Marked(part.start, part.end, Trick.ENCODED, reason))
    for order in detector.found(looks):
        inside = _WRAPPED.match(text[order.start : order.end])
        start, end = inside.span("inside") if inside else (0, 0)
        if start < end:
            at = order.start
            found.append(_Marked(at + start, at + end, Trick.ORDER, order.because))
    kept: list[_Marked] = []
    for each in found:
        if not _within(each.start, each.end, [(other.start, other.end) for other in kept]):
            kept.append(each)
    return kept


def _within(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    """Whether it touches one of these."""
    return any(start < other_end and other < end for other, other_end in spans)


def _as_quoted(words: str) -> str:
    return f"{QUOTED}{_SPACE.sub(JOIN, words.strip())}⟧"


def _as_code(words: str) -> str:
    """In groups of a few letters, which no program takes for one word."""
    packed = _SPACE.sub(JOIN, words.strip())
    groups = (
        JOIN.join(part[i : i + GROUP] for i in range(0, len(part), GROUP))
        for part in packed.split(JOIN)
    )
    return f"{ENCODED}{JOIN.join(groups)}⟧"


@lru_cache(maxsize=1)
def _detector() -> Detector:
    return Detector()
