"""`bench compaction` on data of our own: what is read, what is sought, what the figures mean."""

from __future__ import annotations

import json

import pytest

from storykeeper.bench.compaction import measuring
from storykeeper.bench.compaction.measuring import figures, measure, outcome
from storykeeper.bench.compaction.searching import Plain
from storykeeper.bench.compaction.told import NothingTold, evenings, stories
from storykeeper.bench.registry import Setup
from storykeeper.memory.compaction.compacting import Means
from storykeeper.memory.items import Item, Kind
from strategies.summing import bag_of_words, count_words

SPOKEN = (
    ("MATT", "The door of the old mill opens, and Odile steps out with a lantern."),
    ("ANA", "Hello! I ask her about the ring."),
    ("MATT", "She says that the ring was sold in Marseille for 40 crowns."),
    ("BEN", "Okay. Yeah."),
)
SUMMARY = "Odile tells Ana that the ring was sold in Marseille. Yes."
FILLER = (("BEN", "Nothing of note happens in the kitchen today."),)
STORY = "The lamp went out.\nIt was dark.\n \n  Holt took the letter\nfrom the desk.\n \n He ran."


@pytest.fixture
def data(tmp_path):
    turns = [
        {"NUMBER": n, "NAMES": [who], "UTTERANCES": text.split(", ")}
        for n, (who, text) in enumerate(SPOKEN + FILLER * 76)
    ]
    episode = {"TURNS": turns, "METADATA": {"Synopsis": []}}
    for folder, name, content in (
        ("episodes", "C1E001", episode),
        ("aligned", "C1E001_2_0", [{"CHUNK": SUMMARY}]),
    ):
        path = tmp_path / "crd3" / folder / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content))
    answers = [{"response_text": text} for text in ("Holt took a letter from a desk.", "x")]
    told = {"document": STORY, "questions": [{"responses": answers}]}
    (tmp_path / "squality").mkdir()
    (tmp_path / "squality" / "train.jsonl").write_text(json.dumps(told) + "\n")
    return tmp_path


@pytest.fixture(autouse=True)
def without_a_model(monkeypatch):
    monkeypatch.setattr(measuring, "_embedding", lambda: bag_of_words)


def test_what_was_told_and_what_is_sought(data):
    (evening,) = evenings(data)
    assert len(evening.items) == 80
    assert evening.items[0].text == SPOKEN[0][1].replace(",", "")
    assert {item.session for item in evening.items} == {"C1E001"}
    assert evening.sought == (SUMMARY.removesuffix(" Yes."),)
    (story,) = stories(data)
    assert [item.text for item in story.items] == [
        "The lamp went out. It was dark.", "Holt took the letter from the desk.", "He ran.",
    ]  # fmt: skip
    assert story.sought == ("Holt took a letter from a desk.",)


def test_the_figures(data):
    lines = []
    found = measure(Setup(say=lines.append, data=data))
    ours = found["storykeeper"]
    assert ours["tokens"]["before"] > ours["tokens"]["after"] > 0
    assert ours["expand"]["exact"] == 100.0
    assert 0 < ours["found"]["before"] <= 100
    assert ours["crd3"]["summaries"] == 3
    assert ours["sought"] == 2
    assert found["floor"]["found"] < ours["found"]["before"]
    assert len(lines) == 2


def test_missing_data_is_said(tmp_path):
    with pytest.raises(NothingTold, match="--data"):
        measure(Setup(say=print))
    with pytest.raises(NothingTold, match="squality"):
        list(stories(tmp_path))
    (tmp_path / "squality").mkdir()
    (tmp_path / "squality" / "train.jsonl").write_text("{}\n")
    with pytest.raises(NothingTold, match="line 1"):
        list(stories(tmp_path))


def test_found_is_the_share_of_content_words_that_come_back(data):
    """A memory that answers with nothing finds nothing; one that answers with all finds all."""
    (evening,) = evenings(data)
    means = Means(embed=bag_of_words, count=count_words)

    class Answering(Plain):
        def search(self, question, *, budget):
            assert budget == 800
            return self.answer

    def of(answer):
        Answering.answer = answer
        got = outcome(evening, lambda items: Answering(items, means), means)
        return figures([got])["found"]["before"]

    assert of([]) == 0.0
    assert of([SUMMARY]) == 100.0
    assert of(["the ring of Odile"]) == pytest.approx(100 * 2 / 5)


def test_expansion_is_checked_against_the_clusters_themselves(data, monkeypatch):
    (evening,) = evenings(data)
    means = Means(embed=bag_of_words, count=count_words)

    def exact():
        return outcome(evening, lambda items: Plain(items, means), means).exact

    assert exact() == 3
    monkeypatch.setattr(measuring, "expand", lambda sources, summary: sources[summary][1:])
    assert exact() == 0


def test_the_plain_search_shows_a_summary_or_its_sources_within_the_budget():
    items = [
        Item(id="a", text="the ring was sold in Marseille", order=1),
        Item(id="b", text="a lamp went out in the mill", order=2),
        Item(id="s", text="ring sold; lamp out", order=3, kind=Kind.SUMMARY, sources=("a", "b"),
             confidence=1.0, brief="ring"),
    ]  # fmt: skip
    search = Plain(items, Means(embed=bag_of_words, count=count_words)).search
    assert search("ring sold lamp out", budget=50) == ["ring sold; lamp out"]
    assert search("ring sold lamp out", budget=2) == ["ring"]
    assert search("the ring was sold in Marseille", budget=50)[0] == items[0].text
