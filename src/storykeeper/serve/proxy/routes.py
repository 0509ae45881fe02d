"""The addresses that OpenAI-style clients know."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from storykeeper.errors import UNREADABLE
from storykeeper.serve.api.context import Reading, Writing
from storykeeper.serve.proxy.chat_route import http_error, passed, unreached
from storykeeper.serve.proxy.exchange import model_of
from storykeeper.serve.refusal import Refused

router = APIRouter(include_in_schema=False)  # that protocol has a specification of its own
MODELS = "/models"


@router.post("/v1/chat/completions")
async def chat(asking: Writing, request: Request) -> Response:
    """A chat request, answered from a window in the place of its history."""
    chats = asking.service.chats(asking.caller.tenant)
    return await chats.answer(await request.body(), request.headers)


@router.get("/v1/models")
async def models(asking: Reading, request: Request) -> Response:
    """Upstream's models, and a name for each story that is offered."""
    found: list[Any] = []
    upstream = asking.service.upstream
    if upstream.is_set:
        try:
            async with upstream.asked("GET", MODELS, headers=request.headers, body=b"") as response:
                body = await response.aread()
        except http_error() as error:
            return unreached(error)
        if response.status_code != HTTPStatus.OK:
            return Response(body, status_code=response.status_code, media_type="application/json")
        found = _listed(body)
    offered = [_model(model_of(story)) for story in asking.tenancy.stories()]
    return JSONResponse({"object": "list", "data": [*found, *offered]})


@router.post("/v1/embeddings")
@router.post("/v1/completions")
async def elsewhere(asking: Writing, request: Request) -> Response:
    """What is no chat goes upstream as it came."""
    upstream = asking.service.upstream
    if not upstream.is_set:
        raise Refused(
            HTTPStatus.NOT_FOUND, "no-model",
            "no model is set to ask: storykeeper serve --model URL",
        )  # fmt: skip
    path = request.url.path.removeprefix("/v1")
    body = await request.body()
    return await passed(upstream, "POST", path, headers=request.headers, body=body)


def _listed(body: bytes) -> list[Any]:
    try:
        data = msgspec.json.decode(body)["data"]
    except (*UNREADABLE, KeyError, TypeError):
        return []
    return data if isinstance(data, list) else []


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "storykeeper"}
