"""Times in a query are read once, and sessions looked up only for a query that has one."""

from __future__ import annotations

import pytest

from storykeeper.language.time import Session, Timeline, Use, narrow, narrowing
from storykeeper.memory.view import View
from strategies.memories import fresh

HOUR = 3_600_000
TIMELINE = Timeline([Session("one", 0, HOUR), Session("two", 9 * HOUR, 10 * HOUR)])
TIMED = "What did we talk about in the first session?"


@pytest.mark.parametrize("query", [TIMED, "Where is the key?", "oak", ""])
def test_a_query_is_cut_into_words_once(query, monkeypatch):
    memory = fresh(hashed=False)
    memory.add("The oak is old", session="one")
    read: list[str] = []
    whole = narrowing.tokens
    for module in ("narrowing", "inquiry", "grammar", "lexer"):
        name = f"storykeeper.language.time.{module}.tokens"
        monkeypatch.setattr(name, lambda text: read.append(text) or whole(text), raising=False)
    memory.search(query)
    assert read == [query]


def test_sessions_are_looked_up_only_for_a_time(monkeypatch):
    looked: list[int] = []
    monkeypatch.setattr(View, "timeline", property(lambda _: looked.append(1) or TIMELINE))
    memory = fresh(hashed=False)
    memory.add("The oak is old", session="one")
    memory.search("how old is the oak")
    assert looked == []
    memory.search(TIMED)
    assert looked == [1]


@pytest.mark.parametrize("query", [TIMED, "what did Ana say about the key two sessions ago", "oak"])
def test_functions_do_as_values_do(query):
    plain = narrow(query, now=None, sessions=TIMELINE, names=("Ana",))
    assert narrow(query, now=None, sessions=lambda: TIMELINE, names=lambda: ("Ana",)) == plain
    assert (plain.kind is Use.NONE) == (query == "oak")
