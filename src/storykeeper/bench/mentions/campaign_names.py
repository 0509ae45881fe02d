"""Who and what an episode is known to be about: names that its human summaries and its turns share.

Nobody labelled them, so the rule is stated. Of the summaries only the sections that tell the story
are read (not announcements, breaks, questions and answers). A name is a run of capitalised words,
joined by "of", "the" or "de", that stands at least once inside a sentence; a word that begins the
sentence and that turns or summaries have in small letters too ("Then") is no part of it. A single
word is no name if the turns write it small more than a quarter as often as with a capital.
Over all summaries it is

    nothing      if it is cast or used ("casts Entangle") as often as it acts
    a place      if one of its words is a word for places ("Manor"), or if "in", "into", "from",
                 "through", "beneath", "outside", "under", "reach", "enter", "leave" or "city of"
                 stands before it more often than it acts
    a character  if it acts, in a fifth of the places where it stands: it is followed by a word in
                 -s or -ed, or owns something ('s)

and nothing otherwise. An episode knows a name that its own summary has
and that occurs in at least three of its turns. Two names are one if one begins the other ("Vex",
"Vex'ahlia") or is a run of its words ("Kima", "Lady Kima"), unless it could be of several.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storykeeper.bench.mentions.campaign_data import Episode

LEAST_TURNS = 3
_SMALL_SHARE = 0.25
_ACTS_SHARE = 0.2
_CAPITAL = r"[A-Z][\w-]*(?:['’](?!(?:s|t|d|m|ll|ve|re)\b)\w+)?\b"
_NAME = re.compile(rf"\b{_CAPITAL}(?:(?: of| the| de)?(?: {_CAPITAL}))*")
_ACT = re.compile(r"['’]s\b(?! [A-Z])|,? (?:then |also |slowly |quickly )?(?!as\b)[a-z]+(?:s|ed)\b")
_CAST = re.compile(r"\b(?:cast|casts|casting|use|uses|using)(?: an?| the| another| \w+['’]s)? $")
_TO_A_PLACE = re.compile(
    r"\b(?:in|into|from|through|beneath|outside|under|reach|reaches|enter|enters|leave|leaves"
    r"|city of)(?: the)? $",
    re.IGNORECASE,
)
_PLACE_WORDS = frozenset({
    "bridge", "castle", "cavern", "caverns", "city", "forest", "gate", "hall", "house", "inn",
    "keep", "lake", "manor", "mine", "mines", "mountain", "mountains", "pit", "pits", "river",
    "shop", "street", "tavern", "temple", "tower", "town", "village",
})  # fmt: skip
_INSIDE = re.compile(r"[\w,;)’'] $")
_SMALL = re.compile(r"\b[a-z]+\b")
_OWNER = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class Known:
    """A character or a place, and the names it goes by."""

    names: tuple[str, ...]
    place: bool

    def called(self, name: str) -> bool:
        """Whether something of that name is this one: a whole name of its stands in it."""
        return any(_short_for(own, name) for own in self.names)


@dataclass(slots=True)
class _Seen:
    """How a name stands in the summaries."""

    times: int = 0
    inside: int = 0
    acts: int = 0
    place: int = 0
    cast: int = 0

    def is_place(self, name: str) -> bool | None:
        """Whether it is a place; None if it is neither place nor character."""
        if not self.inside or (self.cast and self.cast >= self.acts):
            return None
        if self.place > self.acts or not _PLACE_WORDS.isdisjoint(_words(name)):
            return True
        return False if self.acts and self.acts >= _ACTS_SHARE * self.times else None


def known(episodes: Sequence[Episode]) -> list[tuple[Known, ...]]:
    """For each episode the characters and places that it is known to be about."""
    small = {word for e in episodes for text in _texts(e) for word in _SMALL.findall(text)}
    everywhere = _seen([e.summary for e in episodes], small)
    return [_of(e, everywhere, own=_seen([e.summary], small)) for e in episodes]


def covered(things: Iterable[Known], names: Iterable[str]) -> int:
    """How many of them something with one of these names is."""
    called = sorted(set(names))
    return sum(any(map(thing.called, called)) for thing in things)


def _texts(episode: Episode) -> list[str]:
    return [episode.summary, *(turn.text for turn in episode.turns)]


def _seen(summaries: Sequence[str], small: set[str]) -> dict[str, _Seen]:
    seen: dict[str, _Seen] = defaultdict(_Seen)
    for text in summaries:
        for match in _NAME.finditer(text):
            inside = _INSIDE.match(text[max(0, match.start() - 2) : match.start()]) is not None
            start = match.start() if inside else _after_small(match, small)
            here, before = seen[text[start : match.end()]], text[max(0, start - 20) : start]
            here.times += 1
            here.inside += inside or start > match.start()
            here.acts += bool(_ACT.match(text, match.end()))
            here.place += bool(_TO_A_PLACE.search(before))
            here.cast += bool(_CAST.search(before))
    return {name: seen[name] for name in sorted(seen)}


def _after_small(match: re.Match[str], small: set[str]) -> int:
    """Where a name begins whose first word may only begin the sentence."""
    first, space, _ = match[0].partition(" ")
    return match.start() + len(first) + 1 if space and first.lower() in small else match.start()


def _of(episode: Episode, everywhere: dict[str, _Seen], *, own: Iterable[str]) -> tuple[Known, ...]:
    said = [turn.text for turn in episode.turns]
    words = Counter(word for text in said for word in re.findall(r"[\w'’-]+", text))
    names: dict[bool, list[str]] = {False: [], True: []}
    for name in own:
        place = everywhere[name].is_place(name)
        if place is None or _a_word(name, words):
            continue
        if sum(_stands(name, text) for text in said) >= LEAST_TURNS:
            names[place].append(name)
    return tuple(Known(group, place) for place in (False, True) for group in _joined(names[place]))


def _a_word(name: str, words: Counter[str]) -> bool:
    return " " not in name and words[name.lower()] > _SMALL_SHARE * words[name]


def _stands(name: str, text: str) -> bool:
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None


def _joined(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Names of one thing together: each goes to the one longest that it could be of."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda n: (-len(n), n)):
        longer = [head for head, group in groups.items() if any(_short_for(name, g) for g in group)]
        groups.setdefault(longer[0] if len(longer) == 1 else name, []).append(name)
    return [tuple(sorted(group)) for _, group in sorted(groups.items())]


def _short_for(short: str, name: str) -> bool:
    """Whether one name is the beginning of the other, or a run of its words."""
    begins = re.match(rf"{re.escape(short)}['’]\w", name, re.IGNORECASE)
    return begins is not None or _run(_words(short), _words(name))


def _words(name: str) -> list[str]:
    return [_OWNER.sub("", word).casefold() for word in name.split()]


def _run(short: list[str], long: list[str]) -> bool:
    """Whether the words stand together, in order, in the longer list."""
    size = len(short)
    return any(long[at : at + size] == short for at in range(len(long) - size + 1))
