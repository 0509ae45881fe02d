"""What the network is told of each word, beside its vector: whom it means, what they do.

None of these marks is a word of English: what words mean is in their vectors, and what follows
from it is fitted. Numbers on whole stretches are in `numbers`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from storykeeper.language.reading import Gender, Mention, MentionKind, Sort
from storykeeper.language.tagger.scene import (
    Scene,
    Stretch,
    deeds,
    inside,
    is_subject,
    leads_up,
    tags,
)

Floats = npt.NDArray[np.float32]

MARKS = (
    "person", "another", "player", "stranger", "here", "elsewhere", "deed", "maybe", "tag", "rival"
)  # fmt: skip
ROLES = ("none", "group", "other", "owner", "object", "subject")
_OBJECTS = frozenset({"dobj", "pobj", "dative", "iobj"})


def marks(scene: Scene) -> Floats:
    """People × words × marks."""
    found = np.zeros((len(scene.people), len(scene.words), len(MARKS)), np.float32)
    for mention, who in zip(scene.reading.mentions, scene.who, strict=True):
        span = inside(scene, mention)
        if who is not None:
            _mark_known(scene, mention, who, found[:, span.start : span.stop])
            continue
        if mention.sort in (Sort.PERSON, Sort.GROUP):
            found[:, span, 3] = 1
        for each in maybe(scene, mention):
            found[each, span, 7] = 1
    for at, stretch in enumerate(scene.stretches):
        for i, place in stretch.places:
            for who, person in enumerate(scene.people):
                found[who, i, 4 if place == person.place else 5] = 1
        if stretch.quotation is not None:
            continue
        for who, verb in _deeds(scene, stretch):
            found[who, verb, 6] = 1
        if stretch.words and (tags(scene, at) or leads_up(scene, at)):
            found[:, stretch.words[0].i : stretch.words[-1].i + 1, 8] = 1
    return found


def _mark_known(scene: Scene, mention: Mention, who: int, found: Floats) -> None:
    """People × words of a mention × marks, where it is known whom it means."""
    found[:, :, 1] = 1
    found[who, :, 1] = 0
    found[who, :, 0] = 1
    if scene.people[who].is_player:
        found[:, :, 2] = 1
    elif mention.kind is MentionKind.PRONOUN:  # and whom it could mean, were that wrong
        for each in maybe(scene, mention):
            if each != who:
                found[each, :, 9] = 1


def maybe(scene: Scene, mention: Mention) -> list[int]:
    """Whom words of the narration may mean, by number and gender."""
    living = mention.kind is MentionKind.PRONOUN or mention.sort in (Sort.PERSON, Sort.GROUP)
    if not living or mention.quotation is not None:
        return []
    if mention.plural or mention.sort is Sort.GROUP:
        return list(range(len(scene.people)))
    if mention.gender not in (Gender.HE, Gender.SHE):
        return []
    fitting = (mention.gender, Gender.UNKNOWN, Gender.THEY)
    return [who for who, person in enumerate(scene.people) if person.gender in fitting]


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
