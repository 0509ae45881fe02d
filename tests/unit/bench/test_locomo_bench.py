"""The evaluation of evidence, on chats made up here."""

from __future__ import annotations

import json

import numpy as np
import pytest

from storykeeper.bench.locomo import evaluation, fiction
from storykeeper.bench.locomo.baselines import BM25, bm25, context_keys, standard
from storykeeper.bench.locomo.data import NoChats, chat_of, evidence_ids, load
from storykeeper.bench.locomo.found import Costs, Found, costs_of, figures, recall_at, recall_in
from storykeeper.bench.locomo.remembering import asked_of
from storykeeper.bench.mentions.campaign_data import NoCampaign
from storykeeper.bench.registry import Setup
from storykeeper.memory.found import Hit
from storykeeper.memory.items import Item
from storykeeper.scoring.hybrid import Hybrid

RAW = {
    "sample_id": "made-up",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "Have you sold the boat?"},
            {
                "speaker": "Ben",
                "dia_id": "D1:2",
                "text": "Yes, to Carla.",
                "blip_caption": "a boat",
            },
        ],
        "session_2_date_time": "nobody knows",
        "session_2": [
            {"speaker": "Ana", "dia_id": "D2:1", "text": "I planted beans in the garden."},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "The rain will help them."},
        ],
    },
    "qa": [
        {"question": "What did Ben sell?", "evidence": ["D1:1; D1:2"], "category": 4},
        {"question": "What did Ana plant?", "evidence": ["D:2:1"], "category": 1},
        {"question": "What of Dora?", "evidence": ["D9:9"], "category": 5},
        {"question": "And then?", "evidence": [], "category": 3},
    ],
}
CHAT = chat_of(RAW)


# ── data ─────────────────────────────────────────────────────────────────────────────────────


def test_ids_of_evidence_are_read_generously():
    assert evidence_ids(["D8:6; D9:17", "D:11:26", "D1:03", ""]) == [
        "D8:6", "D9:17", "D11:26", "D1:3",
    ]  # fmt: skip


def test_a_chat():
    assert [turn.id for turn in CHAT.turns] == ["D1:1", "D1:2", "D2:1", "D2:2"]
    assert CHAT.turns[1].text == "Yes, to Carla. [shares a picture: a boat]"
    assert CHAT.turns[0].at_ms == 1_683_554_160_000
    assert CHAT.turns[2].at_ms is None
    assert CHAT.speakers == ("Ana", "Ben")


def test_questions_without_known_evidence_are_left_out():
    assert [(q.category, q.gold) for q in CHAT.asked] == [
        ("single_hop", (0, 1)),
        ("multi_hop", (2,)),
    ]


def test_loading(tmp_path):
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "x.json").write_text(json.dumps([RAW]), "utf-8")
    assert load(tmp_path) == [CHAT]


@pytest.mark.parametrize("data", [None, "empty"])
def test_missing_data_says_so(data, tmp_path):
    with pytest.raises(NoChats, match="--data"):
        load(tmp_path if data else None)


# ── figures ──────────────────────────────────────────────────────────────────────────────────


def test_recall_is_the_share_of_what_was_wanted():
    found = Found(CHAT, "single_hop", (0, 1), [3, 0, 2, 1])
    assert [recall_at(found, k) for k in (1, 2, 4)] == [0, 0.5, 1]


def test_a_date_is_paid_once_and_what_is_too_long_passed_over():
    costs = Costs((10, 50, 10, 10), (5, 5, 5, 5))
    found = Found(CHAT, "single_hop", (0, 2, 3), [1, 0, 2, 3])
    assert recall_in(found, 15, costs) == pytest.approx(1 / 3)  # 0 with its date
    assert recall_in(found, 29, costs) == pytest.approx(1 / 3)  # 2 would need 15
    assert recall_in(found, 40, costs) == 1  # 3 shares the date of 2
    assert recall_in(found, 14, costs) == 0


def test_what_a_memory_packed_counts_as_packed():
    found = Found(CHAT, "single_hop", (0, 1), [0, 1], {400: frozenset({1})})
    assert recall_in(found, 400, Costs((1,) * 4, (1,) * 4)) == 0.5


def test_costs_are_of_the_line_and_of_the_date():
    costs = costs_of(CHAT, len)
    assert costs.turns[2] == len("Ana: I planted beans in the garden.\n")
    assert costs.dates[0] == len("[2023-05-08]\n") == costs.dates[2]


