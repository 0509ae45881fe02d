"""Whether rows of two tenants could ever be mixed: a look at the catalogue and at what was asked.

It is what a cluster that is distributed by the tenant refuses later, and what row-level security
hides from tests: a table, a constraint, a unique index or a statement without the tenant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import Connection

from storykeeper.ledger.postgres.errors import translated
from storykeeper.ledger.postgres.place import shown
from storykeeper.ledger.postgres.steps import GRANTS, TABLES

KEY = "tenant"

_TABLES = """
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, pg_get_userbyid(c.relowner),
  EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = %s),
  NOT c.relispartition
FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
ORDER BY 1
"""
_CONSTRAINTS = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'u', 'f', 'x')
  AND NOT EXISTS (SELECT FROM pg_attribute a
    WHERE a.attrelid = conrelid AND a.attnum = ANY(conkey) AND a.attname = %s)
UNION ALL
SELECT x.indrelid::regclass::text, i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
WHERE i.relnamespace = current_schema()::regnamespace AND (x.indisunique OR NOT EXISTS (
    SELECT FROM pg_constraint WHERE conindid = i.oid)) AND NOT EXISTS (
  SELECT FROM pg_attribute a
  WHERE a.attrelid = x.indrelid AND a.attnum = ANY(x.indkey) AND a.attname = %s)
"""
_COUNTS = """
SELECT c.relname FROM pg_class c WHERE c.relkind = 'S'
  AND c.relnamespace = current_schema()::regnamespace
"""
_ROLE = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s"
_RIGHTS = """
SELECT table_name, privilege_type FROM information_schema.role_table_grants
WHERE grantee = %s AND table_schema = current_schema()
"""
_ASKED = """
SELECT query FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
WHERE d.datname = current_database()
"""
_ROWS = re.compile(r"\s*(select|insert|update|delete|with|merge|copy)\b", re.IGNORECASE)
_BY_PARAMETER = re.compile(rf"\b{KEY}\s*=\s*(\$\d+|\w+\.{KEY})", re.IGNORECASE)
_ADDS = re.compile(rf"\s*insert\s+into\s+\w+(\s+as\s+\w+)?\s*\(\s*{KEY}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Oversight:
    """What was found."""

    tables: int
    statements: int | None  # that touched them; None if the server does not count statements
    problems: tuple[str, ...]


def look_over(conninfo: str, *, role: str) -> Oversight:
    """Look over the tables of a database, as their owner."""
    here = shown(conninfo)
    with translated(here), psycopg.connect(conninfo, autocommit=True) as connection:
        tables = connection.execute(_TABLES, (KEY,)).fetchall()
        asked = _asked(connection)
        problems = [
            *_of_tables(tables, role), *_of_constraints(connection), *_of_role(connection, role),
            *without_tenant(asked or ()),
        ]  # fmt: skip
    return Oversight(len(tables), None if asked is None else len(asked), tuple(problems))


def without_tenant(statements: Iterable[str]) -> Iterator[str]:
    """Of statements that touch our tables, those that do not say whose rows they want."""
    for statement in statements:
        if not _ADDS.match(statement) and not _BY_PARAMETER.search(statement):
            yield f"a statement without {KEY}: {' '.join(statement.split())[:200]}"


def _of_tables(tables: Iterable[tuple[Any, ...]], role: str) -> Iterator[str]:
    there = set()
    for name, secured, owner, keyed, whole in tables:
        there.add(name)
        if not keyed:
            yield f"{name} has no column {KEY}"
        if not secured:
            yield f"{name} does not force row-level security"
        if owner == role:
            yield f"{name} belongs to {role}, which could lift its rules"
        if whole and name not in TABLES:
            yield f"{name} is no table of ours; keep others in another schema"
    yield from (f"there is no table {name}" for name in TABLES if name not in there)


def _of_constraints(connection: Connection[Any]) -> Iterator[str]:
    for table, name in connection.execute(_CONSTRAINTS, (KEY, KEY)):
        yield f"{name} of {table} leaves {KEY} out"
    for (name,) in connection.execute(_COUNTS):
        yield f"{name} counts for all tenants together"


def _of_role(connection: Connection[Any], role: str) -> Iterator[str]:
    row = connection.execute(_ROLE, (role,)).fetchone()
    if row is None:
        yield f"there is no role {role}"
    elif row[0]:
        yield f"{role} bypasses row-level security"
    for table, right in connection.execute(_RIGHTS, (role,)):
        if not re.search(rf"\b{right}\b(?! \()", GRANTS.get(table, "")):
            yield f"{role} may {right} {table}, which it need not"


def _asked(connection: Connection[Any]) -> list[str] | None:
    """The statements on our tables that the server has counted."""
    touches = re.compile(rf"\b(from|into|update|join)\s+({'|'.join(TABLES)})\b", re.IGNORECASE)
    try:
        rows = connection.execute(_ASKED).fetchall()
    except psycopg.Error:
        return None
    # Foreign keys are looked up by the server itself, by all of their columns.
    own = ("pg_catalog", "pg_class", 'ONLY "public"', "ONLY public")
    said = (str(query) for (query,) in rows)
    return [
        q for q in said if _ROWS.match(q) and touches.search(q) and not any(o in q for o in own)
    ]
