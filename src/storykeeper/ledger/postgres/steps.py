"""The tables in a database, one numbered step at a time. A step, once released, never changes.

Every table is keyed by the tenant first and then, where it belongs to a run, by the run; every
constraint has the tenant in it, and no column counts up by itself. So the tables can be distributed
by `tenant` over a cluster as they are.

What a role may do is decided here, not by triggers, which not every cluster has:

- it sees and writes rows of the tenant that its transaction names, and of no other; a transaction
  that names none sees nothing;
- it adds records, and blanks the text of one, once; nothing else of a record can be changed, and
  none can be deleted but with all of its ledger;
- of a run only its head moves.
"""

from __future__ import annotations

SETTING = "storykeeper.tenant"
INDEXED_KINDS = ("story-adopted", "text-erased", "embedder-chosen")  # rare, and looked for

_TENANT = f"tenant = nullif(current_setting('{SETTING}', true), '')"
_BLANKED = f"{_TENANT} AND erased > 0 AND nonce = ''"
_NAME = 'text COLLATE "C" NOT NULL'

# A row of it is held by whoever changes the tree; the right to hold a row is that to change it.
_LEDGERS = f"""
CREATE TABLE ledgers (
  tenant {_NAME},
  run {_NAME},
  held bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, run)
)
"""

_BRANCHES = f"""
CREATE TABLE branches (
  tenant {_NAME},
  run {_NAME},
  branch {_NAME},
  number integer NOT NULL,
  parent text COLLATE "C",
  forked_at bigint NOT NULL,
  version bigint NOT NULL,
  turn bigint NOT NULL,
  link bytea NOT NULL,
  PRIMARY KEY (tenant, run, branch),
  UNIQUE (tenant, run, number),
  FOREIGN KEY (tenant, run) REFERENCES ledgers (tenant, run) ON DELETE CASCADE,
  FOREIGN KEY (tenant, run, parent) REFERENCES branches (tenant, run, branch) ON DELETE CASCADE
)
"""

_RECORDS = f"""
CREATE TABLE records (
  tenant {_NAME},
  run {_NAME},
  branch {_NAME},
  version bigint NOT NULL CHECK (version > 0),
  turn bigint NOT NULL,
  kind {_NAME},
  schema bigint NOT NULL,
  at_ms bigint NOT NULL,
  nonce bytea NOT NULL,
  payload bytea NOT NULL,
  digest bytea NOT NULL,
  link bytea NOT NULL,
  erased bigint NOT NULL CHECK (erased >= 0),
  PRIMARY KEY (tenant, run, branch, version),
  FOREIGN KEY (tenant, run, branch) REFERENCES branches (tenant, run, branch) ON DELETE CASCADE
)
"""

_SNAPSHOTS = f"""
CREATE TABLE snapshots (
  tenant {_NAME},
  run {_NAME},
  branch {_NAME},
  version bigint NOT NULL,
  link bytea NOT NULL,
  digest bytea NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (tenant, run, branch, version),
  FOREIGN KEY (tenant, run, branch) REFERENCES branches (tenant, run, branch) ON DELETE CASCADE
)
"""

_VECTORS = f"""
CREATE TABLE vectors (
  tenant {_NAME},
  run {_NAME},
  space {_NAME},
  key bytea NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  vector bytea NOT NULL,
  PRIMARY KEY (tenant, run, space, key),
  FOREIGN KEY (tenant, run) REFERENCES ledgers (tenant, run) ON DELETE CASCADE
)
"""

