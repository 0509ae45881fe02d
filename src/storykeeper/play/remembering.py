"""A run's past as memory holds it: items made of committed turns, and of nothing else.

For the narrator a turn is one item, the player's words and the prose. For a character each event
it perceived is one, in the words a window would use. All of it can be made again at any time from
the turns: what was retracted or erased is not among them, and what was edited has its new words.
What a search gave back was never told, so it does not come to be remembered a second time.

An item handed to somebody says nothing of others: who else perceived it, how many things they were
not told of lie between, and how dense a scene was with things they may never have met, are gone. So
are the ledger's names for it, which count what happened unseen: an audience has names of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.lived import lived
from storykeeper.context.words import name_of, quoted, told
from storykeeper.entities.reference import Strategy
from storykeeper.events.atoms import (
    Atom,
    Implicit,
    Participant,
    PieceTold,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    Unresolved,
)
from storykeeper.events.records import AnyRecord
from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.memory.items import Item
from storykeeper.play.past import Past
from storykeeper.story.called import plain
from storykeeper.story.model import NARRATOR
from storykeeper.units import AtomId, EntityId
from storykeeper.world.calling import is_called
from storykeeper.world.plan import Plan
from storykeeper.world.register import key_of
from storykeeper.world.state import Entity, Pending, World

_TAKING_PART = frozenset({Role.ACTOR, Role.TARGET})
_BY_WORDS = frozenset({"", Strategy.NAME, Strategy.PLAYER})
_READ = frozenset({Source.PLAYER, Source.NARRATOR})  # from the words of the turn itself


class WholePast(Past):
    """Every turn, and not only those that windows need."""

    def __init__(self, turns: Iterable[PastTurn] = ()) -> None:
        super().__init__()
        self.turns = deque(turns)
        self.by_number = {turn.turn: turn for turn in self.turns}

    def add(self, turn: Pending, records: Sequence[AnyRecord], *, prose: str | None = None) -> None:
        """A turn that was committed, with the records that came of it."""
        super().add(turn, records, prose=prose)
        self.by_number[self.turns[-1].turn] = self.turns[-1]


class Minds:
    """Everybody who may remember, at one moment: the narrator, and each of the cast."""

    def __init__(self, world: World) -> None:
        self.world = world
        pending = world.pending
        player = world.plan.players[0] if pending is None else pending.player
        self._present = PresentTurn(world.now, player, "")
        self._lines: dict[str, Boundary] = {}  # drawn when they are asked for

    def _line(self, who: str) -> Boundary:
        if who not in self._lines:
            self._lines[who] = Boundary(self.world, (), self._present, audience=who)
        return self._lines[who]

    def shared(self, turn: PastTurn) -> bool:
        """Whether the narrator may tell all of a turn to the player whose turn it is."""
        return self._line(NARRATOR).shared(turn)

    def remembers(self, turn: PastTurn) -> bool:
        """Whether a turn is the narrator's to remember: of several players it tells one alone."""
        return len(self.world.plan.players) < 2 or self.shared(turn)

    def perceived(self, atom: Atom) -> frozenset[str]:
        """Those of the cast who did it, had it done to them, or were there to perceive it."""
        named = (p.entity.entity for p in atom.participants if isinstance(p.entity, Resolved))
        there = {who for who in named if who in self.world.plan.cast}  # others have no part in it
        return frozenset(who for who in there if self._line(who).witnessed(atom))

    def told_of(self, atom: Atom) -> bool:
        """Whether the narrator knows of it: it stands in the turn's words, or a player saw it."""
        return atom.source in _READ or self._line(NARRATOR).witnessed(atom)

    def had_by(self, audience: str, atom: Atom) -> bool:
        """Whether an event is part of what an audience remembers."""
        if audience == NARRATOR:
            return self.told_of(atom)
        return self._line(audience).witnessed(atom)


# ── turns as items ───────────────────────────────────────────────────────────────────────────


def items_of(
    minds: Minds, turns: Iterable[PastTurn], *, first: int = 1, audience: str | None = None
) -> Iterator[Item]:
    """Every item of these turns, for whomever it is, numbered on from one.

    With an audience, only those of its kind: whole turns are the narrator's, events a character's.
    """
    order = first
    for turn in turns:
        whole = _whole(minds, turn) if audience in (None, NARRATOR) else ()
        events = _events(minds, turn) if audience != NARRATOR else ()
        for item in (*whole, *events):
            yield replace(item, order=order)
            order += 1


def open_to(items: Iterable[Item], audience: str, *, first: int = 1) -> Iterator[Item]:
    """What one audience has of them, as it has them: numbered by itself, and for itself alone."""
    mine = (i for i in items if i.audience is not None and audience in i.audience)
    for order, item in enumerate(mine, start=first):
        yield replace(item, order=order, audience=frozenset({audience}))


