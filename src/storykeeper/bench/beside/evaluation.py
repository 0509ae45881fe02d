"""`bench beside`: add, search, open and size beside chromadb, SQLite FTS5 and bm25s.

All hold the same texts and are asked the same. Figures under a system go by size; a package that is
not there is named and left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import msgspec

from storykeeper.bench.beside.one import Task
from storykeeper.bench.beside.systems import DATABASE, PACKAGES, SYSTEMS
from storykeeper.bench.registry import Figures, Setup

SIZES = (10_000, 100_000)
QUICK_SIZES = (300,)
QUERIES = 100


class ToolBroken(RuntimeError):
    """What was to be measured failed."""


def measure(setup: Setup) -> Figures:
    """Every system at every size."""
    figures: Figures = {"machine_note": "read as ratios within one run"}
    missing = [name for name, package in PACKAGES.items() if find_spec(package) is None]
    if DATABASE not in os.environ:
        setup.say(f"  no {DATABASE}=postgresql://SERVICE@HOST/DATABASE: our own there is left out")
        missing.append("storykeeper_postgres")
    for name in missing:
        if name in PACKAGES:
            setup.say(f"  {name} is not there and is left out: pip install 'storykeeper[beside]'")
    figures["missing"] = missing
    for size in QUICK_SIZES if setup.quick else SIZES:
        lines, queries = texts(setup, size)
        for system in SYSTEMS:
            if system in missing:
                continue
            with tempfile.TemporaryDirectory() as folder:
                found = _one(Task(system, folder, lines, queries))
                found |= _one(Task(system, folder, [], queries[:1], opens=True))
                found["disk_mb"] = round(_bytes(Path(folder)) / 1e6, 1)
            figures.setdefault(system, {})[f"{size}"] = found
            setup.say(f"  {system:<18} {size:>7,}  {_shown(found)}")
    return figures


def texts(setup: Setup, size: int) -> tuple[list[str], list[str]]:
    """As many lines, all different, and questions in the words of some."""
    from storykeeper.models.embedders import corpora

    if setup.data is not None:
        found = corpora.texts(setup.data)
    else:
        from storykeeper.bench.mentions.objects import passages

        found = [s for passage in passages() for s in corpora.sentences(passage.text)]
    found = [text for text in dict.fromkeys(found) if 4 <= len(text.split()) <= 60]
    lines = [f"{found[n % len(found)]} ({n})" for n in range(size)]
    asked = [found[len(found) * n // QUERIES] for n in range(QUERIES)]
    return lines, [" ".join(text.split()[:8]) for text in asked]


def _one(task: Task) -> Figures:
    run = subprocess.run(
        [sys.executable, "-m", "storykeeper.bench.beside.one"],
        input=msgspec.json.encode(task), capture_output=True,
    )  # fmt: skip
    if run.returncode:
        raise ToolBroken(f"{task.system}: {run.stderr.decode()[-2_000:]}")
    figures: Figures = msgspec.json.decode(run.stdout.splitlines()[-1])
    return figures


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _shown(found: Figures) -> str:
    return (
        f"add {found['add_one_p50']:.2f} ms, {found['add_many_per_second']:,}/s;"
        f" search {found['search_p50']:.2f} / {found['search_p95']:.2f} ms;"
        f" open {found['open_ms']:.0f} ms; {found['rss_mb']:.0f} MB, {found['disk_mb']:.1f} on disk"
    )
