"""`storykeeper terms`: banned terms in files, or in what is about to be committed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.canon.term_guard import TermGuard
from storykeeper.cli.say import say, say_json
from storykeeper.errors import CanonInvalid

TERMS = Path("terms.yaml")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("terms")(terms)


def terms(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Files and folders.")
    ] = None,
    listed: Annotated[
        Path, typer.Option("--terms", metavar="FILE", help="The list of banned terms.")
    ] = TERMS,
    of_commit: Annotated[
        bool, typer.Option("--staged", help="What git is about to commit; for a hook.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write the replacements that the list has.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, for programs.")] = False,
) -> None:
    """Find terms that must not be published; ends with 1 if one is left.

    Each is found as whole words, inflected or not, unless it stands in one of its exceptions.
    """
    guard = TermGuard.load(listed)
    if fix and of_commit:
        raise CanonInvalid("--fix writes files, not what is staged; fix them and stage them again")
    texts = _staged() if of_commit else _files(paths or [])
    rows = []
    for name, text in texts:
        if name == str(listed):
            continue
        if fix and guard.replaced(text) != text:
            text = guard.replaced(text)
            Path(name).write_text(text, "utf-8")
            say(f"{name}: replaced")
        rows += [(name, each) for each in guard.found(text)]
    if json:
        say_json({"found": [{"file": name, **asdict(each)} for name, each in rows]})
    else:
        for name, each in rows:
            more = f"; write {each.instead!r}" if each.instead else ""
            say(f"{name}:{each.line}:{each.column}: {each.said!r} is banned ({each.term}){more}")
    if rows:
        raise typer.Exit(1)


def _files(paths: list[Path]) -> Iterator[tuple[str, str]]:
    if not paths:
        raise CanonInvalid("name a file or a folder to look in, or --staged")
    for path in paths:
        if not path.exists():
            raise CanonInvalid(f"there is no {path}")
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and ".git" not in file.parts:
                text = _text(file.read_bytes())
                if text is not None:
                    yield str(file), text


def _staged() -> Iterator[tuple[str, str]]:
    names = _git("diff", "--cached", "--name-only", "--diff-filter=ACMR", "-z").decode()
    for name in filter(None, names.split("\0")):
        text = _text(_git("show", f":{name}"))
        if text is not None:
            yield name, text


def _git(*words: str) -> bytes:
    try:
        done = subprocess.run(["git", *words], capture_output=True, check=True)  # noqa: S603,S607
    except FileNotFoundError:
        raise CanonInvalid("git is not here; name files instead of --staged") from None
    except subprocess.CalledProcessError as error:
        raise CanonInvalid(f"git {words[0]}: {error.stderr.decode().strip()}") from None
    return done.stdout


def _text(data: bytes) -> str | None:
    """The words of a file; nothing of one that is not text."""
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8", errors="replace")
