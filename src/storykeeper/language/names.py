"""Finding the author's people, things and places in a text, by name and alias.

Longest name first, whole words, whatever the case; a leading article does not matter. A name that
two entities share is nobody's until something else tells them apart. A name typed with one letter
wrong is still a name, if the word is nothing else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from storykeeper.language.lexicon import (
    VerbClass,
    is_first_name,
    is_quality,
    sort_of,
    verb_classes,
)
from storykeeper.language.reading import Sort
from storykeeper.language.verbs import NOT_VERBS, base, is_verb
from storykeeper.story.model import Story
from storykeeper.units import EntityId

_NEXT = re.compile(r" ([a-z]+)(?<!ing)\b")
_OF_NATURE = frozenset(
    ["fall", "go", "come", "rise", "pass", "run", "follow", "hang", "spread", "return", "drift",
     "flow", "drop", "settle", "break", "hold", "die", "begin", "end", "turn", "fill", "touch",
     "cover", "reach", "call", "speak", "sing", "sleep", "burn"]
)  # fmt: skip
_OF_PEOPLE = frozenset(VerbClass) - {VerbClass.BE, VerbClass.MAKE}
_LONG, _LONGEST = 5, 30  # letters of a name misspelt: shorter words are too near each other
_COMMONER = frozenset(
    [
        "april",
        "august",
        "chance",
        "dawn",
        "faith",
        "grace",
        "grant",
        "hope",
        "ivy",
        "joy",
        "june",
        "may",
        "misty",
        "rose",
        "sandy",
        "star",
        "stormy",
        "summer",
        "sunny",
        "will",
        "winter",
    ]
)  # first names that are more often words
_ARTICLE = re.compile(r"^(the|a|an|my|our|his|her|their)\s+", re.IGNORECASE)
_HEADS = re.compile(r"(?:^|[.!?…:;\n“”\"‘(*_—–-])[\s“\"‘(*_—–]*$")  # a sentence begins after it


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text."""

    entity: EntityId
    start: int
    end: int


