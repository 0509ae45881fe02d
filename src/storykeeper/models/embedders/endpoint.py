"""Any embedding model behind HTTP, in the protocol that OpenAI's servers and most local ones speak.

Nothing a server says is believed: the number of vectors, their order, their sizes and every number
are checked, and an answer with one bad vector is refused whole. Then the error is ModelUnavailable,
and whoever searches goes on without vectors.

One text that a server does not take (too long for its model) must not cost others their vectors:
where it takes another text at that moment, `spared` asks in halves for what it refused, and gives
zeros, which are like nothing, for what it refuses alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from storykeeper.errors import UNREADABLE, ModelUnavailable
from storykeeper.models.embedders.port import quantised, whole, wordless
from storykeeper.models.posting import Answered, Post, Refused

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from storykeeper.models.embedders.port import Vectors

    _Floats = npt.NDArray[np.float64]

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
    allow: Collection[str] = ()  # `private`, `plain-key`: see models/network.py
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _post: Post = field(init=False, repr=False)
    _tired: tuple[float, str] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self._post = Post(
            self.url, self.api_key, retry_wait_seconds=self.retry_wait_seconds,
            max_answer_bytes=MAX_ANSWER_BYTES, trust_env=self.trust_env, clock=self.clock,
            sleep=self.sleep, allow=self.allow,
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
        return self._vectors(
            texts,
            before=self.before_passage,
            asked=lambda some: self._rows(some, seconds=self.timeout_seconds),
        )

    def spared(self, texts: Sequence[str], *, soon: bool) -> Vectors:
        """`passages`, with zeros for what is refused by itself while others are taken.

        With `soon`, all of it before the deadline of one query, or not at all.
        """
        end = self.clock() + self.query_timeout_seconds
        left = (lambda: self._left(end)) if soon else (lambda: self.timeout_seconds)

        def ask() -> Vectors:
            return self._vectors(
                texts, before=self.before_passage, asked=lambda some: self._taken(some, left=left)
            )

        return self._rested(ask) if soon else ask()

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, quickly or not at all."""
        return self._rested(
            lambda: self._vectors(
                texts,
                before=self.before_query,
                asked=lambda some: self._rows(some, seconds=self.query_timeout_seconds),
            )
        )

    def _rested(self, ask: Callable[[], Vectors]) -> Vectors:
        """What is asked for by somebody who waits; refused at once for a while after a failure."""
        if self._tired is not None and self.clock() < self._tired[0]:
            raise ModelUnavailable(self._tired[1])
        try:
            vectors = ask()
        except Refused:
            raise  # at once, and for what was asked: whoever asks for something else need not rest
        except ModelUnavailable as error:
            self._tired = (self.clock() + self.rest_seconds, str(error))
            raise
        self._tired = None
        return vectors

    def _left(self, end: float) -> float:
        left = end - self.clock()
        if left <= 0:
            raise ModelUnavailable(
                f"{self.url} did not answer within {self.query_timeout_seconds:g} s;"
                " allow more time or use a smaller model"
            )
        return left

    def _vectors(
        self, texts: Sequence[str], *, before: str, asked: Callable[[Sequence[str]], _Floats]
    ) -> Vectors:
        import numpy as np

        worded = [place for place, text in enumerate(texts) if not wordless(text)]
        sent = [whole(before + texts[place]) for place in worded]
        rows = [asked(some) for some in _batches(sent)]
        made = np.zeros((len(texts), self.dims), dtype=np.int8)
        if rows:
            made[worded] = quantised(np.concatenate(rows))
        return made

    def _taken(self, texts: Sequence[str], *, left: Callable[[], float]) -> _Floats:
        """`_rows`; zeros for those that the server does not take, if it takes any other."""
        try:
            return self._rows(texts, seconds=left())
        except Refused as error:
            try:
                self._rows([_PROBE], seconds=left())
            except Refused:
                raise error from None  # it is the server, and not the texts
            return self._parted(texts, left=left)

    def _parted(self, texts: Sequence[str], *, left: Callable[[], float]) -> _Floats:
        """The vectors of texts that were refused together: in halves, down to each by itself."""
        import numpy as np

        if len(texts) == 1:
            return np.zeros((1, self.dims))
        halves: list[_Floats] = []
        for half in (texts[: len(texts) // 2], texts[len(texts) // 2 :]):
            try:
                halves.append(self._rows(half, seconds=left()))
            except Refused:
                halves.append(self._parted(half, left=left))
        return np.concatenate(halves)

    def _rows(self, texts: Sequence[str], *, seconds: float) -> _Floats:
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
        except UNREADABLE as error:
            raise self._malformed("no list of vectors") from error
        if len(data) != count:
            raise self._malformed(f"{len(data)} vectors for {count} texts")
        # A server that numbers nothing answers in order; one that numbers must number all.
        places = [place if v.index is None else v.index for place, v in enumerate(data)]
        if sorted(places) != list(range(count)):
            raise self._malformed("vectors that are not numbered from 0, each once")
        return [v.embedding for _, v in sorted(zip(places, data, strict=True), key=_place)]

    def _checked(self, rows: list[list[float]]) -> _Floats:
        import numpy as np

        sizes = {len(row) for row in rows}
        wanted = self.size if self.size is not None else min(sizes)
        if sizes != {wanted} or not 1 <= wanted <= MAX_DIMS:
            said = ", ".join(map(str, sorted(sizes)))
            raise Refused(
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

    def _malformed(self, what: str) -> Refused:
        return Refused(
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
