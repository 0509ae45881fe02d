"""Who asks, and what they may.

Bound to loopback and with no key made, the service is one person's own: whoever reaches it may do
everything, except pages of elsewhere, which a browser would send here unasked. With keys, or bound
to anything else, a key says whose runs are meant. How often is counted per key.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

from storykeeper.errors import SettingsInvalid
from storykeeper.models.network import is_loopback
from storykeeper.serve.keys import PREFIX, SCOPES, Keys
from storykeeper.serve.refusal import Refused
from storykeeper.serve.settings import ServiceSettings
from storykeeper.serve.tenancy import OWN

MINUTE = 60.0
LINKED = "/v1/inspect/"  # all that a link opens is below it


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks."""

    tenant: str
    scopes: tuple[str, ...]
    key: str = ""  # its id; empty on one's own machine
    run: str = ""  # of a link: the run that it shows …
    audience: str = ""  # … as this one sees it


@dataclass(slots=True)
class _Bucket:
    """Requests one may still make; they come back evenly."""

    left: float
    at: float


@dataclass(slots=True)
class Access:
    """The door of a service."""

    settings: ServiceSettings
    keys: Keys
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def check_start(self) -> None:
        """Refuses to listen to others without a key."""
        if self.settings.open_to_others and not self.keys.any_valid:
            raise SettingsInvalid(
                f"{self.settings.host} can be reached by others, and there is no key; make one with"
                " storykeeper key create, or bind to 127.0.0.1"
            )

    def caller(self, headers: Mapping[str, str]) -> Caller:
        """Who asks; refuses a wrong key, a missing one, and pages of elsewhere."""
        given = given_key(headers)
        if not given and not self.settings.open_to_others and not self.keys.any_valid:
            _refuse_elsewhere(headers)
            return self._counted(Caller(OWN, SCOPES))
        found = self.keys.find(given) if given else None
        if found is None:
            what = "this key opens nothing here" if given else "a key is needed"
            raise Refused(
                HTTPStatus.UNAUTHORIZED, "key",
                f"{what}: send Authorization: Bearer {PREFIX}…, which storykeeper key create makes",
                www_authenticate="Bearer",
            )  # fmt: skip
        return self._counted(
            Caller(found.tenant, found.scopes, found.id, found.run, found.audience)
        )

    def _counted(self, caller: Caller) -> Caller:
        most, now = float(self.settings.limits.requests_per_minute), time.monotonic()
        bucket = self._buckets.setdefault(caller.key, _Bucket(most, now))
        bucket.left = min(most, bucket.left + (now - bucket.at) * most / MINUTE)
        bucket.at = now
        if bucket.left < 1:
            wait = max(1, round((1 - bucket.left) * MINUTE / most))
            raise Refused(
                HTTPStatus.TOO_MANY_REQUESTS, "rate",
                f"more than {most:.0f} requests a minute; wait {wait} s", retry_after=str(wait),
            )  # fmt: skip
        bucket.left -= 1
        return caller


def given_key(headers: Mapping[str, str]) -> str:
    """Our own key in a request, if it has one."""
    own = headers.get("x-storykeeper-key", "")
    bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
    return own or (bearer if bearer.startswith(PREFIX) else "")


def needs(caller: Caller, scope: str) -> None:
    """Refuses a caller whose key does not allow this."""
    if scope not in caller.scopes:
        raise Refused(
            HTTPStatus.FORBIDDEN, "scope",
            f"this key does not allow it: it needs the scope {scope}, and has"
            f" {', '.join(caller.scopes)}",
        )  # fmt: skip


def refuse_beyond_link(caller: Caller, path: str) -> None:
    """A link opens what the page asks for, of its own run, and no other address."""
    if caller.audience and not f"{path}/".startswith(f"{LINKED}{caller.run}/"):
        raise Refused(
            HTTPStatus.FORBIDDEN, "link",
            "this link shows one run as one person sees it, and opens nothing else",
        )  # fmt: skip


def _refuse_elsewhere(headers: Mapping[str, str]) -> None:
    """A name that is not this machine's, or a page that did not come from it."""
    host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    origin = headers.get("origin", "")
    away = origin not in ("", "null") and not is_loopback(urlsplit(origin).hostname or "")
    if not is_loopback(host) or away or headers.get("sec-fetch-site") == "cross-site":
        raise Refused(
            HTTPStatus.FORBIDDEN, "elsewhere",
            "without keys only this machine itself is answered; make a key to let others in",
        )  # fmt: skip
