"""What a verb does to a story."""

from __future__ import annotations

from enum import StrEnum


class VerbClass(StrEnum):
    """The classes that the weight of a thing depends on."""

    PERCEIVE = "perceive"  # look, see, notice, examine, listen
    TAKE = "take"
    GIVE = "give"
    HANDLE = "handle"  # touch, hold, open, use, wear, break
    PUT = "put"  # place somewhere
    MOVE = "move"
    SAY = "say"
    ASK = "ask"
    FEEL = "feel"  # cry, love, fear, smile
    HARM = "harm"  # hit, threaten, betray, insult
    CARE = "care"  # comfort, heal, protect, embrace
    TRUST = "trust"  # trust, confide, promise, swear
    OWE = "owe"  # owe, pay, thank, repay
    THINK = "think"
    BE = "be"
    MAKE = "make"
    SLEEP = "sleep"
    WAKE = "wake"
    HIDE = "hide"
