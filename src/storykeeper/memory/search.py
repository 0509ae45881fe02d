"""Search: what is like a query, from what the asker may see; then what of it counts.

    search     one pass: (α·sim + β·R + γ·S)·Q                                            (L §1)
    project    two passes, one hop, and the temporal selector                         (L §7, §9)

Times in a question are resolved first. A question of time alone is answered by all that was said
then. In any other a time raises and never shuts out, since it may be read wrongly or be one of
several in the question: what was said then is looked at and counts for more, and what a search that
reads no times would put first stays among the first ten.

A chat goes by the clock: what was said in this session is near, then what is this namespace's. How
old something is decides between what is equally like and little more: what a chat is asked for may
be years old. A story counts turns: what was told in this scene is near and fades in 50, what was
told in this run in 500, and what an author wrote does not fade (F5.1, F5.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from storykeeper.language.time import Narrowing, Use, When, narrow
from storykeeper.memory.candidates import FOUND, Likely, likely
from storykeeper.memory.compaction.summaries import better
from storykeeper.memory.filters import Where
from storykeeper.memory.found import Hit, Results
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.projecting import projected
from storykeeper.memory.searched import Searched
from storykeeper.memory.signals.features import NAMES, SHOWN_BESIDE
from storykeeper.memory.tables import KINDS, NO_TURN
from storykeeper.memory.view import View
from storykeeper.scoring.diversity import apart
from storykeeper.scoring.fusion import logistics
from storykeeper.scoring.hybrid import Hybrid, Mixture, hybrid_scores
from storykeeper.scoring.scopes import Scope, fading, nearness, recencies
from storykeeper.scoring.settings import STORY, SearchSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.values import Allowed

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

MIXTURE = Mixture()  # of a story
OF_CHATS = Mixture(likeness=0.9997, recency=0.0002, nearness=0.0001)
NOTHING_THEN = "nothing of what is remembered is known to be from then"
BESIDE = 0.25  # what a sum loses for each neighbour that is found before it
ASKS_BESIDE = 0.75  # and that of a question: what stands beside it is the answer
MOST = 10
STAYS = 10  # among so many stays what is found first without a reading of times
MOST_PURE = 400  # items of a window of time that is the whole answer
_OF_CHATS = (Scope.SESSION, Scope.DURABLE, Scope.GLOBAL)
_OF_STORIES = (Scope.SCENE, Scope.RUN, Scope.CANON)
_SPARE = 32  # looked at beyond what was asked for, in case some give way to summaries of them


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, when, and from where."""

    audience: str | None = None
    namespace: str = ""
    session: str = ""  # of a story: the scene
    now_ms: int | None = None
    leave: frozenset[int] = frozenset()  # rows that are shown already
    settings: SearchSettings = STORY
    turn: int | None = None  # of a story; then no clock counts
    also: tuple[str, ...] = ()  # audiences that they belong to as well
    where: Where | None = None  # only what this lets through
    alive_ms: int | None = None  # only what has not expired then


def view_of(store: Searched, asked: Asked) -> View:
    """What the asker may see."""
    seen = store.tables.open_to(asked.audience, namespace=asked.namespace)
    more = (store.tables.open_to(each, namespace=asked.namespace) for each in asked.also)
    return store.view(seen.union(*more), where=asked.where, alive_ms=asked.alive_ms)


def as_seen(view: View, items: Sequence[Item]) -> list[Item]:
    """Items with their places among what the asker may see, which say nothing of the rest."""
    places = view.order_of([item.order - 1 for item in items]).tolist()
    return [replace(item, order=1 + at) for item, at in zip(items, places, strict=True)]


def search(
    store: Searched, query: str, asked: Asked, *, most: int | None = None, looked_at: int = FOUND
) -> Results:
    """What answers a query, the best first, with what each score is made of.

    The best ten, unless it says how many; of a question of time alone, all that was said then.
    `looked_at`: so many candidates from words and from meaning, if that is more than usual.
    """
    view, most_looked_at = view_of(store, asked), max(FOUND, looked_at)
    narrowing, then, notes = narrowed_to(view, query, view.every, asked)
    if narrowing.kind is Use.PURE and then is not None:
        return _as_seen(view, _in_order(store, then, asked, most=most or MOST_PURE, notes=notes))

    def ranked(narrowing: Narrowing, most: int) -> tuple[list[Hit], tuple[str, ...]]:
        near = likely(
            store, view, query, narrowing, allowed=view.every, then=then, found=most_looked_at
        )
        return _hits(store, near, asked, most=most), near.notes

    hits, more = ranked(narrowing, most or MOST)
    if narrowing.kind is not Use.NONE and len(hits) >= STAYS:
        hits = _with_first(hits, ranked(Narrowing(Use.NONE, query), 1)[0])
    return _as_seen(view, Results(tuple(hits), (*notes, *more)))


