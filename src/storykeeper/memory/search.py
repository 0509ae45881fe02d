"""Search: what is like a query, from what the asker may see; then what of it counts.

    search     one pass: (α·sim + β·R + γ·S)·Q                                            (L §1)
    project    two passes, one hop, and the temporal selector                         (L §7, §9)

Times in a question are resolved first: they filter, or raise, or are the whole answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.language.time import Narrowing, Use, When, find, inquires, narrow
from storykeeper.memory.candidates import FOUND, Likely, likely
from storykeeper.memory.compaction.summaries import better
from storykeeper.memory.found import Hit, Results
from storykeeper.memory.items import Kind
from storykeeper.memory.projecting import projected
from storykeeper.memory.remembering import id_of
from storykeeper.memory.searched import Searched
from storykeeper.memory.store import Store
from storykeeper.memory.tables import KINDS, UNDATED
from storykeeper.memory.view import View
from storykeeper.scoring.hybrid import Hybrid, Mixture, hybrid_scores
from storykeeper.scoring.scopes import Scope, fading, nearness, recencies
from storykeeper.scoring.settings import STORY, SearchSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.values import Allowed

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

MIXTURE = Mixture()
MOST_PURE = 400  # items of a window of time that is the whole answer
_SCOPES = (Scope.SESSION, Scope.DURABLE, Scope.GLOBAL)
_SPARE = 32  # looked at beyond what was asked for, in case some give way to summaries of them


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, when, and from where."""

    audience: str | None = None
    namespace: str = ""
    session: str = ""
    now_ms: int | None = None
    leave: frozenset[int] = frozenset()  # rows that are shown already
    settings: SearchSettings = STORY


def view_of(store: Searched, asked: Asked) -> View:
    """What the asker may see."""
    return store.view(store.tables.open_to(asked.audience, namespace=asked.namespace))


def search(
    store: Searched, query: str, asked: Asked, *, most: int, looked_at: int = FOUND
) -> Results:
    """What answers a query, the best first, with what each score is made of.

    `looked_at`: so many candidates from words and from meaning, if that is more than usual.
    """
    view = view_of(store, asked)
    narrowing = narrowed(view, query, asked)
    allowed = inside(view, narrowing.filter, view.every)
    notes = (narrowing.explanation,) if narrowing.explanation else ()
    if narrowing.kind is Use.PURE:
        return _in_order(store, allowed, most=max(most, MOST_PURE), notes=notes)
    found = likely(store, view, query, narrowing, allowed=allowed, found=max(FOUND, looked_at))
    return Results(tuple(_hits(store, found, asked, most=most)), (*notes, *found.notes))


def project(store: Store, query: str, asked: Asked) -> Results:
    """Proj(V_rest, q): what a prompt gets of what is not in it yet."""
    view = view_of(store, asked)
    narrowing = narrowed(view, query, asked)
    allowed = inside(view, narrowing.filter, view.without(asked.leave))
    notes = (narrowing.explanation,) if narrowing.explanation else ()
    if narrowing.kind is Use.PURE:
        return _in_order(store, allowed, most=MOST_PURE, notes=notes)
    found = likely(store, view, query, narrowing, allowed=allowed)
    hits = projected(
        store, view, query, found, allowed=allowed, audience=asked.audience or "",
        settings=asked.settings,
    )  # fmt: skip
    kept = _shown_once(store, [hit.item.order - 1 for hit in hits])
    shown = tuple(hit for hit in hits if hit.item.order - 1 in kept)
    return Results(shown, (*notes, *found.notes))


def narrowed(view: View, query: str, asked: Asked) -> Narrowing:
    """What the times in a query do to its search; sessions are looked up only if it has any."""
    if not inquires(query) or not find(query):
        return Narrowing(Use.NONE, query)
    return narrow(
        query, now=asked.now_ms, sessions=view.timeline, running=asked.session or None,
        names=view.speakers,
    )  # fmt: skip


