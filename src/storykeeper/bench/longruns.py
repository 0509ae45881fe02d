"""Long runs, made up and written at once: what assembly is timed on.

A run goes from scene to scene of a story, some 25 turns in each, and comes back to them. Every turn
is three sentences of real prose in an order of its own, what the player typed, and the events that
a reader would find in them: somebody does something, somebody says one of the sentences, things are
looked at that play brought forth. One thing in every tenth scene earns its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from storykeeper.bench.playing import story_to_play
from storykeeper.bootstrap import open_ledger
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    AtomIn,
    Bond,
    Compound,
    Confidence,
    EntityRef,
    Happening,
    Implication,
    ImplicationKind,
    Participant,
    Priority,
    Resolved,
    Role,
    SceneChange,
    SceneChanged,
    Source,
    SpeechUttered,
    Unresolved,
)
from storykeeper.events.changes import EntityPromoted, Weight
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived, Rendered, TurnCommitted, WindowAssembled
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.units import MAIN, AtomId, Digest, EntityId, Key, SceneId, Tokens, TurnNo

SCENE_TURNS = 25
TRACKED_EVERY = 10  # scenes
SENTENCES = 3
_BATCH = 10_000  # records that are written together
_NOUNS = (
    "cup", "letter", "rope", "candle", "coin", "glove", "basket", "knife", "ribbon", "bottle",
    "map", "ring", "bell", "shawl", "box", "ladder", "jar", "book", "boot", "stone",
)  # fmt: skip
_ACTS = ("look", "take", "turn", "give", "put down", "open", "fold", "wait")
_SHOWN = tuple(f"turn:{back}" for back in range(12))


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences to tell with; the same number always gives the same words."""

    sentences: Sequence[str]

    def of(self, number: int) -> list[str]:
        """The sentences of a turn."""
        return Random(number).sample(self.sentences, SENTENCES)

    def typed(self, number: int) -> str:
        """What the player types: of somebody, in a few words of a sentence."""
        random = Random(-1 - number)
        words = random.choice(self.sentences).split()
        start = random.randrange(max(1, len(words) - 6))
        return f"I {random.choice(_ACTS)} and think of {' '.join(words[start : start + 6])}"


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn in the making."""

    number: int
    story: Story
    prose: Prose

    @property
    def visit(self) -> int:
        return self.number // SCENE_TURNS

    @property
    def scene(self) -> SceneId:
        return SceneId(self.story.scenes[self.visit % len(self.story.scenes)].id)

    @property
    def player(self) -> EntityId:
        return EntityId(self.story.players[0])

    @property
    def other(self) -> EntityId:
        """Somebody who is there."""
        scene = self.story.scenes[self.visit % len(self.story.scenes)]
        there = (*scene.cast.required, *scene.cast.contingent)
        return EntityId(next((who for who in there if who != self.player), self.story.cast[-1].id))

    @property
    def first(self) -> int:
        """The turn in which this scene was entered."""
        return self.visit * SCENE_TURNS

    @property
    def key(self) -> Key:
        """What the thing of this scene is known by: where it was first mentioned."""
        return Key(f"t{self.first}.2#1")

    @property
    def tracked(self) -> EntityId:
        return EntityId(f"thing-{self.first}-2-1")

    @property
    def is_tracked(self) -> bool:
        """Whether that thing has earned its place by now."""
        return self.visit % TRACKED_EVERY == 0 and self.number >= self.first + 3

    def thing(self) -> EntityRef:
        noun = _NOUNS[self.visit % len(_NOUNS)]
        if self.is_tracked and self.number > self.first + 3:
            return Resolved(self.tracked, f"the {noun}", by="descriptive")
        joins = None if self.number == self.first else self.key
        return Unresolved(
            f"the {noun}", self.scene, TurnNo(self.first), head=noun, sort=Sort.THING, joins=joins
        )

    def texture(self) -> Unresolved:
        """Something that is mentioned once."""
        noun = _NOUNS[(self.number * 7 + 3) % len(_NOUNS)]
        return Unresolved(f"a {noun}", self.scene, TurnNo(self.number), head=noun, sort=Sort.THING)


def long_run(path: Path, turns: int, prose: Prose, *, story: Story | None = None) -> None:
    """A run of so many turns in a file."""
    story = story_to_play() if story is None else story
    with open_ledger(path, create=True) as ledger:
        version = ledger.begin(MAIN, [adoption(story)])
        batch: list[AnyRecord] = []
        for number in range(turns):
            batch.extend(_records(_Turn(number, story, prose)))
            if len(batch) > _BATCH or number == turns - 1:
                version = ledger.append(MAIN, batch, expected=version)
                batch = []


def _records(turn: _Turn) -> Iterator[AnyRecord]:
    number, told = TurnNo(turn.number), turn.prose.of(turn.number)
    typed = turn.prose.typed(turn.number) if turn.number else ""
    yield InputReceived(number, turn.player, typed)
    yield WindowAssembled(
        number, "narrator", Digest("0" * 64), Digest("1" * 64), Tokens(2900), _SHOWN, turn.scene
    )
    yield Rendered(number, 1, " ".join(told), "offline")
    yield TurnCommitted(number, 1)
    yield from _atoms(turn, told)
    members = (AtomIn(AtomId(f"t{number}.1")), AtomIn(AtomId(f"t{number}.2")))
    thematic = number % 50 == 0
    bond = Bond.THEMATIC if thematic else Bond.TEMPORAL
    yield Compound(turn=number, id=AtomId(f"t{number}.9"), bond=bond, members=members)
    if turn.is_tracked and turn.number == turn.first + 3:
        noun = _NOUNS[turn.visit % len(_NOUNS)]
        weight = Weight(1.2, 4, 2, 0.0)
        yield EntityPromoted(
            number, turn.tracked, f"the {noun}", None, Tier.TRACKED, weight, "weight 1.20 ≥ 1",
            turn.key,
        )  # fmt: skip


def _atoms(turn: _Turn, told: Sequence[str]) -> Iterator[Atom]:
    player, other = Resolved(turn.player), Resolved(turn.other, by="name")
    act = _ACTS[turn.number % len(_ACTS)]
    yield _atom(turn, 1, ActionTaken(act), (player, other), source=Source.PLAYER)
    yield _atom(turn, 2, ActionTaken(act), (other, turn.thing()), seen_by=player)
    yield _atom(turn, 3, SpeechUttered(told[turn.number % SENTENCES]), (other,), seen_by=player)
    yield _atom(turn, 4, ActionTaken("hold"), (other, turn.texture()), seen_by=player)
    if turn.number == turn.first:
        what = SceneChanged(turn.scene, SceneChange.ENTERED)
        yield _atom(turn, 5, what, (), seen_by=player, source=Source.RULE)


def _atom(
    turn: _Turn, place: int, what: Happening, of: Sequence[EntityRef], *,
    seen_by: EntityRef | None = None, source: Source = Source.NARRATOR,
) -> Atom:  # fmt: skip
    """Who does it and to whom; whoever is there perceives it."""
    roles = zip((Role.ACTOR, Role.TARGET), of, strict=False)
    parts = [Participant(role, ref) for role, ref in roles]
    if seen_by is not None:
        parts.append(Participant(Role.WITNESS, seen_by))
    implied = (Implication(ImplicationKind.ATTENTION, 0, 1, 0.18),) if len(of) > 1 else ()
    return Atom(
        turn=TurnNo(turn.number), id=AtomId(f"t{turn.number}.{place}"), scene=turn.scene, what=what,
        participants=tuple(parts), implications=implied, source=source,
        confidence=Confidence(0.9), priority=Priority.NORMAL,
    )  # fmt: skip
