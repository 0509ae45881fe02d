"""Who is here, as somebody can tell: for sure or not, by what evidence, and who says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from storykeeper.context.around import Around
from storykeeper.context.history import PastTurn
from storykeeper.context.lived import quoted_piece
from storykeeper.errors import UnknownAudience, UnknownPerson
from storykeeper.events.atoms import (
    Atom,
    EntityChanged,
    Moved,
    PieceTold,
    PresenceChanged,
    Resolved,
    Role,
    SpeechUttered,
)
from storykeeper.events.staged import Held
from storykeeper.events.turns import StageCorrected
from storykeeper.language.names import Names
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.knowledge.sightings import perceives
from storykeeper.world.met import has_come_across
from storykeeper.world.state import World, whose_turn

_TELLING = (Moved, EntityChanged, PresenceChanged, SpeechUttered)


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody who is here, or may be."""

    who: EntityId
    name: str
    sure: bool
    turn: TurnNo | None = None  # when it was last to be seen
    evidence: str = ""  # the words it rests on
    says: str = ""  # who says so: a person, the author, the narrator, the reader

    def __str__(self) -> str:
        return self.name if self.sure else f"{self.name}?"


def presence(world: World, past: Sequence[PastTurn], audience: str) -> tuple[Present, ...]:
    """Those here as an audience can tell, in the order of the cast; nobody they cannot see."""
    plan = world.plan
    if audience != NARRATOR and audience not in plan.cast:
        raise UnknownAudience(f"nobody called {audience!r} is in this story; name one of the cast")
    mind = whose_turn(world) if audience == NARRATOR else EntityId(audience)
    around = Around(world, mind, narrator=audience == NARRATOR)
    here = [who for who in map(EntityId, plan.cast) if who in around.here and who != mind]
    return tuple(_present(around, past, who) for who in here if who not in world.away)


def _present(around: Around, past: Sequence[PastTurn], who: EntityId) -> Present:
    world, mind = around.world, around.minds[0]
    name, sure = world.plan.cast[who].name or who, who not in world.unsure
    for turn in reversed(past):
        for atom in reversed(turn.atoms):
            if _tells(atom, who) and perceives(atom, (mind,)):
                words = _evidence(around, turn, atom)
                return Present(who, name, sure, turn.turn, words, _says(atom))
    return Present(who, name, sure)


def _evidence(around: Around, turn: PastTurn, atom: Atom) -> str:
    """The words that an event rests on, as far as an audience has them: all of them who told the
    turn, others those that stand in their own past.
    """
    mind, words = around.minds[0], _rests_on(atom)
    said = isinstance(atom.what, SpeechUttered) and words == atom.what.words
    if said or (around.narrator and turn.player == mind):
        return words
    known = partial(has_come_across, around.world, mind)
    own = [
        quoted_piece(around.plan, each.what, mind=mind, known=known, own=turn.player == mind)
        for each in turn.atoms
        if isinstance(each.what, PieceTold) and perceives(each, (mind,))
    ]
    plain = " ".join(words.split())
    return words if any(plain in text for text in own) else ""


def _tells(atom: Atom, who: EntityId) -> bool:
    """Whether an event says of somebody that they are there, or are not."""
    if not isinstance(atom.what, _TELLING):
        return False
    return any(
        isinstance(p.entity, Resolved)
        and p.entity.entity == who
        and p.role in (Role.ACTOR, Role.SUBJECT)
        and not (p.role is Role.SUBJECT and isinstance(atom.what, SpeechUttered))
        for p in atom.participants
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What last said that somebody is where they are: when, by what words, and who says so."""

    who: EntityId
    turn: TurnNo | None = None  # None: the author put them there
    words: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """A piece of a turn: who perceived it, who was near and did not and why, and who says so."""

    text: str
    kind: str
    speaker: EntityId | None
    perceived_by: tuple[EntityId, ...]
    kept_from: tuple[tuple[EntityId, str], ...]
    says: str
    evidence: tuple[Evidence, ...] = ()  # of who perceived it, that they were there


def heard(past: Sequence[PastTurn], turn: PastTurn, words: str) -> tuple[Heard, ...]:
    """The pieces of a turn that have these words; `past` is what was before. For the author's
    eyes.
    """
    wanted = " ".join(words.casefold().split())
    found = []
    for n, atom in enumerate(turn.atoms):
        what = atom.what
        if isinstance(what, PieceTold) and wanted in " ".join(what.text.casefold().split()):
            by = tuple(p.entity.entity for p in atom.participants if isinstance(p.entity, Resolved))
            now = (a for a in turn.atoms[:n] if not _is_in(a, what))
            before = [*(a for each in past for a in each.atoms), *now]
            kept = tuple((each.who, each.why) for each in what.kept_from)
            found.append(Heard(
                what.text, str(what.piece), what.speaker, by, kept, _says(atom),
                tuple(_last_told(before, who) for who in by),
            ))  # fmt: skip
    return tuple(found)


def _is_in(atom: Atom, piece: PieceTold) -> bool:
    """Whether an event is what a piece has somebody say: it is no evidence for itself."""
    return isinstance(atom.what, SpeechUttered) and atom.what.words in piece.words


def _last_told(before: Sequence[Atom], who: EntityId) -> Evidence:
    """What last told of somebody where they are."""
    for atom in reversed(before):
        if _tells(atom, who):
            return Evidence(who, atom.turn, _rests_on(atom), _says(atom))
    return Evidence(who)


def _says(atom: Atom) -> str:
    return "" if atom.says is None else str(atom.says)


def _rests_on(atom: Atom) -> str:
    said = atom.what.words if isinstance(atom.what, SpeechUttered) else ""
    return next(iter(atom.confidence.evidence), said)


def correction(
    world: World, turn: TurnNo, *, here: Iterable[str], gone: Iterable[str],
    holds: Iterable[tuple[str, str]],
) -> StageCorrected:  # fmt: skip
    """What a person settles, for the record; names or ids."""
    cast, things = world.plan.cast, world.plan.things
    return StageCorrected(
        turn,
        tuple(_meant(world, who, cast, "person") for who in here),
        tuple(_meant(world, who, cast, "person") for who in gone),
        tuple(
            Held(_meant(world, what, [*things, *world.keys], "thing"),
                 _meant(world, who, cast, "person"))
            for what, who in holds
        ),
    )  # fmt: skip


def _meant(world: World, name: str, among: Iterable[str], kind: str) -> EntityId:
    known = set(among)
    if name in known:
        return EntityId(name)
    found = {f.entity for f in Names.of(world.plan.story).find(name) if f.entity in known}
    if len(found) != 1:
        raise UnknownPerson(f"no {kind} of this story is called {name!r}; use a name or an id")
    return found.pop()
