"""What is measured, each behind the same few calls: add one, add many, search, open again.

Ours is durable when `add` returns, and so are SQLite's full-text search (as it is by default) and
chromadb. bm25s has no adding: whatever is new, all of its index is made again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from storykeeper.memories import Memory

DATABASE = "STORYKEEPER_BENCH_DATABASE"  # postgresql://SERVICE@HOST/DATABASE


class System(Protocol):
    """Something that keeps texts and finds them."""

    def add(self, texts: Sequence[str]) -> None:
        """Keep these."""

    def search(self, query: str, k: int) -> Sequence[object]:
        """What answers a query, the best first."""

    def close(self) -> None:
        """Let go."""


class Ours:
    """A memory: by words alone, or with the fast embedder."""

    def __init__(self, place: str | Path, *, embedder: str) -> None:
        self._memory = Memory.open(place, embedder=embedder)

    def add(self, texts: Sequence[str]) -> None:
        """Keep these."""
        self._memory.add_all(texts)

    def search(self, query: str, k: int) -> Sequence[object]:
        """What answers a query."""
        return self._memory.search(query, k=k).hits

    def close(self) -> None:
        """Let go."""
        self._memory.close()


class FullText:
    """SQLite's own full-text search, ranked by its BM25."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "fts.db")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS said USING fts5(text)")

    def add(self, texts: Sequence[str]) -> None:
        """Keep these."""
        with self._db:
            self._db.executemany("INSERT INTO said VALUES (?)", ((text,) for text in texts))

    def search(self, query: str, k: int) -> Sequence[object]:
        """What has any of the words."""
        words = " OR ".join(f'"{word}"' for word in query.replace('"', " ").split())
        asked = "SELECT rowid, text FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?"
        return self._db.execute(asked, (words, k)).fetchall()

    def close(self) -> None:
        """Let go."""
        self._db.close()


class Bm25s:
    """bm25s, with its own tokens; kept beside the texts, and made again for what is new."""

    def __init__(self, folder: Path) -> None:
        import bm25s

        self._module: Any = bm25s
        self._folder = folder / "bm25s"
        self._texts: list[str] = []
        self._made: Any = None
        if self._folder.exists():
            self._made = bm25s.BM25.load(self._folder, load_corpus=True)
            self._texts = [each["text"] for each in self._made.corpus]

    def add(self, texts: Sequence[str]) -> None:
        """Keep these: index all of it, and save it."""
        self._texts += texts
        self._made = self._module.BM25(corpus=self._texts)
        self._made.index(self._tokens(self._texts), show_progress=False)
        self._made.save(self._folder, corpus=self._texts)

    def search(self, query: str, k: int) -> Sequence[object]:
        """What has any of the words."""
        found, _ = self._made.retrieve(self._tokens([query]), k=k, show_progress=False)
        return list(found[0])

    def _tokens(self, texts: Sequence[str]) -> object:
        return self._module.tokenize(texts, stopwords="en", show_progress=False)

    def close(self) -> None:
        """Nothing is held."""


class Chroma:
    """chromadb on disk, given the vectors of our fast embedder: both then embed alike."""

    def __init__(self, folder: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        from storykeeper.models.embedders.named import embedder

        self._embedder: Any = embedder("fast")
        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(folder / "chroma"), settings)
        self._kept: Any = self._client.get_or_create_collection(
            "said", embedding_function=None, metadata={"hnsw:space": "cosine"}
        )
        self._count = int(self._kept.count())

    def add(self, texts: Sequence[str]) -> None:
        """Keep these, as many at a time as it takes."""
        most = self._client.get_max_batch_size()
        for start in range(0, len(texts), most):
            some = list(texts[start : start + most])
            ids = [f"{self._count + n}" for n in range(len(some))]
            vectors = self._embedder.passages(some).astype("float32")
            self._kept.add(ids=ids, documents=some, embeddings=vectors)
            self._count += len(some)

    def search(self, query: str, k: int) -> Sequence[object]:
        """What is nearest in meaning."""
        vectors = self._embedder.queries([query]).astype("float32")
        found = self._kept.query(query_embeddings=vectors, n_results=k)
        return list(found["documents"][0])

    def close(self) -> None:
        """It has no end but that of its process."""


def in_database(folder: Path) -> str:
    """A memory of its own in the database that is set for this, as a service's role."""
    return f"{os.environ[DATABASE]}#bench/{folder.name.replace('_', '-').lower()}"


SYSTEMS: dict[str, Callable[[Path], System]] = {
    "storykeeper": lambda folder: Ours(folder / "chat.db", embedder="fast"),
    "storykeeper_words": lambda folder: Ours(folder / "chat.db", embedder="none"),
    "storykeeper_postgres": lambda folder: Ours(in_database(folder), embedder="fast"),
    "chromadb": Chroma,
    "fts5": FullText,
    "bm25s": Bm25s,
}
PACKAGES = {"chromadb": "chromadb", "bm25s": "bm25s"}  # that may not be there
