"""`bench injections`: what the sanitiser catches, and what it takes for an attack and is none.

A text counts as caught, or as a false alarm, if anything was found in it but characters that nobody
sees: these are taken out, and what they hid is then found or is not. Each fiction is
read a passage at a time, as it comes into a window. Beside it stands a short list of phrases, the
usual filter. `--fit` fits again without what is measured: each of five parts of the novels and
evenings, and each family of our own patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from storykeeper.bench.injections import data, fitting
from storykeeper.bench.injections.data import Sample
from storykeeper.bench.registry import Figures, Say, Setup
from storykeeper.canon.sanitiser import Trick, sanitised
from storykeeper.scoring.intervals import wilson

PHRASES = (
    "ignore previous instructions", "ignore all previous instructions", "ignore the above",
    "disregard previous", "disregard all", "forget all", "forget everything", "you are now",
    "act as", "system prompt", "new instructions", "pretend you are", "<|im_start|>", "[inst]",
)  # fmt: skip
OURS = ("unseen", "unseen_second")  # written by ourselves
FOLDS = 5
SHOWN = 5  # texts of a kind that are printed

Catches = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Sets:
    """What is measured, by name."""

    bad: dict[str, list[Sample]]
    good: dict[str, list[Sample]]


def measure(setup: Setup) -> Figures:
    """Shares caught and false alarms, in percent, set by set."""
    sets = loaded(setup.data)
    if setup.fit and setup.data is not None:
        return {"storykeeper": left_out(setup.data, sets, setup.say)}
    figures: Figures = {}
    for name, catches in (("storykeeper", _ours), ("phrases", _phrases)):
        figures[name] = _figures(sets, catches)
        say_figures(name, figures[name], setup.say)
    for kind, wrong in (("missed", _missed(sets)), ("false alarm", _alarms(sets))):
        for sample in wrong:
            setup.say(f"{kind}, {sample.source}: {' '.join(sample.text.split())[:100]}")
    return figures


def loaded(folder: Path | None) -> Sets:
    """The labelled sets and the fiction below a data folder, and our own unseen ones."""
    rows = data.deepset(folder)
    own = {name: data.unseen(name) for name in OURS}
    assert folder is not None  # or the rows were not found
    return Sets(
        {
            "deepset": [each for each in rows if each.bad],
            "bipia": data.bipia(folder),
            **{name: [each for each in texts if each.bad] for name, texts in own.items()},
        },
        {
            "deepset": [each for each in rows if not each.bad],
            **{name: [each for each in texts if not each.bad] for name, texts in own.items()},
            "litbank": list(data.novels(folder)),
            "crd3": list(data.tables(folder)),
            "playthroughs": list(data.played(folder)),
        },
    )


def _figures(sets: Sets, catches: Catches) -> Figures:
    caught = {name: _share(samples, catches) for name, samples in sets.bad.items()}
    alarms = {name: _share(samples, catches) for name, samples in sets.good.items()}
    # The labelled sets are the figure; what we wrote ourselves stands beside them.
    bad = [s for name, samples in sets.bad.items() if name not in OURS for s in samples]
    good = [s for name, samples in sets.good.items() if name not in OURS for s in samples]
    return {
        "caught": _share(bad, catches)["share"], "false_alarms": _share(good, catches)["share"],
        "caught_by": caught, "false_alarms_by": alarms,
    }  # fmt: skip


def _share(samples: Sequence[Sample], catches: Catches) -> Figures:
    hits, of = sum(catches(each.text) for each in samples), len(samples)
    low, high = wilson(hits, of)
    return {
        "share": round(100 * hits / max(1, of), 2), "ci_low": round(100 * low, 2),
        "ci_high": round(100 * high, 2), "of": of,
    }  # fmt: skip


def say_figures(name: str, figures: Figures, say: Say) -> None:
    """One line a set."""
    for kind in ("caught", "false_alarms"):
        for which, each in figures[f"{kind}_by"].items():
            span = f"{each['ci_low']} to {each['ci_high']}, of {each['of']}"
            say(f"{name:12} {kind:12} {which:13} {each['share']:6.2f} %  ({span})")
        say(f"{name:12} {kind:12} {'labelled':13} {figures[kind]:6.2f} %")


def _ours(text: str) -> bool:
    return bool(sanitised(text).tricks - {Trick.INVISIBLE})


def _phrases(text: str) -> bool:
    lower = text.lower()
    return any(phrase in lower for phrase in PHRASES)


def _missed(sets: Sets) -> Iterable[Sample]:
    return (s for kind in sets.bad.values() for s in _few(kind, want=False))


def _alarms(sets: Sets) -> Iterable[Sample]:
    return (s for kind in sets.good.values() for s in _few(kind, want=True))


def _few(samples: Sequence[Sample], *, want: bool) -> list[Sample]:
    return [each for each in samples if _ours(each.text) is want][:SHOWN]


# ── fitted without what is measured ──────────────────────────────────────────────────────────


def left_out(folder: Path, sets: Sets, say: Say) -> Figures:
    """The learned part alone, each time fitted without the group that it then reads."""
    texts = fitting.samples(folder)
    seen = fitting.examples(texts)
    groups = sorted(set(seen.groups.tolist()))
    told = [name for name in groups if name.startswith(("litbank", "crd3"))]
    alarms: dict[str, list[int]] = {"litbank": [], "crd3": []}
    for fold in range(FOLDS):
        out = set(told[fold::FOLDS])
        reader = fitting.detector(*fitting.learn(seen, without=np.isin(seen.groups, list(out))))
        for name, counts in alarms.items():
            for sample in sets.good[name]:
                if f"{sample.source} {sample.group}" in out:
                    counts.append(bool(reader.found(sample.text)))
        say(f"part {fold + 1} of {FOLDS}: read without its {len(out)} novels and evenings")
    families = sorted({s.group for s in texts if s.bad})
    caught: dict[str, float] = {}
    for family in families:
        mine = np.isin(seen.groups, [f"patterns {family}"]) & (seen.bad > 0)
        reader = fitting.detector(*fitting.learn(seen, without=mine))
        own = [s.text for s in texts if s.bad and s.group == family]
        hits = sum(bool(reader.found(each)) for each in own)
        caught[family] = round(100 * hits / len(own), 1)
        say(f"{family}: {caught[family]} % caught by what has not seen its family")
    rates = {name: round(100 * sum(c) / len(c), 2) for name, c in alarms.items()}
    return {"caught_by_family": caught, "false_alarms_by": rates}
