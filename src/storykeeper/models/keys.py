"""A server's key, shown to nobody, and where it may go: from files or the environment."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from storykeeper.errors import ModelUnavailable

API_KEY = "STORYKEEPER_API_KEY"
ALLOW = "STORYKEEPER_ALLOW"
PRIVATE, PLAIN_KEY = "private", "plain-key"  # what a server needs a yes for
MAX_KEY_BYTES = 16_384


def api_key(*, file: str = "", env: str = API_KEY) -> str | None:
    """The key in a file, else in a variable, else in the file that STORYKEEPER_API_KEY_FILE names.

    No key is none: most servers on one's own machine want none.
    """
    if not file and os.environ.get(env):
        return os.environ[env]
    named = file or os.environ.get(f"{API_KEY}_FILE", "")
    if not named:
        return None
    path = Path(named).expanduser()
    try:
        with path.open("rb") as opened:
            key = opened.read(MAX_KEY_BYTES).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelUnavailable(
            f"the key file {path} cannot be read ({type(error).__name__}); check its name and who"
            " may read it"
        ) from error
    if not key:
        raise ModelUnavailable(f"the key file {path} is empty; put the key into it")
    return key


def allowed(more: Iterable[str] = ()) -> frozenset[str]:
    """What was said yes to: in the variable STORYKEEPER_ALLOW, by words and commas, or besides."""
    said = {*os.environ.get(ALLOW, "").replace(",", " ").split(), *more}
    unknown = sorted(said - {PRIVATE, PLAIN_KEY})
    if unknown:
        raise ModelUnavailable(
            f"{ALLOW} has {unknown[0]!r}; what can be allowed is {PRIVATE} and {PLAIN_KEY}"
        )
    return frozenset(said)
