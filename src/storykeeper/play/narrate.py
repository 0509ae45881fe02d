"""The offline narrator. It tells the author's prose and says plainly what the player did, what was
learned by it and who is there. It invents nothing, and says so once.

What is not told by a beat is said from the records: where a way is shut, what is not here, who has
come or gone. Nothing is said twice in a row that has not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storykeeper.context.history import PastTurn, PresentTurn
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
from storykeeper.events.changes import BeliefFormed, IntentResolved, SecretRevealed
from storykeeper.language.lines import Act
from storykeeper.language.names import Names
from storykeeper.language.verbs import is_verb
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.commit import ALWAYS, lexicon
from storykeeper.play.second_person import acknowledged, beside_emotes, said_back, sentences
from storykeeper.play.witnesses import with_players
from storykeeper.play.wording import joined, name_of, opened
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.finding import FOUND, appears
from storykeeper.world.state import World
from storykeeper.world.whereabouts import setting_of

STAGE = {"complete": True}  # what happens is decided by the rules before it is told
NAME = "offline"
ABOUT = (
    "No model is set, so the offline narrator tells this story: the author's own prose, in order,"
    " and plain words for what you do. It makes nothing up."
)
TOLD = "The story is told."
SHORT = 5  # words of a command, of which the deeds are said where it cannot be said back


def offline(world: World, turn: PresentTurn, past: Sequence[PastTurn] = ()) -> str:
    """Prose for a turn: what was done, what the author wrote for it, what is left to say.

    `past` is what was told before, so that nothing is said twice in a row.
    """
    beats = [beat.prose.strip() for _, beat in turn.beats]
    done = _acknowledged(world, turn) if turn.text else ""
    done = " ".join(filter(None, (done, _seen(world, turn))))
    ended = is_told(world, turn)
    done = "\n\n".join(filter(None, (done, *_others(world, turn, ended=ended))))
    found = list(_found(world, turn, by_itself=not beats))
    rest = [*found, *beats] or [_unwritten(world, turn, past)]
    end = [TOLD] if ended else []
    told = "\n\n".join(part for part in (done, *rest, *end) if part)
    return told or company(world, turn.player)


def is_told(world: World, turn: PresentTurn) -> bool:
    """Whether this is an ending, and it has no more to tell."""
    scene = world.plan.scenes.get(world.scene or "")
    if scene is None or not scene.ending:
        return False
    told = {*world.told, *(name for name, _ in turn.beats)}
    return not turn.beats or all(f"{scene.id}/{beat.id}" in told for beat in scene.beats)


# ── what the player did ──────────────────────────────────────────────────────────────────────


def _acknowledged(world: World, turn: PresentTurn) -> str:
    if beside_emotes(turn.text):
        return acknowledged(turn.text, known=ALWAYS)
    known = lexicon(world.plan)
    names = acquaintance(world, turn.player).names()
    said = []
    for sentence in sentences(turn.text):
        acts = known.acts_of(sentence, by=turn.player, names=names)
        hindered = [text for act in acts if (text := _hindered(world, turn, act)) is not None]
        back = _in_full(said_back(sentence, known=ALWAYS) or "", acts, names)
        said += hindered or [_tried(back, acts, world, turn)]
    short = len(turn.text.split()) <= SHORT
    said = list(filter(None, said)) or (list(_deeds(world, turn)) if short else [])
    return " ".join(dict.fromkeys(said[:6]))


def _seen(world: World, turn: PresentTurn) -> str:
    """What a thing that was looked at is like, unless the author's prose tells of it now."""
    beats = [part for _, beat in turn.beats for _, part in walk(beat.when)]
    waited = {part.to for part in beats if isinstance(part, Did)}
    looked = [
        target for atom in _atoms_of(turn, turn.player) if atom.what == deed("look")
        for target in (*those(atom, Role.TARGET), *those(atom, Role.SUBJECT))
    ]  # fmt: skip
    found = (world.plan.things[each] for each in looked if each in world.plan.things)
    seen = (" ".join(thing.description.split()) for thing in found if thing.id not in waited)
    return " ".join(dict.fromkeys(filter(None, seen)))


_LETTER = re.compile(r"You (?P<letter>[a-z])(?=\W)")


