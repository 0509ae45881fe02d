"""Notes that a player hands over: whoever gets one reads it, and nobody else does (F8.1c).

A verb of handing, somebody it is handed to, something that is written on, and then its words, with
nothing between that says them aloud. A note that is kept, hidden, burned or dropped is read by
nobody; nor is one that the prose leaves unread, or one that is sealed until it is opened.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from storykeeper.entities.weight import weight
from storykeeper.events.atoms import (
    Implication,
    ImplicationKind,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.language.names import Names
from storykeeper.language.writings import POSTED, WRITING
from storykeeper.play.company import company_of
from storykeeper.play.manner import lead_start
from storykeeper.play.perusal import is_read, is_sealed, readers_in
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.word_for_word import tell_facts
from storykeeper.units import EntityId
from storykeeper.world.state import World

_HANDING = re.compile(
    r"(?<!not )(?<!n't )(?<!n’t )(?<!never )(?<!\bto )(?<!almost )(?<!would )(?<!without )\b(?:"
    r"(?:pass|hand|slip|push|show|toss|deliver|press)(?:es|s|ed|ped)?|giv(?:e|es)|gave|slid(?:e|es)?"
    r"|sen(?:d|ds|t))\b",
    re.IGNORECASE,
)
_NOUN = re.compile(rf"\b(?:{'|'.join(sorted(WRITING - POSTED))})\b", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|into|for)\s+$", re.IGNORECASE)
_SAYS = (
    r"(?:(?:that|which)\s+(?:says|said|reads|read)|saying|reading|with\s+the\s+words?|written"
    r"|on\s+which\s+(?:is\s+|stands\s+)?\w+)"
)
_THEN = re.compile(
    r"(?:[’']s\s+\w+)?(?:\s+(?:to|into|across\s+to)\b[^,:;.]*)?[\s,:—–-]*"
    rf"(?:{_SAYS})?[\s,:—–-]*$",
    re.IGNORECASE,
)
_IT_SAYS = re.compile(r"^\W*(?:it|the\s+\w+)\s+(?:says|said|reads|read)\W*$", re.IGNORECASE)
_TOLD = re.compile(
    rf"\b(?:{_SAYS}|telling\s+(?:him|her|them))\s+(?:that\s+)?(?P<words>[^.!?\n]+)", re.IGNORECASE
)


def reader_of(
    world: World, bare: str, names: Names, *, by: EntityId, at: int
) -> EntityId | None:  # fmt: skip
    """Who reads the words that begin at a place of a line, if a note with them is handed over.

    `bare` is the line with blanks for its quotations; who sleeps or is gone gets none.
    """
    begin = lead_start(bare, at)
    if _IT_SAYS.match(bare[begin:at]):
        at = begin
        begin = lead_start(bare, len(bare[:begin].rstrip(" .!?\n")))
    led = bare[begin:at].rstrip(" .")
    found = _handed(led, names, company_of(world, by))
    return found[0] if found is not None and _THEN.fullmatch(led, found[1]) else None


def hand_unquoted(
    unfolding: Unfolding, bare: str, names: Names, *, by: EntityId, at: int, prose: str
) -> None:
    """Decide who reads what a note says without marks: "a note saying that it is gone"."""
    begin = lead_start(bare, at)
    stop = re.compile(r"[.!?\n]|$").search(bare, at)
    sentence = bare[begin : stop.start() if stop else None]
    said = _TOLD.search(sentence)
    if said is None or not said["words"].strip():
        return
    near = company_of(unfolding.world, by)
    found = _handed(sentence[: said.start()].rstrip(" ,:"), names, near)
    if found is not None:
        hand_note(
            unfolding, said["words"].strip(), names,
            by=by, reader=found[0], prose=prose, sealed=is_sealed(sentence),
        )  # fmt: skip


def hand_note(
    unfolding: Unfolding,
    words: str,
    names: Names,
    *,
    by: EntityId,
    reader: EntityId,
    prose: str,
    sealed: bool,
) -> None:
    """Decide that somebody reads what another hands them, and what they learn by it.

    Unless the prose leaves it unread; what is sealed is read only if it says so.
    """
    if not is_read(prose, names, unfolding.world.plan.cast, by=reader, sealed=sealed):
        leave_written(unfolding, words, names, by=by, to=reader, prose=prose)
        return
    parts = [Participant(Role.ACTOR, Resolved(by)), Participant(Role.TARGET, Resolved(reader))]
    kind = ImplicationKind.ATTENTION
    unfolding.take_place(
        SpeechUttered(words, whispered=True, written=True), parts, source=Source.PLAYER,
        implications=(Implication(kind, 0, 1, weight(kind, confidence=1.0)),),
        priority=Priority.FOREGROUND, seen_by=(),
    )  # fmt: skip
    tell_facts(unfolding, names)


def leave_written(
    unfolding: Unfolding,
    words: str,
    names: Names,
    *,
    by: EntityId,
    to: EntityId | None,
    prose: str,
) -> None:
    """Decide that words are written or sent, and by whom they are read, as the prose says."""
    world = unfolding.world
    awake = [who for who in map(EntityId, world.plan.cast) if who not in (by, *world.asleep)]
    given = to if to in awake else None
    readers = readers_in(prose, names, awake, given=given)
    parts = [Participant(Role.ACTOR, Resolved(by))]
    parts += [Participant(Role.TARGET, Resolved(who)) for who in readers]
    others = dict.fromkeys(each.entity for each in names.find(words))
    involved = (by, *readers)
    parts += [Participant(Role.SUBJECT, Resolved(each)) for each in others if each not in involved]
    kind = ImplicationKind.ATTENTION
    unfolding.take_place(
        SpeechUttered(words, whispered=bool(readers), written=True), parts, source=Source.PLAYER,
        implications=tuple(
            Implication(kind, 0, n + 1, weight(kind, confidence=1.0)) for n in range(len(readers))
        ),
        priority=Priority.FOREGROUND, seen_by=(),
    )  # fmt: skip
    tell_facts(unfolding, names)


def _handed(led: str, names: Names, others: Collection[EntityId]) -> tuple[EntityId, int] | None:
    """To whom a writing is handed by some words, and where they have named both."""
    verb = _HANDING.search(led)
    noun = None if verb is None else _NOUN.search(led, verb.end())
    if verb is None or noun is None:
        return None
    whom = [
        each for each in names.find(led)
        if each.start >= verb.end() and each.entity in others
        and (_TO.search(led[: each.start]) or not led[verb.end() : each.start].strip())
        and not led[each.end :].startswith(("'s note", "’s note", "'s letter", "’s letter"))
    ]  # fmt: skip
    if len({each.entity for each in whom}) != 1:
        return None
    return whom[0].entity, max(noun.end(), whom[0].end if whom[0].start > noun.start() else 0)
