"""Everybody and everything that was referred to: what is known of it, and the weight it gathered.

The register is folded from atoms. A mention that joins none begins an entry of its own, under the
key of that first mention; the author's people, things and places have theirs from the start, under
their ids. Weight only grows (F7.1): every implication of an atom flows to those it is about, by
their role; a compound adds to what its members gave (F7.2). What the weight is enough for is
decided in `entities` and is on record; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, structs

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    AtomIn,
    Bond,
    Compound,
    CompoundIn,
    EntityRef,
    Implication,
    ImplicationKind,
    Implicit,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    Unresolved,
)
from storykeeper.events.changes import EntityDemoted, EntityPromoted
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.units import AtomId, EntityId, Key, SceneId
from storykeeper.world.calling import call, is_called
from storykeeper.world.edges import stood
from storykeeper.world.index import indexed
from storykeeper.world.state import Edge, Entity, Given, World

ROLE_WEIGHT = {
    Role.ACTOR: 1.0, Role.TARGET: 1.0, Role.INSTRUMENT: 0.8, Role.SUBJECT: 0.6,
    Role.WITNESS: 0.5, Role.LOCATION: 0.3,
}  # fmt: skip
MEANT_ONLY = 0.5  # what a player's pronoun is found to mean: at a table it may mean anything
LATER_SCENES = 1.5  # weight from a second and later scene counts this much
BOND_ADDS = {Bond.CAUSAL: 0.5, Bond.TEMPORAL: 0.0, Bond.THEMATIC: 0.5}  # of a member's own weight
_DONE_TO = frozenset({Role.TARGET, Role.INSTRUMENT})
_TURNED_TO = frozenset({Role.TARGET, Role.SUBJECT, Role.INSTRUMENT})  # not where one happens to be
MAX_MENTIONS, MAX_DESCRIPTORS, MAX_EDGES = 200, 12, 64
MAX_RECENT = 48
FORGOTTEN_SCENES = 8  # texture of scenes further back than this is let go


def key_of(world: World, entity: EntityId) -> Key:
    """The key of an entity that has an id."""
    return world.keys.get(entity, Key(entity))


def entry(world: World, entity: EntityId) -> Entity | None:
    """What the register has on an entity."""
    return world.register.get(key_of(world, entity))


# ── mentions and weight ──────────────────────────────────────────────────────────────────────


class _Part(Struct):
    """One participant of an atom, on its way into the register."""

    key: Key | None
    role: Role
    ref: EntityRef
    weight: float = 0.0
    handled: bool = False  # so that it may be elsewhere now
    taken: bool = False


def after_references(world: World, atom: Atom) -> World:
    """The register after an atom: who was mentioned, and what weight that gave them."""
    if atom.source is Source.RULE or not _says_anything(atom):
        return world  # it follows from other atoms, which have counted; or refers to nothing
    parts = [
        _Part(_key(world, atom, i, p.entity), p.role, p.entity)
        for i, p in enumerate(atom.participants)
    ]
    if atom.implications:
        _weigh(parts, atom)
    acting = [p for p in parts if p.key is not None and (p.role is not Role.WITNESS or p.weight)]
    if not acting:
        return world
    by_key = _by_key(acting)
    register, index, seen = world.register, world.index, world.mentioned
    gave: list[tuple[Key, float]] = []
    for key, mine in by_key:
        seen += 1
        known = register.get(key)
        fresh = _noted(
            known or _first(mine, atom), mine, atom, seen=seen,
            clock=world.clocks.get(atom.scene, 0),
        )  # fmt: skip
        if known is None or fresh.descriptors is not known.descriptors:
            index = indexed(index, key, fresh, register, but=known)
        register = register.set(key, _with_edges(fresh, key, parts, atom))
        gave.append((key, fresh.total - (known.total if known is not None else 0.0)))
    return structs.replace(
        world, register=register, index=index, mentioned=seen,
        given=(*world.given, Given(atom.id, tuple(gave))),
        recent=_latest(world.recent, [key for key, _ in by_key]),
    )  # fmt: skip


def _says_anything(atom: Atom) -> bool:
    """Whether an atom implies something, or calls somebody or something by words."""
    if atom.implications:
        return True
    for part in atom.participants:
        ref = part.entity
        if not isinstance(ref, Resolved) or ref.mention:
            return True
    return False


def _latest(recent: tuple[Key, ...], keys: list[Key]) -> tuple[Key, ...]:
    """These last, each once. Done for every atom, so by slices."""
    for key in keys:
        if key in recent:
            at = recent.index(key)
            recent = (*recent[:at], *recent[at + 1 :], key)
        else:
            recent = (*recent, key)
    return recent[-MAX_RECENT:]


def _key(world: World, atom: Atom, place: int, ref: EntityRef) -> Key | None:
    match ref:
        case Resolved(entity=entity):
            return key_of(world, entity)
        case Unresolved(joins=joins) if joins is not None:
            return joins
        case Unresolved(head=head, among=among, mention=mention):
            unknown = among or not (head or mention)
            return None if unknown else Key(f"{atom.id}#{place}")
        case Implicit():
            return Key(f"{atom.id}#{place}")


def _weigh(parts: list[_Part], atom: Atom) -> None:
    """F7.1  w(p) = role(p) · Σ implications about p; a witness takes part in all of them."""
    whole = 0.0
    for implied in atom.implications:
        whole += implied.weight
        for i in {implied.of, implied.toward}:
            if i < len(parts) and parts[i].role is not Role.WITNESS:
                parts[i].weight += implied.weight * ROLE_WEIGHT[parts[i].role]
                if i == implied.toward:
                    parts[i].handled |= _is_handling(implied, parts[i].role)
                    parts[i].taken |= implied.kind is ImplicationKind.POSSESSION
    for part in parts:
        if part.role is Role.WITNESS:
            part.weight = whole * ROLE_WEIGHT[Role.WITNESS]


def _is_handling(implied: Implication, role: Role) -> bool:
    near = implied.kind in (ImplicationKind.POSSESSION, ImplicationKind.PROXIMITY)
    return near and role is not Role.LOCATION


def _by_key(parts: Iterable[_Part]) -> list[tuple[Key, list[_Part]]]:
    found: dict[Key, list[_Part]] = {}
    for part in parts:
        if part.key is not None:
            found.setdefault(part.key, []).append(part)
    return list(found.items())


def _first(parts: list[_Part], atom: Atom) -> Entity:
    """An entry for something that was never referred to before."""
    ref = parts[0].ref
    match ref:
        case Implicit(implied=implied):
            return Entity(head=implied, words=implied, scene=atom.scene, first=atom.turn)
        case Resolved(entity=entity):  # of a story that no longer has it
            return Entity(id=entity, head=entity, words=entity, scene=atom.scene, first=atom.turn)
        case Unresolved():
            return Entity(
                head=ref.head, words=ref.mention, scene=atom.scene, first=atom.turn,
                named=ref.named, sort=ref.sort or Sort.UNKNOWN, gender=ref.gender,
                plural=ref.plural,
            )  # fmt: skip


def _noted(known: Entity, parts: list[_Part], atom: Atom, *, seen: int, clock: int) -> Entity:
    """An entry after one atom about it."""
    weight, took_part, turned_to, handled = 0.0, False, False, False
    for part in parts:
        weight += part.weight
        handled = handled or part.handled
        if part.role is not Role.WITNESS:
            took_part = True
            turned_to = turned_to or part.role in _TURNED_TO
    if known.scenes and atom.scene != known.scenes[0]:
        weight *= LATER_SCENES
    if handled and known.place:
        known = structs.replace(known, place="")
    known = _described(known, parts, atom)
    if not took_part:
        return structs.replace(known, total=known.total + weight)
    called = any(p.role is not Role.WITNESS and is_called(p.ref, known) for p in parts)
    if not called and atom.source is Source.PLAYER:
        weight *= MEANT_ONLY
    done_to = any(p.taken or (known.told and p.role in _DONE_TO) for p in parts)
    mine = turned_to and called and atom.source is Source.PLAYER
    scenes = known.scenes if atom.scene in known.scenes else (*known.scenes, atom.scene)
    return structs.replace(
        known,
        total=known.total + weight,
        by_player=known.by_player + (weight if mine else 0.0),
        events=known.events + 1,
        scenes=scenes,
        last=atom.turn,
        last_scene=atom.scene,
        clock=clock,
        seen=seen,
        told=known.told or (called and _is_told(atom, known)),
        mentions=known.mentions + (call(atom, turned_to=done_to) if called else 0),
    )


def _is_told(atom: Atom, known: Entity) -> bool:
    """Whether an atom says that its participants are there: what is typed or said is a claim, and
    a narrator that only says back what a player did has told of nothing new."""
    if atom.source is Source.PLAYER or isinstance(atom.what, SpeechUttered):
        return False
    return not (known.by_player and known.first == atom.turn and isinstance(atom.what, ActionTaken))


def _described(known: Entity, parts: list[_Part], atom: Atom) -> Entity:
    """What the words of a mention add."""
    for part in parts:
        ref = part.ref
        if isinstance(ref, Implicit) or (isinstance(ref, Resolved) and not ref.mention):
            continue
        fresh = [d for d in ref.descriptors if d not in known.descriptors]
        changes: dict[str, object] = {}
        if fresh:
            changes["descriptors"] = (*known.descriptors, *fresh)[:MAX_DESCRIPTORS]
        if isinstance(ref, Unresolved):
            changes |= _context(known, ref, atom, part)
        else:
            changes |= _more(known, ref, atom)
        known = structs.replace(known, **changes)
    return known


def _more(known: Entity, ref: Resolved, atom: Atom) -> dict[str, object]:
    """What words add about something that has its id."""
    changes: dict[str, object] = {}
    if ref.place:
        changes["place"] = ref.place
    if ref.owner is not None:
        changes["possessor"] = ref.owner
    if atom.source is Source.NARRATOR and _names(ref, better_than=known.called):
        changes["called"] = ref.mention
    return changes


def _names(ref: Resolved, *, better_than: str) -> bool:
    """Whether its words say more of it than others; what may be a pronoun says nothing."""
    more = ref.by != "anaphoric" or " " in ref.mention
    return more and len(ref.mention) > len(better_than)


def _context(known: Entity, ref: Unresolved, atom: Atom, part: _Part) -> dict[str, object]:
    changes: dict[str, object] = {}
    if len(known.at) < MAX_MENTIONS:
        place = next(i for i, p in enumerate(atom.participants) if p.entity is part.ref)
        changes["at"] = (*known.at, f"{atom.id}#{place}")
    if ref.place:
        changes["place"] = ref.place
    if isinstance(ref.possessor, Resolved):
        changes["possessor"] = ref.possessor.entity
    elif ref.possessor is not None and ref.possessor.joins is not None:
        changes["possessor"] = ref.possessor.joins
    longer = len(ref.descriptors) > len(known.words.split()) - 2
    if not known.named and (ref.named or (ref.head == known.head and longer)):
        changes |= {"words": ref.mention, "named": ref.named}
    if known.sort is Sort.UNKNOWN and ref.sort is not None:
        changes["sort"] = ref.sort
    if ref.gender and not known.gender:
        changes["gender"] = ref.gender
    return changes


def _with_edges(known: Entity, key: Key, parts: list[_Part], atom: Atom) -> Entity:
    """The entry with what the atom says between it and others."""
    if not atom.implications:
        return known
    edges = known.edges
    for implied in atom.implications:
        if max(implied.of, implied.toward) >= len(parts):
            continue  # it is of nobody
        of, toward = parts[implied.of].key, parts[implied.toward].key
        if of is None or toward is None or of == toward or key not in (of, toward):
            continue
        other = toward if key == of else of
        edge = edges.get(other)
        edge = (
            Edge(implied.weight, atom.turn, atom.scene)
            if edge is None
            else structs.replace(
                edge, weight=edge.weight + implied.weight, last=atom.turn, scene=atom.scene
            )
        )
        edges = {**edges, other: stood(edge, implied) if key == of else edge}
    if edges is known.edges:
        return known
    if len(edges) > 2 * MAX_EDGES:  # the stronger half stays; seldom, so that it costs little
        strong = sorted(edges, key=lambda other: (-edges[other].weight, other))[:MAX_EDGES]
        edges = {other: edges[other] for other in strong}
    return structs.replace(known, edges=edges)


# ── compounds ────────────────────────────────────────────────────────────────────────────────


def after_compound(world: World, compound: Compound) -> World:
    """F7.2  a compound adds to its members: causal and thematic half of what each gave; a condition
    takes part in what it enabled."""
    given = {g.atom: dict(g.weights) for g in world.given}
    added: dict[Key, float] = {}
    for bond, atoms in _bonds(compound):
        shares = [given.get(atom, {}) for atom in atoms]
        if bond is Bond.CONDITIONAL:
            enabled = max(shares[-1].values(), default=0.0)
            for share in shares[:-1]:
                for key in share:
                    added[key] = added.get(key, 0.0) + (0.0 if key in shares[-1] else enabled)
            continue
        for share in shares:
            for key, weight in share.items():
                added[key] = added.get(key, 0.0) + BOND_ADDS[bond] * weight
    register = world.register
    for key, weight in added.items():
        known = register.get(key)
        if known is not None and weight:
            register = register.set(key, structs.replace(known, total=known.total + weight))
    return structs.replace(world, register=register)


def _bonds(compound: Compound) -> list[tuple[Bond, tuple[AtomId, ...]]]:
    """The compound and those inside it: depth two is all there is."""
    inner = [(m.bond, m.atoms) for m in compound.members if isinstance(m, CompoundIn)]
    atoms = tuple(m.atom for m in compound.members if isinstance(m, AtomIn))
    return [*inner, *([(compound.bond, atoms)] if atoms else [])]


# ── tiers ────────────────────────────────────────────────────────────────────────────────────


def after_lifecycle(world: World, record: EntityPromoted | EntityDemoted) -> World:
    """An entry in its new tier; at its first promotion it gets its id."""
    key = key_of(world, record.entity)
    keys = world.keys
    if isinstance(record, EntityPromoted) and record.key:
        key, keys = record.key, world.keys.set(record.entity, record.key)
    blank = Entity(id=record.entity, words=record.entity, scene=SceneId(""))
    known = world.register.get(key) or blank
    fresh = structs.replace(known, id=record.entity, tier=record.after)
    return structs.replace(world, register=world.register.set(key, fresh), keys=keys)


def tier_of(world: World, entity: EntityId) -> Tier | None:
    """Where an entity stands; None if nothing is known of it."""
    known = entry(world, entity)
    return None if known is None else known.tier


def forget_texture(world: World) -> World:
    """The register without what was only mentioned, long ago, and nothing could join again."""
    recent = sorted(
        (s for s in world.scenes if world.scenes[s].last_entered is not None),
        key=lambda s: (world.scenes[s].last_entered or 0, s),
    )[-FORGOTTEN_SCENES:]
    kept = set(recent) | {world.scene}
    gone = [
        key
        for key, known in world.register.items()
        if not known.id and not known.named and known.last_scene not in kept
    ]
    if not gone:
        return world
    register = world.register.mutate()
    for key in gone:
        del register[key]
    return structs.replace(world, register=register.finish())
