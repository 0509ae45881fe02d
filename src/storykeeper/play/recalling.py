"""Recalling: the past of a run, searched for one audience from what that audience has of it.

Each audience has an index of its own, which holds nothing that it may not know: so nothing hidden
can be found in it, or count for anything. What was found passes the boundary once more, and is
handed out under the names that this audience has for it.

What is kept here is a cache. It follows the ledger turn by turn; a correction or an erasure changes
the past itself, and then all of it is made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.errors import MemoryProblem, UnknownAudience
from storykeeper.language.tokens import counter
from storykeeper.ledger.port import Ledger
from storykeeper.memory.found import Hit, Results, packed
from storykeeper.memory.search import Asked, project, search
from storykeeper.play.course import BATCH, Course
from storykeeper.play.mind import Mind
from storykeeper.play.remembering import Minds
from storykeeper.play.running import Running
from storykeeper.play.weighing import Weighing, densities
from storykeeper.scoring.settings import chosen
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId, RunId, TurnNo
from storykeeper.world.state import World

if TYPE_CHECKING:
    from storykeeper.memory.held import Held
    from storykeeper.memory.holding import FileShelf
    from storykeeper.memory.meaning import Meaning

KEPT_FROM = 200  # turns; of fewer it is made again as quickly as it is read
COMMIT_EVERY = 256  # rows that may have to be made again after a crash


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, by whom, and how much of an answer is wanted."""

    text: str
    audience: str = NARRATOR
    most: int | None = None
    budget: int | None = None  # in tokens


