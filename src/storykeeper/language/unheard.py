"""Whether some line of a player is ever read as an act: for `check`."""

from __future__ import annotations

from storykeeper.language.acts import Sorts
from storykeeper.language.deeds import ALWAYS, acts_for
from storykeeper.language.lines import read_line
from storykeeper.language.names import Names
from storykeeper.units import EntityId

ADA, BOX = EntityId("ada"), EntityId("box")
NAMES = Names(((ADA, ("Ada",)), (BOX, ("box",))))
SORTS = Sorts(people=frozenset({ADA}), places=frozenset())


def is_heard(act: str) -> bool:
    """Whether somebody who types an act, alone or with an object, is understood to do it."""
    lines = (f"I {act}.", f"I {act} the box.", f"I {act} Ada about the box.")
    return any(
        act in (found.act, *acts_for(found.verb, frozenset({act})))
        for line in lines
        for found in read_line(line, names=NAMES, sorts=SORTS, known=ALWAYS).acts
    )
