"""Names are sought word by word, in ordinary prose by a quicker way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.story.called import _WORD, _bare, _words, names_in
from strategies.worlds import begun

PARTS = ["Mara", "Mara’s", "the keeper's", "O'Brien", "mary-ann", " ", ". ", ", ", "\n", "“", "”",
         "'", "-", "--", "’", "/", "_", "é", "ß", "3", "\t", "…", " 'tis", "dogs' "]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_the_words_of_any_text(text):
    assert _words(text) == [_bare(word) for word in _WORD.findall(text)]


def test_names_are_found_within_longer_ones_and_where_they_are_somebodys():
    plan = begun().plan
    found = names_in(plan, "Bob’s key is in the attic. Bobs and keys are nothing.")
    assert found >= {"bob", "key", "attic"}
    assert names_in(plan, "Nobody.") == frozenset()
