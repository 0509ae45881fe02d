"""Whether a file has the tables that we made, and nothing else.

A file may come from a stranger. SQLite runs what a file brings along: a view in place of a table, a
trigger, an expression in an index. So nothing is asked of a file before its schema was compared,
statement by statement, with the one that we write.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from pathlib import Path

from storykeeper.errors import LedgerDamaged
from storykeeper.ledger.schema.steps import STEPS

_MOST = 64  # we make a dozen; nobody has to read the names of a million
_NAMED = re.compile(r"CREATE (\w+) (\w+)")
_OWN_INDEXES = {"sqlite_autoindex_runs_1", "sqlite_autoindex_snapshots_1"}
_HARMLESS = re.compile(r"(no )?(trigger .*|table (?!(runs|records)( twice)?$).*)", re.DOTALL)
_FOUND = f"SELECT type, name, sql FROM sqlite_schema LIMIT {_MOST}"  # noqa: S608
_SALVAGE = "`storykeeper export` still reads its records, and `storykeeper import` makes a new file"
_STRANGER = "restore a backup, or ask who gave it to you for a `storykeeper export` of it"


def refuse_foreign(
    connection: sqlite3.Connection, path: Path, *, records_only: bool = False
) -> None:
    """Refuse a file whose tables or triggers are not, to the letter, those of its schema.

    With `records_only`, of a file that is only looked at, the tables of the records must be ours.
    """
    odd = differences(connection)
    if not odd or (records_only and not any(_matters(each) for each in odd)):
        return
    next_ = _STRANGER if any(_matters(each) for each in odd) else _SALVAGE
    named = ", ".join(odd[:3]) + (f" and {len(odd) - 3} more" if len(odd) > 3 else "")
    raise LedgerDamaged(
        f"{path}: its tables or triggers are not those that storykeeper makes ({named}), so"
        f" nothing in it is trusted; {next_}"
    )


def differences(connection: sqlite3.Connection) -> list[str]:
    """What of the schema is missing, changed or added, by kind and name."""
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    expected = Counter(statement.strip() for step in STEPS[:schema] for statement in step)
    found: Counter[str] = Counter()
    odd = []
    for kind, name, sql in connection.execute(_FOUND):
        text = str(sql).strip()
        same = _NAMED.match(text)
        if text in expected and same and (same[1].lower(), same[2]) == (kind, name):
            found[text] += 1
        elif sql is not None or kind != "index" or name not in _OWN_INDEXES:
            odd.append(f"{kind} {name}")
    missing = (_NAMED.match(text) for text in (expected - found))
    odd += [f"no {each[1].lower()} {each[2]}" for each in missing if each]
    twice = (_NAMED.match(text) for text in (found - expected))
    odd += [f"{each[1].lower()} {each[2]} twice" for each in twice if each]
    return odd


def _matters(odd: str) -> bool:
    """Whether reading records could come upon it: not upon what guards writing, or is beside."""
    return _HARMLESS.fullmatch(odd) is None
