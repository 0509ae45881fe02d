"""Whole playthroughs through the public interface: is what is needed in the window?

    coverage   the share of (fact, later turn that needs it) pairs whose fact is in the narrator's
               window of that turn, made from the turns before it
    used       tokens of the windows ÷ tokens allowed
    by_age     coverage by how many turns ago the fact came up
    by_source  of what is covered, what brought it in; `together`: words of several items
    without    coverage with one part left out
    reader     what of who is where, who was told what and who holds what is right (`staging`), read
               from the prose; and of the characters' briefs: who knows a fact and can say it, and
               who does not and has it all the same
    declared   the same, where the narrator declares what it told

Beside it, from the same turns at the same tokens: the newest whole turns (`plain`), and half of
that with an extractive summary of the rest before it (`plain_summary`). No narrator works without
its rules and the player's line: both baselines pay for these as we do, and for nothing else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from storykeeper.bench.continuity.baselines import BASELINES
from storykeeper.bench.continuity.data import Needed, Playthrough, load
from storykeeper.bench.continuity.staging import Staged, staged
from storykeeper.bench.registry import Figures, Say, Setup
from storykeeper.bootstrap import Storykeeper
from storykeeper.context.items import Tier
from storykeeper.context.parts import Part
from storykeeper.context.preamble import HARD
from storykeeper.context.window import Window
from storykeeper.language.tokens import counter

BUDGETS = (3_300, 5_000, 8_000, 16_000)
QUICK_TURNS = 14
AGES = ((10, "under_10"), (21, "10_to_20"), (10**9, "over_20"))


@dataclass(slots=True)
class Covered:
    """What of the pairs is in the windows of one system, at one size."""

    asked: int = 0
    found: int = 0
    used: list[float] = field(default_factory=list)
    ages: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    sources: Counter[str] = field(default_factory=Counter)

    def add(self, fact: Needed, turn: int, *, found: bool, by: str = "") -> None:
        """One pair."""
        self.asked += 1
        self.found += found
        self.ages[_age(turn - fact.since)].append(found)
        if found and by:
            self.sources[by] += 1

    @property
    def coverage(self) -> float:
        """In percent."""
        return _percent(self.found, self.asked)


@dataclass(slots=True)
class Measured:
    """All systems on one playthrough, or on several."""

    ours: dict[int, Covered] = field(default_factory=lambda: defaultdict(Covered))
    others: dict[tuple[str, int], Covered] = field(default_factory=lambda: defaultdict(Covered))
    without: dict[tuple[Part, int], Covered] = field(default_factory=lambda: defaultdict(Covered))
    staged: dict[str, Staged] = field(default_factory=lambda: defaultdict(Staged))

    def figures(self) -> Figures:
        """By system."""
        parts = {part: {str(b): self.without[part, b].coverage for b in BUDGETS} for part in Part}
        made: Figures = {
            "storykeeper": {
                "coverage": {str(b): c.coverage for b, c in self.ours.items()},
                "used": {str(b): _percent(sum(c.used), len(c.used)) for b, c in self.ours.items()},
                "by_age": {str(b): _ages(c) for b, c in self.ours.items()},
                "by_source": {str(b): _shares(c.sources) for b, c in self.ours.items()},
                "without": parts if self.without else {},
                **{name: each.figures() for name, each in self.staged.items()},
            }
        }
        for name in BASELINES:
            sizes = {str(b): self.others[name, b].coverage for b in BUDGETS}
            made[name] = {"coverage": sizes}
        return made


def measure(setup: Setup) -> Figures:
    """All playthroughs, each by itself and together."""
    every, figures = Measured(), {}
    for playthrough in load(setup.data):
        alone = Measured()
        _play(playthrough, (alone, every), setup)
        figures[playthrough.name] = alone.figures()
        _say(setup.say, playthrough, alone)
    together = every.figures()
    for name, each in together.items():
        each["playthroughs"] = {play: found[name] for play, found in figures.items()}
    return together


def _play(playthrough: Playthrough, into: Iterable[Measured], setup: Setup) -> None:
    turns = playthrough.turns[: QUICK_TURNS if setup.quick else None]
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(Path(folder) / "run.db", story=playthrough.story) as keeper,
    ):
        for told in turns:
            turn = keeper.begin(told.line)
            needed = [fact for fact in playthrough.facts if told.number in fact.turns]
            if needed:
                _measured(keeper, playthrough, told.number, needed, into)
            keeper.render(turn, told.prose)
    for name in ("reader", "declared"):
        most = QUICK_TURNS if setup.quick else None
        found = staged(playthrough, declared=name == "declared", most=most)
        for each in into:
            each.staged[name].add_all(found)


def _measured(
    keeper: Storykeeper, playthrough: Playthrough, number: int, needed: list[Needed],
    into: Iterable[Measured],
) -> None:  # fmt: skip
    count = counter("o200k")
    before = playthrough.turns[: number - 1]
    for budget in BUDGETS:
        window = keeper.window(tokens=budget)
        texts = {"": window.text}
        paid = _paid(window)
        for name, made in BASELINES.items():
            texts[name] = made(before, tokens=budget - paid, count=count)
        parts = {part: keeper.window(tokens=budget, without=[part]).text for part in Part}
        for each in into:
            each.ours[budget].used.append(window.tokens / budget)
            for fact in needed:
                by = _brought_by(window, fact)
                each.ours[budget].add(fact, number, found=fact.within(texts[""]), by=by)
                for name in BASELINES:
                    found = fact.within(texts[name])
                    each.others[name, budget].add(fact, number, found=found)
                for part, text in parts.items():
                    each.without[part, budget].add(fact, number, found=fact.within(text))


def _paid(window: Window) -> int:
    """Tokens of the rules and the player's line, which no narrator works without."""
    both = (s for s in window.items if s.candidate.origin == HARD or s.candidate.tier is Tier.INPUT)
    return sum(shown.tokens for shown in both)


def _brought_by(window: Window, fact: Needed) -> str:
    """The kind of item that has it; the first of those that have it alone."""
    for shown in window.items:
        if fact.within(shown.text):
            return shown.candidate.origin
    return "together"


def _say(say: Say, playthrough: Playthrough, measured: Measured) -> None:
    say(f"{playthrough.name}: {playthrough.pairs} needs in {len(playthrough.turns)} turns")
    for budget in BUDGETS:
        ours = measured.ours[budget]
        others = ", ".join(f"{name} {measured.others[name, budget].coverage}" for name in BASELINES)
        used = _percent(sum(ours.used), len(ours.used))
        say(f"  {budget:>6,} tokens: {ours.coverage} % ({used} % used); {others}")
    for name, each in measured.staged.items():
        say(f"  {name}: {each.figures()}")


def _age(turns: int) -> str:
    return next(name for most, name in AGES if turns < most)


def _ages(covered: Covered) -> dict[str, float]:
    return {
        name: _percent(sum(covered.ages[name]), len(covered.ages[name]))
        for _, name in AGES
        if covered.ages[name]
    }


def _shares(counts: Counter[str]) -> dict[str, float]:
    total = sum(counts.values())
    return {name: _percent(count, total) for name, count in counts.most_common()}


def _percent(part: float, of: float) -> float:
    return round(100 * part / of, 1) if of else 0.0
