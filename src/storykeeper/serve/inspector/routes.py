"""What the page asks for. Who may see it is decided here, by `looking`, and nowhere in a browser.

Of what is withheld nothing leaves: somebody's own view is made of their own window, of its receipt
as they may be told it, and of who is here as they can tell.
"""

from __future__ import annotations

import time
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from storykeeper.bootstrap import Storykeeper
from storykeeper.errors import UnknownAudience
from storykeeper.ledger.port import RunInfo
from storykeeper.play.moments import Moments
from storykeeper.serve.api.context import Asking
from storykeeper.serve.api.shapes import Shape
from storykeeper.serve.inspector import past_view, people_view, story_view, telling_view
from storykeeper.serve.inspector.landscape_view import drawn_landscape, through_time
from storykeeper.serve.inspector.looking import (
    At,
    Look,
    Looking,
    as_json,
    encoded,
    known_audience,
)
from storykeeper.serve.inspector.own_view import own_journal
from storykeeper.serve.inspector.window_view import asked_after, plain_history, window_data
from storykeeper.story.model import NARRATOR
from storykeeper.units import ID_PATTERN
from storykeeper.world.state import World

router = APIRouter(prefix="/v1/inspect/{run}", tags=["inspector"])
Tokens = Annotated[int | None, Query(ge=1, le=200_000)]
Text = Annotated[str, Query(max_length=4_000)]


@router.get("")
async def frame(look: Looking) -> Response:
    """What the page begins with: the story, where the run stands, and the cast for its author."""
    return as_json(encoded(await look.keeper(partial(_frame, look))))


def _frame(look: Look, keeper: Storykeeper) -> dict[str, Any]:
    world = keeper.world(shown=True)
    known_audience(world, look.audience)
    pending = keeper.world().pending
    found: dict[str, Any] = {
        "run": look.run, "audience": look.audience, "linked": look.linked,
        "title": world.plan.story.title, "by": world.plan.story.author,
        "language": world.plan.story.language, "last": int(keeper.last_turn()),
        "waiting": pending is not None and not pending.take,
    }  # fmt: skip
    if not look.linked:  # its author may look through anybody's eyes
        found |= {"people": people_view.people(world)}
    if not look.author:
        each = world.plan.cast.get(look.audience)
        return found | {"name": look.audience if each is None else each.name or look.audience}
    budget = world.plan.story.budget
    return found | {
        "scene": world.scene, "files": bool(look.asking.tenancy.stories()),
        "story": world.plan.story.id, "players": world.plan.story.players,
        "version": int(keeper.ledger.head(keeper.run).version),  # it counts what others do not see
        "budget": keeper.tokens or budget.tokens, "brief_budget": budget.brief_tokens,
        "fact": int(world.now) if pending is None else int(keeper.world().now),
        "pending": None if pending is None else {
            "turn": pending.turn, "text": pending.text, "prose": pending.prose,
            "takes": pending.takes, "take": pending.take,
            "question": pending.mention if pending.choices else None,
        },
    }  # fmt: skip


# ── the author's ─────────────────────────────────────────────────────────────────────────────


@router.get("/lanes")
async def lanes(look: Looking) -> Response:
    """Scenes and everybody's whereabouts through the whole run."""
    look.only_author()
    return await look.answer(("lanes",), people_view.lanes)


@router.get("/landscape")
async def landscape(
    look: Looking, turn: At = None,
    lettering: Annotated[float, Query(ge=1, le=3, description="How large names are.")] = 1.0,
) -> Response:  # fmt: skip
    """The terrain after a turn."""
    look.only_author()
    size = round(lettering, 1)
    drawn = partial(drawn_landscape, lettering=size)
    return await _of_world(look, turn, f"landscape {size}", drawn)


@router.get("/pulls")
async def pulls(look: Looking) -> Response:
    """How hard the strongest scenes pulled, through the whole run."""
    look.only_author()
    return await look.answer(("pulls",), through_time)


@router.get("/knowledge")
async def knowledge(look: Looking, turn: At = None) -> Response:
    """Who knows what after a turn."""
    look.only_author()
    return await _of_world(look, turn, "knowledge", people_view.known)


