"""L §7.10, with §9.9, on every prompt that `Memory.context` makes; and the same for `search`.

    C_total(q) = I1 ∪ I2* ∪ T_recent ∪ Proj(V_rest, q)

What may be seen, and what follows from what, is worked out here from the records alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper import Memory
from storykeeper.errors import WindowRefused
from storykeeper.language.tokens import counter
from storykeeper.memory.assembly import Assembled
from storykeeper.memory.chats import Said
from storykeeper.memory.found import Hit, Results
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.search import STAYS
from storykeeper.scoring.hybrid import DELTA, Hybrid
from storykeeper.scoring.settings import STORY
from storykeeper.story.tuning import Policy
from strategies.memories import (
    DAY,
    ME,
    MINE,
    QUERIES,
    START,
    Step,
    at_small_sizes,
    fresh,
    hidden,
    put_together,
    talks,
    told,
    visible,
)

COUNT = counter("o200k")
BASE_TURNS = 3  # m
AUDIENCES = st.sampled_from([ME, ME, "ben", None])
CASES = settings(max_examples=1_000 if os.environ.get("STORYKEEPER_LONG") == "1" else 21)


@pytest.fixture(autouse=True, scope="module")
def _small():
    with pytest.MonkeyPatch.context() as patched:
        at_small_sizes(patched)
        yield


def crowded(text: str) -> int:
    """Lines that stand together cost more than each alone, as no tokenizer would have it."""
    return COUNT(text) + text.count("\n") ** 2 // 6


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """A memory, asked from one of its namespaces and sessions."""
    seen = draw(st.one_of(visible(), talks()))
    script = put_together(seen, draw(hidden(most=10)))
    if draw(st.booleans()):
        script += [(len(script), Step("compact")), *put_together(draw(visible(most=10)), [])]
    count = draw(st.sampled_from([COUNT, crowded]))
    made = told(fresh(hashed=draw(st.booleans()), count=count), script)
    return Memory(
        made.memory.store, namespace=draw(st.sampled_from(["", MINE])),
        session=draw(st.sampled_from(["", "", "one"])),
    )  # fmt: skip


ASKED = st.fixed_dictionaries(
    {
        "query": st.sampled_from(QUERIES),
        "audience": AUDIENCES,
        "now": st.sampled_from([None, (START + 9 * DAY) / 1_000, 0.0]),
        "policy": st.sampled_from(Policy),
    }
)

BUDGETS = st.one_of(st.integers(20, 5_000), st.integers(30, 90), st.integers(100, 800))


def permitted(memory: Memory, audience: str | None, now: object) -> list[Item]:
    """What somebody may see, in order, numbered as they could number it."""
    seen = memory.list(audience=audience, now=now, limit=1_000).items
    assert all(item.namespace in ("", memory.namespace) for item in seen)
    assert all(item.audience is None or audience in item.audience for item in seen)
    return [replace(item, order=n) for n, item in enumerate(seen, start=1)]


def sources(memory: Memory, item: Item) -> set[str]:
    """All that an item derives from, at any depth, itself left out."""
    found: set[str] = set()
    todo = list(item.sources)
    while todo:
        each = todo.pop()
        if each not in found:
            found.add(each)
            todo += memory.get(each).sources
    return found


def ids(items: Iterable[Item]) -> list[str]:
    return [item.id for item in items]


def is_pure(results: Results) -> bool:
    """A question of time alone: all of then, in order, none better than another."""
    return bool(len(results)) and all(not hit.signals and hit.score == 1.0 for hit in results)


# ── a prompt ─────────────────────────────────────────────────────────────────────────────────


@CASES
@given(memories(), ASKED, BUDGETS)
def test_a_prompt_keeps_every_invariant(memory, asked, tokens):
    seen = permitted(memory, asked["audience"], asked["now"])
    try:
        prompt = memory.context(tokens=tokens, **asked)
    except WindowRefused as refused:
        says_by_how_much(refused)
        tokens = 50_000
        prompt = memory.context(tokens=tokens, **asked)  # and with room it is made
    parts_are_whole(prompt, seen, session=memory.session)
    nothing_twice(memory, prompt)
    only_what_is_permitted(memory, prompt, seen)
    scores_are_sound(prompt)
    hops_go_one_step(prompt)
    assert prompt.tokens == memory.store.count(prompt.text) <= tokens == prompt.budget
    again = memory.context(tokens=tokens, **asked)
    assert again == prompt
    assert again.text == prompt.text


def test_lines_that_cost_more_together_still_fit():
    memory = fresh(hashed=False, count=crowded)
    memory.add_all([Said(f"The oak was {n} years old", "Ana", None, f"{n}") for n in range(40)])
    for tokens in range(80, 500, 20):
        prompt = memory.context("how old was the oak", tokens=tokens)
        assert len(prompt.found) > 0
        assert prompt.tokens == crowded(prompt.text) <= tokens


def says_by_how_much(refused: WindowRefused) -> None:
    assert refused.shortfall > 0
    assert str(refused.shortfall) in str(refused).replace(",", "")


def parts_are_whole(prompt: Assembled, seen: list[Item], *, session: str) -> None:
    hard, soft = ([i for i in seen if i.part is part] for part in (Part.HARD, Part.SOFT))
    said = [i for i in seen if i.kind is Kind.SAID and session in ("", i.session)]
    assert list(prompt.rules) == hard  # 1: I1 whole
    assert all(rule.text in prompt.text for rule in hard)
    assert list(prompt.settings) == soft[: len(prompt.settings)]  # 2: a prefix
    assert list(prompt.recent) == said[len(said) - len(prompt.recent) :]  # 4: a suffix …
    base = min(BASE_TURNS, len(said))
    degraded = [note for note in prompt.notes if note.startswith("Only the last")]
    assert len(degraded) == (len(prompt.recent) < base)  # … that has T_base, or says so
    assert len(prompt.recent) >= min(1, base)
    assert all(turn.text in prompt.text for turn in prompt.recent)


def nothing_twice(memory: Memory, prompt: Assembled) -> None:
    found = [hit.item for hit in prompt.found]
    shown = ids([*prompt.rules, *prompt.settings, *prompt.recent, *found])
    assert len(shown) == len(set(shown))  # 3
    recent = set(ids(prompt.recent))
    for item in found:
        assert item.part is Part.VARIANT
        below = sources(memory, item)
        assert below.isdisjoint(recent), "a summary of what is shown word for word"
        assert below.isdisjoint(ids(found)), "a summary beside its source"


def only_what_is_permitted(memory: Memory, prompt: Assembled, seen: list[Item]) -> None:
    may = set(ids(seen))
    offered = [*prompt.found, *(left.item for left in prompt.found.left_out)]
    for item in [*prompt.rules, *prompt.settings, *prompt.recent, *(hit.item for hit in offered)]:
        assert item.id in may
        assert sources(memory, item) <= may


def scores_are_sound(prompt: Assembled) -> None:
    for hit in [*prompt.found, *(left.item for left in prompt.found.left_out)]:
        assert isfinite(hit.score)
        assert 0.0 <= hit.score <= 1.0  # 5
        if hit.terms is not None:
            assert 0.0 <= hit.terms.score <= 1.0
            assert 1.0 - DELTA <= hit.terms.quality <= 1.0


def hops_go_one_step(prompt: Assembled) -> None:
    offered = [*prompt.found, *(left.item for left in prompt.found.left_out)]
    by_id = {hit.item.id: hit for hit in offered}
    for hit in offered:
        if hit.parent is not None:  # 8
            assert hit.terms is None
            parent = by_id.get(hit.parent)  # which may have given way to a summary of it
            if parent is not None:
                assert parent.parent is None
                assert hit.score == STORY.hop_share * parent.score


# ── a search ─────────────────────────────────────────────────────────────────────────────────


@CASES
@given(memories(), ASKED, st.integers(1, 30), st.integers(0, 600))
def test_a_search_is_sorted_and_adds_up(memory, asked, k, budget):
    policy = asked.pop("policy")
    plain = memory.search(k=k, **asked)
    ranked(memory, plain, audience=asked["audience"], now=asked["now"], most=k)
    wanted = memory.search(k=max(k, 1 + budget // 8), **asked)
    packed = memory.search(k=k, budget=budget, policy=policy, **asked)
    assert [h.item.id for h in wanted][: len(plain)] == [h.item.id for h in plain]
    assert packed.tokens == (memory.store.count(packed.text) if len(packed) else 0)
    assert packed.tokens <= budget
    taken, left = places(packed, wanted), places((o.item for o in packed.left_out), wanted)
    assert sorted(taken + left) == list(range(len(wanted)))
    assert taken == sorted(taken)
    assert left == sorted(left)
    if policy is Policy.PREFIX:
        assert taken == list(range(len(taken)))
    assert all(out.lacking >= 0 for out in packed.left_out)
    assert memory.search(k=k, budget=budget, policy=policy, **asked) == packed


def places(some: Iterable[Hit], wanted: Results) -> list[int]:
    order = [hit.item.id for hit in wanted]
    return [order.index(hit.item.id) for hit in some]


def ranked(
    memory: Memory, results: Results, *, audience: str | None, now: object, most: int
) -> None:
    seen = set(ids(permitted(memory, audience, now)))
    found = [hit.item for hit in results]
    assert set(ids(found)) <= seen
    assert len(set(ids(found))) == len(found)
    if is_pure(results):
        assert [i.order for i in found] == sorted(i.order for i in found)
        return
    assert len(found) <= most
    keys = [(-hit.score, hit.item.order) for hit in results]
    stays = keys[: STAYS - 1] + keys[STAYS:]  # whose place a reading of times may not take
    assert keys == sorted(keys) or stays == sorted(stays)
    for hit in results:
        assert isinstance(hit.terms, Hybrid)
        assert hit.score == hit.terms.score
        assert isfinite(hit.score)
        assert 0.0 <= hit.score <= 1.0
        assert sources(memory, hit.item).isdisjoint(ids(found))


@settings(CASES, max_examples=CASES.max_examples // 3)
@given(memories(), ASKED, st.integers(60, 900))
def test_made_again_it_is_the_same(memory, asked, tokens):
    def answers():
        try:
            prompt = memory.context(tokens=tokens, **asked)
            made = (prompt, prompt.text)
        except WindowRefused as refused:
            made = (str(refused), refused.shortfall)
        return made, memory.search(asked["query"], audience=asked["audience"], now=asked["now"])

    before = answers()
    memory.rebuild()
    assert answers() == before
