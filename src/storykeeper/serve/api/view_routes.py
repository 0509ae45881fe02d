"""Looking: windows, briefs, receipts, the landscape, entities, presence, knowledge, recall.

What the author alone may see needs a key that says so. A window and its receipt are their
audience's own; who holds what, and what pulls from where, are the author's.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query

from storykeeper.bootstrap import Storykeeper
from storykeeper.context.window import Window
from storykeeper.serve.api.context import Authoring, Reading, builtins
from storykeeper.serve.api.names import Run, TurnNumber, Who
from storykeeper.serve.api.shapes import WindowState
from storykeeper.story.model import NARRATOR

router = APIRouter()
Audience = Annotated[str, Query(max_length=64, description="The narrator, or one of the cast.")]
Text = Annotated[str, Query(max_length=4_000)]
Tokens = Annotated[int | None, Query(ge=1, le=1_000_000)]
At = Annotated[int | None, Query(ge=0, description="After this turn; now, if left out.")]


@router.get("/v1/runs/{run}/window")
async def window(
    asking: Authoring, run: Run, audience: Audience = NARRATOR, text: Text = "",
    tokens: Tokens = None,
) -> WindowState:  # fmt: skip
    """What somebody would get to see if the player typed this; nothing is played."""
    return _shown(await asking.run(run, lambda k: k.window(audience, text=text, tokens=tokens)))


@router.get("/v1/runs/{run}/turns/{turn}/window")
async def window_of(
    asking: Authoring, run: Run, turn: TurnNumber, audience: Audience = NARRATOR
) -> WindowState:
    """The window of a turn, made again from the ledger: the same bytes."""
    return _shown(await asking.run(run, lambda k: k.window_of(turn, audience)))


@router.get("/v1/runs/{run}/turns/{turn}/receipt")
async def receipt(
    asking: Authoring, run: Run, turn: TurnNumber, audience: Audience = NARRATOR
) -> dict[str, Any]:
    """Why each item of a turn's window is in it, and each other one is not."""
    found: dict[str, Any] = await asking.run(
        run, lambda k: builtins(k.window_of(turn, audience).receipt)
    )
    return found


@router.get("/v1/runs/{run}/briefs/{who}")
async def brief(
    asking: Authoring, run: Run, who: Who, text: Text = "", tokens: Tokens = None
) -> WindowState:
    """What one character may know of the moment; `text` is what it perceives."""
    return _shown(await asking.run(run, lambda k: k.brief(who, text, tokens=tokens)))


@router.get("/v1/runs/{run}/presence")
async def presence(
    asking: Reading, run: Run, audience: Audience = NARRATOR, at: At = None
) -> list[dict[str, Any]]:
    """Who is here as that audience can tell, sure or not, and by what evidence."""
    found: list[dict[str, Any]] = await asking.run(
        run, lambda k: builtins(k.presence(audience, at=at, shown=at is None))
    )
    return found


@router.get("/v1/runs/{run}/knowledge/{who}")
async def knowledge(asking: Authoring, run: Run, who: Who, at: At = None) -> dict[str, Any]:
    """What somebody knows, suspects and believes, and how they came by it."""
    return await asking.run(run, partial(_knowledge, who=who, at=at))


@router.get("/v1/runs/{run}/entities")
async def entities(asking: Authoring, run: Run, at: At = None) -> list[dict[str, Any]]:
    """Everybody and everything referred to: tiers, weights and mentions."""
    found: list[dict[str, Any]] = await asking.run(run, lambda k: builtins(k.entities(at=at)))
    return found


@router.get("/v1/runs/{run}/landscape")
async def landscape(asking: Authoring, run: Run, at: At = None) -> dict[str, Any]:
    """What each scene to come weighs, how far it is, and how hard it pulls."""
    found: dict[str, Any] = await asking.run(run, lambda k: builtins(k.landscape(at=at)))
    return found


@router.get("/v1/runs/{run}/heard")
async def heard(
    asking: Authoring, run: Run, turn: int, words: Annotated[str, Query(max_length=2_000)]
) -> list[dict[str, Any]]:
    """Who perceived the pieces of a turn that have these words, who did not, and why."""
    found: list[dict[str, Any]] = await asking.run(run, lambda k: builtins(k.heard(turn, words)))
    return found


@router.get("/v1/runs/{run}/recall")
async def recall(
    asking: Authoring, run: Run, q: Annotated[str, Query(min_length=1, max_length=2_000)],
    audience: Audience = NARRATOR, k: Annotated[int | None, Query(ge=1, le=200)] = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """What answers a question, from what the narrator or one of the cast has seen."""
    found: list[dict[str, Any]] = await asking.run(
        run, lambda keeper: builtins(list(keeper.recall(q, audience, k=k)))
    )
    return found


def _shown(found: Window) -> WindowState:
    return WindowState(
        audience=found.audience, turn=int(found.turn), tokens=found.tokens, text=found.text,
        messages=list(found.messages), shown=list(found.shown),
    )  # fmt: skip


def _knowledge(keeper: Storykeeper, *, who: str, at: int | None) -> dict[str, Any]:
    found = keeper.knows(who, at=at)
    return {"who": found.who, "turn": found.turn, "facts": builtins(dict(found)),
            "former": builtins(found.former), "places": builtins(found.places),
            "unfound": builtins(found.unfound)}  # fmt: skip
