"""Fits the rotation that comes with MiniLM (`turning` says what it is).

    python -m storykeeper.models.embedders.rotation --data DIR

reads texts of LitBank, CRD3 and SQuALITY below DIR and writes the rotation beside this file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.models.embedders.corpora import texts
from storykeeper.models.embedders.minilm import MiniLM

if TYPE_CHECKING:
    from storykeeper.models.embedders.turning import Floats32, Floats64

TEXTS = 20_000  # fitted on; a space of 384 dimensions needs no more
BLOCKS = (64, 128, 384)  # ends of what is mixed: word pieces keep 64 numbers, the first tier 128


def directions(vectors: Floats32) -> Floats64:
    """P: directions of most variance of unit vectors, as rows, the greatest first.

    Around 0, not around their mean: cosines are taken around 0. A direction's sign is free; its
    largest part is made positive.
    """
    import numpy as np

    exact = vectors.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    unit = exact / np.where(lengths > 0, lengths, 1)
    _, columns = np.linalg.eigh(unit.T @ unit)
    rows: Floats64 = columns.T[::-1]
    largest = np.abs(rows).argmax(axis=1)
    signs: Floats64 = np.sign(rows[np.arange(len(rows)), largest])
    return rows * signs[:, None]


def evened(rows: Floats64, *, blocks: Sequence[int]) -> Floats64:
    """H·P: what stands between one end and the next, mixed; the steps must be powers of two."""
    import numpy as np

    mixed = rows.copy()
    for start, end in pairwise((0, *blocks)):
        mixed[start:end] = _hadamard(end - start) @ rows[start:end] / np.sqrt(end - start)
    return mixed


def _hadamard(size: int) -> Floats64:
    """H₁ = 1, H₂ₙ = (Hₙ Hₙ; Hₙ −Hₙ): every row is orthogonal to every other, all parts ±1."""
    import numpy as np

    assert size.bit_count() == 1, f"{size} is no power of two"
    made = np.ones((1, 1))
    while len(made) < size:
        made = np.block([[made, made], [made, -made]])
    return made


def save(rows: Floats64, path: Path) -> None:
    """Write a rotation as half floats, the same for the same numbers."""
    import numpy as np

    with path.open("wb") as file:
        np.save(file, rows.astype("<f2"), allow_pickle=False)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit MiniLM's rotation."""
    parser = argparse.ArgumentParser(prog="python -m storykeeper.models.embedders.rotation")
    parser.add_argument("--data", type=Path, required=True, help="litbank, crd3, squality")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("minilm.rotation.npy"))
    chosen = parser.parse_args(arguments)
    found = texts(chosen.data)
    some = [found[len(found) * number // TEXTS] for number in range(min(TEXTS, len(found)))]
    sys.stdout.write(f"fitting on {len(some):,} of {len(found):,} texts\n")
    plain = MiniLM(rotated=False)
    save(evened(directions(plain.means(some)), blocks=BLOCKS), chosen.out)
    sys.stdout.write(f"wrote {chosen.out}\n")


if __name__ == "__main__":
    main()
