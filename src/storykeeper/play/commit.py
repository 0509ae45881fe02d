"""From the words of a turn to its records.

`play_out` decides what the player's words do; it is asked for the window (shown, not yet true) and
again when the turn is committed. `commit` adds what the rendering told: its beats, with what they
reveal, and all that was read from its prose; then what became of things. Both are pure: the same
world, words and reading give the same records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs, to_builtins

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.entities.decide import decide
from storykeeper.events.atoms import (
    Bond,
    Moved,
    PieceTold,
    RelationShifted,
    Resolved,
    Source,
    Voice,
)
from storykeeper.events.changes import BeatTold
from storykeeper.events.turns import TurnCommitted, Unread
from storykeeper.language.deeds import ALWAYS as ALWAYS
from storykeeper.language.names import Names
from storykeeper.language.reading import Reader, Reading
from storykeeper.play.acquainted import acquaintance, cast_in, people_in, told_in
from storykeeper.play.acting import UNANSWERED, Answer, Player, answer_in
from storykeeper.play.calls import lapse
from storykeeper.play.casting import Passage
from storykeeper.play.intents import act_out
from storykeeper.play.line_match import company, match_line
from storykeeper.play.rules import happening, reveal_here, settle
from storykeeper.play.stage_changes import stand
from storykeeper.play.staged_telling import tell_staged
from storykeeper.play.story_words import Lexicon as Lexicon
from storykeeper.play.story_words import lexicon as lexicon
from storykeeper.play.turn import left_unread
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.word_for_word import SPREAD_LINES, guess_facts
from storykeeper.staging.cues import Cued
from storykeeper.staging.declaration import parsed
from storykeeper.staging.declared_cues import declared
from storykeeper.staging.stage_set import Told
from storykeeper.story.model import NARRATOR
from storykeeper.units import AtomId, EntityId, SceneId
from storykeeper.world.heard import BEAT, names_told
from storykeeper.world.state import Pending, World, in_turn

if TYPE_CHECKING:
    from storykeeper.staging.reader import StageReader

MOST_TURNS = 12  # that are looked through for the last lines of a player


def play_out(
    world: World, turn: Pending, answer: Answer = UNANSWERED, *, before: Sequence[str] = ()
) -> Unfolding:
    """What the player's words do, what characters do of their own accord, and all that follows;
    `answer` if they were answered already, `before` what they typed in the turns before.
    """
    unfolding = before_acting(world, turn, answer, before=before)
    if Unread.LINE not in turn.unread:
        act_out(unfolding, turn)
    return unfolding


def before_acting(
    world: World, turn: Pending, answer: Answer = UNANSWERED, *, before: Sequence[str] = ()
) -> Unfolding:
    """The same, up to where characters act."""
    unfolding = Unfolding(world, turn.turn)
    unfolding.add(TurnCommitted(turn.turn, turn.take, names_told(world, turn)))
    unfolding.world = in_turn(unfolding.world, turn)
    if Unread.LINE in turn.unread:
        settle(unfolding)
        return unfolding
    player = Player(unfolding, turn, acquaintance(unfolding.world, turn.player), answer)
    words = lexicon(world.plan)
    player.act_all(words.acts_of(turn.text, by=turn.player, names=player.names))
    match_line(unfolding, turn.text, player.names, company(unfolding.world))
    guess_facts(unfolding, turn.text, player.names, player=turn.player, before=before)
    settle(unfolding)
    return unfolding


def read_prose(world: World, turn: Pending, reader: Reader) -> Reading:
    """The reading of what a turn told; of what was left unread, none."""
    if Unread.PROSE in turn.unread:
        return Reading("", notes=(left_unread(turn.turn, Unread.PROSE),))
    _, names = told_in(world, turn)
    return reader.read(turn.prose if turn.take else "", cast=cast_in(names, world))


def read_ahead(world: World, turn: Pending, reader: Reader) -> Reading:
    """Read what a turn told before it is made fact, so that nobody waits for it then."""
    reading, stager = read_prose(world, turn, reader), stager_of(reader)
    if stager is not None and reading.text.strip():
        stager.cued(world, _for_stager(world, turn, reading))
    return reading


def stager_of(reader: Reader) -> StageReader | None:
    """What reads who came and went for a run, if it is not the rules."""
    found: StageReader | None = getattr(reader, "stager", None)
    return found


def commit(
    world: World, turn: Pending, reading: Reading, *, before: Sequence[str] = (),
    stager: StageReader | None = None,
) -> Unfolding:  # fmt: skip
    """All records of a turn that is fact now; `reading` is of its prose, `before` are the last
    lines of the same player (`last_lines`).
    """
    unfolding = _told(world, turn, reading, before, stager)
    lapse(unfolding, world, turn.player)
    _bind_themes(unfolding)
    _decide_entities(unfolding)
    unfolding.world = structs.replace(unfolding.world, player=None)  # the turn is over
    return unfolding


def last_lines(turns: Sequence[tuple[EntityId, str]], player: EntityId) -> tuple[str, ...]:
    """What a player typed last, of all that was typed."""
    mine = [text for who, text in turns if who == player and text]
    return tuple(mine[-SPREAD_LINES:])


def _told(
    world: World, turn: Pending, reading: Reading, before: Sequence[str],
    stager: StageReader | None,
) -> Unfolding:  # fmt: skip
    """What the player's words do, and then what the rendering told."""
    unfolding, offered = _answered(world, turn, reading, before)
    if turn.take:
        known, names = told_in(unfolding.world, turn)
        passage = Passage(turn, reading, names, frozenset(world.told_lines), known)
        cued = _declared(unfolding.world, turn, names, offered)
        if stager is not None and not cued.complete and Unread.PROSE not in turn.unread:
            then, prose = unfolding.world, _for_stager(world, turn, reading)
            read = stager.cued(world, prose, then=then)
            read = read.without_courses(_moved(world, then))
            cued = cued.beside(read, player=turn.player)
        tell_staged(unfolding, passage, cued)
        if Unread.LINE not in turn.unread:
            here = company(in_turn(world, turn), _spoken(unfolding))
            match_line(unfolding, turn.text, known.names(), here)
        settle(unfolding)
        stand(unfolding, cued, told=turn.player)
    return unfolding


