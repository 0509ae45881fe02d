"""The features of items for a query, measured together with those of their neighbours.

What stands beside an item counts where it adds something: a word of the query that the item has
itself gains nothing from being said before it too.

    gain(x, at) = Σ over terms w·max(0, x_at − max of what came before it)
    in the order: the item itself, one before, one after, two before, two after

The same with the pieces of words (`pieces`), their weights being of the sum 1; of those only one
before and one after. All but `asks` can only speak for an item: a question is rarely the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from storykeeper.memory.signals.query import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Places = NDArray[np.int64]

STEPS = (-1, 1, -2, 2)  # of neighbours, in the order in which they are counted
PIECE_STEPS = (-1, 1)
LEAST_SPREAD = 1e-6
MOST_TELLING = 3.0  # of a speaker: of twenty who talk as much, one

# What each says, for whoever asks why something was found.
ABOUT = {
    "words": "telling words of the query that it has",
    "words_beside": "telling words added by the two before it and the two after it",
    "meaning": "how far nearer in meaning than most of what was looked at",
    "meaning_session": "the nearest in meaning of its session",
    "pieces": "words of the query with something like them in it",
    "pieces_beside": "likeness of words added by the one before it and the one after it",
    "speaker": "said by one whom the query names; more, the rarer they speak",
    "asks": "it is a question",
    "answers": "it follows a question",
    "timely": "it was said at the time that the query names, or soon after",
    "shown_beside": "it stands beside what is before it here",
}
SHOWN_BESIDE = "shown_beside"  # no feature: it depends on what else is found
NAMES = tuple(name for name in ABOUT if name != SHOWN_BESIDE)
RISING = frozenset(NAMES) - {"asks"}  # more of these never makes an item less likely


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What was looked up: candidates and their neighbours, as rows of equal arrays.

    All of it comes from rows that the asker may see; the neighbours too are those of a view from
    which hidden rows are gone.
    """

    candidates: Places  # which of the rows are to be judged
    beside: Places  # candidates × STEPS: which row stands there, −1 for none
    impacts: Floats  # rows × terms of the question
    cosines: Floats  # rows
    sessions: Places  # rows
    named: Floats  # rows: `rarity` of its speaker if the query names them, else 0
    asks: Bools  # rows: whether it ends on a question
    timely: Floats  # rows: 1 at a time that the query names, 0 far from it or if it names none
    likeness: Floats | None = None  # rows × pieces of the query: `pieces.best`
    piece_weights: Floats | None = None


def rarity(*, said: int, visible: int) -> float:
    """ln((n + 1)/(n_s + 1)), at most 3: what it tells that one who said n_s of n is named.   F5.27

    In a chat of two, little; of one among many, much.
    """
    return min(log((visible + 1) / (said + 1)), MOST_TELLING)


def measured(question: Question, looked: Looked) -> Floats:
    """Every feature of every candidate: candidates × NAMES."""
    import numpy as np

    columns = dict(_columns(question, looked))
    return np.stack([columns[name] for name in NAMES], axis=1)


def _columns(question: Question, looked: Looked) -> Iterator[tuple[str, Floats]]:
    import numpy as np

    here = looked.candidates
    weights = np.array(question.weights, np.float64)
    words = gains(looked.impacts, looked, steps=STEPS) @ weights
    yield "words", words[0]
    yield "words_beside", words[1:].sum(axis=0)
    yield "meaning", above(looked.cosines[here])
    yield "meaning_session", _nearest_of_session(looked)
    if looked.likeness is None or looked.piece_weights is None or not len(looked.piece_weights):
        pieces = np.zeros((3, len(here)))
    else:
        pieces = gains(looked.likeness, looked, steps=PIECE_STEPS) @ looked.piece_weights
    yield "pieces", pieces[0]
    yield "pieces_beside", pieces[1:].sum(axis=0)
    yield "speaker", looked.named[here]
    asks = looked.asks.astype(np.float64)
    yield "asks", asks[here]
    yield "answers", _beside(asks, looked, -1)
    yield "timely", looked.timely[here]


def above(cosines: Floats) -> Floats:
    """max(0, (x − mean)/spread) over the candidates: what stands out among them.   F5.29

    How near in meaning anything comes depends on the question. Where all of it is near, or nothing
    is, being a little nearer says as much as elsewhere.
    """
    import numpy as np

    spread = float(cosines.std()) if len(cosines) else 0.0
    if spread <= LEAST_SPREAD:
        return np.zeros(len(cosines))
    return np.asarray(np.maximum((cosines - cosines.mean()) / spread, 0.0))


def gains(values: Floats, looked: Looked, *, steps: tuple[int, ...]) -> Floats:
    """max(0, x_at − max before it), for the item itself and each step: steps + 1 × items × terms.

    F5.25
    """
    import numpy as np

    most = values[looked.candidates]
    found = [most]
    for step in steps:
        there = _beside(values, looked, step)
        found.append(np.maximum(there - most, 0.0))
        most = np.maximum(most, there)
    return np.stack(found)


def _beside(values: Floats, looked: Looked, step: int) -> Floats:
    """What stands at a step from each candidate; 0 where nothing does."""
    import numpy as np

    place = looked.beside[:, STEPS.index(step)]
    there = values[np.maximum(place, 0)]
    there[place < 0] = 0.0
    return there


def _nearest_of_session(looked: Looked) -> Floats:
    import numpy as np

    _, inverse = np.unique(looked.sessions, return_inverse=True)
    nearest = np.zeros(int(inverse.max(initial=-1)) + 1, np.float64)
    np.maximum.at(nearest, inverse, looked.cosines)
    return np.asarray(nearest[inverse][looked.candidates])
