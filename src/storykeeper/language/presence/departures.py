"""Whether the speaker leaves, and the other words of a parting.

Sure alone: having to go ("I've got to run"), being off, "I'll be right back", asking to be
excused, being sorry to break off. Sure only together: an errand ("I need to feed the cat") with
words that close the talk or break into it ("carry on", "see you later", "sorry").

Never: what is habit ("I have to run every morning"), condition ("if I have to go"), report ("he
said I must leave"), or meant for another time ("I'll go to the coast next year").
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.language.presence.books import book
from storykeeper.language.presence.earnest import in_earnest
from storykeeper.language.presence.phrasebook import Following, Phrases
from storykeeper.language.presence.wording import Span, Wording

# Surely a leaving; and what may be one, if so much of going stands beside it.
_ALONE = ("being off", "back soon", "excused", "breaking off")
_ERRAND, _TASK = 1.0, 2.0
_BESIDE = {"send off": 1.0, "closing": 1.0, "goodbye": 1.0, "breaking in": 1.0, "hints": 0.5}


def departure(wording: Wording, *, joint: bool = False) -> Span | None:
    """The words by which the speaker surely leaves, or by which several do at once."""
    for needed, phrases in _goings(joint=joint):
        for span in phrases.find(wording):
            if in_earnest(wording, span) and (not needed or _beside(wording, span) >= needed):
                return span
    return None


def _goings(*, joint: bool) -> Iterator[tuple[float, Phrases]]:
    """What says that somebody goes, and how much else of going each needs beside it."""

    def of(name: str) -> Phrases:
        return book("going", name, joint=joint)

    def having_to(name: str) -> Phrases:
        to_do = book("going", name, joint=joint)
        return Following(book("going", "having to", joint=joint), to_do)

    yield 0.0, having_to("going")
    yield from ((0.0, of(name)) for name in _ALONE)
    yield from ((_ERRAND, having_to("errand verbs")), (_ERRAND, of("errand")))
    yield _TASK, having_to("task verbs")


def goodbye(wording: Wording) -> Span | None:
    """A word of parting, by whoever leaves or by whoever stays."""
    return _first(wording, "goodbye")


def farewell(wording: Wording) -> Span | None:
    """Words that one who stays says to one who goes."""
    return _first(wording, "farewell")


def closing(wording: Wording) -> Span | None:
    """Words that close a talk, or this part of it, whether or not anybody goes."""
    return _first(wording, "send off", "closing", "goodbye")


def answers(wording: Wording) -> bool:
    """Whether these may be words for somebody who goes: they close the talk, or let them go."""
    return closing(wording) is not None or _first(wording, "answer") is not None


def _first(wording: Wording, *names: str) -> Span | None:
    spans = (span for name in names for span in book("parting", name).find(wording))
    return min(spans, default=None)


def _beside(wording: Wording, errand: Span) -> float:
    """How much else of going stands beside an errand."""
    return sum(
        weight
        for name, weight in _BESIDE.items()
        for start, _ in book("parting", name).find(wording)
        if not errand[0] <= start < errand[1]
    )
