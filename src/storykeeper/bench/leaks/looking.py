"""Looking: the windows, receipts, recollections and refusals that somebody gets of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

import msgspec

from storykeeper.bench.leaks.detecting import Items, Shown
from storykeeper.bench.leaks.secrets import NARRATOR, Moment
from storykeeper.bench.leaks.stage import Stage
from storykeeper.bootstrap import Storykeeper
from storykeeper.context.receipt import AudienceReceipt, InWindow, OutOfWindow
from storykeeper.context.window import Window
from storykeeper.context.words import told
from storykeeper.errors import StorykeeperError, WindowRefused
from storykeeper.memory.found import Results

STRANGER = "stranger"  # nobody of the story: may have nothing at all
_LEAST, _MOST = 50, 100_000  # tokens
_EVENT = "atom:"


@dataclass(frozen=True, slots=True)
class Looking:
    """One run at one moment, to be looked at by anybody."""

    stage: Stage
    keeper: Storykeeper
    moment: Moment
    random: Random

    def probe(self, audience: str, *, text: str, tokens: int | None) -> Iterator[Shown]:
        """What somebody gets to see of a line; what another is told of it, and what is recalled."""
        made = self.make(audience, text=text, tokens=tokens)
        yield self.window(audience, made)
        if isinstance(made, Window):
            yield self.told_of(made, self.audience())
        if self.random.random() < 0.3:
            yield self.recall(audience, self.line())

    def make(self, audience: str, *, text: str, tokens: int | None) -> Window | WindowRefused:
        """A window on a line, or on the turn under way; or the refusal."""
        brief = audience != NARRATOR and self.random.random() < 0.4
        try:
            if brief:
                return self.keeper.brief(audience, text, tokens=tokens)
            return self.keeper.window(audience, text=text, tokens=tokens)
        except WindowRefused as refused:
            return refused

    def window(self, audience: str, made: Window | WindowRefused) -> Shown:
        """A window with its receipt, as it is shown to its audience."""
        if isinstance(made, WindowRefused):
            return self._error(audience, made)
        said = [made.text, *(message["content"] for message in made.messages)]
        listed = _listed((*made.receipt.shown, *made.receipt.left_out))
        receipt = _json(made.receipt_for(audience))
        return self._shown("window", audience, (*said, receipt), listed)

    def told_of(self, made: Window, other: str) -> Shown:
        """What somebody is told of a window that was made for another, or for them."""
        receipt = made.receipt_for(other)
        items = _listed(made.receipt.shown) if other == made.audience else _items(receipt)
        return self._shown("receipt", other, (_json(receipt),), items)

    def made_again(self) -> Shown:
        """The narrator's window of an earlier turn, which is the moment."""
        return self.window(NARRATOR, self.keeper.window_of(self.moment.turn))

    def recall(self, audience: str, about: str) -> Shown:
        """What somebody remembers, asked about a line, about everything, or about a turn."""
        query = self.random.choice((about, about, "What was said?", "What happened in turn 2?"))
        budget = self.random.choice((None, self.tokens()))
        found = self.keeper.recall(query, audience, k=self.random.randint(1, 40), budget=budget)
        return self._shown("recall", audience, (found.text, repr(found)), self._hits(found))

    def refusals(self) -> Iterator[Shown]:
        """What one who is not in the story is told when they ask."""
        keeper, line = self.keeper, self.line()
        yield from self._refused(
            lambda: keeper.window(STRANGER, text=line),
            lambda: keeper.brief(STRANGER, "A knock at the door."),
            lambda: keeper.recall(line, STRANGER),
            lambda: keeper.begin(" "),
            lambda: keeper.begin(line, player=STRANGER),
        )

    def wrong_turns(self) -> Iterator[Shown]:
        """What is said of turns, runs and numbers that are not there."""
        keeper, line = self.keeper, self.line()
        yield from self._refused(
            lambda: keeper.recall(line, k=0),
            lambda: keeper.render(999, "No."),
            lambda: keeper.window_of(999),
            lambda: keeper.retract(999),
            lambda: keeper.edit(999, "No."),
            lambda: keeper.fork(at=999, name="late"),
            lambda: keeper.fork(at=1, name="main"),
        )

    def _refused(self, *calls: Callable[[], object]) -> Iterator[Shown]:
        for call in calls:
            try:
                call()
            except StorykeeperError as error:
                yield self._error(STRANGER, error)

    def _hits(self, found: Results) -> Items:
        """What was recalled, by the names of the ledger: those who recall events have others."""
        left = (each.item for each in found.left_out)
        items = [hit.item for hit in (*found.hits, *left)]
        events = self._events() if any(item.id.startswith(_EVENT) for item in items) else {}
        return tuple(
            (f"an event of turn {item.turn}", events[item.turn, item.text])
            if item.id.startswith(_EVENT)
            else (item.id, item.sources)
            for item in items
        )

    def _events(self) -> Mapping[tuple[int | None, str], tuple[str, ...]]:
        """Events by their turn and words: found again so, nobody's names for them are asked for."""
        plan = self.keeper.world().plan
        found: defaultdict[tuple[int | None, str], tuple[str, ...]] = defaultdict(tuple)
        for turn in self.keeper.history():
            for atom in turn.atoms:
                found[turn.turn, told(plan, atom, as_said=True)] += (f"{_EVENT}{atom.id}",)
        return dict(found)

    # ── at random ────────────────────────────────────────────────────────────────────────────

    def line(self) -> str:
        """What a player could type; it may name what a secret is about, and never tells one."""
        draw, stage = self.random, self.stage
        who = draw.choice([person.name for person in stage.cast if person is not stage.unmet])
        things = [thing.name for thing in stage.things]
        topics = [s.topic for s in stage.authored if s.topic]
        topics += [s.wording.topic for s in stage.spoken]
        topic = draw.choice((draw.choice(things), f"the {draw.choice(topics)}", who))
        return draw.choice((
            f"I ask {who} about {topic}.", f"I tell {who} about {topic}.", f"I look at {topic}.",
            f'I say to {who}: "What of {topic}?"', "I wait.",
        ))  # fmt: skip

    def open_line(self) -> str:
        """What a player could type who names only what everybody in the hall sees."""
        stage = self.stage
        who = self.random.choice((stage.friend, stage.bystander, stage.other)).name
        thing = self.random.choice(stage.common)
        return self.random.choice((
            f"I ask {who} about the {thing}.", f"I question {who} about the {thing}.",
            f"I examine the {thing}, and the rain.", f"I ask {who} about the stranger.",
            "I pause, then walk to the tower.", f"I study the {thing} and wait.",
        ))  # fmt: skip

    def audience(self) -> str:
        """The narrator, or one of the cast."""
        people = [person.id for person in self.stage.cast]
        return self.random.choice((NARRATOR, NARRATOR, *people))

    def another(self, who: str) -> str:
        """Anybody but one."""
        return self.random.choice([each for each in self.stage.everybody if each != who])

    def tokens(self) -> int | None:
        """A budget; as often small as large, and now and then the story's own."""
        if self.random.random() < 0.1:
            return None
        share: float = (_MOST / _LEAST) ** self.random.random()
        return round(_LEAST * share)

    # ── what was shown ───────────────────────────────────────────────────────────────────────

    def _shown(
        self, where: str, audience: str, texts: tuple[str, ...],
        items: Items = (),
    ) -> Shown:  # fmt: skip
        return Shown(where, audience, self.moment, texts, items)

    def _error(self, audience: str, error: StorykeeperError) -> Shown:
        return self._shown("error", audience, (str(error), repr(error.args)))


def _json(receipt: AudienceReceipt) -> str:
    return msgspec.json.encode(receipt, order="deterministic").decode()


def _listed(entries: Iterable[InWindow | OutOfWindow]) -> Items:
    """What the author's receipt lists, by the names of the ledger."""
    return tuple((each.id, each.sources) for each in entries)


def _items(receipt: AudienceReceipt) -> Items:
    """What a receipt lists, but for events: it calls them by other names than the ledger."""
    return tuple(
        (each.id, tuple(s for s in each.sources if not s.startswith((_EVENT, "mention:"))))
        for each in receipt.shown
        if not each.id.startswith(_EVENT)
    )
