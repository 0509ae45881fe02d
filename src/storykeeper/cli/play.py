"""`storykeeper play`: a story in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.bootstrap import Storykeeper, model_reader
from storykeeper.cli.say import log_line
from storykeeper.cli.terminal import Keyboard, Lines, Screen, Script
from storykeeper.cli.why import explained
from storykeeper.context.window import Window
from storykeeper.errors import (
    InputRefused,
    LedgerReadOnly,
    StorykeeperError,
    WindowError,
    WrongExpectedVersion,
)
from storykeeper.language.tokens import counter
from storykeeper.play import narrate
from storykeeper.play.presence import presence
from storykeeper.play.turn import Turn
from storykeeper.story.loader import load_story
from storykeeper.story.model import NARRATOR
from storykeeper.units import Version
from storykeeper.world.state import Pending

HELP = """\
Type what you do or say. Lines that begin with / are for the program:
  /window        what the narrator was given for this turn
  /why [ITEM]    why each item was in it, or one of them
  /swipe         have this turn told again
  /undo          take your last line back
  /here WHO      set right that somebody is here; /gone WHO, that they are not
  /holds THING WHO   set right who has something
  /fork NAME     branch off here; continue it with --run FILE@NAME
  /log [N]       the last N records
  /save          where the story is kept (it always is)
  /quit          leave; come back any time (Ctrl-D and Ctrl-C do the same)
A line of the story that should begin with / begins with //. What you paste is one line."""


def play(
    story: Annotated[Path, typer.Argument(metavar="STORY", help="The folder with story.yaml.")],
    run: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Where it is kept; STORY-ID.db here unless given."),
    ] = None,
    script: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            readable=True,
            help="Take the player's lines from a file; # is a remark.",
        ),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Tokens of the narrator's window.")
    ] = None,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Follow the edited story files from here on.")
    ] = False,
    reader: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Let a model behind this OpenAI-compatible endpoint read the prose."
        ),
    ] = None,
    reader_model: Annotated[
        str, typer.Option(metavar="NAME", help="Which of its models; only with --reader.")
    ] = "default",
    plain: Annotated[bool, typer.Option("--plain", help="No colours, no status line.")] = False,
) -> None:
    """Play a story. Everything is kept as you go; /help lists what else you can do.

    Ctrl-C leaves at any moment: what you typed and what you were shown is kept (exit code 130).
    """
    loaded = load_story(story, counters=counter)
    screen = Screen(plain=plain)
    address = run or f"{loaded.id}.db"
    reads = model_reader(reader, model=reader_model) if reader is not None else None
    opened = Storykeeper.open(address, story=loaded, tokens=budget, adopt=adopt, reader=reads)
    with opened as keeper:
        if keeper.read_only:
            raise LedgerReadOnly(f"{address}: cannot be written, so not be played; copy it first")
        try:
            Game(keeper, screen, address).play(_lines(script, screen, keeper))
        except KeyboardInterrupt:
            screen.note(f"stopped; kept in {address}")
            raise


def _lines(script: Path | None, screen: Screen, keeper: Storykeeper) -> Lines:
    if script is not None:
        return Script.read(script, screen)
    if not sys.stdin.isatty():
        return Script.piped(screen)
    return Keyboard(said=(turn.text for turn in keeper.history() if turn.text))


