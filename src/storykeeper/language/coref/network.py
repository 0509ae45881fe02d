"""A small network that scores: words as rows of a table, numbers as they are, two hidden layers.

    h₁ = relu(Σ_k E[x_k] + D·W₁ + b₁)      h₂ = relu(h₁·W₂ + b₂)      s = h₂·W₃ + b₃

The weights ship as half floats and are widened once, when loaded. Fitting is in the benchmark that
measures it (`bench.mentions`); here is only what is needed to read.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed time, so that the same arrays give the same bytes


@dataclass(frozen=True, slots=True)
class Network:
    """The weights; see the head of the module."""

    table: Floats  # E: rows × h₁
    first: Floats  # W₁: numbers × h₁
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats
    last_bias: Floats

    def entered(self, rows: Ints, numbers: Floats) -> Floats:
        """Σ_k E[x_k] + D·W₁ + b₁, for the first columns of D if not all are known yet."""
        h1: Floats = numbers @ self.first[: numbers.shape[1]] + self.first_bias
        for column in range(rows.shape[1]):
            h1 += self.table[rows[:, column]]
        return h1

    def left(self, entered: Floats) -> Floats:
        """What comes of it: scores, one row for each."""
        h2 = np.maximum(np.maximum(entered, 0) @ self.second + self.second_bias, 0)
        scores: Floats = h2 @ self.last + self.last_bias
        return scores

    def scores(self, rows: Ints, numbers: Floats) -> Floats:
        """One row of scores for each row of input."""
        return self.left(self.entered(rows, numbers))


def save_arrays(path: Path, **arrays: npt.NDArray[np.generic]) -> None:
    """Like numpy's savez_compressed, but the same arrays always give the same bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in sorted(arrays.items()):
            buffer = BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), buffer.getvalue(),
                             zipfile.ZIP_DEFLATED)  # fmt: skip
