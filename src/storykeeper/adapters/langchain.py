"""A memory as a retriever of LangChain (`pip install storykeeper[langgraph]`).

retriever = StorykeeperRetriever(memory=memory, audience="ana", k=5)
retriever.invoke("when is the meeting")
"""

from __future__ import annotations

from typing import Any

from storykeeper.adapters.missing import needs
from storykeeper.memories import Memory
from storykeeper.memory.exports import known
from storykeeper.memory.found import Hit

with needs("langchain-core", extra="langgraph"):
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict


class StorykeeperRetriever(BaseRetriever):
    """Finds what answers a query, as far as an audience may know."""

    memory: Memory
    audience: str | None = None
    k: int = 10
    where: dict[str, Any] | None = None
    model_config = ConfigDict(arbitrary_types_allowed=True)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **more: Any
    ) -> list[Document]:
        """What was found, the best first; `k`, `where` and `now` may be given with the query."""
        found = self.memory.search(
            query, audience=self.audience, k=more.pop("k", self.k),
            where=more.pop("where", self.where), **more,
        )  # fmt: skip
        return [_document(hit) for hit in found]


def _document(hit: Hit) -> Document:
    item = hit.item
    about = item.metadata | known(item) | {"score": hit.score}
    return Document(id=item.id, page_content=item.text, metadata=about)
