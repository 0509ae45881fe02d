"""How a tool gets at the runs and memories of whoever calls it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from storykeeper.bootstrap import Storykeeper
from storykeeper.errors import StorykeeperError
from storykeeper.ledger.places import Place, make_room
from storykeeper.memories import Memory
from storykeeper.serve.access import Caller, needs
from storykeeper.serve.keys import AUTHOR, READ, SCOPES, WRITE
from storykeeper.serve.refusal import Refused
from storykeeper.serve.service import Service
from storykeeper.serve.tenancy import OWN, Tenancy

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Calling:
    """The service, as tools use it."""

    service: Service

    def caller(self, context: Context) -> Caller:
        """Who calls: over HTTP whoever the door let in, over stdio whoever started us."""
        request = context.request_context.request
        found = None if request is None else request.scope["state"].get("caller")
        return found if isinstance(found, Caller) else Caller(OWN, SCOPES)

    def tenancy(self, context: Context) -> Tenancy:
        """Whose runs are meant."""
        return self.service.tenancy(self.caller(context).tenant)

    async def run(
        self, context: Context, run: str, work: Callable[[Storykeeper], Answer], *,
        writes: bool = False,
    ) -> Answer:  # fmt: skip
        """What `work` makes of a run; a refusal is the tool's answer."""
        try:
            needs(self.caller(context), WRITE if writes else AUTHOR)
            tenancy = self.tenancy(context)
            return await self.service.pool.use(tenancy.key(run), tenancy.opening(run), work)
        except (StorykeeperError, Refused) as error:
            raise ToolError(str(error)) from error

    async def memory(
        self, context: Context, memory: str, work: Callable[[Memory], Answer], *,
        writes: bool = False,
    ) -> Answer:  # fmt: skip
        """What `work` makes of a memory, which begins when something is first written."""
        try:
            needs(self.caller(context), WRITE if writes else READ)
            tenancy = self.tenancy(context)
            path = tenancy.memory(memory)
            return await self.service.memories.use(
                tenancy.key(memory), partial(_opened, path), work
            )
        except (StorykeeperError, Refused) as error:
            raise ToolError(str(error)) from error


def _opened(at: Place) -> Memory:
    make_room(at)
    return Memory.open(at)