def test_figures_by_category():
    found = [Found(CHAT, "single_hop", (0,), [0]), Found(CHAT, "multi_hop", (2,), [0])]
    made = figures(found, len)
    assert made["recall"]["10"] == {"overall": 50.0, "multi_hop": 0.0, "single_hop": 100.0}
    assert made["recall_in_tokens"] == {"400": 50.0, "800": 50.0, "1600": 50.0}
    assert made["questions"] == 2


# ── baselines ────────────────────────────────────────────────────────────────────────────────


def test_bm25_finds_the_words_in_the_turn_before_too():
    assert context_keys(CHAT)[1].startswith("1:56 pm on 8 May, 2023 Ana: Have you sold the boat?")
    assert "Carla" not in context_keys(CHAT)[2]
    scores = bm25(CHAT)
    assert {int(n) for n in np.argsort(-scores[0])[:2]} == {0, 1}
    assert int(np.argmax(scores[1])) == 2


def test_bm25_of_nothing():
    assert BM25(["a lamp"]).scores("zyzzyva").tolist() == [0]


def test_standard_scores():
    assert standard(np.array([1.0, 3.0])).tolist() == [-1, 1]
    assert standard(np.array([2.0, 2.0])).tolist() == [0, 0]


# ── ours ─────────────────────────────────────────────────────────────────────────────────────


def test_figures_of_every_system(tmp_path, monkeypatch):
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "x.json").write_text(json.dumps([RAW]), "utf-8")
    monkeypatch.setattr(evaluation, "fusion", lambda chat, _: bm25(chat))
    monkeypatch.setattr(evaluation, "as_shipped", lambda chat: asked_of(Remembering(), chat))
    said: list[str] = []
    made = evaluation.measure(Setup(say=said.append, data=tmp_path))
    assert set(made) == {"storykeeper", "bm25", "fusion"}
    assert made["storykeeper"]["recall"]["20"]["overall"] == 100.0
    assert made["bm25"]["recall"]["5"]["multi_hop"] == 100.0
    assert said == ["  made-up: 4 turns, 2 questions …"]


class Remembering:
    """A memory that gives back what it has, newest first, shortened in a budget under 800."""

    def add_all(self, lines):
        self.items = [Item(f"m{n}", said.text, n + 1) for n, said in enumerate(lines)]
        return [item.id for item in self.items]

    def search(self, query, *, k=10, budget=None):
        form = "brief" if budget is not None and budget < 800 else "full"
        terms = Hybrid(0.0, 0.0, 0.0)
        return [Hit(item, 0.0, terms, form=form) for item in reversed(self.items)][:k]


def test_through_a_memory_only_whole_turns_count():
    found = asked_of(Remembering(), CHAT)
    assert found[0].order == [3, 2, 1, 0]
    assert found[0].inside[400] == frozenset()
    assert found[0].inside[800] == frozenset({0, 1, 2, 3})


# ── fiction ──────────────────────────────────────────────────────────────────────────────────


def an_evening(folder, parts):
    said = ["The gate is shut.", "We climb over the wall.", "A dog barks.", "The captain wakes."]
    turns = [{"NUMBER": n, "NAMES": ["ANA"], "UTTERANCES": [text]} for n, text in enumerate(said)]
    for kind, name, told in (
        ("episodes", "E1.json", {"TURNS": turns, "METADATA": {"Synopsis": []}}),
        ("aligned", "E1_2_0.json", parts),
    ):
        path = folder / "crd3" / kind / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(told), "utf-8")


def a_part(text, first, last):
    return {"CHUNK": text, "ALIGNMENT": {"TURN START": first, "TURN END": last}}


def test_a_summary_seeks_the_turns_it_is_aligned_with(tmp_path):
    long = "They climb over the high wall. Then a dog barks loudly and the captain wakes up."
    an_evening(tmp_path, [a_part(long, 1, 2), a_part("Yes.", 0, 0), a_part(long, 7, 9)])
    (chat,) = fiction.evenings(tmp_path)
    assert [turn.text for turn in chat.turns][1] == "We climb over the wall."
    assert [(asked.text[:8], asked.gold) for asked in chat.asked] == [
        ("They cli", (1, 2)), ("Then a d", (1, 2))
    ]  # fmt: skip


def test_one_turn_of_them_is_enough():
    found = [Found(CHAT, "fiction", (1, 2), [3, 2, 0]), Found(CHAT, "fiction", (1,), [0, 2, 3])]
    assert fiction.figures(found) == {"hit": {"5": 50.0, "10": 50.0, "20": 50.0}, "questions": 2}
    assert fiction.figures([])["hit"]["10"] == 0.0


def test_an_evening_without_its_summary_is_refused(tmp_path):
    an_evening(tmp_path, {"no": "list"})
    with pytest.raises(NoCampaign, match="E1_2_0"):
        fiction.evenings(tmp_path)
