"""docs/reference/sources.md: every function and every test on it is there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from storykeeper.context.words import AWARE

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "reference" / "sources.md"
_ROW = re.compile(
    r"^\| (?P<source>[\w-]+) \| .+ \| `(?P<made>[\w.]+)` \| `(?P<test>[\w.]+)` \|$", re.MULTILINE
)
# How many fields the seed lists for each source; ours may be more.
OF_THE_SEED = {"entity": 4, "emotion": 3, "gravity": 4, "sub-graph": 4, "revelation": 3, "echo": 3}
OURS = {"standing"}


def rows():
    return list(_ROW.finditer(PAGE.read_text("utf-8")))


def test_every_row_is_read():
    page = PAGE.read_text("utf-8")
    table = page.partition("|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert len(rows()) == len(table.splitlines())


def test_every_function_exists():
    for row in rows():
        module, _, name = row["made"].partition(".")
        found = importlib.import_module(f"storykeeper.context.sources.{module}")
        assert callable(getattr(found, name)), row["made"]


def test_every_test_exists():
    for row in rows():
        module, _, name = row["test"].partition(".")
        assert f"\ndef {name}(" in (HERE / f"{module}.py").read_text("utf-8"), row["test"]


def test_no_source_has_fewer_fields_than_the_seed_asks_of_it():
    found = [row["source"] for row in rows()]
    assert {source: found.count(source) >= least for source, least in OF_THE_SEED.items()} == (
        dict.fromkeys(OF_THE_SEED, True)
    )
    assert set(found) == {*OF_THE_SEED, *OURS}


def test_every_level_of_awareness_is_on_it():
    page = PAGE.read_text("utf-8")
    for awareness, noted in AWARE.items():
        assert re.search(rf"^\| {awareness.value} \| .* \| {noted} \|$", page, re.MULTILINE), (
            awareness
        )
