"""What is asked about a story, and the answer that a world gives."""

from __future__ import annotations

import re
from dataclasses import dataclass

from storykeeper.bench.beliefs.tales import Tale, named
from storykeeper.units import EntityId
from storykeeper.world.knowledge import believed_place
from storykeeper.world.state import World

_WHERE = (
    re.compile(r"^Where was the (?P<thing>.+) at the (?P<first>beginning)\?$"),
    re.compile(r"^Where is the (?P<thing>.+) really\?$"),
    re.compile(r"^Where will (?P<who>\w+) look for the (?P<thing>.+)\?$"),
    re.compile(r"^Where does (?P<who>\w+) think that (?P<whom>\w+) searches for the"
               r" (?P<thing>.+)\?$"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """Where a thing is: really, at first, or as somebody thinks, or thinks that somebody thinks."""

    thing: str
    people: tuple[str, ...] = ()
    at_first: bool = False


def understood(text: str) -> Question | None:
    """The question that a text asks; None if it is of no kind known here."""
    for pattern in _WHERE:
        match = pattern.match(text)
        if match is not None:
            parts = match.groupdict()
            people = tuple(parts[name] for name in ("who", "whom") if parts.get(name))
            return Question(parts["thing"], people, "first" in parts)
    return None


def answer(tale: Tale, question: Question, *, supposing: bool = True) -> str:
    """What the view says, in the story's words; nothing if it has no answer."""
    thing = named(tale.world, question.thing)
    people = tuple(who for name in question.people if (who := named(tale.world, name)))
    if thing is None or len(people) < len(question.people):
        return ""
    if question.at_first:
        places = (believed_place(world, (), thing) for world in tale.worlds)
        place = next((each for each in places if each is not None), None)
    else:
        place = believed_place(tale.world, people, thing, supposing=supposing)
    return called(tale.world, place)


def called(world: World, place: EntityId | None) -> str:
    """What a place or thing is called, without its article."""
    plan = world.plan
    found = None if place is None else plan.things.get(place) or plan.settings.get(place)
    return "" if found is None else found.name.removeprefix("the ")
