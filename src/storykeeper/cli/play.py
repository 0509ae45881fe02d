"""`storykeeper play`: a story in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.bootstrap import (
    Storykeeper,
    model_characters,
    model_endpoint,
    model_narrator,
    model_reader,
)
from storykeeper.cli.play_commands import Commands
from storykeeper.cli.settings import ModelName, SettingsFile, with_characters, with_model
from storykeeper.cli.settings import settings as read_settings
from storykeeper.cli.status_line import status_line
from storykeeper.cli.story_watch import StoryWatch
from storykeeper.cli.terminal import Keyboard, Lines, Screen, Script
from storykeeper.errors import (
    InputRefused,
    LedgerReadOnly,
    ModelUnavailable,
    WindowError,
    WrongExpectedVersion,
    WrongStory,
)
from storykeeper.language.tokens import counter
from storykeeper.models.settings import NOBODY, ModelSettings
from storykeeper.play import narrate
from storykeeper.play.guide import OVER
from storykeeper.play.narrator import LENGTH, Narrator
from storykeeper.play.offers import Offer
from storykeeper.play.stage_call import CALL, READER
from storykeeper.play.turn import Turn
from storykeeper.story.loader import load_story
from storykeeper.units import typed_number
from storykeeper.world.state import Pending

KEPT = "your line is kept: /retry has it told, /undo takes it back"
LEAVING = "/undo, /fork, or /quit"
OFTEN = 2  # times that the same offers are listed one after the other
AS_BEFORE = "(You could do as before; ? lists it again.)"
MISFITS = "something in this does not fit the story as it stands; /swipe has it told again"


StoryFolder = Annotated[Path, typer.Argument(metavar="STORY", help="The folder with story.yaml.")]
RunFile = Annotated[
    str | None,
    typer.Option(metavar="RUN", help="Where it is kept; STORY-ID.db here unless given."),
]
ModelUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Who narrates: an OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1;"
        " local, the model of that extra; offline, nobody.",
    ),
]
ScriptFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", exists=True, dir_okay=False, readable=True,
        help="Take the player's lines from a file; # is a remark.",
    ),
]  # fmt: skip
Budget = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Tokens of the narrator's window.")
]
Adopt = Annotated[bool, typer.Option("--adopt", help="Follow the edited story files from here on.")]
Watch = Annotated[
    bool,
    typer.Option(
        "--watch",
        help="Look at the story's files before each line, and follow them as they are edited; while"
        " they have errors, the story as it was. With --adopt.",
    ),
]
ReaderUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="Let a model behind this OpenAI-compatible endpoint read the prose."
    ),
]
ReaderModel = Annotated[
    str, typer.Option(metavar="NAME", help="Which of its models; only with --reader.")
]
CharactersUrl = Annotated[
    str | None,
    typer.Option(
        "--characters", metavar="URL",
        help="Who plays those whom nobody plays, each from what they know: an OpenAI-compatible"
        " endpoint; local; offline, the rules.",
    ),
]  # fmt: skip
CharactersModel = Annotated[
    str | None,
    typer.Option("--characters-model", metavar="NAME", help="Which of its models."),
]
Plain = Annotated[bool, typer.Option("--plain", help="No colours, no status line.")]


def play(
    story: StoryFolder,
    run: RunFile = None,
    model: ModelUrl = None,
    model_name: ModelName = None,
    settings: SettingsFile = None,
    script: ScriptFile = None,
    budget: Budget = None,
    adopt: Adopt = False,
    watch: Watch = False,
    reader: ReaderUrl = None,
    reader_model: ReaderModel = "default",
    characters_url: CharactersUrl = None,
    characters_name: CharactersModel = None,
    plain: Plain = False,
) -> None:
    """Play a story. Everything is kept as you go; /help lists what else you can do.

    Ctrl-C stops a model that is telling; at the prompt it leaves (exit code 130). What you typed
    and what you were shown whole is kept.
    """
    found = read_settings(settings)
    chosen = with_model(found, url=model, name=model_name)
    watched = StoryWatch(story) if watch else None
    loaded = load_story(story, counters=counter)
    screen = Screen(plain=plain or found.plain)
    reads = model_reader(reader, model=reader_model) if reader is not None else None
    narrator = None if chosen.url in NOBODY else model_narrator(chosen)
    characters = model_characters(with_characters(found, url=characters_url, name=characters_name))

    def opened(address: str) -> Storykeeper:
        return _writable(address, Storykeeper.open(
            address, story=loaded, tokens=budget or found.budget, adopt=adopt or watch,
            reader=reads, characters=characters,
            staging=READER if narrator is None else chosen.staging,
            stager=model_endpoint(chosen) if narrator and chosen.staging == CALL else None,
        ))  # fmt: skip

    game = Game(opened, screen, run or f"{loaded.id}.db", narrator, chosen)
    if characters is not None:
        screen.note(f"{characters.name} plays those whom nobody plays, each by what they know")
    game.watch = watched
    try:
        game.play(_lines(script, screen, game))
    except KeyboardInterrupt:
        screen.note(f"stopped; kept in {game.address}")
        raise
    finally:
        game.keeper.close()


def _writable(address: str, keeper: Storykeeper) -> Storykeeper:
    if keeper.read_only:
        keeper.close()
        raise LedgerReadOnly(f"{address}: cannot be written, so not be played; copy it first")
    return keeper


def _lines(script: Path | None, screen: Screen, game: Game) -> Lines:
    if script is not None:
        return Script.read(script, screen)
    if not sys.stdin.isatty():
        return Script.piped(screen)
    game.by_hand = True
    return Keyboard(said=(turn.text for turn in game.keeper.history() if turn.text))


class Game:
    """A run being played."""

    by_hand = False  # somebody is there who can have a turn told again
    watch: StoryWatch | None = None  # the author's files, if they are followed as they are edited

    def __init__(
        self, opened: Callable[[str], Storykeeper], screen: Screen, address: str,
        narrator: Narrator | None = None, model: ModelSettings | None = None,
    ) -> None:  # fmt: skip
        self._opened = opened
        self.keeper = opened(address)
        self.screen = screen
        self.address = address
        self.narrator = narrator
        self._model = model
        self._again = 0  # how often the same was offered, one time after the other
        self._offers: tuple[Offer, ...] = ()  # what was offered last, to be picked by number
        self._commands = Commands(self)

    def play(self, lines: Lines) -> None:
        """Until the lines end, or somebody leaves."""
        self.begin()
        for line in lines:
            if not self._line(line.strip()):
                break
        self.screen.note(f"kept in {self.address}")

    def begin(self) -> None:
        """Where the story stands: its opening, what was told last, or a line still to be told."""
        world = self.keeper.world()
        self.screen.note(self._about())
        if self.keeper.story_changed:
            self.screen.note("the story's files have changed since this run began; it goes on with"
                             " its own. --adopt follows the new ones")  # fmt: skip
        self._say_scene_lost()
        if world.pending is None and not self.keeper.history():
            self.tell(self.keeper.opening())
        elif world.pending is None or world.pending.take:
            self.last_told()
        else:
            self._go_on(world.pending)

    def _about(self) -> str:
        if self.narrator is None or self._model is None:
            return narrate.ABOUT
        where = self._model.url if self._model.name == "default" else self._model.name
        return f"{where} tells this story; storykeeper decides what it knows"

    def _go_on(self, pending: Pending) -> None:
        """Answer a line that was typed and never answered: the program ended in between."""
        if pending.text:
            self.screen.note(f"turn {pending.turn}: {pending.text}")
        try:
            self.tell(self.keeper.turn())
        except WindowError as refused:
            if not self.keeper.history():
                raise
            self.screen.note(str(refused))

    def _line(self, line: str) -> bool:
        """Play a line; False to leave."""
        self._follow_edits()
        if line.startswith("/") and not line.startswith("//"):
            return self._commands.obey(line)
        line = line.removeprefix("/") if line.startswith("//") else line
        try:
            played = line if self.narrator is not None else self._guided(line)
            if played is None:
                return True
            line = played
            turn = self.keeper.begin(line)
            if turn.replaced:
                self.screen.note("the line before was never answered; this one takes its place")
            for note in turn.unread:
                self.screen.note(note)
            if turn.question is not None:
                self.screen.note(turn.question)
            else:
                self.tell(turn)
        except InputRefused as refused:
            self.screen.note(str(refused))
        except WindowError as refused:
            self.screen.note(f"{refused} (--budget N, or /undo the line before)")
        except WrongExpectedVersion:
            self.screen.note("somebody else is playing this run, and was quicker; it went on to:")
            self.last_told()
        return True

    def _follow_edits(self) -> None:
        """Follow the author's files if they were edited and have no errors."""
        reading = None if self.watch is None else self.watch.edited()
        if self.watch is None or reading is None:
            return
        for problem in (*reading.errors, *reading.warnings):
            self.screen.note(str(problem))
        if reading.story is None:
            self.screen.note("the files have errors; the story goes on as it was before")
            return
        try:
            if self.keeper.follow(reading.story, source=self.watch.folder):
                self.screen.note("the edited story is followed from here on")
            elif self.watch.mended:
                self.screen.note("the files are whole again, and as they were")
        except WrongStory as problem:
            self.screen.note(str(problem))
        self._say_scene_lost()

    def _say_scene_lost(self) -> None:
        if self.keeper.scene_lost is not None:
            self.screen.note(f"the edited story has no scene {self.keeper.scene_lost!r}, where this"
                             " run stood; it goes on from where the story begins")  # fmt: skip

    def _guided(self, line: str) -> str | None:
        """The line to play, where nobody but the author tells; None if it was answered already."""
        number = typed_number(line)
        if number is not None:
            picked = dict(enumerate(self._offers, 1)).get(number)
            line = "?" if picked is None else picked.line
            self.screen.note(line)
        guidance = self.keeper.guidance(line) if line else None
        before, self._offers = self._offers, () if guidance is None else guidance.offers
        self._again = self._again + 1 if self._offers and self._offers == before else 0
        if guidance is None:
            return line
        listed = self._again < OFTEN or not guidance.text
        self.screen.prose(str(guidance) if listed else f"{guidance.text} {AS_BEFORE}")
        if guidance.text == OVER:
            self.screen.note(LEAVING)
        return None

    # ── telling ──────────────────────────────────────────────────────────────────────────────

    def tell(self, turn: Turn) -> None:
        """Have a turn told and shown, by whoever narrates."""
        told = self._offline(turn) if self.narrator is None else self._by(self.narrator, turn)
        if not told:
            return
        for note in self.keeper.read_ahead():
            self.screen.note(note)
        if self.narrator is not None and self.keeper.misfits():
            self.screen.note(MISFITS)
        if narrate.is_told(turn.world, turn.present):
            self.screen.note(LEAVING)
        self.status(turn)

    def _offline(self, turn: Turn) -> bool:
        prose = narrate.offline(turn.world, turn.present, self.keeper.history())
        stage = narrate.stage(turn.world, turn.present)
        self.keeper.render(turn, prose, narrator=narrate.NAME, stage=stage)
        self.screen.prose(prose)
        return True

    def _by(self, narrator: Narrator, turn: Turn) -> bool:
        """Whether a model told it. If not, the line waits; of a script, nobody does."""
        with self.screen.telling() as show:
            try:
                told = self.keeper.narrate(turn, narrator, show=show)
            except KeyboardInterrupt:
                if not self.by_hand:
                    raise
                problem = "stopped"
            except ModelUnavailable as error:
                if not self.by_hand:
                    raise
                problem = str(error)
            else:
                problem = ""
        if problem:
            self.screen.note(problem)
            self.screen.note(KEPT)
            return False
        if told.finish == LENGTH:
            limit = f"{narrator.limit_tokens:,} tokens (limit_tokens in the settings)"
            self.screen.note(f"it came to its limit of {limit}")
        return True

    def last_told(self) -> None:
        """What was told last, and the line it answers."""
        pending = self.keeper.world().pending
        past = self.keeper.history()
        if pending is not None and pending.text:
            self.screen.note(f"turn {pending.turn}: {pending.text}")
        elif pending is None and past and past[-1].text:
            self.screen.note(f"turn {past[-1].turn}: {past[-1].text}")
        self.screen.prose(pending.prose if pending is not None else past[-1].prose if past else "")
        self.status()

    def status(self, turn: Turn | None = None) -> None:
        """One line about where the story stands; on a terminal."""
        if self.screen.rich:
            self.screen.status(status_line(self.keeper, turn))

    def reopen(self, address: str) -> None:
        """Go on with another run of the file."""
        self.keeper.close()
        self.keeper, self.address = self._opened(address), address
        self.begin()
