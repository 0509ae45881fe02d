"""Who hears nothing from now on, or hears again, by what is told (F8.1e)."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import ActionTaken, Participant, Resolved, Role, Source
from storykeeper.language.hearing import hears_again, stops_hearing
from storykeeper.language.lexicon import VerbClass
from storykeeper.language.reading import Clause
from storykeeper.play.sight import seen_by
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.hearing import DEAFENED, HEARING_AGAIN, is_deaf

# Who is done this to is out, whatever comes of it: they perceive nothing till they are told to.
_KNOCKING_OUT = frozenset({
    "knock out", "drug", "sedate", "chloroform", "anaesthetise", "anesthetize", "anaesthetize",
    "tranquillise", "tranquilize", "put under",
})  # fmt: skip
_SLEEP = "sleep"


def change_hearing(
    unfolding: Unfolding,
    clause: Clause,
    parts: Sequence[Participant],
    words: str,
    *,
    told: EntityId,
) -> None:
    """Decide who stops hearing by what a clause tells, who hears again, and who is knocked out."""
    cast = unfolding.world.plan.cast
    doing = [who for who in those_in(parts, Role.ACTOR) if who in cast]
    done_to = [who for who in those_in(parts, Role.TARGET, Role.SUBJECT) if who in cast]
    if clause.verb in _KNOCKING_OUT:
        _turn(unfolding, [w for w in done_to if w not in unfolding.world.asleep], _SLEEP, told=told)
        return
    whom = done_to if clause.verb in ("deafen", "bear") else doing  # born deaf
    if hears_again(words):
        deaf = [who for who in whom if who in unfolding.world.deaf]
        _turn(unfolding, deaf, HEARING_AGAIN, told=told)
    elif clause.verb == "deafen" or stops_hearing(words, clause.state):
        hearing = [who for who in whom if not is_deaf(unfolding.world, who)]
        _turn(unfolding, hearing, DEAFENED, told=told)


def _turn(unfolding: Unfolding, whom: Sequence[EntityId], act: str, *, told: EntityId) -> None:
    for who in dict.fromkeys(whom):
        parts = [Participant(Role.ACTOR, Resolved(who))]
        watching = seen_by(
            unfolding.world, ActionTaken(act), parts, frozenset({VerbClass.HANDLE}),
            told=told, sentence="",
        )  # fmt: skip
        unfolding.take_place(ActionTaken(act), parts, source=Source.RULE, seen_by=watching)
