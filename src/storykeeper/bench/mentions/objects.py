"""Objects: prose of our own with every thing in it labelled by hand, and how well they are found.

The passages stand in `bench/passages`, in two sets: `play` is ordinary narration, and `hard` was
written to be hard. The rules of labelling stand beside them in the README. A mark is
`[the chipped cup]{chipped-cup}`; marks nest; `{cup/part}` is a part of its whole, `{no-dragon}` is
spoken of but not there, `{?}` may go either way, and `{-}` is no thing.

    objects.f1 = mean of the F1 of MUC, B³ and CEAF-e, over found mentions, singletons kept

A found mention is right if it covers the head of a labelled one: the last word of its phrase before
any "of". Pairing is one to one, closest first. Parts count as mentions of their whole. What is not
there is no mention at all, so that finding it is an error of precision; what may go either way is
taken out of what was found before anything is counted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from storykeeper.bench.mentions.scores import Partition, Score, Span, Tally, b3, ceaf, muc
from storykeeper.bench.mentions.scores import pronoun_links as links_of
from storykeeper.bench.registry import Figures
from storykeeper.errors import StorykeeperError

Clusters = Sequence[Sequence[Span]]  # of characters
Predict = Callable[[str], Clusters]
Which = Literal["play", "hard"]

NOT_A_THING = "-"
EITHER_WAY = "?"
ABSENT = "no-"
_ID = re.compile(r"[a-z0-9]+(?:[+-][a-z0-9]+)*(/part)?|[-?]")
_LABEL = re.compile(r"\{([^{}\n]*)\}")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_OWNER = re.compile(r"['’]s$", re.IGNORECASE)
_PRONOUNS = frozenset({
    "it", "its", "itself", "she", "her", "they", "them", "their", "theirs", "themselves",
    "this", "that", "these", "those", "one", "ones", "another", "other", "others", "both",
    "either", "mine", "yours", "his", "hers", "ours", "own", "something",
})  # fmt: skip


class PassageInvalid(StorykeeperError):
    """The marks of a passage cannot be read; the file and line are named."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A phrase as labelled by hand."""

    start: int
    end: int
    head: Span
    thing: str
    part: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is a thing that is there."""
        return self.thing != EITHER_WAY and not self.thing.startswith(ABSENT)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text without its marks, and what they said."""

    name: str
    text: str
    labelled: tuple[Labelled, ...]

    @property
    def mentions(self) -> list[Labelled]:
        """The mentions of things that are there."""
        return [each for each in self.labelled if each.counts]

    @property
    def things(self) -> list[frozenset[Span]]:
        """The things that are there: each the heads of its mentions."""
        heads: dict[str, set[Span]] = defaultdict(set)
        for each in self.mentions:
            heads[each.thing].add(each.head)
        return [frozenset(heads[thing]) for thing in sorted(heads)]

    @property
    def pronouns(self) -> frozenset[Span]:
        """The heads that are pronouns, or stand for a noun as they do."""
        return frozenset(
            each.head
            for each in self.mentions
            if self.text[slice(*each.head)].casefold() in _PRONOUNS
        )


# ── reading the marks ────────────────────────────────────────────────────────────────────────


def passages(which: Which = "play") -> list[Passage]:
    """The passages of a set that come with storykeeper, in the order of their names."""
    folder = files("storykeeper.bench") / "passages" / which
    found = sorted((f for f in folder.iterdir() if f.name.endswith(".txt")), key=lambda f: f.name)
    return [read(f.read_text("utf-8"), name=f.name.removesuffix(".txt")) for f in found]


def read(marked: str, *, name: str) -> Passage:
    """A passage from its marked text; lines that begin with # are left out."""
    reading = _Marks(name)
    for number, line in enumerate(marked.strip().split("\n"), start=1):
        if not line.startswith("#"):
            reading.line(line, number)
    return reading.passage()


class _Marks:
    """The text so far, and the labels found in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pieces: list[str] = []
        self.length = 0
        self.labelled: list[Labelled] = []
        self.heads: set[Span] = set()

    def line(self, line: str, number: int) -> None:
        """One line; marks do not run over its end."""
        open_at: list[int] = []
        at = 0
        while at < len(line):
            match line[at]:
                case "[":
                    open_at.append(self.length)
                case "]":
                    label = _LABEL.match(line, at + 1)
                    if not open_at or label is None:
                        raise self._wrong(number, "a ] without its [, or without a {label} after")
                    self._close(open_at.pop(), label[1], number)
                    at = label.end() - 1
                case "{" | "}":
                    raise self._wrong(number, "a label that follows no ]")
                case letter:
                    self._add(letter)
            at += 1
        if open_at:
            raise self._wrong(number, "a [ that is never closed")
        self._add("\n")

    def passage(self) -> Passage:
        """What was read, in the order of the text."""
        inorder = sorted(self.labelled, key=lambda each: (each.start, -each.end))
        return Passage(self.name, "".join(self.pieces).rstrip("\n"), tuple(inorder))

    def _add(self, letters: str) -> None:
        self.pieces.append(letters)
        self.length += len(letters)

    def _close(self, start: int, label: str, number: int) -> None:
        if not _ID.fullmatch(label):
            raise self._wrong(number, f"{{{label}}} is no label: small letters, digits and -")
        if label == NOT_A_THING:
            return
        text = "".join(self.pieces[start:])  # one letter a piece, so places are indices
        head = head_of(text)
        if head is None:
            raise self._wrong(number, f"{{{label}}} labels no word")
        where = (start + head[0], start + head[1])
        if where in self.heads:
            raise self._wrong(number, f"two labels on the word {text[slice(*head)]!r}")
        self.heads.add(where)
        thing, _, part = label.partition("/")
        self.labelled.append(Labelled(start, self.length, where, thing, part=bool(part)))

    def _wrong(self, number: int, what: str) -> PassageInvalid:
        return PassageInvalid(f"{self.name}, line {number}: {what}")


def head_of(phrase: str) -> Span | None:
    """Where the head of a phrase stands: its last word before any "of", without 's."""
    words = list(_WORD.finditer(phrase))
    of = next((i for i, word in enumerate(words) if i and word[0].casefold() == "of"), len(words))
    if not words:
        return None
    head = words[of - 1]
    return head.start(), head.start() + len(_OWNER.sub("", head[0]))


