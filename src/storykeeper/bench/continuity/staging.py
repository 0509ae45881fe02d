"""Whole playthroughs, and what was so after every turn: by the reader alone, and declared.

places    of the cast, each turn in which where somebody is changed: whether we have it right;
          somebody gone is right at no known place
held      of the cast, every turn: the same, changed or not
told      of the facts that somebody was told: whether they know it after the turn
holds     of the things whose holder changed: whether we have it right
can_say   of those who know a fact at the end: whether their brief has it, or what they recall
          when they are asked for it
leaks     of those who do not know it: in how many briefs it stands all the same; `of` how many
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from storykeeper.bench.continuity.data import Needed, Playthrough, Told
from storykeeper.bench.registry import Figures
from storykeeper.bootstrap import Storykeeper
from storykeeper.play.narrator import Narrator, Show
from storykeeper.play.stage_call import INLINE, READER
from storykeeper.units import EntityId
from storykeeper.world.knowledge import knows
from storykeeper.world.state import World

NOWHERE = frozenset({"away", "unknown"})
BRIEF_TOKENS = 3_300


@dataclass(slots=True)
class Staged:
    """What we have right of what was so."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, *, right: bool) -> None:
        """One thing that was so."""
        self.asked[what] += 1
        self.right[what] += right

    def add_all(self, more: Staged) -> None:
        """What was found of another run."""
        self.right.update(more.right)
        self.asked.update(more.asked)

    def figures(self) -> Figures:
        """In percent; leaks are counted."""
        shares = ("places", "held", "told", "holds", "can_say")
        made: Figures = {
            name: round(100 * self.right[name] / self.asked[name], 1) if self.asked[name] else 0.0
            for name in shares
        }
        return made | {"leaks": self.right["leaks"], "of": self.asked["leaks"]}


def staged(
    playthrough: Playthrough, *, declared: bool, most: int | None = None,
    narrator: Narrator | None = None, show: Show = str,
) -> Staged:  # fmt: skip
    """One playthrough, told anew; `declared`: with what was so given to `render`.

    With a narrator it tells every turn, and declares what it will.
    """
    found = Staged()
    turns = playthrough.turns[:most]
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(
            Path(folder) / "run.db",
            story=playthrough.story,
            staging=READER if narrator is None else INLINE,
        ) as keeper,
    ):
        before: Mapping[str, Any] = {"at": {}, "holds": {}}
        for told in turns:
            turn = keeper.begin(told.line)
            if narrator is None:
                keeper.render(turn, told.prose, stage=told.stage if declared else None)
            else:
                keeper.narrate(turn, narrator, show=show)
            keeper.end_scene()
            _compared(keeper.world(), told, before, found)
            before = told.stage
        if most is None:
            _said(keeper, playthrough.facts, found)
    return found


def _compared(world: World, told: Told, before: Mapping[str, Any], found: Staged) -> None:
    for who, where in told.stage.get("at", {}).items():
        place = None if who in world.away else world.places.get(EntityId(who))
        right = place is None if where in NOWHERE else place == where
        found.add("held", right=right)
        if before.get("at", {}).get(who, where) != where:
            found.add("places", right=right)
    for thing, who in told.stage.get("holds", {}).items():
        if before.get("holds", {}).get(thing, who) != who:
            found.add("holds", right=world.holders.get(EntityId(thing)) == who)
    for each in told.stage.get("told", ()):
        for who in each["to"]:
            found.add("told", right=_holds(world, EntityId(who), each["fact"]))


def _holds(world: World, who: EntityId, fact: str) -> bool:
    """Whether somebody knows it, or believes what they were told."""
    return knows(world.known, who, fact) or f"{who}:{fact}" in world.beliefs


def _said(keeper: Storykeeper, facts: tuple[Needed, ...], found: Staged) -> None:
    """Who knows a fact at the end can say it; who does not has it nowhere."""
    people = {who for fact in facts for who in (*fact.known_by, *fact.not_known_by)}
    briefs = {who: keeper.brief(who, tokens=BRIEF_TOKENS).text for who in sorted(people)}
    for fact in facts:
        for who in fact.known_by:
            right = fact.within(briefs[who]) or _recalls(keeper, fact, who)
            found.add("can_say", right=right)
        for who in fact.not_known_by:
            found.add("leaks", right=fact.within(briefs[who]) or _recalls(keeper, fact, who))


def _recalls(keeper: Storykeeper, fact: Needed, who: str) -> bool:
    hits = keeper.recall(fact.text, who, k=10)
    return fact.within("\n".join(hit.item.text for hit in hits))
