"""Items held in memory and searched as those of a file are: the past of a run of a story.

There is no ledger of their own behind them; whoever holds them makes them again. A story counts
turns: what was told in this scene is near and fades in 50, what was told in this run in 500, and
what an author wrote does not fade (F5.1, F5.2).

Imported when something is first recalled: it needs numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from storykeeper.errors import ModelUnavailable
from storykeeper.language.time import Narrowing, Use, When, anchors, find, inquires, narrow
from storykeeper.memory.candidates import Likely, likely
from storykeeper.memory.found import Hit, Results
from storykeeper.memory.index.index import Index
from storykeeper.memory.index.values import Allowed, RowData
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.meaning import Meaning, Meant
from storykeeper.memory.signals import item_terms, key_text
from storykeeper.memory.signals.marks import marks
from storykeeper.memory.signals.query import name_words
from storykeeper.memory.store import BATCH, LEXICAL_SPACE, WORD_DIMS, FileShelf
from storykeeper.memory.tables import COLUMNS, KINDS, Tables, entity_term
from storykeeper.memory.view import View
from storykeeper.scoring.hybrid import Hybrid, Mixture, hybrid_scores, quality
from storykeeper.scoring.scopes import Scope, fading, nearness, recencies

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

MIXTURE = Mixture()
MOST_IN_ORDER = 400  # items of a stretch of time that is the whole answer
_NO_TURN = -1


class _Weighed(Index):
    """An index whose narrative weights may change: a scene that is being played grows denser."""

    weights: Floats | None = None

    def column(self, name: str) -> Floats:
        """A number for every row."""
        known = super().column(name)
        return known if name != "weight" or self.weights is None else self.weights


class Held:
    """Items in order, each for those who may know it."""

    def __init__(self, *, meaning: Meaning | None = None, shelf: FileShelf | None = None) -> None:
        """Empty. `shelf` is the one behind `meaning`, if it wants to know whose words it keeps."""
        self.tables = Tables()
        self.unavailable = ""  # why words could not be embedded
        self.meaning = meaning
        self._shelf = shelf
        self._items: list[Item] = []
        self._views: dict[frozenset[int], View] = {}
        self.index = self._opened()

    @property
    def rows(self) -> int:
        """How many items there are."""
        return len(self._items)

    def item(self, row: int) -> Item:
        """The item of a row."""
        return self._items[row]

    def view(self, classes: frozenset[int]) -> View:
        """What those see who may see these classes; the same until something is added."""
        if classes not in self._views:
            self._views[classes] = View(self.index, self.tables, self.item, classes)
        return self._views[classes]

    def add(self, items: Iterable[Item]) -> None:
        """More items, behind those that are there."""
        new = list(items)
        for start in range(0, len(new), BATCH):
            self._add(new[start : start + BATCH])

    def weigh(self, weights: Mapping[int, float]) -> None:
        """Give items the narrative weights of their turns as these stand now; others have none."""
        found = [weights.get(_NO_TURN if i.turn is None else i.turn, 0.0) for i in self._items]
        for row, (item, weight) in enumerate(zip(self._items, found, strict=True)):
            if item.weight != weight:
                self._items[row] = replace(item, weight=weight)
        self.index.weights = np.array(found, np.float64)

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    def _opened(self) -> _Weighed:
        space, dims, tiers = LEXICAL_SPACE, WORD_DIMS, tuple[int, ...]()
        if self.meaning is not None:
            embedder = self.meaning.embedder
            try:
                space, dims, tiers = self.meaning.space, embedder.dims, embedder.tiers
            except ModelUnavailable as error:
                self.meaning, self.unavailable = None, str(error)
        return _Weighed.open(None, space=space, dims=dims, tiers=tiers, columns=(*COLUMNS, "turn"))

    def _add(self, items: Sequence[Item]) -> None:
        meant = self._meant(items)
        rows = [
            RowData(
                (*item_terms(item), *map(entity_term, item.entities)),
                self.tables.eyes_of(item),
                columns=self._numbers(item, row),
                blob=each.pieces.tobytes(),
            )
            for row, (item, each) in enumerate(zip(items, meant, strict=True), start=self.rows)
        ]
        self.index.add(np.stack([each.whole for each in meant]), rows)
        self.index.weights = None
        self._items += items
        self._views.clear()

    def _numbers(self, item: Item, row: int) -> dict[str, float]:
        known = self.tables.columns_of(
            item, version=row + 1, anchors=anchors(item.text), marks=marks(item.text)
        )
        return {**known, "turn": _NO_TURN if item.turn is None else item.turn}

    def _meant(self, items: Sequence[Item]) -> list[Meant]:
        nothing = Meant(np.zeros(self.index.shape.dims, np.int8), np.zeros((0, 0), np.int8))
        if self.meaning is None:
            return [nothing] * len(items)
        texts = [key_text(item) for item in items]
        if self._shelf is not None:
            keys = (self.meaning.key(text) for text in texts)
            self._shelf.turns = {k: item.turn or 0 for k, item in zip(keys, items, strict=True)}
        leave = {text: name_words(item.speaker) for text, item in zip(texts, items, strict=True)}
        try:
            return self.meaning.passages(texts, leave=leave)
        except ModelUnavailable as error:
            self.unavailable = str(error)
            return [nothing] * len(items)


# ── searching a story ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, in which scene, and in which turn."""

    audience: str
    scene: str = ""
    turn: int = 0


