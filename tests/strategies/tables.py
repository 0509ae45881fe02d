"""Tables of cases tried in one test: every row is tried, and all that fail are told."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

SHOWN = 600  # characters


def table(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, but one test: thousands of tests cost more than their cases.

    Rows share the test's fixtures, so what a row changes must not matter to the next.
    """
    columns = [name.strip() for name in names.split(",")]
    tried = [row if len(columns) > 1 else (row,) for row in rows]
    assert tried, "a table without rows proves nothing"

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(check)
        def every_row(**fixtures: Any) -> None:
            broken = [
                f"{_shown(columns, row)}\n  {error}"
                for row in tried
                if (error := _broken(check, fixtures | dict(zip(columns, row, strict=True))))
            ]
            if broken:
                pytest.fail(f"{len(broken)} of {len(tried)} rows\n" + "\n".join(broken))

        signature = inspect.signature(check)
        kept = [p for p in signature.parameters.values() if p.name not in columns]
        every_row.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        del every_row.__wrapped__  # pytest would look for the columns among the fixtures
        return every_row

    return decorate


def _broken(check: Callable[..., None], given: dict[str, Any]) -> str:
    try:
        check(**given)
    except (Exception, pytest.fail.Exception) as error:
        return shorten(f"{type(error).__name__}: {error}", SHOWN)
    return ""


def _shown(columns: Sequence[str], row: Sequence[Any]) -> str:
    pairs = zip(columns, row, strict=True)
    return ", ".join(f"{name}={shorten(ascii(value), SHOWN)}" for name, value in pairs)


def shorten(text: str, most: int) -> str:
    """Its first characters: a row may be a text of a million."""
    return text if len(text) <= most else f"{text[:most]}…"
