"""Memories without a story: what was said, found again by whoever may know it."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query

from storykeeper.errors import RunNotFound
from storykeeper.ledger.places import Place, is_there, make_room
from storykeeper.memories import Memory
from storykeeper.serve.api.context import Asking, Reading, Writing, builtins
from storykeeper.serve.api.names import Name
from storykeeper.serve.api.shapes import NewItems

router = APIRouter()


@router.get("/v1/memories")
async def memories(asking: Reading) -> list[str]:
    """The names of all memories."""
    return await asking.service.memories.call(asking.tenancy.memories)


@router.post("/v1/memories/{memory}/items", status_code=HTTPStatus.CREATED)
async def add(asking: Writing, memory: Name, wanted: NewItems) -> dict[str, list[str]]:
    """Remember something; a memory begins with its first item."""
    return {"ids": await _use(asking, memory, partial(_added, wanted=wanted), create=True)}


@router.get("/v1/memories/{memory}/search")
async def search(
    asking: Reading, memory: Name, q: Annotated[str, Query(min_length=1, max_length=2_000)],
    audience: Annotated[str | None, Query(max_length=200)] = None,
    now: Annotated[str | None, Query(max_length=40)] = None,
    k: Annotated[int, Query(ge=1, le=200)] = 10,
) -> list[dict[str, Any]]:  # fmt: skip
    """What answers a question, the best first, with the terms of each score."""
    found: list[dict[str, Any]] = await _use(
        asking, memory,
        lambda m: [builtins(hit) for hit in m.search(q, audience=audience, now=now, k=k)],
    )  # fmt: skip
    return found


@router.get("/v1/memories/{memory}/items/{item}")
async def get(asking: Reading, memory: Name, item: str) -> dict[str, Any]:
    """One item."""
    found: dict[str, Any] = await _use(asking, memory, lambda m: builtins(m.get(item)))
    return found


async def _use(asking: Asking, memory: str, work: Any, *, create: bool = False) -> Any:
    tenancy = asking.tenancy
    path = tenancy.memory(memory)
    opening = partial(_opened, path, memory, create=create)
    return await asking.service.memories.use(tenancy.key(memory), opening, work)


def _opened(at: Place, memory: str, *, create: bool) -> Memory:
    if not create and not is_there(at):
        raise RunNotFound(f"there is no memory {memory}; POST items to begin one")
    make_room(at)
    return Memory.open(at)


def _added(memory: Memory, *, wanted: NewItems) -> list[str]:
    return [
        memory.add(each.text, speaker=each.speaker, at=each.at,
                   audience=None if each.audience is None else set(each.audience),
                   session=each.session)
        for each in wanted.items
    ]  # fmt: skip
