"""Which mentions are one: people and places as `language.coref` says, and "it" of things by rule.

For "it" every thing named shortly before competes: the nearer, the more a thing, the more it was
itself talked of, the better. Where two are nearly as good, nothing is said: a wrong identity costs
more than a late one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.drafts import LIVING, Draft, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.words import Words, listed
from storykeeper.language.reading import MentionKind, Modality, Sort

if TYPE_CHECKING:
    from storykeeper.language.coref.referent import Referent

_CATEGORIES = {"PER": Sort.PERSON, "FAC": Sort.PLACE, "GPE": Sort.PLACE, "LOC": Sort.PLACE,
               "VEH": Sort.THING, "ORG": Sort.GROUP}  # fmt: skip
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
_BY_SORT = {Sort.THING: 3.0, Sort.ANIMAL: 2.5, Sort.PART: 1.5, Sort.MATTER: 1.5, Sort.PLACE: 1.0,
            Sort.UNKNOWN: 0.5}  # fmt: skip
_OPENED = listed(
    "door window box lid gate book drawer chest letter envelope cupboard bag trunk case bottle "
    "purse parcel package locket casket curtain shutter jar suitcase eye mouth lock hatch safe"
)
_READ = listed("letter book note page paper map sign diary newspaper journal scroll card document")
_LIT = listed("lamp candle fire lantern torch match cigarette pipe stove cigar fuse wick")
_DRUNK = listed("cup glass mug bottle flask coffee tea water wine beer ale potion goblet milk rum")
_SUITED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("open", "close", "shut", "lock", "unlock", "slam"), _OPENED),
    **dict.fromkeys(("read", "unfold", "sign", "write"), _READ),
    **dict.fromkeys(("light", "kindle", "extinguish", "blow out", "put out"), _LIT),
    **dict.fromkeys(("drink", "sip", "swallow", "pour"), _DRUNK),
    "answer": listed("phone telephone door letter bell"),
}
_FAR_SENTENCES = 3
_FAR_MENTIONS = 24
_NOT_THERE = frozenset({Modality.NEGATED, Modality.FEARED, Modality.IMAGINED,
                        Modality.CONDITIONAL})  # fmt: skip
_TALKED_OF = 0.75
_ASIDE = 1.0
_MARGIN = 0.3
_LEAST = 0.5
_PER_SENTENCE = 1.25
_PER_MENTION = 0.35


def join_referents(mentions: Mentions, referents: Iterable[Referent]) -> None:
    """Take over who is who; a full noun phrase of a thing is joined elsewhere, by what it is."""
    for referent in referents:
        place = mentions.at(referent.head)
        if place is None:
            continue
        draft = mentions[place]
        sort = _CATEGORIES.get(referent.category, Sort.UNKNOWN)
        if draft.kind is MentionKind.NAME or draft.sort is Sort.UNKNOWN:
            draft.sort = sort if draft.head not in _IT | _THEY else draft.sort
            draft.gender = draft.gender or referent.gender
        if draft.kind is not MentionKind.NOUN or draft.sort in LIVING | {Sort.PLACE}:
            draft.cluster = referent.cluster


def join_pronouns(words: Words, mentions: Mentions, happenings: list[Happening]) -> None:
    """Say which thing each "it" and "they" is, where only one can be meant."""
    roles = _roles(happenings)
    fresh = max((d.cluster for d in mentions if d.cluster is not None), default=-1) + 1
    heads: dict[int, str] = {}  # of what each cluster of things is of
    living = {d.cluster for d in mentions if d.sort in LIVING and d.cluster is not None}
    placed = {d.cluster for d in mentions if d.sort is Sort.PLACE and d.cluster is not None}
    for index, draft in enumerate(mentions):
        if draft.head not in _IT | _THEY or draft.kind is not MentionKind.PRONOUN:
            continue
        if draft.head in _THEY and draft.cluster in living:
            draft.sort = Sort.PERSON
            continue
        meant = _meant(words, mentions, roles, index, heads)
        if meant is None:
            if draft.cluster not in living | placed:
                draft.cluster = None
            continue
        if mentions[meant].cluster is None:
            mentions[meant].cluster, fresh = fresh, fresh + 1
        draft.cluster, draft.sort = mentions[meant].cluster, mentions[meant].sort
        if draft.cluster is not None:
            heads.setdefault(draft.cluster, mentions[meant].head)
        if draft.whole is None and draft.sort is Sort.PART:
            draft.whole = mentions[meant].whole


class _Part:
    """What a mention does in its clause."""

    __slots__ = ("clause", "handled", "role", "verb")

    def __init__(self, clause: int, role: str, verb: str, *, handled: bool) -> None:
        self.clause, self.role, self.verb, self.handled = clause, role, verb, handled


_HANDLING = frozenset({VerbClass.HANDLE, VerbClass.TAKE, VerbClass.GIVE, VerbClass.PUT,
                       VerbClass.HIDE, VerbClass.MAKE})  # fmt: skip


def _roles(happenings: list[Happening]) -> dict[int, _Part]:
    found: dict[int, _Part] = {}
    for n, happening in enumerate(happenings):
        handled = bool(_HANDLING & verb_classes(happening.verb))
        for role, places in (
            ("doer", (*happening.actors, *happening.subjects)),
            ("object", happening.targets),
            ("where", (*happening.locations, *happening.instruments)),
        ):
            for place in places:
                given = role == "doer" and place in happening.subjects and bool(happening.targets)
                name = "object" if given else role
                found.setdefault(
                    place, _Part(n, name, happening.verb, handled=handled and name == "object")
                )
    return found


def _meant(
    words: Words, mentions: Mentions, roles: dict[int, _Part], index: int, heads: dict[int, str]
) -> int | None:
    draft = mentions[index]
    part = roles.get(index)
    plural = draft.head in _THEY
    best: list[tuple[float, int]] = []
    settings = {d.near for d in mentions[max(0, index - _FAR_MENTIONS) : index]}
    for i in range(index - 1, max(-1, index - _FAR_MENTIONS), -1):
        other = mentions[i]
        far = words[draft.at].sentence - words[other.at].sentence
        if far > _FAR_SENTENCES:
            break
        if not _can_be(mentions, other, i, draft, plural=plural):
            continue
        theirs = roles.get(i)
        same = part is not None and theirs is not None and part.clause == theirs.clause
        if same and draft.head not in ("its", "their", "itself", "themselves"):
            continue
        score = _BY_SORT[other.sort] - _PER_SENTENCE * far - _PER_MENTION * (index - i)
        score += _weight(other, theirs, part) - (1.0 if i in settings else 0.0)
        score -= _ASIDE if _is_aside(words, other) else 0.0
        score -= 1.0 if other.modality is Modality.NEGATED else 0.0
        score += _suits(_head(other, heads), part)
        best.append((score, i))
    return _winner(words, mentions, best, heads)


def _can_be(mentions: Mentions, other: Draft, place: int, draft: Draft, *, plural: bool) -> bool:
    if other.sort not in _BY_SORT or other.plural is not plural:
        return False
    if other.modality in _NOT_THERE and not other.definite and draft.modality is Modality.ASSERTED:
        return False
    if draft.possessor == place or other.possessor == mentions.at(draft.at):
        return False
    if other.kind is MentionKind.PRONOUN:
        return other.cluster is not None and other.head in _IT | _THEY
    return other.kind is MentionKind.NOUN or other.sort in (Sort.THING, Sort.ANIMAL)


def _weight(other: Draft, theirs: _Part | None, part: _Part | None) -> float:
    weight = 0.0
    if theirs is not None:
        weight += {"doer": 1.0, "object": 1.0, "where": -0.5}[theirs.role]
        if part is not None and part.role == theirs.role:
            weight += 0.5
    if part is not None and part.handled:
        weight += 1.0 if other.sort is Sort.THING else -0.5
    if other.kind is MentionKind.PRONOUN or other.cluster is not None:
        weight += _TALKED_OF
    return weight


def _is_aside(words: Words, other: Draft) -> bool:
    """In a relative clause, or only another word for the noun before."""
    if words[other.at].dep == "appos":
        return True
    verb = next((w for w in words.above(other.at) if w.pos in ("VERB", "AUX")), None)
    return verb is not None and verb.dep in ("relcl", "acl")


def _suits(head: str, part: _Part | None) -> float:
    """What is shut is a door, what is read a letter."""
    if part is None or part.role != "object" or part.verb not in _SUITED:
        return 0.0
    return 1.0 if head in _SUITED[part.verb] else -1.0


def _head(draft: Draft, heads: dict[int, str]) -> str:
    """What a mention is of; of a pronoun, what it stands for."""
    if draft.kind is MentionKind.PRONOUN and draft.cluster is not None:
        return heads.get(draft.cluster, draft.head)
    return draft.head


def _winner(
    words: Words, mentions: Mentions, scored: list[tuple[float, int]], heads: dict[int, str]
) -> int | None:
    if not scored:
        return None
    scored.sort(key=lambda s: (-s[0], -s[1]))
    score, winner = scored[0]
    if score < _LEAST:
        return None
    rivals = [s for s in scored[1:] if not _one(mentions[winner], mentions[s[1]], heads)]
    if any(_are_joined(words, mentions[winner], mentions[place]) for _, place in rivals):
        return None  # "a cup and a bowl": the nearer is no better
    return winner if not rivals or score - rivals[0][0] >= _MARGIN else None


def _are_joined(words: Words, a: Draft, b: Draft) -> bool:
    first, second = sorted((a.at, b.at))
    return a.sort is b.sort and words[second].dep == "conj" and words[second].head == first


def _one(a: Draft, b: Draft, heads: dict[int, str]) -> bool:
    """Whether two mentions are likely of one thing, so that they do not compete."""
    if a.cluster is not None and a.cluster == b.cluster:
        return True
    return _head(a, heads) == _head(b, heads) and (a.definite or b.definite)
