"""What may be a player's line, and what may be told of it."""

from __future__ import annotations

import re

from storykeeper.errors import InputRefused, ProseRefused, UnknownPerson
from storykeeper.units import EntityId
from storykeeper.world.state import World

MAX_INPUT_BYTES = 64 * 1024
MAX_PROSE_BYTES = 256 * 1024
# Control characters but tab and line ends, and halves of surrogate pairs: a terminal, a model or a
# file would each make something else of them.
_AGAIN = frozenset({"g", "again", "do that again", "do it again"})
_TORN = re.compile(r"[\ud800-\udfff]")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def refuse_unplayable(text: str) -> None:
    """Refuse what is empty, too long, or not text."""
    if not text.strip():
        raise InputRefused("an empty line is not a turn; say or do something")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_INPUT_BYTES:
        raise InputRefused(
            f"the line is {size:,} bytes, the limit is {MAX_INPUT_BYTES:,}; split it up"
        )
    strange = _NO_TEXT.search(text)
    if strange is not None:
        raise InputRefused(
            f"the line holds U+{ord(strange.group()):04X}, which is not text; take it out"
        )


def refuse_untellable(prose: str) -> None:
    """Refuse prose that is too long to be one telling, or not text."""
    size = len(prose.encode("utf-8", "surrogatepass"))
    if size > MAX_PROSE_BYTES:
        raise ProseRefused(
            f"the prose is {size:,} bytes, the limit is {MAX_PROSE_BYTES:,}; tell it in parts,"
            " a turn each"
        )
    torn = _TORN.search(prose)
    if torn is not None:
        raise ProseRefused(
            f"the prose holds U+{ord(torn.group()):04X}, half of a character; take it out"
        )


def player_of(world: World, name: str | None) -> EntityId:
    """Who plays a turn: the first of the players, if nobody is named."""
    players = world.plan.players
    if name is None:
        return players[0]
    if name not in players:
        raise UnknownPerson(f"{name} is not played by anybody; there is {', '.join(players)}")
    return EntityId(name)


def done_again(text: str, last: str) -> str:
    """The last line, where a line says no more than that it is done again."""
    return last or text if text.strip().strip(".!").casefold() in _AGAIN else text
