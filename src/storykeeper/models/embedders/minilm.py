"""The default embedder: all-MiniLM-L6-v2, which comes in a package, on onnxruntime.

A vector is the mean over a text's pieces, turned so that its first numbers say the most
(`turning`). The model reads 254 pieces at a time. A longer text is read in windows of almost equal
length, and the mean is over all of them; of a text of more than 16 windows, 16 are read, spread
evenly from its first piece to its last, so that a book costs seconds and not an hour.

Only texts of the same length are read together: nothing is padded, and no text's bytes depend on
its company, nor on the number of threads. Another kind of processor may round a last bit
otherwise, and now and then give a neighbouring whole number; what is stored is what counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from storykeeper.models.embedders.port import quantised
from storykeeper.models.embedders.session import DIGEST, DIMS, session
from storykeeper.models.embedders.turning import Rotation, shipped
from storykeeper.models.embedders.wordpiece import BEGIN, END, pieces

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from storykeeper.models.embedders.port import Vectors

    Floats32 = npt.NDArray[np.float32]

WINDOW_PIECES = 254  # and the two marks around them: 256, as the model was published
MAX_WINDOWS = 16
BATCH_PIECES = 512  # read at once: more is not faster, and takes more room


@dataclass(slots=True)
class MiniLM:
    """MiniLM, loaded when first asked; may be asked from several threads."""

    threads: int = 1
    rotated: bool = True  # False only to fit a rotation
    dims: int = field(default=DIMS, init=False)
    tiers: tuple[int, ...] = field(default=(128, DIMS), init=False)
    one_sided: bool = field(default=False, init=False)

    @property
    def space(self) -> str:
        """Changes with the model's file, the way of cutting and pooling, and the rotation."""
        turned = self._rotation().name if self.rotated else "plain"
        return f"minilm-l6@{DIGEST[:8]}.1.{turned}"

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        return quantised(self.turned(self.means(texts)))

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as passages: this model does not tell them apart."""
        return self.passages(texts)

    def read(self, texts: Sequence[str]) -> tuple[Vectors, list[Floats32]]:
        """`passages`, and of each text what the model made of the pieces of its first window."""
        import numpy as np

        firsts: list[Floats32] = [np.zeros((0, DIMS), np.float32) for _ in texts]
        means = self.means(texts, firsts)
        return quantised(self.turned(means)), firsts

    def turned(self, rows: Floats32, *, most: int | None = None) -> Floats32:
        """Rows of the model's own, turned as its vectors are; the first numbers of each."""
        return self._rotation().turned(rows, most=most) if self.rotated else rows[:, :most]

    def means(self, texts: Sequence[str], firsts: list[Floats32] | None = None) -> Floats32:
        """v = Σ over pieces of h / pieces: the model's own vectors, zeros for a text of none.

        The pieces of each text's first window are left in `firsts`, marks apart.
        """
        import numpy as np

        split = [(row, window) for row, text in enumerate(texts) for window in windows(text)]
        opens = {place for place in range(len(split)) if split[place][0] != split[place - 1][0]}
        sums = np.zeros((len(texts), DIMS), dtype=np.float32)
        for batch in batches([len(window) for _, window in split]):
            hidden = self._read([split[place][1] for place in batch])
            for place, vectors in zip(batch, hidden, strict=True):
                if firsts is not None and (place in opens or place == 0):
                    firsts[split[place][0]] = vectors[1:-1].copy()
                # Shorter windows first, then as in the text, whatever else is read: so no sum
                # of floats depends on a text's company.
                sums[split[place][0]] += vectors.sum(axis=0)
        counts = np.zeros((len(texts), 1), dtype=np.float32)
        for row, window in split:
            counts[row] += len(window)
        return np.asarray(sums / np.maximum(counts, 1), dtype=np.float32)

    def _read(self, some: Sequence[Sequence[int]]) -> Floats32:
        import numpy as np

        ids = np.array(some, dtype=np.int64)
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        return session(threads=self.threads).run(None, feeds)[0]

    def _rotation(self) -> Rotation:
        return shipped("minilm")


def windows(text: str) -> Iterator[list[int]]:
    """A text's pieces between marks, as many at a time as the model reads; none for no piece."""
    found = pieces(text)
    count = -(-len(found) // WINDOW_PIECES)
    if count > MAX_WINDOWS:
        last = len(found) - WINDOW_PIECES
        starts = [last * number // (MAX_WINDOWS - 1) for number in range(MAX_WINDOWS)]
        spans = [(start, start + WINDOW_PIECES) for start in starts]
    else:
        edges = [len(found) * number // count for number in range(count + 1)] if count else []
        spans = list(pairwise(edges))
    for start, end in spans:
        yield [BEGIN, *found[start:end], END]


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of one length each, few enough to be read at once; in order within a length."""
    by_length: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        by_length.setdefault(length, []).append(place)
    for length, places in sorted(by_length.items()):
        size = max(1, BATCH_PIECES // length)
        yield from (places[start : start + size] for start in range(0, len(places), size))