@router.get("/thinks")
async def thinks(
    look: Looking, fact: Annotated[str, Query(max_length=64, pattern=ID_PATTERN)], turn: At = None
) -> Response:
    """Who thinks that who holds a fact."""
    look.only_author()
    return await _of_world(look, turn, f"thinks {fact}", partial(people_view.thought, fact=fact))


@router.get("/telling")
async def telling(
    look: Looking, fact: Annotated[str, Query(max_length=64, pattern=ID_PATTERN)], turn: At = None
) -> Response:
    """Why those who hold a fact do not say it: conditions and whether they are met, and rules."""
    look.only_author()
    made = partial(telling_view.telling, fact=fact)
    return await _of_world(look, turn, f"telling {fact}", made)


@router.get("/relations")
async def relations(look: Looking, turn: At = None) -> Response:
    """How people stand toward each other."""
    look.only_author()
    return await _of_world(look, turn, "relations", people_view.relations)


@router.get("/entities")
async def entities(look: Looking, turn: At = None) -> Response:
    """Everybody and everything that was referred to."""
    look.only_author()
    world = await look.world(turn)
    moments = (await look.kept()).moments
    return as_json(encoded(past_view.entities(moments, world)))


@router.get("/entity")
async def entity(look: Looking, key: Annotated[str, Query(max_length=200)]) -> Response:
    """One of them through the whole run."""
    look.only_author()
    return await look.answer(("entity", key), partial(past_view.entity, key=key))


@router.get("/pieces")
async def pieces(look: Looking, turn: Annotated[int, Query(ge=0, le=2**31)]) -> Response:
    """A turn in pieces, with who perceived each."""
    look.only_author()
    return await look.answer(("pieces", turn), partial(people_view.pieces, turn=turn))


@router.get("/asked")
async def asked(
    look: Looking, turn: Annotated[int, Query(ge=0, le=2**31)],
    words: Annotated[str, Query(min_length=2, max_length=400)],
    audience: Annotated[str, Query(max_length=64)] = NARRATOR,
) -> Response:  # fmt: skip
    """Where a thing or a sentence stands in somebody's window, or by which rule it does not."""
    look.only_author()
    return await look.answer(
        ("asked", turn, words, audience), lambda m: asked_after(m.window(turn, audience), words)
    )


@router.get("/plain")
async def plain(
    look: Looking, turn: Annotated[int, Query(ge=0, le=2**31)],
    tokens: Annotated[int, Query(ge=1, le=200_000)],
) -> Response:  # fmt: skip
    """What the newest turns alone would have told, at as many tokens."""
    look.only_author()

    def made(moments: Moments) -> dict[str, Any]:
        last = moments.last
        assert last is not None
        return plain_history(moments, moments.world(last), turn, tokens)

    return await look.answer(("plain", turn, tokens), made)


@router.get("/ledger")
async def ledger(look: Looking, before: Annotated[int, Query(ge=0, le=2**31)] = 2**31) -> Response:
    """How turns were told and set right, and the branches of the file."""
    look.only_author()
    runs: tuple[RunInfo, ...] = await look.keeper(lambda keeper: keeper.ledger.runs())

    def made(moments: Moments) -> dict[str, Any]:
        limit = min(before, (moments.records[-1].turn if moments.records else 0) + 1)
        turn_at = {int(r.forked_at): moments.records[int(r.forked_at) - 1].turn for r in runs
                   if 0 < r.forked_at <= len(moments.records)}  # fmt: skip
        return past_view.takes(moments, before=limit) | {
            "branches": list(past_view.branches(runs, turn_at)),
        }

    return await look.answer(("ledger", before, runs), made)


async def _of_world(look: Look, turn: int | None, name: str, work: Any) -> Response:
    """A view of the world after a turn; of one that is fact it is made once.

    Of the present nothing of the past is needed: the page need not wait for it to be read.
    """
    if turn is not None:
        moments = (await look.kept()).moments
        if moments.last is not None and turn <= moments.last:
            return await look.answer((name, turn), lambda m: work(m.world(turn)))
    made = await look.keeper(lambda keeper: encoded(work(keeper.world(shown=True))))
    return as_json(made)