def inside(view: View, when: When | None, allowed: Allowed) -> Allowed:
    """Of what is allowed, what lies in a window of time; all of it, if nothing does."""
    import numpy as np

    if when is None:
        return allowed
    rows = np.flatnonzero(allowed.mask)
    names = view.session_names
    said, sessions = view.index.column("said")[rows], view.index.column("session")[rows]
    holds = [
        when.holds(at_ms=int(at) if at > UNDATED else None, session=names[int(session)])
        for at, session in zip(said, sessions, strict=True)
    ]
    only = np.zeros(view.index.rows, np.bool_)
    only[rows[np.array(holds, np.bool_)]] = True
    return view.index.allowed(view.classes, only=only) if only.any() else allowed


def _hits(store: Searched, found: Likely, asked: Asked, *, most: int) -> list[Hit]:
    """(α·sim + β·R + γ·S)·Q of every candidate; the best, equal ones by age."""
    import numpy as np

    index, rows = store.index, found.rows
    near, fresh = _near_and_fresh(store, rows, asked)
    good = 1 - asked.settings.decay_share * index.column("decay")[rows]
    scores = hybrid_scores(
        likeness=found.sims, recency=fresh, nearness=near, quality=good, weights=MIXTURE
    )
    order = np.lexsort((rows, -scores))[: most + _SPARE].tolist()
    kept = _shown_once(store, [int(rows[place]) for place in order])
    chosen = [place for place in order if int(rows[place]) in kept][:most]
    return [
        Hit(
            store.item(int(rows[place])),
            float(scores[place]),
            Hybrid(
                float(found.sims[place]), float(fresh[place]), float(near[place]),
                float(good[place]), MIXTURE,
            ),
            found.parts(place),
        )
        for place in chosen
    ]  # fmt: skip


def _near_and_fresh(store: Searched, rows: Rows, asked: Asked) -> tuple[Floats, Floats]:
    """S and R: by the scope of each row. Without a `now` nothing is old."""
    import numpy as np

    index = store.index
    mine = index.column("session")[rows] == store.tables.sessions.get(asked.session or "\0", -1)
    own = np.array([space == asked.namespace for space, _ in store.tables.eyes], np.bool_)
    scope = np.where(mine, 0, np.where(own[index.classes[rows]], 1, 2))
    near = np.array([nearness(each) for each in _SCOPES])[scope]
    if asked.now_ms is None:
        return near, np.ones(len(rows))
    said = index.column("said")[rows]
    ages = np.where(np.isfinite(said), (asked.now_ms - said) / 1_000, 0.0)
    return near, recencies(ages, rates=np.array([fading(each) for each in _SCOPES])[scope])


def _in_order(store: Searched, allowed: Allowed, *, most: int, notes: tuple[str, ...]) -> Results:
    """A question of time alone: all that was said then, in order."""
    import numpy as np

    rows = np.flatnonzero(allowed.mask)
    raw = rows[store.index.column("kind")[rows] != KINDS.index(Kind.SUMMARY)]
    hits = [Hit(store.item(int(row)), 1.0, None) for row in raw[:most]]
    more = len(raw) - len(hits)
    if more > 0:
        notes = (*notes, f"{more:,} more were said then; ask for less of it at once")
    return Results(tuple(hits), notes)


def _shown_once(store: Searched, ranked: list[int]) -> set[int]:
    """Of a summary and its sources only the better: rows that stay."""
    if not store.tables.sources:
        return set(ranked)
    sources: dict[str, list[str]] = {}
    todo = list(ranked)
    while todo:
        row = todo.pop()
        below = store.tables.sources.get(row)
        if below is not None and id_of(row + 1) not in sources:
            sources[id_of(row + 1)] = [id_of(each + 1) for each in below]
            todo += below
    kept = set(better([id_of(row + 1) for row in ranked], sources).kept)
    return {row for row in ranked if id_of(row + 1) in kept}
