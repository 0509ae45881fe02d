"""Keys that nothing reads yet: parsed, checked and kept, but without effect so far.

A key leaves the table in the change that makes the engine read it. What the checks themselves
weigh (conditions, transitions, who knows what, the budget's hard share) is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.inspect import Field

from storykeeper.story.conditions import Authored
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.reader import shape_of

# By the path of the key in the author's files, without indices.
UNREAD = frozenset({
    "author", "language", "tuning.memory", "cast.traits", "events.about",
    "scenes.leads_to.label",
})  # fmt: skip


def check_unread(structs: list[tuple[Path, Authored]]) -> Iterator[Problem]:
    """One note for each unread key that is used, at its first place, with how often it stands."""
    first: dict[str, Path] = {}
    counts: dict[str, int] = {}
    fields: dict[tuple[object, ...], list[tuple[str, Field]]] = {}  # by place and kind
    for path, struct in structs:
        names = tuple(part for part in path if isinstance(part, str))
        where = (type(struct), *names)
        if where not in fields:
            every = shape_of(type(struct)).fields
            keyed = [(".".join((*names, field.encode_name)), field) for field in every]
            fields[where] = [(key, field) for key, field in keyed if key in UNREAD]
        for key, field in fields[where]:
            value = getattr(struct, field.name)
            if value not in (None, (), {}) and value != field.default:
                first.setdefault(key, (*path, field.encode_name))
                counts[key] = counts.get(key, 0) + 1
    for key, count in counts.items():
        times = "once" if count == 1 else f"{count} times"
        what = f"nothing reads `{key}` yet (it stands here, {times} in all)"
        fix = "it is kept, and will be read by a later version"
        yield Problem(code="unread", what=what, fix=fix, path=first[key], severity=Severity.NOTE)
