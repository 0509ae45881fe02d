"""The words by which several go, or are taken along: "everyone but Mara leaves", "and Zed follows".

Of a group those go who are with the player and fit its word; whom it leaves out, stay: they are no
doers of its verb, though their name stands right before it. Who follows goes where the last who
left has gone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from storykeeper.events.atoms import ActionTaken, Moved, Role
from storykeeper.events.effects import Effect
from storykeeper.events.vocabulary import Gender
from storykeeper.play.company import company_of
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of
from storykeeper.world.state import World

_NAME = r"(?:you|[A-Z][\w’'-]*)"
_NAMES = rf"{_NAME}(?:(?:,\s+|,?\s+and\s+){_NAME})*"
_BUT = (
    r"(?:but|except(?:ing)?(?:\s+for)?|save(?:\s+for)?|apart\s+from|aside\s+from|other\s+than|bar)"
)
_FOLK = r"men|women|boys|girls|ladies|gentlemen|guests|visitors|people|company"
_QUANTITY = (
    r"(?i:(?P<none>nobody|no[\s-]one|none(?:\s+of\s+them)?)"
    rf"|(?P<all>every(?:one|body)|(?:they\s+|them\s+)?all(?:\s+of\s+them)?"
    r"|(?P<others>(?:all\s+)?the\s+(?:others|rest(?:\s+of\s+(?:them|the\s+\w+))?))"
    rf"|(?P<pair>both|the\s+two)\s+(?:of\s+the\s+)?(?P<folk>{_FOLK})"
    r"|(?P<two>they\s+both|both(?:\s+of\s+them)?|(?:the\s+|those\s+)?two\s+of\s+them)"
    rf"|(?:all\s+)?(?:of\s+)?the\s+(?P<kind>{_FOLK})))"
)
GROUP = re.compile(
    rf"\b{_QUANTITY}(?:\s+else)?(?:\s*,?\s+(?i:{_BUT})\s+(?P<but>{_NAMES}),?)?\s+(?=[a-z])"
)
ONLY = re.compile(rf"\b[Oo]nly\s+(?P<but>{_NAMES})\s+(?=(?:stay|remain)\w*\b)")
EXCEPT = re.compile(rf"\s*,?\s+{_BUT}\s+(?P<but>{_NAMES})")
_LEFT_OUT = re.compile(
    r"\b(?:every(?:one|body)|all(?:\s+of\s+(?:them|the\s+\w+))?|(?:the|both)\s+\w+)(?:\s+else)?\s*,?"
    rf"\s+{_BUT}\s+(?:{_NAME}(?:,\s+|,?\s+and\s+))*$",
    re.IGNORECASE,
)
_AFTERWARDS = (
    r"(?=\s*(?:$|[.;:!?…,\"“”—–)])|\s+(?:and|after|at|out|too|as|without|in|close|soon)\b)"
)
STAYING = re.compile(
    r"(?:stay|remain)(?:s|ed)?(?:\s+(?:behind|put|here|there|where\s+\w+\s+\w+|in\s+the\s+room))?"
    r"(?=\s*(?:$|[.;!?…,\"“”]))"
)
SLEEPING = re.compile(
    r"(?:(?:is|are|was|were|falls?|fell|lies?|lay)\s+(?:\w+\s+)?asleep|sleeps?|slept"
    r"|doz(?:e|es|ed)(?:\s+off)?|nod(?:s|ded)?\s+off)\b"
)
_THEM = r"(?:him|her|them)"
_HIS = r"(?:his|her|their)"
# Who goes with somebody who goes: the name comes after the words, or before them.
FOLLOWED = re.compile(
    r"\b(?:followed|accompanied|trailed|escorted)\s+(?:\w+\s+)?by\s+"
    r"|\b(?:taking|bringing|dragging|leading|pulling)\s+(?=[A-Z]\w+\s+(?:along|with\s))"
    rf"|\bwith\s+(?=[A-Z]\w+\s+(?:in\s+tow|(?:close\s+)?(?:behind|at\s+{_HIS}\s+(?:side|heels))))"
)
FOLLOWS = re.compile(
    rf"\b(?:follow(?:s|ed)?(?:\s+{_THEM}|\s+suit)?{_AFTERWARDS}"
    rf"|(?:goes|go|went|comes|came|hurr(?:ies|ied)|trot(?:s|ted)|runs?|ran)\s+(?:along\s+)?"
    rf"(?:with|after)\s+{_THEM}\b|(?:close\s+|hard\s+)?(?:at|on)\s+{_HIS}\s+heels\b"
    rf"|(?:close\s+|right\s+)?behind\s+{_THEM}{_AFTERWARDS}|with\s+{_THEM}{_AFTERWARDS})"
)
_KINDS = {
    "men": Gender.HE, "boys": Gender.HE, "gentlemen": Gender.HE,
    "women": Gender.SHE, "girls": Gender.SHE, "ladies": Gender.SHE,
}  # fmt: skip


def is_left_out(text: str, start: int) -> bool:
    """Whether a name that begins there is the one whom a group leaves out."""
    return _LEFT_OUT.search(text[max(0, start - 120) : start]) is not None


def members(
    world: World, found: re.Match[str], told: EntityId, named: Sequence[EntityId]
) -> list[EntityId]:
    """Whom a group may mean: of those with the player; `named` are those named before it.

    Of two, where more are there, those just named; nobody, where that is not plain.
    """
    near = company_of(world, told)
    parts = found.groupdict()
    gender = _KINDS.get((parts.get("folk") or parts.get("kind") or "").casefold())
    if gender is not None:
        near = [w for w in near if gender_of(world.plan.cast[w].pronouns) is gender]
    if parts.get("others"):
        return [who for who in near if who not in named]
    if parts.get("two") or parts.get("pair"):
        just = [who for who in dict.fromkeys(named) if who in near]
        return next((each for each in (just, near) if len(each) == 2), [])
    return near


def last_gone(
    unfolding: Unfolding, told: EntityId, but: Collection[EntityId] = ()
) -> tuple[EntityId, EntityId | None] | None:
    """Who left the player last in this turn, and where to, if that is known."""
    world = unfolding.world
    here = world.places.get(told)
    for atom in reversed(unfolding.atoms):
        what, doing = atom.what, those_in(atom.participants, Role.ACTOR)
        went = isinstance(what, Moved) or (
            isinstance(what, ActionTaken) and Effect.STEPS_OUT in what.effects
        )
        gone = [w for w in doing if w in world.plan.cast and w not in (told, *but)] if went else []
        for who in gone:
            there = world.places.get(who)
            if who in world.away or there != here:
                return who, None if who in world.away else there
    return None
