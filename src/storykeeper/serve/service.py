"""The service, whole: its settings, its open runs, its chats, and who may ask."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storykeeper.bootstrap import Storykeeper
from storykeeper.ledger.places import service_tables
from storykeeper.memories import Memory
from storykeeper.models.keys import api_key
from storykeeper.serve.access import Access
from storykeeper.serve.keys import Keys
from storykeeper.serve.pool import Pool
from storykeeper.serve.proxy.chat_route import Chats
from storykeeper.serve.proxy.following import Following
from storykeeper.serve.proxy.upstream import Upstream
from storykeeper.serve.settings import ServiceSettings, prepared
from storykeeper.serve.telemetry import Telemetry
from storykeeper.serve.tenancy import Tenancy

if TYPE_CHECKING:
    from storykeeper.ledger.postgres.service_tables import ServiceTables


@dataclass(slots=True)
class Service:
    """What the routes share."""

    settings: ServiceSettings
    access: Access
    pool: Pool[Storykeeper]
    memories: Pool[Memory]
    upstream: Upstream
    telemetry: Telemetry = field(default_factory=Telemetry)
    draining: bool = False
    _tables: ServiceTables | None = None  # held, so that connections stay open in between
    _following: dict[str, Following] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: ServiceSettings) -> Service:
        """A service that is ready to be asked; refuses settings that cannot work."""
        settings = prepared(settings)
        model, limits = settings.model, settings.limits
        access = Access(settings, Keys(settings.database or settings.data))
        access.check_start()
        key = api_key(file=model.key_file, env=model.key_env) if model.url else None
        workers, most = limits.workers, limits.open_runs
        return cls(
            settings, access, Pool(workers=workers, most=most, refresh=Storykeeper.catch_up),
            Pool(workers=workers, most=most), Upstream(model, key),
            _tables=service_tables(settings.database) if settings.database else None,
        )  # fmt: skip

    def tenancy(self, tenant: str) -> Tenancy:
        """Where a tenant's runs are."""
        return Tenancy(tenant, self.settings)

    def chats(self, tenant: str) -> Chats:
        """What answers a tenant's chat requests."""
        if tenant not in self._following:
            self._following[tenant] = Following(self.pool, self.tenancy(tenant))
        return Chats(self._following[tenant], self.upstream, self.telemetry)

    async def drain(self) -> None:
        """Finish what is under way, and let go of everything."""
        self.draining = True
        await self.pool.drain()
        await self.memories.drain()
        for each in self._following.values():
            each.close()
        await self.upstream.close()
        if self._tables is not None:
            self._tables.close()
