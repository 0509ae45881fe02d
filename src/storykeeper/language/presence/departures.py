"""Whether the speaker leaves, and the other words of a parting.

Sure alone: having to go ("I've got to run"), being off, "I'll be right back", asking to be
excused, being sorry to break off. Sure only together: an errand ("I need to feed the cat") with
words that close the talk or break into it ("carry on", "see you later", "sorry").

Never: what is habit ("I have to run every morning"), condition ("if I have to go"), report ("he
said I must leave"), or meant for another time ("I'll go to the coast next year").
"""

from __future__ import annotations

from storykeeper.language.presence import parting
from storykeeper.language.presence.earnest import in_earnest
from storykeeper.language.presence.going import goings
from storykeeper.language.presence.phrasebook import Phrasebook
from storykeeper.language.presence.wording import Span, Wording

# What stands beside an errand counts for so much.
_BESIDE = (
    (parting.SEND_OFF, 1.0),
    (parting.CLOSING, 1.0),
    (parting.GOODBYE, 1.0),
    (parting.BREAKING_IN, 1.0),
    (parting.HINTS, 0.5),
)
_FOR_AN_ERRAND, _FOR_A_TASK = 1.0, 2.0


def departure(wording: Wording, *, joint: bool = False) -> Span | None:
    """The words by which the speaker surely leaves, or by which several do at once."""
    phrases = goings(joint=joint)
    for book in phrases.alone:
        for span in book.find(wording):
            if in_earnest(wording, span):
                return span
    for books, needed in ((phrases.errands, _FOR_AN_ERRAND), (phrases.tasks, _FOR_A_TASK)):
        for span in (span for book in books for span in book.find(wording)):
            if in_earnest(wording, span) and _beside(wording, span) >= needed:
                return span
    return None


def goodbye(wording: Wording) -> Span | None:
    """A word of parting, by whoever leaves or by whoever stays."""
    return _first(wording, parting.GOODBYE)


def farewell(wording: Wording) -> Span | None:
    """Words that one who stays says to one who goes."""
    return _first(wording, parting.FAREWELL)


def closing(wording: Wording) -> Span | None:
    """Words that close a talk, or this part of it, whether or not anybody goes."""
    return _first(wording, parting.SEND_OFF, parting.CLOSING, parting.GOODBYE)


def answers(wording: Wording) -> bool:
    """Whether these may be words for somebody who goes: they close the talk, or let them go."""
    return closing(wording) is not None or _first(wording, parting.ANSWER) is not None


def _first(wording: Wording, *books: Phrasebook) -> Span | None:
    return min((span for book in books for span in book.find(wording)), default=None)


def _beside(wording: Wording, errand: Span) -> float:
    """How much else of going stands beside an errand."""
    return sum(
        weight
        for book, weight in _BESIDE
        for start, _ in book.find(wording)
        if not errand[0] <= start < errand[1]
    )
