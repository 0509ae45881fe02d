"""`/v1/chat/completions`: a window in the place of the history, and never a lost answer.

Whatever of ours fails, the request goes upstream as it came; a header and the log say so.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response, StreamingResponse

from storykeeper.errors import UNREADABLE, StorykeeperError
from storykeeper.play.narrate import NAME, offline
from storykeeper.serve.proxy.chat_story import company
from storykeeper.serve.proxy.exchange import DONE, Streamed, Whole, sent, story_of
from storykeeper.serve.proxy.following import Asked, Following, InStep, TooFarBehind
from storykeeper.serve.proxy.made import chunks, completion, refusal
from storykeeper.serve.proxy.transcript import transcript
from storykeeper.serve.proxy.upstream import HOPS, Upstream
from storykeeper.serve.refusal import Refused
from storykeeper.serve.telemetry import Telemetry

if TYPE_CHECKING:
    import httpx

PATH = "/chat/completions"
CHAT_HEADERS = ("x-storykeeper-chat", "x-openwebui-chat-id")
_EVENTS, _JSON = "text/event-stream", "application/json"


@dataclass(slots=True)
class Chats:
    """What answers chat requests of one tenant."""

    following: Following
    upstream: Upstream
    telemetry: Telemetry

    async def answer(self, body: bytes, headers: Mapping[str, str]) -> Response:
        """The answer to a chat request."""
        request = _read(body)
        if not request and not self.upstream.is_set:
            what = "this is no chat request: send JSON with a list of messages"
            return Response(refusal(what, kind="request"), status_code=400, media_type=_JSON)
        if not request:
            return await self._passed(body, headers, "no chat request")
        story = story_of(request.get("model"))
        try:
            asked = _asked(request, headers, story)
            there = await self.following.follow(asked)
        except TooFarBehind as error:
            return await self._passed(body, headers, str(error))
        except (StorykeeperError, Refused) as error:
            self.telemetry.bypassed(type(error).__name__)
            return await self._passed(body, headers, str(error))
        except Exception as error:  # an answer is worth more than a window
            self.telemetry.fault(error)
            return await self._passed(body, headers, f"a fault of ours: {type(error).__name__}")
        if not self.upstream.is_set:
            return await self._offline(request, asked, there)
        model = self.upstream.settings.name if story else ""
        return await self._through(
            sent(request, asked.said, there.window, model=model), headers, asked, there
        )

    async def _through(
        self, body: bytes, headers: Mapping[str, str], asked: Asked, there: InStep
    ) -> Response:
        """Upstream's answer to the window."""
        marks = {"x-storykeeper-run": there.run, "x-storykeeper-turn": str(there.turn.number)}
        stack = AsyncExitStack()
        try:
            response = await stack.enter_async_context(
                self.upstream.asked("POST", PATH, headers=headers, body=body)
            )
            kept = {**_kept(response), **marks}
            if response.status_code != HTTPStatus.OK or not _is(response, _EVENTS):
                return await self._whole(stack, response, kept, asked, there)
        except http_error() as error:
            await stack.aclose()
            return unreached(error)
        told = self._streamed(stack, response, asked, there)
        return StreamingResponse(told, headers=kept, media_type=None)

    async def _whole(
        self, stack: AsyncExitStack, response: httpx.Response, kept: dict[str, str],
        asked: Asked, there: InStep,
    ) -> Response:  # fmt: skip
        async with stack:
            body = await response.aread()
        if response.status_code != HTTPStatus.OK:
            return Response(body, status_code=response.status_code, headers=kept)
        answer = Whole.of(body)
        if answer.text and asked.said.is_turn:
            await self._told(there, answer.text)
        return Response(answer.body, headers=kept)

    async def _streamed(
        self, stack: AsyncExitStack, response: httpx.Response, asked: Asked, there: InStep
    ) -> AsyncIterator[bytes]:
        """Upstream's events as they come; the telling is kept before the client hears the end."""
        answer = Streamed()
        async with stack:
            async for data in _events(response):
                if data == DONE:
                    break
                for event in answer.event(data):
                    yield _event(event)
            for event in answer.rest():
                yield _event(event)
            if answer.is_telling and asked.said.is_turn:
                await self._told(there, answer.filter.raw)
            yield _event(DONE)

    async def _told(self, there: InStep, text: str, *, narrator: str = "") -> None:
        try:
            name = narrator or self.upstream.settings.name
            await self.following.told(there, text, narrator=name)
        except Exception as error:  # it was answered; the next history brings it
            self.telemetry.fault(error)

    async def _offline(self, request: dict[str, Any], asked: Asked, there: InStep) -> Response:
        """The offline narrator's answer, where no model is set."""
        turn = there.turn
        text = offline(turn.world, turn.present)
        if asked.said.is_turn:
            await self._told(there, text, narrator=NAME)
        model, id_, now = str(request.get("model", "")), f"chatcmpl-{uuid.uuid4().hex}", time.time()
        marks = {"x-storykeeper-run": there.run, "x-storykeeper-turn": str(turn.number)}
        if not request.get("stream"):
            made = completion(text, model=model, id_=id_, created=int(now))
            return Response(made, headers=marks, media_type=_JSON)
        events = [*chunks(text, model=model, id_=id_, created=int(now)), DONE]
        return StreamingResponse(
            iter([_event(each) for each in events]), headers=marks, media_type=_EVENTS
        )

    async def _passed(self, body: bytes, headers: Mapping[str, str], why: str) -> Response:
        """The request upstream as it came."""
        if not self.upstream.is_set:
            what = f"{why}; and no model is set: storykeeper serve --model URL"
            return Response(refusal(what, kind="no-model"), status_code=503, media_type=_JSON)
        return await passed(self.upstream, "POST", PATH, headers=headers, body=body, why=why)


