"""Commands about the author's files: `new`, `check`, `schema`, `tour`, `simulate`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.canon.files import SHAPES
from storykeeper.canon.files import schema as of_canon
from storykeeper.cli.first_story import begin_story
from storykeeper.cli.say import say, say_json
from storykeeper.cli.simulate import simulate
from storykeeper.language.tokens import counter
from storykeeper.story.loader import Reading, read_story
from storykeeper.story.model import Story
from storykeeper.story.preamble import hard_text
from storykeeper.story.reading import placed, reading_of
from storykeeper.story.schema import schemas

StoryFolder = Annotated[Path, typer.Argument(metavar="STORY", help="The folder with story.yaml.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")]


class SchemaOf(StrEnum):
    """Which file a schema is for."""

    STORY = "story"
    SECTIONS = "sections"
    SCENE = "scene"
    REGISTRY = "registry"
    PERSONA = "persona"
    WORLD = "world"
    BRIEF = "brief"
    ACTION = "action"
    CHRONICLE = "chronicle"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("new")(new)
    app.command("check")(check)
    app.command("schema")(schema)
    app.command("tour")(tour)
    app.command("simulate")(simulate)


def new(
    folder: Annotated[
        Path, typer.Argument(metavar="NAME", help="The folder to make; its name is the story's id.")
    ],
) -> None:
    """Make a small story that plays to its end, to be changed into yours."""
    title, files = begin_story(folder)
    say(f"{folder}: {title}, {files} files. What you can do with it:")
    say(f"  storykeeper play {folder} --watch    # play it, and change its files meanwhile")
    say(f"  storykeeper check {folder}           # every problem, with file and line")
    say(f"  storykeeper simulate {folder}        # have it played a hundred times")


def check(
    story: StoryFolder,
    notes: Annotated[
        bool,
        typer.Option("--notes", help="Also list notes, such as keys that nothing reads."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Read a story's files and report every problem, with file, line and what to do.

    Exits with 1 if there are errors; warnings and notes alone do not stop a story.
    """
    reading = _with_beats(_with_acts(read_story(story, counters=counter)))
    if json:
        say_json(_as_data(reading))
    else:
        for problem in reading.problems:
            if notes or problem not in reading.notes:
                say(str(problem))
        say(_summary(reading, notes_shown=notes))
    if reading.errors:
        raise typer.Exit(1)


def _with_acts(reading: Reading) -> Reading:
    """With the acts that a condition waits for and that nobody can type."""
    if reading.story is None:
        return reading
    from storykeeper.play.obvious_lines import unheard_acts

    more = (placed(problem, reading.sources) for problem in unheard_acts(reading.story))
    return reading_of(reading.story, (*reading.problems, *more), reading.sources)


def _with_beats(reading: Reading) -> Reading:
    """With what the prose of beats does and their directions do not say, if they can be read."""
    if reading.story is None or not any(scene.beats for scene in reading.story.scenes):
        return reading
    from storykeeper.language.prose import ProseReader  # loads a parser
    from storykeeper.staging.beats import unsaid_moves
    from storykeeper.staging.reader import TableReader

    found = unsaid_moves(reading.story, ProseReader(), TableReader())
    more = (placed(problem, reading.sources) for problem in found)
    return reading_of(reading.story, (*reading.problems, *more), reading.sources)


def tour(story: StoryFolder) -> None:
    """Walk through a story's files and a scripted ledger. Plays nothing, keeps nothing."""
    from storykeeper.cli.tour import walk  # loads rich, which no other command here needs

    walk(story)


def schema(
    of: Annotated[
        SchemaOf,
        typer.Argument(
            metavar="WHICH",
            help="story, sections or scene: a .yaml file, or a scene's; registry, persona, world,"
            " brief, action or chronicle: what canon is made of.",
        ),
    ] = SchemaOf.STORY,
) -> None:
    """Print the JSON Schema of the author's files or of the shapes of canon, for editors."""
    made = of_canon(of) if of in SHAPES else schemas()[f"{of}.schema.json"]
    say_json(made, indent=2)


def _as_data(reading: Reading) -> dict[str, object]:
    return {
        "ok": not reading.errors,
        "errors": len(reading.errors),
        "warnings": len(reading.warnings),
        "notes": len(reading.notes),
        "problems": reading.problems,
    }


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _summary(reading: Reading, *, notes_shown: bool) -> str:
    found = ", ".join(
        (_count(len(reading.errors), "error"), _count(len(reading.warnings), "warning"),
         _count(len(reading.notes), "note"))
    )  # fmt: skip
    if reading.notes and not notes_shown:
        found += " (--notes lists them)"
    story = reading.story
    if story is None:
        return found
    parts = f"{_count(len(story.facts), 'fact')}, {_count(len(story.layers), 'layer')}"
    size = f"\n{_hard_share(story)}" if notes_shown else ""
    return (
        f"{story.title}: {_count(len(story.scenes), 'scene')}, {len(story.cast)} in the cast, "
        f"{parts}{size}\n{found}"
    )


def _hard_share(story: Story) -> str:
    """How much of the window is taken by what the narrator is given every time."""
    used = counter(story.budget.encoding)(hard_text(story))
    limit = int(story.budget.hard_share * story.budget.tokens)
    return (
        f"the narrator is given `voice`, `rules` and `anti_patterns` with every turn: {used} of the"
        f" {limit} tokens that there are for them"
    )
