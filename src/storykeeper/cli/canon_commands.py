"""Commands about a knowledge base: `canon add`, `list`, `check`, `pin`."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from storykeeper.canon.knowledge_base import (
    REGISTRY,
    KnowledgeBase,
    added,
    load_base,
    pinned,
    save_registry,
)
from storykeeper.canon.modes import Mode, open_base
from storykeeper.canon.registry import (
    CanonRegistry,
    CanonSource,
    ChunkBy,
    Chunking,
    SourceKind,
    SourceStatus,
)
from storykeeper.cli.progress import progress_bar
from storykeeper.cli.say import say, say_json
from storykeeper.errors import CanonProblem, ComplianceRefused, SourceMissing
from storykeeper.story.checks.terms import PRIVATE_FOLDER, is_private
from storykeeper.story.problems import slug

canon = typer.Typer(
    name="canon", help="A knowledge base: its sources, their versions, and what they hold.",
    no_args_is_help=True, rich_markup_mode=None,
)  # fmt: skip

Base = Annotated[
    Path, typer.Argument(metavar="BASE", help="The folder with registry.yaml, or that gets one.")
]
Source = Annotated[str, typer.Argument(metavar="SOURCE", help="The id of a source.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(canon)


@canon.command("add")
def add(
    base: Base,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text, Markdown, HTML or PDF.")],
    name: Annotated[
        str, typer.Option("--id", metavar="ID", help="What it is cited by; made from its name.")
    ] = "",
    title: Annotated[str, typer.Option(metavar="TEXT", help="Its title.")] = "",
    version: Annotated[str, typer.Option(metavar="VERSION", help="Its version.")] = "1",
    licence: Annotated[str, typer.Option(metavar="LICENCE", help="Its licence.")] = "unknown",
    kind: Annotated[
        SourceKind, typer.Option(metavar="KIND", help="doctrine, evidence or lore.")
    ] = SourceKind.EVIDENCE,
    trust: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="How far it is believed.")
    ] = 1.0,
    by: Annotated[
        ChunkBy, typer.Option(metavar="WHAT", help="What a passage is: block, section or line.")
    ] = ChunkBy.BLOCK,
    stable: Annotated[
        bool, typer.Option("--pin", help="Pin it at once; else it is a draft, and not used.")
    ] = False,
) -> None:
    """Enter a source into a registry; the file is copied there if it lies elsewhere."""
    made = load_base(base) if (base / REGISTRY).is_file() else KnowledgeBase(base, CanonRegistry())
    base.mkdir(parents=True, exist_ok=True)
    called = name or slug(file.stem) or "source"
    with ExitStack() as unless_good:
        path = _inside(base, file, unless_good)
        source = CanonSource(
            id=called, title=title or file.stem, version=version, licence=licence, path=path,
            kind=kind, trust=trust, chunking=Chunking(by=by),
        )  # fmt: skip
        made = added(made, source)
        if stable:
            made = pinned(made, called)
        save_registry(made)
        unless_good.pop_all()
    how = "pinned" if stable else f"a draft; `storykeeper canon pin {base} {called}` puts it in use"
    say(f"{source.cite}: {path}, {how}")


def _inside(base: Path, file: Path, unless_good: ExitStack) -> str:
    """Where a file lies below the knowledge base; it is copied there if it does not, and the copy
    goes again with what it is refused for.
    """
    if not file.is_file():
        raise SourceMissing(f"there is no file {file}; check the name")
    if file.resolve().is_relative_to(base.resolve()):
        return file.resolve().relative_to(base.resolve()).as_posix()
    if is_private(file.resolve().as_posix()) and not is_private(base.resolve().as_posix()):
        raise ComplianceRefused(
            f"{file} lies in a folder `{PRIVATE_FOLDER}`, {base} does not: what is private stays"
            " there; take it out of that folder first, if it may go anywhere"
        )
    to = base / file.name
    if to.exists():
        raise SourceMissing(f"{to} is there already; give {file} another name")
    unless_good.callback(to.unlink, missing_ok=True)
    shutil.copyfile(file, to)
    return to.name


@canon.command("list")
def listed(base: Base, json: AsJson = False) -> None:
    """Show the sources of a knowledge base: version, status, kind, trust, licence."""
    made = load_base(base)
    if json:
        say_json(made.registry)
        return
    for each in made.registry.sources:
        pin = "" if each.sha256 else "  not pinned"
        say(
            f"{each.cite:<28} {each.status:<10} {each.kind:<9} {each.trust:>4.2f}  "
            f"{each.licence}  {each.path}{pin}"
        )
    said = made.registry.compliance
    say(
        f"{len(made.registry.stable)} of {len(made.registry.sources)} in use; "
        f"distribution {said.distribution}, non-commercial {str(said.non_commercial).lower()}"
    )


@canon.command("check")
def check(
    base: Base,
    mode: Annotated[
        Mode | None,
        typer.Option(metavar="MODE", help="neutral or fan: BASE is what holds its folder."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Read every source in use, hold it against its hash, and take its passages in.

    Exits with 1 if a source is missing, changed or unreadable; every one that is is named. What was
    broken off goes on where it stopped.
    """
    from storykeeper.field import open_library

    made = load_base(base) if mode is None else open_base(base, mode)
    with progress_bar("reading") as progress:
        problems = list(made.problems(progress))
    if problems:
        _say_problems(problems, json=json)
        raise typer.Exit(1)
    with progress_bar("taking in passages") as progress:
        library, done = open_library(made, progress=progress)
    library.close()
    if json:
        data = {"ok": True, "sources": sorted(made.in_force), **msgspec.to_builtins(done)}
        say_json(data)
        return
    say(
        f"{_many(len(made.registry.stable), 'source')} in use, {_many(done.passages, 'passage')};"
        f" {done.added:,} new, {done.retired:,} retired"
    )


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _say_problems(problems: list[CanonProblem], *, json: bool) -> None:
    if json:
        data = {"ok": False, "problems": [str(each) for each in problems]}
        say_json(data)
        return
    for each in problems:
        say(str(each))


@canon.command("pin")
def pin(
    base: Base,
    source: Source,
    version: Annotated[
        str | None,
        typer.Option(metavar="VERSION", help="The new version, if the file has changed."),
    ] = None,
) -> None:
    """Write down a source's hash and put it in use; a changed file asks for a new version.

    What came from the version before is not used any more, nor is anything made of it.
    """
    made = pinned(load_base(base), source, version=version)
    save_registry(made)
    now = next(e for e in made.registry.stable if e.id == source)
    assert now.status is SourceStatus.STABLE
    say(f"{now.cite}: pinned, {now.sha256[:12]}…")