# ── anybody's own ────────────────────────────────────────────────────────────────────────────


@router.get("/window")
async def window(
    look: Looking, turn: At = None, tokens: Tokens = None, text: Text = ""
) -> Response:
    """What somebody got to see in a turn, or would at another size; all of why, for the author."""
    if text and look.linked:
        text = ""  # what somebody might type is not theirs to try on others' memories
    if turn is not None and not text and (await look.kept()).moments.has_window(turn):
        return await look.answer(
            ("window", turn, tokens),
            lambda m: window_data(m.window(turn, look.eyes, tokens=tokens), author=look.author),
        )
    made = await look.window(turn, text=text, tokens=tokens)
    return as_json(encoded(window_data(made, author=look.author)))


@router.get("/journal")
async def journal(
    look: Looking, first: Annotated[int, Query(ge=0, le=2**31)] = 0,
    last: Annotated[int, Query(ge=0, le=2**31)] = 2**31,
) -> Response:  # fmt: skip
    """What was typed and told; somebody's own: what they perceived of it."""
    if look.author:
        made = partial(past_view.journal, first=first, last=last)
        return await look.answer(("journal", first, last), made)
    return as_json(encoded(await own_journal(look, last)))


@router.get("/presence")
async def presence(look: Looking, turn: At = None) -> Response:
    """Who is where, how sure that is, and by what words; somebody's own: as they can tell."""
    last = None if turn is None else (await look.kept()).moments.last
    if turn is not None and (last is None or turn > last):
        turn = None

    def made(keeper: Storykeeper) -> bytes:
        seen = keeper.presence(look.eyes, at=None, shown=True)
        if not look.author:
            return encoded(seen)
        return encoded(people_view.present(keeper.world(shown=True), seen))

    if turn is None:
        return as_json(await look.keeper(made))
    at = turn
    return await look.answer(("presence", at), lambda m: _present(look, m, at))


def _present(look: Look, moments: Moments, turn: int) -> Any:
    seen = moments.presence(turn, look.eyes)
    return people_view.present(moments.world(turn), seen) if look.author else seen


# ── the author's files, and links ────────────────────────────────────────────────────────────


@router.get("/story")
async def story(look: Looking) -> Response:
    """The story's files with what `check` finds in them."""
    look.only_author()
    world = await look.keeper(lambda keeper: keeper.world())
    made = await look.asking.service.pool.call(partial(_files, look.asking, world))
    return as_json(encoded(made))


def _files(asking: Asking, world: World) -> dict[str, Any]:
    return story_view.files(story_view.story_folder(asking.tenancy, world), world)


@router.post("/story/adopt")
async def adopt(look: Looking) -> Response:
    """Follow the files as they are saved, from here on, on record."""
    look.only_author()

    def done(keeper: Storykeeper) -> bytes:
        folder = story_view.story_folder(look.asking.tenancy, keeper.world())
        return encoded(story_view.adopt(keeper, folder))

    return as_json(await look.keeper(done))


class NewLink(Shape):
    """Whose eyes a link is seen through."""

    audience: Annotated[str, Field(max_length=64, pattern=ID_PATTERN)]


@router.post("/links", status_code=HTTPStatus.CREATED)
async def link(look: Looking, wanted: NewLink) -> Response:
    """A link to this run as one of the cast sees it, and to nothing else. It is shown once."""
    look.only_author()
    cast = await look.keeper(lambda keeper: frozenset(keeper.world().plan.cast))
    if wanted.audience not in cast:
        raise UnknownAudience(f"nobody called {wanted.audience!r} is in this story's cast")
    asking = look.asking
    key, made = await asking.service.pool.call(
        lambda: asking.service.access.keys.link(
            tenant=asking.caller.tenant, run=look.run, audience=wanted.audience,
            now=int(time.time()),
        )
    )  # fmt: skip
    where = f"/inspect/#run={look.run}&key={key}"
    said = {"id": made.id, "audience": made.audience, "address": where}
    return as_json(encoded(said), HTTPStatus.CREATED)
