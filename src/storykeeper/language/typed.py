"""A line as it was typed, made plain to read: shorthand written out, spaces single, marks known.

Every character of the plain text knows where it stood in what was typed, so that whatever is found
in it can be pointed at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from storykeeper.language.verbs import SAME, is_verb, plain

# What is typed in a hurry → what is meant.
SHORT = {
    "abt": "about", "bout": "about", "teh": "the", "hte": "the", "u": "you", "ur": "your",
    "pls": "please", "plz": "please", "w/": "with", "&": "and", "nd": "and", "adn": "and",
    "thru": "through", "im": "i'm", "ive": "i've", "gonna": "going to", "gunna": "going to",
    "wanna": "want to", "gotta": "have to", "lemme": "let me", "gimme": "give me", "b4": "before",
    "cuz": "because", "cos": "because", "coz": "because", "bc": "because", "sth": "something",
    "smth": "something", "thx": "thanks", "ty": "thanks", "outta": "out of", "re": "about",
    "r": "are", "yr": "your", "ya": "you", "em": "them", "tho": "though", "ppl": "people",
    "wat": "what", "wut": "what", "lets": "let's", "hows": "how's", "whys": "why's",
    "meself": "myself", "wiht": "with", "aks": "ask", "taek": "take", "lok": "look", "opne": "open",
    "whats": "what's", "wheres": "where's", "whos": "who's", "rn": "now", "thats": "that's",
    "youre": "you're", "shes": "she's", "hes": "he's", "theyre": "they're",
}  # fmt: skip
_NOT = re.compile(r"((?:is|are|was|were|do|does|did|has|have|had|wo|ca|could|would|should)n)t")
_PIECE = re.compile(r"[^\S\n]+|w/(?!\w)|[*>]|[^\W_][\w’'\u0300-\u036f]*|[_&]", re.IGNORECASE)
_PILED = re.compile("[\u0300-\u036f]")  # marks above and below letters
_POINTING = frozenset(
    ["the", "teh", "a", "an", "my", "your", "his", "her", "him", "them", "their", "this", "that",
     "me", "us", "it", "every", "some"]
)  # fmt: skip
_TOWARDS = frozenset(["back", "over", "up", "down", "want", "need", "try", "talk", "listen"])
_JOINING = {"n": "and", "w": "with"}  # or a way
_BY_PLACE = frozenset({*_JOINING, "2", "4"})
_MAX_SPAN = 2_000  # characters between two asterisks; more is no emote


@dataclass(slots=True)
class Typed:
    """Plain text, where each of its characters stood, and what stood between asterisks."""

    text: str = ""
    at: list[int] = field(default_factory=list)
    starred: list[tuple[int, int]] = field(default_factory=list)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where some of the plain text stood in what was typed."""
        return (self.at[start], self.at[end - 1] + 1) if start < end else (0, 0)


def as_typed(line: str, *, mend: Callable[[str], str | None]) -> Typed:
    """A line made plain. `mend` gives the name that a misspelt word must mean, if it does."""
    pieces = list(_PIECE.finditer(line))
    starred = _emotes(line, pieces)
    edges = frozenset(edge for pair in starred for edge in pair)
    typed, parts, last = Typed(), [], 0
    for i, piece in enumerate(pieces):
        between = line[last : piece.start()]
        parts.append(between)
        typed.at.extend(range(last, piece.start()))
        last = piece.end()
        meant = _meant(piece.group(), i, pieces, line=line, edges=edges, mend=mend)
        parts.append(meant)
        space = meant.isspace()  # one stands for many, and begins where they do
        end = piece.start() + 1 if space else piece.end()
        typed.at.extend(_spread(piece.start(), end, len(meant)))
    parts.append(line[last:])
    typed.at.extend(range(last, len(line)))
    typed.text = "".join(parts)
    typed.starred = _spans(typed, starred)
    return typed


def _spread(start: int, end: int, size: int) -> list[int]:
    """Places for the characters of a word written out: its own first and last."""
    if size == end - start:
        return list(range(start, end))
    return [min(start + i, end - 1) for i in range(size - 1)] + [end - 1] * (size > 0)


def _meant(
    word: str,
    i: int,
    pieces: list[re.Match[str]],
    *,
    line: str,
    edges: frozenset[int],
    mend: Callable[[str], str | None],
) -> str:
    if word in "*>_":
        return "\n" if word == "*" and pieces[i].start() in edges else " "
    if word.isspace():
        return " "
    word = word if word.isascii() else _PILED.sub("", word)
    low = word.casefold().replace("’", "'")
    if low in _BY_PLACE:
        return _in_place(low, i, pieces, line)
    if low == "u" and _goes(pieces, i, line):
        return "up"
    if low in SHORT:
        return SHORT[low]
    if _NOT.fullmatch(low):
        return _NOT.sub(r"\1't", low)
    return mend(low) or word.replace("’", "'")


def _goes(pieces: list[re.Match[str]], i: int, line: str) -> bool:
    """Whether a letter is a way: it is all that is typed, or where somebody goes."""
    before = plain(_neighbour(pieces, i, -1, line))
    return len(pieces) == 1 or SAME.get(before, before) == "go"


def _in_place(mark: str, i: int, pieces: list[re.Match[str]], line: str) -> str:
    """`n` is *and* or north, `w` with or west, `2` *to* or two, by the words on either side."""
    before, after = _neighbour(pieces, i, -1, line), _neighbour(pieces, i, 1, line)
    going = SAME.get(plain(before)) == "go" or before == "go"
    if mark in _JOINING:
        return _JOINING[mark] if before and after and not going else mark
    if after in _POINTING or (mark == "2" and (going or before in _TOWARDS)):
        return "to" if mark == "2" else "for"
    return mark


def _neighbour(pieces: list[re.Match[str]], i: int, step: int, line: str) -> str:
    """The word beside a word, if only a space stands between."""
    j = i + 2 * step
    if not 0 <= j < len(pieces) or not pieces[i + step].group().isspace():
        return ""
    one, other = (pieces[j], pieces[i]) if step < 0 else (pieces[i], pieces[j])
    return "" if line[one.end() : other.start()].strip() else pieces[j].group().casefold()


def _emotes(line: str, pieces: list[re.Match[str]]) -> list[tuple[int, int]]:
    """Asterisks that stand around something done; around a single word they may stress it."""
    marks = [p.start() for p in pieces if p.group() == "*"]
    found, i = list[tuple[int, int]](), 0
    while i + 1 < len(marks):
        start, end = marks[i], marks[i + 1]
        inner = line[start + 1 : end].strip() if end - start <= _MAX_SPAN else ""
        if inner and "\n" not in inner and not _stressed(inner):
            found.append((start, end))
        i += 2 if inner else 1
    return found


def _stressed(inner: str) -> bool:
    return " " not in inner and not is_verb(inner.casefold(), frozenset())


def _spans(typed: Typed, starred: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if not starred:
        return []
    where = {place: i for i, place in enumerate(typed.at)}
    return [(where[start], where[end]) for start, end in starred]
