"""What the words of a story are, and a player's line read by them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from storykeeper.language.acts import Act, Line, Sorts
from storykeeper.language.deeds import ALWAYS, acts_for
from storykeeper.language.lines import read_line
from storykeeper.language.names import Names
from storykeeper.language.reading import Somebody
from storykeeper.story.called import gender_of
from storykeeper.story.conditions import Did
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan


class Lexicon:
    """What the words of a story are: its names, and the acts its conditions ask about."""

    def __init__(self, plan: Plan) -> None:
        self.names = Names.of(plan.story)
        self.sorts = Sorts(
            people=frozenset(map(EntityId, plan.cast)),
            places=frozenset(map(EntityId, plan.settings)),
        )
        self.acts = frozenset(part.act for _, part in walk(plan.story) if isinstance(part, Did))
        self.cast = tuple(
            Somebody((c.name, *c.aliases), gender_of(c.pronouns)) for c in plan.story.cast
        )

    def acts_of(self, text: str, *, by: EntityId, names: Names | None = None) -> tuple[Act, ...]:
        """A player's line, read by the names they know; who another plays is somebody else.

        It is read as in any story: else what is asked about by a scene that nobody knows of would
        show in how it is told. Which of the author's acts each is stands beside it.
        """
        acts = self.line_of(text, by=by, names=names).acts
        return tuple(replace(act, also=self._also(act)) for act in acts)

    def line_of(self, text: str, *, by: EntityId, names: Names | None = None) -> Line:
        """The same, with how it is said and what was said beside the story."""
        sorts = replace(self.sorts, players=frozenset({by}))
        return read_line(
            text, names=self.names if names is None else names, sorts=sorts, known=ALWAYS
        )

    def _also(self, act: Act) -> tuple[str, ...]:
        if act.words or act.act not in acts_for(act.verb, ALWAYS):
            return ()  # "take off" is no taking
        return tuple(a for a in acts_for(act.verb, self.acts) if a in self.acts and a != act.act)


@lru_cache(maxsize=16)
def lexicon(plan: Plan) -> Lexicon:
    """The lexicon of a plan; a plan is the same object as long as its story is."""
    return Lexicon(plan)
