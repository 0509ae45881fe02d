"""Cards of what play brought forth: a cup that a turn mentioned, as far as this audience saw it.

A card is made from atoms only, and from those the audience perceived: each detail has its mention
as its source. What the register knows beyond that stays out.
"""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.overheard import is_overheard, topics
from storykeeper.context.words import name_of
from storykeeper.events.atoms import Atom, EntityRef, Resolved, Role, Source, Unresolved
from storykeeper.gravity.temperature import Valence
from storykeeper.scoring.composite import Terms
from storykeeper.units import Key
from storykeeper.world.calling import stands_in
from storykeeper.world.register import key_of
from storykeeper.world.state import World

NAMED, INVOLVED = 1.0, 0.9  # relevances: the player's words name it; it takes part
MAX_DETAILS = 6


def thing_cards(boundary: Boundary) -> Iterator[Candidate]:
    """A card for everything of play's own that the turn under way turns to."""
    wanted: dict[Key, float] = {}
    for record in boundary.present.decided:
        if isinstance(record, Atom) and boundary.open(f"atom:{record.id}"):
            named = record.source is Source.PLAYER and boundary.open("input")
            for key in _of_play(boundary, record):
                wanted[key] = max(wanted.get(key, 0.0), NAMED if named else INVOLVED)
    if wanted:
        details = _details(boundary, frozenset(wanted))
        for key, relevance in wanted.items():
            if details.get(key):
                yield _card(boundary.world, key, details[key], relevance)


def _of_play(boundary: Boundary, atom: Atom) -> Iterator[Key]:
    """What takes part in an atom and is none of the author's."""
    world = boundary.world
    keys = [key for key, _ in topics(boundary, atom)]
    for part in atom.participants:
        if part.role is not Role.WITNESS and not is_overheard(boundary, atom, part):
            key = _key(world, part.entity)
            keys += [] if key is None else [key]
    for key in keys:
        known = world.register.get(key)
        if known is not None and known.floor is None:
            yield key


def _key(world: World, ref: EntityRef) -> Key | None:
    match ref:
        case Resolved(entity=entity):
            return key_of(world, entity)
        case Unresolved(joins=joins):
            return joins
        case _:
            return None


class _Seen:
    """What the atoms that an audience perceived say of one thing."""

    def __init__(self) -> None:
        self.name = self.named = ""
        self.said: dict[str, str] = {}  # detail → source
        self.first = ""

    def add(self, boundary: Boundary, source: str, ref: Resolved | Unresolved) -> None:
        """One mention of it."""
        if not self.first:
            self.first = source
        if not stands_in(ref.mention) and len(ref.mention) > len(self.name):
            self.name, self.named = ref.mention, source
        details = [*ref.descriptors]
        if isinstance(ref, Unresolved):
            details += [ref.place] if ref.place else []
            if isinstance(ref.possessor, Resolved):
                owner = ref.possessor.entity
                if owner in boundary.plan.cast and boundary.open(f"cast:{owner}"):
                    details.append(f"{name_of(boundary.plan, owner)}’s")
        for detail in details:
            self.said[detail] = source


def _details(boundary: Boundary, wanted: frozenset[Key]) -> dict[Key, _Seen]:
    """What was said of each, from the atoms in reach that this audience perceived."""
    found: dict[Key, _Seen] = {}
    for atom in boundary.atoms.values():
        if atom.turn == boundary.present.turn:
            continue  # it stands in the window as what happens now
        for i, part in enumerate(atom.participants):
            ref = part.entity
            if part.role is Role.WITNESS or not isinstance(ref, Resolved | Unresolved):
                continue
            if is_overheard(boundary, atom, part):
                continue  # which one it was may hang on words they did not hear
            key = _key(boundary.world, ref) or Key(f"{atom.id}#{i}")
            if key in wanted and boundary.open(f"atom:{atom.id}"):
                source = f"mention:{atom.id}#{i}"
                found.setdefault(key, _Seen()).add(boundary, source, ref)
    return {key: seen for key, seen in found.items() if seen.name}


def _card(world: World, key: Key, seen: _Seen, relevance: float) -> Candidate:
    """What is known of it besides what it is called; of what is only called something, nothing."""
    words = seen.name.casefold().split()
    said = [d for d in seen.said if d.casefold() not in words and not stands_in(d)][:MAX_DETAILS]
    head = f"- {seen.name[:1].upper()}{seen.name[1:]}"
    full = f"{head}: {', '.join(said)}" if said else ""
    sources = [seen.first, seen.named, *(seen.said[d] for d in said)]
    known = world.register.get(key)
    name = known.id if known is not None and known.id else key
    return Candidate(
        f"entity:{name}", "entity", Tier.RETRIEVED,
        Class.MANDATORY if relevance == NAMED else Class.ENRICHMENT,
        tuple(dict.fromkeys(sources)), full=full,
        entities=(str(name),), terms=Terms(relevance=relevance), valence=Valence.EXPOSITION,
    )  # fmt: skip
