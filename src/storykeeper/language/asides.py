"""What players say to each other beside the story: ((brb)), // ooc …, OOC: …, [out of character …].

An aside is never an act. It is blanked where it stood, so that every other position in the line
stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = r"(?:ooc|o\.o\.c\.?|out[ -]of[ -]character)"
_BRACKETED = re.compile(rf"[\[({{] ?{_MARK}(?!\w)([^\])}}\n]*)(?:[\])}}]|$)", re.IGNORECASE)
# To the end of its line: after a mark at the line's start, a mark with a colon, or two slashes.
_MARKED = re.compile(
    rf"(?:(?<!\S)//|^ ?/?{_MARK}(?!\w)|(?<!\S){_MARK} ?:)[^\n]*", re.IGNORECASE | re.MULTILINE
)
_AGAIN = re.compile(r"(?<!\S)(?:ic|in character) ?:", re.IGNORECASE)  # the story is taken up
_SEEN = re.compile(r"[^\n]")
_EDGES = " \t\r/:,.–—-[](){}"
_LEADING = re.compile(rf"{_MARK}(?!\w)", re.IGNORECASE)


def without_asides(text: str) -> tuple[str, tuple[str, ...]]:
    """The line with blanks for its asides, and the asides in order."""
    found: list[tuple[int, str]] = []
    for spans in (_doubled, _bracketed, _marked):
        places = list(spans(text))
        found.extend((start, text[start:end]) for start, end in places)
        text = _blanked(text, places)
    again = [(m.start(), m.end()) for m in _AGAIN.finditer(text)] if found else []
    said = (_bare(typed) for _, typed in sorted(found))
    return _blanked(text, again), tuple(filter(None, said))


def _doubled(text: str) -> Iterator[tuple[int, int]]:
    """((…)); one that is never closed goes to the end of its line."""
    end = 0
    while (start := text.find("((", end)) >= 0:
        close = text.find("))", start)
        if close < 0:
            stop = text.find("\n", start)
            yield start, len(text) if stop < 0 else stop
            return
        end = close + 2
        yield start, end


def _bracketed(text: str) -> Iterator[tuple[int, int]]:
    """[ooc …]; if only the mark is in the brackets, the rest of the line is the aside."""
    end = 0
    while (match := _BRACKETED.search(text, end)) is not None:
        end = match.end()
        if not match.group(1).strip(_EDGES):
            stop = text.find("\n", end)
            end = len(text) if stop < 0 else stop
        yield match.start(), end


def _marked(text: str) -> Iterator[tuple[int, int]]:
    for match in _MARKED.finditer(text):
        again = _AGAIN.search(text, match.start(), match.end())
        yield match.start(), match.end() if again is None else again.start()


def _blanked(text: str, places: list[tuple[int, int]]) -> str:
    parts, last = [], 0
    for start, end in places:
        parts += [text[last:start], _SEEN.sub(" ", text[start:end])]
        last = end
    return "".join((*parts, text[last:]))


def _bare(typed: str) -> str:
    """What was said, without its marks; the mark itself if nothing else was said."""
    inner = typed.strip(_EDGES)
    said = _LEADING.sub("", inner, count=1) if _LEADING.match(inner) else inner
    return said.strip(_EDGES) or inner
