"""docs/reference/commands.md is what the commands say of themselves."""

from __future__ import annotations

from pathlib import Path

from storykeeper.cli.reference import page

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "commands.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == page(), "run: python -m storykeeper.cli.reference"


def test_every_option_says_what_it_does():
    for line in page().splitlines():
        if line.startswith("| `"):
            assert line.split("|")[2].strip(), line
