"""A rendering cut once into pieces: a sentence, or what is said and the words that say by whom.

A piece is what one audience perceives whole. It never ends inside a quotation; joined, the pieces
are the prose but for the spaces between them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from storykeeper.events.atoms import PieceKind
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.lexicon.inward import is_thought
from storykeeper.language.piece_kinds import KindReader
from storykeeper.language.reading import Clause, Modality, Quotation, Reading

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|\n\s*\n|[。！？]+[」』”）]*")
_SHORT = re.compile(
    r"(?:^|[\s(\"“‘'*_])(?:Mr|Mrs|Ms|Dr|St|Prof|Sr|Jr|Capt|Col|Gen|Lt|Sgt|Rev|Hon|vs|etc|e\.g|i\.e|"
    r"[A-Z])\.$"
)
_MONTH = re.compile(r"\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$")  # 9 Nov. 8.40
_AFTER_SPACE = re.compile(r"\s*[*_]*(\S)")
# How likely a piece is in somebody's mind before it is kept there; more, if it tells a deed,
# and as likely as not, if words are reported: they were said aloud, now or long ago.
DOUBTED, SURE_DEED, SURE_SAID = 0.15, 0.3, 0.5
LONGEST = 2_000  # characters: unpunctuated text is cut all the same


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a rendering that is perceived whole or not at all."""

    start: int
    end: int
    kind: PieceKind
    quotations: tuple[int, ...] = ()  # of the reading, that stand in it
    clauses: tuple[int, ...] = ()  # narrated, that begin in it
    plain: bool = False  # its verbs say that it is a thought: no likelihood


def cut(reading: Reading, *, named: Callable[[str], bool]) -> tuple[Piece, ...]:
    """The pieces of a text, in order; `named` says whether a text names one of the cast."""
    spans = list(_spans(reading.text, reading.quotations))
    starts = [start for start, _ in spans]
    said: list[list[int]] = [[] for _ in spans]
    done: list[list[int]] = [[] for _ in spans]
    for i, quoted in enumerate(reading.quotations if spans else ()):
        said[_within(starts, quoted.start)].append(i)
    for i, clause in enumerate(reading.clauses if spans else ()):
        if clause.quotation is None:
            done[_within(starts, clause.start)].append(i)
    texts = ["", *(reading.text[start:end] for start, end in spans), ""]
    person, reader = person_of(reading), KindReader()
    found: list[Piece] = []
    for n, (start, end) in enumerate(spans):
        kind = _kind(reading, said[n], done[n])
        if not said[n]:
            before, text, after = texts[n : n + 3]
            private = reader.private(
                text, before=before, after=after, person=person, names_someone=named(text)
            )
            doubt = SURE_DEED if kind is PieceKind.ACTION else DOUBTED
            doubt = SURE_SAID if any(_is_saying(reading.clauses[i]) for i in done[n]) else doubt
            kind = PieceKind.THOUGHT if private >= doubt else kind
        plain = _is_thought([reading.clauses[i] for i in done[n]])
        found.append(Piece(start, end, kind, tuple(said[n]), tuple(done[n]), plain))
    return tuple(found)


def person_of(reading: Reading) -> int:
    """In which person a text is told: 1, 2 or 3."""
    told = {mention.person for mention in reading.mentions if mention.quotation is None}
    return 2 if 2 in told else 1 if 1 in told else 3


def piece_at(pieces: Sequence[Piece], at: int) -> int:
    """Which piece a place in the prose is in; the last, at its end."""
    return _within([piece.start for piece in pieces], at)


def _within(starts: Sequence[int], at: int) -> int:
    return max(0, bisect_right(starts, at) - 1)


def _spans(text: str, quotations: Sequence[Quotation]) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _ends(text, quotations):
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        if text[first:end].strip():
            yield first, first + len(text[first:end].rstrip())
        start = end


def _ends(text: str, quotations: Sequence[Quotation]) -> Iterator[int]:
    quote, last = 0, 0
    for match in _END.finditer(text):
        end = match.end()
        while quote < len(quotations) and quotations[quote].end < end:
            quote += 1
        inside = quote < len(quotations) and quotations[quote].start < match.start() and (
            end < quotations[quote].end
        )  # fmt: skip
        follows = _AFTER_SPACE.match(text, end)
        paragraph = "\n\n" in text[match.start() : follows.start(1) if follows else end]
        small = follows is not None and follows.group(1).islower() and not paragraph
        word = text[max(0, end - 12) : end]
        dated = follows is not None and follows.group(1).isdigit() and _MONTH.search(word)
        short = bool(_SHORT.search(word) or dated)
        if (inside or small or short) and end - last < LONGEST:
            continue
        last = end
        yield end
    if last < len(text):
        yield len(text)


def _kind(reading: Reading, said: Sequence[int], done: Sequence[int]) -> PieceKind:
    told = [reading.clauses[i] for i in done]
    if _is_thought(told):
        return PieceKind.THOUGHT
    if said:
        written = all(reading.quotations[i].written for i in said)
        return PieceKind.WRITING if written else PieceKind.SPEECH
    acts = any(c.modality is Modality.ASSERTED and _is_act(c) for c in told)
    return PieceKind.ACTION if acts else PieceKind.DESCRIPTION


def _is_thought(clauses: Sequence[Clause]) -> bool:
    """Whether all that is told as so is that somebody thinks, dreams or remembers something."""
    told = [c for c in clauses if c.modality is Modality.ASSERTED and c.quotation is None]
    return bool(told) and all(is_thought(c.verb) for c in told)


def _is_saying(clause: Clause) -> bool:
    """Whether words are reported."""
    aloud = VerbClass.SAY in verb_classes(clause.verb)
    return aloud and bool(clause.actors) and clause.modality is Modality.ASSERTED


def _is_act(clause: Clause) -> bool:
    return bool(clause.actors) and not clause.state
