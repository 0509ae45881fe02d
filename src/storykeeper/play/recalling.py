"""Recalling: the past of a run, searched for one audience from what that audience has of it.

Each audience has an index of its own, which holds nothing that it may not know: so nothing hidden
can be found in it, or count for anything. What was found passes the boundary once more, and is
handed out under the names that this audience has for it.

What is kept here is a cache. It follows the ledger turn by turn; a correction or an erasure changes
the past itself, and then all of it is made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from storykeeper.context.boundary import REACH_TURNS, Boundary
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.errors import MemoryProblem, UnknownAudience
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TextErased, TurnEdited, TurnRetracted
from storykeeper.language.tokens import counter
from storykeeper.ledger.port import Ledger
from storykeeper.memory.found import Hit, Results, packed
from storykeeper.memory.search import Asked, project, search
from storykeeper.play.past import remembered
from storykeeper.play.remembering import (
    WEIGHING,
    Minds,
    Names,
    WholePast,
    items_of,
    open_to,
    scene_densities,
    thematic_turns,
)
from storykeeper.play.running import Running
from storykeeper.scoring.settings import chosen
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId, RunId, TurnNo, Version
from storykeeper.world.fold import straightened
from storykeeper.world.state import World

if TYPE_CHECKING:
    from storykeeper.memory.held import Held
    from storykeeper.memory.holding import FileShelf
    from storykeeper.memory.meaning import Meaning


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, by whom, and how much of an answer is wanted."""

    text: str
    audience: str = NARRATOR
    most: int | None = None
    budget: int | None = None  # in tokens


@dataclass(slots=True)
class _Mind:
    """What one audience remembers, up to a turn."""

    held: Held
    names: Names
    turns: int = 0
    last: PastTurn | None = None


class Recollection:
    """The memory of one run."""

    def __init__(self, *, meaning: Meaning | None = None, shelf: FileShelf | None = None) -> None:
        """Nothing is read yet. Without a meaning it is searched by words alone."""
        self._meaning = meaning
        self._shelf = shelf
        self._forget()

    def recall(self, query: Query, *, ledger: Ledger, run: RunId, now: Running) -> Results:
        """What answers a query, from what the audience remembers, by its own names for it."""
        found = self.found(query, ledger=ledger, run=run, now=now)
        names = self._mind(query.audience, now.world).names
        results = replace(found, hits=tuple(map(names.hit, found.hits)))
        if query.budget is None:
            return results
        count = counter(now.world.plan.story.budget.encoding)
        return packed(results, budget=query.budget, count=count)

    def found(self, query: Query, *, ledger: Ledger, run: RunId, now: Running) -> Results:
        """The same by the ledger's names, and not packed: for a window, whose gate rules on them.

        Nobody may be shown these names: they count what was hidden.
        """
        world = now.world
        _refuse_unanswerable(query, world)
        self._follow(ledger, run, now)
        held = self._mind(query.audience, world).held
        present = _present(world)
        scene = _scene(held, query.audience, world)
        settings = chosen(world.plan.story.tuning.memory)
        asked = Asked(query.audience, session=scene, turn=present.turn, settings=settings)
        if query.budget is None:
            found = search(held, query.text, asked, most=query.most)
        else:  # for a prompt: two passes, one hop, and narrative weight counts
            found = project(held, query.text, asked)
        told = self.turns({TurnNo(h.item.turn) for h in found.hits if h.item.turn is not None})
        open_ = permitted(found.hits, told, world, present, audience=query.audience)
        return replace(found, hits=open_)

    def turns(self, numbers: Iterable[TurnNo]) -> list[PastTurn]:
        """Some turns of what was followed so far; those that are no more are not among them."""
        both = (self._loose.by_number, self._past.by_number)
        return [known[n] for n in sorted(numbers) for known in both if n in known]

    # ── following the run ────────────────────────────────────────────────────────────────────

    def _forget(self) -> None:
        self._version = Version(0)
        self._world: World | None = None
        self._past = WholePast()
        self._loose = WholePast()  # decided, and not written yet
        self._weighing: list[AnyRecord] = []
        self._loose_weighing: list[AnyRecord] = []
        self._minds: dict[str, _Mind] = {}

    def _follow(self, ledger: Ledger, run: RunId, now: Running) -> None:
        """Take in what the ledger has and this has not; then what is not written yet."""
        new = [e.record for e in ledger.read(run, after=self._version, upto=now.version)]
        if self._version and any(map(_changes_the_past, new)):
            self._forget()
            new = [e.record for e in ledger.read(run, upto=now.version)]
        if new:
            self._world, _ = remembered(new, self._world, self._past)
            self._weighing += [r for r in straightened(new) if isinstance(r, WEIGHING)]
            self._version = now.version
        self._loose = WholePast()
        if now.decided:
            remembered(now.decided, self._world, self._loose)
        self._loose_weighing = [r for r in now.decided if isinstance(r, WEIGHING)]

    def _mind(self, audience: str, world: World) -> _Mind:
        """What an audience remembers of all turns so far."""
        from storykeeper.memory.held import Held

        name = audience if audience != NARRATOR else f"{NARRATOR}/{_player(world)}"
        mind = self._minds.get(name)
        if mind is None or mind.held.unavailable or not self._goes_on(mind):
            mind = _Mind(Held(meaning=self._meaning, shelf=self._shelf), Names(audience))
        many = len(self._past.turns) + len(self._loose.turns)
        if mind.turns < many:
            minds, new = Minds(world), [self._nth(n) for n in range(mind.turns, many)]
            mind.turns, mind.last = many, new[-1]
            if audience == NARRATOR and len(world.plan.players) > 1:
                new = [turn for turn in new if minds.shared(turn)]
            mind.names.add(minds, new)
            mine = open_to(items_of(minds, new), audience, first=mind.held.rows + 1)
            mind.held.add(map(mind.names.item, mine))
            if audience == NARRATOR:
                weighing = [*self._weighing, *self._loose_weighing]
                dense, images = scene_densities(world, weighing), thematic_turns(weighing)
                mind.held.weigh(dense, thematic=images)
        self._minds[name] = mind
        return mind

    def _nth(self, place: int) -> PastTurn:
        """A turn by its place among all, those that are not written yet behind the others."""
        written = len(self._past.turns)
        return self._past.turns[place] if place < written else self._loose.turns[place - written]

    def _goes_on(self, mind: _Mind) -> bool:
        """Whether the turns go on from what is remembered: the last may have come out otherwise."""
        many = len(self._past.turns) + len(self._loose.turns)
        return not mind.turns or (mind.turns <= many and self._nth(mind.turns - 1) == mind.last)


