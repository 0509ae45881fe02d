"""What a deed comes to in who and what can be perceived, by its verb: decided when it is recorded.

The world folds these effects and no verbs. A ledger from before they were on record has the verb
alone; it is read by the same table (`upcast`), which therefore only grows.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class Effect(StrEnum):
    """What a deed changes."""

    WAKES = "wakes"
    SLEEPS = "sleeps"
    SHUTS = "shuts"
    OPENS = "opens"
    HIDES = "hides"
    EMERGES = "emerges"
    SHOWS = "shows"  # what is found, shown, taken or given is seen
    STEPS_OUT = "steps-out"
    GOES = "goes"
    COMES = "comes"  # who stepped out is back
    DEAFENED = "deafened"
    HEARS = "hears"
    VANISHES = "vanishes"
    APPEARS = "appears"
    HANGS_UP = "hangs-up"


# Those by which somebody is there or not.
PRESENCE = frozenset({
    Effect.SLEEPS, Effect.STEPS_OUT, Effect.GOES, Effect.COMES, Effect.HANGS_UP
})  # fmt: skip
_EMERGING = ("emerge", "come out", "step out", "appear")
_VERBS: dict[Effect, tuple[str, ...]] = {
    Effect.WAKES: ("wake", "wake up", "rouse", "awaken"),
    Effect.SLEEPS: (
        "sleep", "doze", "doze off", "faint", "fall asleep", "nod off", "pass out", "drift off",
    ),
    Effect.SHUTS: ("close", "shut", "lock", "seal", "bolt"),
    Effect.OPENS: ("open", "unlock", "unseal", "unbolt"),
    Effect.HIDES: ("hide", "conceal", "lurk"),
    Effect.EMERGES: _EMERGING,
    Effect.SHOWS: (
        *_EMERGING, "take", "take out", "find", "show", "reveal", "uncover", "discover", "unearth",
        "pick up", "put", "move", "give", "hand",
    ),
    Effect.STEPS_OUT: (
        "go out", "walk out", "step out", "run out", "storm out", "slip out", "go away", "leave",
        "exit", "depart", "hurry off", "hurry out", "hurry away", "rush off", "rush out", "run off",
        "run away", "walk off", "walk away", "go off", "ride off", "ride away", "drive off",
        "drive away", "stalk off", "stalk out", "stride out", "march out", "march off", "sneak out",
        "sneak off", "creep out", "slip away", "steal away", "set off", "set out", "head out",
        "head off", "make off", "take off", "clear off", "flee", "die", "perish", "pass away",
    ),
    Effect.COMES: (
        "come", "come in", "come back", "come over", "come through", "come home", "come down",
        "come up", "return", "enter", "reenter", "re-enter", "arrive", "appear", "reappear",
        "emerge", "walk in", "walk back", "step in", "step back", "step inside", "slip in",
        "slip back", "run in", "run back", "rush in", "rush back", "burst in", "storm in",
        "stride in", "hurry in", "hurry back", "go back", "go in", "get back", "look in", "join",
        "rejoin",
    ),
    Effect.DEAFENED: ("stop hearing",),
    Effect.HEARS: ("hear again",),
    Effect.VANISHES: ("turn invisible",),
    Effect.APPEARS: ("turn visible",),
    Effect.HANGS_UP: ("hang up",),
}  # fmt: skip
_GOING = frozenset({
    "go", "walk", "run", "hurry", "drive", "ride", "head", "climb", "return", "come", "step",
    "rush", "stride", "wander", "enter", "move", "cross", "slip", "creep", "dash", "leave",
})  # fmt: skip


@lru_cache(maxsize=4_096)
def effects_of(act: str) -> tuple[Effect, ...]:
    """The effects of a verb in its plain form, in the order of the list above."""
    found = {effect for effect, verbs in _VERBS.items() if act in verbs}
    if act.partition(" ")[0] in _GOING:
        found.add(Effect.GOES)
    return tuple(effect for effect in Effect if effect in found)
