"""Ids and measures: what a number or a string *is*, said in its type."""

from __future__ import annotations

from typing import Annotated, NewType

from msgspec import Meta

# Ids an author chooses: lower case, digits and hyphens, so that they are safe in file names,
# commands and addresses, and never mistaken for prose.
ID_PATTERN = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
MAX_ID_CHARS = 64
Id = Annotated[str, Meta(pattern=ID_PATTERN, max_length=MAX_ID_CHARS)]

StoryId = NewType("StoryId", str)
RunId = NewType("RunId", str)  # the name of a run inside its file; the first is "main"
EntityId = NewType("EntityId", str)
SceneId = NewType("SceneId", str)
AtomId = NewType("AtomId", str)
# Anybody or anything referred to: an entity's id if the author gave it one, else where it was first
# mentioned: the atom and the place among its participants, "t4.2#1".
Key = NewType("Key", str)
Digest = NewType("Digest", str)  # lower-case hex

TurnNo = NewType("TurnNo", int)  # 0 is before the first turn
Version = NewType("Version", int)  # how many records a run has; 0 is empty
Tokens = NewType("Tokens", int)

Unit = Annotated[float, Meta(ge=0.0, le=1.0)]  # a share, a weight, a probability
Signed = Annotated[float, Meta(ge=-1.0, le=1.0)]  # from against to for
Amount = Annotated[float, Meta(ge=0.0)]  # no upper end
# What an author states has an end: a billion means nothing in any story, and what is made of
# several of them (a mass, a pull, a score) is still a number.
MOST = 1_000_000_000
Size = Annotated[float, Meta(ge=0.0, le=MOST)]
Change = Annotated[float, Meta(ge=-MOST, le=MOST)]
Several = Annotated[int, Meta(ge=1, le=MOST)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]

MAIN = RunId("main")
_DIGITS = 15  # of a number that somebody typed; none of ours has as many


def typed_number(text: str) -> int | None:
    """The number that somebody typed; None if it is none, or one that nothing here can have."""
    is_one = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    return int(text) if is_one else None
