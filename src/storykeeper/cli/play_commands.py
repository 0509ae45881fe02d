"""What lines that begin with / do in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from storykeeper.bootstrap import Storykeeper
from storykeeper.cli.entities import listed
from storykeeper.cli.knows import listed as held
from storykeeper.cli.knows import table
from storykeeper.cli.landscape_map import drawn
from storykeeper.cli.say import log_line
from storykeeper.cli.terminal import Screen
from storykeeper.cli.why import explained
from storykeeper.context.window import Window
from storykeeper.drawing.seen import seen
from storykeeper.errors import RunExists, StorykeeperError
from storykeeper.events.turns import Rendered
from storykeeper.play.narrator import Narrator
from storykeeper.play.turn import Turn
from storykeeper.units import Version, typed_number
from storykeeper.world.state import whose_turn

HELP = """\
Type what you do or say. Lines that begin with / are for the program:
  /swipe             have this turn told again; /swipe list, /swipe back, /swipe forth, /swipe N
  /retry             have a line told that was not, or not to its end
  /edit TEXT         put your own words in the place of what was told; /edit N TEXT, of turn N
  /undo              take your last line back
  /here WHO          set right that somebody is here; /gone WHO, that they are not
  /holds THING WHO   set right who has something
  /fork NAME         branch off here; continue it with --run FILE@NAME
  /restart           begin again, in a run of its own; this one is kept
  /save              where the story is kept (it always is)
  /quit              leave; come back any time (Ctrl-D and Ctrl-C do the same)
For the author, who may know everything:
  /window            what the narrator was given for this turn
  /why [ITEM]        why each item was in it, or one of them
  /map               where the story is heading
  /entities          who and what is kept track of
  /knows [WHO]       what somebody knows, or everybody
  /log [N]           the last N records
A line of the story that should begin with / begins with //. What you paste is one line."""
AGAIN = "restart"
LOGGED = 10  # records, if it is not said how many
WHICH = ("list", "back", "<", "forth", ">")  # of the tellings of a turn


class Playing(Protocol):
    """A game, as its commands see it."""

    keeper: Storykeeper
    screen: Screen
    address: str
    narrator: Narrator | None

    def tell(self, turn: Turn) -> None:
        """Have a turn told and shown."""
        ...

    def last_told(self) -> None:
        """Show what was told last."""
        ...

    def reopen(self, address: str) -> None:
        """Go on with another run of the file."""
        ...


