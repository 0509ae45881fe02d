"""A cross-encoder: reads a query and a passage together and says how well this answers that.

None comes with us: what was measured of those that a package holds made things worse. Whoever has
one in ONNX names its file; it must take BERT's three inputs (`input_ids`, `attention_mask`,
`token_type_ids`) over BERT's uncased pieces, as the MS MARCO MiniLM cross-encoders do, and answer
one number for each pair, or two (no and yes).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.session import runtime
from storykeeper.models.embedders.wordpiece import BEGIN, END, pieces

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_PIECES = 512  # of a query, a passage and three marks
QUERY_PIECES = 128
AT_ONCE = 16  # pairs


class Reranker(Protocol):
    """What reads a query with each of some passages."""

    def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """How well each answers the query, from 0 to 1."""
        ...


Pair = tuple[list[int], list[int]]  # pieces, and which of two texts each is of


class PairReader:
    """A model in an ONNX file that reads two texts together, on onnxruntime."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self.path = path
        self._session = _session(path, threads)

    @staticmethod
    def pair(first: Sequence[int], second: Sequence[int]) -> Pair:
        """[CLS] first [SEP] second [SEP], and which of the two each piece is of."""
        head = [BEGIN, *first, END]
        rest = [*second[: MOST_PIECES - len(head) - 1], END]
        return [*head, *rest], [0] * len(head) + [1] * len(rest)

    def logits(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float64]:
        """What it answers, a row a pair."""
        import numpy as np

        longest = max(len(ids) for ids, _ in pairs)
        shape = (len(pairs), longest)
        ids, types, mask = (np.zeros(shape, np.int64) for _ in range(3))
        for row, (pair, kinds) in enumerate(pairs):
            ids[row, : len(pair)] = pair
            types[row, : len(pair)] = kinds
            mask[row, : len(pair)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        try:
            (logits, *_) = self._session.run(None, feeds)
        except _failures() as error:
            raise ModelUnavailable(f"{self.path.name} cannot read pairs: {error}") from None
        return np.asarray(logits, np.float64)


class CrossEncoder:
    """A cross-encoder in an ONNX file, on onnxruntime."""

    def __init__(self, path: str | Path, *, threads: int = 1) -> None:
        self.path = Path(path)
        self._reader = PairReader(self.path, threads=threads)

    def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """σ of the logit of each pair; of two logits, their softmax's yes."""
        asked = pieces(query)[:QUERY_PIECES]
        pairs = [PairReader.pair(asked, pieces(passage)) for passage in passages]
        order = sorted(range(len(pairs)), key=lambda place: (len(pairs[place][0]), place))
        found = [0.0] * len(pairs)
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            for place, share in zip(places, self._read([pairs[p] for p in places]), strict=True):
                found[place] = share
        return found

    def _read(self, pairs: Sequence[Pair]) -> list[float]:
        return _shares(self._reader.logits(pairs), rows=len(pairs), name=self.path.name)


def _shares(logits: npt.NDArray[np.float64], *, rows: int, name: str) -> list[float]:
    import numpy as np

    flat = logits.reshape(rows, -1) if logits.size % rows == 0 else logits
    if flat.ndim != 2 or flat.shape[1] not in (1, 2) or not np.isfinite(flat).all():
        raise ModelUnavailable(
            f"{name} is no cross-encoder: it answers {logits.shape} for {rows} pairs, not one"
            " number for each, or two"
        )
    logit = flat[:, 0] if flat.shape[1] == 1 else flat[:, 1] - flat[:, 0]
    shares: list[float] = (1.0 / (1.0 + np.exp(-np.clip(logit, -60, 60)))).tolist()
    return shares


def _failures() -> tuple[type[Exception], ...]:
    """What onnxruntime raises; they have no class in common."""
    from importlib import import_module

    state = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    named = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "RuntimeException")
    return (
        RuntimeError,
        ValueError,
        *(getattr(state, each) for each in (*named, "NotImplemented")),
    )


@lru_cache(maxsize=4)
def _session(path: Path, threads: int) -> Any:
    onnxruntime = runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            path.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
    except OSError as error:
        raise ModelUnavailable(f"{path} cannot be read: {error.strerror or error}") from None
    except _failures() as error:
        raise ModelUnavailable(f"{path.name} is no model that onnxruntime takes: {error}") from None
