"""How telling a word is: rare among what the asker may see, and rare in stories and talk at large.

    w(t) = ln(1 + (n + m + ½) / (df + m·p + ½)) / 6

n is how many items the asker may see, df how many of those have the term, p the share of passages
of 25 words that have it in the table shipped with us, m = 200: what the table counts for. With few
items the table decides, with many what is there; nothing hidden is ever counted.

The table is made by `python -m storykeeper.memory.signals.counting --data DIR`.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files

PRIOR = 200.0  # m
SCALE = 6.0  # brings a rare word's weight to about 1
_UNSEEN = 0.3  # as often a word stands that the table has not


@cache
def table() -> tuple[int, dict[str, int]]:
    """How many passages were counted, and in how many of them each term stands."""
    text = files("storykeeper.memory.signals").joinpath("background.txt").read_text("utf-8")
    first, *lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    counts: dict[str, int] = {}
    for line in lines:
        count, *terms = line.split()
        counts.update(dict.fromkeys(terms, int(count)))
    return int(first), counts


def share(term: str) -> float:
    """p: the share of passages that have a term."""
    passages, counts = table()
    return counts.get(term, _UNSEEN) / passages


def weight(term: str, *, having: int, visible: int) -> float:
    """w(t) = ln(1 + (n + m + ½)/(df + m·p + ½)) / 6.   F5.22"""
    expected = PRIOR * share(term)
    return math.log(1 + (visible + PRIOR + 0.5) / (having + expected + 0.5)) / SCALE
