"""What is news of what a player did: where it was hindered, what changed hands, where they are now,
what was tried; and the line itself, where nothing else is told of it.

All of it is said from the records and from how the line was read; nothing of what was typed is said
back but whole quotations, and deeds that were read whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.context.history import PresentTurn
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    Moved,
    Resolved,
    Role,
    SceneChanged,
    Source,
    SpeechUttered,
    deed,
)
from storykeeper.events.changes import IntentResolved, SecretRevealed
from storykeeper.language.acts import Act, ActKind
from storykeeper.language.quoted import quoted_in
from storykeeper.language.verbs import base, is_verb
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.commit import ALWAYS, lexicon
from storykeeper.play.outcome import handed
from storykeeper.play.own_deeds import beside_emotes, own_deed
from storykeeper.play.reach import within_reach
from storykeeper.play.refusals import unanswered
from storykeeper.play.wording import all_names, joined, name_of
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.state import World

SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)


def acts_of(world: World, turn: PresentTurn) -> tuple[Act, ...]:
    """What the player's line does, as it was read."""
    names = acquaintance(world, turn.player).names()
    return lexicon(world.plan).acts_of(turn.text, by=turn.player, names=names)


def came_to(world: World, turn: PresentTurn, acts: Sequence[Act]) -> Iterator[str]:
    """What is news of what the player did: where it was hindered, what changed hands, where they
    are now, what was tried.
    """
    told = {
        each.entity for _, beat in turn.beats for each in all_names(world.plan).find(beat.prose)
    }
    hindered = [text for act in acts if act.to not in told
                and (text := _hindered(world, turn, act)) is not None]  # fmt: skip
    yield from hindered
    yield from _handed(world, turn)
    if not turn.beats and not hindered:
        yield from _gone(world, turn)
    yield from (text for act in acts if (text := _attempt(world, turn, act)))


def _handed(world: World, turn: PresentTurn) -> Iterator[str]:
    """What the player took, gave and put down, as it is on record."""
    went: dict[EntityId, list[str]] = {}
    for atom in handed(turn):
        if isinstance(atom.what, Moved):
            things = (each for each in those(atom, Role.SUBJECT) if each in world.plan.things)
            went.setdefault(atom.what.to, []).extend(name_of(world, each) for each in things)
    for to, names in went.items():
        if not names:
            continue
        if to == turn.player:
            yield f"You take {joined(names)}."
        elif to in world.plan.cast:
            yield f"You give {name_of(world, to)} {joined(names)}."
        elif to == world.places.get(turn.player):
            yield f"You put down {joined(names)}."


def _gone(world: World, turn: PresentTurn) -> Iterator[str]:
    for atom in atoms_of(turn, turn.player):
        if isinstance(atom.what, Moved) and atom.source is Source.PLAYER:
            yield f"You go to {name_of(world, atom.what.to)}."


def only_done(world: World, turn: PresentTurn, acts: Sequence[Act]) -> str:
    """The line itself, where nothing else is told: what was said whole, or a deed read whole."""
    said = [q.words.strip() for q in quoted_in(turn.text) if q.words.strip()]
    beside = beside_emotes(turn.text)
    if said or beside:
        whole = " ".join(said) or beside
        return f"You {'ask' if whole.endswith('?') else 'say'}: “{whole}”"
    if any(act.kind in SPEAKING for act in acts):
        return unanswered(world, turn.player, acts, asks=turn.text.rstrip().endswith("?"))
    back = "" if any(act.to is not None for act in acts) else own_deed(turn.text, acts)
    if back:
        return back
    if [each.act for each in acts] == ["wait"]:
        return "You wait."
    return " ".join(dict.fromkeys(_deeds(world, turn)))


def seen(world: World, turn: PresentTurn) -> Iterator[str]:
    """What a thing that was looked at is like, unless the author's prose tells of it now."""
    beats = [part for _, beat in turn.beats for _, part in walk(beat.when)]
    waited = {part.to for part in beats if isinstance(part, Did)}
    looked = [
        target for atom in atoms_of(turn, turn.player) if atom.what == deed("look")
        for target in (*those(atom, Role.TARGET), *those(atom, Role.SUBJECT))
    ]  # fmt: skip
    found = (world.plan.things[each] for each in looked if each in world.plan.things)
    seen = (" ".join(thing.description.split()) for thing in found if thing.id not in waited)
    yield from filter(None, seen)


# What anybody can do to anybody without the story having to say what comes of it.
_ORDINARY = frozenset(
    {"look", "listen", "wait", "ask", "tell", "say", "talk", "answer", "go", "follow", "whisper",
     "sit", "stand", "stay", "thank", "nod", "smile", "wave", "read"}
)  # fmt: skip


def _attempt(world: World, turn: PresentTurn, act: Act) -> str:
    """A deed to somebody or something of which nothing is seen to come is an attempt.

    Only what is told of this turn is looked at, and what it waited for. Whether any other rule of
    the story asks about a deed is not: who tries verbs would find out which of them something
    hidden waits for.
    """
    if act.to is None or act.words or act.kind in SPEAKING or _moves(world, turn, act):
        return ""
    if world.holders.get(act.to) == turn.player or not _done(turn, act):
        return ""
    if not _is_direct(turn.text, act) or (act.kind is ActKind.INTERACTION and act.act == "give"):
        return ""
    if not (_shown_acts(world, turn) | _ORDINARY).isdisjoint((act.act, *act.also)):
        return ""
    return f"You try to {act.verb} {name_of(world, act.to)}."


