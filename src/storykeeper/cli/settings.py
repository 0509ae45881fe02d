"""The settings file: what `play` and `model check` take when no option says otherwise."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import structs

from storykeeper.errors import SettingsInvalid
from storykeeper.models.settings import ModelSettings, Settings

NAME = "storykeeper.toml"
ModelName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Which of its models; default, if not said.")
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="A settings file; storykeeper.toml here or one's own, if not said."
    ),
]


def settings(file: Path | None = None) -> Settings:
    """Those in a file: the one named, else `storykeeper.toml` here, else one's own.

    One's own is `~/.config/storykeeper/storykeeper.toml` ($XDG_CONFIG_HOME counts). No file, no
    settings: everything has a usual value.
    """
    if file is not None:
        return _read(file)
    own = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    for path in (Path(NAME), own / "storykeeper" / NAME):
        if path.is_file():
            return _read(path)
    return Settings()


def with_model(found: Settings, *, url: str | None, name: str | None) -> ModelSettings:
    """The model of some settings, with what options say in its place."""
    return _replaced(found.model, url=url, name=name)


def with_characters(found: Settings, *, url: str | None, name: str | None) -> ModelSettings:
    """The model that plays characters, likewise."""
    return _replaced(found.characters, url=url, name=name)


def _replaced(settings: ModelSettings, **said: str | None) -> ModelSettings:
    given = {key: value for key, value in said.items() if value is not None}
    return structs.replace(settings, **given)


def _read(path: Path) -> Settings:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except OSError as error:
        raise SettingsInvalid(f"{path}: {error.strerror or error}; check its name") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"{path}: {error}; see docs/how-to/connect-a-model.md") from error
