"""Vectors by content: what was embedded once is not embedded again.

A vector's key is made of the words alone, so the same line said twice is one vector, and a change
of embedder changes the space and no key. Every batch is kept before the next is begun: work that is
broken off goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from storykeeper.models.embedders.port import Embedder

if TYPE_CHECKING:
    from storykeeper.models.embedders.port import Vectors

BATCH_TEXTS = 256  # embedded, then kept: a second or two of work, as much as a crash may cost
KEY_BYTES = 16

Progress = Callable[[int, int], None]  # done, of how many


class Role(StrEnum):
    """On which side of a search a text stands."""

    PASSAGE = "passage"
    QUERY = "query"


class Shelf(Protocol):
    """Where vectors are kept, as bytes, by space and key."""

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""
        ...

    def put(self, space: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these; what is there already is the same and may stay."""
        ...


@runtime_checkable
class Spares(Protocol):
    """An embedder that may refuse single texts, and may keep one waiting: a server."""

    def spared(self, texts: Sequence[str], *, soon: bool) -> Vectors:
        """`passages`, with zeros for what is refused; with `soon`, somebody waits for it."""
        ...


@dataclass(slots=True)
class Drawer:
    """A shelf in this process's own memory."""

    kept: dict[tuple[str, bytes], bytes] = field(default_factory=dict)

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""
        return {key: self.kept[space, key] for key in keys if (space, key) in self.kept}

    def put(self, space: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these."""
        self.kept.update({(space, key): vector for key, vector in vectors.items()})


def key_of(text: str, *, role: Role) -> bytes:
    """16 bytes of SHA-256 over the role and the text's UTF-8, as it stands."""
    words = text.encode("utf-8", "surrogatepass")
    return sha256(role.encode() + b"\0" + words).digest()[:KEY_BYTES]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """An embedder with a shelf behind it."""

    embedder: Embedder
    shelf: Shelf

    def of(
        self,
        texts: Sequence[str],
        *,
        role: Role = Role.PASSAGE,
        soon: bool = False,
        progress: Progress | None = None,
    ) -> Vectors:
        """One row for each text, from the shelf where it has them.

        `progress` hears of the distinct texts that are done, those on the shelf at once. If the
        embedder fails in the middle, what it did before is on the shelf. With `soon`, somebody
        waits for them.
        """
        import numpy as np

        keys = [self.key(text, role=role) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))
        found = self._known(list(by_key))
        missing = [key for key in by_key if key not in found]
        tell = progress or _silent
        tell(len(found), len(by_key))
        for start in range(0, len(missing), BATCH_TEXTS):
            some = missing[start : start + BATCH_TEXTS]
            found |= self._embedded(some, [by_key[key] for key in some], role=role, soon=soon)
            tell(len(found), len(by_key))
        rows = b"".join(found[key] for key in keys)
        return np.frombuffer(rows, dtype=np.int8).reshape(len(keys), self.embedder.dims)

    def missing(self, texts: Sequence[str], *, role: Role = Role.PASSAGE) -> list[str]:
        """Those of the texts, each once, that are not on the shelf: what is still to be done."""
        by_key = {self.key(text, role=role): text for text in texts}
        known = self._known(list(by_key))
        return [text for key, text in by_key.items() if key not in known]

    def key(self, text: str, *, role: Role = Role.PASSAGE) -> bytes:
        """Where a text's vector is kept; for both roles at one place if they have one vector."""
        return key_of(text, role=role if self.embedder.one_sided else Role.PASSAGE)

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What the shelf has; a vector of the wrong size is damaged, and is made again."""
        found = self.shelf.get(self.embedder.space, keys)
        return {key: vector for key, vector in found.items() if len(vector) == self.embedder.dims}

    def _embedded(
        self, keys: Sequence[bytes], texts: Sequence[str], *, role: Role, soon: bool
    ) -> dict[bytes, bytes]:
        spares = self.embedder if isinstance(self.embedder, Spares) else None
        if role is Role.QUERY:
            vectors = self.embedder.queries(texts)
        elif spares is not None:
            vectors = spares.spared(texts, soon=soon)
        else:
            vectors = self.embedder.passages(texts)
        made = {key: row.tobytes() for key, row in zip(keys, vectors, strict=True)}
        # What was refused is not kept: it is asked for again when an index is made anew.
        kept = {key: row for key, row in made.items() if spares is None or any(row)}
        self.shelf.put(self.embedder.space, kept)
        return made


def _silent(_done: int, _total: int) -> None:
    """Says nothing."""
