"""Old records read as new ones. Stored bytes are never edited: each step below turns a record of
one schema into the next, on the way in.

A field that is added and may be empty needs no step: what does not have it reads as empty. For any
other change there is a step, keyed by the schema it starts from and the kind of record it is about:
raise SCHEMA, add the step, add a line to the table, and keep a ledger of the old schema in
tests/data/, which must still read.

| schema | change |
|---|---|
| 1 | the first |
| 2 | `input-received`: `who` is now `player`, since elsewhere `who` is a character |
| 3 | `atom`: an `action-taken` has the `effects` of its verb on record |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from storykeeper.events.effects import effects_of

SCHEMA = 3

Step = Callable[[dict[str, Any]], dict[str, Any]]


def _who_is_the_player(raw: dict[str, Any]) -> dict[str, Any]:
    return {("player" if name == "who" else name): value for name, value in raw.items()}


def _with_effects(raw: dict[str, Any]) -> dict[str, Any]:
    what = raw.get("what")
    if not isinstance(what, dict) or what.get("type") != "action-taken":
        return raw
    found = [str(effect) for effect in effects_of(str(what.get("act", "")))]
    return raw | {"what": what | {"effects": found}} if found else raw


STEPS: Mapping[tuple[int, str], Step] = {
    (1, "input-received"): _who_is_the_player,
    (2, "atom"): _with_effects,
}


def upcast(raw: dict[str, Any], *, schema: int) -> dict[str, Any]:
    """The same record, in the present schema."""
    for version in range(schema, SCHEMA):
        step = STEPS.get((version, str(raw.get("kind"))))
        if step is not None:
            raw = step(raw)
    return raw
