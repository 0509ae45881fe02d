"""What is asked of a memory, checked before anything is done: a clear refusal, or as it should be.

A set where one name belongs, or one name where a set does, would ask for nobody in particular, or
for single letters: nothing would fail, and much would not be found.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from numbers import Integral, Real
from typing import Any

from storykeeper.errors import ItemRefused, MemoryProblem
from storykeeper.memory.naming import name_or_refuse


def query_or_refuse(query: object) -> str:
    """What is asked for: a text, which may be empty."""
    if not isinstance(query, str):
        raise ItemRefused(f"a query is a text, not {_short(query)}")
    return query


def names_or_refuse(wanted: object, *, what: str) -> list[str]:
    """Several names. A bare text is most likely a mistake: it would be its letters."""
    if isinstance(wanted, str):
        raise ItemRefused(f"several names are wanted, each {what}; write {{{wanted!r}}}")
    if not isinstance(wanted, Iterable):
        raise ItemRefused(f"several names are wanted, each {what}, not {_short(wanted)}")
    return [name_or_refuse(name, what=what) for name in wanted]


def weight_or_refuse(weight: object) -> float:
    """A share between 0 and 1."""
    share: Any = weight if isinstance(weight, Real) else nan
    if not 0.0 <= share <= 1.0:
        raise ItemRefused(f"a weight is between 0 and 1, not {_short(weight)}")
    return float(share)


def most_or_refuse(k: object) -> int | None:
    """How many are asked for; None: as many as is usual."""
    if k is None:
        return None
    if not isinstance(k, Integral):
        raise MemoryProblem(f"k is {_short(k)}; it must be a whole number")
    if k < 1:
        raise MemoryProblem(f"k is {k}; ask for at least one")
    return int(k)


def room_or_refuse(tokens: object) -> int:
    """How many tokens there are."""
    if not isinstance(tokens, Integral):
        raise MemoryProblem(f"the budget is {_short(tokens)}; it must be a whole number of tokens")
    if tokens < 0:
        raise MemoryProblem(f"the budget is {tokens} tokens; nothing fits into less than none")
    return int(tokens)


def _short(value: object) -> str:
    return repr(value)[:40]
