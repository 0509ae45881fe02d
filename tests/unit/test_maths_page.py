"""The examples of docs/maths.md are run, and its functions exist."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "maths.md"


def test_examples_hold():
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted >= 2
    assert result.failed == 0