def _refuse_unanswerable(query: Query, world: World) -> None:
    if query.most is not None and query.most < 1:
        raise MemoryProblem(f"k is {query.most}; ask for at least one")
    if query.audience != NARRATOR and query.audience not in world.plan.cast:
        # Only the players are named: whoever asks may not know that the others exist.
        raise UnknownAudience(
            f"nobody called {query.audience!r} is in this story; the narrator remembers,"
            f" {', '.join(world.plan.players)}, or another of the cast by their id"
        )


def _changes_the_past(record: AnyRecord) -> bool:
    return isinstance(record, TurnEdited | TurnRetracted | TextErased)


# ── the boundary ─────────────────────────────────────────────────────────────────────────────


def permitted(
    hits: Sequence[Hit], turns: Sequence[PastTurn], world: World, present: PresentTurn, *,
    audience: str,
) -> tuple[Hit, ...]:  # fmt: skip
    """Those whose every source the boundary opens to an audience; an item without any is closed."""
    wanted = {hit.item.turn for hit in hits}
    told = [turn for turn in turns if turn.turn in wanted]
    lines = [
        Boundary(world, told[start : start + REACH_TURNS], present, audience=audience)
        for start in range(0, len(told), REACH_TURNS)
    ]
    return tuple(
        hit
        for hit in hits
        if hit.item.sources
        and all(any(line.open(source) for line in lines) for source in hit.item.sources)
    )


def _scene(held: Held, audience: str, world: World) -> str:
    """The scene that an audience is in, as far as it knows: the story may have gone without it."""
    if audience == NARRATOR:
        return world.scene or ""
    return held.item(held.rows - 1).session if held.rows else ""  # it holds what they perceived


def _present(world: World) -> PresentTurn:
    """The moment of asking: the turn under way, or the one to come; of its words nothing is told"""
    pending = world.pending
    number = pending.turn if pending is not None else TurnNo(world.now + 1)
    return PresentTurn(number, _player(world), "")


def _player(world: World) -> EntityId:
    """Whose turn it is: the narrator tells it to them, and remembers what it told them."""
    return world.plan.players[0] if world.pending is None else world.pending.player