# What a service keeps besides: small files of its own, answers that may be asked for again, and
# which run is which chat.
_NOTES = f"""
CREATE TABLE notes (
  tenant {_NAME}, name {_NAME}, body bytea NOT NULL, edition bigint NOT NULL,
  PRIMARY KEY (tenant, name)
)
"""
_ANSWERS = f"""
CREATE TABLE answers (
  tenant {_NAME}, key {_NAME}, fingerprint text NOT NULL, at bigint NOT NULL,
  begun_ms bigint NOT NULL,  status integer, headers text, body bytea,
  PRIMARY KEY (tenant, key)
)
"""
_CHATS = f"""
CREATE TABLE chats (
  tenant {_NAME}, run {_NAME}, who {_NAME}, touched bigint NOT NULL,
  PRIMARY KEY (tenant, run)
)
"""
_ROUNDS = f"""
CREATE TABLE rounds (
  tenant {_NAME}, run {_NAME}, n bigint NOT NULL, turn bigint NOT NULL,
  line_key {_NAME}, prose_key {_NAME},
  PRIMARY KEY (tenant, run, n),
  FOREIGN KEY (tenant, run) REFERENCES chats (tenant, run) ON DELETE CASCADE
)
"""
_ROUNDS_BY_CONTENT = "CREATE INDEX rounds_by_content ON rounds (tenant, line_key, prose_key)"

GRANTS = {
    "ledgers": "SELECT, INSERT, DELETE, UPDATE (held)",
    "branches": "SELECT, INSERT, UPDATE (version, turn, link)",
    "records": "SELECT, INSERT, UPDATE (nonce, payload, erased)",
    "snapshots": "SELECT, INSERT, UPDATE, DELETE",
    "vectors": "SELECT, INSERT, UPDATE, DELETE",
    "notes": "SELECT, INSERT, UPDATE, DELETE",
    "answers": "SELECT, INSERT, UPDATE, DELETE",
    "chats": "SELECT, INSERT, UPDATE, DELETE",
    "rounds": "SELECT, INSERT, UPDATE, DELETE",
}
TABLES = tuple(GRANTS)


def _index(kind: str) -> str:
    name = kind.replace("-", "_")
    return (
        f"CREATE INDEX records_{name} ON records (tenant, run, branch, version)"
        f" WHERE kind = '{kind}'"
    )


def _partitioned(partitions: int) -> tuple[str, ...]:
    """The table of records; in parts that lie by themselves, each with indexes of its own."""
    if not partitions:
        return (_RECORDS,)
    return (
        f"{_RECORDS.rstrip()} PARTITION BY HASH (tenant, run)\n",
        *(
            f"CREATE TABLE records_{n} PARTITION OF records"
            f" FOR VALUES WITH (MODULUS {partitions}, REMAINDER {n})"
            for n in range(partitions)
        ),
    )


def _secured(table: str) -> tuple[str, ...]:
    """Rows of the tenant that a transaction names, and no others, whoever asks."""
    rules = {"ALL": f"USING ({_TENANT}) WITH CHECK ({_TENANT})"}
    if table == "records":
        rules = {
            "SELECT": f"USING ({_TENANT})",
            "INSERT": f"WITH CHECK ({_TENANT})",
            "UPDATE": f"USING ({_TENANT} AND erased = 0) WITH CHECK ({_BLANKED})",
        }
    return (
        *_closed(table),
        *(
            f"CREATE POLICY {table}_{command.lower()} ON {table} FOR {command} {rule}"
            for command, rule in rules.items()
        ),
    )


def _closed(table: str) -> tuple[str, ...]:
    """What no rule opens is closed, to its owner too."""
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
    )


def steps(partitions: int) -> tuple[tuple[str, ...], ...]:
    """Every step there is; a new table of records would have so many partitions."""
    parts = tuple(f"records_{n}" for n in range(partitions))
    return (
        (
            _LEDGERS, _BRANCHES, *_partitioned(partitions), *map(_index, INDEXED_KINDS),
            _SNAPSHOTS, _VECTORS, _NOTES, _ANSWERS, _CHATS, _ROUNDS, _ROUNDS_BY_CONTENT,
            *(each for table in TABLES for each in _secured(table)),
            *(each for part in parts for each in _closed(part)),
        ),
    )  # fmt: skip


NEWEST = len(steps(0))