def _in_full(text: str, acts: Sequence[Act], names: Names) -> str:
    """A sentence said back with names as they are written, and no letter in place of a verb."""
    found = [each for each in names.find(text) if text[each.start : each.end].islower()]
    for each in reversed(found):
        called = text[each.start : each.end]
        written = next((name for entity, known in names.called if entity == each.entity
                        for name in known if name.casefold() == called), called)  # fmt: skip
        text = f"{text[: each.start]}{written}{text[each.end :]}"
    if acts and _LETTER.match(text):
        verb = "look at" if acts[0].act == "look" and acts[0].target else acts[0].act
        known = next((called for each, called in names.called if each == acts[0].to), ())
        typed = text.split(" ", 2)[-1].rstrip(".").casefold()
        short = next((n for n in known if n.casefold().removeprefix("the ") == typed), "")
        text = f"You {verb} {short}." if short else _LETTER.sub(f"You {verb}", text, count=1)
    return text


# What anybody can do to anybody without the story having to say what comes of it.
_ORDINARY = frozenset(
    {"look", "listen", "wait", "ask", "tell", "say", "talk", "answer", "go", "follow", "whisper",
     "sit", "stand", "stay", "thank", "nod", "smile", "wave", "read"}
)  # fmt: skip


def _tried(text: str, acts: Sequence[Act], world: World, turn: PresentTurn) -> str:
    """A deed of which nothing is seen to come is an attempt.

    Only what is told of this turn is looked at, and what it waited for. Whether any other rule of
    the story asks about a deed is not: who tries verbs would find out which of them something
    hidden waits for.
    """
    shown = _shown_acts(world, turn) | _ORDINARY
    unknown = [
        a for a in acts
        if a.to is not None and shown.isdisjoint((a.act, *a.also)) and not _moves(world, turn, a)
    ]  # fmt: skip
    if not unknown or not text.startswith("You "):
        return text
    return f"You try to {text.removeprefix('You ')}"


def _shown_acts(world: World, turn: PresentTurn) -> frozenset[str]:
    """The acts that something waited for which comes of this turn: a beat, a fact, a way taken, an
    attempt of the player's.
    """
    plan = world.plan
    beats = {name for name, _ in turn.beats}
    facts = {r.fact for r in _revealed(turn)}
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
            still = act.verb == "go" and not _moved(turn, turn.player)
            return "You are there already." if still else None
        return f"There is no way to {name_of(world, act.place)} from here as things stand."
    if act.to is None or act.words or act.place is not None or _done(turn, act):
        return None
    return f"{opened(name_of(world, act.to))} is not here."


def _done(turn: PresentTurn, act: Act) -> bool:
    """Whether the act is on record: what could not be reached is not."""
    return any(
        isinstance(atom.what, ActionTaken)
        and atom.what.act == act.act
        and act.to in (*those(atom, Role.TARGET), *those(atom, Role.SUBJECT))
        for atom in _atoms_of(turn, turn.player)
    )


def _went(turn: PresentTurn, place: EntityId) -> bool:
    return any(
        isinstance(atom.what, Moved) and atom.what.to == place and atom.source is Source.PLAYER
        for atom in _atoms_of(turn, turn.player)
    )


def _moved(turn: PresentTurn, who: EntityId) -> bool:
    return any(isinstance(atom.what, Moved) for atom in _atoms_of(turn, who))


def _atoms_of(turn: PresentTurn, who: EntityId) -> Iterator[Atom]:
    return (r for r in turn.decided if isinstance(r, Atom) and who in those(r, Role.ACTOR))


def _deeds(world: World, turn: PresentTurn) -> Iterator[str]:
    """The acts on record, where the player's own sentence cannot be said back."""
    for atom in _atoms_of(turn, turn.player):
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
        case ActionTaken(act=act, about=about) if act != "go" and is_verb(act, ALWAYS):
            topic = f" about {name_of(world, about)}" if about is not None else ""
            joined = f" {_PREPOSITION[act]}" if act in _PREPOSITION and to else ""
            return f"You {act}{joined}{to}{topic}."
        case _:
            return None


_PREPOSITION = {"look": "at", "listen": "to", "talk": "to", "wait": "for", "speak": "to"}


# ── what others do ───────────────────────────────────────────────────────────────────────────


