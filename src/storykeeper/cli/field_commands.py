"""Commands about a field: `field brief`, `run`, `share`; and `chronicle` of its log."""

from __future__ import annotations

from contextlib import ExitStack
from math import isfinite
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from storykeeper.bootstrap import model_endpoint
from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.chronicle import ChronicleSpec, Writer
from storykeeper.canon.files import loaded
from storykeeper.canon.modes import Mode
from storykeeper.canon.turn_log import line_of, read_log, shared
from storykeeper.canon.verdict import Outcome
from storykeeper.cli.progress import progress_bar
from storykeeper.cli.say import say, say_json
from storykeeper.errors import CanonInvalid
from storykeeper.field import Agent, Field, refuse_elsewhere
from storykeeper.models.settings import ModelSettings
from storykeeper.play.faithful_agent import faithful
from storykeeper.play.field_chronicle import chronicle as written_up

field = typer.Typer(
    name="field", help="Several who act on their own: what each is told, and turns of all.",
    no_args_is_help=True, rich_markup_mode=None,
)  # fmt: skip

Folder = Annotated[
    Path, typer.Argument(metavar="FIELD", help="The folder with world.yaml and personas/.")
]
Log = Annotated[Path, typer.Argument(metavar="LOG", help="What `field run --log` wrote.")]
InMode = Annotated[Mode, typer.Option(metavar="MODE", help="neutral or fan.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(field)
    app.command("chronicle")(chronicle)


@field.command("brief")
def brief(
    folder: Folder,
    who: Annotated[str, typer.Argument(metavar="WHO", help="The id of an actor.")],
    tokens: Annotated[
        int | None, typer.Option(min=100, metavar="N", help="Its budget; 2,500 if not said.")
    ] = None,
    mode: InMode = Mode.NEUTRAL,
    json: AsJson = False,
) -> None:
    """Show what one of them is told in the first turn."""
    with Field.open(folder, mode=mode) as opened:
        made = opened.brief(who, tokens=tokens).brief
    if json:
        say_json(made)
    else:
        say(made.text)


@field.command("run")
def run(
    folder: Folder,
    turns: Annotated[int, typer.Option(min=1, metavar="N", help="How many turns.")] = 10,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the log goes; a new file.")
    ] = None,
    play: Annotated[
        str | None, typer.Option("--as", metavar="WHO", help="Act for this one yourself.")
    ] = None,
    mode: InMode = Mode.NEUTRAL,
) -> None:
    """Play turns of everybody with agents that keep to their briefs; one of them may be you.

    You are shown the brief of yours, and type a verb, perhaps a target or a point `x,y`, and words
    in quotes: `report lil "Lil, near the crate."`, `go -4,8`, `hold`.
    """
    if log is not None and log.exists():
        raise CanonInvalid(f"{log} is there already; choose another name")
    with Field.open(folder, mode=mode) as opened, ExitStack() as at_end:
        if play is not None:
            opened.brief(play)  # refuses whoever is nobody here
        agents: dict[str, Agent] = dict.fromkeys(opened.cast, faithful)
        if play is not None:
            agents[play] = _typed
        write = _nowhere if log is None else at_end.enter_context(log.open("xb")).write
        write(line_of(opened.head(mode)))
        # However it ends, by Ctrl-C too, the turns that were played are a log with its world.
        at_end.callback(lambda: write(line_of(opened.world)))
        with progress_bar("turns") as progress:
            for turn in range(turns):
                for each in opened.play(agents):
                    write(line_of(each))
                    if _is_shown(each.who, play, turns):
                        say(_said(each.action, each.verdict.outcome))
                progress(turn + 1, turns)
        say(f"{turns} turns of {len(opened.cast)}" + (f", in {log}" if log else ""))


SHOWN_TURNS = 3


def _nowhere(_: bytes) -> int:
    return 0


def _is_shown(who: str, play: str | None, turns: int) -> bool:
    """Whoever acts for one of them is shown what this one did: the rest is for their next brief."""
    return who == play if play is not None else turns <= SHOWN_TURNS


def _said(action: CharacterAction, outcome: Outcome) -> str:
    done = f"{action.turn:>4}  {action.who:<10} {action.verb}"
    done += f" {action.target}" if action.target else ""
    done += f" “{action.words}”" if action.words else ""
    return done if outcome is Outcome.ALLOWED else f"{done}  ({outcome})"


def _typed(brief: TurnBrief) -> CharacterAction:
    """What somebody types for the actor whose brief this is."""
    say(f"\n{brief.text}\n")
    while True:
        line = typer.prompt(f"{brief.who}, turn {brief.turn}", default="hold")
        try:
            return typed_action(brief, line)
        except CanonInvalid as refused:
            say(str(refused))


def typed_action(brief: TurnBrief, line: str) -> CharacterAction:
    """`verb [target | x,y] ["words"]` as an action; CanonInvalid says what can be done."""
    from storykeeper.canon.brief import Point

    head, _, words = line.partition('"')
    verb, _, rest = head.strip().partition(" ")
    can = {each.verb: each for each in brief.actions}
    if verb not in can:
        raise CanonInvalid(f"{verb!r} cannot be done now; there is {', '.join(can)}")
    target, to, rest = None, None, rest.strip()
    x, comma, y = rest.partition(",")
    if comma:
        try:
            to = Point(x=float(x), y=float(y))
        except ValueError:
            to = None
        if to is None or not (isfinite(to.x) and isfinite(to.y)):
            raise CanonInvalid(f"{rest!r} is no point; write it as 3,-4")
    elif rest:
        target = rest
    if target is not None and target not in can[verb].targets:
        raise CanonInvalid(f"{verb} can be done to {', '.join(can[verb].targets) or 'nobody here'}")
    channel = next(iter(can[verb].channels), None)
    return CharacterAction(
        who=brief.who, turn=brief.turn, verb=verb, target=target, to=to, channel=channel,
        words=words.rstrip().removesuffix('"'), spends=can[verb].costs,
        justification="The player said so.",
    )  # fmt: skip


@field.command("share")
def share(
    log: Log, to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes.")]
) -> None:
    """Copy a log for others; refused if its sources may not leave this machine."""
    shared(log, to)
    say(f"{to}: written")


def chronicle(
    log: Log,
    spec: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A ChronicleSpec; a plain one if not said.")
    ] = None,
    of: Annotated[
        str | None, typer.Option("--for", metavar="WHO", help="As one of them perceived it.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="URL", help="A model that writes it; or the template.")
    ] = None,
    name: Annotated[
        str, typer.Option("--model-name", metavar="NAME", help="Which of its models.")
    ] = "default",
    json: AsJson = False,
) -> None:
    """Write up what happened in a run of a field: every paragraph cites what it tells."""
    read = read_log(log)
    if read.world is None:
        raise CanonInvalid(f"{log} was broken off: it has no world at its end; run it again")
    plain = ChronicleSpec(id="chronicle", title=f"What happened at {read.head.field}")
    asked = plain if spec is None else loaded(ChronicleSpec, spec)
    if of is not None:
        asked = msgspec.structs.replace(asked, of=of)
    endpoint = None
    if model is not None:
        if read.local_only:
            refuse_elsewhere(model, what=f"the log {log}")
        asked = msgspec.structs.replace(asked, writer=Writer.MODEL)
        endpoint = model_endpoint(ModelSettings(url=model, name=name))
    made = written_up(read.world, asked, model=endpoint)
    if json:
        say_json(made)
    else:
        say(made.text.rstrip())
    if read.local_only:
        say("For this machine only: its sources say distribution: local_only.", err=True)