async def passed(
    upstream: Upstream, method: str, path: str, *, headers: Mapping[str, str], body: bytes,
    why: str = "",
) -> Response:  # fmt: skip
    """A request of which nothing is ours, and its answer as it comes."""
    stack = AsyncExitStack()
    try:
        response = await stack.enter_async_context(
            upstream.asked(method, path, headers=headers, body=body)
        )
    except http_error() as error:
        await stack.aclose()
        return unreached(error)
    said = {"x-storykeeper": f"bypassed; {_printable(why)}"} if why else {}

    async def all_of_it() -> AsyncIterator[bytes]:
        async with stack:
            async for part in response.aiter_bytes():
                yield part

    return StreamingResponse(
        all_of_it(), status_code=response.status_code, headers={**_kept(response), **said}
    )


def _read(body: bytes) -> dict[str, Any]:
    """A request that a window can answer; empty, if it is none."""
    try:
        request = msgspec.json.decode(body)
    except UNREADABLE:
        return {}
    if not isinstance(request, dict) or request.get("n", 1) not in (1, None):
        return {}
    messages = request.get("messages")
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        return {}
    return request


def _asked(request: dict[str, Any], headers: Mapping[str, str], story: str) -> Asked:
    messages = request["messages"]
    said = transcript(messages)
    if not said.rounds:
        raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, "no-line", "nobody has said anything yet")
    chat = next((headers[name] for name in CHAT_HEADERS if name in headers), "")
    return Asked(said, company(messages, said), chat=chat[:200], story=story)


async def _events(response: httpx.Response) -> AsyncIterator[bytes]:
    """The data of server-sent events; lines of anything else are dropped."""
    data: list[str] = []
    async for line in response.aiter_lines():
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data).encode()
            data = []
    if data:
        yield "\n".join(data).encode()


def _event(data: bytes) -> bytes:
    return b"data: " + data + b"\n\n"


def _kept(response: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name.lower() not in HOPS}


def _is(response: httpx.Response, media: str) -> bool:
    return media in str(response.headers.get("content-type", ""))


def unreached(error: Exception) -> Response:
    """What a client is told when upstream says nothing."""
    what = f"the model cannot be reached ({type(error).__name__}); is it running?"
    return Response(refusal(what, kind="upstream"), status_code=502, media_type=_JSON)


def _printable(why: str) -> str:
    return "".join(c if " " <= c <= "~" else "?" for c in why)[:300]


def http_error() -> type[Exception]:
    """What asking upstream may come to; httpx is imported when it is asked."""
    import httpx

    return httpx.HTTPError
