"""Bytes of a prompt that are the prefix of the prompt before, over 200 scripted turns.

    reused.stable   bytes of tiers 1 and 2 that are a prefix of the window before ÷ bytes of them
    reused.whole    bytes of the window that are a prefix of the window before ÷ bytes of it
    reused.marked   bytes up to the last mark of a cache that both windows have ÷ bytes of tiers 1–2

The prefix ends at the first byte that differs. Tiers 1 and 2 are those of the window at hand, so
the turn that was appended counts against it: with turns of u tokens no layout reuses more than
1 − u/2,400 of them, which is all that τ leaves beside tier 3. How long the turns are decides most
of it, so it is measured with several lengths, the example's own, as played, among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory

from storykeeper.bench.prefix.explaining import REASONS, Made, reason
from storykeeper.bench.prefix.naive import naive
from storykeeper.bench.prefix.script import Step, script
from storykeeper.bench.prefix.stage import stage
from storykeeper.bench.registry import Figures, Say, Setup
from storykeeper.bootstrap import Storykeeper
from storykeeper.context.counting import cost
from storykeeper.context.render import FOR_NARRATOR
from storykeeper.context.sources.presence import PRESENCE
from storykeeper.context.window import Window
from storykeeper.language.reading import Reader
from storykeeper.language.tokens import counter
from storykeeper.play.turn import Turn
from storykeeper.scoring.shares import past_room, shares

WORDS, EXAMPLE_WORDS = 100, 150  # at least so many a turn; whole sentences are told
OTHERS = (30, 70, EXAMPLE_WORDS, 200)
TURNS, QUICK_TURNS = 200, 24


def measure(setup: Setup) -> Figures:
    """Our layout and the naive one, on turns of five lengths; every turn's change explained."""
    turns = QUICK_TURNS if setup.quick else TURNS
    told = played(script(turns, words=WORDS), say=setup.say)
    figures: Figures = {"storykeeper": told.figures(), "naive": told.naive.figures()}
    for words in () if setup.quick else OTHERS:
        setup.say(f"turns of {words} words or more …")
        told = played(script(turns, words=words))
        figures["storykeeper"][f"words_{words}"] = told.figures()
        figures["naive"][f"words_{words}"] = told.naive.figures()
    return figures


@dataclass(slots=True)
class Shares:
    """Shares of bytes reused, in percent, turn by turn."""

    stable: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    marked: list[float] = field(default_factory=list)

    def figures(self) -> Figures:
        """Median, mean and the tenth percentile of each."""
        each = {"stable": self.stable, "whole": self.whole, "marked": self.marked}
        return {"reused": {name: _spread(values) for name, values in each.items() if values}}


@dataclass(slots=True)
class Told:
    """A run that was played, and what was measured in it."""

    ours: Shares = field(default_factory=Shares)
    naive: Shares = field(default_factory=Shares)
    reasons: Counter[str] = field(default_factory=Counter)
    words: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    came_or_went: int = 0  # windows in which somebody is not where the scene began

    def figures(self) -> Figures:
        """Ours."""
        broke = {name: self.reasons[name] for name in REASONS if self.reasons[name]}
        return {
            **self.ours.figures(),
            "turns": len(self.ours.whole),
            "words_a_turn": round(mean(self.words)),
            "tokens_a_window": round(mean(self.tokens)),
            "presence_lines": self.came_or_went,
            "changed": broke,
        }


def played(steps: list[Step], *, say: Say | None = None, reader: Reader | None = None) -> Told:
    """The script through the real engine, and of each window how much of it was there before."""
    told = Told()
    before: Made | None = None
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(Path(folder) / "run.db", story=stage(), reader=reader) as keeper,
    ):
        for step in steps:
            turn = keeper.begin(step.line) if step.line else keeper.opening()
            now = _made(turn)
            if before is not None:
                why = reason(before, now)
                told.reasons[why] += 1
                _compare(told, before, now)
                if say is not None:
                    say(_listed(turn.number, told, why))
            _count(told, step, now)
            keeper.render(turn, step.prose)
            before = now
    return told


def _made(turn: Turn) -> Made:
    window, budget = turn.window, turn.world.plan.story.budget
    share = shares(budget, window_tokens=window.receipt.spent.budget)
    price, heads = partial(cost, count=counter(budget.encoding)), FOR_NARRATOR
    fixed = (heads.recent, heads.so_far, heads.retrieved, heads.earlier, heads.input)
    most = past_room(
        share, window_tokens=window.receipt.spent.budget,
        above_tokens=window.receipt.spent.preamble, headings=sum(map(price, fixed)),
    )  # fmt: skip
    return Made(window, turn.world.scene or "", turn.number - 1, most)


def _compare(told: Told, before: Made, now: Made) -> None:
    text, stable = now.window.text.encode(), len(now.stable.encode())
    same = shared_prefix(before.window.text.encode(), text)
    told.ours.whole.append(_percent(same, len(text)))
    told.ours.stable.append(_percent(min(same, stable), stable))
    told.ours.marked.append(_percent(_found(before.window, now.window), stable))
    (was, _), (new, (rules, found, so_far, typed)) = naive(before.window), naive(now.window)
    same = shared_prefix(was.encode(), new.encode())
    past = min(rules, same) + min(so_far, max(0, same - rules - found))
    told.naive.whole.append(_percent(same, rules + found + so_far + typed))
    told.naive.stable.append(_percent(past, rules + so_far))


def _found(before: Window, now: Window) -> int:
    """Bytes of the longest beginning that ends with a mark in both: what such a cache has."""
    both = set(_marked(before)).intersection(_marked(now))
    return max((len(text.encode()) for text in both), default=0)


def _marked(window: Window) -> Iterator[str]:
    parts = [part for message in window.cached_messages for part in message["content"]]
    for i, part in enumerate(parts, start=1):
        if "cache_control" in part:
            yield "".join(each["text"] for each in parts[:i])


def _count(told: Told, step: Step, now: Made) -> None:
    told.words.append(len(step.prose.split()))
    told.tokens.append(now.window.tokens)
    told.came_or_went += any(s.candidate.origin == PRESENCE for s in now.window.items)


def _listed(turn: int, told: Told, why: str) -> str:
    stable, whole = told.ours.stable[-1], told.ours.whole[-1]
    return f"  turn {turn:>3}  {stable:5.1f} % of tiers 1–2  {whole:5.1f} % of all  {why}"


def shared_prefix(one: bytes, other: bytes) -> int:
    """How many bytes two texts begin with in common; by halving, not byte by byte."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _percent(part: int, of: int) -> float:
    return 100 * part / of if of else 100.0


def _spread(values: list[float]) -> dict[str, float]:
    return {
        "median": round(median(values), 1),
        "mean": round(mean(values), 1),
        "p10": round(quantiles(values, n=10)[0], 1),
    }
