"""Benchmarks by name. Each says what it does as it goes and returns its figures.

The figures are one object: a key per system measured in that run (`storykeeper`, `floor`, …);
shares in percent, times in milliseconds. Timings are read as ratios against the floor measured in
the same run on the same machine, never alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from storykeeper.models.port import StreamingModel

Figures = dict[str, Any]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a benchmark is given."""

    say: Say
    data: Path | None = None
    campaign: bool = False  # `mentions`: a campaign end to end instead
    sample: int = 0  # `mentions`: print so many tracked things to judge by hand instead
    seed: int = 1  # of the sample
    fit: bool = False  # refit what is learned, leaving out what is measured
    model: StreamingModel | None = None  # `gradient`: who renders
    model_name: str = ""
    pairs: int = 0  # `gradient`: how many; 200 if not said. `preference`: moments; 10
    at_once: int = 1  # `gradient`: renderings asked for at a time
    out: Path | None = None  # `gradient`: where prompts and prose are kept
    prompts: Path | None = None  # `gradient`, `preference`: the folder of what anybody is asked
    answers: tuple[Path, ...] = ()  # of these: files of what was answered
    quick: bool = False  # small sizes, to see that it runs; its figures mean nothing


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark that can be asked for by name."""

    name: str
    about: str
    module: str

    def run(self, setup: Setup) -> Figures:
        """Measure; the module is imported only now, so that asking for one loads one."""
        figures: Figures = import_module(self.module).measure(setup)
        return figures


BENCHES = {
    bench.name: bench
    for bench in (
        Bench(
            "latency",
            "append, read, check, import, fold, open and a turn, each against its floor",
            "storykeeper.bench.latency",
        ),
        Bench(
            "mentions",
            "who and what is mentioned: LitBank beside two baselines, objects, how much is tracked",
            "storykeeper.bench.mentions.everything",
        ),
        Bench(
            "locomo",
            "evidence turns found in long chats, at 5, 10, 20 and in budgets of tokens; in fiction",
            "storykeeper.bench.locomo.evaluation",
        ),
        Bench(
            "memory",
            "turns that answer, in several kinds of chat, beside BM25, MiniLM, their sum, chromadb",
            "storykeeper.bench.recall.evaluation",
        ),
        Bench(
            "beside",
            "a memory in a file and in PostgreSQL, beside chromadb, SQLite FTS5 and bm25s: add,"
            " search, open, sizes",
            "storykeeper.bench.beside.evaluation",
        ),
        Bench(
            "temporal",
            "questions of time alone: R-precision by kind, beside BM25",
            "storykeeper.bench.temporal.evaluation",
        ),
        Bench(
            "beliefs",
            "who thinks that who thinks what is where: ToMi, by way of the world",
            "storykeeper.bench.beliefs.evaluation",
        ),
        Bench(
            "witness",
            "who perceives each utterance of a talk and each scene, as exact sets",
            "storykeeper.bench.witness.evaluation",
        ),
        Bench(
            "perception",
            "who perceives which piece of narrated prose, and where everyone is afterwards",
            "storykeeper.bench.perception.evaluation",
        ),
        Bench(
            "compaction",
            "what summaries keep: tokens, and what is still found, before and after",
            "storykeeper.bench.compaction.measuring",
        ),
        Bench(
            "leaks",
            "planted secrets sought in every window, beside two usual designs; what the gate costs",
            "storykeeper.bench.leaks.evaluation",
        ),
        Bench(
            "injections",
            "orders to a model that are caught, and stories taken for such, beside a phrase list",
            "storykeeper.bench.injections.evaluation",
        ),
        Bench(
            "continuity",
            "what a narrator needs late in a run: how much of it its window has, beside history",
            "storykeeper.bench.continuity.evaluation",
        ),
        Bench(
            "preference",
            "which of three windows, shuffled, a judge would rather write from: ours or history",
            "storykeeper.bench.continuity.preference",
        ),
        Bench(
            "prefix",
            "bytes of a prompt that a model's cache still has from the turn before; a naive layout",
            "storykeeper.bench.prefix.evaluation",
        ),
        Bench(
            "serve",
            "the service under load: turns a second, waits, memory; beside a bare echo",
            "storykeeper.bench.serving.evaluation",
        ),
        Bench(
            "gradient",
            "what mass, permeability and prophecy do to the prose of a model, beside two controls",
            "storykeeper.bench.gradient.evaluation",
        ),
    )
}
