"""The words by which somebody comes in: "the door opens and Pell steps in", "in comes Pell"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from storykeeper.play.company import go
from storykeeper.play.going import MOTION, RETURNING, step
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.ways import open_ways

_END = (
    r"(?=\s*(?:$|[.;:!?…,\"“”—–)])|\s+(?:and|but|with|without|from|through|by|carrying|holding|again"
    r"|at\s+last|at\s+once|out\s+of\s+breath|late|soaked|dripping|unannounced|behind|after|\w+ly)\b)"
)
_COMES = rf"(?:{MOTION}|step\w*|comes?|came|bursts?|barg\w+|str(?:ides?|ode)|stumbl\w+|stagger\w*)"
_DOORWAY = r"(?:the|a)\s+(?:\w+\s+)?(?:door|doorway|threshold|gate)\b"
COMES_IN = re.compile(
    rf"\b{_COMES}\s+(?:\w+ly\s+)?(?:(?:back\s+)?(?:in|inside)|back){_END}"
    rf"|\b{_COMES}\s+(?:\w+ly\s+)?(?:back\s+)?into\s+the\s+room\b"
    rf"|\b(?:arrive[sd]?|return(?:s|ed)?){_END}"
    rf"|\b(?:re)?appear(?:s|ed)?\s+(?:in|at|on)\s+{_DOORWAY}"
    rf"|\b(?:stands|stood)\s+(?:in|on|at)\s+{_DOORWAY}"
    rf"|\b(?:enter(?:s|ed)?)(?:\s+the\s+room\b|{_END})"
    r"|\bjoin(?:s|ed)\s+(?:you|us)\b"
)
# The name comes after these.
IN_COMES = re.compile(
    rf"(?:^|(?<=[.!?;,\n\"])|\band)\s*[Ii]n\s+{_COMES}\s+(?=[A-Z])"
    r"|\b(?:door|gate)\s+(?:\w+\s+)?(?:opens?|opened|swings?|swung|flies|flew)(?:\s+\w+)?"
    r"(?:\s*[.;:,—–]\s*|\s+and\s+)(?:[Ii]t\s+(?:is|was)|[Ii]t[’']s|there\s+(?:is|was|stands|stood)"
    r"|There\s+(?:is|was|stands|stood))\s+(?=[A-Z])"
)
LET_IN = re.compile(
    r"\b(?:lets?|show(?:s|ed)?|usher(?:s|ed)?|brings?|brought|leads?|led|pull(?:s|ed)?"
    r"|invite[sd]?|wave[sd]?)\s+(?P<whom>[A-Z][\w’'-]*)\s+(?:back\s+)?(?:in|inside)"
    rf"{_END}"
)
# As it is seen or heard from where we are, or told of another place.
_FAR = re.compile(
    r"\b(?:outside|hear[sd]?|below|above|across|distance|somewhere|elsewhere|meanwhile|far)\b",
    re.IGNORECASE,
)
_WATCHED = re.compile(r"\b(?:window|pane|see[sn]?|saw|watch(?:es|ed)?)\b", re.IGNORECASE)


def is_far(before: str, after: str) -> bool:
    """Whether the sentence around a coming tells what is elsewhere."""
    return bool(_WATCHED.search(before) or _FAR.search(before) or _FAR.search(after))


def arrive(unfolding: Unfolding, whom: Iterable[EntityId], *, told: EntityId) -> None:
    """Decide that they are where the player is: from next door, or back from where they went."""
    world = unfolding.world
    here = world.places.get(told)
    if here is None:
        return
    nearby = {*open_ways(world, here)}
    for who in whom:
        if who not in world.plan.cast or who in world.plan.players:
            continue
        if world.places.get(who) == here:
            step(unfolding, who, RETURNING, told=told)
        elif world.places.get(who) in nearby:
            go(unfolding, [who], here, told=told)
