"""A memory as tools of the OpenAI Agents SDK (`pip install storykeeper[openai-agents]`).

agent = Agent(name="Helper", tools=function_tools(MemoryTools(memory, audience="ana")))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from storykeeper.adapters.missing import needs
from storykeeper.adapters.tools import FUNCTIONS, MemoryTools, schema_of

with needs("openai-agents", extra="openai-agents"):
    from agents import FunctionTool


def function_tools(tools: MemoryTools) -> list[FunctionTool]:
    """The functions of a memory; a call does not hold up the agent's event loop."""
    return [
        FunctionTool(
            name=name,
            description=kind.__doc__ or "",
            params_json_schema=schema_of(name),
            on_invoke_tool=_answering(tools, name),
            strict_json_schema=False,
        )
        for name, kind in FUNCTIONS.items()
    ]


def _answering(tools: MemoryTools, name: str) -> Callable[[Any, str], Awaitable[str]]:
    async def answer(_context: Any, arguments: str) -> str:
        return await asyncio.to_thread(tools.call, name, arguments)

    return answer
