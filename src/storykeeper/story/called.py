"""What the author's people, things and places are called, and where these names stand in a text.

A common word does not tell of who happens to be called so: rain is not Rain, nor a captain the
captain. How a text writes a name is marked before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol

from storykeeper.events.vocabulary import Gender
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.units import EntityId

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_MARKS = '\n.,;:!?…“”"()[]—–*_'
_EDGES = (" '", "' ", " -", "- ", "''", "--", "-'", "'-")  # marks that are not within a word
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "his", "her", "their"})
_PRONOUNS = {"she": Gender.SHE, "he": Gender.HE, "it": Gender.IT, "they": Gender.THEY}
BY_AUTHOR = "!"  # before a name: it stood in the author's own prose
HEAD = "?"  # before a name written large: it stood only where every word is
SMALL = "~"  # before a name that the author writes small: it stood there, and not as one of many
_HEADS = re.compile(r"(?:^|[.!?…:;\n“”\"‘(*_—–-])[\s“\"‘(*_—–]*$")  # a sentence begins after it
_BEFORE_ANY = re.compile(r"\b(?:an?|no|any|some|every|each|another|one)\s+$", re.IGNORECASE)


class Named(Protocol):
    """A story by id. It is the same object as long as the story is."""

    def __hash__(self) -> int: ...

    @property
    def cast(self) -> Mapping[str, Character]:
        """Its people."""
        ...

    @property
    def things(self) -> Mapping[str, Thing]:
        """Its things."""
        ...

    @property
    def settings(self) -> Mapping[str, Setting]:
        """Its places."""
        ...


def gender_of(pronouns: str) -> Gender:
    """What pronoun fits, as the author gives them: "she/her"."""
    return _PRONOUNS.get(pronouns.partition("/")[0].strip().casefold(), Gender.UNKNOWN)


def bare_words(name: str) -> list[str]:
    """The words of a name, but for articles."""
    return [word for word in name.split() if word.casefold() not in _ARTICLES]


@lru_cache(maxsize=4_096)
def plain(phrase: str) -> str:
    """A name without case, marks, leading article and the s of what is somebody's."""
    words = [_bare(word) for word in _WORD.findall(phrase)]
    return " ".join(words[1:] if words[1:] and words[0] in _ARTICLES else words)


def phrases_of(each: Character | Thing | Setting) -> Iterator[str]:
    """All that something is called, in plain words; a person also by their first name."""
    for phrase in (each.name, *each.aliases):
        yield plain(phrase)
    if each.name[:1].isupper():
        yield plain(each.name).partition(" ")[0]


@lru_cache(maxsize=16)
def owners(story: Named) -> Mapping[str, frozenset[EntityId]]:
    """Whose names these are, by the plain name."""
    found: defaultdict[str, set[EntityId]] = defaultdict(set)
    authored: dict[str, Character | Thing | Setting]
    authored = {**story.cast, **story.things, **story.settings}
    for entity, each in authored.items():
        for phrase in filter(None, phrases_of(each)):
            found[phrase].add(EntityId(entity))
    return {phrase: frozenset(who) for phrase, who in found.items()}


@lru_cache(maxsize=16)
def _begun(story: Named) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The words of all names, by the first of them."""
    found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for phrase in owners(story):
        words = tuple(phrase.split(" "))
        found[words[0]].append(words)
    return {first: tuple(sorted(names)) for first, names in found.items()}


def names_in(story: Named, text: str) -> frozenset[str]:
    """Every name of the author's that stands in a text, those within longer ones too."""
    words, begun = _words(text), _begun(story)
    if begun.keys().isdisjoint(words):
        return frozenset()
    return frozenset(
        " ".join(name)
        for at in [at for at, word in enumerate(words) if word in begun]
        for name in begun[words[at]]
        if tuple(words[at : at + len(name)]) == name
    )


def _words(text: str) -> list[str]:
    """The words of a text as `plain` has them; of ordinary prose in a third of the time."""
    text = text.casefold().replace("’", "'")
    bare = f" {text} "
    for mark in _MARKS:
        bare = bare.replace(mark, " ")
    whole = bare.replace(" ", "").replace("'", "").replace("-", "").isalnum()
    if whole and not any(edge in bare for edge in _EDGES):
        words = bare.split()
    else:
        words = _WORD.findall(text)
    return [word.removesuffix("'s") for word in words] if "'s" in text else words


def told_in_text(story: Named, text: str) -> frozenset[str]:
    """The names by which a text tells of somebody, marked by how it writes them."""
    found = names_in(story, text)
    return frozenset(mark for name in found for mark in _written(story, text, name))


def bare(mark: str) -> str:
    """The name of a mark."""
    return mark.lstrip(f"{BY_AUTHOR}{HEAD}{SMALL}")


def is_large(name: str) -> bool:
    """Whether the author writes it as a name, article aside."""
    words = name.split()
    return any(word[:1].isupper() for word in (words[1:] or words))


def _written(story: Named, text: str, name: str) -> Iterator[str]:
    """Places are told of by any mention. Others are if it is written as their name is."""
    forms = _forms(story)[name]
    if "place" in forms:
        yield name
    for match in _pattern(name).finditer(text):
        before = text[max(0, match.start() - 9) : match.start()]
        if "small" in forms and _BEFORE_ANY.search(before) is None:
            yield f"{SMALL}{name}"
        words = match.group().split()
        if "large" in forms and words[-1][:1].isupper():
            head = len(words) == 1 and _HEADS.search(before) is not None
            yield f"{HEAD}{name}" if head else name


@lru_cache(maxsize=16)
def _forms(story: Named) -> Mapping[str, frozenset[str]]:
    """How its owners write each name: large, small, or as that of a place."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    authored: dict[str, Character | Thing | Setting]
    authored = {**story.cast, **story.things, **story.settings}
    for each in authored.values():
        sort = "place" if isinstance(each, Setting) else ""
        for phrase in (each.name, *each.aliases):
            found[plain(phrase)].add(sort or ("large" if is_large(phrase) else "small"))
        if each.name[:1].isupper():
            found[plain(each.name).partition(" ")[0]].add(sort or "large")
    return {name: frozenset(forms) for name, forms in found.items()}


@lru_cache(maxsize=4_096)
def _pattern(name: str) -> re.Pattern[str]:
    words = (re.escape(word).replace("'", "['’]") for word in name.split(" "))
    return re.compile(r"(?<!\w)" + r"\W+".join(words) + r"(?!\w)", re.IGNORECASE)


def _bare(word: str) -> str:
    return word.casefold().replace("’", "'").removesuffix("'s")
