"""How long a search takes in 1,000 to 1,000,000 items, beside the least it could take.

A search is `Memory.search` with everything it does but embedding the query: the audience, the
nearest in meaning and in words, every signal of those and their neighbours, the score, the ten
items read.

The items are sentences of `--data` (LitBank, CRD3, SQuALITY), or of the labelled passages that come
with us. A few thousand are embedded; every item is made of two of them: the beginning of one and
the end of another, their vectors mixed in the same measure. Queries are sentences that are not
among them.

Floors: one numpy scan of the same vectors as float32, and tantivy alone on the same words.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.timing import spread, timed
from storykeeper.memory.filters import Where
from storykeeper.memory.items import Item
from storykeeper.memory.meaning import Meaning, Meant
from storykeeper.memory.search import Asked, search
from storykeeper.memory.signals.background import weight
from storykeeper.memory.signals.words import terms
from storykeeper.memory.tables import COLUMNS, Tables
from storykeeper.memory.view import View
from storykeeper.models.embedders.cache import Drawer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.index import Index
    from storykeeper.memory.index.values import Int8, RowData

T = TypeVar("T")
SPACE, DIMS, TIERS = "bench", 384, (128,)
FOUND = 100  # from each side
CLASSES = 8  # audiences; whoever asks may see six of them
SESSION_ROWS = 25
SPEAKERS = ("Ana", "Ben", "Cleo", "Dan")
BATCH = 8192
SINGLE = 600  # items added one by one
COMMIT_EVERY = 256
ASKER = "ana"


@dataclass(frozen=True, eq=False)
class Sentences:
    """Real sentences with what they mean; the first are asked, the others become items."""

    texts: list[str]
    meant: list[Meant]
    asked: int

    def queries(self, count: int) -> list[str]:
        """As many, over and over if there are not enough."""
        return [self.texts[number % self.asked] for number in range(count)]

    @cached_property
    def terms(self) -> list[list[str]]:
        """The words of each."""
        return [terms(text) for text in self.texts]

    @cached_property
    def units(self) -> NDArray[np.float32]:
        """Their vectors, of length 1."""
        import numpy as np

        real = np.stack([each.whole for each in self.meant]).astype(np.float32)
        real /= np.maximum(np.linalg.norm(real, axis=1, keepdims=True), 1e-6)
        return real


class Prepared:
    """What the queries mean, embedded beforehand."""

    space = SPACE

    def __init__(self, sentences: Sentences) -> None:
        self._known = dict(zip(sentences.texts[: sentences.asked], sentences.meant, strict=False))

    def query(self, text: str, *, leave: object) -> Meant:
        """As it was embedded."""
        return self._known[text]


class Made:
    """A store of made items: all of the real one but the ledger and the embedder."""

    def __init__(self, sentences: Sentences, folder: Path) -> None:
        self.index = opened(folder)
        self.tables = Tables()
        for number in range(CLASSES):
            who = (ASKER, f"other-{number}") if number < CLASSES - 2 else (f"other-{number}",)
            self.tables.eyes["", who] = number
        self.tables.speakers = {name: n for n, name in enumerate(SPEAKERS)}
        self.tables.sessions = {f"s{n}": n for n in range(1 + self.index.rows // SESSION_ROWS)}
        self.meaning = Prepared(sentences)
        self.unavailable = ""
        self._views: dict[frozenset[int], View] = {}

    def item(self, row: int) -> Item:
        """Some item: reading it is measured where the ledger is."""
        return Item(f"m{row + 1}", "…", row + 1)

    def anchors(self, row: int) -> int:
        """None: no question here is of time."""
        return 0

    def view(
        self, classes: frozenset[int], /, *, where: Where | None = None,
        alive_ms: int | None = None,
    ) -> View:  # fmt: skip
        """As of the real one; nothing here has metadata, or expires."""
        assert where is None
        assert alive_ms is None
        if classes not in self._views:
            self._views[classes] = View(self.index, self.tables, self.item, classes)
        return self._views[classes]


def searching(place: Path, setup: Setup, figures: Figures) -> None:
    """All sizes; the figures go under `search`."""
    sentences = read(setup)
    sizes = (1_000, 10_000) if setup.quick else (1_000, 10_000, 100_000, 1_000_000)
    by_size: dict[str, Figures] = {}
    floor: Figures = {}
    for size in sizes:
        setup.say(f"  search in {size:,} items …")
        folder = place / f"index-{size}"
        by_size[f"{size}"], floor[f"{size}"] = at_size(sentences, size, folder, setup)
        shutil.rmtree(folder)
    ours: Figures = {
        "p50": {size: found["warm"]["p50"] for size, found in by_size.items()},
        "p95": {size: found["warm"]["p95"] for size, found in by_size.items()},
        "growth": growth({int(size): found["warm"]["p50"] for size, found in by_size.items()}),
        "sizes": by_size,
    }
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
    chosen = [chosen[n] for n in order]
    return Sentences(chosen, Meaning(MiniLM(), Drawer()).passages(chosen), asked)


def at_size(sentences: Sentences, size: int, folder: Path, setup: Setup) -> tuple[Figures, Figures]:
    """One size, ours and the floors."""
    rounds = 20 if setup.quick else 200
    queries = sentences.queries(rounds)
    built(sentences, size, folder).close()
    store = Made(sentences, folder)
    matrix = floor_matrix(store.index)
    vectors = [store.meaning.query(text, leave=()).whole for text in queries]
    ours: Figures = {"warm": warm(store, queries), "recall_at_10": recall(store.index, vectors)}
    store.index.close()
    ours["cold"] = cold(sentences, folder, queries[:3] if setup.quick else queries[:20])
    ours["rss_mb"] = resident(folder)
    floor = {
        "numpy_scan": scanned(matrix, vectors),
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
    one, other = chance.integers(sentences.asked, len(sentences.texts), (2, count))
    share = chance.uniform(0, 0.6, (count, 1)).astype(np.float32)
    both = (1 - share) * sentences.units[one] + share * sentences.units[other]
    vectors = np.rint(127 * both / np.abs(both).max(axis=1, keepdims=True)).astype(np.int8)
    rows = []
    for number, (first, second, part) in enumerate(zip(one, other, share[:, 0], strict=True)):
        words = _mixed(sentences.terms[first], sentences.terms[second], part)
        pieces = _mixed(sentences.meant[first].pieces, sentences.meant[second].pieces, part)
        row = seed + number
        columns = {
            "version": row, "said": row * 60_000.0, "session": row // SESSION_ROWS,
            "speaker": row % len(SPEAKERS), "asks": float("?" in sentences.texts[first]),
        }  # fmt: skip
        eyes = int(chance.integers(0, CLASSES))
        blob = b"".join(piece.tobytes() for piece in pieces)
        rows.append(RowData(words, audience=eyes, columns=columns, blob=blob))
    return vectors, rows


def _mixed(begin: Sequence[T], end: Sequence[T], part: float) -> list[T]:
    """The beginning of one and the end of another."""
    return [*begin[: round(len(begin) * (1 - part))], *end[len(end) - round(len(end) * part) :]]


def ask(store: Made, query: str) -> None:
    """One search."""
    search(store, query, Asked(audience=ASKER), most=10)


def warm(store: Made, queries: Sequence[str]) -> Figures:
    """P50 and P95 in milliseconds, all and by part."""
    index, classes = store.index, store.tables.open_to(ASKER, namespace="")
    allowed = index.allowed(classes)
    for query in queries[:10]:
        ask(store, query)
    whole = [timed(lambda q=q: ask(store, q)) for q in queries]  # type: ignore[misc]
    vectors = [store.meaning.query(query, leave=()).whole for query in queries]
    words = [[(term, weight(term, having=1, visible=1)) for term in terms(q)] for q in queries]
    near = [timed(lambda v=v: index.dense(v, allowed=allowed, k=FOUND)) for v in vectors]  # type: ignore[misc]
    said = [timed(lambda w=w: index.lexical(w, allowed=allowed, k=FOUND)) for w in words]  # type: ignore[misc]
    return {**spread(whole), "dense": spread(near), "lexical": spread(said)}


def recall(index: Index, vectors: Sequence[Int8]) -> float:
    """Share of the ten truly nearest that are found, in percent."""
    allowed = index.allowed(range(6))
    same = wanted = 0
    for vector in vectors[:100]:
        true = index.exact(vector, allowed=allowed, k=10).rows
        same += len({*true} & {*index.dense(vector, allowed=allowed, k=10).rows})
        wanted += len(true)
    return round(100 * same / wanted, 2)


def cold(sentences: Sentences, folder: Path, queries: Sequence[str]) -> Figures:
    """Opening and the first search, no file in memory as far as the system obeys."""
    opening: list[float] = []
    first: list[float] = []
    for query in queries:
        for path in folder.iterdir():
            handle = os.open(path, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)
        held: list[Made] = []
        opening.append(timed(lambda held=held: held.append(Made(sentences, folder))))  # type: ignore[misc]
        store = held[0]
        first.append(timed(lambda s=store, q=query: ask(s, q)))  # type: ignore[misc]
        store.index.close()
        del held, store
    return {"open": spread(opening), **spread(first)}


_RESIDENT = """
import sys
from pathlib import Path
from storykeeper.bench.searching import Made, Sentences, ask
from storykeeper.memory.meaning import Meaning
from storykeeper.models.embedders.cache import Drawer
from storykeeper.models.embedders.minilm import MiniLM
texts = ["the door in the hill", "who took the lamp?", "a letter for the captain"]
meant = Meaning(MiniLM(), Drawer()).passages(texts)
store = Made(Sentences(texts, meant, len(texts)), Path(sys.argv[1]))
for text in texts * 9:
    ask(store, text)
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


def scanned(matrix: NDArray[np.float32], vectors: Sequence[Int8]) -> Figures:
    """One product and one partition."""
    import numpy as np

    def scan(vector: Int8) -> None:
        scores = matrix @ vector.astype(np.float32)
        np.argpartition(scores, len(scores) - FOUND)[-FOUND:]

    scan(vectors[0])
    return spread([timed(lambda v=v: scan(v)) for v in vectors[:50]])  # type: ignore[misc]


def tantivy_alone(sentences: Sentences, size: int, queries: Sequence[str]) -> Figures | None:
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

    def find(words: Sequence[str]) -> None:
        parts = [(should, tantivy.Query.term_query(schema, "words", word)) for word in words]
        searcher.search(boolean(parts), FOUND)

    worded = [terms(query) for query in queries]
    find(worded[0])
    return spread([timed(lambda w=w: find(w)) for w in worded])  # type: ignore[misc]


def growth(medians: dict[int, float]) -> Figures:
    """How many times the time, for ten times the items; 10 is linear."""
    sizes = sorted(medians)
    return {
        f"{small}-{large}": round(medians[large] / max(medians[small], 1e-9), 2)
        for small, large in pairwise(sizes)
    }
