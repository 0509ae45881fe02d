"""Vectors of texts and of the telling words in them, from one reading of the model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.memory.meaning import Meaning
from storykeeper.memory.signals.pieces import Telling
from storykeeper.models.embedders.cache import Drawer
from storykeeper.models.embedders.port import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8 = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """Texts as vectors."""

    whole: Int8  # one for each text
    telling: tuple[Telling, ...]
    pieces: tuple[Int8, ...]  # of each text, the vectors of its telling pieces


def embedded(model: Embedder, texts: Sequence[str], *, leave: Collection[str] = ()) -> Embedded:
    """Read texts once. `leave` are words that are no pieces: names of who speaks."""
    import numpy as np

    made = Meaning(model, Drawer()).read(texts, dict.fromkeys(texts, leave))
    return Embedded(
        np.stack([each.whole for each in made]),
        tuple(each.telling for each in made),
        tuple(each.pieces for each in made),
    )