def recalled(held: Held, query: str, asking: Asking, *, most: int) -> Results:
    """What of a run's past answers a query, the best first: (α·sim + β·R + γ·S)·Q (F5.5)."""
    view = held.view(held.tables.open_to(asking.audience, namespace=""))
    narrowing = _narrowed(view, query, asking)
    allowed = _inside(view, narrowing.filter)
    notes = (narrowing.explanation,) if narrowing.explanation else ()
    if narrowing.kind is Use.PURE:
        return _in_order(held, allowed, asking, most=max(most, MOST_IN_ORDER), notes=notes)
    found = likely(held, view, query, narrowing, allowed=allowed)
    if held.unavailable and not found.notes:
        notes = (*notes, f"Searched by words alone: {held.unavailable}")
    return Results(tuple(_hits(held, found, asking, most=most)), (*notes, *found.notes))


def _narrowed(view: View, query: str, asking: Asking) -> Narrowing:
    """What times in a query do: "two scenes ago" and "turn 12" are places in a story."""
    if not inquires(query) or not find(query):
        return Narrowing(Use.NONE, query)
    return narrow(
        query, now=None, sessions=view.timeline, turns=asking.turn - 1,
        running=asking.scene or None, names=view.speakers,
    )  # fmt: skip


def _inside(view: View, when: When | None) -> Allowed:
    """What may be seen and lies in a stretch of time; all that may be seen, if nothing does."""
    if when is None:
        return view.every
    index, names = view.index, view.session_names
    turns, sessions = index.column("turn"), index.column("session")
    only = np.zeros(index.rows, np.bool_)
    for row in view.rows.tolist():
        turn = None if turns[row] == _NO_TURN else int(turns[row])
        only[row] = when.holds(at_ms=None, session=names[int(sessions[row])], turn=turn)
    return index.allowed(view.classes, only=only) if only.any() else view.every


def _hits(held: Held, found: Likely, asking: Asking, *, most: int) -> list[Hit]:
    """The best of the candidates, equal ones by age."""
    rows = found.rows
    near, fresh = near_and_fresh(held, rows, asking)
    good = np.array([quality(each) for each in held.index.column("decay")[rows]])
    scores = hybrid_scores(
        likeness=found.sims, recency=fresh, nearness=near, quality=good, weights=MIXTURE
    )
    return [
        Hit(
            held.item(int(rows[place])),
            float(scores[place]),
            Hybrid(
                float(found.sims[place]), float(fresh[place]), float(near[place]),
                float(good[place]), MIXTURE,
            ),
            found.parts(int(place)),
        )
        for place in np.lexsort((rows, -scores))[:most]
    ]  # fmt: skip


def near_and_fresh(held: Held, rows: Rows, asking: Asking) -> tuple[Floats, Floats]:
    """S and R by scope (F5.1, F5.2): this scene, this run, what an author wrote; ages in turns."""
    column = held.index.column
    written = column("kind")[rows] == KINDS.index(Kind.WRITTEN)
    here = column("session")[rows] == held.tables.sessions.get(asking.scene, -1)
    near, rates = (
        np.where(written, of(Scope.CANON), np.where(here, of(Scope.SCENE), of(Scope.RUN)))
        for of in (nearness, fading)
    )
    turns = column("turn")[rows]
    ages = np.where(turns == _NO_TURN, 0.0, asking.turn - turns)
    return near, recencies(ages, rates=rates)


def _in_order(
    held: Held, allowed: Allowed, asking: Asking, *, most: int, notes: tuple[str, ...]
) -> Results:
    """A question of time alone: all that was told then, in order."""
    rows = np.flatnonzero(allowed.mask)
    near, fresh = near_and_fresh(held, rows[:most], asking)
    hits = [
        Hit(held.item(int(row)), 1.0, Hybrid(1.0, float(f), float(n), 1.0, MIXTURE))
        for row, n, f in zip(rows[:most], near, fresh, strict=True)
    ]
    if len(rows) > most:
        notes = (*notes, f"{len(rows) - most:,} more were told then; ask for less of it at once")
    return Results(tuple(hits), notes)
