"""Turns: a line, its window, its telling; and the past set right."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from starlette.responses import Response

from storykeeper.bootstrap import Storykeeper, model_narrator
from storykeeper.errors import NoSuchTurn, StorykeeperError
from storykeeper.play.narrate import NAME, offline, stage
from storykeeper.play.turn import Turn
from storykeeper.serve.api.context import (
    After,
    Asking,
    Limit,
    Reading,
    Writing,
    builtins,
    version_of,
)
from storykeeper.serve.api.names import Run, TurnNumber
from storykeeper.serve.api.shapes import NewCorrection, NewTurn, Page, Telling, TurnState
from storykeeper.serve.problems import of_error
from storykeeper.units import typed_number

router = APIRouter()
EVENTS = "text/event-stream"
Show = Callable[[str], object]


@router.post(
    "/v1/runs/{run}/turns", status_code=HTTPStatus.CREATED, response_model=TurnState,
    responses={201: {"content": {EVENTS: {}}}},
)  # fmt: skip
async def begin(asking: Writing, run: Run, wanted: NewTurn) -> TurnState | Response:
    """Take a player's line. With `narrate` it is told too, streamed if you accept events."""
    begun = partial(_begun, asking, wanted=wanted, run=run)
    return await _answered(asking, run, begun, streamed=wanted.narrate)


@router.post(
    "/v1/runs/{run}/turns/current/takes", status_code=HTTPStatus.CREATED,
    response_model=TurnState, responses={201: {"content": {EVENTS: {}}}},
)  # fmt: skip
async def tell_again(asking: Writing, run: Run) -> TurnState | Response:
    """Have the turn under way told, or told again: a swipe, streamed if you accept events."""
    return await _answered(asking, run, partial(_told_again, asking, run=run), streamed=True)


async def _answered(
    asking: Asking, run: str, work: Callable[..., TurnState], *, streamed: bool
) -> TurnState | Response:
    """What is told, streamed if that is accepted; it is read while the player reads it."""
    if streamed and EVENTS in asking.request.headers.get("accept", ""):
        return await _streamed(asking, run, work)
    made = await asking.run(run, partial(work, show=_nowhere))
    _read_ahead(asking, run)
    return made


@router.get("/v1/runs/{run}/turns")
async def past(asking: Reading, run: Run, limit: Limit = 50, after: After = "") -> Page:
    """What was typed and told, oldest first."""
    number = typed_number(after)
    start = -1 if number is None else number
    found = await asking.run(run, partial(_past, after=start))
    size = asking.page_size(limit)
    more = str(found[size - 1]["turn"]) if len(found) > size else None
    return Page(items=found[:size], next=more)


@router.get("/v1/runs/{run}/turns/current")
async def current(asking: Reading, run: Run) -> TurnState:
    """The turn under way, also after the service was restarted."""
    return await asking.run(run, lambda keeper: _turn(keeper, keeper.turn(), run))


@router.put("/v1/runs/{run}/turns/{turn}/telling")
async def tell(asking: Writing, run: Run, turn: TurnNumber, wanted: Telling) -> dict[str, Any]:
    """Show prose for a turn: the one under way, again for a swipe; a past one is edited."""
    made = await asking.run(run, partial(_told, number=turn, wanted=wanted))
    _read_ahead(asking, run)
    return made


@router.get("/v1/runs/{run}/turns/current/takes")
async def takes(asking: Reading, run: Run) -> list[dict[str, Any]]:
    """Every telling of the turn under way, in order; the last one stands."""
    return await asking.run(run, lambda keeper: builtins(keeper.takes()))


@router.delete("/v1/runs/{run}/turns/{turn}")
async def take_back(asking: Writing, run: Run, turn: TurnNumber) -> dict[str, Any]:
    """Drop the turn under way, or take a past one back, on record."""
    return await asking.run(run, partial(_taken_back, number=turn))


@router.post("/v1/runs/{run}/corrections", status_code=HTTPStatus.CREATED)
async def correct(asking: Writing, run: Run, wanted: NewCorrection) -> dict[str, Any]:
    """Settle who is here, who is gone and who has what, from now on."""
    made: dict[str, Any] = await asking.run(
        run,
        lambda keeper: builtins(
            keeper.correct(here=wanted.here, gone=wanted.gone, holds=wanted.holds)
        ),
    )
    return made


@router.post("/v1/runs/{run}/end-scene", status_code=HTTPStatus.NO_CONTENT)
async def end_scene(asking: Writing, run: Run) -> None:
    """Make what was shown fact now."""
    await asking.run(run, Storykeeper.end_scene)


