"""The story that `storykeeper new` begins with: a copy of one that ships, under another name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import typer

from storykeeper.units import ID_PATTERN, MAX_ID_CHARS

FIRST_STORY = Path(__file__).parents[1] / "story" / "first_story"
HEAD = "story.yaml"


def begin_story(folder: Path) -> tuple[str, int]:
    """A copy of the first story in a new folder; its title, and how many files it has."""
    name = folder.resolve().name
    if not re.fullmatch(ID_PATTERN, name) or len(name) > MAX_ID_CHARS:
        raise typer.BadParameter(
            f"{name}: the folder's name becomes the story's id, so it is made of lower-case"
            " letters, digits and hyphens and begins with a letter, such as the-orchard"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise typer.BadParameter(f"{folder} is there already; choose another name, or remove it")
    shutil.copytree(FIRST_STORY, folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
    title = " ".join(part.capitalize() for part in name.split("-"))
    head = folder / HEAD
    text = head.read_text("utf-8").replace("id: first-story", f"id: {name}", 1)
    head.write_text(text.replace("title: First Story", f'title: "{title}"', 1), "utf-8")
    return title, sum(file.is_file() for file in folder.rglob("*"))
