"""Tools that look at a run, and set it right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

from storykeeper.bootstrap import Storykeeper
from storykeeper.serve.api.context import builtins
from storykeeper.serve.mcp.calling import Calling
from storykeeper.story.model import NARRATOR

if TYPE_CHECKING:
    from mcp.server import MCPServer

MOST_RULINGS = 40


def offer(server: MCPServer, calling: Calling) -> None:
    """Add the tools."""
    _looking(server, calling)
    _setting_right(server, calling)

    @server.tool()
    async def why(context: Context, run: str, turn: int, item: str) -> dict[str, Any]:
        """Why something was in the narrator's window of a turn, or was not.

        item: part of an item's id (such as fact:brass-key), or some words of what was told.
        """
        return await calling.run(context, run, lambda keeper: _why(keeper, turn, item))


def _looking(server: MCPServer, calling: Calling) -> None:
    @server.tool()
    async def runs(context: Context) -> list[str]:
        """The runs there are."""
        return calling.tenancy(context).runs()

    @server.tool()
    async def window(context: Context, run: str, text: str = "", audience: str = NARRATOR) -> str:
        """What the narrator, or one of the cast, gets to see if the player typed this text."""
        return await calling.run(
            context, run, lambda keeper: keeper.window(audience, text=text).text
        )

    @server.tool()
    async def brief(context: Context, run: str, who: str, text: str = "") -> str:
        """What one character may know of the moment; text is what it perceives."""
        return await calling.run(context, run, lambda keeper: keeper.brief(who, text).text)

    @server.tool()
    async def who_knows(context: Context, run: str, fact: str = "") -> dict[str, Any]:
        """Who knows, suspects or believes each fact of the story, and how they came by it.

        fact: only those whose id has this in it.
        """
        return await calling.run(context, run, lambda keeper: _who_knows(keeper, fact))

    @server.tool()
    async def presence(
        context: Context, run: str, audience: str = NARRATOR
    ) -> list[dict[str, Any]]:
        """Who is here as that audience can tell, sure or not, and by what evidence."""
        return await calling.run(
            context, run, lambda keeper: builtins(list(keeper.presence(audience, shown=True)))
        )


def _setting_right(server: MCPServer, calling: Calling) -> None:
    @server.tool()
    async def correct(
        context: Context, run: str, here: list[str] | None = None,
        gone: list[str] | None = None, holds: dict[str, str] | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Settle who is here, who is gone, and who has which thing, from now on, on record."""
        return await calling.run(
            context, run,
            lambda keeper: builtins(keeper.correct(here=here or (), gone=gone or (), holds=holds)),
            writes=True,
        )  # fmt: skip


def _who_knows(keeper: Storykeeper, fact: str) -> dict[str, Any]:
    return {
        who: {name: builtins(held) for name, held in known.items() if fact in name}
        for who, known in keeper.everybody_knows().items()
    }


def _why(keeper: Storykeeper, turn: int, item: str) -> dict[str, Any]:
    made = keeper.window_of(turn)
    receipt = made.receipt
    return {
        "shown": [builtins(each) for each in receipt.shown if item in each.id][:MOST_RULINGS],
        "left_out": [builtins(each) for each in receipt.left_out if item in each.id][:MOST_RULINGS],
        "ruled": {name: str(each) for name, each in made.rulings(item).items()},
        "words": [builtins(each) for each in made.whereabouts(item)][:MOST_RULINGS],
    }
