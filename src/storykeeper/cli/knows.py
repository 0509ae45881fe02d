"""Who knows what, as a listing of one person or a table of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storykeeper.context.words import name_of
from storykeeper.play.knowing import Knowledge, Learned, Level, Whereabouts
from storykeeper.units import EntityId
from storykeeper.world.knowledge.lessons import FORGOTTEN
from storykeeper.world.plan import Plan

MARKS = {Level.KNOWS: "knows", Level.BELIEVES: "believes", Level.SUSPECTS: "suspects"}
NOT_SO = "which is not so"
NAME_CHARS = 12  # of a column
COLUMNS = 80  # of a terminal
COLUMN = 4  # of one person
MAX_FACT = 30  # characters of an id beside its row
GAP = "  "


def as_data(found: Knowledge) -> dict[str, object]:
    """For programs; everything is in it."""
    return {
        "who": found.who,
        "turn": found.turn,
        "facts": dict(found),
        "former": found.former,
        "places": found.places,
        "unfound": found.unfound,
    }


def listed(plan: Plan, found: Knowledge, *, thinkers: Sequence[str] = ()) -> str:
    """What one person holds, a line each."""
    lines = [
        *(_held(plan, each) for each in found.values()),
        *(f"no longer {_held(plan, each)}" for each in found.former),
        *(_placed(plan, each) for each in found.places),
        *(f"has not found {name_of(plan, each)}, which is hidden" for each in found.unfound),
    ]
    if lines:
        return "\n".join(lines)
    name = name_of(plan, found.who)
    if thinkers:
        first, *others = (name_of(plan, who) for who in thinkers)
        seen = "".join(f" {each} see" for each in others)
        return f"{first} has not seen{seen} {name} learn anything that is followed here"
    return f"{name} knows none of the story's facts, and has seen nothing that is followed here"


def _held(plan: Plan, each: Learned) -> str:
    how = each.how.partition(" by ")[0]
    source = [f"{how} by {name_of(plan, each.tellers[0])}" if each.tellers else how]
    source += [f"who has it from {name_of(plan, who)}" for who in each.tellers[1:]]
    source = ["from where is forgotten"] if how == FORGOTTEN else source
    source += ["who did not hold it true"] if each.liar is not None else []
    source += ["who only guessed"] if each.guessed else []
    aside = f", {NOT_SO}" if not each.so else ""
    words = " ".join(each.said.split())
    return (
        f"{MARKS[each.level]} {each.fact} ({', '.join(source)}, turn {each.since}{aside}): {words}"
    )


def _placed(plan: Plan, each: Whereabouts) -> str:
    what = name_of(plan, each.what)
    told = "seen" if each.teller is None else f"told by {name_of(plan, each.teller)}"
    came = f"({told}, turn {each.since}{'' if each.so else f', {NOT_SO}'})"
    if each.place is None:
        return f"lost sight of {what} {came}"
    near = "with" if each.place in plan.cast else "at"
    return f"places {what} {near} {name_of(plan, each.place)} {came}"


def table(plan: Plan, everybody: Mapping[EntityId, Knowledge]) -> str:
    """Facts by people: K knows, b believes, s suspects; an x after it if it is not so.

    It is 80 columns wide at most: more people than that go into a table of their own below.
    """
    facts = [fact for fact in plan.facts if any(fact in known for known in everybody.values())]
    nobody = len(plan.facts) - len(facts)
    width = min(MAX_FACT, max((len(fact) for fact in facts), default=0))
    people = list(everybody)
    room = (COLUMNS - width - len(GAP) - NAME_CHARS) // COLUMN + 1
    lines: list[str] = []
    for first in range(0, len(people), room) if facts else ():
        some = people[first : first + room]
        lines += [*_heads(some, width)]
        for fact in facts:
            lines += _row(fact, [_mark(everybody[who].get(fact)) for who in some], width)
        lines.append("")
    if facts:
        lines += ["K knows, b believes, s suspects; x: and it is not so"]
    if nobody:
        lines.append(f"{nobody} of {len(plan.facts)} facts are known to nobody")
    return "\n".join(lines) or "the story has no facts"


def _heads(people: list[EntityId], width: int) -> Iterator[str]:
    """The names of the columns, each on a line of its own above the column."""
    for place, who in enumerate(people):
        yield f"{'':<{width}}{GAP}{'│   ' * place}{who[:NAME_CHARS]}"


def _row(fact: str, marks: list[str], width: int) -> Iterator[str]:
    """A fact and who holds it; a long id has a line of its own."""
    if len(fact) > width:
        yield fact
        fact = ""
    yield f"{fact:<{width}}{GAP}{'  '.join(f'{mark:<2}' for mark in marks)}".rstrip()


def _mark(held: Learned | None) -> str:
    if held is None:
        return "·"
    letter = {Level.KNOWS: "K", Level.BELIEVES: "b", Level.SUSPECTS: "s"}[held.level]
    return letter if held.so else f"{letter}x"
