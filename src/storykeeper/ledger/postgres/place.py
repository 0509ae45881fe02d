"""Where a ledger is in a database: `postgresql://who@host/db#tenant/run`.

What stands behind the # is ours: the tenant, and the name of a run of theirs, which may have parts
(`acme/runs/harrow`). Without a tenant it is `local`, without anything `local/run`. Before the # is
what any PostgreSQL client takes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from storykeeper.errors import NotALedger

SCHEMES = ("postgresql://", "postgres://")
OWN_TENANT = "local"
DEFAULT_RUN = "run"
SERVICE = "_service"  # what a service keeps of itself stands under a tenant that nobody can be
_PART = r"[a-z0-9][a-z0-9-]{0,62}"
_TENANT = re.compile(_PART)
_RUN = re.compile(rf"{_PART}(/{_PART}){{0,3}}")
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^@]*@|(?<=[?&]password=)[^&]*")


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """A ledger of a tenant in a database."""

    conninfo: str
    tenant: str
    run: str

    def __str__(self) -> str:
        """The address, without a password that may be in it."""
        return f"{shown(self.conninfo)}#{self.tenant}/{self.run}"

    @property
    def address(self) -> str:
        """The whole address, as it is opened by."""
        return f"{self.conninfo}#{self.tenant}/{self.run}"

    def beside(self, run: str) -> DatabasePlace:
        """Another ledger of the same tenant."""
        return place(f"{self.conninfo}#{self.tenant}/{run}")


def is_address(text: str) -> bool:
    """Whether a text is the address of something in a database."""
    return text.startswith(SCHEMES)


def place(text: str) -> DatabasePlace:
    """The place that an address names, which has no fork behind it."""
    conninfo, _, name = text.partition("#")
    tenant, slash, run = name.partition("/")
    if not slash:
        tenant, run = OWN_TENANT, tenant or DEFAULT_RUN
    found = DatabasePlace(conninfo, tenant, run)
    if not _TENANT.fullmatch(tenant) or not _RUN.fullmatch(run):
        raise NotALedger(
            f"{shown(conninfo)}#{name:.80} names no run: behind # stands TENANT/RUN, of small"
            " letters, digits and hyphens"
        )
    return found


def shown(conninfo: str) -> str:
    """An address that may be shown: without its password."""
    return _PASSWORD.sub(lambda found: f"{found[1]}@" if found[1] is not None else "…", conninfo)
