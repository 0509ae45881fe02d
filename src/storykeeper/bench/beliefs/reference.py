"""What the answers must be by the written rule, from the set's own trace and nothing of ours.

ToMi's labels of some second-order questions contradict its stories: they say where the thing is,
whatever the one who is thought of could be seen to perceive. The right label follows from the
trace, which says in order who of the two enters, leaves, comes back, and when the thing is moved:

- somebody thinks it is where it was moved to, if they were there when it was, or came back since;
- they think that the other thinks so, if at that moment or at one after it both were there;
- or if, coming back, they found it moved where they had left the other with it (F8.6).

The gold label is not looked at. What it says of first-order questions is a check on this rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIRST = re.compile(r"^The (?P<thing>[\w-]+) is in the (?P<place>[\w-]+)\.?$")
_MOVED = re.compile(r"^\w+ moved the (?P<thing>[\w-]+) to the (?P<place>[\w-]+)\.?$")
_ENTERS = {"enter_agent_0": 0, "enter_agent_1": 1, "agent_1_reenters_loc": 1}
_LEAVES = {"agent_0_exits": 0, "agent_1_exits": 1}
_MOVES = "agent_0_moves_obj"


def corrected(
    sentences: Sequence[str], trace: Sequence[str], kind: str, *, supposing: bool = True
) -> str | None:
    """The label by the rule; None for a question that is not of what somebody thinks."""
    order, _, rest = kind.partition("_order_")
    if order not in ("first", "second") or rest[:1] not in ("0", "1") or _MOVES not in trace:
        return None
    who = int(rest[0])
    knows = perceives(trace, who) if order == "first" else False
    if order == "second":
        knows = both_perceive(trace) or (supposing and who == 1 and _left_with_it(trace))
    pattern = _MOVED if knows else _FIRST
    found = [match for each in sentences if (match := pattern.match(each)) is not None]
    return found[-1]["place"] if found else None


def presences(trace: Sequence[str]) -> list[frozenset[int]]:
    """Which of the two are where the thing is, after each event; the third does not matter."""
    there: frozenset[int] = frozenset()
    found = []
    for event in trace:
        if event in _ENTERS:
            there = there | {_ENTERS[event]}
        elif event in _LEAVES:
            there = there - {_LEAVES[event]}
        found.append(there)
    return found


def perceives(trace: Sequence[str], who: int) -> bool:
    """Whether one of the two was there when it was moved, or at any moment since."""
    moved = trace.index(_MOVES)
    return any(who in there for there in presences(trace)[moved:])


def both_perceive(trace: Sequence[str]) -> bool:
    """Whether both were there when it was moved, or at one moment since."""
    moved = trace.index(_MOVES)
    return any({0, 1} <= there for there in presences(trace)[moved:])


def _left_with_it(trace: Sequence[str]) -> bool:
    """Whether the second came back after it was moved, having left the first with it."""
    moved, back = trace.index(_MOVES), "agent_1_reenters_loc"
    if back not in trace[moved:] or "agent_1_exits" not in trace[:moved]:
        return False
    return 0 in presences(trace)[trace.index("agent_1_exits")]
