"""An orthogonal turn that brings what tells texts apart into the first numbers of a vector.

    y = R·v,  RᵀR = 1:  ‖y‖ = ‖v‖ and y·y′ = v·v′;  R = H·P

P has the directions of most variance first. Every cosine between whole vectors stays as it was, and
a prefix of P·v is the best of its length, so a cascade over prefixes works with a model that was
not trained for it. H mixes the numbers between one tier and the next evenly (Hadamard): no tier's
cosines change, but no number is much larger than its neighbours, so whole numbers up to 127 come
out finer.

How it is fitted is in `rotation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats32 = npt.NDArray[np.float32]
    Floats64 = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rotation:
    """A turn, and a name that changes with it."""

    name: str
    rows: Floats32

    def turned(self, vectors: Floats32, *, most: int | None = None) -> Floats32:
        """R·v of each row; only its first numbers, if so many are enough."""
        import numpy as np

        # One vector at a time, and not by a BLAS: the order of its sums varies with how many rows
        # it is given and how many threads it has, and the same text must give the same bytes.
        rows = self.rows[:most]
        made = np.empty((len(vectors), len(rows)), dtype=np.float32)
        for row, vector in zip(made, np.ascontiguousarray(vectors), strict=True):
            np.einsum("kj,j->k", rows, vector, out=row)
        return made


@cache
def shipped(name: str) -> Rotation:
    """The rotation that comes with an embedder."""
    import numpy as np

    content = files("storykeeper.models.embedders").joinpath(f"{name}.rotation.npy").read_bytes()
    halves = np.load(BytesIO(content), allow_pickle=False)
    rows = orthogonal(halves.astype(np.float64)).astype(np.float32)
    rows.flags.writeable = False
    return Rotation(sha256(content).hexdigest()[:8], rows)


def orthogonal(almost: Floats64) -> Floats64:
    """X ← X·(3 − XᵀX)/2, until XᵀX = 1: the orthogonal matrix nearest to one that almost is."""
    import numpy as np

    unit = np.eye(len(almost))
    for _ in range(4):  # the error is squared each time: 1e-3, 1e-6, 1e-12, as good as it gets
        almost = almost @ (3 * unit - almost.T @ almost) / 2
    return almost
