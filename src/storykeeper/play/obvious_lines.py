"""The line that anybody would type for an act that a condition waits for: whether it does it.

Read by what reads a player's lines (`Lexicon`), so that `check` and play cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storykeeper.language.unheard import is_heard
from storykeeper.play.awaited import Waiting
from storykeeper.play.commit import lexicon
from storykeeper.play.offers import act_line
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.problems import Problem, Severity
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.begin import begin
from storykeeper.world.plan import Plan, plan
from storykeeper.world.state import World

FIX = (
    "write the plain form of a verb that is understood, such as `take` or `light`"
    " (docs/reference/story-files.md, Verbs), or ask for `any` of several"
)


def unheard_acts(story: Story) -> Iterator[Problem]:
    """One warning for each condition that waits for a player to do what no line is read as."""
    world, players = begin(plan(adoption(story))), {PLAYER, *story.players}
    read: dict[Did, str | None] = {}
    for path, asked in walk(story):
        if not isinstance(asked, Did) or asked.who not in players:
            continue
        if asked not in read:
            read[asked] = _unread(world, asked)
        what = read[asked]
        if what is not None:
            yield Problem(code="act-unheard", what=what, fix=FIX, path=(*path, "act"),
                          severity=Severity.WARNING)  # fmt: skip


def _unread(world: World, asked: Did) -> str | None:
    """What is wrong with an act, if a player cannot type it."""
    if not is_heard(asked.act):
        return f"no line that a player types is read as `{asked.act}`"
    line = _typed(world, asked)
    if line is None or asked.to == PLAYER or reads_as(world, line, asked):
        return None
    return f"“{line}”, as a player would type it, is not read as `{asked.act}`"


def reads_as(world: World, line: str, asked: Did) -> bool:
    """Whether a line is read as an act, done to whom or what it should be."""
    acts = lexicon(world.plan).acts_of(line, by=world.plan.players[0])
    return any(
        asked.act in (act.act, *act.also)
        and (asked.to is None or asked.to in (act.to, act.place, act.about))
        for act in acts
    )


def lines_for(made: Plan, conditions: Iterable[Condition | None]) -> Iterator[str]:
    """The lines that anybody would type for what these conditions wait for."""
    world = begin(made)
    for _, asked in (part for each in conditions for part in walk(each)):
        if isinstance(asked, Did):
            line = _typed(world, asked)
            if line is not None:
                yield line


def _typed(world: World, asked: Did) -> str | None:
    return act_line(world, Waiting(asked.act, _id(asked.to), _id(asked.about)))


def _id(name: str | None) -> EntityId | None:
    return None if name is None else EntityId(name)
