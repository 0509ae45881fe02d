"""Proj(V_rest, q): two passes, one hop, and for questions of time a set that covers them together.

Ages are counted in what the audience has seen since: a chat put down for a month has forgotten
nothing. What was often shown to an audience counts for more to that audience alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from storykeeper.errors import ModelUnavailable
from storykeeper.language.time import inquires, slots
from storykeeper.memory.candidates import Likely
from storykeeper.memory.found import Hit
from storykeeper.memory.tables import entity_term
from storykeeper.scoring.authority import authorities
from storykeeper.scoring.diversity import diverse_rows
from storykeeper.scoring.hybrid import quality
from storykeeper.scoring.temporal import (
    Candidate,
    anchor_density,
    indicator,
    is_temporal,
    recovery,
    select,
    signs,
    slots_met,
)
from storykeeper.scoring.two_pass import Final, Hop, coarse, hops, merged, top

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from storykeeper.memory.index.values import Allowed
    from storykeeper.memory.searched import Searched
    from storykeeper.memory.view import View
    from storykeeper.scoring.settings import SearchSettings

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

_SAME_ENTITY = 4  # of each entity of a parent, so many items


def projected(
    store: Searched, view: View, query: str, found: Likely, *, allowed: Allowed, audience: str,
    settings: SearchSettings, most: int | None = None,
) -> list[Hit]:  # fmt: skip
    """What was chosen, in the order in which it is packed; of that the first `most`."""
    finals = _finals(store, view, found, audience, settings)
    sims = dict(zip(found.rows.tolist(), found.sims.tolist(), strict=True))
    first = coarse(sims, settings)
    second = top({row: finals[row].score for row in first}, settings.final_most)
    xi = indicator([s.weight for s in signs(query)], settings) if inquires(query) else 0.0
    scores = {row: finals[row].score for row in second}
    if is_temporal(xi, settings):
        scores = _temporal(store, query, found, scores, sims, finals, xi, settings)
        order = list(scores)
    else:
        order = _diverse(store, scores, settings)
    hopped: list[Hop] = []
    if most is None or len(order) < most:  # they stand behind what was chosen
        links = _links(store, view, order)
        hopped = hops(scores, links=links, rest=_Rest(allowed), settings=settings)
    parents = {hop.row: hop.parent for hop in hopped}
    ranked = {each.row: each.sigma for each in merged(scores, hopped)}
    return [
        _hit(store, found, finals, row, ranked[row], parents.get(row))
        for row in [*order, *parents][:most]
    ]


class _Rest:
    """V_rest, asked row by row."""

    def __init__(self, allowed: Allowed) -> None:
        self._mask = allowed.mask

    def __contains__(self, row: object) -> bool:
        return isinstance(row, int) and 0 <= row < len(self._mask) and bool(self._mask[row])

    def __iter__(self) -> Iterator[int]:
        return iter(self._mask.nonzero()[0].tolist())

    def __len__(self) -> int:
        return int(self._mask.sum())


def _finals(
    store: Searched, view: View, found: Likely, audience: str, settings: SearchSettings
) -> _Finals:
    """ω, sim, M and Q of every candidate.   F5.9"""
    import numpy as np

    index, rows = store.index, found.rows
    since = len(view.rows) - 1 - np.searchsorted(view.rows, rows)
    uses = store.tables.uses.get(audience, {})
    seen = [count for row, count in uses.items() if view.every.mask[row]]
    weights = authorities(
        ages=since.astype(np.float64),
        accesses=np.array([float(uses.get(row, 0)) for row in rows.tolist()]),
        most_accesses=float(max(seen, default=0)),
        authored=index.column("weight")[rows],
        settings=settings,
    )
    return _Finals(rows, weights, found, index.column("decay")[rows], settings)


class _Finals(Mapping[int, Final]):
    """By row, each made when it is asked for: of some hundred candidates few are."""

    def __init__(
        self, rows: Rows, weights: Floats, found: Likely, decay: Floats, settings: SearchSettings
    ) -> None:
        self._places = {row: place for place, row in enumerate(rows.tolist())}
        self._columns = list(
            zip(
                weights.tolist(), found.sims.tolist(), found.keywords.tolist(), decay.tolist(),
                strict=True,
            )
        )  # fmt: skip
        self._settings = settings

    def place(self, row: int) -> int:
        """Where it stands among the candidates."""
        return self._places[row]

    def __getitem__(self, row: int) -> Final:
        settings = self._settings
        weight, sim, keywords, decay = self._columns[self._places[row]]
        good = quality(decay, delta=settings.decay_share)
        return Final(weight, sim, keywords, settings.keyword_gain, good)

    def __contains__(self, row: object) -> bool:
        return row in self._places

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _temporal(
    store: Searched, query: str, found: Likely, scores: Mapping[int, float],
    sims: Mapping[int, float], finals: Mapping[int, Final], xi: float, settings: SearchSettings,
) -> dict[int, float]:  # fmt: skip
    """The greedy choice from C2 and what was recovered, then the rest of C2 as it was."""
    near = [row for row in sims if sims[row] >= settings.recovery_floor or row in scores]
    density = {row: anchor_density(store.anchors(row), settings) for row in near}
    pool = [*scores, *recovery(sims, anchors=density, chosen=scores.keys(), settings=settings)]
    named = slots(query)
    met = _slots_met(store, named, pool, settings)
    chosen = select(
        [Candidate(row, finals[row].score, density[row], met[row]) for row in pool],
        xi=xi, slots=len(named), settings=settings,
    )  # fmt: skip
    found_first = {each.row: each.sigma for each in chosen}
    rest = {row: score for row, score in scores.items() if row not in found_first}
    return {**found_first, **rest}


def _slots_met(
    store: Searched, named: tuple[str, ...], pool: list[int], settings: SearchSettings
) -> dict[int, frozenset[int]]:
    import numpy as np

    if not named or store.meaning is None:
        return dict.fromkeys(pool, frozenset())
    try:
        vectors = [store.meaning.query(name, leave=()).whole for name in named]
    except ModelUnavailable:
        return dict.fromkeys(pool, frozenset())
    rows = np.array(pool, np.int64)
    near = np.stack([store.index.similarity(v, rows) for v in vectors], axis=1)
    return {row: slots_met(near[place].tolist(), settings) for place, row in enumerate(pool)}


def _diverse(store: Searched, scores: Mapping[int, float], settings: SearchSettings) -> list[int]:
    """MMR: the order in which they are packed; no score is changed."""
    import numpy as np

    rows = np.array(sorted(scores), np.int64)
    if not len(rows):
        return []
    vectors = store.index.vectors_of(rows).astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1.0)
    order = diverse_rows(
        np.array([scores[row] for row in rows.tolist()]), unit, weight=settings.diversity
    )
    return [int(rows[place]) for place in order]


def _links(store: Searched, view: View, parents: list[int]) -> dict[int, list[int]]:
    """Hop edges: authored links, a summary's sources, what follows, and what has an entity too."""
    import numpy as np

    here = np.array(parents, np.int64)
    after = view.beside(here)[:, 1]
    entities = {row: store.item(row).entities for row in parents}
    every = dict.fromkeys(entity for row in parents for entity in entities[row])
    sharing = _sharing(store, view, list(every))
    found: dict[int, list[int]] = {}
    for row, follower in zip(parents, after.tolist(), strict=True):
        edges = [*store.tables.links.get(row, ()), *store.tables.sources.get(row, ())]
        edges += [follower] if follower >= 0 else []
        found[row] = [*edges, *(other for each in entities[row] for other in sharing[each])]
    return found


def _sharing(store: Searched, view: View, entities: list[str]) -> dict[str, list[int]]:
    """Of each entity, some that it takes part in."""
    terms = [entity_term(entity) for entity in entities]
    hits = store.index.foremost(terms, allowed=view.every, k=_SAME_ENTITY)
    return {entity: rows.tolist() for entity, rows in zip(entities, hits, strict=True)}


def _hit(
    store: Searched, found: Likely, finals: _Finals, row: int, sigma: float, parent: int | None
) -> Hit:  # fmt: skip
    known = parent is None and row in finals
    return Hit(
        store.item(row),
        sigma,
        finals[row] if known else None,
        found.parts(finals.place(row)) if known else {},
        parent=None if parent is None else store.item(parent).id,
    )