def _begun(
    asking: Asking, keeper: Storykeeper, *, wanted: NewTurn, run: str, show: Show
) -> TurnState:
    before = _told_before(keeper, wanted.text, since_ms=asking.broken_off_ms)
    if before is not None:
        state = _turn(keeper, keeper.turn(), run)
        state.prose = before if wanted.narrate else None
        return state
    turn = keeper.begin(wanted.text, player=wanted.player)
    state = _turn(keeper, turn, run)
    if not wanted.narrate or turn.question is not None:
        return state
    return _narrated(asking, keeper, turn, state, show)


def _told_again(asking: Asking, keeper: Storykeeper, *, run: str, show: Show) -> TurnState:
    turn = keeper.turn()
    return _narrated(asking, keeper, turn, _turn(keeper, turn, run), show)


def _narrated(
    asking: Asking, keeper: Storykeeper, turn: Turn, state: TurnState, show: Show
) -> TurnState:
    model = asking.service.settings.model
    if model.url:
        told = keeper.narrate(turn, model_narrator(model), show=show)
        state.prose, state.dropped = told.prose, list(told.dropped)
    else:
        state.prose = offline(turn.world, turn.present, keeper.history())
        show(state.prose)
        left = stage(turn.world, turn.present)
        keeper.render(turn, state.prose, narrator=NAME, stage=left)
    state.version = version_of(keeper)
    return state


def _told_before(keeper: Storykeeper, text: str, *, since_ms: int | None) -> str | None:
    """What was told of a line since it was sent first: its answer was lost, and it was not."""
    pending = keeper.world().pending
    if since_ms is None or pending is None or not pending.take or pending.text != text:
        return None
    told = keeper.ledger.last(keeper.run, kind="rendered")
    return pending.prose if told is not None and told.at_ms >= since_ms else None


def _turn(keeper: Storykeeper, turn: Turn, run: str) -> TurnState:
    return TurnState(
        run=run, turn=int(turn.number), version=version_of(keeper), question=turn.question,
        tokens=turn.window.tokens, messages=list(turn.window.messages), prose=None, dropped=[],
    )  # fmt: skip


def _told(keeper: Storykeeper, *, number: int, wanted: Telling) -> dict[str, Any]:
    pending = keeper.world().pending
    if pending is not None and pending.turn == number:
        dropped = keeper.render(number, wanted.prose, narrator=wanted.narrator, stage=wanted.stage)
        return {"turn": number, "version": version_of(keeper), "dropped": list(dropped)}
    if wanted.stage is not None:
        raise NoSuchTurn(f"turn {number} is past: its prose can be edited, not what it declares")
    keeper.edit(number, wanted.prose)
    return {"turn": number, "version": version_of(keeper), "dropped": []}


def _taken_back(keeper: Storykeeper, *, number: int) -> dict[str, Any]:
    pending = keeper.world().pending
    if pending is not None and pending.turn == number:
        keeper.reject(number)
    else:
        keeper.retract(number)
    return {"turn": number, "version": version_of(keeper)}


def _past(keeper: Storykeeper, *, after: int) -> list[dict[str, Any]]:
    return [
        {"turn": int(each.turn), "text": each.text, "prose": each.prose}
        for each in keeper.history() if each.turn > after
    ]  # fmt: skip


def _read_ahead(asking: Asking, run: str) -> None:
    tenancy = asking.tenancy
    asking.service.pool.afterwards(
        asking.service.pool.use(tenancy.key(run), tenancy.opening(run), Storykeeper.read_ahead)
    )


async def _streamed(asking: Asking, run: str, begun: Callable[..., TurnState]) -> Response:
    """The turn as events: `prose` as it comes, then `turn` or `problem`."""
    loop, parts = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def show(part: str) -> None:
        loop.call_soon_threadsafe(parts.put_nowait, part)

    async def work() -> TurnState:
        try:
            return await asking.run(run, partial(begun, show=show))
        finally:
            loop.call_soon(parts.put_nowait, None)

    task = asyncio.ensure_future(work())

    async def events() -> AsyncIterator[bytes]:
        while (part := await parts.get()) is not None:
            yield _event("prose", json.dumps({"text": part}))
        try:
            yield _event("turn", (await task).model_dump_json())
            _read_ahead(asking, run)
        except StorykeeperError as error:
            yield _event("problem", bytes(of_error(error).body).decode())

    return StreamingResponse(events(), media_type=EVENTS, status_code=HTTPStatus.CREATED)


def _event(name: str, data: str) -> bytes:
    return f"event: {name}\ndata: {data}\n\n".encode()


def _nowhere(_part: str) -> None:
    """Nobody watches it come."""
