"""Whose a thing is, what it is a part of, and where it is."""

from __future__ import annotations

from storykeeper.language.lexicon import VerbClass, is_of_body, verb_classes
from storykeeper.language.prose.drafts import LIVING, SOLID, Draft
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.words import Word, Words, listed
from storykeeper.language.reading import MentionKind, Sort

PLACING = listed(
    """
    on in under beneath below beside by near behind above at inside against between among over
    atop upon within outside underneath around along across beyond opposite through onto into
    """
)
# What stands somewhere, and what is put there, is there; what merely moves is not any more.
_RESTING = listed(
    """
    be stand lie sit hang rest remain stay lean wait sleep float glow burn gleam shine kneel
    crouch live grow loom squat perch dangle sprawl tower see notice find spot glimpse have keep
    hold leave
    """
)
_ABOUT_PARTS = frozenset({"in", "of", "at", "along", "across", "around", "down"})
# Of what is told by "on" too: a scratch on the lid is the lid's, a chip on the table its own.
_MARKS = listed(
    "scratch stain dent crack mark engraving inscription carving bruise scar wound cut freckle "
    "wrinkle tattoo hole notch groove"
)
_NO_PLACE = frozenset({Sort.TIME, Sort.ABSTRACT})
_OWNED = frozenset({Sort.THING, Sort.PERSON, Sort.PLACE, Sort.ANIMAL})
# Things by themselves, parts where it is said of what: the pages of the book. What opens or comes
# away stays a thing: the lid, the drawer, the key of a chest.
_PARTS_OF = listed(
    "page cover knob blade button strap lock roof wall wick string pane frame step sleeve pocket "
    "collar hood sole hull dial screen"
)
_SIDES = listed("front top side back middle centre center edge foot bottom corner end bottom head")
_MADE = frozenset({Sort.ANIMAL, Sort.MATTER})
_LONGEST_PLACE = 12


def attach(words: Words, mentions: Mentions, text: str) -> None:
    """Say of every mention whose it is, of what it is a part, and where."""
    for draft in mentions:
        if draft.kind is MentionKind.PRONOUN:
            continue
        _possessed(words, mentions, draft)
        for outer in dict.fromkeys((draft.at, draft.outer)):
            if outer >= 0:
                _prepositions(words, mentions, draft, words[outer], text)
    for word in words:
        if word.pos in ("VERB", "AUX"):
            _from_verb(words, mentions, word, text)
    _parts_without_a_whole(words, mentions)


def _possessed(words: Words, mentions: Mentions, draft: Draft) -> None:
    owner = words.first(draft.at, "poss") or (
        words.first(draft.outer, "poss") if draft.outer >= 0 else None
    )
    place = mentions.at(owner.i) if owner is not None else None
    if place is not None:
        _belongs(mentions, draft, place)


def _belongs(mentions: Mentions, draft: Draft, place: int) -> None:
    """To a person belong things and parts; of a thing there are only parts."""
    if mentions[place] is draft:
        return
    owner = mentions[place]
    draft.possessor = place
    if draft.sort is Sort.PART:
        draft.whole = place
    elif draft.head in _PARTS_OF and owner.sort in SOLID:
        draft.sort, draft.whole = Sort.PART, place


def _prepositions(words: Words, mentions: Mentions, draft: Draft, word: Word, text: str) -> None:
    for child in word.children:
        preposition = words[child]
        if preposition.dep != "prep" or child < word.i:
            continue
        inner = words.first(child, "pobj")
        place = mentions.at(inner.i) if inner is not None else None
        if place is None or mentions[place] is draft:
            continue
        if preposition.lower == "of":
            _of(mentions, draft, place)
        elif preposition.lower == "with":
            _with(mentions, draft, place)
        elif preposition.lower in PLACING:
            _located(words, mentions, draft, preposition, place, text)


def _of(mentions: Mentions, draft: Draft, place: int) -> None:
    """The cup of the old man is his; the back of the chair is part of it."""
    inner = mentions[place]
    if draft.sort is Sort.PART:
        draft.whole = place
        if inner.sort in LIVING:
            draft.possessor = place
    elif draft.head in _PARTS_OF and inner.sort in SOLID:
        draft.sort, draft.whole = Sort.PART, place
    elif inner.sort in LIVING and draft.sort in _OWNED and inner.definite:
        draft.possessor = place


def _with(mentions: Mentions, draft: Draft, place: int) -> None:
    """A cup with a chip: the chip is its part and says which cup.

    A man with a hat only has it with him: whose it is is not said.
    """
    inner = mentions[place]
    index = mentions.at(draft.at)
    if index is None:
        return
    further = mentions[inner.whole] if inner.whole is not None else None
    if inner.sort is Sort.PART and (further is None or further.sort is Sort.PART):
        if further is not None and further.whole is None:
            further.whole = index  # "a cup with a chip in the rim": the rim is the cup's too
        inner.whole = index
        if draft.sort in SOLID or draft.sort is Sort.PLACE:
            draft.descriptors.append(inner.head)