class Game:
    """A run being played."""

    def __init__(self, keeper: Storykeeper, screen: Screen, address: str) -> None:
        self.keeper = keeper
        self.screen = screen
        self.address = address

    def play(self, lines: Lines) -> None:
        """Until the lines end, or somebody leaves."""
        self._begin()
        for line in lines:
            if not self._line(line.strip()):
                break
        self.screen.note(f"kept in {self.address}")

    def _begin(self) -> None:
        world = self.keeper.world()
        self.screen.note(narrate.ABOUT)
        if self.keeper.story_changed:
            self.screen.note("the story's files have changed since this run began; it goes on with"
                             " its own. --adopt follows the new ones")  # fmt: skip
        if self.keeper.scene_lost is not None:
            self.screen.note(f"the edited story has no scene {self.keeper.scene_lost!r}, where this"
                             " run stood; it goes on from where the story begins")  # fmt: skip
        if world.pending is None and not self.keeper.history():
            self._tell(self.keeper.opening())
        elif world.pending is None or world.pending.take:
            self._last_told()
        else:
            self._go_on(world.pending)

    def _go_on(self, pending: Pending) -> None:
        """Answer a line that was typed and never answered: the program ended in between."""
        if pending.text:
            self.screen.note(f"turn {pending.turn}: {pending.text}")
        try:
            self._tell(self.keeper.turn())
        except WindowError as refused:
            if not self.keeper.history():
                raise
            self.screen.note(str(refused))

    def _line(self, line: str) -> bool:
        """Play a line; False to leave."""
        if line.startswith("/") and not line.startswith("//"):
            return self._command(line)
        try:
            turn = self.keeper.begin(line.removeprefix("/") if line.startswith("//") else line)
            if turn.replaced:
                self.screen.note("the line before was never answered; this one takes its place")
            if turn.question is not None:
                self.screen.note(turn.question)
            else:
                self._tell(turn)
        except InputRefused as refused:
            self.screen.note(str(refused))
        except WindowError as refused:
            self.screen.note(f"{refused} (--budget N, or /undo the line before)")
        except WrongExpectedVersion:
            self.screen.note("somebody else is playing this run, and was quicker; it went on to:")
            self._last_told()
        return True

    def _tell(self, turn: Turn) -> None:
        prose = narrate.offline(turn.world, turn.present, self.keeper.history())
        self.keeper.render(turn, prose, narrator=narrate.NAME, stage=narrate.STAGE)
        self.screen.prose(prose)
        for note in self.keeper.read_ahead():
            self.screen.note(note)
        if narrate.is_told(turn.world, turn.present):
            self.screen.note("/undo, /fork, or /quit")
        self._status(turn)

    def _last_told(self) -> None:
        pending = self.keeper.world().pending
        past = self.keeper.history()
        if pending is not None and pending.text:
            self.screen.note(f"turn {pending.turn}: {pending.text}")
        elif pending is None and past and past[-1].text:
            self.screen.note(f"turn {past[-1].turn}: {past[-1].text}")
        self.screen.prose(pending.prose if pending is not None else past[-1].prose if past else "")
        self._status()

    def _status(self, turn: Turn | None = None) -> None:
        if not self.screen.rich:
            return
        if turn is None and self.keeper.world().pending is not None:
            turn = self.keeper.turn()
        world, past = turn.world if turn is not None else self.keeper.world(), self.keeper.history()
        player = world.plan.players[0]
        here = world.plan.settings.get(world.places.get(player) or "")
        people = [str(each) for each in presence(world, past, NARRATOR)]
        parts = [
            f"turn {turn.number if turn is not None else past[-1].turn if past else 0}",
            here.name if here is not None else "…",
            ", ".join(people) or "alone",
        ]
        if turn is not None:
            spent = turn.window.receipt.spent
            parts.append(f"window {turn.window.tokens} of {spent.budget} tokens")
        self.screen.status(" · ".join(parts))

    # ── commands ─────────────────────────────────────────────────────────────────────────────

    def _command(self, line: str) -> bool:
        name, _, rest = line[1:].strip().partition(" ")
        known = {
            "window": self._window, "why": self._why, "swipe": self._swipe, "undo": self._undo,
            "fork": self._fork, "log": self._log, "save": self._save, "help": self._help,
            "here": self._here, "gone": self._gone, "holds": self._holds,
        }  # fmt: skip
        if "\n" in line:
            self.screen.note("a command stands alone on its line; // begins a line with /")
            return True
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

    def _shown(self) -> Window:
        """The window of the turn that was told last."""
        if self.keeper.world().pending is not None:
            return self.keeper.turn().window
        past = self.keeper.history()
        return self.keeper.window_of(past[-1].turn if past else 0)

    def _window(self, _: str) -> None:
        self.screen.raw(self._shown().text)

    def _why(self, item: str) -> None:
        self.screen.raw(explained(self._shown(), item=item or None))

    def _swipe(self, _: str) -> None:
        if self.keeper.world().pending is None:
            self.screen.note("the last turn is fact already; /undo takes it back")
            return
        self.screen.note("told again; the offline narrator has one way of telling")
        self._tell(self.keeper.turn())

    def _undo(self, _: str) -> None:
        pending, past = self.keeper.world().pending, self.keeper.history()
        if pending is not None and pending.text:
            self.keeper.reject(why="undo")
        elif pending is None and past and past[-1].text:
            self.keeper.retract(past[-1].turn, why="undo")
        else:
            self.screen.note("nothing has been said yet that could be taken back")
            return
        self.screen.note("taken back; the story stands where it stood before that line")
        self._last_told()

    def _fork(self, name: str) -> None:
        if not name:
            self.screen.note("say what to call it: /fork what-if")
            return
        info = self.keeper.fork(at=self.keeper.last_turn(), name=name)
        path = self.address.partition("@")[0]
        self.screen.note(f"forked; continue it with --run {path}@{info.run}")

    def _here(self, who: str) -> None:
        if who:
            self.keeper.correct(here=[who])
        self._say_presence()

    def _gone(self, who: str) -> None:
        if not who:
            self.screen.note("say who is gone: /gone Renna")
            return
        self.keeper.correct(gone=[who])
        self._say_presence()

    def _holds(self, words: str) -> None:
        thing, _, who = words.rpartition(" ")
        if not thing:
            self.screen.note("say what, and who has it: /holds lamp Dov")
            return
        self.keeper.correct(holds={thing.strip(): who})
        self.screen.note(f"{who} has {thing.strip()}, from now on")

    def _say_presence(self) -> None:
        here = ", ".join(map(str, self.keeper.presence()))
        self.screen.note(f"here now: {here or 'nobody else'}")

    def _log(self, count: str) -> None:
        last = int(count) if count.isdecimal() else 10
        head = self.keeper.ledger.head(self.keeper.run).version
        after = Version(max(0, head - last))
        for entry in self.keeper.ledger.read(self.keeper.run, after=after):
            self.screen.raw(log_line(entry, width=100))

    def _save(self, _: str) -> None:
        self.screen.note(f"every turn is on disk as soon as you see it: {self.address}")
