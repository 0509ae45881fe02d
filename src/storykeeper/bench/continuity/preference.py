"""`bench preference`: which of three windows would a writer rather go on from?

A list of needs counts whether a word is there, not whether the line it stands in can be used. So
of late turns three windows of the same size are put side by side, shuffled and without a name:

    storykeeper     the narrator's window
    plain           rules, the newest whole turns, the player's line
    plain_summary   rules, an extractive summary, the newest whole turns, the player's line

`--prompts DIR` writes a page for each moment, with the player's line, the three, and what was then
told, and a key, which is not for a judge. `--answers FILE` reads verdicts, a line each:

    {"moment": "03", "order": "BAC", "struck": {"A": 4, "B": 0, "C": 2}}

the best first, and how many lines of each the judge would strike as unusable, false or doubled.

    over_plain, over_plain_summary   percent of verdicts that put ours before it
    struck                           lines struck of a window, in the mean
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from storykeeper.bench.continuity.baselines import BASELINES, BLANK
from storykeeper.bench.continuity.data import Playthrough, Told, load
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bootstrap import Storykeeper
from storykeeper.context.items import Tier
from storykeeper.context.preamble import HARD
from storykeeper.context.render import FOR_NARRATOR, rendered
from storykeeper.context.window import Window
from storykeeper.errors import StorykeeperError
from storykeeper.language.tokens import counter

OURS = "storykeeper"
SYSTEMS = (OURS, *BASELINES)
SIZES = (3_300, 5_000)
MOMENTS, QUICK_MOMENTS = 10, 2
LATE = 20  # turns that must have been told before
LETTERS = "ABC"
KEY = "key.json"
ASKED = (
    "You are to write what is told after this line of a player. Below stand three windows, any of\n"
    "which you might be given, and in the end what another writer told. Which of the windows lets\n"
    "you write it best, which worst? How many lines of each would you strike, because they are\n"
    "unusable, false, or said twice?"
)


def measure(setup: Setup) -> Figures:
    """Write the pages, or read the verdicts."""
    if setup.prompts is None:
        raise StorykeeperError("preference is judged by somebody; name a folder with --prompts DIR")
    if setup.answers:
        return _judged(setup.prompts, setup.answers)
    return _written(setup.prompts, setup)


# ── pages ────────────────────────────────────────────────────────────────────────────────────


def _written(folder: Path, setup: Setup) -> Figures:
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(setup.seed)
    many = QUICK_MOMENTS if setup.quick else setup.pairs or MOMENTS
    key: dict[str, dict[str, Any]] = {}
    for play, turns in _drawn(load(setup.data), many, random):
        for told, size, texts in _windows(play, turns):
            name = f"{len(key) + 1:02}"
            systems = random.sample(SYSTEMS, len(SYSTEMS))
            key[name] = {"of": play.name, "turn": told.number, "size": size, "systems": systems}
            page = _page(told, [texts[each] for each in systems])
            (folder / f"moment-{name}.md").write_text(page, "utf-8")
        setup.say(f"{play.name}: turns {', '.join(map(str, turns))}")
    (folder / KEY).write_text(json.dumps(key, indent=1), "utf-8")
    return {"moments": {"written": len(key)}}


def _drawn(
    plays: list[Playthrough], many: int, random: Random
) -> Iterator[tuple[Playthrough, list[int]]]:
    """So many late turns in which something is needed, of all playthroughs about as many."""
    for at, play in enumerate(plays):
        late = {turn for fact in play.facts for turn in fact.turns if turn > LATE}
        share = len(range(at, many, len(plays)))
        yield play, sorted(random.sample(sorted(late), min(share, len(late))))


def _windows(play: Playthrough, turns: list[int]) -> Iterator[tuple[Told, int, Mapping[str, str]]]:
    """The three windows of each of these turns, at every size."""
    count = counter("o200k")
    with (
        TemporaryDirectory(prefix="storykeeper-bench-") as folder,
        Storykeeper.open(Path(folder) / "run.db", story=play.story) as keeper,
    ):
        for told in play.turns[: max(turns, default=0)]:
            turn = keeper.begin(told.line)
            for size in SIZES if told.number in turns else ():
                window = keeper.window(tokens=size)
                above, below, paid = _frame(window)
                before = play.turns[: told.number - 1]
                past = {
                    name: make(before, tokens=size - paid, count=count)
                    for name, make in BASELINES.items()
                }
                others = {name: BLANK.join((above, p, below)) for name, p in past.items()}
                yield told, size, {OURS: window.text, **others}
            keeper.render(turn, told.prose)


def _frame(window: Window) -> tuple[str, str, int]:
    """What stands around the past in any window: rules before it, the player's line behind it."""
    rules = [each for each in window.items if each.candidate.origin == HARD]
    asked = [each for each in window.items if each.candidate.tier is Tier.INPUT]
    above, _ = rendered(rules, FOR_NARRATOR)
    _, below = rendered(asked, FOR_NARRATOR)
    return above, below, sum(each.tokens for each in (*rules, *asked))


