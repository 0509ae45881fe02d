"""A line of nothing but quotation marks takes no longer than its length."""

from __future__ import annotations

import pytest

from storykeeper.language import quoted


@pytest.mark.parametrize("line", ["'" * 500, "'a " * 500, "‘a " * 500, "I say 'no " * 100])
def test_marks_are_looked_for_once(line, monkeypatch):
    made = []
    closers = quoted._closers.__wrapped__
    quoted._closers.cache_clear()
    monkeypatch.setattr(
        quoted,
        "_closers",
        quoted.lru_cache(maxsize=16)(lambda *of: made.append(of) or closers(*of)),
    )
    quoted.quoted_in(line)
    assert len(made) <= 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("I say 'no, not now' and go", ["no, not now"]),
        ("'Come in,' I call, 'and sit.'", ["Come in,", "and sit."]),
        ("I take the boys' boat", []),
        ("‘Tis late’, I think", ["Tis late"]),
    ],
)
def test_what_closes(line, words):
    assert [each.words for each in quoted.quoted_in(line)] == words
