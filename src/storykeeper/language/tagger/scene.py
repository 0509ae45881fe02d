"""A reading laid out in order: stretches of narration, and the quotations between them.

A stretch is a sentence, or the part of one that no quotation interrupts, so that "once she has
gone," before somebody's words and "and goes." after them are told apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from storykeeper.language.prose.unread import pieces, readable, within_limit
from storykeeper.language.prose.words import Word, Words
from storykeeper.language.reading import Mention, Quotation, Reading
from storykeeper.language.tagger.people import Person, meant, name_words

Places = Mapping[str, tuple[str, ...]]

_STOP = re.compile(
    r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<![.!?…])[.!?…]++[\"'”’)*_\]]*+(?=\s)|\n+"
)
_MOST_DEEDS = 12  # of one subject: a text without stops is read in time all the same
_QUOTES = "\"'“”‘’*_ \n"
_TAIL = 12  # characters that show how a stretch begins or ends
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})


@dataclass(slots=True)
class Stretch:
    """Some narration, or a quotation; mentions and clauses are places in the reading."""

    start: int
    end: int
    quotation: int | None = None
    words: list[Word] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    places: list[tuple[int, str]] = field(default_factory=list)  # the word that names it, which


@dataclass(slots=True)
class Scene:
    """What features are taken from."""

    reading: Reading
    people: Sequence[Person]
    places: Places
    who: list[int | None]  # each mention means
    heads: list[int | None]  # the word that heads each mention
    words: Words
    stretches: list[Stretch]
    speakers: list[int | None]  # of each quotation
    addressees: list[int | None]


def laid_out(reading: Reading, people: Sequence[Person], places: Places) -> Scene:
    """A reading as a scene."""
    who = meant(reading, people)
    stretches = list(_stretches(reading.text, reading.quotations))
    words = _words(reading.text)
    _fill(stretches, reading, words, places)
    starts = [word.start for word in words]
    return Scene(
        reading,
        people,
        places,
        who,
        [_head(words, starts, mention) for mention in reading.mentions],
        words,
        stretches,
        [None if q.speaker is None else who[q.speaker] for q in reading.quotations],
        [None if q.addressee is None else who[q.addressee] for q in reading.quotations],
    )


def _stretches(text: str, quotations: Sequence[Quotation]) -> Iterator[Stretch]:
    at = 0
    for n, quotation in enumerate(quotations):
        if quotation.start < at:
            continue
        yield from _sentences(text, at, quotation.start)
        yield Stretch(quotation.start, quotation.end, n)
        at = quotation.end
    yield from _sentences(text, at, len(text))


def _sentences(text: str, start: int, end: int) -> Iterator[Stretch]:
    at = seen = start
    for stop in _STOP.finditer(text, start, end):
        if any(map(str.isalnum, text[seen : stop.end()])):
            yield Stretch(at, stop.end())
            at = stop.end()
        seen = stop.end()
    if any(map(str.isalnum, text[seen:end])):
        yield Stretch(at, end)


def _words(text: str) -> Words:
    """The words of all pieces, as places in the whole text."""
    from storykeeper.language.parser import parse

    found = Words()
    for start, piece in pieces(readable(within_limit(text)[0]).text):
        base, sentences = len(found), found[-1].sentence + 1 if found else 0
        for word in Words.of(parse(piece)):
            word.i += base
            word.head += base
            word.start += start
            word.sentence += sentences
            found.append(word)
    found.hang()
    return found


def _fill(stretches: list[Stretch], reading: Reading, words: Words, places: Places) -> None:
    starts = [each.start for each in stretches]

    def over(at: int) -> Stretch | None:
        n = bisect_right(starts, at) - 1
        return stretches[n] if n >= 0 and at < stretches[n].end else None

    for word in words:
        if (stretch := over(word.start)) is not None:
            stretch.words.append(word)
    for n, mention in enumerate(reading.mentions):
        if (stretch := over(mention.start)) is not None:
            stretch.mentions.append(n)
    for n, clause in enumerate(reading.clauses):
        if (stretch := over(clause.start)) is not None:
            stretch.clauses.append(n)
    for i, place in _named_places(words, places):
        if (stretch := over(words[i].start)) is not None:
            stretch.places.append((i, place))


def _named_places(words: Words, places: Places) -> Iterator[tuple[int, str]]:
    """Words that end a place's name: only its name ends so, or the whole of it stands there."""
    ends: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for place, names in places.items():
        for name in filter(None, map(name_words, names)):
            ends.setdefault(name[-1], []).append((place, name))
    for word in words:
        known = ends.get(word.lower) or ends.get(word.lemma) or []
        found = {place for place, _ in known}
        if len(found) > 1:
            found = {place for place, name in known if _stands(words, word.i, name)}
        if len(found) == 1:
            yield word.i, next(iter(found))


