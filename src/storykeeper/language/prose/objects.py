"""Things that are only spoken of: imagined, wished for, compared, lacking."""

from __future__ import annotations

from storykeeper.language.lexicon import sort_of
from storykeeper.language.prose.drafts import LIVING, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.modality import of_object
from storykeeper.language.prose.words import Word, Words
from storykeeper.language.reading import MentionKind, Modality

_COMPARING = frozenset({"like", "than", "unlike"})
_LACKING = frozenset({"without", "minus", "except", "sans"})
_MEASURES = frozenset({"size", "length", "width", "height", "weight", "thickness", "colour",
                       "color", "shape", "breadth"})  # fmt: skip
_SOON = 1  # sentences
_TELLING = frozenset({"tell", "read", "sing", "write", "recite"})
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
    _taken_up(words, mentions)


def _taken_up(words: Words, mentions: Mentions) -> None:
    """What takes up a thing that is only imagined is imagined too: an egg of a tale, the egg."""
    imagined: dict[str, int] = {}  # noun → the last sentence it was so in
    for draft in mentions:
        if draft.kind is not MentionKind.NOUN:
            continue
        here = words[draft.at].sentence
        again = draft.definite and here - imagined.get(draft.head, -_SOON - 1) <= _SOON
        if again and draft.possessor is None and not draft.descriptors:
            draft.modality = Modality.IMAGINED
        if draft.modality is not Modality.IMAGINED:
            imagined.pop(draft.head, None)
        elif again or not (draft.definite or _is_compared(words, words[draft.at])):
            imagined[draft.head] = here


def _is_compared(words: Words, word: Word) -> bool:
    """As big as a door: the next door is a real one."""
    return word.dep == "pobj" and words[word.head].lower in _COMPARING | {"as", "of"}


def _after_preposition(words: Words, mentions: Mentions, preposition: Word) -> None:
    way = _way(words, preposition)
    inner = words.first(preposition.i, "pobj") if way is not None else None
    if inner is None or way is None:
        return
    for word in words.joined(inner.i):
        place = mentions.at(word.i)
        if place is not None and _is_only_spoken_of(mentions, place, preposition, way):
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


def _is_only_spoken_of(mentions: Mentions, place: int, preposition: Word, way: Modality) -> bool:
    draft = mentions[place]
    if preposition.lower == "of" and way is Modality.IMAGINED and draft.definite:
        return False  # the colour of the vase: it is there
    return draft.kind is MentionKind.NOUN or way is Modality.NEGATED


def _way(words: Words, preposition: Word) -> Modality | None:
    governor = words[preposition.head]
    if preposition.lower in _COMPARING and governor.lower != "such":
        return Modality.IMAGINED
    if any(words[c].lower == "instead" for c in preposition.children):
        return Modality.NEGATED
    if preposition.lower in _LACKING:
        return Modality.NEGATED
    if preposition.lower == "of" and governor.lemma in _MEASURES:
        return Modality.IMAGINED  # a ruby the size of a plum
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
    if governor.lemma in _TELLING and not definite and inner is not None:
        tale = sort_of(inner.lemma) in LIVING and words.first(inner.i, "relcl") is not None
        return Modality.IMAGINED if tale else None  # of a giant who kept his heart in an egg
    return of_object(governor.lemma, definite=definite)
