"""A memory as a retriever and a memory block of LlamaIndex (`pip install storykeeper[llamaindex]`).

retriever = StorykeeperRetriever(memory, audience="ana", k=5)
chat = Memory.from_defaults(session_id="s1", memory_blocks=[StorykeeperBlock(memory=memory)])
"""

from __future__ import annotations

import asyncio
from typing import Any

from storykeeper.adapters.missing import needs
from storykeeper.memories import Memory
from storykeeper.memory.chats import Said
from storykeeper.memory.exports import known
from storykeeper.memory.found import Hit

with needs("llama-index-core", extra="llamaindex"):
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
    from pydantic import ConfigDict, Field


class StorykeeperRetriever(BaseRetriever):
    """Finds what answers a query, as far as an audience may know."""

    def __init__(
        self, memory: Memory, *, audience: str | None = None, k: int = 10,
        where: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self._memory, self._audience, self._k, self._where = memory, audience, k, where
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._memory.search(
            query_bundle.query_str, audience=self._audience, k=self._k, where=self._where
        )
        return [_node(hit) for hit in found]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(hit: Hit) -> NodeWithScore:
    item = hit.item
    node = TextNode(id_=item.id, text=item.text, metadata=item.metadata | known(item))
    return NodeWithScore(node=node, score=hit.score)


def _session(message: ChatMessage) -> str:
    return str(message.additional_kwargs.get("session_id", ""))


class StorykeeperBlock(BaseMemoryBlock[str]):
    """Long-term memory of a chat: what leaves the short-term memory is kept, and found again."""

    memory: Memory
    audience: str | None = None
    tokens: int = Field(default=1_000, description="What it may add to a prompt.")
    name: str = "storykeeper"
    model_config = ConfigDict(arbitrary_types_allowed=True)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = next((m.content for m in reversed(messages or []) if m.role == "user"), None)
        return await asyncio.to_thread(self._found, asked or "")

    def _found(self, query: str) -> str:
        if not query.strip():
            return ""
        return self.memory.search(query, audience=self.audience, budget=self.tokens).text

    async def _aput(self, messages: list[ChatMessage]) -> None:
        eyes = None if self.audience is None else frozenset({self.audience})
        lines = [
            Said(each.content, str(each.role.value), None, _session(each), eyes)
            for each in messages
            if each.content and each.content.strip()
        ]
        await asyncio.to_thread(self.memory.add_all, lines)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """As many lines from the end as are too many; the oldest stand first."""
        count = self.memory.store.count
        lines = content.splitlines()
        room = count(content) - tokens_to_truncate
        while lines and count("\n".join(lines)) > room:
            lines.pop()
        return "\n".join(lines) or None
