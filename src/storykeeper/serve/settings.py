"""What the operator of a service decides."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from storykeeper.errors import SettingsInvalid
from storykeeper.models.network import is_loopback
from storykeeper.models.settings import ModelSettings

Count = Annotated[int, Meta(ge=1)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """How much anybody may ask of it."""

    body_bytes: Count = 8_000_000
    requests_per_minute: Count = 600  # of one key, or of one address without keys
    open_runs: Count = 64  # more are let go, the longest unused first
    workers: Count = 4  # threads that do the engine's work
    page: Count = 200  # the most entries of one page
    catch_up: Count = 24  # rounds of a chat played after the fact while its client waits


class ServiceSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of it."""

    data: Path = Path("storykeeper-data")
    database: str = ""  # postgresql://…: all that is kept is kept there, and nothing in `data`
    stories: Path | None = None
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8484
    model: ModelSettings = ModelSettings()  # who narrates; of the proxy, where answers come from
    window_tokens: Annotated[int, Meta(ge=200)] = 6_000  # of a chat's window, its prompt apart
    staging: str = "inline"  # whether a model is asked to declare what it told
    elsewhere: dict[str, str] = {}  # addresses of runs of one's own that are not in `data`, by name
    limits: Limits = Limits()

    @property
    def open_to_others(self) -> bool:
        """Whether anybody but this machine can reach it."""
        return not is_loopback(self.host)


def prepared(settings: ServiceSettings) -> ServiceSettings:
    """The settings, with the folder they need made; refuses what cannot work."""
    if settings.stories is not None and not settings.stories.is_dir():
        raise SettingsInvalid(
            f"there is no folder of stories at {settings.stories}; give one, or leave it out"
        )
    if settings.database:
        return settings
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingsInvalid(
            f"the data folder {settings.data} cannot be made ({error.strerror}); give another"
        ) from error
    return settings
