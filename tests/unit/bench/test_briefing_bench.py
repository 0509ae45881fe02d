"""The figures of a brief and of taking passages in are there, and are of what they say."""

from __future__ import annotations

from pathlib import Path

from storykeeper.bench.briefing import ACTORS, SOURCES, briefing
from storykeeper.bench.registry import Setup


def test_small(tmp_path: Path):
    figures = {"storykeeper": {}, "floor": {}, "ratio": {}}
    briefing(tmp_path, Setup(lambda _: None, quick=True), figures)
    ours = figures["storykeeper"]
    assert ours["brief"]["passages"] == 20 * SOURCES
    assert ours["brief"]["actors"] == ACTORS
    assert 0 < ours["brief"]["worked"]["p50"] <= ours["brief"]["worked"]["p95"]
    assert ours["ingest"]["per_second"] > 0
    assert figures["ratio"]["brief"]["p50"] > 0
