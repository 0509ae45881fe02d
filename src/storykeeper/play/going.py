"""Coming and going: ways from place to place as far as they stand open, and who goes, as told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EntityChange,
    EntityChanged,
    Participant,
    Resolved,
    Role,
    Source,
)
from storykeeper.events.effects import Effect
from storykeeper.language.lexicon import VerbClass
from storykeeper.play.sight import seen_by
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.state import World, whose_turn
from storykeeper.world.ways import open_ways
from storykeeper.world.whereabouts import setting_of

_GOAL = re.compile(
    r"\b(?:go|goes|went|gone|walk|walks|walked|run|runs|ran|climb|climbs|climbed|hurry|hurries"
    r"|hurried|step|steps|stepped|come|comes|came|head|heads|headed|creep|creeps"
    r"|crept|stride|strides|strode|return|returns|returned)\s+"
    r"(?!(?:the|an?|his|her|their|my|your|it|them)\s)(?:\w+\s+){0,2}?(?:to|into|onto)\s"
    r"|\b(?:re-?)?enter(?:s|ed)?\s|\barrive[sd]?\s+(?:at|in)\s",
    re.IGNORECASE,
)
_ENTERING = frozenset({"enter", "reenter", "re-enter"})
_LEAVING = frozenset({"leave", "exit", "depart", "quit", "vacate"})
COMING_BACK = frozenset(
    {"return", "come back", "come in", "walk in", "step in", "slip in", *_ENTERING}
)
_OUT_OF = re.compile(r"\bout of\s", re.IGNORECASE)
# That somebody is gone, in the words of a clause; its verb alone does not say so.
ROOM = r"(?:the|this|that|his|her|their|my|your)\s+(?:\w+\s+)?(?:room|house|hall|kitchen|building"
ROOM += r"|parlou?r|study|chamber|cellar|cottage|hut|barn|shop|inn|tavern|door|doorway|gate|window)"
OUTSIDE = rf"outside|outdoors|upstairs|downstairs|home\b(?!\s+to\b)|out\s+of\s+{ROOM}"
OUTSIDE += rf"|out\b(?!\s+(?:of|from)\b)|(?:through|out)\s+{ROOM}"
MOTION = (
    r"(?:go|goes|went|gone|walk\w*|run|runs|ran|hurr(?:y|ies|ied)|slip\w*|storm\w*|rush\w*"
    r"|rid(?:e|es|den)|rode|driv(?:e|es|en)|drove|stalk\w*|march\w*|str(?:ides?|ode)|sneak\w*"
    r"|snuck|cre(?:eps?|pt)|flees?|fled|gallop\w*|slin(?:ks?)|slunk|stomp\w*|dash\w*|dart\w*"
    r"|wander\w*|head(?:s|ed)?|sail\w*|limp\w*|trot\w*|saunter\w*|stroll\w*|bolt(?:s|ed)?"
    r"|disappear\w*|vanish\w*|st(?:eals?|ole)|duck\w*|sets?|files?|filed|troop(?:s|ed)?"
    r"|back(?:s|ed)|shuffl\w*|trudg\w*|bustl\w*|pop(?:s|ped)?|nip(?:s|ped)?)"
)
_IS = r"(?:\b(?:is|are|was|were|has|have|had|been)|[’']s)\s+(?:(?:\w+ly|already|just|long|now|still"
_IS += r"|all)\s+)?"
_GONE = re.compile(
    rf"\b{MOTION}\s+(?:\w+ly\s+)?(?:off\b|away\b(?!\s+from\b)|{OUTSIDE}|from\s+{ROOM}\b)"
    rf"|\b(?:step|climb|stumble|stagger|shuffle)(?:s|ped|ed|d)?\s+(?:\w+ly\s+)?(?:{OUTSIDE})"
    rf"|{_IS}(?:gone\b(?=\W*$|\s+(?:away|out|off|home|for\s+good|from|up|down))"
    rf"|away\b|elsewhere|absent|{OUTSIDE})"
    r"|^\W*(?:with\s+)?\w+\s+gone\W*$"
    rf"|\b(?:leaves?|left|exit(?:s|ed)?)\s+{ROOM}\b(?!\s+(?:open|ajar|unlocked|shut|closed)\b)",
    re.IGNORECASE,
)
DEAD = re.compile(
    r"(?:\b(?:is|are|was|were|lies|lay|falls?|fell|drops|dropped)|[’']s)\s+(?:\w+\s+)?dead\b"
    r"(?!\s+(?:tired|sure|certain|set|serious|silent|quiet|still|calm|right|wrong|drunk|on|to)\b)"
    r"|\bdie[sd]?\b(?!\s+(?:laughing|inside|down|away|for\s+an?\b|to\s+\w+"
    r"|of\s+(?:laughter|shame|boredom|embarrassment|curiosity|mortification)))",
    re.IGNORECASE,
)
_SENDING = frozenset({"send", "chase", "shoo", "drive", "throw", "order"})
_SENT = re.compile(
    rf"\b(?:away\b|off\b|{OUTSIDE}|to\s+the\b|for\s+(?:a|the|some|more)\b)", re.IGNORECASE
)
_KILLING = frozenset({"kill", "murder", "slay", "behead", "dismiss", "banish"})
# Told of what is not so yet, or was so once.
NOT_NOW = re.compile(
    r"^\W*(?:before|until|till|unless|if)\b|\b(?:yesterday|ago|last\s+(?:night|week|month|year"
    r"|summer|winter|spring|autumn)|(?:years|days|weeks)\s+(?:before|earlier)|tomorrow"
    r"|once\s+upon|used\s+to|as\s+a\s+(?:child|boy|girl)|in\s+(?:1\d|20)\d\d"
    r"|at\s+(?:the\s+age\s+of\b|(?:thir|four|fif|six|seven|eigh|nine)teen\b|twenty\b|1[3-9]\b))\b",
    re.IGNORECASE,
)
# Told of what is done now and then, not of what is done now.
HABIT = re.compile(
    r"\b(?:often|always|usually|sometimes|never|every|would|used\s+to|once|rarely|seldom)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:out|up|down|over|away|back|off)\s+(?:in|at|on|by)\s|\bmeanwhile\b|\belsewhere\b"
    r"|\bimagin|\bdream|\bremember|\bsomewhere\b|\bin\s+the\s+(?:stable|distance)\b"
    r"|(?<!from )\b(?:outside|outdoors)\b|\bhear(?:s|d)?\b"  # as it is seen and heard from inside
    r"|\b(?:through|from|at|out\s+of)\s+(?:the|a|your|his|her)\s+(?:\w+\s+)?(?:window|pane|wall)\b",
    re.IGNORECASE,
)
_IN_HAND = frozenset({VerbClass.TAKE, VerbClass.GIVE, VerbClass.PUT})
_BACK = re.compile(
    rf"\b(?:{MOTION}|step\w*|comes?|came)\s+(?:\w+ly\s+)?(?:back\b|in\b|inside\b|into\s+{ROOM})",
    re.IGNORECASE,
)
_RETURNS = re.compile(
    rf"\b(?:{MOTION}|step\w*|comes?|came)\s+(?:\w+ly\s+)?back\b(?!\s+(?:to|into|up|down|out)\b)"
    r"|\breturn(?:s|ed)?\b(?!\s+(?:to|into)\b)|\breappear(?:s|ed)?\b",
    re.IGNORECASE,
)
_COMES_IN = re.compile(
    r"\b(?:comes?|came|walks?|walked|steps?|stepped)\s+in\b"
    r"(?!\s+(?:the|a|an|his|her|their|first|second|third|last|handy|useful)\b)"
    r"|\benter(?:s|ed)?\b",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:back|in|returns?|returned|reappears?)\s+from\s", re.IGNORECASE)
LEAVING, RETURNING, DYING = "leave", "return", "die"


# ── as it is told ────────────────────────────────────────────────────────────────────────────


def goes_to(
    world: World, parts: Sequence[Participant], *, verb: str, words: str
) -> EntityId | None:
    """The author's place that some of the cast, named, go to: `words` are the clause's.

    Only where a preposition says that it is the goal; to turn to the tower is not to go there. Of
    somebody elsewhere prose may tell what was long ago: they must come to where the player is, or
    plainly enter, or nothing be known of where they are.
    """
    going = _named(world, parts)
    here = world.places.get(whose_turn(world))
    if not going:
        return None
    if _comes_here(world, going, parts, verb=verb, words=words):
        return here
    if verb in COMING_BACK and not _said_where(parts):
        return None
    places = _settings(world, parts)
    if not places or not _GOAL.search(words) or _OUT_OF.search(words):
        return None
    to = places[-1]
    plainly = verb in _ENTERING or here in (None, to)
    near = all(world.places.get(who, here) == here for who in going)
    return to if plainly or near else None


def _comes_here(
    world: World, going: Sequence[EntityId], parts: Sequence[Participant], *, verb: str, words: str
) -> bool:
    """Whether some come, or come back, to no place said: that is to where the player is.

    Who only comes in, comes from next door. Who is where the player is, or nowhere known, need not
    come from anywhere.
    """
    here = world.places.get(whose_turn(world))
    if _said_where(parts) and not (_FROM.search(words) and _only_from(world, going, parts)):
        return False
    if here is None or NOT_NOW.search(words) or _ELSEWHERE.search(words):
        return False
    if all(who not in world.places for who in going):
        return verb in COMING_BACK or (verb == "come" and bool(_RETURNS.search(words)))
    if any(world.places.get(who) == here for who in going):
        return False
    nearby = {here, *open_ways(world, here)}
    comes_in = bool(_COMES_IN.search(words)) and {world.places.get(w) for w in going} <= nearby
    return bool(_RETURNS.search(words)) or comes_in


def _only_from(world: World, going: Sequence[EntityId], parts: Sequence[Participant]) -> bool:
    """Whether the only place that is named is where they are."""
    said = [p for p in parts if p.role in (Role.TARGET, Role.SUBJECT, Role.LOCATION)]
    places = _settings(world, parts)
    return len(places) == len(said) and {*places} == {world.places.get(who) for who in going}


def departs(world: World, parts: Sequence[Participant], *, verb: str, words: str) -> bool:
    """Whether somebody of the cast is gone by a clause: they leave, are sent away, or die."""
    if NOT_NOW.search(words):  # who is away stays so, whatever they did then
        doing = _of_the_cast(world, parts, Role.ACTOR)
        return bool(doing) and set(doing) <= set(world.away)
    if _sends(verb):
        sent = verb in _KILLING or _SENT.search(words) is not None
        return sent and bool(_of_the_cast(world, parts, Role.TARGET, Role.SUBJECT))
    return _leaves_for_good(world, parts, verb=verb, words=words) or (
        not _settings(world, parts)
        and bool(_of_the_cast(world, parts, Role.ACTOR))
        and bool(_GONE.search(words) or DEAD.search(words))
    )


def _sends(verb: str) -> bool:
    """Whether it is done to whoever is gone by it: also "send out", "throw out"."""
    return verb in _KILLING or verb.partition(" ")[0] in _SENDING


def _leaves_for_good(
    world: World, parts: Sequence[Participant], *, verb: str, words: str
) -> bool:  # fmt: skip
    """Whether some, named, leave the author's place where they are, for none said.

    Who only goes out is not gone: prose seldom tells that they come back (`World.away`).
    """
    going = _named(world, parts)
    if not going:
        return False
    here = {world.places.get(who) for who in going}
    left = _settings(world, parts, Role.TARGET)
    if _OUT_OF.search(words):
        left = _settings(world, parts)
    elif verb not in _LEAVING:
        return False
    return any(here <= {place, None} for place in left)


def leave(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    told: EntityId,
    sentence: str,
) -> None:
    """Decide that those are gone whom the clause just told says to be; who saw it saw that."""
    world, act = unfolding.world, _last_act(unfolding)
    if _sends(act):
        for who in _of_the_cast(world, parts, Role.TARGET, Role.SUBJECT):
            step(unfolding, who, LEAVING, told=told)
    elif not _settings(world, parts):
        for who in _of_the_cast(world, parts, Role.ACTOR):
            step(unfolding, who, DYING if DEAD.search(sentence) else LEAVING, told=told)
    else:
        gone = EntityChanged(EntityChange.DEPARTED)
        watching = seen_by(world, gone, parts, classes, told=told, sentence=sentence)
        for who in those_in(parts, Role.ACTOR):
            unfolding.take_place(
                gone, [Participant(Role.SUBJECT, Resolved(who))], source=Source.RULE,
                seen_by=tuple(dict.fromkeys((who, *watching))),
            )  # fmt: skip


def come_back(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    told: EntityId,
    sentence: str,
) -> None:
    """Decide that who stepped out and does something here is back, though nothing told of it."""
    away = [who for who in _of_the_cast(unfolding.world, parts, Role.ACTOR)
            if who in unfolding.world.away]  # fmt: skip
    if not away or any(p.search(sentence) for p in (NOT_NOW, _ELSEWHERE, _GONE)):
        return
    for who in away:
        here = _done_here(unfolding.world, who, parts, classes, just=_just_left(unfolding, who))
        if _BACK.search(sentence) or here:
            step(unfolding, who, RETURNING, told=told)


def _just_left(unfolding: Unfolding, who: EntityId) -> bool:
    """Whether somebody went out in this turn: what they take or put next may be out there."""
    return any(
        isinstance(atom.what, ActionTaken)
        and Effect.STEPS_OUT in atom.what.effects
        and who in those_in(atom.participants, Role.ACTOR)
        for atom in unfolding.atoms
    )


def _done_here(
    world: World,
    who: EntityId,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    just: bool,
) -> bool:
    """Whether a deed is done to somebody there, or to a thing that may be there."""
    there = world.places.get(who)
    if any(p.role is Role.LOCATION for p in parts) and there not in _settings(world, parts):
        return False
    known = [e for e in those_in(parts, Role.TARGET, Role.SUBJECT) if e not in world.away]
    if any(setting_of(world, each) == there for each in known):
        return there is not None
    return not known and not just and bool(classes & _IN_HAND)


def step(unfolding: Unfolding, who: EntityId, act: str, *, told: EntityId) -> None:
    """Decide that somebody goes out, or comes back, if they have not; those there see it."""
    if (who in unfolding.world.away) != (act == RETURNING):
        return
    parts = [Participant(Role.ACTOR, Resolved(who))]
    watching = seen_by(
        unfolding.world, ActionTaken(act), parts, frozenset({VerbClass.MOVE}),
        told=told, sentence="",
    )  # fmt: skip
    unfolding.take_place(ActionTaken(act), parts, source=Source.RULE, seen_by=watching)


def _last_act(unfolding: Unfolding) -> str:
    last = unfolding.records[-1] if unfolding.records else None
    return last.what.act if isinstance(last, Atom) and isinstance(last.what, ActionTaken) else ""


def _of_the_cast(world: World, parts: Sequence[Participant], *roles: Role) -> list[EntityId]:
    """Those of the cast in some roles, if no player is with them: players move themselves."""
    found = [who for who in those_in(parts, *roles) if who in world.plan.cast]
    return [] if set(found) & set(world.plan.players) else found


def _named(world: World, parts: Sequence[Participant]) -> list[EntityId]:
    """Who does it, if they are all of the cast, called by name, and no player's to move."""
    actors = [p.entity for p in parts if p.role is Role.ACTOR]
    going = [
        ref.entity
        for ref in actors
        if isinstance(ref, Resolved)
        and ref.by == "name"
        and ref.entity in world.plan.cast
        and ref.entity not in world.plan.players
    ]
    return going if len(going) == len(actors) else []


def _said_where(parts: Sequence[Participant]) -> bool:
    return any(p.role in (Role.TARGET, Role.SUBJECT, Role.LOCATION) for p in parts)


def _settings(world: World, parts: Sequence[Participant], *roles: Role) -> list[EntityId]:
    wanted = roles or (Role.LOCATION, Role.TARGET)
    return [
        p.entity.entity
        for p in parts
        if p.role in wanted
        and isinstance(p.entity, Resolved)
        and p.entity.entity in world.plan.settings
    ]
