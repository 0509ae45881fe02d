"""Phrases written as people say them, found in a text.

A line is a phrase:

    <I-must> (<adverb>) step out|outside $
    ^ back in a minute|moment

    a|b       one of these words
    (a|b)     the same, or nothing
    <name>    one of the phrases of the list of that name
    !a|b      none of these words next
    ..        up to four words, without a mark between
    ...       up to eight words of the sentence
    ,         a comma, or none
    ~is       after `..`: "is", "are", "has", "have", also shortened
    ^         first in a clause
    $         last in a clause

Lists have their phrases on lines of their own, or between " / ". Words are whole, in any case.
A phrase is tried only where one of its first words stands, so that a long list costs little.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from storykeeper.language.presence.wording import Span, Wording

_AFTERTHOUGHTS = (
    "now|then|too|guys|everyone|everybody|folks|all|already|here|friends|today|ladies|gentlemen"
)
_NEXT_CLAUSE = r"but|and|so|because|since|as|though|or|before|for\s+now"
_SPECIAL = {
    "$": rf"(?=(?:\s+(?:{_AFTERTHOUGHTS}))*\s*(?:[^\w\s'(]|$|(?:{_NEXT_CLAUSE})\b))",
    "..": r"(?:[^\S\n]+[\w'-]+){0,4}?",
    "...": r"(?:,?[^\S\n]+[\w'-]+){0,8}?,?",
    ",": ",?",
    "~is": r"(?:\s+(?:is|are|has|have)|'s|'re)",
}
_WORD = re.compile(r"\s*('?\w+(?:['-]\w+)*)")
_BETWEEN = re.compile(r"\s+/\s+|\n")


class Phrases(Protocol):
    """Something that can be found in a text."""

    def find(self, wording: Wording) -> list[Span]:
        """Where it stands, by where it begins."""
        ...


@dataclass(frozen=True, slots=True)
class Following:
    """Phrases that follow others: "go home" after "I have to"."""

    before: Phrasebook
    after: Phrasebook

    def find(self, wording: Wording) -> list[Span]:
        """Where both stand together."""
        pairs = ((head, self.after.at(wording, head[1])) for head in self.before.find(wording))
        return [(head[0], tail[1]) for head, tail in pairs if tail]


class Phrasebook:
    """A list of phrases, ready to be found."""

    def __init__(self, lines: str, lists: Mapping[str, str] | None = None) -> None:
        """The phrases, one a line; `lists` are those they name. They are read when first needed."""
        self._lines = lines
        self._lists = dict(lists or {})
        self._made: dict[tuple[str, bool], re.Pattern[str]] = {}

    def find(self, wording: Wording) -> list[Span]:
        """Where phrases stand, by where they begin."""
        found = []
        for text in self._by_word.keys() & wording.places.keys():
            for word in wording.places[text]:
                pattern = self._pattern(text, first=word.first)
                match = pattern.match(wording.plain, word.start) if pattern else None
                if match:
                    found.append(match.span())
        return sorted(found)

    def at(self, wording: Wording, place: int) -> Span | None:
        """The phrase that begins at a place, if one does; none of those that head a clause."""
        word = _WORD.match(wording.plain, place)
        pattern = self._pattern(word.group(1).lower(), first=False) if word else None
        match = pattern.match(wording.plain, word.start(1)) if word and pattern else None
        return match.span() if match else None

    def before(self, wording: Wording, place: int) -> Span | None:
        """The phrase that ends right before a place, if one does."""
        spans = (span for span in self.find(wording) if span[1] < place)
        return next((span for span in spans if wording.plain[span[1] : place].isspace()), None)

    @cached_property
    def _by_word(self) -> dict[str, list[list[str]]]:
        """The phrases by the words they may begin with."""
        found: dict[str, list[list[str]]] = defaultdict(list)
        for parts in filter(None, map(str.split, self._lines.splitlines())):
            for word in sorted(self._firsts(parts[1:] if parts[0] == "^" else parts)):
                found[word].append(parts)
        return dict(found)

    def _pattern(self, word: str, *, first: bool) -> re.Pattern[str] | None:
        """All phrases that may begin with a word, those that head a clause only if it does."""
        if word not in self._by_word:
            return None
        if (word, first) not in self._made:
            fit = [parts for parts in self._by_word[word] if first or parts[0] != "^"]
            made = "|".join(self._regex([p for p in parts if p != "^"], word) for parts in fit)
            self._made[word, first] = re.compile(made or r"(?!)", re.IGNORECASE)
        return self._made[word, first]

    def _regex(self, parts: list[str], word: str | None = None) -> str:
        """The phrase as a regular expression; what is missing takes its space along.

        With the word it begins with, only what can begin so.
        """
        made, leading = "", True
        for part in parts:
            core = self._part(part.strip("()"), word if leading else None)
            if part in _SPECIAL or part.startswith("!"):
                made += core
            elif part.startswith("("):
                made += rf"(?:{core}\s+)?" if leading else rf"(?:\s+{core})?"
            else:
                made += core if leading else rf"\s+{core}"
                leading = False
        return made

    def _part(self, part: str, word: str | None = None) -> str:
        if part in _SPECIAL:
            return _SPECIAL[part]
        if part.startswith("!"):
            return rf"(?!\s+{self._part(part[1:])})"
        if part.startswith("<"):
            phrases = self._phrases(part)
            fit = [p for p in phrases if word is None or word in self._firsts(p)]
            return _group(self._regex(phrase, word) for phrase in fit or phrases)
        return rf"{_group(map(re.escape, part.split('|')))}(?![\w'])"

    def _firsts(self, parts: list[str]) -> set[str]:
        """The words that a phrase may begin with."""
        core = parts[0].strip("()")
        if core.startswith("<"):
            found = {word for phrase in self._phrases(core) for word in self._firsts(phrase)}
        else:
            found = set(core.lower().split("|"))
        return found | self._firsts(parts[1:]) if parts[0].startswith("(") else found

    def _phrases(self, part: str) -> list[list[str]]:
        """The phrases of the list that is named."""
        listed = _BETWEEN.split(self._lists[part.strip("<>")])
        return [phrase for line in listed if (phrase := line.split())]


def _group(options: Iterable[str]) -> str:
    return "(?:" + "|".join(options) + ")"
