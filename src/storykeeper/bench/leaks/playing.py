"""Playing a stage through the real engine, and looking at it in every turn.

The script is played to its end; then the run is forked at an earlier turn and the fork goes its own
way; then a turn of the run is taken back. At each of these moments somebody at random looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.looking import Looking
from storykeeper.bench.leaks.said import RETRACTED
from storykeeper.bench.leaks.secrets import BRANCH, TRUNK, Moment, Secret, Spoken
from storykeeper.bench.leaks.stage import Stage, Step
from storykeeper.bench.leaks.usual import designs
from storykeeper.bootstrap import Storykeeper
from storykeeper.events.atoms import Atom, SpeechUttered
from storykeeper.language.reading import Reader
from storykeeper.play.turn import Turn
from storykeeper.story.overlap import tells, words_of


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many windows of what, in one story."""

    turn: int = 3  # while a turn is under way, each beside the usual designs
    branch: int = 10  # in the fork
    end: int = 60  # when all is told, and a turn was taken back
    again: int = 4  # of earlier turns
    talk: int = 60  # searches and prompts of a memory


class Playing:
    """A stage being played."""

    def __init__(self, stage: Stage, path: Path, reader: Reader, sizes: Sizes) -> None:
        self.stage = stage
        self.path = path
        self.reader = reader
        self.sizes = sizes
        self.random = Random(f"looking at {stage.seed}")
        self.moment = Moment(0, TRUNK, stage.places, stage.player.id)
        self.places: dict[int, dict[str, str]] = {}  # of everybody, by turn
        self.players: dict[int, str] = {}  # whose turn it was

    def secrets(self) -> list[Secret]:
        """All that is secret by now."""
        told = (each for spoken in self.stage.spoken for each in spoken.secret(self.moment))
        return [*self.stage.authored, *told]

    def everything_shown(self) -> Iterator[Shown]:
        """What anybody got to see, in the order of the play."""
        story = self.stage.story()
        with Storykeeper.open(self.path, story=story, reader=self.reader) as keeper:
            keeper.render(keeper.opening(), "The rain goes on.")
            for step in self.stage.script():
                yield from self._step(keeper, step, probes=self.sizes.turn)
            keeper.end_scene()
            self._heard(keeper)
            yield from self._fork(keeper)
            yield from self._look(keeper, self.sizes.end // 4)
            self._retract(keeper)
            yield from self._look(keeper, self.sizes.end)
            yield from self._again(keeper)
            yield from self._looking(keeper).wrong_turns()

    # ── turns ────────────────────────────────────────────────────────────────────────────────

    def _step(self, keeper: Storykeeper, step: Step, *, probes: int) -> Iterator[Shown]:
        turn = keeper.begin(step.line, player=step.player)
        self._heard(keeper)
        self._moved(turn.number, step)
        for secret in step.secrets:
            there = self.stage.hearing(self.moment.places)
            secret.tell(turn.number, there=there, atoms=_said(secret, turn.present.decided))
        yield from self._look(keeper, probes, under_way=turn)
        yield from self._looking(keeper).refusals()
        keeper.render(turn, step.prose, stage=self.stage.declared(step))

    def _moved(self, turn: int, step: Step) -> None:
        places = dict(self.moment.places)
        if step.room:
            places = self.stage.moved(places, step.room)
        player = step.player or self.stage.player.id
        self.moment = replace(self.moment, turn=turn, places=places, player=player)
        if self.moment.branch == TRUNK:
            self.places[turn], self.players[turn] = places, player
        if step.mark:
            self.stage.turns[step.mark] = turn

    def _heard(self, keeper: Storykeeper) -> None:
        """The turn before is fact now: which of its events are the telling of a secret."""
        last = keeper.history()[-1]
        for secret in self.stage.spoken:
            if last.turn in secret.turns and secret.branch == self.moment.branch:
                secret.atoms |= _said(secret, last.atoms)

    # ── the fork, and what is taken back ─────────────────────────────────────────────────────

    def _fork(self, keeper: Storykeeper) -> Iterator[Shown]:
        at = self.random.randint(3, self.moment.turn - 2)
        keeper.fork(at=at, name=BRANCH)
        trunk = self.moment
        self.moment = replace(trunk, turn=at, branch=BRANCH, places=self.places[at], forked_at=at)
        address = f"{self.path}@{BRANCH}"
        with closing(Storykeeper.open(address, reader=self.reader)) as other:
            yield from self._look(other, self.sizes.branch)
            for step in self.stage.branch:
                yield from self._step(other, step, probes=1)
            other.end_scene()
            self._heard(other)
            yield from self._look(other, self.sizes.branch)
        self.moment = trunk

    def _retract(self, keeper: Storykeeper) -> None:
        turn = self.stage.turns[RETRACTED]
        keeper.retract(turn)
        self.moment = replace(self.moment, retracted=frozenset({turn}))

    # ── looking ──────────────────────────────────────────────────────────────────────────────

    def _looking(self, keeper: Storykeeper) -> Looking:
        return Looking(self.stage, keeper, self.moment, self.random)

    def _look(
        self, keeper: Storykeeper, times: int, *, under_way: Turn | None = None
    ) -> Iterator[Shown]:
        looking = self._looking(keeper)
        for _ in range(times):
            audience, tokens = looking.audience(), looking.tokens()
            text = "" if under_way is not None else looking.line()
            yield from looking.probe(audience, text=text, tokens=tokens)
            if under_way is not None:
                yield from designs(under_way, keeper.history(), audience, self.moment)

    def _again(self, keeper: Storykeeper) -> Iterator[Shown]:
        """Windows of earlier turns, made again from what the ledger holds."""
        now = self.moment
        for turn in self.random.sample(sorted(self.places), self.sizes.again):
            then = self.places[turn]  # and nothing was taken back yet
            self.moment = replace(
                now, turn=turn, places=then, player=self.players[turn], retracted=frozenset()
            )
            yield self._looking(keeper).made_again()
        self.moment = now


def _said(secret: Spoken, records: tuple[object, ...]) -> set[str]:
    """The events in which a secret was said."""
    return {
        f"atom:{record.id}"
        for record in records
        if isinstance(record, Atom) and _tells(secret, record)
    }


def _tells(secret: Spoken, atom: Atom) -> bool:
    """Whether an event has a secret in it: in what is said, or in the name of what it is about."""
    if secret.wording.canary in repr(atom):
        return True
    what = atom.what
    return isinstance(what, SpeechUttered) and tells(words_of(what.words), secret.wording.content)
