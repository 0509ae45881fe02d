"""Who looks at a run through the inspector, as whom, and what is kept at hand of it.

The author looks as anybody; a link is somebody's, of one run and one audience, and shows what that
audience may know and nothing else. Whoever has neither is refused.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Annotated, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from fastapi import Depends, Query, Request, Response

from storykeeper.bootstrap import Storykeeper, open_ledger
from storykeeper.context.window import Window
from storykeeper.errors import UnknownAudience
from storykeeper.language.prose import ProseReader
from storykeeper.ledger.address import parse
from storykeeper.play.moments import Moments
from storykeeper.serve.access import Caller, needs
from storykeeper.serve.api.context import Asking, plain
from storykeeper.serve.api.names import Run
from storykeeper.serve.keys import AUTHOR
from storykeeper.serve.refusal import Refused
from storykeeper.serve.service import Service
from storykeeper.story.model import NARRATOR
from storykeeper.world.state import World

AUTHORS = "author"  # the audience that is none: all there is
MOST_RUNS = 4  # of which every moment is kept at hand
MOST_ANSWERS = 2_000
JSON = "application/json"
Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Run:
    """What is at hand of a run."""

    moments: Moments
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    answers: OrderedDict[tuple[object, ...], bytes] = field(default_factory=OrderedDict)


class Shelf:
    """The runs that were looked at last, each with its moments and what was answered of it."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, _Run] = OrderedDict()

    async def of(self, asking: Asking, run: str) -> _Run:
        """What is at hand of a run, up to its last record."""
        key = asking.tenancy.key(run)
        held = self._runs.setdefault(key, _Run(Moments(ProseReader())))
        self._runs.move_to_end(key)
        while len(self._runs) > MOST_RUNS:
            self._runs.popitem(last=False)
        async with held.lock:
            before = held.moments.version
            path = asking.tenancy.address(run)
            await asking.service.pool.call(partial(_caught_up, held, path))
            if held.moments.version != before:
                held.answers.clear()
        return held


def _caught_up(held: _Run, path: str) -> None:
    """Take in what was written since; from the start, if words were erased in between."""
    address = parse(path)
    with open_ledger(address.place, read_only=True) as ledger:
        head = ledger.head(address.run).version
        erased = ledger.last(address.run, kind="text-erased")
        gone = erased is not None and erased.version > held.moments.version
        if gone or head < held.moments.version:  # words were erased, or a backup was put back
            held.moments = Moments(ProseReader())
        new = ledger.read(address.run, after=held.moments.version, upto=head)
        held.moments.take([entry.record for entry in new])


_SHELVES: WeakKeyDictionary[object, Shelf] = WeakKeyDictionary()


def shelf_of(service: Service) -> Shelf:
    """The shelf of a service."""
    return _SHELVES.setdefault(service.pool, Shelf())


@dataclass(frozen=True, slots=True)
class Look:
    """A request to look at a run, as somebody."""

    asking: Asking
    run: str
    audience: str  # AUTHORS, or whoever's eyes it is through
    linked: bool  # it came by a link, which is of this audience for good

    @property
    def author(self) -> bool:
        """Whether everything may be shown."""
        return self.audience == AUTHORS

    @property
    def eyes(self) -> str:
        """Whose window is meant: the audience's; the author's is the narrator's, with all of it."""
        return NARRATOR if self.author else self.audience

    async def kept(self) -> _Run:
        """What is at hand of the run."""
        return await shelf_of(self.asking.service).of(self.asking, self.run)

    async def keeper(self, work: Callable[[Storykeeper], Answer]) -> Answer:
        """What `work` makes of the run as it is now. No version is asked for, and none is told."""
        tenancy = self.asking.tenancy
        key, opening = tenancy.key(self.run), tenancy.opening(self.run)
        return await self.asking.service.pool.use(key, opening, work)

    async def of_moments(self, work: Callable[[Moments], Answer]) -> Answer:
        """What `work` makes of the run's past, on a worker thread."""
        held = await self.kept()
        async with held.lock:
            return await self.asking.service.pool.call(partial(work, held.moments))

    async def answer(self, key: tuple[object, ...], work: Callable[[Moments], object]) -> Response:
        """What `work` makes of the past as JSON; once for each turn of it."""
        held = await self.kept()
        whole = (self.audience, *key)
        async with held.lock:
            if whole not in held.answers:
                made = await self.asking.service.pool.call(lambda: encoded(work(held.moments)))
                held.answers[whole] = made
                if len(held.answers) > MOST_ANSWERS:
                    held.answers.popitem(last=False)
            held.answers.move_to_end(whole)
            return as_json(held.answers[whole])

    async def world(self, turn: int | None) -> World:
        """The world after a turn; now, with what was shown, if none is named or it is no fact."""
        if turn is not None:
            last = await self.of_moments(lambda moments: moments.last)
            if last is not None and turn <= last:
                return await self.of_moments(lambda moments: moments.world(turn))
        return await self.keeper(lambda keeper: keeper.world(shown=True))

    async def window(self, turn: int | None, *, text: str, tokens: int | None) -> Window:
        """The window of a turn for whoever looks; with a text, the next one if it were typed."""
        if text:
            return await self.keeper(lambda k: k.window(self.eyes, text=text, tokens=tokens))
        moments = (await self.kept()).moments
        if turn is None:
            turn = int(await self.keeper(lambda keeper: keeper.last_turn()))
        if moments.has_window(turn):
            number = turn
            return await self.of_moments(lambda m: m.window(number, self.eyes, tokens=tokens))
        return await self.keeper(lambda k: k.window(self.eyes, tokens=tokens))

    def only_author(self) -> None:
        """Refuses whoever is not the author."""
        if not self.author:
            raise Refused(
                HTTPStatus.FORBIDDEN, "scope",
                f"this view is the author's; {self.audience} may not see it",
            )  # fmt: skip


def encoded(value: object) -> bytes:
    """JSON of a value of the engine's."""
    return msgspec.json.encode(value, enc_hook=plain)


def as_json(body: bytes, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """An answer that no cache keeps."""
    headers = {"cache-control": "no-store"}
    return Response(body, media_type=JSON, headers=headers, status_code=int(status))


def _looking(
    request: Request, response: Response, run: Run,
    as_: Annotated[
        str, Query(alias="as", max_length=64, description="Whose eyes; the author's if left out.")
    ] = "",
) -> Look:  # fmt: skip
    caller: Caller = request.state.caller
    asking = Asking(request.app.state.service, caller, request, response)
    if not caller.audience:
        needs(caller, AUTHOR)
        return Look(asking, run, as_ or AUTHORS, linked=False)
    if caller.run != run or as_ not in ("", caller.audience):
        raise Refused(
            HTTPStatus.FORBIDDEN, "link",
            "this link shows one run as one person sees it, and nothing else",
        )  # fmt: skip
    return Look(asking, run, caller.audience, linked=True)


Looking = Annotated[Look, Depends(_looking)]
At = Annotated[
    int | None, Query(alias="turn", ge=0, le=2**31, description="After this turn; now if left out.")
]


def known_audience(world: World, audience: str) -> None:
    """Refuses one who is nobody in this story."""
    if audience not in (AUTHORS, NARRATOR) and audience not in world.plan.cast:
        raise UnknownAudience(f"nobody called {audience!r} is in this story; name one of the cast")
