"""Acts that no line of a player is ever read as: for `check`."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.language.acts import Sorts
from storykeeper.language.deeds import ALWAYS, acts_for
from storykeeper.language.lines import read_line
from storykeeper.language.names import Names
from storykeeper.story.conditions import Did
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.problems import Problem, Severity
from storykeeper.story.walk import walk
from storykeeper.units import EntityId

ADA, BOX = EntityId("ada"), EntityId("box")
NAMES = Names(((ADA, ("Ada",)), (BOX, ("box",))))
SORTS = Sorts(people=frozenset({ADA}), places=frozenset())


def unheard_acts(story: Story) -> Iterator[Problem]:
    """One warning for each condition that waits for a player to do what cannot be typed."""
    players = {PLAYER, *story.players}
    for path, asked in walk(story):
        if isinstance(asked, Did) and asked.who in players and not is_heard(asked.act):
            what = f"no line that a player types is read as `{asked.act}`"
            fix = "write the plain form of a verb, such as `take` or `light`"
            yield Problem(
                code="act-unheard", what=what, fix=fix, path=(*path, "act"),
                severity=Severity.WARNING,
            )  # fmt: skip


def is_heard(act: str) -> bool:
    """Whether somebody who types an act, alone or with an object, is understood to do it."""
    lines = (f"I {act}.", f"I {act} the box.", f"I {act} Ada about the box.")
    return any(
        act in (found.act, *acts_for(found.verb, frozenset({act})))
        for line in lines
        for found in read_line(line, names=NAMES, sorts=SORTS, known=ALWAYS).acts
    )