def _with_first(hits: list[Hit], plain: list[Hit]) -> list[Hit]:
    """What is first without a reading of times stays: if need be, last of the first ten."""
    stays = [hit for hit in plain if all(hit.item.id != each.item.id for each in hits[:STAYS])]
    behind = [hit for hit in hits[STAYS - 1 :] if all(hit.item.id != s.item.id for s in stays)]
    return [*hits[: STAYS - 1], *stays, *behind][: len(hits)]


def project(store: Searched, query: str, asked: Asked, *, most: int | None = None) -> Results:
    """Proj(V_rest, q): what a prompt gets of what is not in it yet; of that the first `most`."""
    view = view_of(store, asked)
    allowed = view.without(asked.leave)
    narrowing, then, notes = narrowed_to(view, query, allowed, asked)
    if narrowing.kind is Use.PURE and then is not None:
        pure = _in_order(store, then, asked, most=most or MOST_PURE, notes=notes)
        return _as_seen(view, pure)
    found = likely(store, view, query, narrowing, allowed=allowed, then=then)
    hits = projected(
        store, view, query, found, allowed=allowed, audience=asked.audience or "",
        settings=asked.settings, most=None if store.tables.sources else most,
    )  # fmt: skip
    kept = _shown_once(store, [hit.item.order - 1 for hit in hits])
    shown = tuple(hit for hit in hits if hit.item.order - 1 in kept)[:most]
    return _as_seen(view, Results(shown, (*notes, *found.notes)))


def _as_seen(view: View, found: Results) -> Results:
    items = as_seen(view, [hit.item for hit in found.hits])
    hits = (replace(hit, item=item) for hit, item in zip(found.hits, items, strict=True))
    return replace(found, hits=tuple(hits))


def narrowed(view: View, query: str, asked: Asked) -> Narrowing:
    """What the times in a query do to its search; sessions are looked up only if it has any."""
    return narrow(
        query, now=asked.now_ms, sessions=lambda: view.timeline, running=asked.session or None,
        turns=None if asked.turn is None else asked.turn - 1, names=lambda: view.speakers,
    )  # fmt: skip


def narrowed_to(
    view: View, query: str, allowed: Allowed, asked: Asked
) -> tuple[Narrowing, Allowed | None, tuple[str, ...]]:
    """What a query asks for, and what was said at the time that its talking is put at; with notes.

    Where nothing lies in that time, the question is as any other.
    """
    narrowing = narrowed(view, query, asked)
    notes = (narrowing.explanation,) if narrowing.explanation else ()
    if narrowing.when is None:
        return narrowing, None, notes
    then = inside(view, narrowing.when, allowed)
    if then.count:
        return narrowing, then, notes
    kind = Use.NONE if narrowing.kind is Use.PURE else narrowing.kind
    return replace(narrowing, kind=kind), None, (*notes, NOTHING_THEN)


def inside(view: View, when: When, allowed: Allowed) -> Allowed:
    """Of what is allowed, what lies in a stretch of time."""
    import numpy as np

    rows = np.flatnonzero(allowed.mask)
    holds = [when.holds(**place._asdict()) for place in view.places(rows, when.windows)]
    only = np.zeros(view.index.rows, np.bool_)
    only[rows[np.array(holds, np.bool_)]] = True
    return view.index.allowed(view.classes, only=only)


