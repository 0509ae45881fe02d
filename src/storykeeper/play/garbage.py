"""When the interpreter looks for garbage: while the player reads, not while they wait.

A full collection walks all that lives: the story, the lexicons, the parser. What is loaded by the
second turn stays, so it is set apart once in a process; what comes later is little.
"""

from __future__ import annotations

import gc
from itertools import count

LOADED = 1  # turns that have been read by then: the parser is there
NEARLY_DUE = 6  # of the ten collections of younger objects after which a full one is due
_turns = count()


def collect_meanwhile() -> None:
    """Collect now what would soon be collected in the middle of a window."""
    turn = next(_turns)
    if turn == LOADED or gc.get_count()[2] >= NEARLY_DUE:
        gc.collect()
    if turn == LOADED:
        gc.freeze()