class Recollection:
    """The memory of one run."""

    def __init__(
        self, *, meaning: Meaning | None = None, shelf: FileShelf | None = None,
        folder: Path | None = None, read_only: bool = False,
    ) -> None:  # fmt: skip
        """Nothing is read yet. Without a meaning it is searched by words alone.

        `folder`: where it is kept, for all runs of a file; read only, nothing is written there.
        """
        self._meaning = meaning
        self._shelf = shelf
        self._folder = folder
        self._read_only = read_only
        self._keeps = False  # the run is long enough for it
        self._course: Course | None = None
        self._loose: list[PastTurn] = []  # decided, and not written yet
        self._minds: dict[str, Mind] = {}

    def recall(self, query: Query, *, ledger: Ledger, run: RunId, now: Running) -> Results:
        """What answers a query, from what the audience remembers, by its own names for it."""
        found, turns = self._found(query, ledger=ledger, run=run, now=now)
        names = self._mind(query.audience, now).names
        events = names.events(Minds(now.world), turns)
        results = replace(found, hits=tuple(names.hit(hit, events) for hit in found.hits))
        if query.budget is None:
            return results
        count = counter(now.world.plan.story.budget.encoding)
        return packed(results, budget=query.budget, count=count)

    def found(
        self, query: Query, *, ledger: Ledger, run: RunId, now: Running, most: int | None = None
    ) -> Results:
        """The same by the ledger's names, and not packed: for a window, whose gate rules on them.

        Nobody may be shown these names: they count what was hidden. Of what is permitted only the
        first `most`, if so many are enough.
        """
        return self._found(query, ledger=ledger, run=run, now=now, most=most)[0]

    def _found(
        self, query: Query, *, ledger: Ledger, run: RunId, now: Running, most: int | None = None
    ) -> tuple[Results, list[PastTurn]]:
        world = now.world
        _refuse_unanswerable(query, world)
        self._follow(ledger, run, now)
        held = self._mind(query.audience, now).held
        present = _present(world)
        scene = _scene(held, query.audience, world)
        settings = chosen(world.plan.story.tuning.memory)
        asked = Asked(query.audience, session=scene, turn=present.turn, settings=settings)
        # Of what is remembered all is permitted, but for a fault: then the rest is looked at too.
        for enough in (most, None):
            if query.budget is None:
                found = search(held, query.text, asked, most=query.most)
            else:  # for a prompt: two passes, one hop, and narrative weight counts
                found = project(held, query.text, asked, most=enough)
            turns = self.turns({TurnNo(h.item.turn) for h in found if h.item.turn is not None})
            open_ = permitted(found.hits, turns, world, present, audience=query.audience)
            if enough is None or len(open_) == enough or len(found) < enough:
                break
        return replace(found, hits=open_[:most]), turns

    def turns(self, numbers: Iterable[TurnNo]) -> list[PastTurn]:
        """Some turns of what was followed so far; those that are no more are not among them."""
        assert self._course is not None
        loose = {turn.turn: turn for turn in self._loose}
        wanted = sorted(numbers)
        found = (loose.get(n) or self._course.numbered(n) for n in wanted)
        return [turn for turn in found if turn is not None]

    def close(self) -> None:
        """Keep what can be kept, and let go of the folder."""
        course = self._course
        if course is not None:
            self._loose = []
            with ExitStack() as at_last:
                at_last.callback(self._let_go)
                if course.keeps and not course.follow(course.head()):
                    self._keep(list(self._minds.values()), least=1)

    def forget(self) -> None:
        """Nothing in memory counts; it is read again when something is next asked for."""
        self._loose = []
        self._let_go()

    # ── following the run ────────────────────────────────────────────────────────────────────

    def _follow(self, ledger: Ledger, run: RunId, now: Running) -> None:
        """Take in what the ledger has and this has not; then what is not written yet."""
        keeps = self._folder is not None and now.world.now >= KEPT_FROM
        if self._course is not None and keeps and not self._keeps:  # it is long enough by now
            self.close()
        if self._course is None:
            folder = self._folder / run if keeps and self._folder is not None else None
            self._keeps = keeps
            self._course = Course(ledger, run, folder=folder, read_only=self._read_only)
        with self._whole():
            if self._course.follow(now.version):
                self._drop_minds()
            self._loose = self._course.then(now.decided) if now.decided else []

    def _mind(self, audience: str, now: Running) -> Mind:
        """What an audience remembers of all turns so far."""
        course, world = self._course, now.world
        assert course is not None
        name = audience if audience != NARRATOR else f"{NARRATOR}/{_player(world)}"
        mind = self._minds.get(name)
        if mind is not None and (mind.held.unavailable or not self._goes_on(mind)):
            mind.held.close()
            mind = None
        if mind is None:
            mind = Mind.opened(audience, name, course, meaning=self._meaning, shelf=self._shelf)
            self._minds[name] = mind
        if mind.turns < len(course) + len(self._loose):
            with self._whole():
                self._grow(mind, now)
        if audience == NARRATOR and mind.held.index.weights is None:
            self._weigh(mind, now)
        return mind

    def _grow(self, mind: Mind, now: Running) -> None:
        """Take in the turns that it has not: those on record, then those that are not yet."""
        course, minds = self._course, Minds(now.world)
        assert course is not None
        written = len(course)
        if mind.turns < written:
            turns = course.since(mind.turns)
            while some := list(islice(turns, BATCH)):
                mind.add(minds, some)
                self._keep([mind], least=COMMIT_EVERY)
        else:
            self._keep([mind], least=COMMIT_EVERY)
        mind.add(minds, self._loose[mind.turns - written :])

    def _weigh(self, mind: Mind, now: Running) -> None:
        """What each memory weighs now, by what earned its place."""
        assert self._course is not None
        more, known = Weighing(), self._course.weighing
        for record in now.decided:
            more.take(record)
        dense = densities(now.world, [*known.promoted, *more.promoted])
        mind.held.weigh(dense, thematic=known.images | more.images)

    def _keep(self, minds: Sequence[Mind], *, least: int) -> None:
        """Make those durable that have so many rows which are not, and none that may not stay."""
        course = self._course
        if course is None or not course.keeps:
            return
        due = [
            mind for mind in minds
            if mind.held.uncommitted >= least and mind.turns <= len(course) and self._goes_on(mind)
        ]  # fmt: skip
        if due and course.keep():
            for mind in due:
                mind.keep(course)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Done to its end, or nothing of it counts: what is broken off half-way (Ctrl-C, a file
        that is busy) is let go of, and goes on from what was kept.
        """
        with ExitStack() as broken_off:
            broken_off.callback(self._let_go)
            yield
            broken_off.pop_all()

    def _let_go(self) -> None:
        self._drop_minds()
        if self._course is not None:
            self._course.close()
            self._course = None

    def _drop_minds(self) -> None:
        for mind in self._minds.values():
            mind.held.close()
        self._minds.clear()

    def _nth(self, place: int) -> PastTurn:
        """A turn by its place among all, those that are not written yet behind the others."""
        assert self._course is not None
        written = len(self._course)
        return self._course.at(place) if place < written else self._loose[place - written]

    def _goes_on(self, mind: Mind) -> bool:
        """Whether the turns go on from what is remembered: the last may have come out otherwise."""
        assert self._course is not None
        many = len(self._course) + len(self._loose)
        if mind.last is None or not mind.turns:
            return True
        return mind.turns <= many and self._nth(mind.turns - 1) == mind.last


def _refuse_unanswerable(query: Query, world: World) -> None:
    if query.most is not None and query.most < 1:
        raise MemoryProblem(f"k is {query.most}; ask for at least one")
    if query.audience != NARRATOR and query.audience not in world.plan.cast:
        # Only the players are named: whoever asks may not know that the others exist.
        raise UnknownAudience(
            f"nobody called {query.audience!r} is in this story; the narrator remembers,"
            f" {', '.join(world.plan.players)}, or another of the cast by their id"
        )


# ── the boundary ─────────────────────────────────────────────────────────────────────────────


def permitted(
    hits: Sequence[Hit], turns: Sequence[PastTurn], world: World, present: PresentTurn, *,
    audience: str,
) -> tuple[Hit, ...]:  # fmt: skip
    """Those whose every source the boundary opens to an audience; an item without any is closed."""
    wanted = {hit.item.turn for hit in hits}
    told = [turn for turn in turns if turn.turn in wanted]
    line = Boundary(world, told, present, audience=audience)
    return tuple(
        hit
        for hit in hits
        if hit.item.sources and all(line.open(source) for source in hit.item.sources)
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
