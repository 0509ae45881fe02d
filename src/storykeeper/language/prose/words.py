"""A parsed text as plain values: what the parser said of each word, and what hangs on it.

Everything after the parse works on these. They are quicker to read than the parser's own objects,
and where the parser errs in a way that it always errs, `repairs` changes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from storykeeper.language.lexicon import verb_classes

if TYPE_CHECKING:
    from spacy.tokens import Doc


def listed(words: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(words.split())


NOMINAL = frozenset({"NOUN", "PROPN"})


@dataclass(slots=True)
class Word:
    """A word; positions are characters, `head` and `children` are places in the text's words."""

    i: int
    start: int
    text: str
    lower: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    sentence: int
    children: list[int] = field(default_factory=list)

    @property
    def end(self) -> int:
        """One past its last character."""
        return self.start + len(self.text)


class Words(list[Word]):
    """The words of a text, in order."""

    @classmethod
    def of(cls, doc: Doc) -> Words:
        """What the parser made of a text."""
        words = cls()
        sentence = -1
        for token in doc:
            sentence += bool(token.is_sent_start)
            words.append(
                Word(
                    i=token.i,
                    start=token.idx,
                    text=token.text,
                    lower=token.lower_.replace("’", "'"),
                    lemma=_lemma(token.lemma_, token.pos_, token.lower_),
                    pos=token.pos_,
                    tag=token.tag_,
                    dep=token.dep_,
                    head=token.head.i,
                    sentence=max(sentence, 0),
                )
            )
        words.hang()
        return words

    def hang(self) -> None:
        """Set the children from the heads."""
        for word in self:
            word.children.clear()
        for word in self:
            if word.head != word.i:
                self[word.head].children.append(word.i)

    def move(self, i: int, *, head: int, dep: str) -> None:
        """Hang a word elsewhere; hung on what hangs on it, it gives that its own place."""
        if any(above.i == i for above in self.above(head)):
            top = self[i].head if self[i].head != i else head
            self.move(head, head=top, dep=self[i].dep)
        self[self[i].head].children = [c for c in self[self[i].head].children if c != i]
        self[i].head, self[i].dep = head, dep
        self[head].children = sorted({*self[head].children, i})

    def under(self, i: int, *deps: str) -> list[Word]:
        """What hangs on a word by one of these relations."""
        return [self[c] for c in self[i].children if self[c].dep in deps]

    def first(self, i: int, *deps: str) -> Word | None:
        """The first that hangs on a word by one of these relations."""
        return next((self[c] for c in self[i].children if self[c].dep in deps), None)

    def joined(self, i: int) -> Iterator[Word]:
        """A word, and those that "and" or "or" joins to it."""
        yield self[i]
        for child in self.under(i, "conj"):
            if child.pos in NOMINAL or child.pos == "PRON" or self[i].pos not in NOMINAL:
                yield from self.joined(child.i)

    def subtree(self, i: int) -> list[int]:
        """A word and all below it, in order."""
        found, row = [i], list(self[i].children)
        while row:
            found.extend(row)
            row = [c for r in row for c in self[r].children]
        return sorted(found)

    def above(self, i: int) -> Iterator[Word]:
        """What a word hangs on, and what that hangs on, up to the root."""
        while self[i].head != i:
            i = self[i].head
            yield self[i]


_SHORT_STEM = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


def _lemma(lemma: str, pos: str, lower: str) -> str:
    if pos == "PROPN":
        return lemma
    if pos == "VERB" and lower.endswith(("ed", "ing")):
        # Who hops hopped: a short stem with one consonant had an e. The parser says "hop".
        stem = lower[:-2] if lower.endswith("ed") else lower[:-3]
        if lemma == stem and _SHORT_STEM.fullmatch(stem) and verb_classes(f"{stem}e"):
            return f"{stem}e"
    return _LEMMAS.get((lower, pos), lemma.lower().replace("’", "'"))


# Forms whose lemma the parser gets wrong, or leaves apart.
_LEMMAS = {
    ("lay", "VERB"): "lie", ("laid", "VERB"): "lay", ("lit", "VERB"): "light",
    ("boots", "NOUN"): "boot", ("stairs", "NOUN"): "stair", ("'s", "AUX"): "be",
    ("keys", "NOUN"): "key", ("gloves", "NOUN"): "glove", ("leaves", "NOUN"): "leaf",
    ("knives", "NOUN"): "knife", ("men", "NOUN"): "man", ("women", "NOUN"): "woman",
    ("glasses", "NOUN"): "glass", ("clothes", "NOUN"): "clothes", ("bound", "VERB"): "bind",
    ("found", "VERB"): "find", ("felt", "VERB"): "feel", ("fell", "VERB"): "fall",
    ("left", "VERB"): "leave", ("saw", "VERB"): "see", ("wound", "VERB"): "wind",
    ("hates", "VERB"): "hate",
    ("wolves", "NOUN"): "wolf", ("shelves", "NOUN"): "shelf", ("ca", "AUX"): "can",
    ("wo", "AUX"): "will", ("'ll", "AUX"): "will", ("'d", "AUX"): "would",
}  # fmt: skip