def _page(told: Told, texts: list[str]) -> str:
    parts = [ASKED, f"# The player types\n\n{told.line}"]
    parts += [
        f"# Window {name}\n\n~~~~\n{text}\n~~~~" for name, text in zip(LETTERS, texts, strict=True)
    ]
    parts.append(f"# What was told\n\n{told.prose}")
    return BLANK.join(parts) + "\n"


# ── verdicts ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one judge says of one moment, by system."""

    size: int
    order: tuple[str, ...]  # the best first
    struck: Mapping[str, float]

    def before(self, other: str) -> bool:
        """Whether ours is put before another."""
        return self.order.index(OURS) < self.order.index(other)


def _judged(folder: Path, files: tuple[Path, ...]) -> Figures:
    if not (folder / KEY).exists():
        raise StorykeeperError(f"{folder} has no {KEY}; name the folder the pages were put in")
    key = json.loads((folder / KEY).read_text("utf-8"))
    verdicts = [
        _verdict(line, f"{file}:{number}", key)
        for file in files
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if line.strip()
    ]
    figures: Figures = {name: {} for name in SYSTEMS}
    for size in sorted({each.size for each in verdicts}):
        found = [each for each in verdicts if each.size == size]
        for other in BASELINES:
            won = sum(each.before(other) for each in found)
            figures[OURS].setdefault(f"over_{other}", {})[str(size)] = _percent(won, len(found))
        for name in SYSTEMS:
            struck = sum(each.struck[name] for each in found) / len(found)
            figures[name].setdefault("struck", {})[str(size)] = round(struck, 1)
            first = sum(each.order[0] == name for each in found)
            figures[name].setdefault("first", {})[str(size)] = _percent(first, len(found))
        figures.setdefault("verdicts", {})[str(size)] = len(found)
    return figures


def _verdict(line: str, where: str, key: Mapping[str, Any]) -> Verdict:
    try:
        row = json.loads(line)
        moment = key[str(row["moment"])]
        of = dict(zip(LETTERS, moment["systems"], strict=True))
        order = tuple(of[letter] for letter in row["order"])
        struck = {of[letter]: float(lines) for letter, lines in row["struck"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorykeeperError(f"{where}: no verdict ({error}); {_SHAPE}") from error
    if not set(order) == set(struck) == set(SYSTEMS) or len(order) != len(SYSTEMS):
        raise StorykeeperError(f"{where}: no verdict; each of A, B and C once. {_SHAPE}")
    return Verdict(moment["size"], order, struck)


_SHAPE = 'it is {"moment": "01", "order": "BAC", "struck": {"A": 0, "B": 0, "C": 0}}'


def _percent(part: int, of: int) -> float:
    return round(100 * part / of, 1)
