"""Every number an author may write, at both ends of what is legal: a window, or a clear refusal.

Numbers are found by looking at the model, so that one without an end, or a new one, is here too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, structs
from msgspec import inspect as shapes

from storykeeper.engine import Engine
from storykeeper.errors import WindowRefused
from storykeeper.language.tokens import counter
from storykeeper.story.adopt import adoption
from storykeeper.story.checks import check
from storykeeper.story.layers import Permeability, Sigmoid
from storykeeper.story.model import Story
from storykeeper.story.problems import Severity
from storykeeper.story.tuning import LayerOverride, Overrides, SceneOverride
from storykeeper.units import MAIN
from strategies.ledgers import memory_ledger
from strategies.runs import go, records, script, tell, unkept
from strategies.sizes import thinned, times
from strategies.worlds import READER, example

LAST = ["I look at Mara.", "I wait.", "I take the brass key."]
Number = tuple[str, str, float]  # a struct, a field of it, and what it is to be


# ── every number there is ────────────────────────────────────────────────────────────────────


def ends(kind: shapes.IntType | shapes.FloatType) -> tuple[float, float]:
    """The least and the most that it may be; the most there is, where nothing is said."""
    most = 2**62 if isinstance(kind, shapes.IntType) else 1.7e308
    low, high = kind.ge, kind.le
    if kind.gt is not None:
        low = math.nextafter(kind.gt, math.inf)
    assert kind.lt is None
    return -most if low is None else low, most if high is None else high


def numbers(kind: Any, field: tuple[str, str], seen: set[type]) -> Iterator[tuple[str, str, Any]]:
    if isinstance(kind, shapes.StructType):
        if kind.cls not in seen:
            seen.add(kind.cls)
            for each in kind.fields:
                yield from numbers(each.type, (kind.cls.__name__, each.name), seen)
    elif isinstance(kind, shapes.IntType | shapes.FloatType):
        yield (*field, kind)
    else:
        inner = [getattr(kind, name, None) for name in ("item_type", "value_type", "type")]
        for each in (*filter(None, inner), *getattr(kind, "types", ())):
            yield from numbers(each, field, seen)


EVERY: list[Number] = [
    (owner, name, end)
    for owner, name, kind in numbers(shapes.type_info(Story), ("", ""), set())
    for end in ends(kind)
]


# ── a story with some of them ────────────────────────────────────────────────────────────────


@cache
def stated() -> Story:
    """The example, with everything that can be stated in it stated."""
    story = example()
    curve = Permeability(sigmoid=Sigmoid(low=0.2, high=0.8))
    layers = tuple(structs.replace(each, permeability=curve) for each in story.layers)
    overrides = Overrides(
        scenes={each.id: SceneOverride(mass=0.5, distance=0.5) for each in story.scenes[::2]},
        layers={each.id: LayerOverride(mass=0.5) for each in story.layers},
        prophecies={each.id: 0.5 for each in story.prophecies[:1]},
    )
    return structs.replace(story, layers=layers, overrides=overrides)


def turned(value: Any, to: dict[tuple[str, str], float]) -> Any:
    """The same with these numbers, wherever they stand."""
    match value:
        case Struct():
            owner = type(value).__name__
            found = {}
            for name in value.__struct_fields__:
                was = getattr(value, name)
                given = to.get((owner, name))
                if given is not None and isinstance(was, dict):
                    found[name] = dict.fromkeys(was, given)
                else:
                    has = given is not None and was is not None
                    found[name] = given if has else turned(was, to)
            return structs.replace(value, **found)
        case tuple():
            return tuple(turned(each, to) for each in value)
        case dict():
            return {name: turned(each, to) for name, each in value.items()}
        case _:
            return value


def loaded(story: Story) -> Story | None:
    """As it comes from its files; none if it is refused."""
    try:
        read = msgspec.convert(msgspec.to_builtins(story), Story)
    except msgspec.ValidationError as error:
        pytest.fail(f"a number at its end is out of range: {error}")
    wrong = [each for each in check(read, counter("o200k")) if each.severity is Severity.ERROR]
    assert all(each.what and each.fix for each in wrong)
    return None if wrong else read


# ── played ───────────────────────────────────────────────────────────────────────────────────


@cache
def evening(lines: int) -> list:
    """The records of a run in which something has happened."""
    keeper = unkept(example())
    go(keeper, *script("lit")[:lines])
    keeper.end_scene()
    return records(keeper)[1:]  # what begins a run is the ledger's own


def plays(story: Story, *, after: int) -> None:
    """Some turns of it; a window too small for what must be in it may be refused."""
    ledger = memory_ledger()
    before = evening(after)
    ledger.begin(MAIN, [*before, adoption(story, turn=before[-1].turn)])
    keeper = Engine(ledger, MAIN, reader=READER)
    for line in LAST:
        try:
            turn = keeper.begin(line)
        except WindowRefused:
            return
        tell(keeper, turn)
        assert math.isfinite(sum(each.score for each in turn.window.receipt.shown))
    keeper.brief("mara", tokens=3_300)
    keeper.replay()


def test_every_number_has_two_ends():
    for owner, name, kind in numbers(shapes.type_info(Story), ("", ""), set()):
        low, high = ends(kind)
        assert max(abs(low), abs(high)) <= 1e9, f"{owner}.{name} has no end"
    assert len(EVERY) > 80


TUNED = [each for each in EVERY if "Tuning" in each[0] or each[0] == "Budget"]
STATED = [each for each in EVERY if "Override" in each[0] or each[1] in ("mass", "cost", "k")]


@pytest.mark.parametrize("number", thinned(TUNED, every=5), ids=lambda n: f"{n[0]}.{n[1]}={n[2]:g}")
def test_tuned_to_one_end(number):
    """In the kitchen, which is connective space."""
    owner, name, end = number
    story = loaded(turned(example(), {(owner, name): end}))
    if story is not None:
        plays(story, after=4)


@pytest.mark.parametrize(
    "number", thinned(STATED, every=5), ids=lambda n: f"{n[0]}.{n[1]}={n[2]:g}"
)
def test_stated_at_one_end(number):
    owner, name, end = number
    story = loaded(turned(stated(), {(owner, name): end}))
    if story is not None:
        plays(story, after=14)


@settings(max_examples=times(6, 20))
@given(
    some=st.lists(st.sampled_from(EVERY), min_size=3, max_size=40),
    bare=st.booleans(),
    after=st.sampled_from([4, 14]),
)
def test_at_many_ends_at_once(some, bare, after):
    numbers_then = {(owner, name): end for owner, name, end in some}
    story = loaded(turned(example() if bare else stated(), numbers_then))
    if story is not None:
        plays(story, after=after)
