"""Words that stand for a noun said before: the blue one, another, the other, the third.

They may well be of another thing than the last, and so take its noun, not its identity: after
"three cups", "a blue one" is a cup that is blue. Where no thing was named before, they are left
alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.language.lexicon import sort_of
from storykeeper.language.prose.drafts import Draft
from storykeeper.language.prose.words import Word, Words, listed
from storykeeper.language.reading import Gender, MentionKind, Sort

_ONES = listed("one ones")
_OTHERS = listed("another other others first second third fourth last both two three")
_COUNTED = listed("one two three four five six another")
_DEPS = listed("nsubj nsubjpass dobj pobj attr conj appos ROOT dep")
_DEFINITE = listed("the this that these those both")
_BACK = 16  # mentions


def stands_in(words: Words, word: Word) -> bool:
    """Whether a word stands where a noun could: not "one day", "the other cup", "no one"."""
    if word.dep not in _DEPS or (word.dep in ("ROOT", "dep") and word.lower not in _ONES):
        return False
    if word.i + 1 < len(words) and words[word.i + 1].lower == "of":
        return word.lower in _COUNTED and _of_what(words, word) is not None
    before = words[word.i - 1].lower if word.i else ""
    if before in ("in", "another", "you", "we", "they", "us", "them"):
        return False  # torn in two, another three, you both
    if _one_by_one(words, word):
        return False
    if word.lower in _ONES:
        return word.tag in ("NN", "NNS", "CD") and before not in ("no", "any")
    return word.lower in _OTHERS and word.pos in ("DET", "ADJ", "NUM", "NOUN", "PRON")


def _one_by_one(words: Words, word: Word) -> bool:
    """One by one, one after another, one another."""
    near = [words[i].lower for i in range(max(0, word.i - 2), min(len(words), word.i + 3))]
    return near.count("one") + near.count("another") > 1


def _of_what(words: Words, word: Word) -> Word | None:
    """One of the cups, one of them: the word for what they are."""
    inner = words.first(word.i + 1, "pobj")
    if inner is None or (inner.lower not in ("them", "these", "those") and inner.tag != "NNS"):
        return None
    return inner if inner.pos == "PRON" or sort_of(inner.lemma) is Sort.THING else None


def _noun(words: Words, word: Word, before: Sequence[Draft]) -> Draft | None:
    """The set last named, of which it is one; or the noun beside: "a newspaper, a real one"."""
    nouns = [
        d
        for d in reversed(before[-_BACK:])
        if d.kind is MentionKind.NOUN and d.sort in (Sort.THING, Sort.PERSON, Sort.ANIMAL)
    ]
    beside = next((d for d in nouns if d.at == word.head), None)
    if word.dep == "appos" and beside is not None:
        return beside
    of_a_set = next((d for d in nouns if d.plural), None)
    handled = next((d for d in nouns if words[d.at].dep != "pobj"), None)
    return of_a_set or handled or next(iter(nouns), None)


def stand_in(words: Words, word: Word, before: Sequence[Draft]) -> Draft | None:
    """The mention, of the noun that it stands for; nothing if that is no thing."""
    left = [words[c] for c in word.children if c < word.i]
    inner = _of_what(words, word) if words[min(word.i + 1, len(words) - 1)].lower == "of" else None
    noun = _noun(words, word, before)
    named = inner is not None and inner.pos != "PRON"
    if not named and (noun is None or noun.sort is not Sort.THING):
        return None
    head = inner.lemma if inner is not None and named else noun.head if noun is not None else ""
    found = [w.lower for w in left if w.dep in ("amod", "compound", "nmod")]
    if word.lower not in _ONES and inner is None:
        found.append("other" if word.lower in ("another", "others") else word.lower)
    return Draft(
        at=word.i,
        first=min([word.i, *(w.i for w in left if w.dep in ("det", "amod", "poss", "compound"))]),
        last=word.i,
        head=head,
        kind=MentionKind.NOUN,
        sort=Sort.THING,
        gender=Gender.IT,
        plural=word.lower in ("ones", "others", "both", "two", "three", "four", "five", "six"),
        definite=any(w.lower in _DEFINITE or w.dep == "poss" for w in left) or word.lower == "both",
        descriptors=found,
    )
