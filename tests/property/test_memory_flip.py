"""The flip law: nothing that an audience may not see changes anything that it sees.

Two memories hold the same for one audience; between, before and after stands what it may not see,
in one of them this, in the other that: the same words, names, sessions and times, asked for, used,
retired, erased and summed up. Whatever is asked, the answers are the same to the last bit, with
their ids, places and the names of sessions.
"""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper import Memory
from storykeeper.errors import WindowRefused
from storykeeper.story.tuning import Policy
from strategies.memories import (
    DAY,
    ME,
    MINE,
    QUERIES,
    START,
    WHERES,
    Step,
    Told,
    at_small_sizes,
    fresh,
    hidden,
    put_together,
    steps,
    told,
    visible,
)

NOW = st.sampled_from([None, (START + DAY) / 1_000, (START + 9 * DAY) / 1_000])
ASKED = st.fixed_dictionaries(
    {
        "query": st.sampled_from(QUERIES),
        "now": NOW,
        "audience": st.sampled_from([ME, ME, None, "nobody"]),
    }
)
WAYS = st.tuples(
    st.integers(1, 12), st.integers(0, 200), st.integers(40, 900),
    st.sampled_from([Policy.FILL, Policy.PREFIX]), st.sampled_from(WHERES),
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _small():
    with pytest.MonkeyPatch.context() as patched:
        at_small_sizes(patched)
        yield


def canonical(value: object) -> object:
    """A value to the last bit."""
    if is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(canonical(getattr(value, f.name)) for f in fields(value)))
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    if isinstance(value, dict):
        return tuple((key, canonical(each)) for key, each in value.items())
    if isinstance(value, tuple | list):
        return tuple(map(canonical, value))
    return value


def listed(memory: Memory, where: dict, audience: str | None, now: float | None) -> list[object]:
    """What is listed, a page at a time and newest first, with what there is of it all in all."""
    found: list[object] = [memory.profile(audience=audience, now=now)]
    after, more = None, True
    while more:
        page = memory.list(audience=audience, where=where, now=now, limit=5, after=after)
        found.append(canonical(page))
        after, more = page.next, page.next is not None
    newest = memory.list(audience=audience, now=now, newest=True)
    return [*found, canonical(newest)]


def answers(made: Told, asked: dict, ways: tuple, session: str) -> list[object]:
    k, budget, tokens, policy, where = ways
    found: list[object] = []
    for namespace in ("", MINE):
        memory = Memory(made.memory.store, namespace=namespace, session=session)
        plain = memory.search(k=k, **asked)
        packed = memory.search(budget=budget, policy=policy, **asked)
        sifted = memory.search(where=where, **asked)
        for results in (plain, packed, sifted):
            found += [canonical(results), results.text]
        found += listed(memory, where, asked["audience"], asked["now"])
        try:
            prompt = memory.context(tokens=tokens, policy=policy, **asked)
            found += [canonical(prompt), prompt.text]
        except WindowRefused as refused:
            found += [str(refused), refused.shortfall]
    return found


def script(seen: list[Step], unseen: list, *, compact: bool) -> list:
    whole = put_together(seen, unseen)
    return [*whole, (len(seen), Step("compact"))] if compact else whole


def flipped(seen, one, other, asked, ways, session, *, hashed, compact, served=False):
    made = []
    for unseen in (one, other, []):
        memory = fresh(hashed=hashed, served=served)
        each = told(memory, script(seen, unseen, compact=compact))
        made.append(answers(each, asked, ways, session))
    assert made[0] == made[2]
    assert made[1] == made[2]


SEEN, UNSEEN = visible(), hidden()
SESSION = st.sampled_from(["", "one"])
CASES = settings(max_examples=1_000 if os.environ.get("STORYKEEPER_LONG") == "1" else 10)


@CASES
@given(SEEN, UNSEEN, UNSEEN, ASKED, WAYS, SESSION, st.booleans())
def test_by_words(seen, one, other, asked, ways, session, compact):
    flipped(seen, one, other, asked, ways, session, hashed=False, compact=compact)


@CASES
@given(SEEN, UNSEEN, UNSEEN, ASKED, WAYS, SESSION, st.booleans())
def test_by_meaning_and_pieces(seen, one, other, asked, ways, session, compact):
    flipped(seen, one, other, asked, ways, session, hashed=True, compact=compact)


@CASES
@given(SEEN, UNSEEN, UNSEEN, ASKED, WAYS, SESSION, st.booleans())
def test_by_a_server_that_refuses_some_texts(seen, one, other, asked, ways, session, compact):
    flipped(seen, one, other, asked, ways, session, hashed=False, compact=compact, served=True)


def test_on_disk_with_the_model_that_comes_with_us(tmp_path):
    seen, unseen = steps(7, 24, seen=True), enumerate(steps(8, 12, seen=False))
    found = []
    for name, hide in (("plain", []), ("flipped", list(unseen))):
        with Memory.open(tmp_path / f"{name}.db") as memory:
            made = told(memory, script(seen, hide, compact=True))
            found.append(
                [
                    answers(
                        made,
                        {"query": query, "audience": ME, "now": now},
                        (8, 90, 300, fill, WHERES[0]),
                        "",
                    )
                    for query, now in (("what did Ben say about the pond", None), (QUERIES[7], 2e9))
                    for fill in (Policy.FILL, Policy.PREFIX)
                ]
            )
    assert found[0] == found[1]
    assert "Hit" in str(found[0])
