"""What may be seen of an intent: lines that the author wrote, and a closed set of behaviour.

An intent comes from what somebody secretly knows. What reaches a window of it is one of these words
for word, and never anything that a model made of the secret: the gate compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from storykeeper.context.stances import short_name
from storykeeper.events.changes import IntentResolved
from storykeeper.events.records import AnyRecord
from storykeeper.events.vocabulary import Grade
from storykeeper.world.plan import Plan

ANSWERS = "{who} answers."
CONFIDES = "{who} says something that is not for everybody."
SILENT = "{who} does not answer."
DEFLECTS = "{who} speaks of something else."
LOOKS_AWAY = "{who} looks away."
SETS_ABOUT = "{who} sets about something."
# That something concerns who was given nothing to be seen of: asked of it, hearing it, seeing it.
SIGNS = {
    "asked": (
        "{who} takes a while over that.", "{who} is in no haste to answer.",
        "{who} looks down for a moment.", "{who} goes still for a moment.",
    ),
    "heard": (
        "{who} stops to listen.", "{who} looks up at that.", "{who} misses no word of it.",
        "{who} has turned round to hear.",
    ),
    "touched": (
        "{who} watches closely.", "{who} comes a step nearer.", "{who} does not look elsewhere.",
        "{who} stands and looks on.",
    ),
}  # fmt: skip
BEHAVIOUR = (
    ANSWERS, CONFIDES, SILENT, DEFLECTS, LOOKS_AWAY, SETS_ABOUT,
    *(text for texts in SIGNS.values() for text in texts),
)  # fmt: skip
ENDS = {
    Grade.SUCCESS: "",
    Grade.PARTIAL: "It half comes off.",
    Grade.OPENING: "It does not come off, and something else comes of it.",
    Grade.FAILURE: "It does not come off.",
}


def shown_of(plan: Plan, who: str, text: str, grade: Grade = Grade.SUCCESS) -> str:
    """A line as it stands in a window: with the name, on one line, and how it ended."""
    line = " ".join(text.replace("{who}", short_name(plan, who)).split())
    return f"{line} {ENDS[grade]}".strip() if line else ""


def all_outward(plan: Plan, who: str, decided: Iterable[AnyRecord]) -> bool:
    """Whether something came of what they meant to do, and all that is said of it is the author's
    or of the closed set.
    """
    found = [r.outcome for r in decided if isinstance(r, IntentResolved) and r.who == who]
    return bool(found) and _outward(plan, who).issuperset(filter(None, found))


@lru_cache(maxsize=256)
def _outward(plan: Plan, who: str) -> frozenset[str]:
    lines = (*BEHAVIOUR, *_authored(plan, who))
    return frozenset(shown_of(plan, who, line, grade) for line in lines for grade in Grade)


def _authored(plan: Plan, who: str) -> Iterator[str]:
    person = plan.cast.get(who)
    if person is not None:
        yield from (each.text for each in person.shows)
        yield from (each.text for each in person.does if each.text)
    for fact in plan.facts.values():
        for line in fact.shows:
            if not line.who or who in {w for name in line.who for w in plan.named(name)}:
                yield line.text