@dataclass(frozen=True)
class Names:
    """What every entity of a story is called."""

    called: tuple[tuple[EntityId, tuple[str, ...]], ...]
    others: Names | None = None  # in prose, whom no name of these is: those not known yet

    @classmethod
    def of(cls, story: Story) -> Names:
        """The names an author gave."""
        people = [(EntityId(c.id), (c.name, *c.aliases)) for c in story.cast]
        things = [(EntityId(t.id), (t.name, *t.aliases)) for t in story.things]
        settings = [(EntityId(s.id), (s.name, *s.aliases)) for s in story.settings]
        return cls((*people, *things, *settings))

    def find(self, text: str) -> tuple[Found, ...]:
        """Every entity named, in order."""
        if self._pattern is None:
            return ()
        hits = ((m, self._by_phrase.get(_plain(m.group()))) for m in self._pattern.finditer(text))
        return tuple(Found(entity, m.start(), m.end()) for m, entity in hits if entity is not None)

    def find_in_prose(self, text: str) -> tuple[Found, ...]:
        """The same in prose, which writes names large: her sleeves are not the Sleeves."""
        mine = [found for found in self.find(text) if self._is_meant(text, found)]
        if self.others is None:
            return tuple(mine)
        taken = [(found.start, found.end) for found in self.find(text)]
        more = [
            found
            for found in self.others.find_in_prose(text)
            if not self._is_head(text, found)
            and not any(found.start < end and start < found.end for start, end in taken)
        ]
        return tuple(sorted((*mine, *more), key=lambda found: found.start))

    def _is_meant(self, text: str, found: Found) -> bool:
        words = text[found.start : found.end]
        large = any(c.isupper() for c in _ARTICLE.sub("", words))
        return large or _plain(words) not in self._proper

    @staticmethod
    def _is_head(text: str, found: Found) -> bool:
        """Whether it is a common word that is large only as every first word is: “Rain falls.”

        Not a noun that does what people do, without an article: “Aria opens the door.”
        """
        word = text[found.start : found.end]
        if (
            not is_ordinary(word)
            or _HEADS.search(text[max(0, found.start - 4) : found.start]) is None
        ):
            return False
        return _is_no_noun(word) or not _acts(text, found.end)

    def mend(self, word: str) -> str | None:
        """The word of a name that a misspelt one must mean: one letter wrong, and no other near."""
        if not _LONG <= len(word) <= _LONGEST or word in self._words:
            return None
        near = {w for key in _shorter(word) for w in self._near.get(key, ()) if _one_off(w, word)}
        return near.pop() if len(near) == 1 else None

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words that names are made of; what is short or joined is never mended."""
        return frozenset(word for phrase in self._by_phrase for word in phrase.split(" "))

    @cached_property
    def _near(self) -> dict[str, list[str]]:
        near: dict[str, list[str]] = defaultdict(list)
        for word in sorted(w for w in self._words if len(w) >= _LONG and w.isalpha()):
            for key in _shorter(word):
                near[key].append(word)
        return dict(near)

    @cached_property
    def _by_phrase(self) -> dict[str, EntityId]:
        owners: dict[str, set[EntityId]] = defaultdict(set)
        for entity, phrases in self.called:
            for phrase in phrases:
                owners[_plain(phrase)].add(entity)
            first = _plain(phrases[0]).split(" ")[0]
            if phrases[0][:1].isupper() and first not in owners:
                owners[first].add(entity)  # "Mara" for Mara Rudd
        return {phrase: min(who) for phrase, who in owners.items() if len(who) == 1}

    @cached_property
    def _proper(self) -> frozenset[str]:
        """Names that the author writes large, article aside."""
        bare = [(p, _ARTICLE.sub("", p)) for _, phrases in self.called for p in phrases]
        return frozenset(_plain(phrase) for phrase, rest in bare if rest[:1].isupper())

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return _any_of(self._by_phrase)


@lru_cache(maxsize=4_096)
def is_ordinary(word: str) -> bool:
    """Whether a word is one of the language's own, so that it may well be no name: a tom is a cat,
    and Tom much more often somebody; to hope is commoner than Hope.
    """
    word = word.casefold()
    if not word.isalpha() or word in NOT_VERBS or is_verb(word, frozenset()):
        return word.isalpha()
    if is_first_name(word):
        return word in _COMMONER
    known = bool(verb_classes(base(word, frozenset()))) or sort_of(word) is not Sort.UNKNOWN
    return known or is_quality(word) or word.endswith("ly")


def _is_no_noun(word: str) -> bool:
    word = word.casefold()
    verb = word in NOT_VERBS or is_verb(word, frozenset()) or bool(verb_classes(word))
    return verb or is_quality(word) or word in _COMMONER


def _acts(text: str, at: int) -> bool:
    """Whether a text goes on with what people do, and seldom the weather: nods, but not falls."""
    following = _NEXT.match(text, at)
    if following is None:
        return False
    verb = base(following.group(1), frozenset())
    inflected = verb != following.group(1).casefold()
    return inflected and verb not in _OF_NATURE and bool(verb_classes(verb) & _OF_PEOPLE)


def _plain(phrase: str) -> str:
    return _ARTICLE.sub("", " ".join(phrase.replace("’", "'").split())).casefold()


def _any_of(phrases: Iterable[str]) -> re.Pattern[str] | None:
    ordered = sorted(filter(None, phrases), key=lambda p: (-len(p), p))
    if not ordered:
        return None
    spaced = (r"\s+".join(map(re.escape, phrase.split(" "))) for phrase in ordered)
    return re.compile(rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)", re.IGNORECASE)


def _shorter(word: str) -> set[str]:
    """The word, and the word without each of its letters: near words have one in common."""
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def _one_off(one: str, other: str) -> bool:
    """Whether one letter was left out, added, changed, or two beside each other swapped."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), None)
    if same is None:
        return len(long) > len(short)
    a, b = short[same:], long[same:]
    if len(short) < len(long):
        return a == b[1:]
    return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
