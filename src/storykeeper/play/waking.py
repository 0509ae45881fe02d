"""Who sleeps on and who wakes, by what is told and by what a player does.

Who sleeps perceives nothing (F8.1). Talking in one's sleep wakes nobody, and who does it does not
know of it; nor does being spoken of, looked at or covered up. Who is woken, shaken, or called by
name at the top of somebody's voice wakes, and so does who opens their eyes, sits up or gets up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from storykeeper.events.atoms import ActionTaken, Participant, Resolved, Role, Source
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.play.manner import is_loud, is_said_asleep, sentence_at
from storykeeper.play.sight import FALLING_OFF, ROUSING, seen_by
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.state import World

WAKE = "wake"
_CALLING = frozenset({"call", "call out", "shout", "yell", "scream", "bellow", "roar"})
_GETTING_UP = frozenset({
    "sit up", "get up", "stand up", "rise", "jump up", "start up", "spring up", "wake", "wake up",
    "awaken", "waken",
})  # fmt: skip
_BY_HAND = frozenset({VerbClass.TAKE, VerbClass.GIVE, VerbClass.PUT, VerbClass.ASK})
_AWAKE_ONLY = frozenset({
    "pour", "drink", "eat", "laugh", "nod", "shrug", "walk", "go", "read", "write", "cook", "light",
    "answer", "reply", "look", "watch", "dance", "wave", "bow", "stand", "applaud", "clap",
})  # fmt: skip
_SAYING = re.compile(
    r"\b(?:says?|said|asks?|asked|answers?|answered|repl(?:y|ies|ied)|shouts?|shouted|laughs?"
    r"|laughed|agree[sd]?|adds?|added|explains?|explained|calls?|called)\b",
    re.IGNORECASE,
)
_WAKING = re.compile(
    r"\b(?:awake|bolt upright|upright|open(?:s|ed|ing)? (?:\w+ ){0,2}eyes?"
    r"|(?:comes?|came) (?:to|round|around)(?=\W*$| (?:on|in|with|again|slowly|at last|and|under)\b)"
    r"|(?:regain|recover)(?:s|ed|ing)? consciousness|revives?|revived"
    r"|(?:gets?|got|climb(?:s|ed)?) out of bed)\b",
    re.IGNORECASE,
)
_MUMBLING = re.compile(r"\b(?:mumbl|mutter|moan|groan|murmur)\w*\b", re.IGNORECASE)
_AWAKE = re.compile(r"\bawake\b", re.IGNORECASE)
_SLEEPING_ON = re.compile(
    r"\b(?:sleep|dreams?|nightmare|without waking|not wake|half awake|lies? awake)\b", re.IGNORECASE
)

# What is shaken is no sleeper: one's head, or a blanket over them.
_SHAKEN = re.compile(
    r"\bsh(?:ak(?:e|es|ing)|ook)\s+(?:\w+ly\s+)?(?:out\b|off\b|hands\b"
    r"|(?:my|your|his|her|their|the|a|an)\s+(?:\w+\s+)?(?:heads?|fists?|fingers?|hair|hands?|coat"
    r"|cloak|umbrella|blankets?|sheets?|quilt|pillow|rug|cloth|bottle|box|dice)\b)",
    re.IGNORECASE,
)
_IN_VAIN = re.compile(
    r"(?:\bnot|n[’']t|\bnever|\bcannot|\bwithout|\bnobody)\s+(?:(?:even|so\s+much\s+as|\w+ly)\s+)?"
    r"(?:wak\w*|awak\w*|stir\w*|rous\w*|mov\w*|respond\w*)"
    r"|\b(?:sleeps?|slept|snores?|snored)\s+(?:\w+ly\s+)?(?:on|through)\b|\bin\s+vain\b"
    r"|\bto\s+no\s+avail\b|\b(?:goes|went|keeps?|kept)\s+(?:on\s+)?(?:sleeping|snoring)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(r"[^.!?…\n]*[.!?…]*[^.!?…\n]*")  # to the end of the sentence after it


def in_sleep(world: World, around: str, speaker: EntityId | None, *, before: str) -> bool:
    """Whether words are said in one's sleep: so the narration beside them says; or the sentence
    before them, of somebody who sleeps; or a sleeper only mumbles them.
    """
    if is_said_asleep(around) or speaker not in world.asleep:
        return is_said_asleep(around)
    if _MUMBLING.search(around) and not _WAKING.search(around):
        return True
    line = before[before.rfind("\n") + 1 :].rstrip(" .!?…")
    return bool(line) and is_said_asleep(sentence_at(line, len(line) - 1))


def unawares(world: World, parts: Sequence[Participant], *, verb: str) -> list[Participant]:
    """The participants of a deed, where it is only about those who sleep through it."""

    def sleeps(part: Participant) -> bool:
        asleep = isinstance(part.entity, Resolved) and part.entity.entity in world.asleep
        return part.role is Role.TARGET and asleep and verb not in ROUSING

    return [Participant(Role.SUBJECT, p.entity) if sleeps(p) else p for p in parts]


def wake_by_deed(
    unfolding: Unfolding,
    actors: Sequence[EntityId],
    others: Sequence[EntityId],
    *,
    verb: str,
    words: str,
    told: EntityId,
    after: str = "",
) -> None:
    """Decide who wakes by a deed: who is shaken or called, and who gets up.

    `after` is told next, and may say that it was in vain.
    """
    asleep = unfolding.world.asleep
    if not asleep or _SLEEPING_ON.search(words):
        return
    by_themselves = any(who in asleep for who in actors)
    rousing = verb in ROUSING or (verb in _CALLING and is_loud(words))
    if rousing and not _AWAKE.search(words):
        near = _NEXT.match(after)
        vain = _IN_VAIN.search(f"{words} {near[0] if near else ''}")
        rousing = not (vain or _SHAKEN.search(words))
    if rousing or (_AWAKE.search(words) and not by_themselves):
        wake(unfolding, others, told=told)
    if verb in _GETTING_UP or _WAKING.search(words) or _acts(verb):
        wake(unfolding, actors, told=told)


def _acts(verb: str) -> bool:
    """Whether nobody does it asleep: who pours coffee or laughs is awake."""
    first = verb.partition(" ")[0]
    if verb in FALLING_OFF:
        return False
    return bool({*verb_classes(first)} & _BY_HAND) or first in _AWAKE_ONLY


def wake_by_words(
    unfolding: Unfolding, speaker: EntityId | None, around: str, *, told: EntityId
) -> None:
    """Decide that a sleeper who plainly says something is awake; who mumbles sleeps on."""
    if speaker in unfolding.world.asleep and speaker and _SAYING.search(around):
        wake(unfolding, [speaker], told=told)


def wake_by_call(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    addressed: Collection[str],
    around: str,
    *,
    told: EntityId,
) -> None:
    """Decide that those wake whom loud words call, where they sleep."""
    world = unfolding.world
    if not world.asleep or not is_loud(around):
        return
    here = {world.places.get(who) for who in those_in(parts, Role.ACTOR)} - {None}
    called = [who for who in those_in(parts, Role.TARGET, Role.SUBJECT) if who in addressed]
    wake(unfolding, [who for who in called if world.places.get(who) in here], told=told)


def wake(unfolding: Unfolding, whom: Iterable[EntityId], *, told: EntityId) -> None:
    """Decide that those of them wake who sleep; those there see it."""
    for who in dict.fromkeys(whom):
        if who not in unfolding.world.asleep:
            continue
        parts = [Participant(Role.ACTOR, Resolved(who))]
        watching = seen_by(
            unfolding.world, ActionTaken(WAKE), parts, frozenset({VerbClass.WAKE}),
            told=told, sentence="",
        )  # fmt: skip
        unfolding.take_place(ActionTaken(WAKE), parts, source=Source.RULE, seen_by=watching)
