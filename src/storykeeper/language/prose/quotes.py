"""Where somebody's words begin and end.

Straight, curly and guillemet quotes, single curly ones, single straight ones where no others are,
and lines led by a dash; words that run on over paragraphs, each opened again and only the last
closed; words never closed, which end with their paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from storykeeper.language.quoted import SINGLE, closing, has_other_marks, opens

_PAIRS = {"“": "”", "«": "»", "„": "“", '"': '"', "‘": "’"}

_LINE_END = re.compile(r"(?<=[.!?…:;\"”»’'*_—])[ \t]*\n|\n[ \t]*(?=\n)|\n(?=[ \t]*[“\"«—–‘])")


@dataclass(frozen=True, slots=True)
class Span:
    """Words in quotes: where they stand with their marks, and where inside them."""

    start: int
    end: int
    inner_start: int
    inner_end: int
    paragraph: int


def quote_spans(text: str) -> tuple[Span, ...]:
    """Every quotation of a text, in order."""
    found: list[Span] = []
    straight = "‘" not in text and not has_other_marks(text)
    marks = _PAIRS | {"'": "'"} if straight else _PAIRS
    for number, (start, end) in enumerate(_paragraphs(text)):
        line = list(_in_line(text, start, end, number, marks))
        found.extend(line or _dashed(text, start, end, number))
    return _run_on(text, found)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Lines; but one that ends in the middle of a sentence was only wrapped."""
    start = 0
    for match in _LINE_END.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _in_line(text: str, start: int, end: int, number: int, marks: dict[str, str]) -> list[Span]:
    spans: list[Span] = []
    at = start
    while at < end:
        opened = _opening(text, at, end, marks)
        if opened is None:
            break
        closed = _closing(text, opened, end)
        if closed < 0:
            if text[opened] not in SINGLE:  # a lone ‘ is more often an apostrophe
                spans.append(Span(opened, end, opened + 1, end, number))
                break
            at = opened + 1
            continue
        spans.append(Span(opened, closed + 1, opened + 1, closed, number))
        at = closed + 1
    return spans


def _opening(text: str, at: int, end: int, marks: dict[str, str]) -> int | None:
    for i in range(at, end):
        char = text[i]
        if char not in marks or (char in SINGLE and not opens(text, i)):
            continue
        if char == '"' and i and text[i - 1].isdigit():
            continue  # 6" of rain
        return i
    return None


def _closing(text: str, opened: int, end: int) -> int:
    """The place of the mark that closes, or −1."""
    if text[opened] in SINGLE:
        return closing(text, opened, end, led=False)
    return text.find(_PAIRS[text[opened]], opened + 1, end)


def _dashed(text: str, start: int, end: int, number: int) -> list[Span]:
    """A line led by a dash is said; a second dash in it gives the word back to the narrator."""
    match = re.match(r"[ \t]*(?:—|–|--|―)[ \t]*(?=[\w¿¡…])", text[start:end])
    if match is None:
        return []
    inner = start + match.end()
    stops = list(re.finditer(r"(?<=[,.!?…]) ?(?:—|–|--|―) ?", text[inner:end]))
    if not stops:
        return [Span(start, end, inner, end, number)]
    first = inner + stops[0].start()
    spans = [Span(start, first, inner, first, number)]
    if len(stops) > 1:
        again = inner + stops[1].end()
        spans.append(Span(inner + stops[1].start(), end, again, end, number))
    return spans


def _run_on(text: str, spans: list[Span]) -> tuple[Span, ...]:
    """Join words that were never closed with those that open the next paragraph."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.end == last.inner_end
            and text[last.start] in '“"«'
            and not text[last.end : span.start].strip()
            and text[last.start] == text[span.start]
        ):
            joined[-1] = Span(
                last.start, span.end, last.inner_start, span.inner_end, span.paragraph
            )
        else:
            joined.append(span)
    return tuple(joined)
