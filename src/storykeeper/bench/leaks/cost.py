"""What the boundary costs: filtering in the sources, the gate and the check, in a large story.

Fifty people, 5,000 facts, of which each knows a few. The same window is assembled twice: as it is,
and without any boundary, from a story that holds only the facts this audience may have: that is the
floor. `gate.p95_ms` is the P95 of the differences, case by case; each time is the best of twelve.
It is the time of the processor and not of the clock, so that it matters less what else runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from unittest.mock import patch

from msgspec import structs

from storykeeper.bench.leaks.usual import Everything
from storykeeper.bench.registry import Figures
from storykeeper.bench.timing import percentile, spread, worked
from storykeeper.context import check, gathering, window
from storykeeper.context.boundary import CLOSED, KNOWN, Boundary
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.items import Candidate, Refused
from storykeeper.events.atoms import (
    Atom,
    Confidence,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.language.tokens import counter
from storykeeper.play.commit import play_out
from storykeeper.story.adopt import adoption
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Scene
from storykeeper.units import AtomId, EntityId, SceneId, TurnNo
from storykeeper.world.begin import begin
from storykeeper.world.plan import plan
from storykeeper.world.state import Pending, World

PEOPLE, FACTS, PLACES, TURNS = 50, 5_000, 10, 100
CASES, QUICK_CASES = 100, 3
ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Case:
    """One window to be made, in the whole story and in the part of it that is open."""

    audience: str
    whole: World
    open: World
    history: list[PastTurn]
    present: PresentTurn

    def make(self, world: World) -> window.Window:
        """The window."""
        return window.assemble(
            world, self.history, self.present, audience=self.audience, tokens=None,
            count=counter("o200k"),
        )  # fmt: skip


def cost(*, quick: bool = False) -> tuple[Figures, Figures]:
    """The whole and what the boundary adds to it; and the floor, without any boundary."""
    times = [_times(case) for case in cases(QUICK_CASES if quick else CASES)]
    ours, floor = ([pair[i] for pair in times] for i in (0, 1))
    added = [whole - bare for whole, bare in times]
    figures = {
        "p50_ms": round(percentile(added, 0.50) * 1000, 3),
        "p95_ms": round(percentile(added, 0.95) * 1000, 3),
        "assembly": spread(ours),
    }
    return figures, {"assembly": spread(floor)}


def _times(case: Case) -> tuple[float, float]:
    """The best of some goes, with a boundary and without; the two take turns, as the machine may.

    In the first round all that is remembered by text and by story comes to be remembered.
    """
    rounds = []
    for _ in range(1 + ROUNDS):
        whole = worked(lambda: case.make(case.whole))
        with no_boundary():
            rounds.append((whole, worked(lambda: case.make(case.open))))
    return min(whole for whole, _ in rounds[1:]), min(bare for _, bare in rounds[1:])


@contextmanager
def no_boundary() -> Iterator[None]:
    """Assemble without one: every source is open, and nothing is gated or checked."""
    with (
        patch.object(window, "Boundary", Everything),
        patch.object(gathering, "gate", ungated),
        patch.object(check, "_sources"),
    ):
        yield


def ungated(candidates: Iterable[Candidate], _: Boundary) -> tuple[list[Candidate], list[Refused]]:
    """What the gate would be if it were none."""
    return [each.ruled(KNOWN) for each in candidates], []


# ── a large story ────────────────────────────────────────────────────────────────────────────


def cases(most: int, *, people: int = PEOPLE, facts: int = FACTS) -> Iterator[Case]:
    """Windows of some of the cast and of the narrator, on lines that name two people."""
    random = Random(1)
    story = large_story(random, people=people, facts=facts)
    whole = begin(plan(adoption(story)))
    history = [_told(turn, story, random) for turn in range(1, TURNS)]
    names = [person.name for person in story.cast]
    audiences = [NARRATOR, *(person.id for person in random.sample(story.cast, 4))]
    parts: dict[str, World] = {}
    for number in range(most):
        who, about = random.sample(names, 2)
        turn = Pending(TurnNo(TURNS), EntityId(story.players[0]), f"I ask {who} about {about}.")
        unfolding = play_out(whole, turn)
        present = PresentTurn(turn.turn, turn.player, turn.text, tuple(unfolding.records))
        audience = audiences[number % len(audiences)]
        if audience not in parts:
            parts[audience] = _part(unfolding.world, history, present, audience)
        yield Case(audience, unfolding.world, parts[audience], history, present)


def _part(world: World, history: list[PastTurn], present: PresentTurn, audience: str) -> World:
    """The world with the facts that an audience may have or suspect, and no others."""
    line = Boundary(world, history, present, audience=audience)
    story = world.plan.story
    facts = tuple(f for f in story.facts if line.ruling(f"hint:{f.id}").boundary > CLOSED)
    return structs.replace(world, plan=plan(adoption(structs.replace(story, facts=facts))))


def large_story(random: Random, *, people: int, facts: int) -> Story:
    """People in ten rooms, and facts of which each knows a few."""
    cast = [f"person{i}" for i in range(people)]
    return Story(
        id="large", title="Large", players=(cast[0],), start="now", voice="Plain.",
        cast=tuple(
            Character(id=who, name=who.capitalize(), line="Somebody.", at=_place(i))
            for i, who in enumerate(cast)
        ),
        settings=tuple(Setting(id=_place(i), name=f"the {_place(i)}") for i in range(PLACES)),
        facts=tuple(_fact(i, cast, random) for i in range(facts)),
        scenes=(Scene(id="now", title="Now", setting=_place(0)),),
    )  # fmt: skip


def _place(number: int) -> str:
    return f"room{number % PLACES}"


def _fact(number: int, cast: list[str], random: Random) -> Fact:
    known, suspected = (random.sample(cast, random.randint(0, 4)) for _ in range(2))
    return Fact(
        id=f"fact-{number}", full=f"Number {number} is so. There is more to it.",
        hint="Something is so.", about=tuple(random.sample(cast, random.randint(1, 2))),
        known_by=dict.fromkeys(known, "saw"), suspected_by=dict.fromkeys(suspected, "heard"),
    )  # fmt: skip


def _told(turn: int, story: Story, random: Random) -> PastTurn:
    """A turn in which five things are said, each before some."""
    cast = [EntityId(person.id) for person in story.cast]
    atoms = tuple(
        Atom(
            turn=TurnNo(turn), id=AtomId(f"t{turn}.{n}"), scene=SceneId("now"),
            what=SpeechUttered(f"This is number {n}.", random.random() < 0.2),
            participants=tuple(
                Participant(role, Resolved(who))
                for role, who in zip(
                    (Role.ACTOR, Role.TARGET, *(Role.WITNESS,) * 4),
                    random.sample(cast, 6), strict=True,
                )
            ),
            source=Source.NARRATOR, confidence=Confidence(1.0), priority=Priority.NORMAL,
        )
        for n in range(1, 6)
    )  # fmt: skip
    player = EntityId(story.players[0])
    return PastTurn(TurnNo(turn), SceneId("now"), player, "I wait.", "It rains. " * 20, atoms)