def _spoken(unfolding: Unfolding) -> list[EntityId | None]:
    """Who speaks in what was told, in order."""
    told = (atom.what for atom in unfolding.atoms)
    return [what.speaker for what in told if isinstance(what, PieceTold)]


def _answered(
    world: World, turn: Pending, reading: Reading, before: Sequence[str]
) -> tuple[Unfolding, tuple[str, ...]]:
    """What the player's words do, given who answers them, and the beats that were told; and the
    facts that were offered to who told them.
    """
    answer = answer_in(reading, told_in(world, turn)[1]) if turn.take else UNANSWERED
    unfolding = play_out(world, turn, answer, before=before)
    offered = _offered(unfolding.world, turn) if turn.handles is None else turn.handles
    for name in _beats(turn) if turn.take else ():
        _tell(unfolding, name)
    return unfolding, offered


def _for_stager(world: World, turn: Pending, reading: Reading) -> Told:
    people = people_in(told_in(world, turn)[1], world, turn.player)
    return Told(reading, people, turn.player, turn.text, declared=turn.stage is not None)


def _moved(before: World, now: World) -> list[EntityId]:
    """Those whom the player's line has taken somewhere else."""
    return [who for who, place in now.places.items() if before.places.get(who) != place]


def _declared(world: World, turn: Pending, names: Names, offered: Sequence[str]) -> Cued:
    """What the author and the narrator say of a turn's stage, as far as it can be so."""
    found = Cued()
    for beat in filter(None, map(world.plan.beats.get, _beats(turn))):
        if beat.stage is not None:
            directions = parsed(to_builtins(beat.stage)).declaration
            found = found.then(declared(
                world, directions, turn.prose, names, player=turn.player, says=Voice.AUTHOR
            ))  # fmt: skip
    if turn.stage is not None:  # the narrator tells a beat in words of its own, and goes on from it
        found = found.before(len(turn.prose)).then(declared(
            world, turn.stage, turn.prose, names, player=turn.player, says=Voice.NARRATOR,
            typed=turn.text, offered=offered, given=_offered(world, turn),
        ))  # fmt: skip
    return found


def _offered(world: World, turn: Pending) -> tuple[str, ...]:
    """The facts that a narrator may tell as things stand."""
    present = PresentTurn(turn.turn, turn.player, turn.text)
    return Boundary(world, (), present, audience=NARRATOR).offered


def not_so(world: World, reader: Reader, *, before: Sequence[str] = ()) -> tuple[str, ...]:
    """What of the declaration of the turn just shown cannot be so, and why: as it is decided when
    the turn becomes fact.
    """
    shown = world.pending
    if shown is None or not (shown.stage or any(_beats(shown))):
        return ()
    unfolding, offered = _answered(world, shown, read_prose(world, shown, reader), before)
    names = told_in(unfolding.world, shown)[1]
    return _declared(unfolding.world, shown, names, offered).dropped


def _beats(turn: Pending) -> Iterator[str]:
    return (item.removeprefix(BEAT) for item in turn.told if item.startswith(BEAT))


def _tell(unfolding: Unfolding, name: str) -> None:
    beat = unfolding.world.plan.beats.get(name)
    if beat is None or name in unfolding.world.told:
        return
    scene, _, beat_id = name.partition("/")
    unfolding.add(BeatTold(unfolding.turn, SceneId(scene), beat_id))
    reveal_here(unfolding, beat.reveals, how="revealed")
    for event in beat.happens:
        if event not in unfolding.world.happened:
            for record in list(happening(unfolding.world, unfolding, event)):
                unfolding.add(record)


def _bind_themes(unfolding: Unfolding) -> None:
    """Atoms about the author's things that share a theme are an image of each other."""
    things = unfolding.world.plan.things
    by_theme: dict[str, list[AtomId]] = {}
    for atom in unfolding.atoms:
        themes = {
            theme
            for part in atom.participants
            if isinstance(part.entity, Resolved) and part.entity.entity in things
            for theme in things[part.entity.entity].themes
        }
        for theme in sorted(themes):
            by_theme.setdefault(theme, []).append(atom.id)
    bound: dict[tuple[AtomId, ...], list[str]] = {}
    for theme, atoms in by_theme.items():
        if len(atoms) > 1:
            bound.setdefault(tuple(atoms), []).append(theme)
    for members, shared in bound.items():
        unfolding.bind(Bond.THEMATIC, members, themes=tuple(shared))


def _decide_entities(unfolding: Unfolding) -> None:
    """What became of things in this turn."""
    decided = decide(unfolding.world, unfolding.turn, unfolding.atoms)
    for record in decided.records:
        unfolding.add(record)
    for shift in decided.shifts:
        unfolding.happen(
            RelationShifted(shift.dimension, shift.by), source=Source.RULE,
            actor=shift.who, target=shift.toward,
        )  # fmt: skip
    for thing, holder in decided.held:
        unfolding.happen(Moved(holder), source=Source.RULE, subject=thing)
