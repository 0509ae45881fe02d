"""The endpoint that answers, asked as its client asked us."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storykeeper.models.settings import ModelSettings

if TYPE_CHECKING:
    import httpx

# What is said to us and is not said on.
_OURS = frozenset({"host", "content-length", "connection", "transfer-encoding", "accept-encoding",
                   "keep-alive", "te", "trailer", "upgrade", "expect", "proxy-authorization",
                   "cookie", "x-storykeeper-key", "x-storykeeper-chat"})  # fmt: skip
_NO_KEY = ("", "bearer")  # what clients send that were given none
# What upstream says and we say ourselves.
HOPS = frozenset({"content-length", "connection", "transfer-encoding", "content-encoding",
                  "keep-alive", "server", "date", "set-cookie"})  # fmt: skip


@dataclass(slots=True)
class Upstream:
    """An OpenAI-compatible endpoint. The operator names it, never a request."""

    settings: ModelSettings
    api_key: str | None
    passes_keys: bool = True  # a client's own key goes on, where we have none
    _client: httpx.AsyncClient | None = field(default=None, init=False)

    @property
    def is_set(self) -> bool:
        """Whether there is one."""
        return bool(self.settings.url)

    async def close(self) -> None:
        """Let go of its connections."""
        if self._client is not None:
            await self._client.aclose()

    @asynccontextmanager
    async def asked(
        self, method: str, path: str, *, headers: Mapping[str, str], body: bytes
    ) -> AsyncIterator[httpx.Response]:
        """The endpoint's answer, as it comes."""
        request = self._ready().build_request(
            method, f"{self.settings.url.rstrip('/')}{path}", headers=self._headers(headers),
            content=body or None,
        )  # fmt: skip
        response = await self._ready().send(request, stream=True)
        try:
            yield response
        finally:
            await response.aclose()

    def _headers(self, given: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
        """A client's own, as bytes: a server may let through what a client may not send."""
        kept = {name.lower(): value.strip() for name, value in given.items()}
        if self.api_key is not None:
            kept["authorization"] = f"Bearer {self.api_key}"
        elif not self.passes_keys or kept.get("authorization", "").lower() in _NO_KEY:
            kept.pop("authorization", None)
        passed = {name: value for name, value in kept.items() if name not in _OURS}
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in passed.items()]

    def _ready(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            patience = self.settings.patience
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(patience.first, connect=patience.connect),
                follow_redirects=False,
                limits=httpx.Limits(max_connections=200, max_keepalive_connections=50),
            )
        return self._client
