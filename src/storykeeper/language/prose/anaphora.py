"""Which mentions are one: people and places as `language.coref` says, and "it" of things by rule.

For "it" every thing named shortly before competes: the nearer, the more a thing, the more it was
itself talked of, the better. Where two are nearly as good, nothing is said: a wrong identity costs
more than a late one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from storykeeper.language.prose.antecedents import Thing, Things, parts_of
from storykeeper.language.prose.drafts import LIVING, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.words import Words
from storykeeper.language.reading import MentionKind, Sort

if TYPE_CHECKING:
    from storykeeper.language.coref.referent import Referent

_CATEGORIES = {"PER": Sort.PERSON, "FAC": Sort.PLACE, "GPE": Sort.PLACE, "LOC": Sort.PLACE,
               "VEH": Sort.THING, "ORG": Sort.GROUP}  # fmt: skip
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
# What speaks for a thing and against it (antecedents.Things).
_WEIGHTS = {
    "sentences": -0.75, "steps": -0.3, "between": -0.4, "often": 0.8, "pronoun": 0.4, "cross": 0.7,
    "new": 0.6, "doer": 1.55, "object": 0.5, "where": -0.75, "same": 0.7, "aside": -0.4,
    "setting": -0.7, "unhandy": -0.8, "suits": 0.9, "animal": -0.8, "part": -0.5, "matter": -1.7,
    "place": -3.0, "unknown": -2.5,
}  # fmt: skip
_NOTHING = -2.45  # what a thing must be worth to be meant at all; more for these:
_NOTHING_BY_THEY = 0.7
_NOTHING_SAID_ALOUD = 0.2
_MARGIN = 0.15  # by which the best must be better than the next


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
    things = Things(words, mentions, parts_of(happenings))
    fresh = max((d.cluster for d in mentions if d.cluster is not None), default=-1) + 1
    living = {d.cluster for d in mentions if d.sort in LIVING and d.cluster is not None}
    placed = {d.cluster for d in mentions if d.sort is Sort.PLACE and d.cluster is not None}
    for index, draft in enumerate(mentions):
        if draft.kind is not MentionKind.PRONOUN:
            things.read(index)
            continue
        if draft.head not in _IT | _THEY:
            continue
        if draft.head in _THEY and draft.cluster in living:
            draft.sort = Sort.PERSON
            continue
        meant = _meant(things, index)
        if meant is None:
            if draft.cluster not in living | placed:
                draft.cluster = None
            continue
        named = mentions[meant.noun]
        if named.cluster is None:
            named.cluster, fresh = fresh, fresh + 1
        draft.cluster, draft.sort = named.cluster, named.sort
        if draft.whole is None and draft.sort is Sort.PART:
            draft.whole = named.whole
        things.again(meant, index)


def _meant(things: Things, index: int) -> Thing | None:
    """The best, if it is better than nothing and than the next."""
    draft = things.mentions[index]
    scored = [
        (sum(_WEIGHTS.get(name, 0.0) * much for name, much in features.items()), thing)
        for thing, features in things.candidates(index)
    ]
    nothing = _NOTHING + _NOTHING_BY_THEY * (draft.head in _THEY)
    nothing += _NOTHING_SAID_ALOUD * (draft.quotation is not None)
    scored.sort(key=lambda each: (-each[0], -each[1].last))
    if not scored:
        return None
    best, next_best = scored[0][0], scored[1][0] if len(scored) > 1 else nothing
    return scored[0][1] if best - max(nothing, next_best) >= _MARGIN else None
