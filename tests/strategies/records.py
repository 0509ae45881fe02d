"""Any record that could be written, made from the record types themselves.

A new kind of record, or a new field, is covered without touching this file.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import RunBegun, RunForked, TextErased

KINDS: tuple[type[msgspec.Struct], ...] = get_args(AnyRecord)
WRITTEN_BY_THE_LEDGER = (RunBegun, RunForked, TextErased)
WRITABLE = tuple(kind for kind in KINDS if kind not in WRITTEN_BY_THE_LEDGER)

BIG = 2**53
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TURNS = st.integers(0, 2**40)


def records(kind: type[msgspec.Struct], turns: st.SearchStrategy[int] = TURNS) -> st.SearchStrategy:
    """Records of one kind."""
    fields = _fields(kind) | {"turn": turns}
    return st.builds(kind, **fields)


def any_record(turns: st.SearchStrategy[int] = TURNS) -> st.SearchStrategy:
    """Records that a caller may append."""
    return st.sampled_from(WRITABLE).flatmap(lambda kind: records(kind, turns))


@cache
def _fields(struct: type[msgspec.Struct]) -> dict[str, st.SearchStrategy]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return {
        field.name: values(field.type)
        if field.required
        else st.one_of(st.just(default_of(field)), values(field.type))
        for field in info.fields
    }


def default_of(field: inspect.Field) -> Any:
    """What a field is when nothing is said."""
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def values(kind: inspect.Type) -> st.SearchStrategy:
    """Values of a type, within what it allows."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return _MAKERS[type(kind)](kind)


def _integers(kind: inspect.IntType) -> st.SearchStrategy:
    return st.integers(-BIG if kind.ge is None else kind.ge, BIG if kind.le is None else kind.le)


def _floats(kind: inspect.FloatType) -> st.SearchStrategy:
    return st.floats(kind.ge, kind.le, allow_nan=False, allow_infinity=False)


def _strings(kind: inspect.StrType) -> st.SearchStrategy:
    if kind.pattern is None:
        return TEXTS
    matching = st.from_regex(kind.pattern.rstrip("$"), fullmatch=True)
    return matching if kind.max_length is None else matching.filter(
        lambda text: len(text) <= kind.max_length
    )  # fmt: skip


def _tuples(kind: inspect.VarTupleType) -> st.SearchStrategy:
    least = kind.min_length or 0
    return st.lists(values(kind.item_type), min_size=least, max_size=least + 2).map(tuple)


def _mappings(kind: inspect.DictType) -> st.SearchStrategy:
    return st.dictionaries(values(kind.key_type), values(kind.value_type), max_size=3)


def _structs(kind: inspect.StructType) -> st.SearchStrategy:
    return st.deferred(lambda: st.builds(kind.cls, **_fields(kind.cls)))


_MAKERS: dict[type[inspect.Type], Callable[[Any], st.SearchStrategy]] = {
    inspect.IntType: _integers,
    inspect.FloatType: _floats,
    inspect.StrType: _strings,
    inspect.BoolType: lambda kind: st.booleans(),
    inspect.NoneType: lambda kind: st.none(),
    inspect.EnumType: lambda kind: st.sampled_from(list(kind.cls)),
    inspect.VarTupleType: _tuples,
    inspect.DictType: _mappings,
    inspect.StructType: _structs,
    inspect.UnionType: lambda kind: st.one_of([values(each) for each in kind.types]),
}


def structs_inside(
    kind: inspect.Type, seen: set[type] | None = None
) -> Iterator[inspect.StructType]:
    """A type's structs and those inside them, each once."""
    seen = set() if seen is None else seen
    match kind:
        case inspect.Metadata(type=inner):
            yield from structs_inside(inner, seen)
        case inspect.UnionType(types=arms):
            for arm in arms:
                yield from structs_inside(arm, seen)
        case inspect.VarTupleType(item_type=inner):
            yield from structs_inside(inner, seen)
        case inspect.DictType(key_type=key, value_type=value):
            yield from structs_inside(key, seen)
            yield from structs_inside(value, seen)
        case inspect.StructType(cls=cls) if cls not in seen:
            seen.add(cls)
            yield kind
            for field in kind.fields:
                yield from structs_inside(field.type, seen)
