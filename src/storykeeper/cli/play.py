"""`storykeeper play`: a story in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.bootstrap import Storykeeper
from storykeeper.cli.terminal import Keyboard, Lines, Screen, Script
from storykeeper.cli.why import explained
from storykeeper.engine import Turn
from storykeeper.errors import InputRefused, StorykeeperError
from storykeeper.language.tokens import counter
from storykeeper.play import narrate
from storykeeper.story.loader import load_story
from storykeeper.world.state import present

HELP = """\
Type what you do or say. Lines that begin with / are for the program:
  /window        what the narrator was given for this turn
  /why [ITEM]    why each item was in it, or one of them
  /swipe         have this turn told again
  /undo          take your last line back
  /fork NAME     branch off here; continue it with --run FILE@NAME
  /log [N]       the last N records
  /save          where the story is kept (it always is)
  /quit          leave; come back any time
A line that should begin with / begins with //."""


def play(
    story: Annotated[Path, typer.Argument(metavar="STORY", help="The folder with story.yaml.")],
    run: Annotated[
        str | None, typer.Option(help="Where the run is kept; STORY-ID.db here unless given.")
    ] = None,
    script: Annotated[
        Path | None, typer.Option(help="Take the player's lines from a file; # is a remark.")
    ] = None,
    budget: Annotated[int | None, typer.Option(help="Tokens of the narrator's window.")] = None,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Follow the edited story files from here on.")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="No colours, no status line.")] = False,
) -> None:
    """Play a story. Everything is kept as you go; /help lists what else you can do."""
    loaded = load_story(story, counters=counter)
    screen = Screen(plain=plain)
    address = run or f"{loaded.id}.db"
    with Storykeeper.open(address, story=loaded, tokens=budget, adopt=adopt) as keeper:
        Game(keeper, screen, address).play(_lines(script, screen))


def _lines(script: Path | None, screen: Screen) -> Lines:
    if script is not None:
        return Script(script.read_text("utf-8").splitlines(), screen)
    return Keyboard() if sys.stdin.isatty() else Script(sys.stdin, screen)


class Game:
    """A run being played."""

    def __init__(self, keeper: Storykeeper, screen: Screen, address: str) -> None:
        self.keeper = keeper
        self.screen = screen
        self.address = address

    def play(self, lines: Lines) -> None:
        """Until the lines end, or somebody leaves."""
        self._begin()
        self._status()
        for line in lines:
            if not self._line(line):
                break
            self._status()
        self.screen.note(f"kept in {self.address}")

    def _begin(self) -> None:
        world = self.keeper.world()
        self.screen.note(narrate.ABOUT)
        if self.keeper.story_changed:
            self.screen.note("the story's files have changed since this run began; it goes on with"
                             " its own. --adopt follows the new ones")  # fmt: skip
        fresh = world.pending is None and not self.keeper.history()
        if fresh or (world.pending is not None and not world.pending.take):
            self._tell(self.keeper.opening() if fresh else self.keeper.turn())
        else:
            self._last_told()

    def _line(self, line: str) -> bool:
        """Play a line; False to leave."""
        if line.startswith("/") and not line.startswith("//"):
            return self._command(line)
        try:
            turn = self.keeper.begin(line.removeprefix("/") if line.startswith("//") else line)
        except InputRefused as refused:
            self.screen.note(str(refused))
            return True
        if turn.replaced:
            self.screen.note("the line before was never answered; this one takes its place")
        self._tell(turn)
        return True

    def _tell(self, turn: Turn) -> None:
        prose = narrate.offline(turn.world, turn.present)
        self.keeper.render(turn, prose, narrator=narrate.NAME)
        self.screen.prose(prose)
        scene = turn.world.plan.scenes.get(turn.world.scene or "")
        if scene is not None and scene.ending and not turn.present.beats:
            self.screen.note("the story is told; /undo, /fork, or /quit")

    def _last_told(self) -> None:
        pending = self.keeper.world().pending
        past = self.keeper.history()
        text = pending.prose if pending is not None else past[-1].prose if past else ""
        self.screen.prose(text)

    def _status(self) -> None:
        turn = self.keeper.turn() if self.keeper.world().pending is not None else None
        if turn is None or not self.screen.rich:
            return
        world, window = turn.world, turn.window
        here = world.plan.settings.get(world.places.get(turn.present.player) or "")
        people = [world.plan.cast[who].name for who in present(world) if who != turn.present.player]
        limit = window.receipt.spent.budget
        self.screen.status(
            f"turn {turn.number} · {here.name if here is not None else '…'}"
            f" · {', '.join(people) or 'alone'} · window {window.tokens} of {limit} tokens"
        )

    # ── commands ─────────────────────────────────────────────────────────────────────────────

    def _command(self, line: str) -> bool:
        name, _, rest = line[1:].strip().partition(" ")
        known = {
            "window": self._window, "why": self._why, "swipe": self._swipe, "undo": self._undo,
            "fork": self._fork, "log": self._log, "save": self._save, "help": self._help,
        }  # fmt: skip
        if name in ("quit", "exit", "q"):
            return False
        if name not in known:
            self.screen.note(f"there is no /{name}; /help lists what there is")
            return True
        try:
            known[name](rest.strip())
        except StorykeeperError as error:
            self.screen.note(str(error))
        return True

    def _help(self, _: str) -> None:
        self.screen.raw(HELP)

    def _window(self, _: str) -> None:
        self.screen.raw(self.keeper.turn().window.text)

    def _why(self, item: str) -> None:
        self.screen.raw(explained(self.keeper.turn().window, item=item or None))

    def _swipe(self, _: str) -> None:
        self.screen.note("told again; the offline narrator has one way of telling")
        self._tell(self.keeper.turn())

    def _undo(self, _: str) -> None:
        world = self.keeper.world()
        if self.keeper.last_turn() == 0:
            self.screen.note("nothing has been said yet that could be taken back")
            return
        if world.pending is not None:
            self.keeper.reject(why="undo")
        else:
            self.keeper.retract(world.now, why="undo")
        self.screen.note("taken back; the story stands where it stood before that line")
        self._last_told()

    def _fork(self, name: str) -> None:
        if not name:
            self.screen.note("say what to call it: /fork what-if")
            return
        info = self.keeper.fork(at=self.keeper.last_turn(), name=name)
        path = self.address.partition("@")[0]
        self.screen.note(f"forked; continue it with --run {path}@{info.run}")

    def _log(self, count: str) -> None:
        from storykeeper.cli.say import log_line

        last = int(count) if count.isdigit() else 10
        entries = list(self.keeper.ledger.read(self.keeper.run))[-last:]
        for entry in entries:
            self.screen.raw(log_line(entry, width=100))

    def _save(self, _: str) -> None:
        self.screen.note(f"every turn is on disk as soon as you see it: {self.address}")
