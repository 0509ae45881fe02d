"""How long a search takes in 1,000 to 1,000,000 items, beside the least it could take.

A search here is what `Memory.search` asks of its index: the mask of an audience, the hundred
nearest in meaning, the hundred nearest in words, and cosines and word scores of those and their
neighbours. The query is embedded beforehand.

The items are sentences of `--data` (LitBank, CRD3, SQuALITY), or of the labelled passages that come
with us. A few thousand are embedded; every item is made of two of them: the beginning of one and
the end of another, their vectors mixed in the same measure. Queries are sentences that are not
among them, every word kept, with weights from how many of the sentences have it.

Floors: one numpy scan of the same vectors as float32, and tantivy alone on the same words.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.timing import spread, timed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import Int8, RowData

SPACE, DIMS, TIERS = "bench", 384, (64, 128)
COLUMNS = ("turn", "at", "session", "weight")
FOUND = 100  # from each side
CLASSES = 8  # audiences; queries may see six of them
BATCH = 8192
SINGLE = 600  # items added one by one
COMMIT_EVERY = 256
WORDS_ASKED = 16
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A sentence as a query: its vector, and its words with their weights."""

    vector: Int8
    terms: list[tuple[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """Real sentences with their vectors; the first are asked, the others become items."""

    words: list[list[str]]
    vectors: Int8
    asked: int

    def queries(self, count: int) -> list[Asked]:
        """As many, over and over if there are not enough."""
        having = Counter(word for words in self.words for word in set(words))

        def weight(word: str) -> float:
            return math.log(1 + len(self.words) / (1 + having[word]))

        asked = [
            Asked(vector, [(word, weight(word)) for word in dict.fromkeys(words[:WORDS_ASKED])])
            for vector, words in zip(self.vectors[: self.asked], self.words, strict=False)
        ]
        return [asked[number % self.asked] for number in range(count)]


def measure(place: Path, setup: Setup, figures: Figures) -> None:
    """All sizes; the figures go under `search`."""
    sentences = read(setup)
    sizes = (1_000, 10_000) if setup.quick else (1_000, 10_000, 100_000, 1_000_000)
    ours: Figures = {}
    floor: Figures = {}
    for size in sizes:
        setup.say(f"  search in {size:,} items …")
        folder = place / f"index-{size}"
        ours[f"{size}"], floor[f"{size}"] = at_size(sentences, size, folder, setup)
    ours["growth"] = growth({int(s): f["warm"]["p50"] for s, f in ours.items()})
    figures["storykeeper"]["search"] = ours
    figures["floor"]["search"] = floor


def read(setup: Setup) -> Sentences:
    """Sentences to build from, embedded."""
    from storykeeper.bench.mentions.objects import passages
    from storykeeper.models.embedders.corpora import sentences, texts
    from storykeeper.models.embedders.minilm import MiniLM

    if setup.data is not None:
        found = texts(setup.data)
    else:
        setup.say("  no --data: items are made of the few passages that come with us")
        found = [s for passage in passages() for s in sentences(passage.text)]
    found = [text for text in dict.fromkeys(found) if 4 <= len(text.split()) <= 80]
    wanted = min(len(found), 120 if setup.quick else 3_000)
    chosen = [found[len(found) * number // wanted] for number in range(wanted)]
    # Every so-many-th is taken out to be asked, so that all sources are asked and are items.
    asked = min(200, wanted // 3)
    step = wanted // asked
    order = [*range(0, step * asked, step)]
    order += [n for n in range(wanted) if n % step or n >= step * asked]
    setup.say(f"  embedding {wanted:,} sentences …")
    vectors = MiniLM().passages([chosen[n] for n in order])
    return Sentences([_WORD.findall(chosen[n].lower()) for n in order], vectors, asked)


def at_size(sentences: Sentences, size: int, folder: Path, setup: Setup) -> tuple[Figures, Figures]:
    """One size, ours and the floors."""
    rounds = 20 if setup.quick else 200
    queries = sentences.queries(rounds)
    index = built(sentences, size, folder)
    matrix = floor_matrix(index)
    ours: Figures = {"warm": warm(index, queries), "recall_at_10": recall(index, queries)}
    index.close()
    ours["cold"] = cold(folder, queries[:3] if setup.quick else queries[:20])
    ours["rss_mb"] = resident(folder)
    floor = {
        "numpy_scan": scanned(matrix, queries),
        "tantivy": tantivy_alone(sentences, size, queries),
    }
    del matrix
    with opened(folder) as index:
        ours["add"] = adding(sentences, index)
    ours["disk_mb"] = round(sum(p.stat().st_size for p in folder.iterdir()) / 1e6, 1)
    return ours, floor


def opened(folder: Path) -> Index:
    """The index of a size."""
    from storykeeper.memory.index.index import Index

    return Index.open(folder, space=SPACE, dims=DIMS, tiers=TIERS, columns=COLUMNS)


def built(sentences: Sentences, size: int, folder: Path) -> Index:
    """An index of that many made items."""
    from storykeeper.memory.index.values import Stamp

    index = opened(folder)
    for start in range(0, size, BATCH):
        vectors, rows = items(sentences, min(BATCH, size - start), seed=start)
        index.add(vectors, rows)
        index.commit(Stamp(index.rows))
    return index


def items(sentences: Sentences, count: int, *, seed: int) -> tuple[Int8, list[RowData]]:
    """The beginning of one sentence and the end of another, and their vectors mixed likewise."""
    import numpy as np

    from storykeeper.memory.index.values import RowData

    chance = np.random.default_rng(seed)
    one, other = chance.integers(sentences.asked, len(sentences.words), (2, count))
    share = chance.uniform(0, 0.6, (count, 1)).astype(np.float32)
    real = sentences.vectors.astype(np.float32)
    real /= np.maximum(np.linalg.norm(real, axis=1, keepdims=True), 1e-6)
    both = (1 - share) * real[one] + share * real[other]
    vectors = np.rint(127 * both / np.abs(both).max(axis=1, keepdims=True)).astype(np.int8)
    rows = []
    for first, second, part in zip(one, other, share[:, 0], strict=True):
        begin, end = sentences.words[first], sentences.words[second]
        words = begin[: round(len(begin) * (1 - part))] + end[len(end) - round(len(end) * part) :]
        rows.append(RowData(words, audience=int(chance.integers(0, CLASSES))))
    return vectors, rows


def search(index: Index, asked: Asked) -> NDArray[np.int64]:
    """What one search asks of the index."""
    import numpy as np

    allowed = index.allowed(range(6))
    near = index.dense(asked.vector, allowed=allowed, k=FOUND)
    worded = index.lexical(asked.terms, allowed=allowed, k=FOUND)
    rows = np.unique(np.concatenate([near.rows, worded.rows]))
    around = np.unique(np.clip(np.concatenate([rows - 1, rows, rows + 1]), 0, index.rows - 1))
    index.similarity(asked.vector, around)
    index.lexical_of(asked.terms, around)
    return around


def warm(index: Index, queries: Sequence[Asked]) -> Figures:
    """P50 and P95 in milliseconds, all and by part."""
    allowed = index.allowed(range(6))
    for asked in queries[:10]:
        search(index, asked)
    whole = [timed(lambda a=a: search(index, a)) for a in queries]  # type: ignore[misc]
    near = [timed(lambda a=a: index.dense(a.vector, allowed=allowed, k=FOUND)) for a in queries]  # type: ignore[misc]
    words = [timed(lambda a=a: index.lexical(a.terms, allowed=allowed, k=FOUND)) for a in queries]  # type: ignore[misc]
    return {**spread(whole), "dense": spread(near), "lexical": spread(words)}


def recall(index: Index, queries: Sequence[Asked]) -> float:
    """Share of the ten truly nearest that are found, in percent."""
    allowed = index.allowed(range(6))
    same = wanted = 0
    for asked in queries[:100]:
        true = index.exact(asked.vector, allowed=allowed, k=10).rows
        same += len({*true} & {*index.dense(asked.vector, allowed=allowed, k=10).rows})
        wanted += len(true)
    return round(100 * same / wanted, 2)


def cold(folder: Path, queries: Sequence[Asked]) -> Figures:
    """Opening and the first search, no file in memory as far as the system obeys."""
    opening: list[float] = []
    first: list[float] = []
    for asked in queries:
        for path in folder.iterdir():
            handle = os.open(path, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)
        held: list[Index] = []
        opening.append(timed(lambda held=held: held.append(opened(folder))))  # type: ignore[misc]
        index = held[0]
        first.append(timed(lambda i=index, a=asked: search(i, a)))  # type: ignore[misc]
        index.close()
        del held, index
    return {"open": spread(opening), **spread(first)}


_RESIDENT = """
import sys
from itertools import pairwise
from pathlib import Path
from storykeeper.bench.searching import Asked, opened, search
from storykeeper.models.embedders.minilm import MiniLM
model = MiniLM()
with opened(Path(sys.argv[1])) as index:
    for text in ("the door in the hill", "who took the lamp?", "a letter for the captain") * 9:
        search(index, Asked(model.queries([text])[0], [(word, 1.0) for word in text.split()]))
    status = Path("/proc/self/status").read_text().split()
    print(int(status[status.index("VmRSS:") + 1]) // 1024)
"""


def resident(folder: Path) -> int | None:
    """Megabytes of a fresh process that has the embedder loaded and has searched a few times."""
    if not Path("/proc/self/status").exists():
        return None
    command = [sys.executable, "-c", _RESIDENT, str(folder)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def adding(sentences: Sentences, index: Index) -> Figures:
    """One item at a time, a commit now and then: the time of each, and the longest."""
    from storykeeper.memory.index.values import Stamp

    vectors, rows = items(sentences, SINGLE, seed=1)

    def put(number: int) -> None:
        index.add(vectors[number : number + 1], rows[number : number + 1])
        if number % COMMIT_EVERY == COMMIT_EVERY - 1:
            index.commit(Stamp(index.rows))

    times = [timed(lambda n=n: put(n)) for n in range(SINGLE)]  # type: ignore[misc]
    return {**spread(times), "longest": round(max(times) * 1000, 1)}


def floor_matrix(index: Index) -> NDArray[np.float32]:
    """The same vectors, as float32 of length 1."""
    import numpy as np

    parts = [s.truth.full.astype(np.float32) * s.derived.norms[-1][:, None] for s in index.segments]
    return np.concatenate(parts)


def scanned(matrix: NDArray[np.float32], queries: Sequence[Asked]) -> Figures:
    """One product and one partition."""
    import numpy as np

    def scan(vector: Int8) -> None:
        scores = matrix @ vector.astype(np.float32)
        np.argpartition(scores, len(scores) - FOUND)[-FOUND:]

    scan(queries[0].vector)
    return spread([timed(lambda a=a: scan(a.vector)) for a in queries[:50]])  # type: ignore[misc]


def tantivy_alone(sentences: Sentences, size: int, queries: Sequence[Asked]) -> Figures | None:
    """The same words in tantivy, by its own BM25, with no audiences; none if not installed."""
    try:
        import tantivy
    except ImportError:
        return None
    schema = tantivy.SchemaBuilder().add_text_field("words", tokenizer_name="whitespace").build()
    index = tantivy.Index(schema)
    writer = index.writer(heap_size=100_000_000, num_threads=1)
    for start in range(0, size, BATCH):
        for row in items(sentences, min(BATCH, size - start), seed=start)[1]:
            writer.add_document(tantivy.Document(words=" ".join(row.terms)))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    boolean, should = tantivy.Query.boolean_query, tantivy.Occur.Should

    def ask(terms: Sequence[tuple[str, float]]) -> None:
        parts = [(should, tantivy.Query.term_query(schema, "words", word)) for word, _ in terms]
        searcher.search(boolean(parts), FOUND)

    ask(queries[0].terms)
    return spread([timed(lambda a=a: ask(a.terms)) for a in queries])  # type: ignore[misc]


def growth(medians: dict[int, float]) -> Figures:
    """How many times the time, for ten times the items; 10 is linear."""
    sizes = sorted(medians)
    return {
        f"{small}-{large}": round(medians[large] / max(medians[small], 1e-9), 2)
        for small, large in pairwise(sizes)
    }