def _hits(store: Searched, found: Likely, asked: Asked, *, most: int) -> list[Hit]:
    """(α·sim + β·R + γ·S)·Q of every candidate; the best, equal ones by age.

    What stands beside something that is found before it is less like what was asked for.
    """
    import numpy as np

    index, rows = store.index, found.rows
    near, fresh = near_and_fresh(store, rows, asked)
    good = 1 - asked.settings.decay_share * index.column("decay")[rows]
    weights = OF_CHATS if asked.turn is None else MIXTURE
    loses = beside_loses(found.features)
    sims = [logistics(found.sums - loses * shown) for shown in range(3)]
    scores = np.stack(
        [
            hybrid_scores(likeness=sim, recency=fresh, nearness=near, quality=good, weights=weights)
            for sim in sims
        ]
    )
    order = apart(scores, found.beside, most=most + _SPARE)
    kept = _shown_once(store, [int(rows[place]) for place, _ in order])
    chosen = [(place, shown) for place, shown in order if int(rows[place]) in kept][:most]
    return [
        Hit(
            store.item(int(rows[place])),
            float(scores[shown, place]),
            Hybrid(
                float(sims[shown][place]), float(fresh[place]), float(near[place]),
                float(good[place]), weights,
            ),
            found.parts(place) | ({SHOWN_BESIDE: -float(loses[place]) * shown} if shown else {}),
        )
        for place, shown in chosen
    ]  # fmt: skip


def beside_loses(features: Floats) -> Floats:
    """What the sum of each loses for every neighbour that is found before it."""
    import numpy as np

    return np.where(features[:, NAMES.index("asks")] > 0, ASKS_BESIDE, BESIDE)


def near_and_fresh(store: Searched, rows: Rows, asked: Asked) -> tuple[Floats, Floats]:
    """S and R: by the scope of each row, and how long ago it was (F5.1, F5.2)."""
    import numpy as np

    of_turns = asked.turn is not None
    scopes = _OF_STORIES if of_turns else _OF_CHATS
    scope, ages = (_in_turns if of_turns else _by_the_clock)(store, rows, asked)
    near, rates = (np.array([of(each) for each in scopes])[scope] for of in (nearness, fading))
    return near, recencies(ages, rates=rates)


def _by_the_clock(store: Searched, rows: Rows, asked: Asked) -> tuple[Rows, Floats]:
    """Which scope, and ages in seconds. Without a `now` nothing is old."""
    import numpy as np

    index = store.index
    mine = index.column("session")[rows] == store.tables.sessions.get(asked.session or "\0", -1)
    own = np.array([space == asked.namespace for space, _ in store.tables.eyes], np.bool_)
    scope = np.where(mine, 0, np.where(own[index.classes[rows]], 1, 2))
    if asked.now_ms is None:
        return scope, np.zeros(len(rows))
    said = index.column("said")[rows]
    return scope, np.where(np.isfinite(said), (asked.now_ms - said) / 1_000, 0.0)


def _in_turns(store: Searched, rows: Rows, asked: Asked) -> tuple[Rows, Floats]:
    """Which scope, and ages in turns; what is of no turn is not old."""
    import numpy as np

    column = store.index.column
    written = column("kind")[rows] == KINDS.index(Kind.WRITTEN)
    here = column("session")[rows] == store.tables.sessions.get(asked.session, -1)
    scope = np.where(written, 2, np.where(here, 0, 1))
    turns = column("turn")[rows]
    return scope, np.where(turns == NO_TURN, 0.0, (asked.turn or 0) - turns)


def _in_order(
    store: Searched, allowed: Allowed, asked: Asked, *, most: int, notes: tuple[str, ...]
) -> Results:
    """A question of time alone: all that was said then, in order."""
    import numpy as np

    rows = np.flatnonzero(allowed.mask)
    raw = rows[store.index.column("kind")[rows] != KINDS.index(Kind.SUMMARY)]
    hits = [Hit(store.item(int(row)), 1.0, None) for row in raw[:most]]
    if asked.turn is not None:
        near, fresh = near_and_fresh(store, raw[:most], asked)
        hits = [
            replace(hit, terms=Hybrid(1.0, float(f), float(n), 1.0, MIXTURE))
            for hit, n, f in zip(hits, near, fresh, strict=True)
        ]
    more = len(raw) - len(hits)
    if more > 0:
        notes = (*notes, f"{more:,} more were said then; ask for less of it at once")
    return Results(tuple(hits), notes)


def _shown_once(store: Searched, ranked: list[int]) -> set[int]:
    """Of a summary and its sources only the better: rows that stay."""
    if not store.tables.sources:
        return set(ranked)
    sources: dict[int, list[int]] = {}
    todo = list(ranked)
    while todo:
        row = todo.pop()
        below = store.tables.sources.get(row)
        if below is not None and row not in sources:
            sources[row] = below
            todo += below
    return set(better(ranked, sources).kept)
