"""Two sizes of one suite: the same laws, with few cases by default and all with STORYKEEPER_LONG=1.

A case that is marked long is tried by `make test-long` alone.
"""

import os
from collections.abc import Iterable

import pytest

LONG = os.environ.get("STORYKEEPER_LONG") == "1"


def times(few: int, many: int) -> int:
    """How often: few times, or many in the long size."""
    return many if LONG else few


def thinned(cases: Iterable, *, every: int) -> list:
    """All these cases, of which one in so many is tried in the short size; the first is."""
    return [
        case if number % every == 0 else pytest.param(case, marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]


def first(few: int, cases: Iterable) -> list:
    """All these cases, of which the first few are tried in the short size."""
    return [
        case if number < few else pytest.param(case, marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]
