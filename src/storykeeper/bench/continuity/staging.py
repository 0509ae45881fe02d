"""Whole playthroughs, and what was so after every turn: by the reader alone, and declared.

places    of the cast, each turn in which where somebody is changed: whether we have it right;
          somebody gone is right at no known place
held      of the cast, every turn: the same, changed or not
told      of the facts that somebody was told: whether they know it after the turn
holds     of the things whose holder changed: whether we have it right
can_say   of those who know a fact at the end and were there when it was told: whether their brief
          has it, as they stand there or when they are asked for it, or what they recall then
untold    of those who know a fact at the end: to how many no turn tells it that they were in; they
          have it from what nobody told, and are not asked
leaks     of those who do not know it: in how many of the same it stands all the same, within one
          item: words that stand near each other in two are not it; `of` how many

What they are asked is the fact in its author's words; these are taken out of the brief again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
        counted = {"untold": self.right["untold"], "leaks": self.right["leaks"]}
        return made | counted | {"of": self.asked["leaks"]}


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
            _said(keeper, playthrough, found)
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


def _said(keeper: Storykeeper, playthrough: Playthrough, found: Staged) -> None:
    """Who knows a fact at the end can say it; who does not has it nowhere."""
    player = keeper.world().plan.players[0]
    for fact in playthrough.facts:
        for who in fact.known_by:
            told = _is_told(playthrough.turns, fact, who, player)
            found.add("untold", right=not told)
            if told:
                found.add("can_say", right=any(fact.within("\n".join(has)) for has in
                                               _had(keeper, fact, who)))  # fmt: skip
        for who in fact.not_known_by:
            items = (item for has in _had(keeper, fact, who) for item in has)
            found.add("leaks", right=any(map(fact.within, items)))


def _had(keeper: Storykeeper, fact: Needed, who: str) -> Iterator[list[str]]:
    """What somebody has: as they stand there, asked for a fact, and recalling it."""
    for text in ("", fact.text):
        items = keeper.brief(who, text, tokens=BRIEF_TOKENS).items
        yield [item.text for item in items if not text or text not in item.text]
    yield [hit.item.text for hit in keeper.recall(fact.text, who, k=10)]


def _is_told(turns: Sequence[Told], fact: Needed, who: str, player: str) -> bool:
    """Whether a turn tells somebody a fact: its words stand in one that they begin or end with the
    player, or that is said to tell it to them.
    """
    before: Mapping[str, Any] = {}
    for turn in turns:
        rows = turn.stage.get("told", ())
        if any(row["fact"] == fact.id and who in row["to"] for row in rows):
            return True
        at = turn.stage.get("at", {})
        there = any(each.get(who) == each.get(player) for each in (before, at) if who in each)
        if fact.within(turn.prose) and (who == player or there):
            return True
        before = at
    return False
