"""What the network is told of a person in a stretch: how they stand in it, who speaks, what comes
before and after, and what the verbs of which they are the subject come to (`events.effects`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from operator import or_

import numpy as np

from storykeeper.events.effects import Effect, effects_of
from storykeeper.language.reading import Clause, Gender, Mention, Modality, Sort
from storykeeper.language.tagger.features import ROLES, Floats, maybe, roles
from storykeeper.language.tagger.people import Person, player_of
from storykeeper.language.tagger.scene import (
    Scene,
    Stretch,
    begins_paragraph,
    is_subject,
    leads_up,
    tags,
)

NUMBERS = 72
_AWAY = "away"
_SUBJECT = ROLES.index("subject")
_TOLD_TO = (ROLES.index("other"), ROLES.index("object"))
_UNREAL = frozenset({Modality.IMAGINED, Modality.FEARED, Modality.INTENDED, Modality.CONDITIONAL})
_EFFECTS = (
    Effect.STEPS_OUT, Effect.GOES, Effect.COMES, Effect.SLEEPS, Effect.WAKES, Effect.HIDES,
    Effect.EMERGES,
)  # fmt: skip
_GOING = frozenset({Effect.STEPS_OUT, Effect.GOES})
_FAR = 9  # stretches: as good as never
_BESIDE = 8  # characters that show whether a name stands by itself
_ENDS = ",.!?—-…"
_PRONOUNS = {
    Gender.SHE: frozenset({"she", "her", "hers"}),
    Gender.HE: frozenset({"he", "him", "his"}),
    Gender.THEY: frozenset({"they", "them", "their"}),
    Gender.IT: frozenset({"it", "its"}),
}


@dataclass(frozen=True, slots=True)
class _Course:
    """Of one person, stretch by stretch: mentioned or speaking, there and on either side."""

    mentioned: list[bool]
    speaks: list[bool]

    @classmethod
    def of(cls, scene: Scene, who: int) -> _Course:
        return cls(
            [any(scene.who[n] == who for n in s.mentions) for s in scene.stretches],
            [
                s.quotation is not None and scene.speakers[s.quotation] == who
                for s in scene.stretches
            ],
        )


def _so_far(flags: list[bool]) -> list[bool]:
    """Whether any before each."""
    return [False, *accumulate(flags, or_)][:-1] if flags else []


def _from_now(flags: list[bool]) -> list[bool]:
    """Whether any after each."""
    return _so_far(flags[::-1])[::-1]


def numbers(scene: Scene) -> Floats:
    """People × stretches × numbers."""
    count = len(scene.stretches)
    found = np.zeros((len(scene.people), count, NUMBERS), np.float32)
    stands = [roles(scene, stretch) for stretch in scene.stretches]
    for who, person in enumerate(scene.people):
        course = _Course.of(scene, who)
        met, seen_again = _so_far(course.mentioned), _from_now(course.mentioned)
        spoke, speaks_again = _so_far(course.speaks), _from_now(course.speaks)
        found[who, :, 17:23] = _standing(scene, person)
        for at, stretch in enumerate(scene.stretches):
            row = found[who, at]
            row[stands[at][who]] = 1
            if stretch.quotation is not None:
                _speech(scene, stretch, stretch.quotation, who, row)
            row[16] = at == 0 or begins_paragraph(scene, at)
            row[23] = not met[at] and not course.mentioned[at]
            row[24:28] = (not seen_again[at], at / count, spoke[at], speaks_again[at])
            _said_of(scene, stretch, who, row)
        _course_of(course, [stand[who] == _SUBJECT for stand in stands], scene, found[who])
        for at, stretch in enumerate(scene.stretches):
            row = found[who, at]
            if stretch.quotation is None:
                _told(scene, at, who, row)
            else:
                _around(scene, at, who, stands, row)
            _come_to(scene, [scene.reading.clauses[n] for n in stretch.clauses], who, row)
        found[who, :, 68:70] = _alike(scene, person)
    return found


def _standing(scene: Scene, person: Person) -> tuple[float, ...]:
    """What is known of a person before a word is read."""
    player = player_of(scene.people)
    view = None if player is None else scene.people[player].place
    together = sum(other.place == person.place for other in scene.people)
    return (
        person.is_player,
        person.place == view,
        person.place in (None, _AWAY),
        min(len(scene.people), 6) / 6,
        min(len(scene.places), 6) / 3,
        together == 1,
    )


def _speech(scene: Scene, stretch: Stretch, n: int, who: int, row: Floats) -> None:
    """Who says it to whom, and whether it seems to be about the person."""
    quotation = scene.reading.quotations[n]
    speaker, addressee = scene.speakers[n], scene.addressees[n]
    mine = scene.people[who]
    row[6:13] = (
        1,
        speaker == who,
        speaker is None,
        speaker not in (None, who),
        addressee == who,
        addressee not in (None, who),
        quotation.whispered,
    )
    if speaker is not None:
        row[13 if scene.people[speaker].place == mine.place else 14] = 1
    row[15] = any(
        scene.who[m] == who and scene.reading.mentions[m].person == 3 for m in stretch.mentions
    )
    row[31] = quotation.written
    pronouns = _PRONOUNS.get(mine.gender, frozenset())
    told_of = who not in (speaker, addressee) and any(w.lower in pronouns for w in stretch.words)
    alike = sum(
        other.gender is mine.gender
        for at, other in enumerate(scene.people)
        if at not in (speaker, addressee)
    )
    row[36:39] = (told_of, told_of and alike == 1, len(stretch.words) / 20)


def _said_of(scene: Scene, stretch: Stretch, who: int, row: Floats) -> None:
    """In what way things are said here, of the person and at all, and which places are named."""
    clauses = [scene.reading.clauses[n] for n in stretch.clauses]
    own = {c.modality for c in clauses if any(scene.who[a] == who for a in c.actors)}
    every = {c.modality for c in clauses}
    row[28:31] = (
        any(scene.who[n] not in (None, who) for n in stretch.mentions),
        Modality.ASSERTED in own,
        bool(own - {Modality.ASSERTED}),
    )
    here = scene.people[who].place
    row[32:36] = (
        Modality.NEGATED in every,
        bool(every & _UNREAL),
        bool(stretch.places),
        any(place != here for _, place in stretch.places),
    )


def _course_of(course: _Course, acts: list[bool], scene: Scene, found: Floats) -> None:
    """Whether and how soon the person is told of again, and how long ago it was."""
    told = [m and s.quotation is None
            for m, s in zip(course.mentioned, scene.stretches, strict=True)]  # fmt: skip
    shown = [a or b for a, b in zip(told, course.speaks, strict=True)]
    found[:, 40], found[:, 41] = _from_now(told), _from_now(acts)
    found[:, 42], found[:, 43] = _since(shown), _since(shown[::-1])[::-1]


def _since(flags: list[bool]) -> list[float]:
    """1/n, n stretches after the last one that has it."""
    found: list[float] = []
    last = -_FAR
    for at, flag in enumerate(flags):
        found.append(1 / (at - last))
        last = at if flag else last
    return found


def _told(scene: Scene, at: int, who: int, row: Floats) -> None:
    """Of narration: whether it belongs to words that are said, and whom else it may be about."""
    row[44], row[45] = tags(scene, at), leads_up(scene, at)
    for n in scene.stretches[at].mentions:
        mention, head = scene.reading.mentions[n], scene.heads[n]
        if scene.who[n] is None and head is not None and who in maybe(scene, mention):
            row[46 if is_subject(scene.words[head]) else 47] = 1
            row[48] = mention.plural


def _around(scene: Scene, at: int, who: int, stands: list[list[int]], row: Floats) -> None:
    """Of words that are said: how the person stands in the narration on either side, if called."""
    text, stretch = scene.reading.text, scene.stretches[at]
    for first, near, later in ((49, at - 1, at), (53, at + 1, at + 1)):
        beside = 0 <= near < len(scene.stretches) and scene.stretches[near].quotation is None
        if beside and not begins_paragraph(scene, later):
            role = stands[near][who]
            tag = tags(scene, near) if near > at else leads_up(scene, near)
            told_to = role in _TOLD_TO
            row[first : first + 4] = (role == _SUBJECT, told_to, tag, tag and told_to)
    row[57] = any(
        _is_called(text, stretch, scene.reading.mentions[n])
        for n in stretch.mentions if scene.who[n] == who
    )  # fmt: skip


def _is_called(text: str, stretch: Stretch, mention: Mention) -> bool:
    """Whether a name in a quotation stands by itself, as when somebody is called by it."""
    before = text[max(stretch.start, mention.start - _BESIDE) : mention.start].rstrip()
    after = text[mention.end : min(stretch.end, mention.end + _BESIDE)].lstrip()
    return (len(before) < 2 or before[-1] in _ENDS) and after[:1] in tuple(_ENDS)


def _come_to(scene: Scene, clauses: Iterable[Clause], who: int, row: Floats) -> None:
    """What the person's deeds come to, what is done to them, and whether another goes."""
    for clause in clauses:
        effects = set(effects_of(clause.verb)).intersection(_EFFECTS)
        if not effects:
            continue
        sure = clause.modality is Modality.ASSERTED
        if any(scene.who[n] == who for n in clause.actors):
            if not sure:
                row[65] = 1
            elif any(scene.reading.mentions[n].sort is Sort.THING for n in clause.targets):
                row[70] = 1  # leaves the lamp, takes off the coat
            else:
                row[[58 + _EFFECTS.index(effect) for effect in effects]] = 1
        elif any(scene.who[n] == who for n in clause.targets):
            row[66] = 1
        elif sure and effects & _GOING:
            row[67] = 1


def _alike(scene: Scene, person: Person) -> tuple[bool, bool]:
    """Whether there is one other at the place, and no other of the gender."""
    here = sum(other.place == person.place for other in scene.people)
    return here == 2, sum(other.gender is person.gender for other in scene.people) == 1
