"""What WordNet says a noun may be: a row of shares, one for each anchor of `bench.lexicon_fit`."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import numpy as np

from storykeeper.language.coref.network import Floats


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, int], Floats]:
    with files(__package__).joinpath("senses.npz").open("rb") as file:
        arrays = np.load(file)
        words = arrays["words"].tobytes().decode().split("\n")
        shares = arrays["shares"].astype(np.float32) / 15
    nothing = np.zeros((1, shares.shape[1]), np.float32)
    return {word: at for at, word in enumerate(words, 1)}, np.concatenate([nothing, shares])


def senses(lemmas: list[str]) -> Floats:
    """A row for each word, in its plain form; zeros for a word that is not known."""
    rows, shares = _table()
    return shares[[rows.get(lemma, 0) or rows.get(_last(lemma), 0) for lemma in lemmas]]


def _last(lemma: str) -> str:
    """Of "summer-house", the house."""
    return lemma.rpartition("-")[2]