def _stands(words: Words, last: int, name: tuple[str, ...]) -> bool:
    first = last - len(name) + 1
    return first >= 0 and all(words[first + n].lower == part for n, part in enumerate(name[:-1]))


def _head(words: Words, starts: list[int], mention: Mention) -> int | None:
    inside = range(bisect_left(starts, mention.start), bisect_left(starts, mention.end))
    return next((i for i in inside if words[i].head not in inside), None)


def inside(scene: Scene, mention: Mention) -> range:
    """The words of a mention."""
    return range(
        bisect_left(scene.words, mention.start, key=lambda word: word.start),
        bisect_left(scene.words, mention.end, key=lambda word: word.start),
    )


def is_subject(word: Word) -> bool:
    """Whether a word is what a verb is said of."""
    return word.dep in _SUBJECTS


def deeds(words: Words, verb: int) -> list[int]:
    """A verb, and those joined to it or hanging on it that have the same subject."""
    found = [verb]
    for at in found:  # grows as it is read
        for child in words[at].children:
            word = words[child]
            if word.pos not in ("VERB", "AUX") or len(found) == _MOST_DEEDS:
                continue
            own = any(is_subject(words[c]) for c in word.children)
            if word.dep == "xcomp" or (word.dep in ("conj", "advcl") and not own):
                found.append(child)
    return found


def begins_paragraph(scene: Scene, at: int) -> bool:
    """Whether there is a line break between a stretch and the one before."""
    before, stretch = scene.stretches[at - 1], scene.stretches[at]
    return "\n" in scene.reading.text[before.end - 1 : stretch.start + 1]


def tags(scene: Scene, at: int) -> bool:
    """Whether narration goes on with the sentence of the words said before it."""
    if not _meet(scene, at - 1, at) or scene.stretches[at].quotation is not None:
        return False
    text, before, stretch = scene.reading.text, scene.stretches[at - 1], scene.stretches[at]
    said = text[max(before.start, before.end - _TAIL) : before.end].rstrip(_QUOTES)
    first = text[stretch.start : stretch.start + _TAIL].lstrip(_QUOTES + ",—-…")[:1]
    return said.endswith(",") or first.islower()


def leads_up(scene: Scene, at: int) -> bool:
    """Whether narration ends so that the words said after it belong to its sentence."""
    if not _meet(scene, at, at + 1) or scene.stretches[at].quotation is not None:
        return False
    stretch = scene.stretches[at]
    end = scene.reading.text[max(stretch.start, stretch.end - _TAIL) : stretch.end]
    return end.rstrip(_QUOTES).endswith((",", ":"))


def _meet(scene: Scene, one: int, other: int) -> bool:
    """Whether two stretches are of one paragraph, and one of them is spoken."""
    if one < 0 or other >= len(scene.stretches) or begins_paragraph(scene, other):
        return False
    spoken = (scene.stretches[n].quotation is not None for n in (one, other))
    return sum(spoken) == 1
