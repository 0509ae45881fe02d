"""Tools that remember and recall, without a story."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

from storykeeper.memories import Memory
from storykeeper.serve.mcp.calling import Calling

if TYPE_CHECKING:
    from mcp.server import MCPServer

DEFAULT = "agent"  # the memory that is meant where none is named


def offer(server: MCPServer, calling: Calling) -> None:
    """Add the tools."""

    @server.tool()
    async def remember(
        context: Context, text: str, speaker: str = "", at: str | None = None,
        audience: list[str] | None = None, memory: str = DEFAULT,
    ) -> str:  # fmt: skip
        """Keep something that was said or found out; the answer is its id.

        at: when it was said (ISO 8601). audience: who may know it; everybody, if left out.
        """

        def work(found: Memory) -> str:
            eyes = None if audience is None else set(audience)
            return found.add(text, speaker=speaker, at=at, audience=eyes)

        return await calling.memory(context, memory, work, writes=True)

    @server.tool()
    async def recall(
        context: Context, query: str, audience: str | None = None, k: int = 10,
        now: str | None = None, memory: str = DEFAULT,
    ) -> list[dict[str, Any]]:  # fmt: skip
        """What answers a question, the best first, of what this audience may know."""

        def work(found: Memory) -> list[dict[str, Any]]:
            return [
                {"id": hit.item.id, "text": hit.item.text, "speaker": hit.item.speaker,
                 "score": hit.score}
                for hit in found.search(query, audience=audience, now=now, k=max(1, min(k, 100)))
            ]  # fmt: skip

        return await calling.memory(context, memory, work)
