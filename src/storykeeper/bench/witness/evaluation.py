"""`bench witness`: who perceives each utterance and each scene, as exact sets.

FANToM twice: with nothing after the utterance looked at, and with the whole talk known. Beside it,
in the same run, two that read no words: everyone of the cast, and everyone from their first words
to their last. ToMi by way of the world: text, atoms, who is where. What is missed is listed as it
is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from storykeeper.bench.beliefs import perceived
from storykeeper.bench.registry import Figures, Say, Setup
from storykeeper.bench.witness.data import NoWitnesses, Story, Talk, stories, talks
from storykeeper.language.presence import Cast, Presence, perceivers

_QUICK = 10  # talks and stories
_LISTED = 200  # misses of one reading

Read = Callable[[Talk], Sequence[Sequence[str]]]


def measure(setup: Setup) -> Figures:
    """Ours, and the readings of no words."""
    said = talks(setup.data)[: _QUICK if setup.quick else None]
    figures: Figures = {"storykeeper": {"fantom": {}}, "everyone": {}, "first_to_last": {}}
    ours = figures["storykeeper"]["fantom"]
    ours["utterances"] = sum(len(talk.utterances) for talk in said)
    for name, read in (("causal", causal), ("hindsight", hindsight)):
        setup.say(f"fantom, {name}: {len(said)} parts …")
        begun = perf_counter()
        ours[name] = fantom(said, read, say=setup.say)
        ours[f"{name}_ms"] = round(1000 * (perf_counter() - begun) / max(ours["utterances"], 1), 3)
    figures["everyone"]["fantom"] = {"causal": fantom(said, everyone)}
    figures["first_to_last"]["fantom"] = {"hindsight": fantom(said, first_to_last)}
    try:
        told = stories(setup.data)[: _QUICK if setup.quick else None]
    except NoWitnesses as missing:
        setup.say(f"tomi is left out: {missing}")
        return figures
    setup.say(f"tomi: {len(told)} stories …")
    figures["storykeeper"]["tomi"] = tomi(told, say=setup.say)
    figures["everyone"]["tomi"] = {"exact": _share([s for t in told for s in _all(t)])}
    return figures


def causal(talk: Talk) -> list[tuple[str, ...]]:
    """As it is said."""
    presence = Presence(talk.cast)
    return [presence.after(utterance) for utterance in talk.utterances]


def hindsight(talk: Talk) -> list[tuple[str, ...]]:
    """When it is over."""
    return perceivers(talk.utterances, cast=talk.cast)


def everyone(talk: Talk) -> list[tuple[str, ...]]:
    """All of the cast, always."""
    return [talk.cast] * len(talk.utterances)


def first_to_last(talk: Talk) -> list[tuple[str, ...]]:
    """Everybody from their first words to their last."""
    cast = Cast.of(talk.cast)
    turns: dict[str, list[int]] = {}
    for place, utterance in enumerate(talk.utterances):
        for who in cast.speakers(utterance.speaker, here=talk.cast):
            turns.setdefault(who, []).append(place)
    return [
        tuple(who for who in talk.cast if who in turns and turns[who][0] <= n <= turns[who][-1])
        for n in range(len(talk.utterances))
    ]


def fantom(said: Sequence[Talk], read: Read, *, say: Say | None = None) -> float:
    """The share of utterances whose perceivers are exactly right, in percent."""
    right = []
    misses = []
    for talk in said:
        for place, (found, gold) in enumerate(zip(read(talk), talk.gold, strict=True)):
            right.append(frozenset(found) == gold)
            if not right[-1]:
                misses.append(f"{talk.part}, line {place}: {_difference(frozenset(found), gold)}")
    _list(misses, say)
    return _share(right)


def tomi(told: Sequence[Story], *, say: Say | None = None) -> Figures:
    """The share of scenes whose perceivers are exactly right, read and told as in play."""
    right, misses = [], []
    for story in told:
        found = perceived(story.sentences)
        for sentence, people, gold in zip(story.sentences, found, story.gold, strict=True):
            right.append(people == gold)
            if not right[-1]:
                misses.append(f"{story.index}, “{sentence}”: {_difference(people, gold)}")
    _list(misses, say)
    return {"exact": _share(right), "scenes": len(right)}


def _all(story: Story) -> list[bool]:
    return [frozenset(story.cast) == gold for gold in story.gold]


def _difference(found: frozenset[str], gold: frozenset[str]) -> str:
    """Who is too many and who is missing."""
    many = [f"{who} too many" for who in sorted(found - gold)]
    return ", ".join((*many, *(f"{who} missing" for who in sorted(gold - found))))


def _list(misses: Sequence[str], say: Say | None) -> None:
    if say is None:
        return
    for miss in misses[:_LISTED]:
        say(f"  missed: {miss}")
    if len(misses) > _LISTED:
        say(f"  and {len(misses) - _LISTED} more")


def _share(right: Sequence[bool]) -> float:
    return round(100 * sum(right) / len(right), 2) if right else 0.0
