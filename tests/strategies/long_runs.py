"""Runs long enough for a story so far: many turns, told without a parser, and looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from unittest.mock import patch

from hypothesis import strategies as st

from storykeeper.context import window as window_module
from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.items import FULL, Candidate, Shown
from storykeeper.context.materials import Layout, Materials, Terms
from storykeeper.context.nested_layout import lay_out
from storykeeper.context.render import Headings
from storykeeper.context.window import Window, assemble
from storykeeper.errors import WindowRefused
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    Confidence,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.language.reading import Reading, Somebody
from storykeeper.language.tokens import counter
from storykeeper.story.model import NARRATOR, Story
from storykeeper.units import AtomId, EntityId, SceneId, TurnNo
from storykeeper.world.state import World
from strategies.windows import Played, small_stories

SCENES = ("first", "second", "inner")
SENTENCES = (
    "It rains on the roof.", "Ana counts {n} coins and gives Bo {m}.", "Nothing is said.",
    "“The ferry leaves at {n},” says Bo.", "“Where is the key?” asks Cy. “I do not have it.”",
    "Dee’s lamp goes out.", "The cup of {w} stands on the sill.", "“No.”", "Why?",
    "On the {n}th of May the {w} burned, and nobody ever spoke of the {w} again, not even Ana.",
    "“I promise you {n} {w}s,” says Dee, “and I never lie.”", "Bo was never in the {w}.",
    "灯は{n}です。", "Она молчит.", "Dust.", "He owes her {n} pounds for the {w}; she knows it.",
)  # fmt: skip
WORDS = (
    "mill", "harbour", "ledger", "bell", "orchard", "well", "letter", "heron", "lantern", "dog",
    "stair", "winter", "violin", "knife", "garden", "mirror",
)  # fmt: skip
TYPED = (
    "", "I wait.", "I ask Bo about the cup", "I look at the key\nand wait", "Who has the {w}?",
    "I say: “It was {n}.”",
)  # fmt: skip


class Unread:
    """A reader that finds nothing: how prose is read is not what is tried."""

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        return Reading(text)


@dataclass(frozen=True)
class Look:
    """A window, what it was laid out from, and what is not in it."""

    window: Window
    materials: Materials
    layout: Layout
    terms: Terms

    @property
    def headings(self) -> Headings:
        return self.terms.headings

    def price(self, text: str) -> int:
        """What a text costs in it."""
        return self.terms.price(text)

    def heading_of(self, candidate: Candidate) -> int:
        """What the heading would cost that something would bring with it."""
        heading = self.headings.over(Shown(candidate, FULL, 0))
        used = self.headings.used(self.window.items)
        return 0 if heading in used else self.price(heading)

    @property
    def sources(self) -> set[str]:
        """Everything that is in it, by where it comes from."""
        return {source for each in self.window.items for source in each.candidate.sources}


@dataclass(repr=False)
class LongRun:
    """A run of many turns, and what memory may find of it."""

    played: Played
    text: str = "I ask Bo about the cup"
    found: list[tuple[int, float]] = field(default_factory=list)  # a turn, how well it answers
    player: str | None = None

    def __repr__(self) -> str:
        return f"<{len(self.played.history)} turns, then {self.text!r} by {self.player}>"

    @property
    def audiences(self) -> list[str]:
        return [NARRATOR, *self.played.world.plan.cast]

    def moment(self) -> tuple[World, PresentTurn]:
        return self.played.under_way(self.text, self.player)

    def look(self, audience: str, tokens: int | None, encoding: str = "o200k") -> Look | None:
        """What somebody gets to see; None if a window of so few tokens is refused."""
        world, present = self.moment()
        made: list[tuple[Materials, Layout, Terms]] = []

        def laying_out(materials: Materials, terms: Terms, sized) -> Layout:
            made.append((materials, lay_out(materials, terms, sized), terms))
            return made[-1][1]

        with patch.object(window_module, "lay_out", laying_out):
            try:
                window = assemble(
                    world, self.played.history, present, audience=audience, tokens=tokens,
                    count=counter(encoding),
                    recalled=recalled(self.played.history, self.found, audience),
                )  # fmt: skip
            except WindowRefused:
                return None
        return Look(window, *made[-1])

    def looks(self, *sizes: int) -> Iterator[Look]:
        """Everybody's windows of these sizes that there may be."""
        for audience in self.audiences:
            for tokens in sizes:
                look = self.look(audience, tokens)
                if look is not None:
                    yield look


