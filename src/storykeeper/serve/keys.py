"""Keys of a service: whose they are and what they allow. Only their hashes are kept.

sk-story-ID-SECRET      the secret has 256 bits of chance, so one round of SHA-256 hides it
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from storykeeper.errors import UNREADABLE, SettingsInvalid
from storykeeper.serve.kept_file import kept_file

FILE = "keys.json"
PREFIX = "sk-story-"
READ, WRITE, AUTHOR = "read", "write", "author"
SCOPES = (READ, WRITE, AUTHOR)
_TENANT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """One key, without its secret."""

    id: str
    tenant: str
    scopes: tuple[str, ...]
    digest: str
    created: int  # seconds since 1970
    note: str = ""
    revoked: bool = False
    run: str = ""  # of a link: the one run that it shows …
    audience: str = ""  # … and whose eyes it is seen through; a link has no scopes

    @property
    def link(self) -> bool:
        """Whether it is a link to one run, and opens nothing else."""
        return bool(self.audience)


class Keys:
    """The keys of a service. The file is read anew when it has changed."""

    def __init__(self, data: Path | str) -> None:
        """`data`: a folder, or the address of a database."""
        self._file = kept_file(data, FILE)
        self._read: tuple[int, tuple[Key, ...]] = (0, ())

    def all(self) -> tuple[Key, ...]:
        """Every key, in the order they were made."""
        try:
            stamp = self._file.edition()
            if stamp != self._read[0]:
                read = self._file.read() if stamp else b"[]"
                self._read = (stamp, msgspec.json.decode(read, type=tuple[Key, ...]))
        except (OSError, *UNREADABLE) as error:
            raise SettingsInvalid(
                f"{self._file} cannot be read ({error}); nobody is let in before it can"
            ) from error
        return self._read[1]

    @property
    def any_valid(self) -> bool:
        """Whether anybody can come in with one. A link is somebody's way in beside others."""
        return any(not each.revoked and not each.link for each in self.all())

    def create(
        self, *, tenant: str, scopes: Collection[str], now: int, note: str = ""
    ) -> tuple[str, Key]:
        """A new key: shown once, and kept as a hash."""
        wrong = sorted({*scopes} - {*SCOPES})
        if wrong or not scopes:
            raise SettingsInvalid(
                f"a key's scopes are of {', '.join(SCOPES)}; not {', '.join(wrong) or 'none'}"
            )
        if not _TENANT.fullmatch(tenant):
            raise SettingsInvalid(
                f"{tenant!r:.80} cannot be a tenant: use small letters, digits and hyphens"
            )
        id_, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
        made = Key(id_, tenant, tuple(s for s in SCOPES if s in scopes), _digest(secret), now, note)
        return self._kept(made, secret)

    def link(self, *, tenant: str, run: str, audience: str, now: int) -> tuple[str, Key]:
        """A key to one run as one audience sees it, and to nothing else."""
        id_, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
        made = Key(
            id_, tenant, (), _digest(secret), now, f"{run} as {audience}", run=run,
            audience=audience,
        )  # fmt: skip
        return self._kept(made, secret)

    def _kept(self, made: Key, secret: str) -> tuple[str, Key]:
        self._write((*self.all(), made))
        return f"{PREFIX}{made.id}-{secret}", made

    def revoke(self, id_: str) -> Key:
        """From now on this key opens nothing."""
        keys = self.all()
        if id_ not in [each.id for each in keys]:
            raise SettingsInvalid(f"there is no key {id_!r:.40}; storykeeper key list shows all")
        self._write(tuple(structs.replace(k, revoked=True) if k.id == id_ else k for k in keys))
        return next(each for each in self.all() if each.id == id_)

    def find(self, given: str) -> Key | None:
        """The key that was given, if it is one and opens anything."""
        id_, dash, secret = given.removeprefix(PREFIX).partition("-")
        if not given.startswith(PREFIX) or not dash:
            return None
        digest = _digest(secret)
        found = [k for k in self.all() if k.id == id_ and not k.revoked]
        return next((k for k in found if hmac.compare_digest(k.digest, digest)), None)

    def _write(self, keys: tuple[Key, ...]) -> None:
        """All of it or nothing; readable by its owner alone."""
        self._file.write(msgspec.json.format(msgspec.json.encode(keys)))
        self._read = (0, ())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