# ── scoring ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Pairing:
    """What was found beside what is there: places in the list of found spans → labels."""

    found: tuple[Span, ...]
    of: dict[int, Labelled]

    def absent(self) -> list[Labelled]:
        """What was found though it is not there."""
        return [each for each in self.of.values() if each.thing.startswith(ABSENT)]


def pairing(found: Sequence[Span], gold: Passage) -> Pairing:
    """One to one: a found span pairs with a label whose head it covers, closest first."""
    offers = sorted(
        (_distance(span, each), j, i)
        for i, span in enumerate(found)
        for j, each in enumerate(gold.labelled)
        if span[0] <= each.head[0] and each.head[1] <= span[1]
    )
    of: dict[int, Labelled] = {}
    taken: set[int] = set()
    for _, j, i in offers:
        if i not in of and j not in taken:
            of[i] = gold.labelled[j]
            taken.add(j)
    return Pairing(tuple(found), of)


def _distance(span: Span, each: Labelled) -> tuple[bool, int]:
    """The same phrase is closest, then the shortest; labels stand in order, outer ones first."""
    return span != (each.start, each.end), span[1] - span[0]


def score(predicted: Clusters, gold: Passage) -> Score:
    """All counts of one passage; they add over passages."""
    pairs = pairing([span for cluster in predicted for span in cluster], gold)
    found = _partition(predicted, pairs)
    there: Partition = gold.things
    nearest, named = links_of(there, found, gold.pronouns)
    right = sum(each.counts for each in pairs.of.values())
    count = Tally(right, sum(map(len, found)), right, len(gold.mentions))
    return Score(count, muc(there, found), b3(there, found), ceaf(there, found), nearest, named)


def _partition(predicted: Clusters, pairs: Pairing) -> list[frozenset[Span]]:
    """The found clusters, each mention by the head it was paired with, or by one of its own."""
    clusters = []
    place = 0
    for cluster in predicted:
        keys: set[Span] = set()
        for _ in cluster:
            each = pairs.of.get(place)
            if each is None or each.thing.startswith(ABSENT):
                keys.add((-1 - place, -1))  # nobody's head: false
            elif each.counts:
                keys.add(each.head)
            place += 1
        if keys:
            clusters.append(frozenset(keys))
    return clusters


def measure(predict: Predict, gold: Iterable[Passage]) -> Figures:
    """The figures of a way to find things, over passages; `f1` is the one to watch."""
    total = Score()
    by_passage: dict[str, float] = {}
    mentions = things = absent = absent_found = 0
    for passage in gold:
        predicted = predict(passage.text)
        each = score(predicted, passage)
        total += each
        by_passage[passage.name] = round(each.average, 2)
        mentions += len(passage.mentions)
        things += len(passage.things)
        absent += sum(label.thing.startswith(ABSENT) for label in passage.labelled)
        spans = [span for cluster in predicted for span in cluster]
        absent_found += len(pairing(spans, passage).absent())
    figures: Figures = {"f1": round(total.average, 2), **total.figures()}
    counts = {"mentions": mentions, "things": things, "absent": absent}
    return {**figures, **counts, "absent_found": absent_found, "passages": by_passage}


def differences(predicted: Clusters, gold: Passage) -> Iterator[str]:
    """In plain words, what was missed and what was found too many; for whoever works on it."""
    pairs = pairing([span for cluster in predicted for span in cluster], gold)
    paired = {each.head for each in pairs.of.values()}
    for each in gold.mentions:
        if each.head not in paired:
            yield f"missed: {gold.text[each.start : each.end]} ({each.thing})"
    for i, span in enumerate(pairs.found):
        label = pairs.of.get(i)
        if label is None:
            yield f"too many: {gold.text[slice(*span)]}"
        elif label.thing.startswith(ABSENT):
            yield f"not there: {gold.text[slice(*span)]} ({label.thing})"
