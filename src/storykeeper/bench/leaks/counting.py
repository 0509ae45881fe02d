"""What is counted: windows and leaks by carrier, and whether those who may have a secret get it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from storykeeper.bench.leaks.detecting import Leak, Shown, forbidden, is_told, leaks
from storykeeper.bench.leaks.memories import SUMMARY
from storykeeper.bench.leaks.secrets import Secret
from storykeeper.bench.leaks.usual import FILTER_AFTER, INSTRUCTION
from storykeeper.bench.registry import Figures

DESIGNS = (FILTER_AFTER, INSTRUCTION)
WINDOW, ERROR = "window", "error"
# What counts as a window of a carrier: a window, but for what can only get out elsewhere.
UNITS = {SUMMARY: SUMMARY, ERROR: ERROR}


class Tally:
    """Counts over any number of stories."""

    def __init__(self) -> None:
        self.shown: Counter[str] = Counter()  # by where
        self.closed: Counter[str] = Counter()  # windows in which a carrier's secret may not be
        self.leaked: Counter[str] = Counter()  # places in which it is nevertheless
        self.open: Counter[str] = Counter()  # windows in which it may be
        self.told: Counter[str] = Counter()  # and is
        self.usual: Counter[str] = Counter()  # windows of a usual design that leak

    def add(self, shown: Shown, secrets: Iterable[Secret], *, seed: int) -> list[Leak]:
        """Count what somebody got to see; the leaks in it, if it is ours."""
        self.shown[shown.where] += 1
        every = list(secrets)
        closed = forbidden(shown, every)
        found = list(leaks(shown, closed, seed=seed))
        if shown.where in DESIGNS:
            self.usual[shown.where] += bool(found)
            return []
        self.closed.update(_carriers(shown, closed))
        self.leaked.update({leak.carrier for leak in found})
        may = [secret for secret in every if secret not in closed]
        self.open.update(_carriers(shown, may))
        told = {secret.carrier for secret in may if is_told(shown, secret, seed=seed)}
        self.told.update(told & _carriers(shown, may))
        return found

    @property
    def leaks(self) -> int:
        """All of them."""
        return self.leaked.total()

    def figures(self) -> Figures:
        """Ours, by carrier: windows, leaks, and in how many percent of those that may it is."""
        return {
            "windows": self.shown[WINDOW] + self.shown[SUMMARY],
            "leaks": self.leaks,
            "looked_at": {where: n for where, n in self.shown.items() if where not in DESIGNS},
            "carriers": {
                name: {
                    "windows": self.closed[name],
                    "leaks": self.leaked[name],
                    "told": _percent(self.told[name], self.open[name]),
                }
                for name in sorted(self.closed)
            },
        }

    def rates(self) -> Figures:
        """Of each usual design, in how many percent of its windows something leaks."""
        return {
            name: {
                "rate": _percent(self.usual[name], self.shown[name]),
                "windows": self.shown[name],
            }
            for name in DESIGNS
        }


def _carriers(shown: Shown, secrets: Iterable[Secret]) -> set[str]:
    """The carriers of some secrets for which this counts as a window."""
    return {s.carrier for s in secrets if UNITS.get(s.carrier, WINDOW) == shown.where}


def _percent(some: int, of: int) -> float:
    return round(100 * some / of, 2) if of else 0.0
