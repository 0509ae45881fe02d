"""Anchors of time in an item (L §9.3), and the events a question speaks of (L §9.4.1)."""

from __future__ import annotations

from collections.abc import Iterable

from storykeeper.language.time.grammar import find
from storykeeper.language.time.inquiry import is_subject
from storykeeper.language.time.lexer import Token, listed, tokens
from storykeeper.language.time.names import SIDES
from storykeeper.language.time.values import Expression, Kind

MOST_SLOTS = 4  # m_max
_NO_ANCHORS = (Kind.DURATION, Kind.EVENT, Kind.SESSION, Kind.TURN)
_TURNING = frozenset(SIDES) | frozenset(
    listed("between and or first last earlier later until when while than from to ago")
)
_LONGEST_SLOT = 6  # words


def anchors(text: str) -> int:
    """How many different dates and times a text names: "8 May" twice is one."""
    named = (e for e in find(text) if e.kind not in _NO_ANCHORS)
    return len({e.value for e in named})


def slots(question: str) -> tuple[str, ...]:
    """The events a question speaks of, at most four, in the order in which it does.

    A slot is a run of words that say something, as far as the next word of time, mark or word that
    says nothing; a run with a name or beside a word of time goes before others.
    """
    words = tokens(question)
    runs = _runs(words, _timed(words, find(question)))
    ranked = sorted(range(len(runs)), key=lambda n: (not _marked(words, runs[n]), n))
    chosen = sorted(ranked[:MOST_SLOTS])
    return tuple(dict.fromkeys(_text(question, words, runs[n]) for n in chosen))


Run = tuple[int, int]


def _timed(words: list[Token], expressions: Iterable[Expression]) -> set[int]:
    """The places of words that belong to a date: no event is named by them."""
    timed, i = set(), 0
    for expression in expressions:
        while i < len(words) and words[i].start < expression.end:
            if words[i].start >= expression.start and expression.kind is not Kind.EVENT:
                timed.add(i)
            i += 1
    return timed


def _runs(words: list[Token], timed: set[int]) -> list[Run]:
    """Stretches of words that say something."""
    runs: list[Run] = []
    begin: int | None = None
    for i in range(len(words) + 1):
        says = i < len(words) and i not in timed and _says(words[i])
        full = begin is not None and i - begin >= _LONGEST_SLOT
        if begin is not None and (not says or full):
            runs.append((begin, i))
            begin = None
        if says and begin is None:
            begin = i
    return runs


def _says(token: Token) -> bool:
    return token.word not in _TURNING and is_subject(token)


def _marked(words: list[Token], run: Run) -> bool:
    """Whether a name is in it, or a word of time stands before or after it."""
    beside = {words[i].word for i in (run[0] - 2, run[0] - 1, run[1]) if 0 <= i < len(words)}
    names = any(words[i].capital and i > 0 for i in range(*run))
    return names or bool(beside & _TURNING)


def _text(question: str, words: list[Token], run: Run) -> str:
    return question[words[run[0]].start : words[run[1] - 1].end]
