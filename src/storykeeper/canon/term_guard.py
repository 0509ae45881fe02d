"""Terms that must not stand in what is published: whole words, inflected, but for exceptions.

    terms:
      - term: dragon lord
        instead: hill king
        except: [dragon lord of the almanac]

A term is found as whole words in any case, with its plural, possessive and the endings of a verb;
spaces between its words may be hyphens or line ends. Where it stands in an exception it is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from storykeeper.canon.files import loaded
from storykeeper.story.conditions import Authored

_VOWELS = "aeiou"
_GAP = r"[\s\-‐‑–]+"
_POSSESSIVE = r"(?:['’]s|['’](?!\w))?"


class BannedTerm(Authored, frozen=True, kw_only=True, rename={"except_": "except"}):
    """A term, what to write instead, and where it may stand."""

    term: Annotated[str, Meta(min_length=2, max_length=120)]
    instead: str = ""
    except_: tuple[str, ...] = ()
    inflected: bool = True  # whether its plural and the endings of a verb count


class TermList(Authored, frozen=True, kw_only=True):
    """`terms.yaml`: what must not be published."""

    format: Literal[1] = 1
    terms: tuple[BannedTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundTerm:
    """A banned term in a text."""

    line: int
    column: int
    start: int
    end: int
    said: str
    term: str
    instead: str  # in the form and case that it has there; nothing, if none is given


@dataclass
class TermGuard:
    """Finds banned terms, and replaces those that have a replacement."""

    terms: Sequence[BannedTerm]
    _patterns: list[tuple[re.Pattern[str], re.Pattern[str] | None, BannedTerm]] = field(init=False)

    def __post_init__(self) -> None:
        """Longer terms first: what is part of one is not found again."""
        ordered = sorted(self.terms, key=lambda each: (-len(each.term), each.term))
        self._patterns = [(_pattern(each), _exceptions(each), each) for each in ordered]

    @classmethod
    def load(cls, path: Path) -> TermGuard:
        """From a file; every problem has its line."""
        return cls(loaded(TermList, path).terms)

    def found(self, text: str) -> list[FoundTerm]:
        """Every banned term of a text, in order."""
        taken: list[tuple[int, int]] = []
        found: list[FoundTerm] = []
        for pattern, excepted, term in self._patterns:
            free = [] if excepted is None else [m.span() for m in excepted.finditer(text)]
            for match in pattern.finditer(text):
                if not _touches(match.span(), taken) and not _within(match.span(), free):
                    taken.append(match.span())
                    found.append(_found(text, match, term))
        return sorted(found, key=lambda each: each.start)

    def replaced(self, text: str) -> str:
        """A text with every term replaced that has a replacement."""
        for each in reversed(self.found(text)):
            if each.instead:
                text = text[: each.start] + each.instead + text[each.end :]
        return text


def _touches(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in spans)


def _within(span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)


def _pattern(term: BannedTerm) -> re.Pattern[str]:
    *first, last = term.term.split()
    forms = sorted(inflections(last) if term.inflected else {last}, key=lambda f: (-len(f), f))
    ends = "|".join(map(re.escape, forms))
    words = [*map(re.escape, first), f"(?P<last>{ends}){_POSSESSIVE}"]
    return re.compile(rf"(?<!\w){_GAP.join(words)}(?!\w)", re.IGNORECASE)


def _exceptions(term: BannedTerm) -> re.Pattern[str] | None:
    phrases = [_GAP.join(map(re.escape, each.split())) for each in term.except_]
    return re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})", re.IGNORECASE) if phrases else None


def inflections(word: str) -> set[str]:
    """The forms of a word as a noun and as a regular verb."""
    forms = {word, f"{word}s"}
    low = word.lower()
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        forms.add(f"{word}es")
    if low.endswith("y") and low[-2:-1] not in _VOWELS:
        return forms | {f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"}
    if low.endswith("e"):
        return forms | {f"{word}d", f"{word[:-1]}ing"}
    if low.endswith("f"):
        forms.add(f"{word[:-1]}ves")
    is_short = len(low) > 2 and low[-1] not in "aeiouwxy" and low[-2] in _VOWELS
    doubled = word + word[-1] if is_short and low[-3] not in _VOWELS else word
    return forms | {f"{word}ed", f"{word}ing", f"{doubled}ed", f"{doubled}ing"}


def _found(text: str, match: re.Match[str], term: BannedTerm) -> FoundTerm:
    start = match.start()
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    return FoundTerm(line, column, start, match.end(), match[0], term.term, _instead(match, term))


def _instead(match: re.Match[str], term: BannedTerm) -> str:
    """The replacement in the number and case of what it replaces."""
    if not term.instead:
        return ""
    base, said = term.term.split()[-1].lower(), match["last"].lower()
    new = term.instead
    if said != base and said.endswith(("s", "ves")):
        *first, last = new.split(" ")
        plural = max(inflections(last) - {last}, key=lambda f: (f.endswith(("ies", "es", "ves")),
                     f.endswith("s"), -len(f)))  # fmt: skip
        new = " ".join([*first, plural])
    new += match[0][match.end("last") - match.start() :]
    if match[0].isupper():
        return new.upper()
    return new[0].upper() + new[1:] if match[0][0].isupper() else new
