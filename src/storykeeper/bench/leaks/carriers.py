"""The carriers: ways in which a secret could get out. Each is planted in every story.

The list is open: a carrier is a name, and what plants its secrets on a stage. What a carrier plants
comes with who may have it, by the script alone.
"""

from __future__ import annotations

from collections.abc import Callable

from storykeeper.bench.leaks import acting, afar, ahead, hidden, older, said, written
from storykeeper.bench.leaks.stage import Stage

Plant = Callable[[Stage, str], None]

CARRIERS: dict[str, Plant] = {
    "aside": said.told_aside,
    "overheard": said.overheard,
    "whisper": said.whispered,
    "thing": said.thing_of_play,
    "layer": written.layer,
    "card": written.entity_card,
    "hint": written.hint,
    "relation": written.relation,
    "emotion": written.emotion,
    "belief": written.belief,
    "revelation": written.revelation,
    "retracted": said.retracted,
    "fork": said.other_branch,
    "receipt": written.receipt,
    "error": written.error,
    "gravity": ahead.gravity,
    "prophecy": ahead.prophecy,
    "hidden_tale": ahead.hidden_tale,
    "bridge": ahead.bridge,
    "echo": older.echo,
    "recalled": older.recalled,
    "so_far": older.so_far,
    "earlier": older.earlier,
    "telephone": afar.telephone,
    "note": afar.note,
    "hidden_thing": hidden.hidden_thing,
    "intent": acting.intent,
}
"""Planted in this order; `summary` is planted in memories (bench.leaks.memories)."""


def planted(seed: int, *, hidden_from: str | None = None) -> Stage:
    """A stage with every secret on it, all that is hidden from somebody otherwise if one likes."""
    stage = Stage(seed, hidden_from=hidden_from)
    for name, plant in CARRIERS.items():
        plant(stage, name)
    return stage
