"""What requests and answers of the API look like, with examples."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from storykeeper.serve.api.names import Name

Line = Annotated[str, Field(max_length=64_000)]
Prose = Annotated[str, Field(max_length=1_000_000)]


class Shape(BaseModel):
    """A body of which every field is known; another is refused by name."""

    model_config = ConfigDict(extra="forbid")


class Page(BaseModel):
    """Part of a list, and where the next part begins."""

    items: list[dict[str, Any]]
    next: str | None = Field(None, description="Give it as `after`; null at the end.")


class Problem(BaseModel):
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="What went wrong, which id, and what to do next.")


class NewRun(Shape):
    """A run to be begun."""

    story: str = Field(description="The id of a story that is offered.", examples=["lamp"])
    run: Name | None = Field(None, description="Its name; one is made if it is left out.")


class NewTurn(Shape):
    """A line of the player's."""

    text: Line = Field(examples=["I ask Mara where the brass key went."])
    player: str | None = Field(None, description="Which of those that are played.")
    narrate: bool = Field(
        default=False, description="Have the service's model tell it, or the offline one."
    )


class Telling(Shape):
    """Prose for a turn, and what it declares."""

    prose: Prose = Field(examples=["“I never saw it,” says Mara, and goes out for coal."])
    stage: dict[str, Any] | None = Field(
        None,
        description="Who came, who left, who alone could hear; see docs/staging.md.",
        examples=[{"moves": [{"who": ["mara"], "kind": "departs", "words": "goes out"}]}],
    )
    narrator: str = Field("", max_length=200)


class NewCorrection(Shape):
    """What a person settles."""

    here: list[str] = []
    gone: list[str] = []
    holds: dict[str, str] = Field({}, description="A thing, and who has it.")


class NewFork(Shape):
    """Another run that shares the records up to and including a turn."""

    at: int = Field(ge=0)
    name: Name


class NewItem(Shape):
    """Something to be remembered."""

    text: Prose
    speaker: str = ""
    at: str | None = Field(None, description="When it was said: a date or a moment, ISO 8601.")
    audience: list[str] | None = Field(None, description="Who may know it; everybody, if left out.")
    session: str | None = None


class NewItems(Shape):
    """Some of them at once."""

    items: Annotated[list[NewItem], Field(min_length=1, max_length=1000)]


class RunState(BaseModel):
    """Where a run stands."""

    run: str
    story: str
    version: int = Field(description="Of its ledger; the ETag.")
    turn: int
    scene: str | None
    present: list[dict[str, Any]]
    waiting: bool = Field(description="Whether a turn was begun and not told yet.")


class TurnState(BaseModel):
    """A turn under way."""

    run: str
    turn: int
    version: int
    question: str | None = Field(None, description="What the player must be asked first.")
    tokens: int
    messages: list[dict[str, Any]] = Field(description="The window, for a chat model.")
    prose: str | None = Field(None, description="What was told, if the service told it.")
    dropped: list[str] = Field([], description="What of a declaration was dropped, and why.")


class WindowState(BaseModel):
    """What somebody gets to see."""

    audience: str
    turn: int
    tokens: int
    text: str
    messages: list[dict[str, Any]]
    shown: list[str]
