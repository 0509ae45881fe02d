"""The LlamaIndex retriever and memory block with the real package."""

from __future__ import annotations

import asyncio

import pytest
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms import MockLLM
from llama_index.core.memory import Memory as ChatMemory
from llama_index.core.query_engine import RetrieverQueryEngine

from storykeeper import Memory
from storykeeper.adapters.llamaindex import StorykeeperBlock, StorykeeperRetriever


@pytest.fixture
def memory():
    with Memory.open(":memory:", embedder="none") as memory:
        memory.add("The roof of the mill leaks", metadata={"n": 1}, speaker="Ana", at=1e9)
        memory.add("The key is under the mat", audience={"ana"})
        yield memory


def test_nodes_are_retrieved(memory):
    (node,) = StorykeeperRetriever(memory, where={"n": 1}).retrieve("which roof leaks")
    assert (node.node.id_, node.text) == ("m1", "The roof of the mill leaks")
    assert node.score > 0
    assert node.metadata == {"n": 1, "speaker": "Ana", "session": "s1", "at_ms": 10**12}
    found = asyncio.run(StorykeeperRetriever(memory).aretrieve("where is the key"))
    assert "m2" not in str([n.node.id_ for n in found]).replace("m1", "")
    hers = StorykeeperRetriever(memory, audience="ana", k=1).retrieve("where is the key")
    assert hers[0].text == "The key is under the mat"


def test_an_engine_answers_from_what_is_retrieved(memory):
    engine = RetrieverQueryEngine.from_args(StorykeeperRetriever(memory), llm=MockLLM())
    assert "The roof of the mill leaks" in str(engine.query("which roof leaks"))


def test_a_chat_forgets_nothing(memory):
    async def play():
        block = StorykeeperBlock(memory=memory, tokens=200)
        chat = ChatMemory.from_defaults(
            session_id="talk", token_limit=120, chat_history_token_ratio=0.4,
            token_flush_size=40, memory_blocks=[block],
        )  # fmt: skip
        await chat.aput(ChatMessage(role=MessageRole.USER, content="The gate code is 4711."))
        for n in range(30):
            text = f"In line {n} we talk of the weather, as we always do."
            await chat.aput(ChatMessage(role=MessageRole.ASSISTANT, content=text))
        await chat.aput(ChatMessage(role=MessageRole.USER, content="What was the gate code?"))
        prompt = "\n".join(str(message.content) for message in await chat.aget())
        assert "The gate code is 4711." in prompt
        assert {item.session for item in memory.list(where={"@speaker": "user"})} == {"talk"}

    asyncio.run(play())


def test_a_block_is_cut_to_what_there_is_room_for(memory):
    block = StorykeeperBlock(memory=memory)
    text = "\n".join(f"line {n} of a text" for n in range(20))
    cut = asyncio.run(block.atruncate(text, 30))
    assert text.startswith(cut)
    assert memory.store.count(text) - memory.store.count(cut) >= 30
    assert asyncio.run(block.atruncate(text, 10_000)) is None
    assert asyncio.run(block.aget([])) == ""
