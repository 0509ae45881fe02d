"""What a view of one character costs in a long run: `knows`, after 10,000 turns.

The run is made up: fifty people, 5,000 facts of which a third is not so; in each turn somebody goes
somewhere, two come by a fact, and one tells another something. The view of each of them is made,
and what each thinks that another holds; the floor is to list the ids of what they know, and no
more. It is the time of the processor, the best of some goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from msgspec import structs

from storykeeper.bench.folding import turn_of_a_story
from storykeeper.bench.leaks.cost import FACTS, PEOPLE, large_story
from storykeeper.bench.registry import Figures
from storykeeper.bench.timing import percentile, worked
from storykeeper.bench.turns import atom_of_a_turn
from storykeeper.events.atoms import InformationTold
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TurnCommitted
from storykeeper.play.knowing import knowledge
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.fold import fold
from storykeeper.world.state import EMPTY, World

TURNS, QUICK_TURNS = 10_000, 200
GOES = 5
NOT_SO = 3  # every third fact


def view(*, quick: bool = False) -> tuple[Figures, Figures]:
    """A view of each of the cast, and of what each thinks of another; and the floor."""
    world = long_run(QUICK_TURNS if quick else TURNS)
    cast = [EntityId(who) for who in world.plan.cast]
    own = [_best(partial(knowledge, world, who)) for who in cast]
    pairs = zip(cast, (*cast[1:], cast[0]), strict=True)
    thought = [_best(partial(knowledge, world, who, thinker=of)) for of, who in pairs]
    floor = [_best(partial(sorted, world.known.get(who, EMPTY))) for who in cast]
    return {**_spread(own), "thought_p95_ms": _spread(thought)["p95_ms"]}, _spread(floor)


def _best(work: Callable[[], object]) -> float:
    return min(worked(work) for _ in range(GOES))


def _spread(seconds: list[float]) -> Figures:
    return {f"p{p}_ms": round(percentile(seconds, p / 100) * 1000, 3) for p in (50, 95)}


def long_run(turns: int) -> World:
    """The world after so many turns."""
    story = large_story(Random(1), people=PEOPLE, facts=FACTS)
    facts = (
        structs.replace(fact, confidence=0.1) if number % NOT_SO == 0 else fact
        for number, fact in enumerate(story.facts)
    )
    story = structs.replace(story, facts=tuple(facts))
    return fold(_records(story, turns), fold([adoption(story)]))


def _records(story: Story, turns: int) -> Iterator[AnyRecord]:
    for number in range(1, turns + 1):
        yield TurnCommitted(TurnNo(number), 1)
        yield from turn_of_a_story(number, story)
        one, other = (EntityId(story.cast[number * by % len(story.cast)].id) for by in (7, 11))
        fact = story.facts[number * 13 % len(story.facts)]
        yield atom_of_a_turn(number, 9, InformationTold("So.", fact.id), actor=one, target=other)