def _others(world: World, turn: PresentTurn, *, ended: bool) -> Iterator[str]:
    """What shows of those whom nobody plays, and what they tell the player. Where the author's
    prose comes, it is in that: only what they tell and do stands beside it. Of what has ended
    nothing shows any more.
    """
    for record in turn.decided:
        if isinstance(record, IntentResolved) and record.outcome:
            told = [*filter(None, (_told_by(world, turn, record.who, f) for f in record.reveals))]
            if told or (not ended and (record.event or not turn.beats)):
                yield " ".join(told) or record.outcome


def _told_by(world: World, turn: PresentTurn, who: EntityId, name: str) -> str:
    """What the player is told by somebody, in the author's words; of a lie nothing says so."""
    fact = world.plan.facts[name]
    for record in turn.decided:
        if isinstance(record, SecretRevealed) and record.fact == name and turn.player in record.to:
            said = fact.hint if record.suspected else fact.full
        elif isinstance(record, BeliefFormed) and (record.fact, record.who) == (name, turn.player):
            said = fact.full
        else:
            continue
        return f"{opened(name_of(world, who))} tells you: {' '.join(said.split())}"
    return ""


# ── what there is to say where the author wrote nothing ──────────────────────────────────────


def _unwritten(world: World, turn: PresentTurn, past: Sequence[PastTurn]) -> str:
    if is_told(world, turn) and turn.text:
        return ""
    learned = list(_learned(world, turn))
    if learned:
        return " ".join(learned)
    if not past or _moved(turn, turn.player):
        return company(world, turn.player)
    return _came_or_went(world, turn)


def company(world: World, player: EntityId) -> str:
    """Where the player is, and with whom."""
    place = world.plan.settings.get(world.places.get(player) or "")
    others = [name_of(world, who) for who in with_players(world) if who != player]
    where = f"You are in {place.name}" if place is not None else "You are here"
    if place is not None and place.description:
        where = f"{opened(place.name)}. {place.description.strip()}"
    return f"{where.rstrip('.')}. {_listed(others)}"


def _learned(world: World, turn: PresentTurn) -> Iterator[str]:
    """What the player knows since this turn, in the author's words."""
    said = {f for r in turn.decided if isinstance(r, IntentResolved) for f in r.reveals}
    for record in _revealed(turn):
        if record.fact in said:
            continue
        fact = world.plan.facts[record.fact]
        yield " ".join((fact.hint if record.suspected else fact.full).split())


def _revealed(turn: PresentTurn) -> Iterator[SecretRevealed]:
    reveals = (r for r in turn.decided if isinstance(r, SecretRevealed))
    return (r for r in reveals if turn.player in r.to)


def _found(world: World, turn: PresentTurn, *, by_itself: bool) -> Iterator[str]:
    """What the player came upon in this turn, by searching; and what came to light by itself."""
    here = world.places.get(turn.player)
    for atom in (each for each in turn.decided if isinstance(each, Atom)):
        by_rule = atom.source is Source.RULE
        if by_rule and atom.what == deed(FOUND) and turn.player in those(atom, Role.ACTOR):
            for thing in those(atom, Role.TARGET):
                yield f"You find {_described(world, thing)}"
        elif by_itself and appears(atom):
            for thing in those(atom, Role.SUBJECT):
                if setting_of(world, thing) == here:
                    yield f"There is {_described(world, thing)}"


def _described(world: World, entity: EntityId) -> str:
    thing = world.plan.things.get(entity)
    said = "" if thing is None else " ".join(thing.description.split())
    return f"{name_of(world, entity)}. {said}".strip()


def _came_or_went(world: World, turn: PresentTurn) -> str:
    here = world.places.get(turn.player)
    said = []
    for who in map(EntityId, world.plan.cast):
        moves = [a.what for a in _atoms_of(turn, who) if isinstance(a.what, Moved)]
        if who == turn.player or not moves:
            continue
        if world.places.get(who) == here:
            said.append(f"{opened(name_of(world, who))} is here now.")
        elif moves[0].origin == here:
            said.append(f"{opened(name_of(world, who))} is gone.")
    return " ".join(said)


def _listed(names: list[str]) -> str:
    if not names:
        return "Nobody else is here."
    verb = "is" if len(names) == 1 else "are"
    return f"{opened(joined(names, 'and'))} {verb} here."
