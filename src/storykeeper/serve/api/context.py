"""What every route needs: who asks, whose runs are meant, and the run itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Query, Request, Response

from storykeeper.bootstrap import Storykeeper
from storykeeper.errors import WrongExpectedVersion
from storykeeper.serve.access import Caller, needs
from storykeeper.serve.keys import AUTHOR, READ, WRITE
from storykeeper.serve.service import Service
from storykeeper.serve.tenancy import Tenancy

Answer = TypeVar("Answer")
__all__ = ["After", "Asking", "Authoring", "Limit", "Reading", "Writing", "builtins", "plain"]


def builtins(value: object) -> Any:
    """A value of the engine's as plain lists, dicts, numbers and texts."""
    return msgspec.to_builtins(value, enc_hook=plain, str_keys=True)


def plain(value: object) -> object:
    """What JSON has no word for, as something that it has."""
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "items"):
        return dict(value.items())
    return str(value)


@dataclass(frozen=True, slots=True)
class Asking:
    """A request that was let in."""

    service: Service
    caller: Caller
    request: Request
    response: Response

    @property
    def tenancy(self) -> Tenancy:
        """Whose runs are meant."""
        return self.service.tenancy(self.caller.tenant)

    @property
    def broken_off_ms(self) -> int | None:
        """When this very request was begun before, if it was broken off before it was answered."""
        found: int | None = getattr(self.request.state, "broken_off_ms", None)
        return found

    async def run(self, run: str, work: Callable[[Storykeeper], Answer]) -> Answer:
        """What `work` makes of a run, if it stands where the caller thinks it does.

        The version it then stands at is the ETag of the answer.
        """
        expected = self.request.headers.get("if-match", "").strip().removeprefix("W/").strip('"')

        def checked(keeper: Storykeeper) -> tuple[Answer, int]:
            if expected not in ("", "*") and expected != str(version_of(keeper)):
                raise WrongExpectedVersion(
                    f"run {run}: If-Match says {expected[:40]}, the ledger is at"
                    f" {version_of(keeper)}; read it again and retry"
                )
            return work(keeper), version_of(keeper)

        tenancy = self.tenancy
        made, version = await self.service.pool.use(tenancy.key(run), tenancy.opening(run), checked)
        self.response.headers["etag"] = f'"{version}"'
        return made

    def page_size(self, wanted: int) -> int:
        """How many entries a page may have."""
        return min(wanted, self.service.settings.limits.page)


def version_of(keeper: Storykeeper) -> int:
    """The version of a run's ledger."""
    return int(keeper.ledger.head(keeper.run).version)


def _asking(scope: str) -> Callable[[Request, Response], Asking]:
    def let_in(request: Request, response: Response) -> Asking:
        caller: Caller = request.state.caller
        needs(caller, scope)
        return Asking(request.app.state.service, caller, request, response)

    return let_in


Reading = Annotated[Asking, Depends(_asking(READ))]
Writing = Annotated[Asking, Depends(_asking(WRITE))]
Authoring = Annotated[Asking, Depends(_asking(AUTHOR))]
Limit = Annotated[int, Query(ge=1, le=1000, description="The most entries of this page.")]
After = Annotated[str, Query(max_length=200, description="`next` of the page before.")]
