"""Laws of the index: nothing hidden counts, and neither does how the rows came to be there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.memory.index import cascade as cascade_module
from storykeeper.memory.index import dense, lexical
from storykeeper.memory.index import index as index_module
from storykeeper.memory.index.cascade import Cascade, Tier
from storykeeper.memory.index.index import Index
from storykeeper.memory.index.values import RowData, Stamp

DIMS, TIERS = 8, (2, 4)
OPEN = (0, 1)  # of four classes
WORDS = ["ash", "birch", "cedar", "elm"]


@pytest.fixture(autouse=True, scope="module")
def _small():
    """Sizes at which a hundred rows are many: every way through a search is taken."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(index_module, "MOST_ROWS", 40)
        patched.setattr(index_module, "WAITING", 8)
        patched.setattr(cascade_module, "PER_WANTED", 2)
        patched.setattr(dense, "SAMPLED", 3)
        patched.setattr(lexical, "LONG", 2)
        patched.setattr(lexical, "LOOKUP", 2)
        yield


def row(chance):
    vector = chance.integers(-3, 4, DIMS) * (chance.random(DIMS) < 0.8)
    words = [WORDS[min(int(chance.exponential(0.9)), 3)] for _ in range(chance.integers(0, 6))]
    return vector.tolist(), words


@st.composite
def visible_rows(draw):
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    return [(row(chance), int(chance.integers(0, 2))) for _ in range(draw(st.integers(0, 130)))]


@st.composite
def hidden_rows(draw):
    """Before which visible row it stands, and what it is."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    return [
        (int(chance.integers(0, 130)), row(chance), int(chance.integers(2, 4)))
        for _ in range(draw(st.integers(0, 60)))
    ]


VISIBLE, HIDDEN = visible_rows(), hidden_rows()
QUERY = st.lists(st.integers(-3, 3), min_size=DIMS, max_size=DIMS)
TERMS = st.lists(st.tuples(st.sampled_from([*WORDS, "none"]), st.floats(0.01, 9)), max_size=6)
MARGINS = st.sampled_from([-2.0, -0.1, 0.0, 0.1, 2.0])


@st.composite
def cascades(draw):
    """Numbers for small sets."""
    tiers = [Tier(draw(st.sampled_from([0.06, 0.2])), 1.0, draw(MARGINS)) for _ in TIERS]
    return Cascade(draw(st.sampled_from([0, 30])), 0.3, 1.0, tiers)


def put_together(visible, hidden):
    """Rows as they were added, and which of them are visible."""
    rows, places = [], []
    for number in range(len(visible) + 1):
        rows += [
            (each, audience) for at, each, audience in hidden if min(at, len(visible)) == number
        ]
        if number < len(visible):
            places.append(len(rows))
            rows.append(visible[number])
    return rows, places


def built(rows, cascade, *, commits=0, asked=0, folder=None):
    index = Index.open(folder, space="s", dims=DIMS, tiers=TIERS, columns=("n",), cascade=cascade)
    for number, ((vector, words), audience) in enumerate(rows):
        data = RowData(words, audience, columns={"n": float(number)})
        index.add(np.array([vector], np.int8), [data])
        if commits and number % commits == 0:
            index.commit(Stamp(number + 1))
        if asked and number % asked == 0:
            index.lexical([(WORDS[0], 1.0)], allowed=index.allowed(OPEN), k=3)
    return index


def answers(index, places, query, terms):
    """Everything a search gives, with rows named by their place among the visible."""
    number = {place: n for n, place in enumerate(places)}
    allowed = index.allowed(OPEN)
    asked = np.array(query, np.int8)
    given_back = []
    for k in (1, 2, 5):
        for hits in (
            index.dense(asked, allowed=allowed, k=k),
            index.exact(asked, allowed=allowed, k=k),
            index.lexical(terms, allowed=allowed, k=k),
        ):
            given_back.append(
                ([number[place] for place in hits.rows], hits.scores.tobytes(), hits.tier)
            )
    return given_back


@given(VISIBLE, HIDDEN, HIDDEN, QUERY, TERMS, cascades(), st.integers(0, 9))
def test_what_is_hidden_changes_nothing(visible, one, other, query, terms, cascade, commits):
    rows, places = put_together(visible, one)
    changed, moved = put_together(visible, other)
    first = answers(built(rows, cascade, commits=commits), places, query, terms)
    assert first == answers(built(changed, cascade), moved, query, terms)
    assert first == answers(built(visible, cascade), range(len(visible)), query, terms)


@given(VISIBLE, HIDDEN, QUERY, TERMS, cascades())
def test_erased_is_as_if_never_there(visible, hidden, query, terms, cascade):
    rows, places = put_together(visible, [(at, each, 0) for at, each, _ in hidden])
    index = built(rows, cascade, commits=3)
    index.hide(set(range(len(rows))) - set(places))
    plain = built(visible, cascade)
    assert answers(index, places, query, terms) == answers(plain, range(len(visible)), query, terms)


@given(VISIBLE, QUERY, TERMS, cascades(), st.integers(0, 20), st.integers(1, 9))
def test_how_it_was_committed_and_asked_cannot_be_seen(
    visible, query, terms, cascade, commits, asked
):
    places = range(len(visible))
    one = answers(built(visible, cascade), places, query, terms)
    other = built(visible, cascade, commits=commits, asked=asked)
    assert one == answers(other, places, query, terms)


@given(VISIBLE, QUERY, cascades(), st.integers(1, 6))
def test_a_cascade_gives_full_cosines_of_distinct_rows_in_order(visible, query, cascade, k):
    index = built(visible, cascade)
    asked = np.array(query, np.int8)
    hits = index.dense(asked, allowed=index.allowed(None), k=k)
    assert len(hits.rows) == (min(k, len(visible)) if any(query) else 0)
    assert len(set(hits.rows.tolist())) == len(hits.rows)
    assert index.similarity(asked, hits.rows).tolist() == hits.scores.tolist()
    order = list(zip((-hits.scores).tolist(), hits.rows.tolist(), strict=True))
    assert order == sorted(order)
    assert (np.abs(hits.scores) <= 1 + 1e-6).all()


@given(VISIBLE, QUERY, st.integers(1, 6))
def test_a_cascade_that_keeps_everything_is_exact(visible, query, k):
    whole = Cascade(0, 1.0, 1.0, [Tier(1.0, 1.0, 2.0), Tier(1.0, 1.0, 2.0)])
    index = built(visible, whole)
    asked, allowed = np.array(query, np.int8), index.allowed(None)
    ours, theirs = (search(asked, allowed=allowed, k=k) for search in (index.dense, index.exact))
    assert ours.rows.tolist() == theirs.rows.tolist()
    assert ours.scores.tobytes() == theirs.scores.tobytes()


@given(VISIBLE, TERMS, st.integers(1, 6))
def test_words_found_and_words_looked_up_agree(visible, terms, k):
    index = built(visible, None, commits=4)
    hits = index.lexical(terms, allowed=index.allowed(None), k=k)
    assert index.lexical_of(terms, hits.rows).tobytes() == hits.scores.tobytes()
    everything = index.lexical_of(terms, np.arange(len(visible)))
    assert np.count_nonzero(everything) >= len(hits.rows)
    if len(hits.rows):
        others = np.delete(everything, hits.rows)
        assert others.max(initial=0.0) <= hits.scores[-1]
