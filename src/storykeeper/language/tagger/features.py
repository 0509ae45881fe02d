"""What the network is told of a person in a stretch, beside the vectors of the words.

Marks stand on words (this is the person, this is what they do, this names where they are), numbers
on stretches (how the person stands in it, who speaks, what comes before and after). None of them
is a word of English: what words mean is in their vectors, and what follows from it is fitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from operator import or_

import numpy as np
import numpy.typing as npt

from storykeeper.language.reading import Gender, MentionKind, Modality, Sort
from storykeeper.language.tagger.people import Person, player_of
from storykeeper.language.tagger.scene import Scene, Stretch, deeds, inside, is_subject

Floats = npt.NDArray[np.float32]

MARKS = ("person", "another", "player", "stranger", "here", "elsewhere", "deed")
ROLES = ("none", "group", "other", "owner", "object", "subject")
NUMBERS = 40
_AWAY = "away"
_OBJECTS = frozenset({"dobj", "pobj", "dative", "iobj"})
_UNREAL = frozenset({Modality.IMAGINED, Modality.FEARED, Modality.INTENDED, Modality.CONDITIONAL})
_PRONOUNS = {
    Gender.SHE: frozenset({"she", "her", "hers"}),
    Gender.HE: frozenset({"he", "him", "his"}),
    Gender.THEY: frozenset({"they", "them", "their"}),
    Gender.IT: frozenset({"it", "its"}),
}


def marks(scene: Scene) -> Floats:
    """People × words × marks."""
    found = np.zeros((len(scene.people), len(scene.words), len(MARKS)), np.float32)
    for mention, who in zip(scene.reading.mentions, scene.who, strict=True):
        span = inside(scene, mention)
        if who is not None:
            found[:, span, 1] = 1
            found[who, span, 1] = 0
            found[who, span, 0] = 1
            if scene.people[who].is_player:
                found[:, span, 2] = 1
        elif mention.sort in (Sort.PERSON, Sort.GROUP):
            found[:, span, 3] = 1
    for stretch in scene.stretches:
        for i, place in stretch.places:
            for who, person in enumerate(scene.people):
                found[who, i, 4 if place == person.place else 5] = 1
        if stretch.quotation is None:
            for who, verb in _deeds(scene, stretch):
                found[who, verb, 6] = 1
    return found


def _deeds(scene: Scene, stretch: Stretch) -> Iterator[tuple[int, int]]:
    """Who does what: verbs of which somebody, or something of theirs, is the subject."""
    for n in stretch.mentions:
        who, head = scene.who[n], scene.heads[n]
        if who is None or head is None:
            continue
        word = scene.words[_stem(scene, head, "conj", "appos", "poss")]
        if is_subject(word):
            yield from ((who, verb) for verb in deeds(scene.words, word.head))


def _stem(scene: Scene, i: int, *over: str) -> int:
    """The word that one joined to others, or set beside it, stands with."""
    for _ in range(8):
        word = scene.words[i]
        if word.dep not in over or word.head == i:
            break
        i = word.head
    return i


def roles(scene: Scene, stretch: Stretch) -> list[int]:
    """How each person stands in a stretch of narration: the most telling of ROLES."""
    found = [0] * len(scene.people)
    if stretch.quotation is not None:
        return found
    for n in stretch.mentions:
        who, head = scene.who[n], scene.heads[n]
        if who is not None:
            found[who] = max(found[who], _role(scene, head))
        elif head is not None and _is_group(scene, n) and is_subject(scene.words[head]):
            found = [max(1, role) for role in found]
    return found


def _role(scene: Scene, head: int | None) -> int:
    if head is None:
        return ROLES.index("other")
    word = scene.words[_stem(scene, head, "conj", "appos")]
    if is_subject(word):
        return ROLES.index("subject")
    if word.dep == "poss":
        return ROLES.index("owner")
    return ROLES.index("object" if word.dep in _OBJECTS else "other")


def _is_group(scene: Scene, n: int) -> bool:
    """They, the two of you, the guards: whoever may be among them."""
    mention = scene.reading.mentions[n]
    living = mention.kind is MentionKind.PRONOUN or mention.sort in (Sort.PERSON, Sort.GROUP)
    return living and (mention.plural or mention.sort is Sort.GROUP)


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
            row[16] = at == 0 or _breaks(scene, at)
            row[23] = not met[at] and not course.mentioned[at]
            row[24:28] = (not seen_again[at], at / count, spoke[at], speaks_again[at])
            _said_of(scene, stretch, who, row)
    return found


def _breaks(scene: Scene, at: int) -> bool:
    """Whether a stretch begins a paragraph."""
    before, stretch = scene.stretches[at - 1], scene.stretches[at]
    return "\n" in scene.reading.text[before.end - 1 : stretch.start + 1]


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
