"""Words that stand for a noun said before: the blue one, another, the other, the third.

They may well be of another thing than the last, and so take its noun, not its identity: after
"three cups", "a blue one" is a cup that is blue. Where no thing was named before, they are left
alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.language.prose.drafts import Draft
from storykeeper.language.prose.words import Word, Words, listed
from storykeeper.language.reading import Gender, MentionKind, Sort

_ONES = listed("one ones")
_OTHERS = listed("another other others first second third fourth last both two three")
_DEPS = listed("nsubj nsubjpass dobj pobj attr conj appos ROOT dep")
_DEFINITE = listed("the this that these those both")
_BACK = 16  # mentions


def stands_in(words: Words, word: Word) -> bool:
    """Whether a word stands where a noun could: not "one day", "the other cup", "no one"."""
    if word.dep not in _DEPS or (word.dep in ("ROOT", "dep") and word.lower not in _ONES):
        return False
    if word.i + 1 < len(words) and words[word.i + 1].lower == "of":
        return False
    if word.lower in _ONES:
        return word.tag in ("NN", "NNS", "CD") and words[word.i - 1].lower not in ("no", "any")
    return word.lower in _OTHERS and word.pos in ("DET", "ADJ", "NUM", "NOUN", "PRON")


def stand_in(words: Words, word: Word, before: Sequence[Draft]) -> Draft | None:
    """The mention, of the noun that it stands for; nothing if that is no thing."""
    noun = next((d for d in reversed(before[-_BACK:]) if d.kind is MentionKind.NOUN
                 and d.sort in (Sort.THING, Sort.PERSON, Sort.ANIMAL)), None)  # fmt: skip
    if noun is None or noun.sort is not Sort.THING:
        return None
    left = [words[c] for c in word.children if c < word.i]
    found = [w.lower for w in left if w.dep in ("amod", "compound", "nmod")]
    if word.lower not in _ONES:
        found.append("other" if word.lower in ("another", "others") else word.lower)
    return Draft(
        at=word.i,
        first=min([word.i, *(w.i for w in left if w.dep in ("det", "amod", "poss", "compound"))]),
        last=word.i,
        head=noun.head,
        kind=MentionKind.NOUN,
        sort=Sort.THING,
        gender=Gender.IT,
        plural=word.lower in ("ones", "others", "both", "two", "three"),
        definite=any(w.lower in _DEFINITE or w.dep == "poss" for w in left) or word.lower == "both",
        descriptors=found,
    )
