"""The functions that docs/maths.md names for memory exist, and have something to say."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from strategies.tables import table

PAGE = (Path(__file__).parents[3] / "docs" / "maths.md").read_text("utf-8")
ENTRIES = re.findall(r"^\*\*(F[56]\.\d+) [^*]+\*\* ((?:`[^`]+`[^`\n]*)+)", PAGE, re.MULTILINE)
NAMED = [
    (number, dotted)
    for number, line in ENTRIES
    for dotted in re.findall(r"`(storykeeper\.[\w.]+)`", line)
]


def resolved(dotted: str):
    module, _, rest = dotted.rpartition(".")
    try:
        return getattr(import_module(module), rest)
    except ModuleNotFoundError:  # a method: one level more
        outer, _, owner = module.rpartition(".")
        return getattr(getattr(import_module(outer), owner), rest)


def test_every_formula_of_memory_names_its_function():
    numbers = {number for number, _ in NAMED}
    assert {f"F5.{n}" for n in range(1, 29)} - {"F5.23", "F5.24"} <= numbers
    assert {f"F6.{n}" for n in range(1, 10)} <= numbers


@table("number, dotted", NAMED)
def test_the_function_exists(number, dotted):
    assert resolved(dotted).__doc__
