"""Where a line leaves the player, and what it leaves room for.

Whoever the player may have left is shown doing nothing, and what people do for no reason stands
only in a turn with nothing under way. Both are asked of what is understood of the line and of what
the engine carried out of it: what is not understood speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from storykeeper.events.atoms import Moved, Role, SceneChange, SceneChanged
from storykeeper.events.changes import EventHappened, SecretRevealed
from storykeeper.events.effects import Effect, effects_of
from storykeeper.language.acts import Act, ActKind, Line, Register
from storykeeper.language.names import Names
from storykeeper.language.quoted import blanked
from storykeeper.language.shortening import sentences
from storykeeper.language.time import find as times_in
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.reach import ADDRESSING, beside, hearing, is_at_hand
from storykeeper.play.story_words import lexicon
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.state import Pending, World, whose_turn

STIRRED = 0.65  # from which arousal on a moment is tense
GRAVE = 0.5  # from which intensity on an event leaves no room for habits
TALK = frozenset({*ADDRESSING, "say", "whisper", "answer", "beg", "press"})
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)
_QUIET = (*_SPEAKING, ActKind.OBSERVATION, ActKind.EMOTE, ActKind.MOVEMENT, ActKind.ACTION)
_EVEN = (Register.PLAIN, Register.FORMAL, Register.PLAYFUL, Register.WHISPERED)
_GOING = frozenset({Effect.STEPS_OUT, Effect.GOES, Effect.COMES, Effect.SLEEPS})
# What puts the rest of a line at another time than the present: a closed class.
_THEN = re.compile(
    r"\b(?:when|whenever|once|after|afterwards|before|until|till?|later|meanwhile|next)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a line leaves room for."""

    ends: bool = False  # the story is in an ending
    stays: bool = True  # the player is where the engine has them, now, with those it has there
    calm: bool = True  # nothing is under way
    turned_to: frozenset[EntityId] = frozenset()  # who is spoken to, named, or done something to
    spoken_to: frozenset[EntityId] = frozenset()

    @property
    def is_closed(self) -> bool:
        """Whether nothing is to be seen of anybody."""
        return self.ends or not self.stays


UNTOLD = Occasion()


def occasion(unfolding: Unfolding, turn: Pending) -> Occasion:
    """What the line of a turn leaves room for, once the player's deeds are done."""
    world = unfolding.world
    player = whose_turn(world)
    names = acquaintance(world, player).names()
    read = partial(lexicon(world.plan).line_of, by=player, names=names)
    line, parts = read(turn.text), [(each, read(each)) for each in sentences(turn.text)]
    stays = _is_now(parts) and _stays(unfolding, turn.text, line, names)
    spoken = frozenset(_spoken_to(unfolding, line))
    return Occasion(
        ends=is_ending(world), stays=stays, calm=stays and _is_calm(unfolding, line),
        turned_to=spoken.union(_turned_to(unfolding, turn.text, names)), spoken_to=spoken,
    )  # fmt: skip


def is_ending(world: World) -> bool:
    """Whether the story is in an ending: what shows there is its author's to tell."""
    scene = world.plan.scenes.get(world.scene or "")
    return scene is not None and scene.ending


# ── where it leaves the player ───────────────────────────────────────────────────────────────


def _is_now(parts: Sequence[tuple[str, Line]]) -> bool:
    """Whether a line, in its sentences, goes on from where the story is: it begins with something
    that is done or said, nothing of it is beside the story, and no more than its questions speak of
    another time.
    """
    if not parts or not parts[0][1].acts:
        return False  # "Tuesday.", "Up top, then."
    for text, line in parts:
        bare = blanked(text)
        if line.asides or "(" in bare or any(act.act == "inquire" for act in line.acts):
            return False
        asks = bool(line.acts) and all(act.kind is ActKind.INQUIRY for act in line.acts)
        if not asks and (_THEN.search(bare) or times_in(bare)):
            return False
    return True


def _stays(unfolding: Unfolding, text: str, line: Line, names: Names) -> bool:
    """Whether all of it is done where the engine has the player."""
    world = unfolding.world
    here = world.places.get(whose_turn(world))
    named = {each.entity for each in names.find(blanked(text))} & world.plan.settings.keys()
    if named - {here} - _spoken_of(line.acts):
        return False
    placed = _has_gone(unfolding)
    return all(_is_here(world, act, placed=placed) for act in line.acts)


