"""Stories, and runs of them: begun, listed, branched, moved in and out."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, BinaryIO, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from storykeeper.bootstrap import Storykeeper, open_ledger
from storykeeper.errors import RunExists, RunNotFound
from storykeeper.language.tokens import counter
from storykeeper.ledger.places import Place, is_there, make_room, remove
from storykeeper.ledger.transfer import export, import_file
from storykeeper.play.narrate import NAME, offline, stage
from storykeeper.serve.api.context import (
    After,
    Limit,
    Reading,
    Writing,
    builtins,
    version_of,
)
from storykeeper.serve.api.names import Name, Run
from storykeeper.serve.api.shapes import NewFork, NewRun, Page, RunState
from storykeeper.serve.tenancy import Tenancy
from storykeeper.story.loader import load_story

router = APIRouter()
NDJSON = "application/x-ndjson"
CHUNK = 65_536


@router.get("/v1/stories")
async def stories(asking: Reading) -> list[dict[str, Any]]:
    """The stories that are offered."""
    tenancy = asking.tenancy
    return [
        await asking.service.pool.call(partial(_headed, tenancy, story))
        for story in tenancy.stories()
    ]


@router.get("/v1/stories/{story}")
async def story(asking: Reading, story: Name) -> dict[str, Any]:
    """One of them: what its players may know before they play."""
    return await asking.service.pool.call(partial(_headed, asking.tenancy, story))


@router.post("/v1/runs", status_code=HTTPStatus.CREATED)
async def begin(asking: Writing, wanted: NewRun) -> RunState:
    """Begin a run. Its opening is told by the author's own prose."""
    tenancy = asking.tenancy
    run = wanted.run or f"run-{uuid.uuid4().hex[:16]}"
    again = asking.broken_off_ms is not None  # then what is there was begun by this very request
    if not again and await asking.service.pool.call(partial(is_there, tenancy.path(run))):
        raise RunExists(f"there is a run {run} already; choose another name, or go on with it")
    opening = tenancy.beginning(run, tenancy.story(wanted.story))
    state, version = await asking.service.pool.use(
        tenancy.key(run), opening, partial(_opened, run=run)
    )
    asking.response.headers.update({"location": f"/v1/runs/{run}", "etag": f'"{version}"'})
    return state


@router.get("/v1/runs")
async def runs(asking: Reading, limit: Limit = 100, after: After = "") -> Page:
    """The names of all runs, in order."""
    size = asking.page_size(limit)
    found = await asking.service.pool.call(asking.tenancy.runs)
    names = [name for name in found if name > after]
    more = names[size - 1] if len(names) > size else None
    return Page(items=[{"run": name} for name in names[:size]], next=more)


@router.get("/v1/runs/{run}")
async def state(asking: Reading, run: Run) -> RunState:
    """Where a run stands."""
    return await asking.run(run, partial(_state, run=run))


@router.delete("/v1/runs/{run}", status_code=HTTPStatus.NO_CONTENT)
async def delete(asking: Writing, run: Run) -> None:
    """Remove a run and all its branches. What was exported stays."""
    tenancy = asking.tenancy
    at = tenancy.path(run)
    if "@" in run or not await asking.service.pool.call(partial(is_there, at)):
        raise RunNotFound(f"there is no run {run}; a branch goes with the run it belongs to")
    await asking.service.pool.forget(tenancy.key(run))
    await asking.service.pool.call(partial(remove, at))


@router.post("/v1/runs/{run}/forks", status_code=HTTPStatus.CREATED)
async def fork(asking: Writing, run: Run, wanted: NewFork) -> dict[str, Any]:
    """Another run that shares this one's records up to and including a turn."""
    await asking.run(run, lambda keeper: keeper.fork(at=wanted.at, name=wanted.name))
    return {"run": f"{run.partition('@')[0]}@{wanted.name}", "at": wanted.at}


@router.get("/v1/runs/{run}/forks")
async def forks(asking: Reading, run: Run) -> list[dict[str, Any]]:
    """The branches of a run's file."""
    return await asking.run(run, lambda keeper: builtins(keeper.ledger.runs()))


@router.get(
    "/v1/runs/{run}/export", response_class=StreamingResponse,
    responses={200: {"content": {NDJSON: {}}}},
)  # fmt: skip
async def exported(asking: Reading, run: Run) -> StreamingResponse:
    """The run's file as lines of JSON; the same bytes for the same ledger."""
    path = await asking.run(run, lambda _: _exported(asking.tenancy.path(run)))
    return StreamingResponse(_sent(path), media_type=NDJSON)


@router.post("/v1/imports", status_code=HTTPStatus.CREATED)
async def imported(
    asking: Writing, request: Request,
    run: Annotated[str, Query(max_length=63, description="What to call it.")],
) -> dict[str, Any]:  # fmt: skip
    """A run from its export: every hash is checked before it appears."""
    at = asking.tenancy.path(run)
    if "@" in run or await asking.service.pool.call(partial(is_there, at)):
        raise RunExists(f"there is a run {run} already, or it is a branch's name; choose another")
    body = await request.body()
    done = await asking.service.pool.call(partial(_imported, body, at))
    return {"run": run, "records": done}


def _headed(tenancy: Tenancy, story: str) -> dict[str, Any]:
    found = load_story(tenancy.story(story), counters=counter)
    return {"id": found.id, "title": found.title, "author": found.author,
            "version": found.version, "language": found.language,
            "players": list(found.players)}  # fmt: skip


def _opened(keeper: Storykeeper, *, run: str) -> tuple[RunState, int]:
    turn = keeper.opening()
    if not keeper.takes():
        prose, left = offline(turn.world, turn.present), stage(turn.world, turn.present)
        keeper.render(turn, prose, narrator=NAME, stage=left)
    return _state(keeper, run=run), version_of(keeper)


def _state(keeper: Storykeeper, *, run: str) -> RunState:
    world = keeper.world(shown=True)
    pending = keeper.world().pending
    return RunState(
        run=run, story=world.plan.story.id, version=version_of(keeper),
        turn=int(keeper.last_turn()), scene=world.scene,
        present=[builtins(each) for each in keeper.presence(shown=True)],
        waiting=pending is not None and not pending.take,
    )  # fmt: skip


def _exported(at: Place) -> Path:
    with tempfile.NamedTemporaryFile(prefix="storykeeper-export-", delete=False) as file:
        with open_ledger(at, read_only=True) as ledger:
            export(ledger, cast("BinaryIO", file))
        return Path(file.name)


def _sent(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        path.unlink()
        while chunk := file.read(CHUNK):
            yield chunk


def _imported(body: bytes, at: Place) -> int:
    make_room(at)
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(body)
        file.flush()
        return import_file(Path(file.name), at).records
