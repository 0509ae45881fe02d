"""Filters: which items are looked at, said as a dict.

    {"project": "harrow"}                                   equal
    {"stars": {"$gte": 3, "$lt": 5}}                        all of these
    {"tags": "roof"}                                        a list of texts: has it
    {"$or": [{"open": True}, {"stars": {"$in": [4, 5]}}]}   one of these
    {"@speaker": "Ana", "@at": {"$gte": "2024-05-01"}}      what the memory itself knows

A filter is applied inside the index, after the audience: a search with one gives what a memory
would give that holds nothing else. So it can neither show nor count what the asker may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from storykeeper.errors import ItemRefused, MemoryProblem
from storykeeper.memory.items import Kind
from storykeeper.memory.moments import moment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]

KNOWN = ("@speaker", "@session", "@kind", "@at")
_NO_PLACE = -2
Test = Callable[[Any], bool]  # of a value; None: it has none


class Column(NamedTuple):
    """A value for each row: its place among the distinct ones, −1 for none."""

    places: NDArray[np.int32]
    values: list[Any]
    known: Mapping[str, int] | None = None  # places of texts, if no value is a list


class Facts(Protocol):
    """What is known of rows, by name."""

    @property
    def rows(self) -> int:
        """How many there are."""
        ...

    def column(self, name: str) -> Column:
        """The values of a name."""
        ...


@dataclass(frozen=True, slots=True)
class Where:
    """A filter that was read."""

    key: bytes  # the same for the same filter
    _mask: Callable[[Facts], Bools]

    def mask(self, facts: Facts) -> Bools:
        """Which rows it lets through."""
        return self._mask(facts)


def where_or_refuse(where: object) -> Where | None:
    """A filter as it was written; None lets everything through. Refuses what is none."""
    if where is None or where == {}:
        return None
    mask = _all(where)
    try:
        key = msgspec.json.encode(where, order="deterministic", enc_hook=str)
    except (TypeError, ValueError) as error:
        raise MemoryProblem(f"a filter is made of plain values: {error}") from error
    return Where(key, mask)


def _all(where: object) -> Callable[[Facts], Bools]:
    """Everything that one dict says."""
    if not isinstance(where, Mapping):
        raise MemoryProblem(
            f"a filter is a dict like {{'project': 'harrow'}}, not {repr(where)[:40]}"
        )
    parts = [_part(name, wanted) for name, wanted in where.items()]

    def mask(facts: Facts) -> Bools:
        import numpy as np

        found = np.ones(facts.rows, np.bool_)
        for part in parts:
            found &= part(facts)
        return found

    return mask


def _part(name: object, wanted: object) -> Callable[[Facts], Bools]:
    if name in ("$and", "$or"):
        if not isinstance(wanted, list) or not wanted:
            raise MemoryProblem(f"{name} wants a list of filters, not {repr(wanted)[:40]}")
        return _joined([_all(each) for each in wanted], every=name == "$and")
    if name == "$not":
        inner = _all(wanted)
        return lambda facts: ~inner(facts)
    if not isinstance(name, str) or name.startswith("$"):
        raise MemoryProblem(f"{name!r} joins no filters; there are $and, $or and $not")
    if name.startswith("@") and name not in KNOWN:
        raise MemoryProblem(f"{name!r} is not known of items; there are {', '.join(KNOWN)}")
    tests = list(_tests(name, wanted))

    def mask(facts: Facts) -> Bools:
        import numpy as np

        places, values, known = facts.column(name)
        if known is not None and isinstance(wanted, str):  # most filters: one text
            equal: Bools = places == known.get(wanted, _NO_PLACE)
            return equal
        good = [all(test(value) for test in tests) for value in (*values, None)]
        passes: Bools = np.array(good, np.bool_)[places]  # −1 is the last: it has none
        return passes

    return mask


def _joined(
    parts: list[Callable[[Facts], Bools]], *, every: bool
) -> Callable[[Facts], Bools]:  # fmt: skip
    def mask(facts: Facts) -> Bools:
        import numpy as np

        masks = [part(facts) for part in parts]
        joined: Bools = (np.logical_and if every else np.logical_or).reduce(masks)
        return joined

    return mask


# ── one value ────────────────────────────────────────────────────────────────────────────────


def _tests(name: str, wanted: object) -> Iterator[Test]:
    if not isinstance(wanted, Mapping):
        yield _test(name, "$eq", wanted)
        return
    if not wanted:
        raise MemoryProblem(f"{name!r} is asked for nothing; write a value, or {{'$exists': True}}")
    for word, value in wanted.items():
        yield _test(name, word, value)


def _test(name: str, word: object, wanted: Any) -> Test:
    if word not in _WORDS:
        raise MemoryProblem(f"{name!r}: there is no {word!r}; there are {', '.join(_WORDS)}")
    if word == "$exists":
        if not isinstance(wanted, bool):
            raise MemoryProblem(f"{name!r}: $exists is True or False, not {repr(wanted)[:40]}")
        return lambda value: (value is not None) == wanted
    if word in ("$in", "$nin"):
        if not isinstance(wanted, list | tuple | set | frozenset):
            raise MemoryProblem(f"{name!r}: {word} wants a list, not {repr(wanted)[:40]}")
        each = [_operand(name, one) for one in wanted]
        return lambda value: any(_equal(value, one) for one in each) == (word == "$in")
    operand = _operand(name, wanted)
    return _WORDS[str(word)](operand)


def _operand(name: str, wanted: Any) -> Any:
    if name == "@at":
        try:
            return moment(wanted)
        except (ItemRefused, AttributeError, TypeError) as error:
            raise MemoryProblem(f"'@at' is compared with a moment: {error}") from error
    if name == "@kind" and wanted not in tuple(Kind):
        raise MemoryProblem(f"'@kind' is {repr(wanted)[:40]}; it is one of {', '.join(Kind)}")
    if isinstance(wanted, str | bool | int | float):
        return wanted
    raise MemoryProblem(
        f"{name!r} is compared with a text, a number, True or False, not {repr(wanted)[:40]};"
        " to ask for what is not there write {'$exists': False}"
    )


def _equal(value: Any, wanted: Any) -> bool:
    """Whether a value is it, or a list has it. A truth is no number."""
    if isinstance(value, list):
        return any(_equal(each, wanted) for each in value)
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def _ordered(value: Any, wanted: Any) -> bool:
    """Whether two can be put in order: two numbers, or two texts."""
    number = (int, float)
    if isinstance(value, bool) or isinstance(wanted, bool):
        return False
    return (isinstance(value, number) and isinstance(wanted, number)) or (
        isinstance(value, str) and isinstance(wanted, str)
    )


def _starts(value: Any, wanted: Any) -> bool:
    return isinstance(value, str) and isinstance(wanted, str) and value.startswith(wanted)


def _nothing(_wanted: Any) -> Test:
    raise AssertionError("it is read before it is looked up here")


_WORDS: dict[str, Callable[[Any], Test]] = {
    "$eq": lambda wanted: lambda value: _equal(value, wanted),
    "$ne": lambda wanted: lambda value: not _equal(value, wanted),
    "$gt": lambda wanted: lambda value: _ordered(value, wanted) and value > wanted,
    "$gte": lambda wanted: lambda value: _ordered(value, wanted) and value >= wanted,
    "$lt": lambda wanted: lambda value: _ordered(value, wanted) and value < wanted,
    "$lte": lambda wanted: lambda value: _ordered(value, wanted) and value <= wanted,
    "$starts": lambda wanted: lambda value: _starts(value, wanted),
    "$in": _nothing,
    "$nin": _nothing,
    "$exists": _nothing,
}