def _whole(minds: Minds, turn: PastTurn) -> Iterator[Item]:
    if not turn.text.strip() and not turn.prose.strip():
        return
    name = f"turn:{turn.turn}"
    said = f"“{first_words(turn.text, SKELETON_WORDS * 2)}”" if turn.text.strip() else ""
    about = (_about(minds.world, atom) for atom in turn.atoms if minds.told_of(atom))
    yield Item(
        name, "\n\n".join(part for part in (quoted(turn.text), turn.prose) if part.strip()), 0,
        turn=turn.turn, session=turn.scene, audience=frozenset({NARRATOR}), sources=(name,),
        entities=tuple(dict.fromkeys(key for keys in about for key in keys)),
        brief=" ".join(part for part in (said, first_sentence(turn.prose)) if part),
        hint=first_words(turn.text if turn.text.strip() else turn.prose, SKELETON_WORDS),
    )  # fmt: skip


def _events(minds: Minds, turn: PastTurn) -> Iterator[Item]:
    plan = minds.world.plan
    about = _by_piece(minds.world, turn)
    for atom in lived(turn):
        text = told(plan, atom, partial(_is_by_name, plan, atom), as_said=True)
        audience = minds.perceived(atom) if text else frozenset()
        if audience:
            name = f"atom:{atom.id}"
            yield Item(
                name, text, 0, turn=turn.turn, session=turn.scene, audience=audience,
                speaker=_speaker(minds.world, atom), sources=(name,),
                entities=about.get(atom.id) or _named(minds.world, atom),
                brief=first_sentence(text),
                hint=first_words(text, SKELETON_WORDS),
            )  # fmt: skip


def _by_piece(world: World, turn: PastTurn) -> dict[AtomId, tuple[str, ...]]:
    """Who and what each piece is about: those of what it tells, which stands right before it."""
    found: dict[AtomId, tuple[str, ...]] = {}
    told: list[str] = []
    for atom in turn.atoms:
        if isinstance(atom.what, PieceTold):
            speaker = () if atom.what.speaker is None else (str(atom.what.speaker),)
            named = (str(each.who) for each in atom.what.names)
            found[atom.id] = tuple(dict.fromkeys((*speaker, *told, *named)))
            told = []
        elif atom.source is Source.NARRATOR:
            told += _named(world, atom)
    return found


def _speaker(world: World, atom: Atom) -> str:
    """Whose words they are, by name; nobody's, if it is no utterance."""
    if isinstance(atom.what, PieceTold):
        return "" if atom.what.speaker is None else name_of(world.plan, atom.what.speaker)
    if not isinstance(atom.what, SpeechUttered):
        return ""
    for part in atom.participants:
        if part.role is Role.ACTOR and isinstance(part.entity, Resolved):
            by_name = _is_by_name(world.plan, atom, part.entity.entity)
            return name_of(world.plan, part.entity.entity) if by_name else part.entity.mention
    return ""


def _is_by_name(plan: Plan, atom: Atom, entity: str) -> bool:
    """Whether an atom's words do not call somebody by another name: those there may know no other.

    One text is for all of them.
    """
    each = plan.cast.get(entity)
    other = {plain(alias) for alias in each.aliases} if each is not None else set()
    refs = (p.entity for p in atom.participants if isinstance(p.entity, Resolved))
    return not any(ref.entity == entity and plain(ref.mention) in other for ref in refs)


def _named(world: World, atom: Atom) -> tuple[str, ...]:
    """Those who take part in it, and what it speaks of, each by what it is called there.

    For those who were there. Which cup is meant, or by "it", may hang on words they did not hear:
    so what is not called by a name of the author's goes by its noun, and a pronoun says nothing.
    """
    named = (_name_in(world, atom, p) for p in atom.participants if p.role is not Role.WITNESS)
    return tuple(dict.fromkeys(filter(None, named)))


def _name_in(world: World, atom: Atom, part: Participant) -> str:
    match part.entity:
        case Implicit():
            return ""
        case Resolved(entity=entity, by=by) if is_authored(world, entity) and (
            part.role in _TAKING_PART or by in _BY_WORDS
        ):
            return entity
        case ref:
            known = Entity(words=ref.mention, head=ref.mention, scene=atom.scene)
            called = is_called(ref, known)
            return f"called:{ref.mention.casefold().split()[-1]}" if called else ""


def is_authored(world: World, entity: str) -> bool:
    """Whether it is one of the author's people, places and things."""
    plan = world.plan
    return entity in plan.cast or entity in plan.settings or entity in plan.things


def _about(world: World, atom: Atom) -> tuple[str, ...]:
    """Keys of those it is about, each once."""
    return tuple(dict.fromkeys(key for key, _ in mentions(world, atom)))


def mentions(world: World, atom: Atom) -> Iterator[tuple[str, int]]:
    """Keys of those it is about, and their places in it.

    Who merely perceived it is its audience, and nobody's business. They stand behind all others, so
    that a place does not count them.
    """
    for place, part in enumerate(atom.participants):
        if part.role is not Role.WITNESS:
            match part.entity:
                case Resolved(entity=entity):
                    yield key_of(world, EntityId(entity)), place
                case Unresolved(joins=joins):
                    yield joins if joins is not None else f"{atom.id}#{place}", place
