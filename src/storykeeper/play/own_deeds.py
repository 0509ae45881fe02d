"""A small deed of the player's own, said back from how it was read: "sit down" → "You sit down."

Only what was read whole is said back: a verb, the small words of English and what the deed names.
Nobody's *me* is turned into a *you*, but for what the player's character has of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from storykeeper.language.acts import Act, ActKind, Referred
from storykeeper.language.phrases import PARTICLES, PREPOSITIONS, is_adverb
from storykeeper.language.verbs import IRREGULAR, SAME, base

MOST_WORDS = 12
_BETWEEN = re.compile(r"\*[^*\n]+\*")
_WORD = re.compile(r"[\w’'-]+")
_ME = frozenset({"i", "i'll", "we"})
_OWN = {"my": "your", "myself": "yourself"}
_SMALL = frozenset({"the", "a", "an", "some", "this", "that", "his", "her", "their", "its"})
_ORDERS = frozenset({"x", "l", "z"})


def beside_emotes(text: str) -> str:
    """What is said beside what is done, in a line that has its deeds between asterisks."""
    return " ".join(_BETWEEN.sub(" ", text).split()) if _BETWEEN.search(text) else ""


def done_by(act: Act, told: Callable[[str], bool]) -> bool:
    """Whether an act is done to nothing but what is one's own, where the prose knows of."""
    upon = (act.target, act.topic, act.instrument, act.origin)
    if any(each is not None and not _is_mine(each) for each in upon):
        return False
    where = act.where
    if where is None or _is_mine(where):
        return True
    return where.entity is None and told(where.mention.head)


def _is_mine(what: Referred) -> bool:
    owner = what.possessor
    return what.mention.person == 1 or (owner is not None and owner.mention.person == 1)


def own_deed(line: str, acts: Sequence[Act]) -> str:
    """A deed said back; nothing, if it was not read whole, or is more than one."""
    typed = [word.replace("’", "'") for word in _WORD.findall(line)]
    if len(acts) != 1 or len(typed) > MOST_WORDS or acts[0].words or "?" in line:
        return ""
    act, rest = acts[0], [*typed]
    if rest and rest[0].casefold() in _ME:
        rest = rest[1:]
    if not rest or base(rest[0], frozenset()) != act.verb or not _is_plain(rest[0], act):
        return ""
    texts = (each.mention.text for each in _referred(act))
    named = {word.casefold() for text in texts for word in _WORD.findall(text)}
    said = [_said(word, named) for word in rest[1:]]
    if any(word is None for word in said):
        return ""
    return f"You {' '.join([act.verb, *filter(None, said)])}."


def _is_plain(word: str, act: Act) -> bool:
    """Whether a verb stands as an order or after *I*: not "sitting", nor a letter for a verb."""
    plain = word.casefold() == act.verb and act.verb not in _ORDERS
    known = act.verb in SAME or act.verb in IRREGULAR.values() or act.kind is not ActKind.INQUIRY
    return plain and known


def _said(word: str, named: set[str]) -> str | None:
    small = word.casefold()
    if small in _OWN:
        return _OWN[small]
    fits = small in named or small in PREPOSITIONS | PARTICLES | _SMALL or is_adverb(small)
    return word if fits and small not in ("me", "you", "your", "us", "our", "i") else None


def _referred(act: Act) -> list[Referred]:
    found = (act.target, act.topic, act.instrument, act.where, act.origin)
    return [each for each in found if each is not None]
