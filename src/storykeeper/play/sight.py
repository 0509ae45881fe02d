"""Who else perceives what a rendering tells: closed unless it plainly happens before their eyes.

Prose is told to the player whose turn it is. That others saw it too is taken for granted only of
what somebody of the cast, whose place is known, says aloud or does with their hands, of their
coming and going, and of where a thing is said to be; not of what is thought, felt, remembered or
done unseen. Where those who take part are not in one place, nothing is taken for granted. What is
said low or apart (`manner`) is for whom it is said to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storykeeper.events.atoms import (
    EntityChanged,
    Happening,
    Moved,
    Participant,
    Resolved,
    Role,
    SpeechUttered,
    StateAsserted,
)
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.unseen import PAST, UNSEEN
from storykeeper.play.earshot import is_out_of_reach
from storykeeper.play.manner import CLOSED, SECRET, Manner
from storykeeper.play.witnesses import those_in, witnesses
from storykeeper.units import EntityId
from storykeeper.world.earshot import same_side
from storykeeper.world.hearing import is_deaf
from storykeeper.world.lines import carries, on_line
from storykeeper.world.state import World

_OUTWARD = frozenset({
    VerbClass.TAKE, VerbClass.GIVE, VerbClass.HANDLE, VerbClass.PUT, VerbClass.HARM,
    VerbClass.CARE, VerbClass.MOVE, VerbClass.SLEEP, VerbClass.WAKE,
})  # fmt: skip
_BY_STEALTH = frozenset({VerbClass.TAKE, VerbClass.PUT, VerbClass.PERCEIVE})
# Nobody else perceives these, nor does whom they are about.
_INWARD = frozenset({
    "see", "notice", "spot", "hear", "recognise", "recognize", "realise", "realize", "remember",
    "recall", "feel", "sense", "smell", "know", "understand", "wonder", "wish", "hope", "want",
    "believe", "love", "like", "hate", "dislike", "fear", "dread", "miss", "envy", "adore",
    "despise", "loathe", "resent", "pity", "regret", "long", "yearn", "desire", "abhor", "crave",
})  # fmt: skip
_ASLEEP = re.compile(
    r"(?<!half )(?<!half-)\b(?:asleep|unconscious|fainted|comatose|senseless|insensible|sedated"
    r"|drugged|snoring)\b",
    re.IGNORECASE,
)
_OUT_COLD = re.compile(
    r"\b(?:is|was|are|were|lies|lay|been) (?:\w+ )?(?:out cold|out like a light|knocked out"
    r"|passed out|blacked out|dead to the world|in a (?:\w+ )?(?:coma|stupor|faint|swoon))\b",
    re.IGNORECASE,
)
# Of who does it: "he slumps over, senseless".
_DROPPING = frozenset({"slump", "slump over", "collapse", "crumple", "drop", "topple", "keel over"})
FALLING_OFF = frozenset({
    "snore", "slumber", "snooze", "nap", "swoon", "black out", "pass out", "conk out", "drop off",
})  # fmt: skip
# One sleeps so in general, or with whom one loves.
_NOT_NOW = re.compile(
    r"\bsle(?:eps?|pt) (?:around|with|rough)\b"
    r"|\b(?:usually|always|often|never|rarely|seldom|barely|hardly) sle(?:eps?|pt)\b"
    r"|\bsle(?:eps?|pt) (?:[\w’'-]+ ){0,4}?(?:these days|every night|most nights|last night|until"
    r"|till)\b",
    re.IGNORECASE,
)
# What is passed out, or dropped off, is handed round or delivered; "the moment he sits" is not.
_HANDING = re.compile(
    r"\b(?:pass(?:es|ed|ing)? out|drop(?:s|ped|ping)? off) (?:(?:the|an?|some|my|your|his|her|their"
    r"|our|more|another|two|three|several|these|those|that|this|all|it|them)\b"
    r"(?! (?:\w+ )?(?:moment|instant|minute|second|time|while|bit|third|hour|few)\b)"
    r"|[\w’'-]+s (?:to|for|among|at|round|around)\b)",
    re.IGNORECASE,
)
_HANDED = {"pass out": "hand out", "drop off": "deliver"}
_FALLING = frozenset({"fall", "lie", "sit", "go", "lose", "sink", "slip"})
MAX_WORDS_CHARS = 200
# Who does it stands right before: "Mara waits till Tom falls asleep" is not of Mara.
_FALLING_ASLEEP = re.compile(
    r"\W*\w+(?:\W+\w+){0,2} (?:(?:f[ae]ll(?:s|en)?|lies|lay|sits|sat) (?:\w+ )?asleep"
    r"|(?:f[ae]ll(?:s|en)?|sinks?|sank|goes|went|slips?|slipped) into (?:an? )?(?:\w+ )?(?:sleep"
    r"|slumber|coma|stupor|faint|unconsciousness)|(?:go|goes|went|gone) (?:back )?to sleep"
    r"|(?:falls|fell|lies|lay|sits|sat) (?:\w+ )?(?:unconscious|senseless|comatose)"
    r"|(?:loses|lost) consciousness)\b",
    re.IGNORECASE,
)
# By these one wakes somebody who sleeps.
ROUSING = frozenset({
    "wake", "wake up", "awaken", "waken", "rouse", "revive", "shake", "shake awake", "nudge awake",
    "slap", "jolt", "jostle", "prod", "poke",
})  # fmt: skip
_VISIBLE = re.compile(r"(?:in)?visible(?: again| once more)?", re.IGNORECASE)
_FROM_AFAR = frozenset({"phone", "telephone", "ring up", "call up"})  # felt by whom it is done to


def told_to(player: EntityId, participants: Sequence[Participant]) -> tuple[EntityId, ...]:
    """The player whose turn it is, unless they have a part in it: they were told.

    Of several players the others perceive what their characters do: no more is taken for granted.
    """
    return () if player in those_in(participants, Role.ACTOR, Role.TARGET) else (player,)


def is_inward(verb: str) -> bool:
    """Whether nobody else perceives a deed: thinking, wanting, seeing."""
    return verb in _INWARD or VerbClass.THINK in verb_classes(verb)


def as_perceived(
    world: World, participants: Sequence[Participant], *, verb: str, sentence: str = ""
) -> list[Participant]:
    """The participants, where whom it is done to unawares is only what it is about.

    Nobody perceives that they are thought of; nor does who sleeps, stepped out or is elsewhere,
    nor from whom something is taken, by what the sentence says, unseen.
    """
    if verb in _FROM_AFAR:
        return list(participants)
    stolen = bool(verb_classes(verb) & _BY_STEALTH) and UNSEEN.search(sentence) is not None
    inward = is_inward(verb) or stolen
    actors = those_in(participants, Role.ACTOR)
    here = {world.places.get(who) for who in actors}
    side = {*same_side(world, actors), *world.plan.players}

    def unaware(part: Participant) -> bool:
        if part.role is not Role.TARGET or not isinstance(part.entity, Resolved):
            return False
        who, there = part.entity.entity, world.places.get(part.entity.entity)
        rouses = verb in ROUSING  # who is shaken perceives it; a bang may wake them anywhere
        absent = None not in here and there is not None and there not in here
        absent = absent and not (rouses and not here)
        asleep = who in world.asleep and not rouses
        gone = absent or asleep or who in world.away or who not in side
        return who in world.plan.cast and (inward or gone)

    return [Participant(Role.SUBJECT, p.entity) if unaware(p) else p for p in participants]


def turned(state: str, *, verb: str, words: str) -> str:
    """The deed by which somebody gets into a state in which they perceive, or are, otherwise.

    `words` are the clause's: "He fell asleep." names no state of its own.
    """
    words = words[:MAX_WORDS_CHARS]
    if verb == "sleep" and _NOT_NOW.search(words):
        return "sleep in general"
    if verb in _HANDED and _HANDING.search(words):
        return _HANDED[verb]
    falling = verb in _FALLING and _FALLING_ASLEEP.match(words) is not None
    out = _ASLEEP.search(state) or (verb in ("be", "lie") and _OUT_COLD.search(words))
    out = out or (verb in _DROPPING and _ASLEEP.search(words))
    out = None if "unconscious of" in words else out
    if falling or verb in FALLING_OFF or out:
        return "sleep"
    if state.casefold().split()[-1:] == ["awake"]:
        return "wake"
    return f"turn {state.split()[0].casefold()}" if _VISIBLE.fullmatch(state.strip()) else ""


def as_heard(
    world: World,
    participants: Sequence[Participant],
    *,
    told: EntityId,
    outright: bool,
    guess: bool,
) -> list[Participant]:
    """The participants of words, where whom they do not reach is only whom they are about.

    Nobody is told anything asleep or deaf, or in another place that hears nothing of this one. Who
    has stepped out, or is nobody knows where, is told if the prose says outright that it is said to
    them; a name called after them does not reach them. Where it is only a `guess` to whom words
    are said, they reach the player told at most.
    """
    speakers = those_in(participants, Role.ACTOR)
    here = {world.places.get(who) for who in speakers}
    side = same_side(world, speakers)

    def unreached(part: Participant) -> bool:
        if part.role is not Role.TARGET or not isinstance(part.entity, Resolved):
            return False
        who, there = part.entity.entity, world.places.get(part.entity.entity)
        if who not in world.plan.cast or who in speakers:
            return False
        if who in world.asleep or is_deaf(world, who):
            return True
        if who != told and (guess or who not in side):
            return True
        if any(carries(world, speaker, who) for speaker in speakers) or (
            who == told and not speakers  # whoever "she" is who says it in your ear
        ):
            return False
        if who in world.away or there is None:
            return not outright and None not in here
        setting = world.plan.settings.get(there)
        return None not in here and here.isdisjoint((there, *(setting.hears if setting else ())))

    return [Participant(Role.SUBJECT, p.entity) if unreached(p) else p for p in participants]


def spoken_apart(
    world: World, participants: Sequence[Participant], *, party: Sequence[EntityId], told: EntityId
) -> list[Participant]:
    """The participants of words said apart: to whom they are said, or else those of the party
    drawn aside, or else the player told, if they are there.
    """
    parts = list(participants)
    speakers = those_in(parts, Role.ACTOR)
    if those_in(parts, Role.TARGET) or not speakers:
        return parts
    here = world.places.get(speakers[0])
    whom = [who for who in party if who not in speakers] or [told]
    there = [w for w in whom if w not in speakers and here and world.places.get(w) == here]
    return parts + [Participant(Role.TARGET, Resolved(who)) for who in there]


def uttered(
    world: World,
    said: SpeechUttered,
    participants: Sequence[Participant],
    *,
    told: EntityId,
    manner: Manner,
    outright: bool,
    called: bool,
    party: Sequence[EntityId] = (),
    aimed: bool = False,
    beside: str = "",
    shown: frozenset[EntityId] = frozenset(),
) -> tuple[SpeechUttered, list[Participant], tuple[EntityId, ...]]:
    """Words as they are said, with those they reach, and everyone else who hears them.

    `outright` if the prose says to whom they are said, `called` if they call somebody by name,
    `aimed` if low words are told to be for somebody, known or not. `beside` them stands what tells
    how they reach the player, if who says them is on record elsewhere; `shown`: `earshot`.
    """
    far = is_out_of_reach(world, said, participants, told=told, words=beside, shown=shown)
    plainly = outright or (called and manner not in (Manner.WRITTEN, Manner.ALONE))
    low = said.whispered or manner is Manner.APART or (manner is Manner.QUIET and plainly)
    closed = low or far or is_scattered(world, participants)
    guess = not outright if far else (low or manner in CLOSED) and not plainly
    parts = as_heard(world, participants, told=told, outright=outright, guess=guess)
    if manner is Manner.APART and not aimed:
        parts = spoken_apart(world, parts, party=party, told=told)
        low = said.whispered or bool(those_in(parts, Role.TARGET))
    said = SpeechUttered(said.words, low, said.asleep, manner is Manner.WRITTEN)
    if closed:
        return said, parts, told_to(told, parts)
    return said, parts, _heard_by(world, said, parts, told=told, manner=manner)


def _heard_by(
    world: World,
    said: SpeechUttered,
    participants: Sequence[Participant],
    *,
    told: EntityId,
    manner: Manner,
) -> tuple[EntityId, ...]:
    """Everyone who hears words that are no whisper; what is said low stays in the room."""
    if manner in CLOSED:
        return told_to(told, participants)
    everyone = seen_by(world, said, participants, frozenset(), told=told, sentence="")
    if manner is not Manner.QUIET:
        return everyone
    room = room_only(world, said, participants)
    return tuple(who for who in everyone if who == told or who in room)


def room_only(
    world: World, said: SpeechUttered, participants: Sequence[Participant]
) -> tuple[EntityId, ...]:
    """Those who hear what is said low, to nobody: they are in the same place."""
    here = {world.places.get(who) for who in those_in(participants, Role.ACTOR)}
    everyone = witnesses(world, said, participants)
    return tuple(who for who in everyone if world.places.get(who) in here)


def seen_by(
    world: World,
    what: Happening,
    participants: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    told: EntityId,
    sentence: str,
    shown: frozenset[EntityId] = frozenset(),
) -> tuple[EntityId, ...]:
    """Everyone who perceives what a sentence tells, the player it is told to among them."""
    player = told_to(told, participants)
    hidden = any(sign.search(sentence) for sign in (SECRET, UNSEEN, PAST))
    words = isinstance(what, SpeechUttered)  # whether these are out of reach is asked before
    hidden = hidden or (
        not words
        and is_out_of_reach(world, what, participants, told=told, words=sentence, shown=shown)
    )
    if hidden or not _in_plain_sight(world, what, participants, classes):
        return player
    return tuple(dict.fromkeys((*player, *witnesses(world, what, participants))))


def _in_plain_sight(
    world: World,
    what: Happening,
    participants: Sequence[Participant],
    classes: frozenset[VerbClass],
) -> bool:
    if isinstance(what, Moved | EntityChanged) or (
        isinstance(what, StateAsserted) and what.at is not None
    ):
        return not is_scattered(world, participants)
    here = _scene(world, participants)
    if here is None:
        return False
    if isinstance(what, SpeechUttered):
        return True  # wherever what is spoken of may be
    elsewhere = any(
        entity in world.plan.settings and entity != here
        for entity in those_in(participants, Role.LOCATION, Role.TARGET, Role.SUBJECT)
    )
    return not elsewhere and bool(classes & _OUTWARD)


def _scene(world: World, participants: Sequence[Participant]) -> EntityId | None:
    """Where those are who do it, if all are known and are in one place with whom it is done to."""
    actors = those_in(participants, Role.ACTOR)
    if not actors or len(actors) < sum(p.role is Role.ACTOR for p in participants):
        return None
    if is_scattered(world, participants):
        return None
    return world.places.get(actors[0])


def is_scattered(world: World, participants: Sequence[Participant]) -> bool:
    """Whether those who take part are in different places, as far as is known of them."""
    people = [p for p in those_in(participants, Role.ACTOR, Role.TARGET) if p in world.plan.cast]
    if len(people) == 2 and on_line(world, *people):
        return False  # one speaks to the other from afar
    return len({world.places.get(who) for who in people}) > 1
