"""Fit what tells a fact (`staging.tellings`) on playthroughs.

    python -m storykeeper.bench.continuity.tellings_fit DIR …   # leaving one out, and the weights

Words that hold or lie within what the labels say tells a fact are told so; those of facts that the
turn's labels do not have are not. The same files give the same weights.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from storykeeper.bench.continuity.data import Playthrough, load
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Somebody
from storykeeper.language.tagger.people import Person, meant
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import words
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.staging.tellings import FEATURES, evidence, tellable, units
from storykeeper.story.called import gender_of
from storykeeper.story.loader import load_story
from storykeeper.units import EntityId

ROUNDS, SHRINK, THRESHOLD = 60, 0.3, 0.5


@dataclass(frozen=True, slots=True)
class Example:
    """Some words and a fact that they may tell."""

    key: tuple[str, int, str]  # playthrough, turn, fact
    row: tuple[float, ...]
    told: bool  # by these words
    labelled: bool  # in this turn


def examples(playthrough: Playthrough) -> list[Example]:
    """All words of those who have a fact to tell, and of the narration, with all facts."""
    story, reader, model = load_story(playthrough.story), ProseReader(), MiniLM()
    called = [(c.name, *c.aliases) for c in story.cast]
    cast = tuple(
        Somebody(n, gender_of(c.pronouns)) for n, c in zip(called, story.cast, strict=True)
    )
    names = {stem(word) for some in called for name in some for word in words(name)}
    facts = {fact.id: tellable(fact, names) for fact in story.facts}
    like = {name: _unit_rows(model, fact.texts) for name, fact in facts.items()}
    known = {f.id: {*f.known_by, *f.believed_by} for f in story.facts}
    people = tuple(Person(s.names, s.gender, None, c.id in story.players)
                   for s, c in zip(cast, story.cast, strict=True))  # fmt: skip
    found: list[Example] = []
    for turn in playthrough.turns:
        reading = reader.read(turn.prose, cast=cast)
        who, labels = meant(reading, people), turn.stage.get("told", ())
        by = [None if q.speaker is None else who[q.speaker] for q in reading.quotations]
        ids = [None if n is None else EntityId(story.cast[n].id) for n in by]
        for unit in units(reading, ids):
            vector = _unit_rows(model, (unit.text,))[0]
            for name, fact in facts.items():
                if unit.spoken and unit.by not in known[name]:
                    continue
                mine = [each["words"] for each in labels if each["fact"] == name]
                row = evidence(fact, unit, float((like[name] @ vector).max()))
                told = any(_overlap(each, unit.text) for each in mine)
                key = (playthrough.name, turn.number, name)
                found.append(Example(key, row, told, bool(mine)))
        for each in labels:
            known[each["fact"]] |= {*each["to"]}
    return found


def _unit_rows(model: MiniLM, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    rows = model.passages(texts).astype(np.float32)
    scaled: npt.NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)[:, None]
    return scaled


def _overlap(label: str, text: str) -> bool:
    one, other = (" ".join(re.findall(r"\w+", each.casefold())) for each in (label, text))
    return bool(one) and (one in other or (len(other.split()) > 3 and other in one))


def fitted(given: Sequence[Example]) -> npt.NDArray[np.float64]:
    """Logistic regression, by Newton's steps."""
    use = [each for each in given if each.told or not each.labelled]
    rows, told = np.array([e.row for e in use]), np.array([float(e.told) for e in use])
    w, ridge = np.zeros(len(FEATURES)), SHRINK * np.eye(len(FEATURES))
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(rows @ w, -30, 30)))
        slope = rows.T @ (p - told) + ridge @ w
        step = np.linalg.solve((rows.T * (p * (1 - p))) @ rows + ridge, slope)
        w -= step * min(1.0, 2 / max(float(np.abs(step).max()), 1e-9))
    return w


def tried(given: Sequence[Example], w: npt.NDArray[np.float64]) -> dict[str, int]:
    """Of the facts told in a turn how many are found, and how many that the labels have not."""
    best: dict[tuple[str, int, str], float] = defaultdict(float)
    labelled = {each.key for each in given if each.labelled}
    for each in given:
        p = 1 / (1 + np.exp(-float(np.dot(each.row, w))))
        best[each.key] = max(best[each.key], p)
    found = {key for key, p in best.items() if p >= THRESHOLD}
    return {"told": len(labelled), "found": len(found & labelled), "not": len(found - labelled)}


def main(folders: Sequence[str]) -> None:
    """Print figures, one playthrough left out at a time, and the weights of all."""
    given = {p.name: examples(p) for folder in folders for p in load(Path(folder))}
    for name in given:
        rest = [each for other in given if other != name for each in given[other]]
        w = fitted(rest)
        print(f"without {name}:", _named(w), tried(given[name], w))
    print("all:", _named(fitted([each for some in given.values() for each in some])))


def _named(w: npt.NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(weight), 2) for name, weight in zip(FEATURES, w, strict=True)}


if __name__ == "__main__":
    main(sys.argv[1:])
