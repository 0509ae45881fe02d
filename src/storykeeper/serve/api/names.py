"""The names in addresses, as the OpenAPI page says them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import Field

from storykeeper.units import ID_PATTERN, MAX_ID_CHARS

NAME = "[a-z0-9][a-z0-9-]*"
Name = Annotated[str, Field(max_length=63, pattern=f"^{NAME}$")]
Run = Annotated[
    str,
    Path(max_length=127, pattern=f"^{NAME}(@{NAME})?$", description="A run, or run@branch."),
]
Who = Annotated[str, Path(max_length=MAX_ID_CHARS, pattern=ID_PATTERN, description="A character.")]
TurnNumber = Annotated[int, Path(ge=0, le=2**31)]
