"""The tools with the real Agents SDK: an agent runs, and calls them as a model asks for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from storykeeper import Memory
from storykeeper.adapters.openai_agents import function_tools
from storykeeper.adapters.tools import MemoryTools

set_tracing_disabled(True)


class Scripted(Model):
    """A model that calls what it is told to, and then says what the last call answered."""

    def __init__(self, *calls: tuple[str, dict]) -> None:
        self.calls = list(calls)
        self.offered: list[str] = []

    async def get_response(self, system_instructions, input, *args, tools=(), **more):  # noqa: A002
        tools = tools or next(a for a in args if isinstance(a, list))
        self.offered = [tool.name for tool in tools]
        if self.calls:
            name, arguments = self.calls.pop(0)
            call = ResponseFunctionToolCall(
                type="function_call", call_id=f"c{len(self.calls)}", name=name,
                arguments=json.dumps(arguments),
            )  # fmt: skip
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        outputs = [each["output"] for each in input if each.get("type") == "function_call_output"]
        text = ResponseOutputText(type="output_text", text=outputs[-1], annotations=[])
        said = ResponseOutputMessage(
            id="1", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args, **more) -> AsyncIterator:
        raise NotImplementedError


def run(memory: Memory, *calls: tuple[str, dict]) -> dict:
    model = Scripted(*calls)
    tools = function_tools(MemoryTools(memory, audience="ana"))
    agent = Agent(name="Helper", model=model, tools=tools)
    result = asyncio.run(Runner.run(agent, "Go on"))
    assert model.offered == ["remember", "recall", "update_memory", "delete_memory"]
    return json.loads(result.final_output)


def test_an_agent_remembers_and_recalls():
    with Memory.open(":memory:", embedder="none") as memory:
        item = run(memory, ("remember", {"text": "Ana likes slate", "metadata": {"n": 1}}))["id"]
        assert memory.get(item, audience="ana").metadata == {"n": 1}
        found = run(memory, ("recall", {"query": "what does Ana like", "k": 3}))["found"]
        assert [each["id"] for each in found] == [item]
        changed = run(memory, ("update_memory", {"id": item, "text": "Ana likes thatch"}))
        assert changed == {"id": item}
        assert run(memory, ("delete_memory", {"id": item})) == {"deleted": 1}
        assert "error" in run(memory, ("recall", {"k": 3}))
        assert "nothing is called m9" in run(memory, ("delete_memory", {"id": "m9"}))["error"]
