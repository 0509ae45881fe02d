"""The MCP server, wired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp.server import MCPServer

from storykeeper import __version__
from storykeeper.serve.mcp import graph_tools, memory_tools, story_tools
from storykeeper.serve.mcp.calling import Calling

if TYPE_CHECKING:
    from storykeeper.serve.service import Service

ABOUT = (
    "The memory of stories and chats. remember and recall keep and find what was said; window and"
    " brief say what a narrator or a character may know of a run; who_knows, why and presence"
    " explain; correct sets right who is where."
)


def mcp_server(service: Service) -> MCPServer:
    """A server whose tools work on a service's runs and memories."""
    server = MCPServer("storykeeper", instructions=ABOUT, version=__version__, log_level="WARNING")
    calling = Calling(service)
    story_tools.offer(server, calling)
    memory_tools.offer(server, calling)
    graph_tools.offer(server, calling)
    return server
