"""Plain words for a line of which nothing comes: who gives no answer, and about what; which deed
the story has nothing for, and what it has for that thing.

Nothing of it says that something was done, and nothing is said back but names and whole quotations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from storykeeper.language.acts import Act, ActKind, Referred
from storykeeper.language.reading import MentionKind
from storykeeper.play.offers import others, ways
from storykeeper.play.reach import within_reach
from storykeeper.play.replies import known_of, led
from storykeeper.play.wording import is_or_are, joined, name_of, no_more, opened
from storykeeper.units import EntityId
from storykeeper.world.state import World, whose_turn

SHORTEST = 3  # letters of a word that is said back as something
MOST_SAID = 60  # characters of a line that are said back
_POINTING = frozenset({"the", "this", "that", "these", "those", "his", "her", "its", "their"})
_SPEAKING = (ActKind.SPEECH, ActKind.INQUIRY)
SPEAKING = _SPEAKING


def quoted(line: str) -> str:
    """A line between marks, not too long."""
    plain = " ".join(line.split())
    short = plain if len(plain) <= MOST_SAID else f"{plain[: MOST_SAID - 3]}…"
    return f"“{short}”"


# ── words ────────────────────────────────────────────────────────────────────────────────────


def unanswered(world: World, player: EntityId, acts: Sequence[Act], *, asks: bool) -> str:
    """That what was said gets no answer: from whom, and about what."""
    near = others(world, player)
    if not near:
        return "There is nobody here to answer."
    to = [act.to for act in acts if act.kind in _SPEAKING and act.to in near]
    whom = next((who for who in to if who is not None), near[0] if len(near) == 1 else None)
    topic = next((each for act in acts if (each := _topic(world, act, whom))), "")
    who, one = _whom(world, near if whom is None else [whom])
    if topic:
        about = next((a.about for a in acts if a.about is not None), None)
        known = "" if about is None or about in near else known_of(world, about)
        said = f"{who} says {'nothing' if one else 'anything'} about {topic}."
        return f"{said} What you know: {known}" if known else said
    if asks:
        return f"{who} {'does not answer' if one else 'answers'} that."
    return f"{who} says {'nothing' if one else 'anything'} to that."


def _whom(world: World, people: Sequence[EntityId]) -> tuple[str, bool]:
    """Who is silent, and whether that is one."""
    names = [name_of(world, who) for who in people]
    if len(names) == 1:
        return opened(names[0]), True
    return (f"Neither {joined(names, 'nor')}" if len(names) == 2 else "Nobody"), False


def _topic(world: World, act: Act, whom: EntityId | None) -> str:
    """What an act of asking or telling is about, if it is sure."""
    if act.kind not in _SPEAKING or act.topic is None:
        return ""
    if act.about is not None and act.about in (whom, *others(world, whose_turn(world))):
        return ""
    said = said_of(act.topic)
    pointed = act.about is not None and not said.casefold().startswith("the ")
    loud = pointed or any(word.isupper() and len(word) > 1 for word in said.split())
    if act.about is not None and (loud or not said):
        return name_of(world, act.about)
    return said.casefold() if loud else said


def said_of(what: Referred) -> str:
    """Something that was referred to, as it can be said back; nothing, if that is not sure."""
    text = " ".join(what.mention.text.split())
    first, *rest = text.casefold().split() or [""]
    whose = what.possessor is not None and what.possessor.mention.person != 3
    return text if first in _POINTING and rest and not whose else ""


# ── deeds ────────────────────────────────────────────────────────────────────────────────────


def undone(
    world: World, player: EntityId, line: str, acts: Sequence[Act], seen: Callable[[str], bool]
) -> str:
    """That the story has nothing for a deed: what of it was understood, and what not."""
    absent = not_here(world, player, acts)
    if absent:
        return f"You do not see {joined(absent)} here."
    done = [act for act in acts if act.kind not in _SPEAKING]
    for act in done:
        for what in (act.target, act.instrument, act.where):
            if what is None or what.entity is not None or what.possessor is not None:
                continue
            if what.mention.person != 3 or len(what.mention.head) < SHORTEST:
                continue
            if not seen(what.mention.head) and what.mention.kind is MentionKind.NOUN:
                return no_more(what.mention.head, told=False)
    named = list(dict.fromkeys(name_of(world, each) for act in done for each in _upon(act)))
    if named:
        here = f"{joined(named)} {is_or_are(named)} here"
        return f"Nothing in this story answers {quoted(line)}, though {here}."
    return f"Nothing in this story answers {quoted(line)}."


def upon(acts: Sequence[Act]) -> list[EntityId]:
    """Whom and what something is done to."""
    return list(dict.fromkeys(each for act in acts for each in _upon(act)))


def _upon(act: Act) -> list[EntityId]:
    found = (act.to, *(None if r is None else r.entity for r in (act.target, act.where)))
    return [each for each in dict.fromkeys(found) if each is not None]


def not_here(world: World, player: EntityId, acts: Sequence[Act]) -> list[str]:
    """Whom and what acts are done to, and is not here."""
    out = [act.to for act in acts if act.to is not None and not within_reach(world, player, act)]
    return [name_of(world, who) for who in dict.fromkeys(out)]


def no_way(world: World, player: EntityId, act: Act) -> str:
    """That a way does not lead there, and where ways do."""
    if act.place is not None and act.place == world.places.get(player):
        said = f"That is where you are: {name_of(world, act.place)}."
    elif act.place is not None:
        said = f"There is no way to {name_of(world, act.place)} from here as things stand."
    else:
        said = f"There is no way {act.way} from here." if act.way else "Where to?"
    return " ".join(filter(None, [said, led(world, player)]))


def protested(world: World, player: EntityId) -> str:
    """That nothing is done of what somebody does not want."""
    return " ".join(filter(None, ["Then nothing is done.", led(world, player)]))


def has_ways(world: World, player: EntityId) -> bool:
    """Whether any way leads from where somebody is."""
    return any(True for _ in ways(world, player))
