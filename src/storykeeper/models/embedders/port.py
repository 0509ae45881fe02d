"""What storykeeper asks of an embedder: texts in, vectors of small whole numbers out.

A vector is a direction, and only cosines between vectors of one space mean anything:

    q = rint(127·v / max|v|)        cos(a, b) = a·b / (‖a‖·‖b‖), 0 if either is all zeros

with v the model's vector, turned if the embedder has a rotation. The largest part of every vector
is 127 or −127, so the scale is each vector's own and need not be kept: a cosine does not know it.
What is stored is q. Its products are whole numbers and add up to the same in any order.

The same text gives the same bytes, alone or in any company. A text without a word gives zeros, and
is like nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.int8]
    Floats32 = npt.NDArray[np.float32]
    Floats = npt.NDArray[np.float32] | npt.NDArray[np.float64]

_HALVES = re.compile("[\ud800-\udfff]")


class Embedder(Protocol):
    """Turns texts into vectors. Raises ModelUnavailable and nothing else, whatever is wrong."""

    @property
    def space(self) -> str:
        """`name@version` of everything that shapes a vector; vectors of two spaces never meet."""
        ...

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def tiers(self) -> tuple[int, ...]:
        """Sizes of the prefixes that are worth searching first, rising; the last is `dims`."""
        ...

    @property
    def one_sided(self) -> bool:
        """Whether a question and a passage of the same words have different vectors."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """What is searched, one row for each text."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """What is searched for, one row for each text."""
        ...


@runtime_checkable
class ReadsPieces(Protocol):
    """An embedder that also shows what it made of every piece of a text."""

    def read(self, texts: Sequence[str]) -> tuple[Vectors, list[Floats32]]:
        """`passages`, and of each text its first pieces, as many as are read at once."""
        ...

    def turned(self, rows: Floats32, *, most: int | None = None) -> Floats32:
        """Rows of the model's own, turned as its vectors are; the first numbers of each."""
        ...


def quantised(vectors: Floats) -> Vectors:
    """q = rint(127·v / max|v|), row by row; zeros stay zeros."""
    import numpy as np

    exact = np.asarray(vectors, dtype=np.float64)
    largest = np.abs(exact).max(axis=1, keepdims=True, initial=0.0)
    scaled = np.divide(exact, largest, out=np.zeros_like(exact), where=largest > 0)
    rounded: Vectors = np.rint(scaled * 127.0).astype(np.int8)
    return rounded


def wordless(text: str) -> bool:
    """Whether there is nothing in a text to embed."""
    return not text or text.isspace()


def whole(text: str) -> str:
    """A text without halves of characters, which no encoding has; U+FFFD in their place."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)
