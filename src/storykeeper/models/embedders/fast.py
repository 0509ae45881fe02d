"""The fast embedder: WordLlama's 256 numbers for each piece of a word, and their mean.

A table look-up, a hundred times as fast as MiniLM and weaker. Trained so that prefixes are good
by themselves (Matryoshka), so nothing is turned. Its files are read as they lie in the package; the
package itself, which would look for a model hub, is not imported.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.port import quantised, whole, wordless

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer

    from storykeeper.models.embedders.port import Vectors

DIMS = 256
PIECES = 32_000
WEIGHTS = ("weights", "l2_supercat_256.safetensors")
TOKENIZER = ("tokenizers", "l2_supercat_tokenizer_config.json")
WEIGHTS_DIGEST = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
_AT_ONCE = 4096  # pieces summed at a time, so that a book needs no more room than a page
_INSTALL = "pip install 'storykeeper[fast]'"


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokenizer: Tokenizer
    table: npt.NDArray[np.float16]


@dataclass(slots=True)
class WordLlama:
    """WordLlama, loaded when first asked."""

    dims: int = field(default=DIMS, init=False)
    tiers: tuple[int, ...] = field(default=(128, DIMS), init=False)
    one_sided: bool = field(default=False, init=False)
    _loaded: _Loaded | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    @property
    def space(self) -> str:
        """Changes with the package's files and the way of pooling."""
        return f"wordllama-l2-256@{WEIGHTS_DIGEST[:8]}.1"

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        return quantised(self.means(texts))

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as passages: this model does not tell them apart."""
        return self.passages(texts)

    def means(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """v = Σ over pieces of E[piece] / pieces; zeros for a text of none."""
        import numpy as np

        model = self._model()
        made = np.zeros((len(texts), DIMS), dtype=np.float64)
        for row, text in zip(made, texts, strict=True):
            if wordless(text):
                continue
            found = model.tokenizer.encode(whole(text), add_special_tokens=False).ids
            places = np.minimum(np.asarray(found, dtype=np.int64), PIECES - 1)
            for start in range(0, len(places), _AT_ONCE):
                row += model.table[places[start : start + _AT_ONCE]].sum(axis=0, dtype=np.float64)
            row /= max(1, len(places))
        return made

    def _model(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
            return self._loaded


def _load() -> _Loaded:
    import numpy as np

    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ModelUnavailable(f"tokenizers is not installed; {_INSTALL}") from error
    content = _file(*WEIGHTS).read_bytes()
    if sha256(content).hexdigest() != WEIGHTS_DIGEST:
        # Another table's vectors must not get among this one's.
        raise ModelUnavailable(f"wordllama is not the one that this version knows; {_INSTALL}")
    # safetensors: eight bytes say how long the description is, the numbers follow it.
    start = 8 + int.from_bytes(content[:8], "little")
    table = np.frombuffer(content, dtype="<f2", offset=start).reshape(PIECES, DIMS)
    return _Loaded(Tokenizer.from_file(str(_file(*TOKENIZER))), table)


def _file(*parts: str) -> Path:
    found = find_spec("wordllama")
    if found is None or found.origin is None:
        raise ModelUnavailable(f"the fast embedder is not installed; {_INSTALL}")
    path = Path(found.origin).parent.joinpath(*parts)
    if not path.is_file():
        raise ModelUnavailable(f"wordllama has no {parts[-1]}; {_INSTALL}")
    return path
