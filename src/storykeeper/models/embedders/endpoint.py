"""Any embedding model behind HTTP, in the protocol that OpenAI's servers and most local ones speak.

Nothing a server says is believed: the number of vectors, their order, their sizes and every number
are checked, and an answer with one bad vector is refused whole. Then the error is ModelUnavailable,
and whoever searches goes on without vectors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.port import quantised, whole, wordless
from storykeeper.models.posting import Answered, Post

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from storykeeper.models.embedders.port import Vectors

MAX_DIMS = 8_192
MAX_ANSWER_BYTES = 32_000_000
BATCH_TEXTS = 64
BATCH_CHARS = 100_000  # a longer text is sent alone
_PROBE = "hello"


class _Vector(msgspec.Struct):
    embedding: list[float]
    index: int | None = None


class _Answer(msgspec.Struct):
    data: list[_Vector]


@dataclass(slots=True)
class EmbeddingEndpoint:
    """An embedding model at a URL such as `http://127.0.0.1:8080/v1`.

    `size` is how many numbers its vectors have; if not said, the server is asked when somebody
    first wants to know. `prefixes` are sizes at which a model was trained to be good already. Some
    models want a word before every text that says what it is: `before_query`, `before_passage`.

    A search must not wait long: a query has a deadline of its own, and after one that failed, the
    next are refused at once for `rest_seconds`.
    """

    url: str
    model: str
    size: int | None = None
    prefixes: tuple[int, ...] = ()
    before_query: str = ""
    before_passage: str = ""
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 60.0  # for one batch of passages
    query_timeout_seconds: float = 5.0
    retry_wait_seconds: float = 0.5
    rest_seconds: float = 10.0
    trust_env: bool = False
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _post: Post = field(init=False, repr=False)
    _tired: tuple[float, str] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._post = Post(
            self.url, self.api_key, retry_wait_seconds=self.retry_wait_seconds,
            max_answer_bytes=MAX_ANSWER_BYTES, trust_env=self.trust_env, clock=self.clock,
            sleep=self.sleep,
        )  # fmt: skip
        if self.size is not None and not 1 <= self.size <= MAX_DIMS:
            raise ModelUnavailable(f"a vector has 1 to {MAX_DIMS:,} numbers, not {self.size}")

    def close(self) -> None:
        """Let go of the connection; the next question opens another."""
        self._post.close()

    @property
    def space(self) -> str:
        """Changes with the server, the model, its size and what is put before a text.

        With the server too: what another one serves under the same name need not be the same.
        """
        before = f"|{self.before_query}|{self.before_passage}" if self.one_sided else ""
        return f"{self.url.rstrip('/')}#{self.model}@{self.dims}{before}"

    @property
    def dims(self) -> int:
        """How many numbers a vector has; asks the server if it was not said."""
        if self.size is None:
            self.size = self._rows([_PROBE], seconds=self.query_timeout_seconds).shape[1]
        return self.size

    @property
    def tiers(self) -> tuple[int, ...]:
        """The prefixes that were named, and the whole."""
        return (*(size for size in sorted(set(self.prefixes)) if 0 < size < self.dims), self.dims)

    @property
    def one_sided(self) -> bool:
        """Whether queries and passages are sent with different words before them."""
        return self.before_query != self.before_passage

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, asked for in batches."""
        return self._vectors(texts, before=self.before_passage, seconds=self.timeout_seconds)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, quickly or not at all."""
        if self._tired is not None and self.clock() < self._tired[0]:
            raise ModelUnavailable(self._tired[1])
        try:
            vectors = self._vectors(
                texts, before=self.before_query, seconds=self.query_timeout_seconds
            )
        except ModelUnavailable as error:
            self._tired = (self.clock() + self.rest_seconds, str(error))
            raise
        self._tired = None
        return vectors

    def _vectors(self, texts: Sequence[str], *, before: str, seconds: float) -> Vectors:
        import numpy as np

        worded = [place for place, text in enumerate(texts) if not wordless(text)]
        sent = [whole(before + texts[place]) for place in worded]
        rows = [self._rows(some, seconds=seconds) for some in _batches(sent)]
        made = np.zeros((len(texts), self.dims), dtype=np.int8)
        if rows:
            made[worded] = quantised(np.concatenate(rows))
        return made

    def _rows(self, texts: Sequence[str], *, seconds: float) -> npt.NDArray[np.float64]:
        """The server's own vectors of some texts, checked."""
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        answered = self._post.asked(
            "/embeddings", body, seconds=seconds, deadline=self.clock() + seconds
        )
        if answered.status != HTTPStatus.OK:
            raise self._post.refused(answered)
        return self._checked(self._ordered(answered, count=len(texts)))

    def _ordered(self, answered: Answered, *, count: int) -> list[list[float]]:
        try:
            data = msgspec.json.decode(answered.body, type=_Answer).data
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._malformed("no list of vectors") from error
        if len(data) != count:
            raise self._malformed(f"{len(data)} vectors for {count} texts")
        # A server that numbers nothing answers in order; one that numbers must number all.
        places = [place if v.index is None else v.index for place, v in enumerate(data)]
        if sorted(places) != list(range(count)):
            raise self._malformed("vectors that are not numbered from 0, each once")
        return [v.embedding for _, v in sorted(zip(places, data, strict=True), key=_place)]

    def _checked(self, rows: list[list[float]]) -> npt.NDArray[np.float64]:
        import numpy as np

        sizes = {len(row) for row in rows}
        wanted = self.size if self.size is not None else min(sizes)
        if sizes != {wanted} or not 1 <= wanted <= MAX_DIMS:
            said = ", ".join(map(str, sorted(sizes)))
            raise ModelUnavailable(
                f"{self.url} answered with vectors of {said} numbers instead of {wanted};"
                f" is it still {self.model}? A new model needs a new index"
            )
        vectors = np.array(rows, dtype=np.float64)
        if not np.isfinite(vectors).all():
            raise self._malformed("a vector that is not all numbers")
        if not vectors.any(axis=1).all():
            raise self._malformed("a vector of nothing but zeros")
        self.size = wanted
        return vectors

    def _malformed(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self.url} answered with {what}; check that it speaks the OpenAI embeddings protocol"
        )


def _place(numbered: tuple[int, _Vector]) -> int:
    return numbered[0]


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """As many texts at a time as one question may hold."""
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or chars + len(text) > BATCH_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch
