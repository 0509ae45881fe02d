"""What words are: sorts and genders of nouns, classes of verbs, the feeling in either.

From WordNet and the census lists of first names (made by `bench.lexicon_fit`), with lists of our
own that speak first, since a story is no newspaper. Loaded when first asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from storykeeper.language.lexicon import own
from storykeeper.language.lexicon.classes import VerbClass
from storykeeper.language.reading import Gender, Sort
from storykeeper.language.verbs import plain

__all__ = [
    "VerbClass",
    "gender_of_name",
    "gender_of_noun",
    "is_noun",
    "is_of_body",
    "is_quality",
    "kin_of",
    "sort_of",
    "valence_of",
    "verb_classes",
    "wholes_of",
]

_HERE = Path(__file__).parent
_NO_NOUNS = frozenset({
    "am", "ever", "yep", "yeah", "nope", "okay", "ok", "oh", "um", "uh", "there", "here", "sure",
    "just", "very", "less", "more", "most", "lot", "guy", "guys", "stuff", "kind", "sort", "bit",
    "us", "ya", "gonna", "wanna", "gotta", "right", "wait", "thanks", "please", "sorry", "hello",
    "hi", "bye", "else", "cause", "til", "yes", "no", "not", "so", "too", "then", "now",
})  # fmt: skip
_NO_CLASS: frozenset[VerbClass] = frozenset()
# Endings that carry a gender; longest first, since every woman ends in man.
_WOMEN = ("woman", "women", "girl", "lady", "mother", "daughter", "sister", "wife", "maid")
_MEN = ("man", "men", "boy", "father", "brother", "lord")
# Words that only look as if they ended so.
_NOT_MEN = frozenset(
    {"human", "german", "roman", "norman", "shaman", "talisman", "ottoman", "omen"}
)
_PEOPLE = ("man", "woman", "men", "women", "boy", "girl", "smith", "maker", "keeper", "monger")
_HOUSES = ("house", "room", "yard", "shop", "field", "land", "side", "way", "street", "town")


@lru_cache(maxsize=8192)
def sort_of(lemma: str) -> Sort:
    """What sort of thing a noun, in its plain form, is of."""
    word = lemma.casefold()
    if word in own.sorts():
        return own.sorts()[word]
    if word in _nouns():
        return Sort(_nouns()[word])
    first, hyphen, last = word.partition("-")
    if hyphen:
        return sort_of(first if last == "in-law" else word.rpartition("-")[2])
    return _sort_by_ending(word)


def _sort_by_ending(word: str) -> Sort:
    if len(word) > 6 and word.endswith(_PEOPLE) and word not in _NOT_MEN:
        return Sort.PERSON
    if len(word) > 6 and word.endswith(_HOUSES):
        return Sort.PLACE
    if word.endswith(("ness", "ity", "tion", "ism", "ment", "hood", "ship")) and len(word) > 6:
        return Sort.ABSTRACT
    return Sort.UNKNOWN


def is_of_body(lemma: str) -> bool:
    """Whether a part is of a body before it is of a thing: a hand, a foot, a lip."""
    return lemma.casefold() in own.of_bodies()


def kin_of(lemma: str) -> frozenset[str]:
    """What a thing may have been called before: a sword, of a weapon; empty for most."""
    return own.kin().get(lemma.casefold(), frozenset())


def is_noun(word: str) -> bool:
    """Whether a word can name something: not a number, a contraction, or plainly a verb."""
    word = word.casefold()
    if word in _NO_NOUNS or any(c.isdigit() or c in "'’" for c in word):
        return False
    if sort_of(word) is not Sort.UNKNOWN:
        return True
    return not (verb_classes(word) or verb_classes(plain(word)))


def is_quality(word: str) -> bool:
    """Whether a word is an adjective or an adverb: late, silent, soon."""
    return word.casefold() in _qualities()


def wholes_of(lemma: str) -> frozenset[str]:
    """What a part, named alone, may be a part of: the hilt, of a sword; empty for most."""
    return own.wholes().get(lemma.casefold(), frozenset())


@lru_cache(maxsize=4096)
def gender_of_noun(lemma: str) -> Gender:
    """Which pronoun fits a noun: she for a waitress, he for a king; unknown for most."""
    word = lemma.casefold().replace("’", "'")
    first = word.partition("-")[0] if word.endswith("-in-law") else word
    if first in own.genders():
        return own.genders()[first]
    if first in _noun_genders():
        return Gender(_noun_genders()[first])
    if sort_of(first) in (Sort.PERSON, Sort.UNKNOWN) and first not in _NOT_MEN:
        if first.endswith(_WOMEN):
            return Gender.SHE
        if first.endswith(_MEN) and len(first) > 4:
            return Gender.HE
    return Gender.UNKNOWN


def gender_of_name(first: str) -> Gender:
    """Which pronoun most bearers of a first name use; unknown if they are divided."""
    return Gender(_name_genders().get(first.casefold(), Gender.UNKNOWN))


@lru_cache(maxsize=8192)
def verb_classes(lemma: str) -> frozenset[VerbClass]:
    """What a verb, in its plain form and with its particle if it has one, does to a story."""
    verb = lemma.casefold()
    if verb in own.classes():
        return own.classes()[verb]
    first, _, particle = verb.partition(" ")
    if particle and first in own.classes():
        return own.classes()[first]
    if verb in _verbs():
        return _verbs()[verb]
    return verb_classes(first) if particle else _NO_CLASS


def valence_of(lemma: str) -> float:
    """How good (1) or bad (−1) a verb or adjective of feeling, harm or care is; others are 0."""
    return own.valences().get(lemma.casefold(), 0.0)


def is_first_name(word: str) -> bool:
    """Whether people are often called so."""
    return word.casefold() in _name_genders()


def _lines(name: str) -> Iterator[tuple[str, list[str]]]:
    for line in (_HERE / name).read_text("utf-8").splitlines():
        group, *words = line.split(" ")
        yield group, words


def _read(name: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for group, words in _lines(name):
        table.update(dict.fromkeys(words, group))
    return table


@lru_cache(maxsize=1)
def _nouns() -> dict[str, str]:
    return _read("nouns.txt")


@lru_cache(maxsize=1)
def _noun_genders() -> dict[str, str]:
    return _read("genders.txt")


@lru_cache(maxsize=1)
def _qualities() -> dict[str, str]:
    return _read("qualities.txt")


@lru_cache(maxsize=1)
def _name_genders() -> dict[str, str]:
    return _read("first_names.txt")


@lru_cache(maxsize=1)
def _verbs() -> dict[str, frozenset[VerbClass]]:
    return {
        word.replace("_", " "): classes
        for group, words in _lines("verbs.txt")
        for classes in (frozenset(map(VerbClass, group.split("+"))),)
        for word in words
    }
