"""Says what a piece of narration is: logistic regression over the rows of `features`.

    p(k) = exp(s_k) / Σ_j exp(s_j)      s = Σ_i v_i·W[x_i] + b

A thought or an aside is private: perceived by whose mind it is, or by the point of view alone.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import IO

import numpy as np
import numpy.typing as npt

from storykeeper.language.piece_kinds.features import ROWS, features

KINDS = ("action", "description", "thought", "aside")  # in the order of the columns
PRIVATE_FROM = 0.095  # so likely private, kept so: of what is, less than a tenth gets out
_FILE = "weights.npz"

Floats = npt.NDArray[np.float32]


class KindReader:
    """Reads pieces; the weights are those of the package, or of `file`."""

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._given = None if file is None else _load(file)

    def private(
        self, text: str, *, before: str, after: str, person: int, names_someone: bool
    ) -> float:
        """The chance that a piece is a thought or an aside; nothing in it, no chance.

        `before` and `after` are the pieces beside it, `person` (1, 2, 3) is that of the narration,
        `names_someone` whether the name of one of the cast stands in it.
        """
        if not text.strip():
            return 0.0
        chances = self._chances(text, before, after, person, names_someone=names_someone)
        return float(chances[2] + chances[3])

    def kind(
        self, text: str, *, before: str, after: str, person: int, names_someone: bool
    ) -> tuple[str, float]:
        """The likeliest kind and its chance; `private` and `PRIVATE_FROM` are more careful."""
        if not text.strip():
            return KINDS[1], 0.0
        chances = self._chances(text, before, after, person, names_someone=names_someone)
        best = int(chances.argmax())
        return KINDS[best], float(chances[best])

    def _chances(
        self, text: str, before: str, after: str, person: int, *, names_someone: bool
    ) -> Floats:
        table, bias = self._given or _shipped()
        rows, values = features(
            text, before=before, after=after, person=person, names_someone=names_someone
        )
        scores: Floats = values.astype(np.float32) @ table[rows] + bias
        chances: Floats = np.exp(scores - scores.max())
        chances /= chances.sum()
        return chances


def _load(file: IO[bytes]) -> tuple[Floats, Floats]:
    with np.load(file, allow_pickle=False) as arrays:
        table = arrays["table"].astype(np.float32)
        bias = arrays["bias"].astype(np.float32)
    if table.shape != (ROWS, len(KINDS)):
        raise ValueError(f"the table is {table.shape}, not {(ROWS, len(KINDS))}: fit it again")
    return table, bias


@lru_cache(maxsize=1)
def _shipped() -> tuple[Floats, Floats]:
    """The weights in the package."""
    with files(__package__).joinpath(_FILE).open("rb") as file:
        return _load(file)
