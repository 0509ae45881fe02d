"""Which mentions are one: people and places as `language.coref` says, and "it" of things by rule.

For "it" every thing named shortly before competes: the nearer, the more a thing, the more it was
itself talked of, the better. Where two are nearly as good, nothing is said: a wrong identity costs
more than a late one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from storykeeper.language.prose.antecedents import Thing, Things, parts_of
from storykeeper.language.prose.drafts import LIVING, Draft, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.words import Words
from storykeeper.language.reading import MentionKind, Modality, Sort

if TYPE_CHECKING:
    from storykeeper.language.coref.referent import Referent

_CATEGORIES = {"PER": Sort.PERSON, "FAC": Sort.PLACE, "GPE": Sort.PLACE, "LOC": Sort.PLACE,
               "VEH": Sort.THING, "ORG": Sort.GROUP}  # fmt: skip
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
# What speaks for a thing and against it (antecedents.Things).
_WEIGHTS = {
    "sentences": -0.8, "steps": -0.75, "between": -0.45, "often": 0.85, "pronoun": 0.5,
    "cross": 0.7, "new": 0.75, "doer": 1.4, "object": 0.2, "where": -1.0, "same": 0.75,
    "aside": -0.25, "setting": -0.45, "unhandy": -1.0, "suits": 0.85, "animal": -0.75,
    "part": -1.0, "matter": -1.8, "place": -3.0, "unknown": -2.5,
}  # fmt: skip
_NOTHING = -2.8  # what a thing must be worth to be meant at all; more for these:
_NOTHING_BY_THEY = 0.55
_NOTHING_SAID_ALOUD = 0.25
_MARGIN = 0.15  # by which the best must be better than the next
_MARGIN_IN_A_CLAUSE = 1.5  # "the cup hit the plate": either may be what broke


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
    _names_first(mentions)


def _names_first(mentions: Mentions) -> None:
    """Part what stands before a name from the name, unless it may well introduce it.

    "A clergyman … Mr. Beebe" is one. "The stranger … Buck" seldom is; and a name finds its own in
    all that was told before, if no other noun has spoken for it.
    """
    named: set[int] = set()
    for draft in reversed(mentions):
        if draft.cluster is None or draft.kind is MentionKind.PRONOUN:
            continue
        if draft.kind is MentionKind.NAME:
            named.add(draft.cluster)
        elif draft.cluster in named and (draft.definite or draft.sort is not Sort.PERSON):
            draft.cluster = None


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


def join_predicates(words: Words, mentions: Mentions) -> None:
    """What a thing is said to be it is: "it was a key"; "a clock, a round kitchen clock"."""
    fresh = max((d.cluster for d in mentions if d.cluster is not None), default=-1) + 1
    for draft in mentions:
        if draft.kind is not MentionKind.NOUN or draft.sort is not Sort.THING:
            continue
        place = _said_of(words, mentions, draft)
        if place is None or draft.cluster is not None or mentions[place] is draft:
            continue
        if mentions[place].cluster is None:
            mentions[place].cluster, fresh = fresh, fresh + 1
        draft.cluster = mentions[place].cluster


def _said_of(words: Words, mentions: Mentions, draft: Draft) -> int | None:
    """The mention that a noun only says more of."""
    word = words[draft.at]
    above = words[word.head]
    if draft.modality is not Modality.ASSERTED:
        return None
    if word.dep == "appos":
        place = mentions.at(above.i)
        same = place is not None and mentions[place].head == draft.head
        return place if same else None
    if word.dep != "attr" or above.lemma != "be" or words.first(above.i, "neg") is not None:
        return None
    subject = words.first(above.i, "nsubj")
    if subject is not None and subject.lower == "which" and above.dep == "relcl":
        subject = words[above.head]
    place = mentions.at(subject.i) if subject is not None and subject.i < word.i else None
    if place is None or mentions[place].plural is not draft.plural:
        return None
    if mentions[place].kind is MentionKind.PRONOUN:
        return place if mentions[place].head in _IT | _THEY else None
    return place if mentions[place].sort is Sort.THING else None


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
    best, thing = scored[0]
    if any(things.are_joined(thing, other) for _, other in scored[1:]):
        return None  # "a cup and a bowl": the nearer is no better
    if len(scored) == 1:
        return thing if best - nothing >= _MARGIN else None
    next_best, rival = scored[1]
    margin = _MARGIN_IN_A_CLAUSE if things.met(thing, rival) else _MARGIN
    return thing if best - max(nothing, next_best) >= margin else None
