"""Sentences by pattern: `{a|b}` is a choice, `<name>` a choice of what `@name` lists.

A file has sections, `[family language]`, of one pattern a line. What is drawn depends on the
pattern and the seed alone, so that a line added changes none of the others.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from storykeeper.errors import StorykeeperError

_NAME = re.compile(r"<(\w+)>")
_INNERMOST = re.compile(r"\{([^{}]*)\}")
_SPACES = re.compile(r"\s+")


class BadPattern(StorykeeperError):
    """A line of a file of patterns that cannot be read."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line: what can be drawn from it, and of which family and language it is."""

    family: str
    language: str
    text: str

    def drawn(self, times: int, *, seed: int = 1) -> list[str]:
        """At most so many different sentences."""
        chance = random.Random(f"{seed} {self.text}")
        return list(dict.fromkeys(_drawn(self.text, chance) for _ in range(times)))


def patterns(name: str) -> list[Pattern]:
    """Those of a file of this package."""
    lines = files(__package__).joinpath(name).read_text("utf-8").splitlines()
    return list(_read(name, lines))


def _read(name: str, lines: list[str]) -> Iterator[Pattern]:
    names: dict[str, str] = {}
    family = language = ""
    for number, line in enumerate(lines, start=1):
        match line.strip()[:1]:
            case "" | "#":
                continue
            case "@":
                key, _, listed = line[1:].partition(" = ")
                names[key.strip()] = listed.strip()
            case "[":
                family, language = line.strip("[] \n").split()
            case _:
                yield Pattern(family, language, _named(line, names, f"{name}, line {number}"))


def _named(line: str, names: Mapping[str, str], where: str) -> str:
    while found := _NAME.search(line):
        if found[1] not in names:
            raise BadPattern(f"{where}: <{found[1]}> is no list; add a line @{found[1]} = {{a|b}}")
        line = line[: found.start()] + names[found[1]] + line[found.end() :]
    return line


def _drawn(text: str, chance: random.Random) -> str:
    while found := _INNERMOST.search(text):
        text = text[: found.start()] + chance.choice(found[1].split("|")) + text[found.end() :]
    return _SPACES.sub(" ", text).strip()
