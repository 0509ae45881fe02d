"""Words between quotation marks: double ones, and single ones in a text that has no others.

A straight single mark is an apostrophe as well: "the boys' boat", "'tis late". It opens only before
a word, and closes only after a stop, or where whoever types it says that somebody says it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.language.verbs import ASKING, SPEAKING, base

SINGLE = {"‘": "’", "'": "'"}
_DOUBLE = re.compile(r'"[^"]*"|“[^“”]*”')
_OTHER_MARKS = frozenset('"“”«»„')
_STOPS = frozenset(".,!?…—-")
_ELIDED = re.compile(r"(?:tis|twas|twere|twill|em|til|till|cause|bout|round|n)\b", re.IGNORECASE)
_LED = re.compile(r"(?P<mark>[,:])\s*$|\b(?P<verb>[a-z]+)\s+$", re.IGNORECASE)
_BRINGING = SPEAKING | ASKING | {"say", "read", "reply", "add", "write"}


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words in marks: where they stand with them, and the words."""

    start: int
    end: int
    words: str


def quoted_in(line: str) -> list[Quoted]:
    """What stands in quotation marks in a line that is typed, in order."""
    if has_other_marks(line):
        found = (each.span() for each in _DOUBLE.finditer(line))
        return [Quoted(start, end, line[start + 1 : end - 1]) for start, end in found]
    return _single(line)


def blanked(line: str) -> str:
    """A line with blanks for what is quoted in it, every other letter at its place."""
    bare, at = list[str](), 0
    for each in quoted_in(line):
        bare += [line[at : each.start], " " * (each.end - each.start)]
        at = each.end
    return "".join([*bare, line[at:]])


def has_other_marks(text: str) -> bool:
    """Whether a text marks speech otherwise than by single marks."""
    return not _OTHER_MARKS.isdisjoint(text)


def _single(line: str) -> list[Quoted]:
    found: list[Quoted] = []
    at = 0
    while at < len(line):
        close = -1
        if line[at] in SINGLE and opens(line, at):
            close = closing(line, at, len(line), led=_is_led(line, at))
        if close >= 0:
            found.append(Quoted(at, close + 1, line[at + 1 : close]))
            at = close
        at += 1
    return found


def _is_led(line: str, opened: int) -> bool:
    """Whether what stands before a mark brings somebody's words: "I say '…", "a note: '…"."""
    led = _LED.search(line, max(0, opened - 30), opened)
    if led is None or _ELIDED.match(line, opened + 1):
        return False
    return bool(led["mark"]) or base(led["verb"], frozenset()) in _BRINGING


def opens(text: str, at: int) -> bool:
    """Whether a single mark may open: before a word, after none."""
    before = text[at - 1] if at else " "
    return not before.isalnum() and bool(text[at + 1 : at + 2].strip())


def closing(text: str, opened: int, end: int, *, led: bool) -> int:
    """The place of the mark that closes a single one, or −1; one inside a word closes nothing.

    ’tis and the boys’ hats: it closes after a stop; if it is `led`, or curly, also where no letter
    follows and nothing later could close.
    """
    mark = SINGLE[text[opened]]
    stopped, any_ = _closers(text, mark)
    at = bisect_right(stopped, opened)
    if at < len(stopped) and stopped[at] < end:
        return stopped[at]
    last = bisect_left(any_, end) - 1
    could = last >= 0 and any_[last] > opened
    return any_[last] if could and (led or mark == "’") else -1


@lru_cache(maxsize=16)
def _closers(text: str, mark: str) -> tuple[list[int], list[int]]:
    """Where marks stand that close after a stop, and all that may close: found once for a text, or
    a line of nothing but marks would take the square of its length."""
    places = [at for at, sign in enumerate(text) if sign == mark]
    any_ = [at for at in places if not text[at + 1 : at + 2].isalnum()]
    return [at for at in any_ if at and text[at - 1] in _STOPS], any_
