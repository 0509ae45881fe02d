"""The service as an ASGI application: the door, the routes, and how it starts and ends."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from mcp.server.transport_security import TransportSecuritySettings
from opentelemetry import trace
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storykeeper import __version__
from storykeeper.errors import StorykeeperError
from storykeeper.serve import problems
from storykeeper.serve.access import refuse_beyond_link
from storykeeper.serve.answers import answers
from storykeeper.serve.api import memory_routes, run_routes, turn_routes, view_routes
from storykeeper.serve.api.shapes import Problem
from storykeeper.serve.idempotency import Idempotent
from storykeeper.serve.inspector import page as inspector_page
from storykeeper.serve.inspector import routes as inspector_routes
from storykeeper.serve.inspector.page import is_page
from storykeeper.serve.mcp.server import mcp_server
from storykeeper.serve.proxy import routes as proxy_routes
from storykeeper.serve.refusal import Refused
from storykeeper.serve.service import Service
from storykeeper.serve.settings import ServiceSettings

AGENTS = "/mcp"
_TRACER = trace.get_tracer("storykeeper")  # of OpenTelemetry; nothing, unless its SDK is set up
OPEN_TO_ALL = ("/health", "/ready")
_CODES = (400, 401, 403, 404, 409, 412, 413, 422, 429, 500, 502, 503, 507)


def create_app(settings: ServiceSettings) -> FastAPI:
    """The application for some settings; refuses those that cannot work."""
    service = Service.of(settings)

    tools = mcp_server(service)
    agents = tools.streamable_http_app(
        streamable_http_path=AGENTS, stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )  # fmt: skip

    @asynccontextmanager
    async def alive(_: FastAPI) -> AsyncIterator[None]:
        async with tools.session_manager.run():
            yield
        await service.drain()

    app = FastAPI(
        title="storykeeper", version=__version__, lifespan=alive, docs_url=None, redoc_url=None,
        summary="The memory of a story told by a language model.",
        responses={code: {"model": Problem, "content": {problems.MEDIA: {}}} for code in _CODES},
    )  # fmt: skip
    app.state.service = service
    for routes in (run_routes, turn_routes, view_routes, memory_routes, proxy_routes,
                   inspector_routes, inspector_page):  # fmt: skip
        app.include_router(routes.router)
    _answer_plainly(app, service)
    _refuse_plainly(app, service)
    app.router.routes.extend(agents.routes)  # the door has looked at who asks
    app.add_middleware(
        Idempotent, answers=answers(folder=settings.data, database=settings.database)
    )
    app.add_middleware(Door, service=service)
    return app


def _answer_plainly(app: FastAPI, service: Service) -> None:
    @app.get("/health", include_in_schema=False)
    async def health() -> dict[str, bool]:
        return {"ok": True}

    @app.get("/ready", include_in_schema=False)
    async def ready() -> Response:
        if service.draining:
            return PlainTextResponse("draining", status_code=HTTPStatus.SERVICE_UNAVAILABLE)
        return PlainTextResponse("ready")

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse(
            service.telemetry.metrics(
                open_runs=service.pool.open_now, open_memories=service.memories.open_now
            )
        )


def _refuse_plainly(app: FastAPI, service: Service) -> None:
    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return problems.refused(error)

    @app.exception_handler(StorykeeperError)
    async def refused_by_the_engine(_: Request, error: StorykeeperError) -> Response:
        return problems.of_error(error)

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: RequestValidationError) -> Response:
        said = "; ".join(f"{_where(each['loc'])}: {each['msg']}" for each in error.errors()[:5])
        return problems.refused(Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "request", said))

    @app.exception_handler(HTTPException)
    async def not_there(_: Request, error: HTTPException) -> Response:
        status = HTTPStatus(error.status_code)
        what = f"{error.detail}: /openapi.json lists what there is"
        return problems.refused(Refused(status, status.phrase.lower().replace(" ", "-"), what))

    @app.exception_handler(Exception)
    async def at_fault(_: Request, error: Exception) -> Response:
        service.telemetry.fault(error)
        return problems.unforeseen()


def _where(loc: tuple[Any, ...]) -> str:
    return ".".join(str(part) for part in loc)[:200]


class Door:
    """Lets requests in: who asks, how much they send; and counts what was answered."""

    def __init__(self, app: ASGIApp, *, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, tenant = time.perf_counter(), 500, ""

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            tenant = self._let_in(scope)
            with _TRACER.start_as_current_span("request") as span:
                await self._app(scope, _bounded(receive, self._most), noted)
                span.set_attributes({"http.route": _route(scope), "http.status_code": status})
        except Refused as error:
            await problems.refused(error)(scope, receive, noted)
        finally:
            route = _route(scope)
            seconds = time.perf_counter() - began
            self._service.telemetry.answered(scope["method"], route, status, seconds, tenant)

    @property
    def _most(self) -> int:
        return self._service.settings.limits.body_bytes

    def _let_in(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._most:
            raise _too_large(self._most)
        state = scope.setdefault("state", {})
        if scope["path"] in OPEN_TO_ALL or is_page(scope["path"]):
            return ""
        state["caller"] = caller = self._service.access.caller(headers)
        refuse_beyond_link(caller, scope["path"])
        return caller.tenant


def _route(scope: Scope) -> str:
    """The pattern of an address, so that no name is in it."""
    return str(getattr(scope.get("route"), "path", "elsewhere"))


def _bounded(receive: Receive, most: int) -> Receive:
    """A body that ends where it becomes too large."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise _too_large(most)
        return message

    return counted


def _too_large(most: int) -> Refused:
    return Refused(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large",
        f"a request may have {most:,} bytes; send less at a time",
    )  # fmt: skip
