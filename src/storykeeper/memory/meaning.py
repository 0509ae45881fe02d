"""What texts mean, as memory keeps it: one vector for the whole, and one for each telling piece.

An embedder that shows its reading of every piece (`ReadsPieces`) gives both from one reading; of
others there is only the whole. On the shelf they are one row of bytes: the vector, then the pieces.

Names of who speaks are no telling pieces. So a line that Ana said and one that somebody wrote down
in the same words ("Ana: hello") are kept apart: a row's key covers the text and what was left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from storykeeper.memory.signals.pieces import DIMS, Telling, telling, whole_numbers
from storykeeper.models.embedders.cache import (
    BATCH_TEXTS,
    KEY_BYTES,
    Embeddings,
    Progress,
    Shelf,
    Spares,
)
from storykeeper.models.embedders.port import Embedder, ReadsPieces
from storykeeper.models.embedders.wordpiece import pieces, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8 = NDArray[np.int8]

_WITH_PIECES = "+p3"  # added to the space: the way in which pieces are chosen


NOTHING = Telling((), (), ())


@dataclass(frozen=True, slots=True, eq=False)
class Meant:
    """A text as numbers."""

    whole: Int8
    pieces: Int8  # pieces × DIMS; none if the embedder shows none
    telling: Telling = NOTHING  # which pieces they are; only of a query


@runtime_checkable
class _Closes(Protocol):
    """An embedder that holds on to something: a connection."""

    def close(self) -> None: ...


class Meaning:
    """An embedder with a shelf behind it."""

    def __init__(self, embedder: Embedder, shelf: Shelf) -> None:
        self.embedder = embedder
        self._shelf = shelf
        self._reader = embedder if isinstance(embedder, ReadsPieces) else None
        self._embeddings = Embeddings(embedder, shelf)

    @property
    def space(self) -> str:
        """The space of what is kept."""
        return self.embedder.space + (_WITH_PIECES if self._reader is not None else "")

    @property
    def may_refuse(self) -> bool:
        """Whether a text that has words may be without a vector: the embedder is a server."""
        return isinstance(self.embedder, Spares)

    def close(self) -> None:
        """Let go of what the embedder holds, if it does."""
        if isinstance(self.embedder, _Closes):
            self.embedder.close()

    def key(self, text: str, *, leave: Collection[str] = ()) -> bytes:
        """Where a text's row is kept; `leave` are words of it that are no pieces."""
        words = self._embeddings.key(text)
        if self._reader is None:
            return words
        return sha256(words + "\0".join(sorted(leave)).encode()).digest()[:KEY_BYTES]

    def passages(
        self, texts: Sequence[str], *, leave: Sequence[Collection[str]] | None = None,
        soon: bool = False, progress: Progress | None = None,
    ) -> list[Meant]:  # fmt: skip
        """What is remembered. `leave` are, for each text, words that are no pieces: who speaks.

        With `soon`, somebody waits for it: an embedder that may take long has less time.
        """
        if self._reader is None:
            rows = self._embeddings.of(texts, soon=soon, progress=progress)
            return [Meant(row, _no_pieces()) for row in rows]
        asked = list(zip(texts, leave or [()] * len(texts), strict=True))
        keys = [self.key(text, leave=words) for text, words in asked]
        found = dict(self._shelf.get(self.space, keys))
        missing = {k: a for k, a in zip(keys, asked, strict=True) if not self._whole(found.get(k))}
        wanted = list(missing.items())
        for start in range(0, len(wanted), BATCH_TEXTS):
            some = wanted[start : start + BATCH_TEXTS]
            made = self._read([each for _, each in some])
            kept = {
                key: each.whole.tobytes() + each.pieces.tobytes()
                for (key, _), each in zip(some, made, strict=True)
            }
            self._shelf.put(self.space, kept)
            found |= kept
            if progress is not None:
                progress(min(start + BATCH_TEXTS, len(wanted)), len(wanted))
        return [self._meant(found[key]) for key in keys]

    def wholes(self, texts: Sequence[str]) -> Int8:
        """Whole vectors of texts, which are kept nowhere; zeros for those that are refused."""
        import numpy as np

        if isinstance(self.embedder, Spares):
            return np.asarray(self.embedder.spared(texts, soon=False))
        return np.asarray(self.embedder.passages(texts))

    def query(self, text: str, *, leave: Collection[str]) -> Meant:
        """What is looked for. `leave` are names of who speaks: they say whose words are meant."""
        import numpy as np

        if self._reader is None:
            row = np.asarray(self.embedder.queries([text]))[0]
            return Meant(row, _no_pieces())
        (made,) = self._read([(text, leave)])
        return made

    def _whole(self, row: bytes | None) -> bool:
        """Whether a row is one: a vector, then whole pieces."""
        extra = -1 if row is None else len(row) - self.embedder.dims
        return extra >= 0 and extra % DIMS == 0

    def _meant(self, row: bytes) -> Meant:
        import numpy as np

        flat = np.frombuffer(row, np.int8)
        dims = self.embedder.dims
        return Meant(flat[:dims], flat[dims:].reshape(-1, DIMS))

    def read(self, texts: Sequence[str], leave: Mapping[str, Collection[str]]) -> list[Meant]:
        """Whole vectors and pieces from one reading, which is kept nowhere."""
        return self._read([(text, leave.get(text, ())) for text in texts])

    def _read(self, asked: Sequence[tuple[str, Collection[str]]]) -> list[Meant]:
        assert self._reader is not None
        made: list[Meant] = []
        wholes, hidden = self._reader.read([text for text, _ in asked])
        for (text, leave), whole, states in zip(asked, wholes, hidden, strict=True):
            told = telling(words(text), cut=_cut, leave=leave)
            told = _before(told, len(states))
            rows = self._reader.turned(states[list(told.places)], most=DIMS)
            made.append(Meant(whole, whole_numbers(rows), told))
        return made


def _cut(word: str) -> int:
    return len(pieces(word))


def _before(some: Telling, end: int) -> Telling:
    """Those pieces that stand before a place: the model reads only so far."""
    count = sum(place < end for place in some.places)  # places ascend
    return Telling(some.places[:count], some.words[:count], some.parts[:count])


def _no_pieces() -> Int8:
    import numpy as np

    return np.zeros((0, DIMS), np.int8)
