"""The candidates of a search, each with its likeness and what that is the sum of (F5.22 to F5.26).

From the nearest in words and the nearest in meaning, and those beside them: an answer often stands
one line after the words that were asked for. Everything is measured on rows the asker may see.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from storykeeper.errors import ModelUnavailable
from storykeeper.language.time import Narrowing
from storykeeper.memory.signals.features import Looked, measured, rarity
from storykeeper.memory.signals.learned import shipped
from storykeeper.memory.signals.pieces import best, equal, piece_weights, word_weights
from storykeeper.memory.signals.query import Question, name_words, read
from storykeeper.scoring.fusion import logistics, sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.values import Allowed
    from storykeeper.memory.meaning import Meant
    from storykeeper.memory.searched import Searched
    from storykeeper.memory.view import View

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

FOUND = 100  # from words, and from meaning
SAID_THEN = 3.0  # a time of the talking counts thrice one of what happened, which is told later
MOST_QUERY_CHARS = 2_000  # of a query that are embedded; words are taken from all of it


@dataclass(frozen=True, eq=False)
class Likely:
    """Candidates, ascending by row."""

    question: Question
    rows: Rows
    sums: Floats  # b + Σ wᵢ·fᵢ
    features: Floats  # rows × NAMES
    beside: Rows  # rows × 2: the places here of the one before each and the one after; −1: none
    keywords: Floats  # of each, the share of the question's terms that it has
    meant: Meant | None  # the query; None if it was searched for by words alone
    notes: tuple[str, ...] = ()

    @cached_property
    def sims(self) -> Floats:
        """σ(b + Σ wᵢ·fᵢ)."""
        return logistics(self.sums)

    def parts(self, place: int) -> dict[str, float]:
        """What the likeness of one is the sum of, without what adds nothing."""
        learned = shipped().of
        values = zip(learned, learned.values(), self.features[place].tolist(), strict=True)
        return {n: weight * of for n, weight, of in values if not -5e-4 < weight * of < 5e-4}


def likely(
    store: Searched, view: View, query: str, narrowing: Narrowing, *, allowed: Allowed,
    then: Allowed | None = None, found: int = FOUND,
) -> Likely:  # fmt: skip
    """What may answer a query, of what is allowed; `then`: what is looked at however unlike."""
    import numpy as np

    question = read(
        narrowing.rest, speakers=view.speakers, visible=allowed.count,
        having=lambda terms: view.having(terms, allowed),
    )  # fmt: skip
    meant, notes = _meant(store, view, query)
    notes += _waiting(store, allowed)
    candidates = _candidates(store, view, question, meant, allowed, found)
    if then is not None:
        there = _candidates(store, view, question, meant, then, found)
        candidates = distinct(np.concatenate([candidates, there]))
    beside = view.beside(candidates)
    rows = distinct(np.concatenate([candidates, beside[beside >= 0]]))
    looked = _looked(store, view, question, meant, narrowing, rows, candidates, beside)
    features = measured(question, looked)
    has = (looked.impacts[looked.candidates] > 0).sum(axis=1)
    keywords = has / max(len(question.terms), 1)
    return Likely(
        question, candidates, sums(features, shipped()), features,
        places_of(beside[:, :2], candidates), keywords, meant, notes,
    )  # fmt: skip


def places_of(wanted: Rows, rows: Rows) -> Rows:
    """Where each wanted row stands among rows that ascend; −1 where it does not, or is none."""
    import numpy as np

    if not len(rows):
        return np.full(wanted.shape, -1)
    found = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
    return np.where(rows[found] == wanted, found, -1)


def distinct(rows: Rows) -> Rows:
    """Each once, ascending. For so few a sort is many times as quick as `numpy.unique`."""
    import numpy as np

    ordered = np.sort(rows)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=-2))]  # no row is below −1


def _meant(store: Searched, view: View, query: str) -> tuple[Meant | None, tuple[str, ...]]:
    if store.meaning is None:  # none is wanted, or it could not be asked when the memory was opened
        return None, (f"Searched by words alone: {store.unavailable}",) * bool(store.unavailable)
    leave = frozenset(word for name in view.speakers for word in name_words(name))
    try:
        return store.meaning.query(query[:MOST_QUERY_CHARS], leave=leave), ()
    except ModelUnavailable as error:
        return None, (f"Searched by words alone: {error}",)


def _waiting(store: Searched, allowed: Allowed) -> tuple[str, ...]:
    """What is found by its words alone, until it can be embedded."""
    many = sum(1 for row in store.tables.pending if allowed.mask[row])
    what = "1 item has" if many == 1 else f"{many:,} items have"
    return (f"{what} no vector yet: rebuild() embeds them",) * bool(many)


def _candidates(
    store: Searched, view: View, question: Question, meant: Meant | None, allowed: Allowed,
    most: int,
) -> Rows:  # fmt: skip
    import numpy as np

    index = store.index
    most = min(most, max(allowed.count, 1))
    found = [np.zeros(0, np.int64)]
    if allowed.count and question.terms:
        found.append(index.lexical(question.weighted, allowed=allowed, k=most).rows)
    if allowed.count and meant is not None:
        found.append(index.dense(meant.whole, allowed=allowed, k=most).rows)
    first = distinct(np.concatenate(found))
    both = distinct(np.concatenate([first, view.beside(first)[:, :2].ravel()]))
    both = both[both >= 0]
    return np.asarray(both[allowed.mask[both]])


def _looked(
    store: Searched, view: View, question: Question, meant: Meant | None, narrowing: Narrowing,
    rows: Rows, candidates: Rows, beside: Rows,
) -> Looked:  # fmt: skip
    import numpy as np

    index = store.index
    places = np.searchsorted(rows, np.maximum(beside, 0))
    impacts = index.impacts_of(question.terms, rows).astype(np.float64)
    likeness, weights = equal(impacts), word_weights(question.weights)
    if meant is not None and len(meant.pieces):
        likeness = _pieces(store, meant, rows, candidates, beside)
        known = dict(question.weighted)
        weights = piece_weights(meant.telling, lambda term: known.get(term, 0.0))
    return Looked(
        candidates=np.searchsorted(rows, candidates),
        beside=np.where(beside >= 0, places, -1),
        impacts=impacts,
        cosines=_cosines(store, meant, rows),
        sessions=index.column("session")[rows].astype(np.int64),
        named=_named(store, view, question, rows),
        asks=index.column("asks")[rows] > 0,
        timely=_timely(view, narrowing, rows),
        likeness=likeness,
        piece_weights=weights,
    )


def _named(store: Searched, view: View, question: Question, rows: Rows) -> Floats:
    """`rarity` of each row's speaker, if the question names them."""
    import numpy as np

    speakers = store.index.column("speaker")[rows]
    found = np.zeros(len(rows))
    for name in question.named:
        number = store.tables.speakers[name]
        telling = rarity(said=int(view.spoken[number]), visible=len(view.rows))
        found[speakers == number] = telling
    return found


