"""`storykeeper tour`: a walk through a story's files and a scripted ledger.

It plays nothing. It shows a reader what the two sources of truth look like: what the author wrote
(without giving secrets away), and a ledger in which things happen, are forked, erased and tampered
with.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.markup import escape

from storykeeper.bootstrap import open_ledger
from storykeeper.cli.say import log_line, visible
from storykeeper.errors import WrongExpectedVersion
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived, Rendered, TurnCommitted
from storykeeper.language.tokens import counter
from storykeeper.ledger.places import open_to_check
from storykeeper.ledger.port import Ledger
from storykeeper.story.adopt import adoption
from storykeeper.story.loader import load_story
from storykeeper.story.model import Story
from storykeeper.units import MAIN, EntityId, RunId, TurnNo, Version

LINES = (
    "I put my bag down and say nothing yet.",
    "My real name is not the one on the letter.",
    "I ask what happened to the lamp.",
)


def walk(story: Path) -> None:
    """All of it, on standard output."""
    console = Console(highlight=False, soft_wrap=False)
    loaded = load_story(story, counters=counter)
    show_story(console, loaded)
    with TemporaryDirectory(prefix="storykeeper-tour-") as folder:
        path = Path(folder) / "run.db"
        with open_ledger(path, create=True) as ledger:
            show_ledger(console, loaded, ledger)
        show_tampering(console, path)
    console.print(
        "\nNothing was kept. Read on in docs/, or write a story of your own.", style="dim"
    )


def _shown(text: str) -> str:
    """Text of others: no markup, and nothing that a terminal obeys."""
    return escape(visible(text))


def heading(console: Console, text: str) -> None:
    """A title, with room around it."""
    console.print(f"\n[bold]{_shown(text)}[/bold]")


def show_story(console: Console, story: Story) -> None:
    """Title, people, scenes with their mass, and what is hidden: by its hint only."""
    console.rule(f"[bold]{_shown(story.title)}[/bold]")
    heading(console, "The voice")
    console.print(_shown(story.voice.strip()))
    heading(console, "The cast")
    for person in story.cast:
        console.print(f"  [bold]{_shown(person.name)}[/bold]  {_shown(person.line)}")
    heading(console, "The scenes, and what each weighs")
    exits: dict[str, list[str]] = {}
    for way in (way for layer in story.layers for way in layer.exits):
        exits.setdefault(way.from_, []).append(way.to)
    for scene in story.scenes:
        bar = "█" * round(scene.mass * 10)
        ways = [t.to for t in scene.leads_to] + exits.get(scene.id, [])
        after = ", ".join(dict.fromkeys(ways)) or ("an ending" if scene.ending else "nowhere")
        console.print(
            f"  {bar:<10} [bold]{_shown(scene.id):<22}[/bold] [dim]→ {_shown(after)}[/dim]"
        )
    heading(console, "What is hidden (hints only)")
    for fact in story.facts:
        if fact.secret:
            console.print(f"  {_shown(fact.hint)}  [dim]known to {len(fact.known_by)}[/dim]")


def show_ledger(console: Console, story: Story, ledger: Ledger) -> None:
    """Begin, three turns, a conflict, a fork, an erasure, and a verdict."""
    console.rule("[bold]A scripted ledger[/bold]")
    player = EntityId(story.players[0])
    version = ledger.begin(MAIN, [adoption(story)])
    start = next(s for s in story.scenes if s.id == story.start)
    told = [beat.prose for beat in start.beats] or ["(The author wrote no prose for it.)"]
    for number, line in enumerate(LINES, start=1):
        prose = told[min(number, len(told)) - 1]
        version = ledger.append(MAIN, scripted_turn(number, player, line, prose), expected=version)
    console.print(f"{version} records. Each is on disk before the next is asked for:\n")
    show_log(console, ledger, MAIN)

    heading(console, "Two writers")
    try:
        ledger.append(MAIN, [TurnCommitted(TurnNo(3), 1)], expected=Version(version - 1))
    except WrongExpectedVersion as refused:
        console.print(f"  {_shown(str(refused))}")

    heading(console, "A fork shares its parent's records up to and including turn 1")
    fork = ledger.fork(MAIN, RunId("what-if"), at=TurnNo(1))
    console.print(f"  run.db@what-if is at version {fork.head.version}")

    heading(console, "Erase turn 2: the words go, the chain holds")
    ledger.erase(MAIN, turn=TurnNo(2), why="asked for")
    show_log(console, ledger, MAIN)
    verdict = ledger.verify(MAIN)
    console.print(f"\n  verify: {verdict.records} records, {verdict.erased} erased, all good")


def scripted_turn(number: int, player: EntityId, line: str, prose: str) -> list[AnyRecord]:
    """What a turn leaves behind when nothing reads it."""
    turn = TurnNo(number)
    return [
        InputReceived(turn, player, line),
        Rendered(turn, 1, prose, "tour"),
        TurnCommitted(turn, 1),
    ]


def show_log(console: Console, ledger: Ledger, run: RunId) -> None:
    """The log, a line a record."""
    for entry in ledger.read(run):
        console.print(f"  {_shown(log_line(entry, width=92))}", no_wrap=True, overflow="ellipsis")


def show_tampering(console: Console, path: Path) -> None:
    """Somebody edits the file by hand; verify says where."""
    heading(console, "Somebody edits the file by hand")
    raw = sqlite3.connect(path)
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall():
        raw.execute(f'DROP TRIGGER "{name}"')
    raw.execute(
        "UPDATE records SET payload ="
        " CAST(replace(CAST(payload AS TEXT), 'lamp', 'lump') AS BLOB) WHERE version = 9"
    )
    raw.commit()
    raw.close()
    with open_to_check(path) as ledger:
        verdict = ledger.verify(MAIN)
    console.print(f"  verify: record {verdict.bad_version} is bad: {_shown(verdict.problem)}")
