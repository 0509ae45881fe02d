"""`bench leaks`: generated stories with planted secrets, played through the real engine.

Every story has a secret on every carrier, with a canary and in other words; at half of the tables a
second plays too. Narrator, players and each of the cast look at it in every turn, in the fork,
after a turn was taken back, with any budget and tuning; whatever they get to see is searched for
what they may not have, by what the script says and not by what the boundary says. Beside it, on the
same moments, the two usual designs.

A leak is printed with its seed: `bench leaks --quick --seed N` plays that story again first.

- `windows`, `leaks`: all there were; by carrier under `carriers`, with `told`: in how many percent
  of the windows of those who may have it the secret stands, so that a carrier is known to carry;
  of an echo, of what memory finds, of the story so far and of what comes back from earlier, in how
  many it stands by that.
- `flip`: pairs of runs that differ in what is hidden from one audience, and cases in which that
  audience could tell them apart.
- `gate`: what filtering and the gate cost, see `bench/leaks/cost.py`.
- `view`: what a view of one character costs after 10,000 turns, see `bench/leaks/viewing.py`.
- `usual.filter_after.rate`, `usual.instruction.rate`: windows of the usual designs that leak.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.cost import cost
from storykeeper.bench.leaks.counting import Tally
from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.flipping import differ, twins
from storykeeper.bench.leaks.memories import Talk
from storykeeper.bench.leaks.playing import Playing, Sizes
from storykeeper.bench.leaks.viewing import view
from storykeeper.bench.registry import Figures, Setup
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader

STORIES, QUICK_STORIES = 80, 2
PAIRS, QUICK_PAIRS = 20, 1
LOOKS, QUICK_LOOKS = 5, 3  # windows of each turn of a pair
BY_MEANING_EVERY = 10  # so many memories are searched by words alone, and then one by meaning too
QUICK = Sizes(turn=1, branch=2, end=8, again=2, talk=6)


def measure(setup: Setup) -> Figures:
    """All of it."""
    reader = ProseReader()
    tally = Tally()
    stories, sizes = (QUICK_STORIES, QUICK) if setup.quick else (STORIES, Sizes())
    for seed in range(setup.seed, setup.seed + stories):
        with TemporaryDirectory(prefix="storykeeper-bench-") as folder:
            _story(seed, Path(folder), reader, sizes, tally, setup)
    pairs = range(setup.seed, setup.seed + (QUICK_PAIRS if setup.quick else PAIRS))
    gate, floor = cost(quick=setup.quick)
    looking, listing = view(quick=setup.quick)
    flipped = _flipped(pairs, reader, setup)
    return {
        "storykeeper": {**tally.figures(), "flip": flipped, "gate": gate, "view": looking},
        "usual": tally.rates(),
        "floor": {"gate": floor, "view": listing},
    }


def _story(
    seed: int, place: Path, reader: Reader, sizes: Sizes, tally: Tally, setup: Setup
) -> None:
    found: dict[str, None] = {}  # the same leak, turn after turn, is said once
    playing = Playing(planted(seed), place / "run.db", reader, sizes)
    for shown in playing.everything_shown():
        found |= dict.fromkeys(map(str, tally.add(shown, playing.secrets(), seed=seed)))
    by_meaning = seed % BY_MEANING_EVERY == 0
    talk = Talk(seed, place / "talk.db", embedder="minilm" if by_meaning else "none")
    for shown in talk.everything_shown(sizes.talk):
        found |= dict.fromkeys(map(str, tally.add(shown, talk.secrets(), seed=seed)))
    for leak in found:
        setup.say(leak)
    setup.say(f"story {seed}: {playing.moment.turn} turns, {len(found)} leaks")


def _flipped(seeds: range, reader: Reader, setup: Setup) -> Figures:
    """How many cases there were, and in how many an audience saw what is hidden from it move."""
    cases = differences = 0
    looks = QUICK_LOOKS if setup.quick else LOOKS
    for seed, case in _pairs(seeds, reader, looks=looks):
        cases += 1
        if differ(*case):
            differences += 1
            one = case[0]
            where = f"{one.audience} in turn {one.moment.turn}, {one.where}"
            setup.say(f"DIFFERENCE seed {seed}: to {where}")
    return {"cases": cases, "differences": differences}


def _pairs(
    seeds: range, reader: Reader, *, looks: int
) -> Iterator[tuple[int, tuple[Shown, Shown]]]:
    for seed in seeds:
        with TemporaryDirectory(prefix="storykeeper-bench-") as folder:
            yield from ((seed, case) for case in twins(seed, Path(folder), reader, looks=looks))
