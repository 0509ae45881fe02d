"""`bench gradient`: what curating does to prose, measured with a model.

Of the same turn, with the same seed, two renderings: one from a window in which something weighs
little, one in which it weighs much, and nothing else is otherwise. Measured is the share of the
prose's content words that are words of its images and of nothing else in the story.

    effect    mean of the paired differences, in points of that share; with its 95 % interval
    d         the same in standard deviations of the differences
    mass      of a scene ahead, .1 and 9, among five others of mass 1
    permeability   of a tale that was told once, .02 and .95
    prophecy  none, and one of magnitude .9

Two controls of the first: `instruction`, the light window with its images asked for outright; and
`gravity_off`, the heavy window against one without anything that lies ahead. Prompts and prose are
kept in a file, line by line; a run that was broken off goes on from there. Who has no endpoint can
be given the prompts in files, and what they wrote is measured in the same way (`blind`).

    felt_low, felt_high    percent of the renderings that have such a word at all
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np

from storykeeper.bench.gradient.arms import Arm, Contrast, contrasts, share
from storykeeper.bench.gradient.blind import Answers, write
from storykeeper.bench.gradient.story import MOMENTS
from storykeeper.bench.registry import Figures, Setup
from storykeeper.errors import ModelUnavailable, StorykeeperError
from storykeeper.models.port import StreamingModel
from storykeeper.staging.stage_filter import StageFilter

PAIRS, QUICK_PAIRS = 200, 4
LIMIT_TOKENS = 80  # a share of words needs no whole ending, and a slow model is paid by the token
TEMPERATURE = 0.8
RESAMPLED = 4_000


def measure(setup: Setup) -> Figures:
    """Render every pair, and compare."""
    if setup.prompts is not None and not setup.answers:
        return write(setup.prompts, setup.pairs or MOMENTS, setup.seed)
    figures: Figures = {"model": setup.model_name}
    if setup.answers and setup.prompts is None:
        raise StorykeeperError("--answers are for prompts; name their folder with --prompts DIR")
    if setup.prompts is not None:
        told: Told = (answers := Answers(setup.prompts, setup.answers))
        pairs = answers.pairs
    elif setup.model is not None:
        kept = Kept(setup.out or Path("gradient.jsonl"), setup.model, setup.model_name)
        told, pairs = kept, QUICK_PAIRS if setup.quick else setup.pairs or PAIRS
        _render_all(kept, pairs, setup)
    else:
        raise ModelUnavailable("gradient asks a model: name one with --model URL (or local)")
    for contrast in contrasts():
        found = _compared(contrast, told, pairs, seed=setup.seed)
        figures.setdefault(contrast.system, {})[contrast.name] = found
        setup.say(f"{contrast.system} {contrast.name}: {found}")
    return figures


def _render_all(kept: Kept, pairs: int, setup: Setup) -> None:
    """Some prompts at a time, of each one seed after the other: a server that caches reads it once.

    Several seeds of one prompt at a time would have every slot of the server read it anew.
    """
    arms = [arm for each in contrasts() for arm in (each.low, each.high)]
    each_once = {
        str(arm.messages(moment)): (arm, moment)
        for moment in range(min(MOMENTS, pairs))
        for arm in arms
    }
    prompts = list(each_once.values())

    def seeds(prompt: tuple[Arm, int]) -> int:
        arm, moment = prompt
        return sum(
            bool(kept.prose(arm, moment, setup.seed + pair))
            for pair in range(moment, pairs, MOMENTS)
        )

    with ThreadPoolExecutor(max(1, setup.at_once)) as pool:
        for (arm, moment), told in zip(prompts, pool.map(seeds, prompts), strict=True):
            setup.say(f"{arm.name}, moment {moment}: {told} rendered")


class Told(Protocol):
    """Renderings."""

    def prose(self, arm: Arm, moment: int, seed: int) -> str | None:
        """What somebody made of an arm's window of a moment; none, if nobody did."""


class Kept:
    """Renderings, asked for once each, and kept with what was asked."""

    def __init__(self, file: Path, model: StreamingModel, name: str) -> None:
        self._file, self._model, self._name = file, model, name
        self._told: dict[tuple[str, int], str] = {}
        self._asked: set[str] = set()
        self._lock = Lock()
        for row in _rows(file):
            if row.get("model") != name:
                continue
            if "prose" in row:
                self._told[row["prompt"], row["seed"]] = row["prose"]
            else:
                self._asked.add(row["prompt"])

    def prose(self, arm: Arm, moment: int, seed: int) -> str:
        """What the model makes of an arm's window of a moment."""
        messages = arm.messages(moment)
        prompt = sha256(json.dumps(messages).encode()).hexdigest()[:16]
        with self._lock:
            if prompt not in self._asked:
                self._asked.add(prompt)
                self._keep({"prompt": prompt, "arm": arm.name, "messages": messages})
        if (prompt, seed) not in self._told:
            text = self._render(messages, seed)
            with self._lock:
                self._told[prompt, seed] = text
                self._keep({"prompt": prompt, "seed": seed, "prose": text})
        return self._told[prompt, seed]

    def _render(self, messages: list[dict[str, Any]], seed: int) -> str:
        held = StageFilter()
        answer = self._model.stream(
            messages, limit_tokens=LIMIT_TOKENS, temperature=TEMPERATURE, seed=seed
        )
        for part in answer:
            held.add(part)
        held.end()
        return held.prose

    def _keep(self, row: dict[str, Any]) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"model": self._name} | row, ensure_ascii=False) + "\n")


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def _compared(contrast: Contrast, told: Told, pairs: int, *, seed: int) -> Figures:
    both = []
    for pair in range(pairs):
        low = told.prose(contrast.low, pair, seed + pair)
        high = told.prose(contrast.high, pair, seed + pair)
        if low is not None and high is not None:
            both.append([share(low, contrast.theme), share(high, contrast.theme)])
    return effect(np.array(both).reshape(-1, 2), seed=seed)


def effect(both: np.ndarray[Any, Any], *, seed: int) -> Figures:
    """The mean paired difference, its 95 % interval by resampling pairs, and d."""
    if not len(both):
        return {"pairs": 0}
    low, high = both[:, 0], both[:, 1]
    apart = high - low
    draws = np.random.default_rng(seed).integers(0, len(apart), (RESAMPLED, len(apart)))
    ci_low, ci_high = np.percentile(apart[draws].mean(axis=1), [2.5, 97.5])
    spread = float(apart.std(ddof=1)) if len(apart) > 1 else 0.0
    figures = {
        "effect": apart.mean(), "ci_low": ci_low, "ci_high": ci_high,
        "d": apart.mean() / spread if spread else 0.0, "low": low.mean(), "high": high.mean(),
        "felt_low": 100 * (low > 0).mean(), "felt_high": 100 * (high > 0).mean(),
    }  # fmt: skip
    return {"pairs": len(both)} | {name: round(float(each), 3) for name, each in figures.items()}
