"""The measuring beside others: all that is here is measured, what is not is named."""

from __future__ import annotations

import pytest

from storykeeper.bench.beside import evaluation
from storykeeper.bench.beside.one import Task
from storykeeper.bench.beside.systems import DATABASE, PACKAGES, FullText, Ours
from storykeeper.bench.registry import Setup
from strategies.postgres import server

FIGURES = {
    "add_many_per_second", "add_one_p50", "search_p50", "search_p95", "rss_mb", "open_ms", "found",
    "disk_mb", "answers",
}  # fmt: skip


@pytest.mark.long
def test_what_is_there_is_measured_and_what_is_not_is_named(monkeypatch):
    monkeypatch.setattr(evaluation, "find_spec", lambda package: None)
    monkeypatch.setattr(evaluation, "QUICK_SIZES", (60,))
    monkeypatch.setenv(DATABASE, server().url())
    said: list[str] = []
    figures = evaluation.measure(Setup(said.append, quick=True))
    assert figures["missing"] == [*PACKAGES]
    assert sum("pip install 'storykeeper[beside]'" in line for line in said) == len(PACKAGES)
    for system in ("storykeeper", "storykeeper_words", "storykeeper_postgres", "fts5"):
        assert set(figures[system]["60"]) == FIGURES
        assert figures[system]["60"]["found"] > 0
    assert not set(PACKAGES) & set(figures)
    same = [figures[system]["60"]["answers"] for system in ("storykeeper", "storykeeper_postgres")]
    assert same[0] == same[1]  # the same items with the same scores, from a file and a database


def test_without_a_database_ours_in_one_is_left_out_by_name(monkeypatch):
    monkeypatch.delenv(DATABASE, raising=False)
    monkeypatch.setattr(evaluation, "QUICK_SIZES", ())
    said: list[str] = []
    figures = evaluation.measure(Setup(said.append, quick=True))
    assert "storykeeper_postgres" in figures["missing"]
    assert any(DATABASE in line for line in said)


@pytest.mark.parametrize("kind", [lambda f: Ours(f / "chat.db", embedder="none"), FullText])
def test_a_system_finds_what_it_keeps_after_it_was_opened_again(tmp_path, kind):
    system = kind(tmp_path)
    system.add(["The roof leaks", "The gate code is 4711"])
    system.add(["The key is lost"])
    system.close()
    again = kind(tmp_path)
    assert "4711" in str(again.search("what is the gate code", 1)[0])
    again.close()


def test_what_breaks_says_which_it_was():
    with pytest.raises(evaluation.ToolBroken, match="no-such: "):
        evaluation._one(Task("no-such", "", [], ["a"]))
