"""A run's past as memory holds it: items made of committed turns, and of nothing else.

For the narrator a turn is one item, the player's words and the prose. For a character each event
it perceived is one, in the words a window would use. All of it can be made again at any time from
the turns: what was retracted or erased is not among them, and what was edited has its new words.
What a search gave back was never told, so it does not come to be remembered a second time.

An item handed to somebody says nothing of others: who else perceived it, how many things they were
not told of lie between, and how dense a scene was with things they may never have met, are gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.words import name_of, quoted, told
from storykeeper.events.atoms import (
    Atom,
    AtomIn,
    Bond,
    Compound,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    Unresolved,
)
from storykeeper.events.changes import EntityDemoted, EntityPromoted
from storykeeper.events.records import AnyRecord
from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.memory.items import Item
from storykeeper.play.entity_views import densities, entity_views
from storykeeper.play.past import Past
from storykeeper.scoring.narrative import narrative_weight
from storykeeper.story.model import NARRATOR
from storykeeper.units import AtomId, EntityId
from storykeeper.world.register import key_of
from storykeeper.world.state import World

_READ = frozenset({Source.PLAYER, Source.NARRATOR})  # from the words of the turn itself
WEIGHING = (EntityPromoted, EntityDemoted, Compound)  # records that weights are made of


class WholePast(Past):
    """Every turn, and not only those that windows need."""

    def __init__(self, turns: Iterable[PastTurn] = ()) -> None:
        self.turns = deque(turns)


class Minds:
    """Everybody who may remember, at one moment: the narrator, and each of the cast."""

    def __init__(self, world: World) -> None:
        self.world = world
        present = PresentTurn(world.now, world.plan.players[0], "")
        self._lines = {
            who: Boundary(world, (), present, audience=who) for who in (NARRATOR, *world.plan.cast)
        }

    def perceived(self, atom: Atom) -> frozenset[str]:
        """Those of the cast who did it, had it done to them, or were there to perceive it."""
        named = (p.entity.entity for p in atom.participants if isinstance(p.entity, Resolved))
        there = {who for who in named if who in self.world.plan.cast}  # others have no part in it
        return frozenset(who for who in there if self._lines[who].witnessed(atom))

    def told_of(self, atom: Atom) -> bool:
        """Whether the narrator knows of it: it stands in the turn's words, or a player saw it."""
        return atom.source in _READ or self._lines[NARRATOR].witnessed(atom)


# ── turns as items ───────────────────────────────────────────────────────────────────────────


def items_of(minds: Minds, turns: Iterable[PastTurn], *, first: int = 1) -> Iterator[Item]:
    """Every item of these turns, for whomever it is, numbered on from one."""
    order = first
    for turn in turns:
        for item in (*_whole(minds, turn), *_events(minds, turn)):
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
    for atom in turn.atoms:
        text = told(plan, atom)
        audience = minds.perceived(atom) if text else frozenset()
        if audience:
            name = f"atom:{atom.id}"
            yield Item(
                name, text, 0, turn=turn.turn, session=turn.scene, audience=audience,
                speaker=_speaker(minds.world, atom), sources=(name,),
                entities=_about(minds.world, atom), brief=first_sentence(text),
                hint=first_words(text, SKELETON_WORDS),
            )  # fmt: skip


def _speaker(world: World, atom: Atom) -> str:
    """Whose words they are, by name; nobody's, if it is no utterance."""
    if not isinstance(atom.what, SpeechUttered):
        return ""
    for part in atom.participants:
        if part.role is Role.ACTOR and isinstance(part.entity, Resolved):
            return name_of(world.plan, part.entity.entity)
    return ""


def _about(world: World, atom: Atom) -> tuple[str, ...]:
    """Keys of those it is about. Who merely perceived it is its audience, and nobody's business."""
    found: dict[str, None] = {}
    for place, part in enumerate(atom.participants):
        if part.role is not Role.WITNESS:
            match part.entity:
                case Resolved(entity=entity):
                    found[key_of(world, EntityId(entity))] = None
                case Unresolved(joins=joins):
                    found[joins if joins is not None else f"{atom.id}#{place}"] = None
    return tuple(found)


# ── what they weigh ──────────────────────────────────────────────────────────────────────────


def weights(
    world: World, turns: Sequence[PastTurn], records: Iterable[AnyRecord]
) -> Mapping[int, float]:
    """The narrative weight of every turn (F2.1b), from the records that say what was promoted.

    It is the narrator's alone: a scene is dense with things that a character may never have met,
    and a character must not feel what it cannot know. To characters no memory weighs more.
    """
    weighing = [record for record in records if isinstance(record, WEIGHING)]
    dense = {each.scene: each.per_turn for each in densities(world, entity_views(world, weighing))}
    images = {atom for r in weighing if isinstance(r, Compound) for atom in _thematic_members(r)}
    return {
        turn.turn: narrative_weight(
            dense.get(turn.scene, 0.0), thematic=any(atom.id in images for atom in turn.atoms)
        )
        for turn in turns
    }


def _thematic_members(compound: Compound) -> Iterator[AtomId]:
    for member in compound.members:
        if isinstance(member, AtomIn):
            if compound.bond is Bond.THEMATIC:
                yield member.atom
        elif Bond.THEMATIC in (compound.bond, member.bond):
            yield from member.atoms
