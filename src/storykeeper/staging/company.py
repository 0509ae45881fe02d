"""Who is where the prose is set: those who come along, and those who are met there.

Somebody is there by evidence: they speak, do something or are told of where the player now is. Of
those who were with a player that goes, who is not told of any more stayed behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.language.tagger.people import Person, player_of
from storykeeper.staging.locale import Shown

LEAST_ACTS = 2  # of one whom nobody knows where: who is only told of may be anywhere


@dataclass(frozen=True, slots=True)
class Met:
    """That somebody is with the player from some place in the prose on."""

    who: int
    at: int


def met(
    people: Sequence[Person], seen: Shown, *, since: int, moved: bool, coming: frozenset[int]
) -> Iterator[Met]:
    """Those who are where the player is, `since` when they are there; `people` are as they were
    before. `coming` are those of whom there is some sign that they come.
    """
    player = player_of(people)
    if player is None:
        return
    for who, person in enumerate(people):
        if who == player or (not moved and person.place == people[player].place):
            continue
        spoken = [at for at in seen.speaks.get(who, ()) if at >= since]
        acts = [at for at in seen.acts.get(who, ()) if at >= since]
        if person.place is None:
            is_there = bool(spoken) or len(acts) >= LEAST_ACTS
        elif moved and person.place == people[player].place:
            is_there = seen.is_told(who, since)
        else:
            is_there = bool(spoken) and (bool(acts) if moved else who in coming)
        if is_there:
            with_them = moved and person.place == people[player].place
            yield Met(who, since if with_them else min((*spoken, *acts)))
