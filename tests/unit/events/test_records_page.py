"""docs/reference/records.md says what the code says."""

from __future__ import annotations

import typing
from pathlib import Path

from storykeeper.events import atoms
from storykeeper.events.records import AnyRecord

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "records.md").read_text("utf-8")


def rows() -> dict[str, list[str]]:
    cells = [[c.strip() for c in line.split("|")[1:-1]] for line in PAGE.splitlines()
             if line.startswith("| `")]  # fmt: skip
    return {kind.strip("`"): [what, fields] for kind, what, fields in cells}


def test_every_kind_is_on_the_page_with_its_fields():
    expected = {}
    for struct in typing.get_args(AnyRecord):
        fields = ", ".join(f"`{f}`" for f in struct.__struct_fields__ if f != "turn")
        expected[struct.__struct_config__.tag] = [struct.__doc__.splitlines()[0], fields]
    assert rows() == expected


def test_what_stands_inside_an_atom_is_named():
    for happening in typing.get_args(atoms.Happening):
        assert f"`{happening.__struct_config__.tag}`" in PAGE
    for word in [*atoms.Role, *atoms.ImplicationKind]:
        assert word.value in PAGE