def recalled(
    history: Sequence[PastTurn], found: Sequence[tuple[int, float]], audience: str
) -> list[Recalled]:
    """What memory would bring of these turns: to a character, an event that it perceived."""
    by_turn = {turn.turn: turn for turn in history}
    turns = [(by_turn[TurnNo(each)], share) for each, share in found if each in by_turn]
    if audience == NARRATOR:
        return [Recalled(f"turn:{turn.turn}", share, share, turn) for turn, share in turns]
    return [
        Recalled(f"atom:{atom.id}", share, share, turn)
        for turn, share in turns
        for atom in [each for each in turn.atoms if heard(each, audience)][:1]
    ]


def heard(atom: Atom, audience: str) -> bool:
    """Whether somebody did it, had it done to them, or was there and it was not whispered."""
    roles = {
        part.role
        for part in atom.participants
        if isinstance(part.entity, Resolved) and part.entity.entity == audience
    }
    whispered = isinstance(atom.what, SpeechUttered) and atom.what.whispered
    return bool(roles & ({Role.ACTOR, Role.TARGET} | (set() if whispered else {Role.WITNESS})))


# ── how they are made ────────────────────────────────────────────────────────────────────────


def long_run(story: Story, random: Random, *, turns: int, most: int = 8, first: int = 1) -> LongRun:
    """A run of so many turns after the opening, each of at most so many sentences."""
    played = Played.of(story)
    played.play("", "It begins.")
    players = story.players
    for number in range(first, first + turns):
        scene = SceneId(SCENES[(number // 9) % len(SCENES)])
        told = " ".join(_said(random) for _ in range(random.randint(0, most)))
        typed = _filled(random.choice(TYPED), random)
        player = EntityId(random.choice(players) if number % 5 == 0 else players[0])
        atoms = tuple(_atoms(story, random, number, scene))
        turn = PastTurn(TurnNo(number), scene, player, typed, told, atoms)
        played.history.append(turn)
    past = [turn.turn for turn in played.history]
    found = random.sample(past, min(len(past), 6))
    return LongRun(played, found=[(turn, 1.0 - 0.15 * i) for i, turn in enumerate(found)])


def _said(random: Random) -> str:
    return _filled(random.choice(SENTENCES), random)


def _filled(text: str, random: Random) -> str:
    numbers = {"n": random.randint(1, 60), "m": random.randint(2, 9)}
    return text.format(w=random.choice(WORDS), **numbers)


def _atoms(story: Story, random: Random, turn: int, scene: SceneId) -> Iterator[Atom]:
    """Up to three events of a turn, each before some; most are words."""
    people = [person.id for person in story.cast]
    for number in range(random.randint(0, 3)):
        there = random.sample(people, min(len(people), random.randint(1, 3)))
        words = f"Word {turn}/{number} of the {random.choice(WORDS)}."
        spoken = SpeechUttered(words, random.random() < 0.3)
        what = spoken if random.random() < 0.7 else ActionTaken("wait")
        parts = zip((Role.ACTOR, Role.WITNESS, Role.WITNESS), there, strict=False)
        yield Atom(
            turn=TurnNo(turn), id=AtomId(f"t{turn}.{number + 1}"), scene=scene, what=what,
            participants=tuple(Participant(role, Resolved(EntityId(who))) for role, who in parts),
            source=Source.NARRATOR, confidence=Confidence(1.0), priority=Priority.NORMAL,
        )  # fmt: skip


@st.composite
def long_runs(draw: st.DrawFn, *, most_turns: int = 90) -> LongRun:
    """Runs of a few turns to many, short turns and long ones."""
    story = draw(small_stories())
    turns = draw(st.integers(12, most_turns))
    most = draw(st.sampled_from([2, 8, 20]))
    run = long_run(story, Random(draw(st.integers(0, 10_000))), turns=turns, most=most)
    text = draw(st.sampled_from([*(t for t in TYPED if "{" not in t), "Who has the mill?"]))
    player = draw(st.sampled_from(story.players))
    return replace(run, text=text, player=player)
