"""The guide's pictures are there; tests in a browser make them (STORYKEEPER_WRITE_DOCS=1)."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "inspect.md"


def test_every_picture_of_the_guide_is_a_picture():
    named = re.findall(r"\]\((\.\./images/[\w.-]+)\)", GUIDE.read_text("utf-8"))
    assert len(named) == 4
    for name in named:
        assert (GUIDE.parent / name).read_bytes().startswith(b"\x89PNG"), name
