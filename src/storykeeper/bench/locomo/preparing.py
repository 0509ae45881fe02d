"""A chat as arrays: what our ranker looks at when a question about it is asked.

The same steps as a search in `Memory`, over arrays in memory: the hundred nearest in words, the
hundred nearest in meaning, and those beside them are candidates; their features are measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.bench.locomo.data import Asked, Chat, Turn
from storykeeper.bench.locomo.embedding import Embedded, embedded
from storykeeper.language.time import Boost, Narrowing, Session, Timeline, narrow
from storykeeper.memory.signals import features
from storykeeper.memory.signals.features import STEPS, Looked
from storykeeper.memory.signals.marks import marks
from storykeeper.memory.signals.pieces import best, piece_weights
from storykeeper.memory.signals.query import Question, name_words, read
from storykeeper.memory.signals.words import terms
from storykeeper.models.embedders.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

FOUND = 100  # from each side


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A question's candidates and their features."""

    chat: str
    category: str
    gold: tuple[int, ...]
    candidates: Places
    features: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A chat, ready to be asked."""

    chat: Chat
    counts: tuple[Counter[str], ...]  # terms of each turn
    having: Counter[str]  # turns that have a term
    vectors: Embedded
    marks: Places
    sessions: Places
    beside: Places  # turns × STEPS
    timeline: Timeline


def line(turn: Turn) -> str:
    """What of a turn is embedded; the same as `signals.key_text`."""
    return f"{turn.speaker}: {turn.text}"


def prepared(chat: Chat, model: MiniLM) -> Prepared:
    """Read a chat."""
    import numpy as np

    counts = tuple(Counter(terms(turn.text)) for turn in chat.turns)
    sessions = np.array([int(turn.session.split()[-1]) for turn in chat.turns], np.int64)
    leave = {word for name in chat.speakers for word in name_words(name)}
    return Prepared(
        chat,
        counts,
        Counter(term for turn in counts for term in turn),
        embedded(model, [line(turn) for turn in chat.turns], leave=leave),
        np.array([marks(turn.text) for turn in chat.turns], np.int64),
        sessions,
        beside(sessions),
        timeline(chat),
    )


def beside(sessions: Places) -> Places:
    """Which turn of the same session stands at each step; −1 for none."""
    import numpy as np

    here = np.arange(len(sessions))[:, None] + np.array(STEPS)
    inside = (here >= 0) & (here < len(sessions))
    there = np.where(inside, here, 0)
    return np.where(inside & (sessions[there] == sessions[:, None]), here, -1)


def timeline(chat: Chat) -> Timeline:
    """The sessions of a chat."""
    dates = dict.fromkeys((turn.session, turn.at_ms) for turn in chat.turns)
    return Timeline(Session(name, at, at) for name, at in dates)


def questions(chat: Prepared, asked: Sequence[Asked], model: MiniLM) -> list[Measured]:
    """Ask; all candidates of each question, measured."""
    leave = {word for name in chat.chat.speakers for word in name_words(name)}
    vectors = embedded(model, [each.text for each in asked], leave=leave)
    return [_measured(chat, each, vectors, n) for n, each in enumerate(asked)]


def _measured(chat: Prepared, asked: Asked, vectors: Embedded, number: int) -> Measured:
    import numpy as np

    turns = chat.chat.turns
    narrowing = narrow(asked.text, now=None, sessions=chat.timeline, names=chat.chat.speakers)
    question = read(
        narrowing.rest, speakers=chat.chat.speakers, visible=len(turns),
        having=lambda some: [chat.having[term] for term in some],
    )  # fmt: skip
    impacts = impacts_of(chat.counts, question)
    cosines = cosines_of(vectors.whole[number], chat.vectors.whole)
    candidates = chosen(impacts @ np.array(question.weights), cosines, chat.beside)
    told, known = vectors.telling[number], dict(question.weighted)
    sizes = np.array([len(each) for each in chat.vectors.pieces], np.int64)
    looked = Looked(
        candidates, chat.beside[candidates], impacts, cosines, chat.sessions,
        np.array([turn.speaker in question.named for turn in turns]), chat.marks,
        timely(chat, narrowing),
        best(vectors.pieces[number], np.concatenate(chat.vectors.pieces), sizes),
        piece_weights(told, lambda term: known.get(term, 0.0)),
    )  # fmt: skip
    found = features.measured(question, looked)
    return Measured(chat.chat.name, asked.category, asked.gold, candidates, found)


def impacts_of(counts: Sequence[Counter[str]], question: Question) -> Floats:
    """Turns × terms: how much each term of a question says in each turn."""
    import numpy as np

    from storykeeper.memory.index.words import impact

    found = np.zeros((len(counts), len(question.terms)))
    for row, turn in enumerate(counts):
        for column, term in enumerate(question.terms):
            if term in turn:
                found[row, column] = impact(times=turn[term], words=turn.total())
    return found


def cosines_of(query: NDArray[np.int8], rows: NDArray[np.int8]) -> Floats:
    """Cosines of whole vectors."""
    import numpy as np

    exact = rows.astype(np.float64)
    one = query.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1) * np.linalg.norm(one)
    return np.asarray(exact @ one / np.maximum(lengths, 1e-9))


def chosen(words: Floats, meaning: Floats, around: Places) -> Places:
    """The hundred best by each, and those one before and one after them."""
    import numpy as np

    by_words = np.argsort(-words, kind="stable")[:FOUND]
    by_meaning = np.argsort(-meaning, kind="stable")[:FOUND]
    first = np.unique(np.concatenate([by_words[words[by_words] > 0], by_meaning]))
    both = np.concatenate([first, around[first][:, :2].ravel()])
    return np.unique(both[both >= 0])


def timely(chat: Prepared, found: Narrowing) -> Floats:
    """How near each turn is to the times that a question names."""
    import numpy as np

    boost = found.boost if found.when is None else Boost(found.when.windows)
    if boost is None:
        return np.zeros(len(chat.chat.turns))
    return np.array([boost.at(at_ms=t.at_ms, session=t.session) for t in chat.chat.turns])
