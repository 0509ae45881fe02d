"""Whom of the people each mention of a reading means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.language.reading import Gender, Mention, MentionKind, Reading

_ARTICLES = frozenset({"the", "a", "an"})
_SHORTEST = 3  # letters of a part of a name that may stand for all of it


@dataclass(frozen=True, slots=True)
class Person:
    """One of those who may be there, and where they are as the text begins."""

    names: tuple[str, ...]
    gender: Gender
    place: str | None
    is_player: bool


def player_of(people: Sequence[Person]) -> int | None:
    """Who "you" is, or "I" where the player tells it."""
    return next((who for who, person in enumerate(people) if person.is_player), None)


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name, small and without an article."""
    words = tuple(name.lower().replace("’", "'").split())
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


class _Names:
    """What people are called, whole and in parts; what two are called is nobody's name."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.whole: dict[tuple[str, ...], set[int]] = defaultdict(set)
        self.parts: dict[str, set[int]] = defaultdict(set)
        self.heads: dict[str, set[int]] = defaultdict(set)
        for who, person in enumerate(people):
            for words in filter(None, map(name_words, person.names)):
                self.whole[words].add(who)
                self.heads[words[-1]].add(who)
                for part in words:
                    if len(part) >= _SHORTEST:
                        self.parts[part].add(who)

    def named(self, mention: Mention) -> int | None:
        """Who a name or noun is, if it can be only one of them."""
        words = name_words(mention.text)
        found = self.whole.get(words) or self.whole.get(name_words(mention.head))
        if not found and mention.kind is MentionKind.NAME:
            parts = [self.parts[word] for word in words if word in self.parts]
            found = set.intersection(*parts) if parts else None
        if not found and mention.kind is MentionKind.NOUN and mention.definite:
            found = self.heads.get(mention.head.lower())
        return next(iter(found)) if found and len(found) == 1 else None


class _LastOfGender:
    """Whom "he" or "she" means where no cluster says: the only one who fits, or the last met.

    Who is told as "you" or "I" is not "he".
    """

    def __init__(self, reading: Reading, people: Sequence[Person]) -> None:
        is_told = any(map(_is_teller, reading.mentions))
        self.gender = [
            Gender.UNKNOWN if person.is_player and is_told else person.gender for person in people
        ]
        self.last: dict[Gender, int] = {}
        for gender in (Gender.HE, Gender.SHE):
            if self.gender.count(gender) == 1:
                self.last[gender] = self.gender.index(gender)

    def meet(self, who: int | None) -> None:
        if who is not None and self.gender[who] in (Gender.HE, Gender.SHE):
            self.last[self.gender[who]] = who


def _is_teller(mention: Mention) -> bool:
    """ "You" or "I" of the narration."""
    return (
        mention.kind is MentionKind.PRONOUN
        and mention.quotation is None
        and mention.person != 3
        and not mention.plural
    )


def meant(reading: Reading, people: Sequence[Person]) -> list[int | None]:
    """For each mention the person it means: by name, as teller, by its cluster, or by gender."""
    names, player = _Names(people), player_of(people)
    found = [
        None if mention.kind is MentionKind.PRONOUN else names.named(mention)
        for mention in reading.mentions
    ]
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for mention, who in zip(reading.mentions, found, strict=True):
        if who is not None and mention.cluster is not None:
            votes[mention.cluster][who] += 1
    clusters = {cluster: count.most_common(1)[0][0] for cluster, count in votes.items()}
    fitting = _LastOfGender(reading, people)
    for at, mention in enumerate(reading.mentions):
        if found[at] is None:
            found[at] = _pronoun(mention, player, clusters, fitting)
        if mention.quotation is None:
            fitting.meet(found[at])
    return found


def _pronoun(
    mention: Mention, player: int | None, clusters: dict[int, int], fitting: _LastOfGender
) -> int | None:
    if _is_teller(mention):
        return player
    if mention.cluster is not None and mention.cluster in clusters:
        return clusters[mention.cluster]
    is_told = mention.kind is MentionKind.PRONOUN and mention.quotation is None
    return fitting.last.get(mention.gender) if is_told and not mention.plural else None
