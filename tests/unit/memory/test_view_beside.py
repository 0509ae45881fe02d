"""Who stands beside whom: the quick way against looking at every visible row in turn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.memory.candidates import distinct
from storykeeper.memory.index.index import Index
from storykeeper.memory.index.values import RowData
from storykeeper.memory.tables import Tables
from storykeeper.memory.view import REACH, View

ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.booleans()), min_size=1, max_size=40
)


def view_of(rows):
    index = Index.open(None, space="here", dims=8, columns=("session", "kind"))
    made = [
        RowData((), 0 if seen else 1, columns={"session": session, "kind": kind})
        for session, kind, seen in rows
    ]
    index.add(np.ones((len(rows), 8), np.int8), made)
    return View(index, Tables(), lambda row: row, frozenset({0}))


def by_looking(rows, row, side):
    """The first and second visible row of the same session and kind, of the next eight visible."""
    visible = [n for n, (_, _, seen) in enumerate(rows) if seen]
    here = visible.index(row)
    others = visible[here + 1 :] if side > 0 else visible[:here][::-1]
    found = [n for n in others[:REACH] if rows[n][:2] == rows[row][:2]]
    return (*found, -1, -1)[:2]


@given(ROWS)
def test_neighbours_are_the_nearest_visible_of_their_session_and_kind(rows):
    visible = np.array([n for n, (_, _, seen) in enumerate(rows) if seen], np.int64)
    expected = []
    for row in visible.tolist():
        (one_before, two_before), (one_after, two_after) = (
            by_looking(rows, row, side) for side in (-1, 1)
        )
        expected.append([one_before, one_after, two_before, two_after])
    assert view_of(rows).beside(visible).tolist() == expected


@given(st.lists(st.integers(-1, 20), max_size=60))
def test_each_row_once(rows):
    assert distinct(np.array(rows, np.int64)).tolist() == sorted(set(rows))
