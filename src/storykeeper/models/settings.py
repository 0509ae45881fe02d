"""What there is to say about a model, one that narrates or plays characters: where it is and how
it is asked.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from storykeeper.models.endpoint import Endpoint
from storykeeper.models.keys import allowed
from storykeeper.models.stream import Patience

LOCAL = "local"  # the model that comes with us, in this process
NOBODY = ("", "offline")  # URLs of none: the offline narrator tells, the rules play characters


class ModelSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The `[model]` of a settings file, and its `[characters]`."""

    url: str = ""  # http://127.0.0.1:8080/v1, or `local`; empty: the offline narrator, or the rules
    name: str = "default"  # which of the server's models
    key_env: str = "STORYKEEPER_API_KEY"  # the variable that holds the key
    key_file: str = ""  # or the file
    limit_tokens: Annotated[int, Meta(ge=16)] = 700  # of an answer, its stage block included
    temperature: Annotated[float, Meta(ge=0, le=2)] = 0.8
    seed: int | None = None
    stop: tuple[str, ...] = ()  # words that end an answer, where a server does not know them
    cache_marks: bool = False  # send marks of what to cache, for providers that take them
    staging: str = "inline"  # or "call": asked for apart; or "reader": not asked for
    allow: tuple[Literal["private", "plain-key"], ...] = ()  # a server in a private network; a key
    # that goes over the network unencrypted
    tries: Annotated[int, Meta(ge=1, le=10)] = 3  # before the first word
    patience: Patience = Patience()  # in seconds
    extra: dict[str, Any] = field(default_factory=dict)  # more fields of a request

    def endpoint(self, *, api_key: str | None) -> Endpoint:
        """The model, to be asked."""
        return Endpoint(
            self.url, self.name, api_key=api_key, tries=self.tries, stop=self.stop,
            patience=self.patience, extra=self.extra, allow=allowed(self.allow),
        )  # fmt: skip


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """A settings file."""

    model: ModelSettings = ModelSettings()  # who narrates
    characters: ModelSettings = ModelSettings()  # who plays those whom nobody plays; none: rules
    budget: Annotated[int, Meta(ge=1)] | None = None  # tokens of the narrator's window
    plain: bool = False  # no colours, no status line
