"""The features of items for a query, measured together with those of their neighbours.

What stands beside an item counts where it adds something: a word of the query that the item has
itself gains nothing from being said before it too.

    gain(x, at) = Σ over terms w·max(0, x_at − max of what came before it)
    in the order: the item itself, one before, one after, two before, two after

The same with the pieces of words (`pieces`), their weights being of the sum 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.memory.signals.marks import unpacked
from storykeeper.memory.signals.query import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Places = NDArray[np.int64]

STEPS = (-1, 1, -2, 2)  # of neighbours, in the order in which they are counted
PIECE_STEPS = (-1, 1)

NAMES = (
    "words", "words_before", "words_after", "words_2_before", "words_2_after",
    "meaning", "meaning_before", "meaning_after", "meaning_session",
    "pieces", "pieces_before", "pieces_after",
    "speaker", "speaker_own", "asks", "answers", "length", "own", "names", "opens", "times",
    "when_times", "when_own", "many_numbers", "who_names", "where_names", "timely",
)  # fmt: skip
# More of these never makes an item less likely.
RISING = frozenset({
    "words", "words_before", "words_after", "words_2_before", "words_2_after",
    "meaning", "meaning_before", "meaning_after", "meaning_session",
    "pieces", "pieces_before", "pieces_after", "speaker",
    "when_times", "many_numbers", "who_names", "where_names", "timely",
})  # fmt: skip
ABOUT = {
    "words": "telling words of the query that it has",
    "words_before": "telling words added by the one before it",
    "words_after": "telling words added by the one after it",
    "words_2_before": "telling words added by the second before it",
    "words_2_after": "telling words added by the second after it",
    "meaning": "nearness in meaning",
    "meaning_before": "nearness in meaning of the one before it",
    "meaning_after": "nearness in meaning of the one after it",
    "meaning_session": "the nearest in meaning of its session",
    "pieces": "words of the query with something like them in it",
    "pieces_before": "likeness of words added by the one before it",
    "pieces_after": "likeness of words added by the one after it",
    "speaker": "said by the one whom the query names",
    "speaker_own": "the one named, speaking of themselves",
    "asks": "it is a question",
    "answers": "it follows a question",
    "length": "its length",
    "own": "it speaks in the first person",
    "names": "it has names",
    "opens": "it opens its session",
    "times": "it says when",
    "when_times": "the query asks when, and it says when",
    "when_own": "the query asks when, and it speaks in the first person",
    "many_numbers": "the query asks how many, and it has numbers",
    "who_names": "the query asks who, and it has names",
    "where_names": "the query asks where, and it has names",
    "timely": "it was said at the time that the query names, or soon after",
}


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
    named: Bools  # rows: whether its speaker is named in the query
    marks: Places  # rows: see `marks`
    timely: Floats  # rows: 1 at a time that the query names, 0 far from it or if it names none
    likeness: Floats | None = None  # rows × pieces of the query: `pieces.best`
    piece_weights: Floats | None = None


def measured(question: Question, looked: Looked) -> Floats:
    """Every feature of every candidate: candidates × NAMES."""
    import numpy as np

    columns = dict(_columns(question, looked))
    return np.stack([columns[name] for name in NAMES], axis=1)


def _columns(question: Question, looked: Looked) -> Iterator[tuple[str, Floats]]:
    import numpy as np

    weights = np.array(question.weights, np.float64)
    words = gains(looked.impacts, looked, steps=STEPS) @ weights
    yield from zip(NAMES[:5], words, strict=True)
    yield from _meaning(looked)
    if looked.likeness is None or looked.piece_weights is None or not len(looked.piece_weights):
        pieces = np.zeros((3, len(looked.candidates)))
    else:
        pieces = gains(looked.likeness, looked, steps=PIECE_STEPS) @ looked.piece_weights
    yield from zip(NAMES[9:12], pieces, strict=True)
    yield from _manner(question, looked)
    yield "timely", looked.timely[looked.candidates]


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


def _meaning(looked: Looked) -> Iterator[tuple[str, Floats]]:
    import numpy as np

    yield "meaning", looked.cosines[looked.candidates]
    yield "meaning_before", _beside(looked.cosines, looked, -1)
    yield "meaning_after", _beside(looked.cosines, looked, 1)
    _, inverse = np.unique(looked.sessions, return_inverse=True)
    nearest = np.zeros(int(inverse.max(initial=-1)) + 1, np.float64)
    np.maximum.at(nearest, inverse, looked.cosines)
    yield "meaning_session", nearest[inverse][looked.candidates]


def _manner(question: Question, looked: Looked) -> Iterator[tuple[str, Floats]]:
    """Who says it, and how."""
    import numpy as np

    here = looked.candidates
    marks = unpacked(looked.marks)
    of = {name: values[here] for name, values in marks.items()}
    one = len(question.named) == 1
    speaker = looked.named[here].astype(np.float64) if one else np.full(len(here), 0.5)
    yield "speaker", speaker
    yield "speaker_own", speaker * of["own"] * one
    yield "asks", of["asks"]
    yield "answers", _beside(marks["asks"], looked, -1)
    yield "length", of["length"] ** 2
    yield "own", of["own"]
    yield "names", of["names"]
    yield "opens", (looked.beside[:, STEPS.index(-1)] < 0).astype(np.float64)
    yield "times", of["times"]
    yield "when_times", question.when * of["times"]
    yield "when_own", question.when * of["own"]
    yield "many_numbers", question.many * of["numbers"]
    yield "who_names", question.who * of["names"]
    yield "where_names", question.where * of["names"]
