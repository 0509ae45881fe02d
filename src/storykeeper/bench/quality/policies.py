"""Scripted actors to tell figures by: two that keep to their brief, and three that do not.

    faithful        does and says what its brief asks for             (`play.faithful_agent`)
    own words       the same, its beliefs in other words than its card has them
    ignores canon   defies the doctrine it was told, and cites nothing
    reads minds     gives reasons that only others know, and aims at who it is not aware of
    drifts          does the same as the faithful one for reasons that are nobody's of these

The last three take their words from files and from the world; no figure is looked at.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.resources import files

from msgspec import structs

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.registry import SourceKind
from storykeeper.field import Agent, Field
from storykeeper.play.faithful_agent import faithful

FOREIGN = (
    "Gold is all that counts and everything else is talk.",
    "Whoever is weak deserves what happens to them.",
    "I am bored and would like to see something burn.",
    "Nothing here concerns me as long as I am comfortable.",
    "Fame is worth any price, and somebody will write songs about me.",
    "The stars told me to, and the stars are never mistaken.",
    "I do what the last person who spoke to me wants.",
    "Machines will do all this better one day.",
)
MINDS_READ_EVERY = 2  # turns; in the others it is faithful, as a real one might be


def policies(field: Field, *, seed: int = 1) -> dict[str, Agent]:
    """By name, for a field."""
    return {
        "faithful": faithful,
        "own words": in_own_words(),
        "ignores canon": defiant(),
        "reads minds": mind_reader(field, seed=seed),
        "drifts": drifter(seed=seed),
    }


def in_own_words() -> Agent:
    """Does as the faithful one, and puts its beliefs as somebody would who holds them."""
    known = dict(_pairs("own_words.txt"))

    def act(brief: TurnBrief) -> CharacterAction:
        action = faithful(brief)
        reasons = action.justification.replace("’", "'")
        for belief, said in known.items():
            reasons = reasons.replace(belief, said)
        return structs.replace(action, justification=reasons)

    return act


def defiant() -> Agent:
    """Defies the best doctrine of its brief."""
    known = dict(_pairs("defiances.txt"))

    def act(brief: TurnBrief) -> CharacterAction:
        told = [each.text for each in brief.snippets if each.kind is SourceKind.DOCTRINE]
        said = [text for each in told for start, text in known.items() if each.startswith(start)]
        action, defied = faithful(brief), said[0] if said else "I do as I like."
        words = defied if action.words else ""
        return structs.replace(action, words=words, justification=defied, cites=(), rests_on=())

    return act


def mind_reader(field: Field, *, seed: int) -> Agent:
    """Knows what others know, and where everybody is."""
    chance = random.Random(seed)

    def act(brief: TurnBrief) -> CharacterAction:
        action = faithful(brief)
        world = field.world
        if (brief.turn + len(brief.who)) % MINDS_READ_EVERY:
            return action
        unseen = [e for e in world.entities if e.id not in brief.handles and e.id != brief.who]
        known = [each.text for each in world.learned if each.who != brief.who]
        known += [f"{each.name} is about to act." for each in unseen]
        reason = chance.choice(known) if known else "I know what they all think."
        if unseen and chance.random() < 0.5:
            action = structs.replace(action, target=chance.choice(unseen).id)
        return structs.replace(action, justification=f"{reason} {action.justification}")

    return act


def drifter(*, seed: int) -> Agent:
    """Acts as it should, for reasons that are not its own."""
    chance = random.Random(seed)

    def act(brief: TurnBrief) -> CharacterAction:
        action = faithful(brief)
        kept = tuple(each for each in action.rests_on if not each.startswith("belief-"))
        return structs.replace(action, justification=chance.choice(FOREIGN), rests_on=kept)

    return act


def _pairs(name: str) -> Iterator[tuple[str, str]]:
    text = files(__package__).joinpath(name).read_text("utf-8")
    for line in text.splitlines():
        start, _, said = line.partition(" | ")
        if said:
            yield start.strip(), said.strip()
