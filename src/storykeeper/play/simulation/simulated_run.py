"""One run that nobody plays: lines made up, what the rules make of them, the author's prose.

A line goes the way it goes offline: it is a turn if something comes of it, and answered without one
if not. The prose is not read: the author's directions say who comes and goes, and what a parser
would make of the rest no condition asks. Where windows are wanted, it is.

A run ends where an ending is told, where its turns are used up, or where it is stuck: nothing new
has come for STILL turns, and neither anything that can be tried nor waiting brings anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from storykeeper.context.history import PresentTurn
from storykeeper.events.turns import StoryAdopted
from storykeeper.gravity.landscape import landscape
from storykeeper.language.reading import Reader, Reading, Somebody
from storykeeper.play import narrate
from storykeeper.play.beats import next_beat, told_at
from storykeeper.play.commit import play_out
from storykeeper.play.guide import TOLD_LAST, guidance
from storykeeper.play.past import Past
from storykeeper.play.running import Running
from storykeeper.play.seeing import NARRATOR, seen
from storykeeper.play.simulation.players import WAIT, Player, lines_here
from storykeeper.story.scenes import Scene
from storykeeper.story.standing import asked_at
from storykeeper.units import SceneId, TurnNo, Version
from storykeeper.world.begin import begin
from storykeeper.world.heard import BEAT
from storykeeper.world.plan import plan
from storykeeper.world.state import Pending, World, in_turn, whose_turn

STILL = 12  # turns without anything new, until it is asked whether it is stuck
PATIENCE = 30  # turns of waiting that are tried then
UNANSWERED = 12  # lines in a row that are no turn, until the player waits
ALWAYS_FELT = 0.1  # of pull; less is nothing to speak of


class Pulled(msgspec.Struct, frozen=True):
    """How hard a scene pulled, from the first turn it did to its most, and where the story was."""

    first: float
    most: float
    at: str


class Outcome(msgspec.Struct, frozen=True):
    """What a run came to."""

    number: int
    player: str
    lines: tuple[str, ...]  # all that was typed; of a turn or not
    turns: int
    scene: str
    ended: bool
    stuck: bool
    scenes: frozenset[str]
    told: frozenset[str]
    happened: frozenset[str]
    known: frozenset[str]  # by any player
    suspected: frozenset[str]
    pulls: dict[str, Pulled]  # of scenes that were not reached
    tokens: tuple[int, ...] = ()  # of windows, if they were made
    refused: tuple[str, ...] = ()  # lines that were no turn, each as often as it was typed
    silent: dict[str, str] = {}  # places with a scene that was not opened: what went on instead


class Unread:
    """A reader that reads nothing."""

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """Nothing of it."""
        return Reading(text)


@dataclass(slots=True)
class SimulatedRun:
    """A run under way."""

    record: StoryAdopted
    player: Player
    reader: Reader = field(default_factory=Unread)
    windows: bool = False
    lines: list[str] = field(default_factory=list)
    _state: Running = field(init=False)
    _tokens: list[int] = field(default_factory=list)
    _pulls: dict[str, Pulled] = field(default_factory=dict)
    _refused: list[str] = field(default_factory=list)
    _silent: dict[str, str] = field(default_factory=dict)
    _still: int = 0
    _ended: bool = False

    def __post_init__(self) -> None:
        world = begin(plan(self.record))
        self._state = Running(Version(0), world, Past(), self.reader)

    def read_by(self, reader: Reader) -> None:
        """Have the prose read."""
        self.reader = self._state.reader = reader

    def play(self, number: int, *, most_turns: int) -> Outcome:
        """All of it."""
        stuck = False
        self._turn("")
        while not self._ended and not stuck and self._next_turn < most_turns:
            self._turn(self._line())
            self._feel()
            self._listen()
            stuck = self._still >= STILL and self._is_stuck()
        return self._outcome(number, stuck=stuck)

    @property
    def _next_turn(self) -> TurnNo:
        return TurnNo(self._state.world.now + 1 if self._state.past.turns else 0)

    def _pending(self, line: str) -> Pending:
        players, turn = self._state.world.plan.players, self._next_turn
        return Pending(turn, players[turn % len(players)], line)

    def _line(self) -> str:
        """What is typed next and is a turn; what is not is answered, and typed all the same."""
        world = in_turn(self._state.world, self._pending(""))
        for _ in range(UNANSWERED):
            line = self.player.line(world, self.lines)
            self.lines.append(line)
            if self._is_turn(line):
                return line
            self._refused.append(line)
        self.lines.append(WAIT)
        return WAIT

    def _is_turn(self, line: str) -> bool:
        here = self._state.world.scene
        near = [turn.prose for turn in self._state.past.turns if turn.scene == here]
        told = " ".join(near[-TOLD_LAST:])
        return guidance(self._state.world, self._pending(line), told) is None

    def _turn(self, line: str) -> None:
        before, pending = self._state.world, self._pending(line)
        if self.windows:
            made = seen(pending, self._state, audience=NARRATOR, tokens=None)
            present, world = made.present, made.world
            self._tokens.append(made.window.tokens)
        else:
            present, world = _played(self._state.world, pending)
        prose = narrate.offline(world, present, self._state.past.turns)
        shown = tuple(f"{BEAT}{name}" for name, _ in present.beats)
        self._state.decide(msgspec.structs.replace(
            pending, shown=shown, scene=SceneId(world.scene or ""), take=1, takes=1, prose=prose,
            stage=narrate.stage(world, present),
        ))  # fmt: skip
        self._state.decided.clear()
        self._ended = narrate.is_told(world, present)
        self._still = 0 if _is_new(before, self._state.world) else self._still + 1

    def _feel(self) -> None:
        """How hard the scenes pull that are not reached; once it ends, nothing is to come."""
        if self._scene is None or self._scene.ending:
            return
        for each in landscape(self._state.world).attractors:
            before = self._pulls.get(each.scene)
            if before is None:
                self._pulls[each.scene] = Pulled(each.pull, each.pull, self._here)
            elif each.pull > before.most:
                self._pulls[each.scene] = Pulled(before.first, each.pull, self._here)

    def _listen(self) -> None:
        """Whether the player stands where a scene waits for them, and another goes on instead."""
        world = in_turn(self._state.world, self._pending(""))
        place, scene = world.places.get(whose_turn(world)), self._scene
        if scene is None or scene.setting is None or scene.ending or next_beat(world) is not None:
            return
        scenes = world.plan.scenes.values()
        led = {
            w.to for each in scenes for w in each.leads_to if w.when and place in asked_at(w.when)
        }
        there = (each for each in scenes if each.setting == place and each.id in led)
        openings = [f"{each.id}/{each.beats[0].id}" for each in there if each.beats]
        untold = any(name not in world.told for name in openings)
        if place is not None and untold and place not in told_at(world, scene):
            self._silent.setdefault(place, scene.id)

    @property
    def _scene(self) -> Scene | None:
        return self._state.world.plan.scenes.get(self._here)

    @property
    def _here(self) -> str:
        return self._state.world.scene or ""

    # ── whether it is stuck ──────────────────────────────────────────────────────────────────

    def _is_stuck(self) -> bool:
        """Whether nothing that can be tried brings anything, nor waiting."""
        self._still = 0
        return not any(self._brings(lines) for lines in self._attempts())

    def _attempts(self) -> Iterator[list[str]]:
        world = in_turn(self._state.world, self._pending(""))
        yield from ([line] for line in lines_here(world))
        yield [WAIT] * PATIENCE

    def _brings(self, lines: list[str]) -> bool:
        tried = SimulatedRun(self.record, self.player, self.reader)
        tried._state = self._state.copy()
        before = tried._state.world
        for line in lines:
            tried._turn(line)
            if _is_new(before, tried._state.world):
                return True
        return False

    # ── what it came to ──────────────────────────────────────────────────────────────────────

    def _outcome(self, number: int, *, stuck: bool) -> Outcome:
        world = self._state.world
        scenes = frozenset(str(name) for name, state in world.scenes.items() if state.visits)
        held = [world.known[who] for who in world.plan.players if who in world.known]
        knows = {fact for known in held for fact, each in known.items() if not each.suspected}
        guesses = {fact for known in held for fact in known} - knows
        return Outcome(
            number=number, player=self.player.name, lines=tuple(self.lines),
            turns=len(self._state.past.turns), scene=self._here, ended=self._ended, stuck=stuck,
            scenes=scenes, told=frozenset(world.told), happened=frozenset(world.happened),
            known=frozenset(knows), suspected=frozenset(guesses),
            pulls={name: each for name, each in self._pulls.items() if name not in scenes},
            tokens=tuple(self._tokens), refused=tuple(self._refused), silent=dict(self._silent),
        )  # fmt: skip


def _played(world: World, turn: Pending) -> tuple[PresentTurn, World]:
    """A turn as it is shown, without a window."""
    unfolding = play_out(world, turn)
    beat = next_beat(unfolding.world)
    beats = () if beat is None else (beat,)
    present = PresentTurn(turn.turn, turn.player, turn.text, tuple(unfolding.records), beats)
    return present, unfolding.world


def _is_new(before: World, now: World) -> bool:
    """Whether the story went on: a scene, a beat, a fact, an event, a gate, a thing in a hand."""
    same = ("told", "happened", "gates", "known", "scene", "holders", "layers")
    return any(getattr(before, each) != getattr(now, each) for each in same)
