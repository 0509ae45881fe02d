"""How long an embedder is waited for: not after a failure, nor for long while somebody waits."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

REST_SECONDS = 10.0  # after a failure, nothing is asked of an embedder for so long
WAIT_SECONDS = 5.0  # so long, and no longer, a search has others' words embedded


@dataclass(slots=True)
class Patience:
    """Until when nothing is asked."""

    rest_until: float = 0.0
    wait_until: float | None = None  # nothing is embedded after, while somebody waits

    @property
    def soon(self) -> bool:
        """Whether somebody waits."""
        return self.wait_until is not None

    def begin(self, *, soon: bool) -> None:
        """Something is to be embedded, for somebody who waits or for nobody."""
        self.wait_until = monotonic() + WAIT_SECONDS if soon else None

    def rest(self) -> None:
        """It failed."""
        self.rest_until = monotonic() + REST_SECONDS

    def forget(self) -> None:
        """Whatever failed, it may be asked again."""
        self.rest_until = 0.0

    def allows(self, *, slow: bool) -> bool:
        """Whether the embedder is asked; `slow` is one that may take long."""
        now = monotonic()
        late = self.wait_until is not None and now >= self.wait_until
        return now >= self.rest_until and not (late and slow)