def _located(
    words: Words, mentions: Mentions, draft: Draft, preposition: Word, place: int, text: str
) -> None:
    further = _beyond(words, mentions, mentions[place])
    place = place if further is None else further
    inner = mentions[place]
    if inner.sort in _NO_PLACE or draft.sort in _NO_PLACE or draft.place or inner is draft:
        return
    if _is_part_there(draft, preposition, inner) and draft.whole is None:
        draft.whole = place
        if inner.sort is Sort.THING and draft.head not in inner.descriptors:
            inner.descriptors.append(draft.head)
    draft.place = _words_of_place(words, preposition, inner, text)
    draft.near = place


def _is_part_there(draft: Draft, preposition: Word, inner: Draft) -> bool:
    """A chip in the rim, a scar on his cheek; but a hand on the letter is no part of it."""
    if draft.sort is not Sort.PART or inner.sort in (Sort.PLACE, Sort.MATTER):
        return False
    if is_of_body(draft.head) and inner.sort not in LIVING | {Sort.PART}:
        return False
    near = preposition.lower
    return near in _ABOUT_PARTS or (near == "on" and draft.head in _MARKS)


def _beyond(words: Words, mentions: Mentions, inner: Draft) -> int | None:
    """In front of the house: near the house."""
    if inner.head not in _SIDES:
        return None
    of = next((w for w in words.under(inner.at, "prep") if w.lower == "of"), None)
    word = words.first(of.i, "pobj") if of is not None else None
    return mentions.at(word.i) if word is not None else None


def _words_of_place(words: Words, preposition: Word, inner: Draft, text: str) -> str:
    """From the preposition to the noun: "on the table", whatever else is said of the table."""
    first, last = preposition.i, max(inner.last, inner.at)
    if last - first > _LONGEST_PLACE:
        first = last
    return " ".join(text[words[first].start : words[last].end].split())


def _from_verb(words: Words, mentions: Mentions, verb: Word, text: str) -> None:
    """The cup stood on the table; she put it on the shelf; with a chip in it."""
    subject = _mention_under(words, mentions, verb, "nsubj", "nsubjpass")
    thing = _mention_under(words, mentions, verb, "dobj", "attr")
    classes = verb_classes(verb.lemma)
    for child in verb.children:
        preposition = words[child]
        if preposition.dep != "prep":
            continue
        inner = words.first(child, "pobj")
        place = mentions.at(inner.i) if inner is not None else None
        if place is None:
            continue
        if preposition.lower == "with":
            _with_from_verb(mentions, verb, place, subject, thing)
        elif preposition.lower in PLACING:
            located = _what_is_there(verb, classes, subject, thing)
            if preposition.i < verb.i and (located is None or located.at < verb.i):
                continue  # before the verb it says where all this is, not where the thing is
            if located is not None and located is not mentions[place]:
                _located(words, mentions, located, preposition, place, text)


def _what_is_there(
    verb: Word, classes: frozenset[VerbClass], subject: Draft | None, thing: Draft | None
) -> Draft | None:
    if thing is not None:
        put = VerbClass.PUT in classes or verb.lemma in _RESTING
        return thing if put and thing.kind is not MentionKind.PRONOUN else None
    return subject if verb.lemma in _RESTING or VerbClass.PUT in classes else None


def _with_from_verb(
    mentions: Mentions, verb: Word, place: int, subject: Draft | None, thing: Draft | None
) -> None:
    """A part that the parser hung on the verb: "a cup stood there, with a chip"."""
    if mentions[place].sort is not Sort.PART:
        return
    for draft in (thing, subject):
        if draft is not None and draft.sort in (Sort.THING, Sort.ANIMAL, Sort.PERSON):
            if draft.kind is MentionKind.PRONOUN:
                continue
            _with(mentions, draft, place)
            return


def _mention_under(words: Words, mentions: Mentions, verb: Word, *deps: str) -> Draft | None:
    word = words.first(verb.i, *deps)
    place = mentions.at(word.i) if word is not None else None
    return mentions[place] if place is not None else None


def _parts_without_a_whole(words: Words, mentions: Mentions) -> None:
    """ "She noticed the chip": of the last thing said to have one, or of the one just handled."""
    known: dict[str, int] = {}
    alone: set[str] = set()  # what was a thing of its own before: a chip for a computer
    for index, draft in enumerate(mentions):
        if draft.sort is Sort.THING:
            alone.add(draft.head)
        elif draft.head in alone and draft.definite and draft.sort in _MADE:
            draft.sort, draft.cluster = Sort.THING, None  # the horse, after a rocking horse
        if draft.sort is not Sort.PART:
            continue
        if draft.whole is not None:
            known[draft.head] = draft.whole
        elif draft.head in alone:
            draft.sort = Sort.THING
        elif draft.definite and draft.possessor is None:
            draft.whole = known.get(draft.head)
            if draft.whole is None and not is_of_body(draft.head):
                draft.whole = _just_before(words, mentions, index)


def _just_before(words: Words, mentions: Mentions, index: int) -> int | None:
    """The only thing named earlier in the sentence, or failing that in the one before."""
    here = words[mentions[index].at].sentence
    for back in (0, 1):
        things = [
            i
            for i in range(index - 1, max(-1, index - 30), -1)
            if mentions[i].sort is Sort.THING
            and mentions[i].kind is MentionKind.NOUN
            and words[mentions[i].at].sentence == here - back
            and words[mentions[i].at].dep != "pobj"
        ]
        if things:
            return things[0] if len(things) == 1 else None
    return None
