"""Who is named in talk: who speaks, who is spoken to, and who is only spoken of.

A line's head may be joint ("Ana and Bo"), a word for the company ("All"), or one letter wrong. A
name inside the words is an address if it stands as one: between marks, after a greeting, at the
end of a sentence. "Thanks, Ana." speaks to her; "I agree with Ana." speaks of her.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from storykeeper.language.names import Names
from storykeeper.language.presence.wording import Word, Wording
from storykeeper.units import EntityId

_JOINED = re.compile(r"\s*(?:,|&|/|\+|\band\b)\s*", re.IGNORECASE)
_COMPANY = frozenset({"all", "everyone", "everybody", "both", "together", "group", "others"})

# Before a name that ends its clause, a comma may be forgotten after these: "You're so right Ana!"
_BARELY = frozenset(
    ["you", "too", "again", "here", "there", "right", "true", "great", "good", "nice", "lovely",
     "interesting", "amazing", "wonderful", "point", "said", "more", "idea", "it", "this", "now",
     "agree", "well", "much", "question", "welcome", "sorry", "please", "then", "though"]
)  # fmt: skip
# After these, at the head of a sentence, always: "Hi Ana we were just …".
_CALLS = frozenset(
    ["hi", "hello", "hey", "hiya", "howdy", "morning", "evening", "afternoon", "night", "greetings",
     "welcome", "thanks", "thank", "bye", "goodbye", "farewell", "sure", "okay", "ok", "yes", "no",
     "yeah", "absolutely", "indeed", "definitely", "agreed", "exactly", "true", "right", "course",
     "back", "ya", "cya", "cheers", "likewise", "so", "well", "oh", "wow", "sorry", "care", "later"]
)  # fmt: skip
_COUNTED = re.compile(
    r"\b(?:(?:both|two) of you|you (?:both|two)|(?P<three>you three|three of you))\b", re.IGNORECASE
)
_MANY = re.compile(
    r"\b(?:you guys|you all|y'all|all of you|(?:everyone|everybody|guys|folks|fellas|gentlemen"
    r"|ladies|friends|gang|team|lads|girls|boys|people|all)(?=\s*(?:[,.!?;:–—-]|$|and\b)))",
    re.IGNORECASE,
)
_SPEAKS_TO = re.compile(
    r"(?:^|[,.!?;:–—-]|\b(?:hi|hello|hey|well|so|bye|thanks|evening|morning|dear|my))\s*$",
    re.IGNORECASE,
)
_APART = 3  # words from one name to the next in a row: "Ana, and Bo"
_NEAR = 12  # letters back in which what speaks to a company is looked for


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text, and whether it is an address."""

    who: str
    start: int
    end: int
    addressed: bool


@dataclass(frozen=True)
class Cast:
    """The people of a talk, each with what they are called."""

    called: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, people: Iterable[str] | Mapping[str, Iterable[str]]) -> Cast:
        """People by their names; or by any id, each with their names."""
        if isinstance(people, Mapping):
            return cls(tuple((who, tuple(names)) for who, names in people.items()))
        return cls(tuple((name, (name,)) for name in dict.fromkeys(people) if name.strip()))

    @property
    def people(self) -> tuple[str, ...]:
        """Who they are, in the order given."""
        return tuple(who for who, _ in self.called)

    def speakers(self, head: str, *, here: Sequence[str] = ()) -> tuple[str, ...]:
        """Whom a line's head means: one, several, or all who are `here`.

        Somebody who is not of the cast speaks under the name written there.
        """
        head = head.strip()
        whole = head if head in self.people else self.meant(head)
        if whole is not None:
            return (whole,)
        parts = [part for part in _JOINED.split(head) if part]
        if parts and all(_plain(part) in _COMPANY for part in parts):
            return tuple(here)
        known = [who for part in parts if (who := self.meant(part)) is not None]
        if known and len(parts) > 1:
            return tuple(dict.fromkeys(known))
        return (head,) if head else ()

    def meant(self, name: str) -> str | None:
        """Whom a name must mean: as written, by a word of it, or with one letter wrong."""
        key = _plain(name)
        if key not in self._by_name:
            key = self._mending.mend(key) or ""
        return self._by_name.get(key)

    def named(self, wording: Wording) -> tuple[Named, ...]:
        """Every one of the people named, in order."""
        words = wording.words
        found = {n: who for n, word in enumerate(words) if (who := self._one(word)) is not None}
        if not found:
            return ()
        starts = _starts(wording)
        return tuple(
            Named(who, words[n].start, _end(words[n]), _addressed(words, n, found, starts))
            for n, who in found.items()
        )

    def _one(self, word: Word) -> str | None:
        """Whom a word names; names are written large."""
        return self.meant(word.raw.removesuffix("'s")) if word.raw[0].isupper() else None

    @cached_property
    def _by_name(self) -> dict[str, str]:
        """Names, and single words of them, that belong to one person only."""
        whole: dict[str, set[str]] = {}
        single: dict[str, set[str]] = {}
        for who, names in self.called:
            for name in map(_plain, names):
                whole.setdefault(name, set()).add(who)
                for word in name.split():
                    single.setdefault(word, set()).add(who)
        found = {word: people.pop() for word, people in single.items() if len(people) == 1}
        return found | {name: people.pop() for name, people in whole.items() if len(people) == 1}

    @cached_property
    def _mending(self) -> Names:
        return Names(tuple((EntityId(who), names) for who, names in self.called if names))


def many(wording: Wording) -> tuple[int, bool]:
    """How many others an address to the company counts on, and whether it says the number.

    (0, False) without one; (2, False) for "guys"; (2, True) for "you both".
    """
    counted = [3 if match["three"] else 2 for match in _COUNTED.finditer(wording.plain)]
    if counted:
        return max(counted), True
    for match in _MANY.finditer(wording.plain):
        before = wording.plain[max(match.start() - _NEAR, 0) : match.start()]
        if match.group().lower().startswith(("you", "y'")) or _SPEAKS_TO.search(before):
            return 2, False
    return 0, False


def _addressed(words: Sequence[Word], n: int, names: Container[int], starts: set[int]) -> bool:
    """Whether the name at n is an address; names in a row share their lot."""
    if words[n].text.endswith("'s"):
        return False
    first, last = _row(words, n, names)
    after = words[last + 1] if last + 1 < len(words) else None
    closed = after is None or last + 1 in starts or (after.mark and after.text not in "'\"")
    if first in starts or words[first - 1].mark:
        return closed
    if words[first - 1].text in _CALLS and not starts.isdisjoint(range(first - 3, first)):
        return True
    return closed and words[first - 1].text in _BARELY


def _row(words: Sequence[Word], n: int, names: Container[int]) -> tuple[int, int]:
    """The first and last of names in a row: "Ana, Bo and Cy"."""

    def next_name(place: int, by: int) -> int | None:
        reach = place + by
        while 0 <= reach < len(words) and words[reach].text in (",", "and", "&"):
            reach += by
        return reach if reach in names and abs(reach - place) <= _APART else None

    first = last = n
    while (nearer := next_name(first, -1)) is not None:
        first = nearer
    while (further := next_name(last, 1)) is not None:
        last = further
    return first, last


def _starts(wording: Wording) -> set[int]:
    """Which words open a sentence."""
    heads = [wording.sentence_at(word.start) for word in wording.words]
    return {n for n, head in enumerate(heads) if n == 0 or heads[n - 1] != head}


def _end(word: Word) -> int:
    """Where the name ends; what "'s" is short for follows it."""
    return word.end - 2 * word.text.endswith("'s")


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace(".", " ").split())
