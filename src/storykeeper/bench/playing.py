"""How long a turn takes: from the player's words to the window, and what the ledger costs in it.

- open: a run of 10,000 turns, with a snapshot and without.
- view: in that run, what each of the cast gets to see: the window on the present, a brief on
  something they perceive, and all that they know.
- begin: the player's words to the finished window, at 1,000 turns; the floor is the one durable
  append that it cannot do without. `begin_embedded` is the same with memory by meaning: the line
  and the turn before it are embedded in it.
- commit: what a turn writes, in its two transactions, against two bare transactions of the same
  bytes; the two take turns, so that they meet the same disk.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from storykeeper.bench.floor import bare_table
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.stories import big_story
from storykeeper.bench.timing import best, spread, timed
from storykeeper.bench.turns import records_of_a_turn
from storykeeper.bootstrap import Storykeeper, clock, open_ledger
from storykeeper.events.atoms import (
    Atom,
    Confidence,
    Priority,
    SceneChange,
    SceneChanged,
    Source,
)
from storykeeper.events.codec import encode
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived
from storykeeper.language.prose import ProseReader
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.play.narrate import offline
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import read_story
from storykeeper.story.model import Story
from storykeeper.units import MAIN, AtomId, EntityId, RunId, SceneId, TurnNo, Version

EXAMPLE = Path("examples/the-lamp-at-harrow")
LINES = (
    "I ask Mara where the brass key went.",
    "I look at the lens, and wait.",
    "I tell Tobit about the Perpetua.",
    '"It was lit," I say. I go to the kitchen.',
)
PERCEIVED = "a knock at the door"


def opening(place: Path, setup: Setup, figures: Figures) -> None:
    """Opening a long run: folding all of it, and from a snapshot."""
    turns = 200 if setup.quick else 10_000
    path = place / "long.db"
    long_run(path, turns)
    cold = timed(lambda: Storykeeper.open(path, read_only=True).ledger.close())
    with Storykeeper.open(path):
        pass  # closing saves a snapshot
    warm = best(lambda: Storykeeper.open(path, read_only=True).ledger.close(), of=5)
    figures["storykeeper"]["open"] = {
        "ms": round(warm * 1000, 1),
        "without_snapshot_ms": round(cold * 1000, 1),
    }
    with open_ledger(path, read_only=True) as ledger:
        bare = best(lambda: ledger.snapshot(MAIN), of=5)
    figures["floor"]["open"] = {"ms": round(bare * 1000, 1)}  # reading the snapshot's bytes
    figures["storykeeper"]["view"] = views(path, rounds=1 if setup.quick else 20)


def views(path: Path, *, rounds: int) -> dict[str, dict[str, float]]:
    """P50 and P95 of what one character gets to see of a run, each of the cast in turn."""
    with Storykeeper.open(path, read_only=True) as keeper:
        cast = tuple(keeper.world().plan.cast)
        ways: dict[str, Callable[[str], object]] = {
            "window": keeper.window,
            "brief": lambda who: keeper.brief(who, PERCEIVED),
            "knows": keeper.knows,
        }
        found = {}
        for name, look in ways.items():
            look(cast[0])  # what is made once is made by now
            found[name] = spread([timed(partial(look, who)) for _ in range(rounds) for who in cast])
        return found


def turn(place: Path, setup: Setup, figures: Figures) -> None:
    """Turns in a run of 1,000, one after another."""
    size, rounds = (50, 10) if setup.quick else (1_000, 200)
    path = place / "turns.db"
    long_run(path, size)
    begun: list[float] = []
    written: list[float] = []
    bare: list[float] = []
    floor = bare_table(place / "turns-floor.db")
    ledger = TimedLedger.open(path, clock=clock, nonces=os.urandom)
    with Storykeeper(ledger, MAIN, reader=ProseReader()) as keeper:
        for number in range(rounds):
            ledger.watch(floor)
            start = perf_counter()
            now = keeper.begin(LINES[number % len(LINES)])
            begun.append(perf_counter() - start - sum(ledger.bare))
            keeper.render(now, offline(now.world, now.present))
            keeper.read_ahead()  # as the terminal does, while the player reads
            written.append(sum(ledger.ours))
            bare.append(sum(ledger.bare))
        ledger.watch(floor)
    floor.close()
    figures["storykeeper"]["begin"] = spread(begun[rounds // 10 :])
    figures["storykeeper"]["commit"] = spread(written)
    figures["floor"]["commit"] = spread(bare)
    ours, least = figures["storykeeper"]["commit"], figures["floor"]["commit"]
    figures["ratio"]["commit"] = {key: round(ours[key] / least[key], 2) for key in ours}
    figures["storykeeper"]["begin_embedded"] = embedded(path, rounds=rounds)


def embedded(path: Path, *, rounds: int) -> dict[str, float]:
    """P50 and P95 of `begin` where memory is searched by meaning too."""
    begun = []
    with Storykeeper.open(path, embedder="minilm") as keeper:
        for number in range(rounds):
            start = perf_counter()
            now = keeper.begin(LINES[number % len(LINES)])
            begun.append(perf_counter() - start)
            keeper.render(now, offline(now.world, now.present))
            keeper.read_ahead()
    return spread(begun[rounds // 10 :])


class TimedLedger(SqliteLedger):
    """A ledger whose appends are timed, each followed by a bare one of the same bytes."""

    def watch(self, floor: sqlite3.Connection) -> None:
        """Begin a turn."""
        self.floor = floor
        self.ours: list[float] = []
        self.bare: list[float] = []

    def append(self, run: RunId, records: Sequence[AnyRecord], *, expected: Version) -> Version:
        """As the ledger does it, on the clock; then the floor."""
        start = perf_counter()
        version = super().append(run, records, expected=expected)
        self.ours.append(perf_counter() - start)
        payloads = [(encode(record).payload,) for record in records]
        self.bare.append(timed(lambda: self._insert(payloads)))
        return version

    def _insert(self, payloads: list[tuple[bytes]]) -> None:
        self.floor.execute("BEGIN")
        self.floor.executemany("INSERT INTO bare(payload) VALUES (?)", payloads)
        self.floor.execute("COMMIT")


def long_run(path: Path, turns: int) -> None:
    """A run of so many turns, written at once."""
    story = story_to_play()
    player = EntityId(story.players[0])
    with open_ledger(path, create=True) as ledger:
        version = ledger.begin(MAIN, [adoption(story)])
        batch: list[AnyRecord] = []
        for number in range(turns):
            made = records_of_a_turn(number)
            made[0] = InputReceived(TurnNo(number), player, LINES[number % len(LINES)])
            batch.extend(made if number else [*made, _entered(story)])
            if len(batch) > 10_000 or number == turns - 1:
                version = ledger.append(MAIN, batch, expected=version)
                batch = []


def _entered(story: Story) -> Atom:
    """That the story began where it begins: as in play, not anew whenever somebody looks."""
    return Atom(
        turn=TurnNo(0), id=AtomId("t0.3"), scene=SceneId(story.start), participants=(),
        what=SceneChanged(SceneId(story.start), SceneChange.ENTERED), source=Source.RULE,
        confidence=Confidence(1.0), priority=Priority.NORMAL,
    )  # fmt: skip


def story_to_play() -> Story:
    """The example, if it is there; else one without a subject."""
    if EXAMPLE.is_dir() and (found := read_story(EXAMPLE).story) is not None:
        return found
    return big_story(scenes=40, seed=1)