def _is_direct(line: str, act: Act) -> bool:
    """Whether a verb stands right before what it is done to: not "put on the coat"."""
    if act.target is None or act.target.entity is None or not act.verb.isalpha():
        return False
    before = line[: act.target.mention.start].casefold().split()
    return bool(before) and base(before[-1], ALWAYS) == act.verb


def _shown_acts(world: World, turn: PresentTurn) -> frozenset[str]:
    """The acts that something waited for which comes of this turn: a beat, a fact, a way taken, an
    attempt of the player's.
    """
    plan = world.plan
    beats = {name for name, _ in turn.beats}
    facts = {r.fact for r in revealed(turn)}
    changed = [a.what for a in turn.decided if isinstance(a, Atom)]
    been = {w.scene for w in changed if isinstance(w, SceneChanged)}
    told: list[object] = [plan.beats[name] for name in sorted(beats & plan.beats.keys())]
    told += [plan.facts[fact].revealed_by for fact in sorted(facts & plan.facts.keys())]
    ways = (way for name in sorted(been & plan.scenes.keys()) for way in plan.scenes[name].leads_to)
    told += [way for way in ways if way.to in been]
    tried = (r for r in turn.decided if isinstance(r, IntentResolved) and r.who == turn.player)
    told += [plan.cast[r.who].does[int(r.option.rpartition("/")[2])] for r in tried if r.succeeded]
    parts = [part for each in told for _, part in walk(each)]
    events = {p.happened for p in parts if isinstance(p, Condition) and p.happened}
    parts += [p for name in sorted(events) for _, p in walk(plan.events.get(name))]
    return frozenset(part.act for part in parts if isinstance(part, Did))


def _moves(world: World, turn: PresentTurn, act: Act) -> bool:
    """Whether what an act is done to, or with, is elsewhere by it: taken, given or put down."""
    if act.act == "take" and act.to is not None and world.holders.get(act.to) == turn.player:
        return True
    return any(
        isinstance(r, Atom) and isinstance(r.what, Moved)
        and not {act.to, act.about}.isdisjoint(those(r, Role.SUBJECT))
        for r in turn.decided
    )  # fmt: skip


def _hindered(world: World, turn: PresentTurn, act: Act) -> str | None:
    """Why an act came to nothing, if it did."""
    here = world.places.get(turn.player)
    if act.place is not None and not _went(turn, act.place):
        if act.place == here:
            still = act.verb == "go" and not moved(turn, turn.player)
            return "You are there already." if still else None
        return f"There is no way to {name_of(world, act.place)} from here as things stand."
    if act.to is None or act.words or act.place is not None or _done(turn, act):
        return None
    if within_reach(world, turn.player, act):
        return None  # it was held back by what failed before it
    return f"You do not see {name_of(world, act.to)} here."


def _done(turn: PresentTurn, act: Act) -> bool:
    """Whether the act is on record: what could not be reached is not."""
    return any(
        isinstance(atom.what, ActionTaken)
        and atom.what.act == act.act
        and act.to in (*those(atom, Role.TARGET), *those(atom, Role.SUBJECT))
        for atom in atoms_of(turn, turn.player)
    )


def _went(turn: PresentTurn, place: EntityId) -> bool:
    return any(
        isinstance(atom.what, Moved) and atom.what.to == place and atom.source is Source.PLAYER
        for atom in atoms_of(turn, turn.player)
    )


def moved(turn: PresentTurn, who: EntityId) -> bool:
    """Whether somebody is elsewhere by their own deed."""
    return any(isinstance(atom.what, Moved) for atom in atoms_of(turn, who))


def atoms_of(turn: PresentTurn, who: EntityId) -> Iterator[Atom]:
    """What somebody does in a turn."""
    return (r for r in turn.decided if isinstance(r, Atom) and who in those(r, Role.ACTOR))


def _deeds(world: World, turn: PresentTurn) -> Iterator[str]:
    """The acts on record, where the player's own sentence cannot be said back."""
    for atom in atoms_of(turn, turn.player):
        text = _deed(world, atom)
        if text is not None:
            yield text


def _deed(world: World, atom: Atom) -> str | None:
    targets = [
        name_of(world, p.entity.entity)
        for p in atom.participants
        if p.role is Role.TARGET and isinstance(p.entity, Resolved)
    ]
    to = f" {targets[0]}" if targets else ""
    match atom.what:
        case SpeechUttered(words=words, written=True):
            return f"You write: “{words.strip()}”"
        case SpeechUttered(words=words):
            return f"You say: “{words.strip()}”"
        case Moved(to=place) if atom.source is Source.PLAYER:
            return f"You go to {name_of(world, place)}."
        case ActionTaken(act=act, about=about) if act not in _HANDED and is_verb(act, ALWAYS):
            topic = f" about {name_of(world, about)}" if about is not None else ""
            joined = f" {_PREPOSITION[act]}" if act in _PREPOSITION and to else ""
            return f"You {act}{joined}{to}{topic}."
        case _:
            return None


_HANDED = frozenset({"go", "take", "give", "put", "drop"})  # said of what is elsewhere by it
_PREPOSITION = {"look": "at", "listen": "to", "talk": "to", "wait": "for", "speak": "to"}


def revealed(turn: PresentTurn) -> Iterator[SecretRevealed]:
    """What the player learned in a turn."""
    reveals = (r for r in turn.decided if isinstance(r, SecretRevealed))
    return (r for r in reveals if turn.player in r.to)
