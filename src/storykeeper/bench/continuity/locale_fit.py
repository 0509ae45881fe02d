"""Fit where a prose is set (`staging.locale`) on playthroughs.

    python -m storykeeper.bench.continuity.locale_fit DIR …     # leaving one out, and the weights

Every turn is given with where everyone was before it; places that the labels leave unknown are left
out. The same files give the same weights.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from storykeeper.bench.continuity.data import Playthrough, load
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Somebody
from storykeeper.language.tagger.people import Person
from storykeeper.staging.locale import FEATURES, features, laid, shown
from storykeeper.story.called import gender_of
from storykeeper.story.loader import load_story

ROUNDS, RATE, SHRINK = 600, 0.2, 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """A turn: what speaks for each place, where the player was and is."""

    rows: npt.NDArray[np.float64]
    was: int
    now: int


def examples(playthrough: Playthrough) -> list[Example]:
    """The turns of a playthrough in which it is known where the player was and is."""
    story, reader = load_story(playthrough.story), ProseReader()
    cast = tuple(Somebody((c.name, *c.aliases), gender_of(c.pronouns)) for c in story.cast)
    names = {word for c in story.cast for n in (c.name, *c.aliases) for word in n.split()}
    told, player = laid(story.settings, but=names), story.players[0]
    places = [site.id for site in told.sites]
    at: dict[str, str | None] = {c.id: c.at for c in story.cast}
    found: list[Example] = []
    for turn in playthrough.turns:
        was, now = at.get(player), turn.stage.get("at", {}).get(player)
        if was in places and now in places:
            people = tuple(
                Person((c.name, *c.aliases), gender_of(c.pronouns),
                       at[c.id] if at[c.id] in places else None, c.id == player)
                for c in story.cast
            )  # fmt: skip
            reading = reader.read(turn.prose, cast=cast)
            rows = features(told, reading, turn.line, people, shown(reading, people))
            found.append(Example(np.array(rows), places.index(str(was)), places.index(str(now))))
        at |= turn.stage.get("at", {})
    return found


def fitted(given: Sequence[Example]) -> npt.NDArray[np.float64]:
    """argmax Σ log p(c) − ‖w‖²/2, by plain descent from zero."""
    w = np.zeros(len(FEATURES))
    for _ in range(ROUNDS):
        slope = SHRINK * w
        for each in given:
            scores = each.rows @ w
            raised = np.exp(scores - scores.max())
            slope += (raised / raised.sum()) @ each.rows - each.rows[each.now]
        w -= RATE * slope / len(given)
    return w


def tried(given: Sequence[Example], w: npt.NDArray[np.float64]) -> Counter[str]:
    """How many moves and stays are right."""
    found: Counter[str] = Counter()
    for each in given:
        kind = "stays" if each.was == each.now else "moves"
        found[kind] += 1
        found[f"{kind} right"] += int(np.argmax(each.rows @ w)) == each.now
    return found


def main(folders: Sequence[str]) -> None:
    """Print figures, one playthrough left out at a time, and the weights of all."""
    given = {p.name: examples(p) for folder in folders for p in load(Path(folder))}
    for name in given:
        rest = [each for other in given if other != name for each in given[other]]
        print(name, dict(sorted(tried(given[name], fitted(rest)).items())))
    every = fitted([each for some in given.values() for each in some])
    print({name: round(float(weight), 2) for name, weight in zip(FEATURES, every, strict=True)})


if __name__ == "__main__":
    main(sys.argv[1:])
