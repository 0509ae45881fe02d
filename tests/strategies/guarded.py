"""Windows with the boundary taken away at one place: which places there are, and what is then so.

A place is sound if nothing is in its window that its audience may not have, and what it should have
is there. Where two stand behind each other, the other is taken away in both cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Protocol
from unittest.mock import patch

import msgspec
from msgspec import structs

from storykeeper.bench.leaks.cost import ungated
from storykeeper.bench.leaks.usual import Everything
from storykeeper.context import check, gathering, inputs, sources, tail, window
from storykeeper.context.boundary import Boundary
from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.sources import entity, things
from storykeeper.errors import WindowBreach
from storykeeper.events import atoms as a
from storykeeper.events.changes import IntentResolved, SecretRevealed
from storykeeper.events.records import AnyRecord
from storykeeper.events.vocabulary import Sort
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Story
from storykeeper.story.people import Character, Feeling, Goal, Mood, Relation, Scope
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.state import World
from strategies.windows import Played

facts = import_module("storykeeper.context.sources.standing")  # whose name a function has too

# Ana is played. Bo and Eve are with her in the hall; Cy, who knows of Bo, is in the yard. The words
# with a z and an x are not for everybody.
STORY = Story(
    id="removed", title="Removed", players=("ana",), start="first", voice="Plain.",
    cast=(
        Character(id="ana", name="Ana", line="The clerk.", at="hall"),
        Character(
            id="bo", name="Bo", line="The cook.", at="hall", goals=(Goal(text="To be zugoalx."),),
            relations=(Relation(to="eve", affection=0.9, history="It was zuhistoryx."),),
            mood=Mood(feelings=(Feeling(name="zumoodx"),)),
        ),
        Character(id="eve", name="Eve", line="The maid.", at="hall"),
        Character(id="cy", name="Cy", line="The spy.", at="yard", scope=Scope(entities=("bo",))),
        Character(id="dee", name="Dee", line="The ghost.", at="loft"),
    ),
    settings=tuple(Setting(id=each, name=f"the {each}") for each in ("hall", "yard", "loft")),
    things=(Thing(id="cup", name="the cup", at="hall"),),
    facts=(
        Fact(id="of-zuidx", full="It is zufactx.", about=("bo", "cup"), known_by={"bo": "saw"}),
        Fact(id="guess", full="It is zuguessx.", hint="A drip.", about=("cup",),
             suspected_by={"eve": "heard"}),
        Fact(id="told", full="It is told.", about=("cup",), known_by={"ana": "saw"}),
    ),
    scenes=(Scene(id="first", title="First", setting="hall"),
            Scene(id="second", title="Second", setting="hall")),
)  # fmt: skip
CLOSED = {
    "eve": ("zugoalx", "zuhistoryx", "zumoodx", "zufactx", "zuidx", "zuguessx", "zuwhisperx",
            "zutypedx", "zubellx", "dee’s"),
    "cy": ("zu", "bo ("),
}  # fmt: skip


Records = Callable[[World, TurnNo], tuple[AnyRecord, ...]]


@dataclass(frozen=True)
class Moment:
    """Something that happens, and who looks."""

    audience: str = "eve"
    line: str = "I ask Bo about the cup."
    decided: Records = lambda world, turn: ()
    before: Callable[[World], tuple[PastTurn, ...]] = lambda world: ()

    def make(self) -> window.Window:
        """The window."""
        played = Played.of(STORY)
        for line, prose in (
            ("", "“Good morning,” says Bo."),
            ('I whisper to Bo: "It is zuwhisperx."', "“Quite,” says Bo."),
            ("I wait.", "“A bell,” says Eve."),
        ):
            played.play(line, prose)
        played.history += self.before(played.world)
        world, present = played.under_way(self.line)
        decided = self.decided(world, present.turn)
        for record in decided:
            world = evolve(world, record)
        present = replace(present, decided=(*present.decided, *decided))
        return window.assemble(
            world, played.history, present, audience=self.audience, tokens=2_000,
            count=lambda text: len(text) // 3,
        )  # fmt: skip


class Looked(Protocol):
    """A moment at which somebody looks."""

    def make(self) -> window.Window: ...


def seen(made: window.Window) -> str:
    told = msgspec.json.encode(made.receipt_for(made.audience)).decode()
    return (made.text + told).casefold()


# ── taking away ──────────────────────────────────────────────────────────────────────────────

Removal = Callable[[], object]


def all_seeing(module: object, name: str) -> Removal:
    """One function asked under a boundary that is open to everything."""
    real = getattr(module, name)

    def asked(line: Boundary, *args: object, **kwargs: object) -> object:
        return real(wide(line), *args, **kwargs)

    return lambda: patch.object(module, name, asked)


def wide(line: Boundary) -> Everything:
    return Everything(
        line.world, line.recent, line.present, audience=line.audience, recalled=line.recalled,
        summaries=line.summaries,
    )  # fmt: skip


def ungated_at(here: Callable[[Candidate], bool]) -> Removal:
    """The gate gone for some candidates."""

    def some(candidates: Iterable[Candidate], line: Boundary):
        wanted = list(candidates)
        permitted, refused = gate([c for c in wanted if not here(c)], line)
        return [*permitted, *ungated(filter(here, wanted), line)[0]], refused

    return lambda: patch.object(gathering, "gate", some)


def of(*origins: str) -> Removal:
    return ungated_at(lambda each: each.origin in origins)


def careless(name: str, candidate: Candidate) -> Removal:
    """A source that proposes what it should not."""
    real = getattr(gathering, name)
    return lambda: patch.object(gathering, name, lambda line: [*real(line), candidate])


def card(text: str, origin: str) -> Candidate:
    return Candidate(
        id="card:bo", origin=origin, tier=Tier.PREAMBLE, klass=Class.MANDATORY,
        sources=("card:bo",), full=text,
    )  # fmt: skip


NO_GATE: Removal = lambda: patch.object(gathering, "gate", ungated)  # noqa: E731
NO_CHECK: Removal = lambda: patch.object(check, "_sources")  # noqa: E731
SOFT, HARD = (card("zugoalx", origin) for origin in ("soft", "hard"))


@dataclass(frozen=True)
class Place:
    """Calls of the boundary, and what becomes of a window without them."""

    calls: tuple[str, ...]
    without: Removal
    moment: Looked = Moment()
    holds: str = ""  # what must be there
    lacks: tuple[str, ...] = ()  # and what must not, besides what is closed
    both: tuple[Removal, ...] = ()  # taken away in either case
    only: tuple[str, ...] = ()  # in place of all that is closed

    def is_sound(self, *removals: Removal) -> bool:
        """Nothing in it that should not be, and all that should; or nothing was sent."""
        with ExitStack() as stack:
            for removal in (*self.both, *removals):
                stack.enter_context(removal())
            try:
                made = self.moment.make()
            except WindowBreach:
                return not self.holds
            text = seen(made)
        closed = self.only or (*CLOSED[made.audience], *self.lacks)
        return self.holds in text and not any(each in text for each in closed)


def atom(what: a.Happening, *, turn: int, number: int, **roles: tuple[a.EntityRef, ...]) -> a.Atom:
    return a.Atom(
        turn=TurnNo(turn), id=f"t{turn}.{number}", scene=SceneId("first"), what=what,
        participants=tuple(
            a.Participant(a.Role(role), ref) for role, refs in roles.items() for ref in refs
        ),
        source=a.Source.PLAYER, confidence=a.Confidence(1.0), priority=a.Priority.NORMAL,
    )  # fmt: skip


def told(what: a.Happening, **more) -> a.Atom:
    """What prose tells, in a ledger from before there were pieces."""
    return structs.replace(atom(what, **more), source=a.Source.NARRATOR)


def who(*people: str) -> tuple[a.Resolved, ...]:
    return tuple(a.Resolved(EntityId(person)) for person in people)


def past(turn: int, *atoms: a.Atom, scene: str = "first") -> PastTurn:
    return PastTurn(TurnNo(turn), SceneId(scene), EntityId("ana"), "words", "Prose.", atoms)


def key_of_bell(world: World) -> str:
    """Where the bell was first spoken of: all heard it."""
    return next(key for key, known in world.register.items() if known.head == "bell")


def bell(world: World, words: str = "the bell", **more) -> a.Unresolved:
    return a.Unresolved(
        words, SceneId("first"), TurnNo(2), head="bell", sort=Sort.THING, joins=key_of_bell(world),
        **more,
    )  # fmt: skip


def touched(*watching: str) -> Records:
    """Ana does something with the bell, before some."""

    def records(world: World, turn: TurnNo) -> tuple[AnyRecord, ...]:
        parts = {"actor": who("ana"), "subject": (bell(world),), "witness": who(*watching)}
        return (atom(a.ActionTaken("touch"), turn=turn, number=9, **parts),)

    return records


def mentioned(words: str, *watching: str, **more) -> Callable[[World], tuple[PastTurn, ...]]:
    """The bell was spoken of once more, before some; and before Eve it was said where it hangs."""

    def turns(world: World) -> tuple[PastTurn, ...]:
        parts = {"subject": (bell(world, words, **more),), "witness": who(*watching)}
        hangs = {"subject": (bell(world, place="on the wall"),), "witness": who("eve")}
        return (past(3, atom(a.StateAsserted("So."), turn=3, number=1, **parts),
                     atom(a.StateAsserted("It hangs."), turn=3, number=2, **hangs)),)  # fmt: skip

    return turns


def then_elsewhere(world: World) -> tuple[PastTurn, ...]:
    """Eve hears something; then the story goes on without her, in one scene and another."""
    heard = atom(a.SpeechUttered("Mind the step."), turn=3, number=1, actor=who("bo"),
                 witness=who("eve"))  # fmt: skip
    hidden = [
        atom(a.SpeechUttered("Nothing."), turn=turn, number=1, actor=who("bo"))
        for turn in range(4, 9)
    ]
    scenes = dict.fromkeys(range(4, 7), "second")
    return past(3, heard), *(past(e.turn, e, scene=scenes.get(e.turn, "first")) for e in hidden)


def nodding(world: World) -> tuple[PastTurn, ...]:
    """Ana nods, and Eve does not see it; and nods again, and she does."""
    nods = (
        told(a.ActionTaken("nod"), turn=3, number=i, actor=who("ana"), witness=who(*watching))
        for i, watching in enumerate(((), ("eve",)), start=1)
    )
    return (past(3, *nods),)


def of_another(world: World) -> tuple[PastTurn, ...]:
    """A turn that Bo played: Ana heard some of it, and some she did not."""
    heard = atom(a.SpeechUttered("Mind the step."), turn=3, number=1, actor=who("bo"),
                 witness=who("ana"))  # fmt: skip
    missed = atom(a.SpeechUttered("It is zulowx."), turn=3, number=2, actor=who("bo"),
                  target=who("eve"))  # fmt: skip
    return (replace(past(3, heard, missed), player=EntityId("bo")),)


def add_all_seeing() -> object:
    real = things._Seen.add

    def add(self, line: Boundary, *args) -> None:
        real(self, wide(line), *args)

    return patch.object(things._Seen, "add", add)


WHISPER = Moment(line='I whisper to Bo: "It is zutypedx."')
LEARNED = Moment(decided=lambda _, turn: (SecretRevealed(turn, "told", ("bo", "eve"), "saw"),))
OUTCOME = Moment(
    "cy", "I wait.", lambda _, turn: (IntentResolved(turn, "bo", "Bo looks away.", True),)
)
GATHER, RECEIPT = "context/gathering.py _gather", "context/window.py receipt_for"
ASSEMBLE = "context/window.py assemble"
ALL_GIVEN = (
    "Boundary(world, history, present, audience=audience, recalled=recalled, summaries=summaries,"
    " inline=inline)"
)
SEEN_ONCE = "context/tail.py _seen_once boundary.witnessed(atom)"
PROPOSED = (
    "context/gathering.py _weighed"
    " gate((c for c in proposed if part_of(c) not in self.without), self.boundary)"
)
PLACES = (
    Place((f"{GATHER} self._gated(soft_material(boundary))",), of("soft"),
          both=(careless("soft_material", SOFT), NO_CHECK)),
    Place((f"{GATHER} self._gated(hard_material(boundary))",), of("hard"),
          both=(careless("hard_material", HARD), NO_CHECK)),
    Place((PROPOSED,), of("standing"), both=(NO_CHECK,)),
    Place((f"{GATHER} self._gated(words(boundary))",), ungated_at(lambda c: c.id == "input"),
          WHISPER, both=(NO_CHECK,)),
    Place((f"{GATHER} self._gated(happenings(boundary))",),
          ungated_at(lambda c: c.origin == "input" and c.id != "input"), WHISPER, both=(NO_CHECK,)),
    Place((("context/gathering.py _past"
            " self._gated((unit.candidate for turn in turns for unit in turn))"),),
          of("recent"), both=(NO_CHECK,)),
    Place(("context/gathering.py _gated gate(candidates, self.boundary)",), NO_GATE,
          both=(NO_CHECK,)),
    Place(("context/check.py _sources rule_on(each.candidate, boundary, derived)",), NO_CHECK,
          both=(NO_GATE,)),
    Place((f"{ASSEMBLE} {ALL_GIVEN}",),
          lambda: patch.object(window, "Boundary", Everything)),
    Place((f"{RECEIPT} event_names(self._boundary)",
           "context/receipt.py event_names boundary.open(f'atom:{atom.id}')"),
          lambda: patch.object(window, "event_names", lambda _: str), lacks=('"atom:t1.4"',)),
    Place((f"{RECEIPT} hint_names(self._boundary)",
           "context/receipt.py places boundary.ruling(f'hint:{fact}')",
           "context/receipt.py name boundary.open(f'fact:{found[2]}')"),
          all_seeing(window, "hint_names"), holds='"hint:1"', lacks=('"hint:guess"',)),
    Place((("context/sources/revelation.py revelations "
           "boundary.open(f'learned:{w}/{record.fact}')"),),
          all_seeing(sources, "revelations"), LEARNED, "now known to eve"),
    Place(("context/sources/entity.py _found boundary.open('input')",),
          all_seeing(entity, "_found"), Moment("cy")),
    Place(("context/sources/entity.py _involved boundary.open(f'atom:{record.id}')",),
          all_seeing(entity, "_involved"), Moment("cy")),
    Place(("context/sources/entity.py _involved boundary.open(f'intent:{who}')",),
          all_seeing(entity, "_involved"), OUTCOME),
    Place(("context/sources/standing.py standing boundary.is_unknown(fact)",),
          all_seeing(sources, "standing"), both=(NO_GATE, NO_CHECK), only=("zufactx",)),
    Place(("context/sources/standing.py _who_too boundary.open(f'taught:{w}/{fact}')",),
          all_seeing(facts, "_who_too"), Moment("narrator"), "it is told.", only=("it too",)),
    Place(("context/sources/entity.py _card boundary.open(sources[0])",),
          all_seeing(entity, "_card"), holds="- bo (they/them)"),
    Place(("context/sources/standing.py _fact boundary.open(f'fact:{fact_id}')",),
          all_seeing(facts, "_fact"), Moment("eve"), both=(NO_GATE, NO_CHECK),
          only=("zuguessx",)),
    # What was done unseen does not stand for the same that was seen; nor is it seen, long after.
    Place((SEEN_ONCE,), all_seeing(tail, "_seen_once"), Moment(before=nodding), "ana nods"),
    Place((SEEN_ONCE,), all_seeing(tail, "_seen_once"), Moment(before=then_elsewhere),
          "mind the step", both=(NO_GATE, NO_CHECK), only=("zuwhisperx",)),
    Place(("context/tail.py _told boundary.shared(turn)",), all_seeing(tail, "_told"),
          Moment("narrator", before=of_another), "mind the step", only=("zulowx",)),
    Place(("context/tail.py _in_part boundary.witnessed(a)",), all_seeing(tail, "_in_part"),
          Moment("narrator", before=of_another), "mind the step", both=(NO_GATE, NO_CHECK),
          only=("zulowx",)),
    Place(("context/sources/things.py thing_cards boundary.open(f'atom:{record.id}')",),
          all_seeing(sources, "thing_cards"),
          Moment(line="I wait.", decided=touched(), before=mentioned("the bell", "eve")),
          lacks=("on the wall",)),
    Place(("context/sources/things.py thing_cards boundary.open('input')",),
          all_seeing(sources, "thing_cards"),
          Moment(line="I wait.", decided=touched("eve"), before=mentioned("the bell")),
          "on the wall", lacks=('"origin":"entity","tier":3,"klass":"mandatory"',)),
    Place(("context/sources/things.py _details boundary.open(f'atom:{atom.id}')",),
          all_seeing(things, "_details"),
          Moment(line="I wait.", decided=touched("eve"), before=mentioned("the zubellx bell")),
          "on the wall"),
    Place(("context/sources/things.py add boundary.open(f'cast:{owner}')",), add_all_seeing,
          Moment(line="I wait.", decided=touched("eve"),
                 before=mentioned("the bell", "eve", possessor=who("dee")[0])),
          "on the wall"),
    Place(("context/inputs.py _worth_saying boundary.open('input')",),
          all_seeing(inputs, "_worth_saying"), Moment(line='I say: "Good night."'),
          "“good night.”"),
)  # fmt: skip
