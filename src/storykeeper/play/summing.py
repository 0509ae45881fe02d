"""Summing up: a model's words for blocks of older turns, made while the player reads.

A block is sixteen turns, cut where the tail of a window is. What the model writes must pass the
checks of every summary (shorter, about the same, no name, number or "not" that its sources do not
have), or there is none and the turns are quoted as before. Nothing here is true until it is on
record, and nobody waits for it: a summary that is ready is written with the next rendering.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from storykeeper.context.history import PastTurn
from storykeeper.context.tail import STEADY_TURNS
from storykeeper.errors import ModelUnavailable
from storykeeper.events.turns import StorySummed
from storykeeper.memory.compaction.compacting import Means, summed_up
from storykeeper.memory.compaction.groups import Cluster
from storykeeper.memory.compaction.summaries import Summary
from storykeeper.memory.items import Item
from storykeeper.play.past import Past
from storykeeper.scoring.preservation import Method
from storykeeper.units import TurnNo

SHARE = 0.06  # of what is summed up: about fifteen tokens a turn
RECENT_TURNS = 4  # these are nobody's summary yet
Block = tuple[PastTurn, ...]


class Summing:
    """One block at a time, beside play."""

    def __init__(self, means: Means, *, name: str = "") -> None:
        self.means = means
        self.name = name
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="storykeeper-summing")
        self._asked: set[TurnNo] = set()  # first turns of blocks: each is tried once
        self._job: Future[tuple[Block, str]] | None = None

    def step(self, past: Past, *, turn: TurnNo) -> list[StorySummed]:
        """What was finished since, for the record; and the next block is begun."""
        found = self.ready(past, turn=turn)
        self.consider(past)
        return found

    def consider(self, past: Past) -> None:
        """Begin with the oldest block that nothing sums up yet, if no other is under way."""
        if self._job is not None:
            return
        done = {turn for each in past.summaries for turn in each.of}
        for block in blocks(past):
            first = block[0].turn
            if first not in done and first not in self._asked:
                self._asked.add(first)
                self._job = self._worker.submit(self._written, block)
                return

    def ready(self, past: Past, *, turn: TurnNo) -> list[StorySummed]:
        """What was finished since, for the record; nothing, if its turns were changed meanwhile."""
        if self._job is None or not self._job.done():
            return []
        (block, text), self._job = self._job.result(), None
        still = {each.turn: each for each in past.turns}
        if not text or any(still.get(each.turn) != each for each in block):
            return []
        return [StorySummed(turn, tuple(each.turn for each in block), text, self.name)]

    def wait(self) -> None:
        """Until what is under way is finished: for tests, and for who has the time."""
        if self._job is not None:
            self._job.result()

    def close(self) -> None:
        """What is under way is dropped; it is tried again when the run is next opened."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _written(self, block: Block) -> tuple[Block, str]:
        try:
            made = summed_up(Cluster(tuple(map(_item, block))), self.means)
        except ModelUnavailable:  # the embedder's; a chat model's is an extract
            return block, ""
        if isinstance(made, Summary) and made.method is Method.ABSTRACTIVE:
            return block, made.text
        return block, ""


def blocks(past: Past) -> Iterator[Block]:
    """Whole blocks of turns that are older than the last few, and told to one player."""
    last = past.turns[-1].turn if past.turns else 0
    found: dict[int, list[PastTurn]] = {}
    for turn in past.turns:
        if turn.turn <= last - RECENT_TURNS:
            found.setdefault(turn.turn // STEADY_TURNS, []).append(turn)
    for block in found.values():
        whole = len({turn.turn for turn in block}) == STEADY_TURNS
        if whole and len({turn.player for turn in block}) == 1:
            yield tuple(block)


def _item(turn: PastTurn) -> Item:
    text = "\n\n".join(part for part in (turn.text, turn.prose) if part.strip())
    return Item(f"turn:{turn.turn}", text, int(turn.turn))
