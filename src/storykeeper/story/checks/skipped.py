"""What cannot be checked while something is unreadable, and how the author is told.

An error anywhere spoils some part of the story, known by its path. A check is held back only if
what it looks at is spoilt or may be missing, and then a warning at the cause says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from storykeeper.story.checks.names import Names
from storykeeper.story.nodes import Node
from storykeeper.story.problems import Path, Problem, Severity

Places = Mapping[Path, Node]  # what an error may have changed, and where the error is

# Keys that `reach` never looks at, by their path in the author's files, without indices.
BESIDE_REACH = frozenset({
    "format", "id", "title", "version", "author", "language", "voice", "rules", "anti_patterns",
    "soft", "tuning", "budget", "overrides", "canon", "themes", "prophecies",
    "cast.name", "cast.aliases", "cast.pronouns", "cast.tier", "cast.line", "cast.rules",
    "cast.deaf", "cast.beliefs", "cast.traits", "cast.taboos", "cast.doctrine", "cast.goals",
    "cast.capabilities", "cast.scope", "cast.relations", "cast.mood", "cast.shows",
    "settings.name", "settings.aliases", "settings.description", "settings.hears",
    "settings.sees", "settings.paths.cost",
    "things.name", "things.aliases", "things.description", "things.descriptors", "things.tier",
    "things.themes", "things.symbolism", "things.forms",
    "facts.full", "facts.hint", "facts.said", "facts.weight", "facts.about", "facts.themes",
    "facts.layer", "facts.believed_by", "facts.bears_on", "facts.supersedes", "facts.shows",
    "events.summary", "events.intensity", "events.themes", "events.about", "events.mass",
    "events.permeability", "events.relations", "events.moods",
    "layers.name", "layers.kind", "layers.base_mass", "layers.permeability", "layers.themes",
    "layers.residue", "layers.completion_bonus", "layers.resonance", "layers.player_role",
    "layers.entity_map", "layers.reinterprets",
    "scenes.title", "scenes.type", "scenes.mass", "scenes.hinge", "scenes.branch",
    "scenes.convergence", "scenes.revisitable", "scenes.temperature", "scenes.themes",
    "scenes.tone", "scenes.stakes", "scenes.withheld", "scenes.approach", "scenes.relations",
    "scenes.gates.means", "scenes.gates.changes", "scenes.leads_to.label",
    "scenes.leads_to.bridge", "scenes.beats.prose", "scenes.beats.at", "scenes.beats.with",
})  # fmt: skip
_GRANTED = frozenset({"contradiction"})  # errors in spite of which reach goes on: it grants a `not`

REACH = "what can be reached"
HARD_SHARE = "whether voice, rules and anti-patterns fit their share"
_HARD_TEXT = ("voice", "rules", "anti_patterns")
_HARD_ROOM = ("budget.tokens", "budget.hard_share", "budget.encoding")

# Problems that more of these might dissolve, and what looking for them is called.
_HELD = {
    "theme": ("which themes are misspelt", ("themes",)),
    "no-scene": ("who is in no scene", ("scenes.cast", "players")),
    "no-path": ("which settings no path leads to", ("settings.paths", "settings.within")),
    "no-exit": ("which layers nobody can leave", ("layers.exits", "scenes.ending")),
    "secret-told": (
        "which open texts tell what is withheld",
        ("players", "facts.known_by", "facts.believed_by"),
    ),
    "crosses-layer": ("which ways pass the boundary of a layer", ("layers.scenes",)),
}


class Skipped:
    """What was held back, with its cause."""

    def __init__(self, spoilt: Places, missing: Mapping[str, Node]) -> None:
        self._spoilt = spoilt
        self._missing = missing
        self._around = {path[:n] for path in spoilt for n in range(1, len(path) + 1)}
        self._said: dict[tuple[Path, Node | None], dict[str, None]] = {}

    @property
    def lacking(self) -> frozenset[str]:
        """The sections of which some names may not have been read."""
        whole = {path[-1] for path in self._spoilt if len(path) == 1 or _inner(path)}
        return frozenset(self._missing) | {str(section) for section in whole}

    def trusted(self, problems: Iterable[Problem]) -> list[Problem]:
        """Those that do not follow from something spoilt or missing."""
        kept = []
        for problem in problems:
            path = problem.path
            if path in self._around or any(path[:n] in self._spoilt for n in range(1, len(path))):
                continue
            words, keys = _HELD.get(problem.code, ("", ()))
            if not self.holds_back(words, keys):
                kept.append(problem)
        return kept

    def holds_back(self, words: str, keys: tuple[str, ...]) -> bool:
        """Whether one of these keys is spoilt or may be missing; then it will be said."""
        for key in keys:
            below = (node for path, node in self._spoilt.items() if _related(_names(path), key))
            cause = self._missing.get(key.split(".")[0]) or next(below, None)
            if cause is not None:
                self._say(words, (), cause)
                return True
        return False

    def hard_share(self, problems: Iterable[Problem]) -> list[Problem]:
        """What is to be believed of the size of I1: too much is too much, even of a part of it."""
        if self.holds_back(HARD_SHARE, _HARD_ROOM):
            return []
        found = list(problems)
        if not found:
            self.holds_back(HARD_SHARE, _HARD_TEXT)
        return found

    def reach(self, problems: Iterable[Problem]) -> bool:
        """Whether an error could change what can be reached."""
        for node in self._missing.values():
            return self._say(REACH, (), node)
        for path, node in self._spoilt.items():
            if _bears_on_reach(path):
                return self._say(REACH, (), node)
        for p in problems:
            error = p.severity is Severity.ERROR and p.code not in _GRANTED
            if error and _bears_on_reach(p.path):
                return self._say(REACH, p.path, None)
        return False

    def references(self, names: Names) -> None:
        """References to what may be missing are not looked at."""
        causes: dict[Node | None, list[str]] = {}
        for section in names.__struct_fields__:
            if "" in getattr(names, section):
                below = (node for path, node in self._spoilt.items() if section in path)
                cause = self._missing.get(section) or next(below, None)
                causes.setdefault(cause, []).append(section)
        for cause, sections in causes.items():
            listed = " and ".join(filter(None, (", ".join(sections[:-1]), sections[-1])))
            self._say(f"references to {listed}", (), cause)

    def _say(self, words: str, path: Path, cause: Node | None) -> bool:
        self._said.setdefault((path, cause), {})[words] = None
        return True

    def problems(self) -> list[Problem]:
        """One warning for each cause."""
        return [
            Problem(
                code="not-checked",
                what=f"not checked until this is mended: {'; '.join(words)}",
                fix="correct it and check again",
                severity=Severity.WARNING,
                path=path,
                file=cause.file if cause else "",
                line=cause.line if cause else 0,
                column=cause.column if cause else 0,
            )
            for (path, cause), words in self._said.items()
        ]


def _names(path: Path) -> tuple[str, ...]:
    return tuple(part for part in path if isinstance(part, str))


def _bears_on_reach(path: Path) -> bool:
    names = _names(path)
    return not any(".".join(names[:n]) in BESIDE_REACH for n in range(1, len(names) + 1))


def _related(names: tuple[str, ...], key: str) -> bool:
    """Whether one of the two lies in the other."""
    return all(a == b for a, b in zip(names, key.split("."), strict=False))


def _inner(path: Path) -> bool:
    """Whether this is all gates, or all beats, of a scene."""
    return len(path) == 3 and path[0] == "scenes" and path[2] in ("gates", "beats")