def _pieces(store: Searched, meant: Meant, rows: Rows, candidates: Rows, beside: Rows) -> Floats:
    """`best` for the candidates and those next to them; the rest is not asked for."""
    import numpy as np

    near = beside[:, :2]
    wanted = distinct(np.concatenate([candidates, near[near >= 0]]))
    pieces, sizes = store.index.blobs_of(wanted, unit=meant.pieces.shape[1])
    found = np.zeros((len(rows), len(meant.pieces)))
    found[np.searchsorted(rows, wanted)] = best(meant.pieces, pieces.view(np.int8), sizes)
    return found


def _cosines(store: Searched, meant: Meant | None, rows: Rows) -> Floats:
    import numpy as np

    if meant is None:
        return np.zeros(len(rows))
    return store.index.similarity(meant.whole, rows).astype(np.float64)


def _timely(view: View, narrowing: Narrowing, rows: Rows) -> Floats:
    """How near each row is to the times that a question names."""
    import numpy as np

    if narrowing.when is not None:
        when = narrowing.when
        places = view.places(rows, when.windows)
        return SAID_THEN * np.array([float(when.holds(**place._asdict())) for place in places])
    if narrowing.boost is not None:
        boost = narrowing.boost
        return np.array([boost.at(**each._asdict()) for each in view.places(rows, boost.windows)])
    return np.zeros(len(rows))