class Commands:
    """The commands of a game."""

    def __init__(self, game: Playing) -> None:
        self._game = game
        self._known: dict[str, Callable[[str], None]] = {
            "window": self._window, "why": self._why, "map": self._map, "log": self._log,
            "entities": self._entities, "knows": self._knows, "swipe": self._swipe,
            "retry": self._retry, "edit": self._edit, "undo": self._undo, "fork": self._fork,
            "restart": self._restart, "save": self._save, "help": self._help, "here": self._here,
            "gone": self._gone, "holds": self._holds,
        }  # fmt: skip

    def obey(self, line: str) -> bool:
        """Do what a line asks for; False to leave."""
        name, _, rest = line[1:].strip().partition(" ")
        name = name.lower()
        if "\n" in line and name != "edit":
            self._note("a command stands alone on its line; // begins a line with /")
            return True
        if name in ("quit", "exit", "q"):
            return False
        if name not in self._known:
            self._note(f"there is no /{name}; /help lists what there is")
            return True
        try:
            self._known[name](rest.strip())
        except StorykeeperError as error:
            self._note(str(error))
        return True

    def _note(self, text: str) -> None:
        self._game.screen.note(text)

    def _raw(self, text: str) -> None:
        self._game.screen.raw(text)

    def _help(self, _: str) -> None:
        self._raw(HELP)

    # ── looking ──────────────────────────────────────────────────────────────────────────────

    def _shown(self) -> Window:
        """The window of the turn that was told last."""
        keeper = self._game.keeper
        if keeper.world().pending is not None:
            return keeper.turn().window
        past = keeper.history()
        return keeper.window_of(past[-1].turn if past else 0)

    def _window(self, _: str) -> None:
        self._raw(self._shown().text)

    def _why(self, item: str) -> None:
        self._raw(explained(self._shown(), item=item or None))

    def _map(self, _: str) -> None:
        keeper = self._game.keeper
        found = seen(keeper.world(), keeper.landscape())
        self._raw(drawn(found, colour=False, everything=False))

    def _entities(self, _: str) -> None:
        keeper = self._game.keeper
        self._raw(
            listed(keeper.world(), keeper.entities(), promoted=None, texture=False)
            or "nothing is kept track of yet"
        )

    def _knows(self, who: str) -> None:
        keeper = self._game.keeper
        plan = keeper.world().plan
        if not who:
            self._raw(table(plan, keeper.everybody_knows()))
            return
        self._raw(held(plan, keeper.knows(who)))

    def _log(self, count: str) -> None:
        asked, ledger = typed_number(count), self._game.keeper.ledger
        last = LOGGED if asked is None else asked
        run = self._game.keeper.run
        after = Version(max(0, ledger.head(run).version - last))
        for entry in ledger.read(run, after=after):
            self._raw(log_line(entry, width=100))

    def _save(self, _: str) -> None:
        self._note(f"every turn is on disk as soon as you see it: {self._game.address}")

    # ── telling ──────────────────────────────────────────────────────────────────────────────

    def _swipe(self, which: str) -> None:
        keeper = self._game.keeper
        if keeper.world().pending is None:
            self._note("the last turn is fact already; /undo takes it back")
            return
        which = which.lower()
        if which in WHICH or typed_number(which) is not None:
            self._choose(which)
            return
        if which:
            self._note("say /swipe, /swipe list, /swipe back, /swipe forth or /swipe 2")
            return
        if self._game.narrator is None:
            self._note("told again; the offline narrator has one way of telling")
        self._game.tell(keeper.turn())

    def _choose(self, which: str) -> None:
        """A telling that was: the one before, the one after, or by its number."""
        takes, now = self._takes()
        if which == "list":
            for number, take in enumerate(takes, start=1):
                mark = "*" if number == now else " "
                self._raw(f"{mark}{number:>3}  {' '.join(take.prose.split())[:72]}")
            return
        steps = {"back": now - 1, "<": now - 1, "forth": now + 1, ">": now + 1}
        number = steps.get(which, typed_number(which) or 0)
        if not 1 <= number <= len(takes):
            many = f"there are {len(takes)} tellings of this turn, and this is number {now}"
            only = "this is the only telling of this turn"
            self._note(f"{only if len(takes) == 1 else many}; /swipe tells it anew")
            return
        take = takes[number - 1]
        self._render(take.prose, narrator=take.narrator, stage=take.stage)
        self._note(f"telling {number} of {len(takes)}")

    def _takes(self) -> tuple[list[Rendered], int]:
        """The tellings of this turn, each once, and which of them stands."""
        keeper = self._game.keeper
        first = {each.prose: each for each in reversed(keeper.takes())}
        takes = sorted(first.values(), key=lambda each: each.take)
        pending = keeper.world().pending
        standing = "" if pending is None else pending.prose
        now = next((i for i, each in enumerate(takes, start=1) if each.prose == standing), 0)
        return takes, now

    def _render(self, prose: str, *, narrator: str, stage: object = None) -> None:
        keeper = self._game.keeper
        keeper.render(keeper.turn(), prose, narrator=narrator, stage=stage)
        for note in keeper.read_ahead():
            self._note(note)
        self._game.last_told()

    def _retry(self, _: str) -> None:
        if self._game.keeper.world().pending is None:
            self._note("the last turn is fact already; /undo takes it back")
        else:
            self._game.tell(self._game.keeper.turn())

    def _edit(self, words: str) -> None:
        """The author's or the player's own words in the place of what was told."""
        keeper = self._game.keeper
        first, _, rest = words.partition(" ")
        number, pending = typed_number(first), keeper.world().pending
        if number is not None and rest and (pending is None or number != pending.turn):
            changed = keeper.edit(number, rest.strip()).changed
            then = f"; turns {', '.join(map(str, changed))} come out otherwise" if changed else ""
            self._note(f"turn {number} is told so now{then}")
        elif not words:
            self._note("say what was told instead: /edit She shakes her head.")
        elif pending is None:
            self._note("the last turn is fact already; /edit N TEXT sets turn N right")
        else:
            self._render(rest if number is not None and rest else words, narrator="by hand")

    # ── the run ──────────────────────────────────────────────────────────────────────────────

    def _undo(self, _: str) -> None:
        keeper = self._game.keeper
        pending, past = keeper.world().pending, keeper.history()
        if pending is not None and pending.text:
            keeper.reject(why="undo")
        elif pending is None and past and past[-1].text:
            keeper.retract(past[-1].turn, why="undo")
        else:
            self._note("nothing has been said yet that could be taken back")
            return
        self._note("taken back; the story stands where it stood before that line")
        self._game.last_told()

    def _fork(self, name: str) -> None:
        if not name:
            self._note("say what to call it: /fork what-if")
            return
        info = self._game.keeper.fork(at=self._game.keeper.last_turn(), name=name)
        self._note(f"forked; continue it with --run {self._file}@{info.run}")

    def _restart(self, _: str) -> None:
        keeper, before = self._game.keeper, self._game.address
        if not keeper.last_turn():
            self._note("nothing has been said yet; this is the beginning")
            return
        number = 1
        while True:
            try:
                info = keeper.fork(at=0, name=f"{AGAIN}-{number}")
            except RunExists:
                number += 1
            else:
                break
        again = f"{self._file}@{info.run}"
        self._note(f"begun again in {again}; what was is kept in {before}")
        self._game.reopen(again)

    @property
    def _file(self) -> str:
        return self._game.address.partition("@")[0]

    # ── who is there ─────────────────────────────────────────────────────────────────────────

    def _here(self, who: str) -> None:
        if who:
            self._game.keeper.correct(here=[who])
        self._say_presence()

    def _gone(self, who: str) -> None:
        if not who:
            self._note("say who is gone: /gone NAME")
            return
        self._game.keeper.correct(gone=[who])
        self._say_presence()

    def _holds(self, words: str) -> None:
        thing, who = self._split(words)
        if not thing:
            self._note("say what, and who has it: /holds THING NAME")
            return
        self._game.keeper.correct(holds={thing: who})
        self._note(f"{who} has {thing}, from now on")

    def _split(self, words: str) -> tuple[str, str]:
        """A thing and who has it; of a name with several words all of them."""
        said = words.split()
        cast = self._game.keeper.world().plan.cast.values()
        names = {name.casefold() for each in cast for name in (each.name, *each.aliases)}
        ends = (at for at in range(1, len(said)) if " ".join(said[at:]).casefold() in names)
        at = next(ends, len(said) - 1)
        return " ".join(said[:at]), " ".join(said[at:])

    def _say_presence(self) -> None:
        keeper = self._game.keeper
        player = whose_turn(keeper.world())  # who hides from them is not said
        here = ", ".join(map(str, keeper.presence(player, shown=True)))
        self._note(f"here now: {here or 'nobody else'}")
