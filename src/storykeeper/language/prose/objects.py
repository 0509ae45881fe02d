"""Things that are only spoken of: imagined, wished for, compared, lacking."""

from __future__ import annotations

from storykeeper.language.prose.drafts import Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.modality import of_object
from storykeeper.language.prose.words import Word, Words
from storykeeper.language.reading import MentionKind, Modality

_COMPARING = frozenset({"like", "than", "unlike"})
_LACKING = frozenset({"without", "minus", "except", "sans"})
_FOR_OR_OF = frozenset({"of", "about", "for"})


def colour_objects(words: Words, mentions: Mentions, happenings: list[Happening]) -> None:
    """Say of mentions that they are not there, where the words around them say so."""
    for happening in happenings:
        for place in (*happening.targets, *happening.subjects):
            draft = mentions[place]
            if draft.kind is MentionKind.PRONOUN or place in happening.actors:
                continue
            way = of_object(happening.verb, definite=draft.definite)
            if way is not None and draft.modality is Modality.ASSERTED:
                _colour(words, mentions, place, way)
    for word in words:
        if word.dep in ("prep", "mark", "advmod") and word.pos in ("ADP", "SCONJ", "ADV"):
            _after_preposition(words, mentions, word)


def _after_preposition(words: Words, mentions: Mentions, preposition: Word) -> None:
    way = _way(words, preposition)
    inner = words.first(preposition.i, "pobj") if way is not None else None
    if inner is None or way is None:
        return
    for word in words.joined(inner.i):
        place = mentions.at(word.i)
        if place is not None and _is_only_spoken_of(mentions, place, way):
            _colour(words, mentions, place, way)


def _colour(words: Words, mentions: Mentions, place: int, way: Modality) -> None:
    """A garden that is imagined is full of imagined flowers."""
    mentions[place].modality = way
    for i in words.subtree(mentions[place].at):
        inner = mentions.at(i)
        if inner is None or mentions[inner].kind is not MentionKind.NOUN:
            continue
        if not mentions[inner].definite and mentions[inner].modality is Modality.ASSERTED:
            mentions[inner].modality = way


def _is_only_spoken_of(mentions: Mentions, place: int, way: Modality) -> bool:
    draft = mentions[place]
    return draft.kind is MentionKind.NOUN or way is Modality.NEGATED


def _way(words: Words, preposition: Word) -> Modality | None:
    governor = words[preposition.head]
    if preposition.lower in _COMPARING and governor.lower != "such":
        return Modality.IMAGINED
    if any(words[c].lower == "instead" for c in preposition.children):
        return Modality.NEGATED
    if preposition.lower in _LACKING:
        return Modality.NEGATED
    if preposition.lower == "of" and governor.lower in (
        "instead",
        "lack",
        "absence",
        "rid",
        "free",
    ):
        return None if governor.lower == "rid" else Modality.NEGATED
    if preposition.lower == "as" and any(
        words[c].lower == "as" and c < governor.i for c in governor.children
    ):
        return Modality.IMAGINED
    if preposition.lower in _FOR_OR_OF and governor.pos == "VERB":
        return _wished(words, preposition, governor)
    return None


def _wished(words: Words, preposition: Word, governor: Word) -> Modality | None:
    """Dreamed of a lamp, wished for a lamp; a lamp she has she does not wish for."""
    inner = words.first(preposition.i, "pobj")
    definite = inner is None or any(
        words[c].lower in ("the", "that", "this") or words[c].dep == "poss" for c in inner.children
    )
    return of_object(governor.lemma, definite=definite)
