"""What is said where the package that an adapter is for is not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str, *, extra: str) -> Iterator[None]:
    """Import a package; without it, say how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"this adapter needs {package}: pip install 'storykeeper[{extra}]'", name=error.name
        ) from error