def _spoken_of(acts: Sequence[Act]) -> set[EntityId | None]:
    """What is asked or looked at, and not gone to."""
    of = (act for act in acts if act.kind in (*_SPEAKING, ActKind.OBSERVATION))
    return {each for act in of for each in (act.to, act.about)}


def _has_gone(unfolding: Unfolding) -> bool:
    """Whether the engine has taken the player to where the line goes."""
    player = whose_turn(unfolding.world)
    moves = (a for a in unfolding.atoms if isinstance(a.what, Moved))
    return any(player in those_in(each.participants, Role.ACTOR) for each in moves)


def _is_here(world: World, act: Act, *, placed: bool) -> bool:
    """Whether an act is done where the player is, or has taken them where they are now."""
    player = whose_turn(world)
    if act.kind is ActKind.MOVEMENT or _GOING & {*effects_of(act.act), *effects_of(act.verb)}:
        return placed or (act.place is not None and act.place == world.places.get(player))
    if act.kind in _SPEAKING or act.words:  # to who is not here one has gone, or calls
        whom = act.to or (act.target.entity if act.target is not None else None)
        return whom not in world.plan.cast or whom in hearing(world, player, awake=False)
    people = {each for each in (act.to, act.about) if each in world.plan.cast}
    things = {each for each in (act.to, act.about) if each in world.plan.things}
    return people <= {*beside(world, player)} and all(
        each is not None and is_at_hand(world, player, each) for each in things
    )


# ── whether anything is under way ────────────────────────────────────────────────────────────


def _is_calm(unfolding: Unfolding, line: Line) -> bool:
    """Whether the line does nothing to anybody, in an even voice, and neither the scene nor what
    has come of the turn is grave.
    """
    quiet = all(act.kind in (*_QUIET, ActKind.MOVEMENT) or act.act == "wait" for act in line.acts)
    upset = line.feeling.valence < 0 and line.feeling.arousal >= STIRRED
    even = line.register in _EVEN and not upset
    return quiet and even and not _is_tense(unfolding.world) and not any(_grave(unfolding))


def _is_tense(world: World) -> bool:
    """Whether the author has people come to the present scene stirred."""
    scene = world.plan.scenes.get(world.scene or "")
    moods = () if scene is None else tuple(way.mood for way in scene.approach)
    return any(mood is not None and (mood.arousal or 0.0) >= STIRRED for mood in moods)


def _grave(unfolding: Unfolding) -> Iterator[bool]:
    """What has come of the turn that nobody goes on with a habit after."""
    world, player = unfolding.world, whose_turn(unfolding.world)
    for record in unfolding.records:
        match record:
            case EventHappened(event=event):
                known = world.plan.events.get(event)
                yield known is not None and known.intensity >= GRAVE
            case SecretRevealed(to=to):
                yield player in to
    for atom in unfolding.atoms:
        yield isinstance(atom.what, SceneChanged) and atom.what.change is SceneChange.ENTERED


def _spoken_to(unfolding: Unfolding, line: Line) -> Iterator[EntityId]:
    """Whom words of the line are for; where they are for nobody by name, who alone hears them."""
    world = unfolding.world
    said = [act for act in line.acts if act.kind in _SPEAKING]
    for act in said:
        whom = act.to or (act.target.entity if act.target is not None else None)
        if whom in world.plan.cast and whom is not None:
            yield whom
    near = [w for w in hearing(world, whose_turn(world), awake=False) if w != whose_turn(world)]
    yield from near if len(near) == 1 and said else ()


def _turned_to(unfolding: Unfolding, text: str, names: Names) -> Iterator[EntityId]:
    """Whom the line names, and to whom anything of it is said or done."""
    world = unfolding.world
    player, cast = whose_turn(world), world.plan.cast
    found: Collection[EntityId | None] = (
        *(each.entity for each in names.find(text)),
        *(who for deed in world.deeds if deed.who == player for who in (deed.to, deed.about)),
        *(who for atom in unfolding.atoms for who in those_in(atom.participants, Role.TARGET)),
    )
    yield from (each for each in found if each is not None and each in cast)
