"""The evaluation of evidence, on chats made up here."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from storykeeper.bench.locomo import evaluation, fiction, fitting
from storykeeper.bench.locomo.baselines import BM25, bm25, context_keys, standard
from storykeeper.bench.locomo.data import NoChats, chat_of, evidence_ids, load
from storykeeper.bench.locomo.embedding import embedded
from storykeeper.bench.locomo.found import Costs, Found, costs_of, figures, recall_at, recall_in
from storykeeper.bench.locomo.preparing import Measured, beside, chosen, prepared, questions
from storykeeper.bench.locomo.remembering import asked_of
from storykeeper.bench.mentions.campaign_data import NoCampaign
from storykeeper.bench.registry import Setup
from storykeeper.memory.found import Hit
from storykeeper.memory.items import Item
from storykeeper.memory.meaning import _before
from storykeeper.memory.signals.features import NAMES, RISING
from storykeeper.memory.signals.pieces import Telling
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


class Letters:
    """An embedder that counts letters, piece by piece."""

    dims = 26

    def read(self, texts):
        from storykeeper.models.embedders.wordpiece import pieces

        states = [
            np.array([_letters(f"{piece}") for piece in pieces(text)], np.float32).reshape(-1, 26)
            for text in texts
        ]
        whole = np.array([_letters(text) for text in texts]).clip(0, 127).astype(np.int8)
        return whole, states

    def turned(self, rows, *, most=None):
        return np.pad(rows, ((0, 0), (0, 64 - rows.shape[1])))[:, :most]


def _letters(text: str) -> list[int]:
    return [text.lower().count(chr(97 + n)) + text.count(str(n % 10)) for n in range(26)]


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


def test_neighbours_are_of_the_same_session():
    assert beside(np.array([1, 1, 2])).tolist() == [
        [-1, 1, -1, -1], [0, -1, -1, -1], [-1, -1, -1, -1],
    ]  # fmt: skip


def test_candidates_are_the_best_by_each_and_those_beside_them(monkeypatch):
    monkeypatch.setattr("storykeeper.bench.locomo.preparing.FOUND", 1)
    around = beside(np.array([1, 1, 1, 1, 1, 1, 2, 2]))
    words, meaning = np.array([9.0, *[0.0] * 7]), np.array([*[0.0] * 7, 1.0])
    assert chosen(words, meaning, around).tolist() == [0, 1, 6, 7]
    assert chosen(np.zeros(8), meaning, around).tolist() == [6, 7]


def test_pieces_beyond_what_was_read_are_dropped():
    assert _before(Telling((0, 5), ("a", "b"), (1, 1)), 5) == Telling((0,), ("a",), (1,))
    assert embedded(Letters(), ["the lamp", ""]).telling[1].places == ()


def test_a_question_is_measured():
    model = Letters()
    found = questions(prepared(CHAT, model), CHAT.asked, model)
    assert [each.category for each in found] == ["single_hop", "multi_hop"]
    plant = found[1]
    words = plant.features[:, NAMES.index("words")]
    assert plant.candidates[int(np.argmax(words))] == 2
    assert plant.features.shape == (len(plant.candidates), len(NAMES))


def lists_of(count: int, *, good: str) -> list[Measured]:
    """Questions whose answer is where one feature is high, the rest being noise."""
    chance = np.random.default_rng(7)
    made = []
    for _ in range(count):
        rows = chance.normal(size=(12, len(NAMES)))
        rows[:, NAMES.index("opens")] = 0.0
        best = int(np.argmax(rows[:, NAMES.index(good)]))
        made.append(Measured("a", "single_hop", (best,), np.arange(12), rows))
    return made


def test_fitting_finds_what_tells():
    weights = fitting.fitted(lists_of(80, good="words"))
    assert max(weights.of, key=lambda name: weights.of[name]) == "words"
    assert weights.of["opens"] == 0.0
    assert all(weights.of[name] >= 0 for name in RISING)
    found = evaluation.ranked(CHAT, lists_of(20, good="words"), weights)
    assert np.mean([f.order[0] in f.gold for f in found]) > 0.8


def test_the_slope_of_the_loss_is_its_slope():
    data = fitting.lists(lists_of(6, good="words"))
    at = np.linspace(-0.5, 0.5, len(NAMES))
    _, slope, curve = fitting.loss_at(at, data.rows, data)
    for column in (0, 5, 26):
        step = np.zeros(len(NAMES))
        step[column] = 1e-5
        up, down = (fitting.loss_at(at + s * step, data.rows, data) for s in (1, -1))
        assert slope[column] == pytest.approx((up[0] - down[0]) / 2e-5, abs=1e-6)
        assert curve[column].tolist() == pytest.approx(
            ((up[1] - down[1]) / 2e-5).tolist(), abs=1e-5
        )


def test_likeness_is_calibrated():
    scores = np.repeat([-1.0, 1.0], 100)
    gold = np.array([n % 10 == 0 for n in range(100)] + [n % 2 == 0 for n in range(100)])
    slope, bias = fitting.platt(scores, gold)
    assert 1 / (1 + np.exp(slope - bias)) == pytest.approx(0.1, abs=1e-6)
    assert 1 / (1 + np.exp(-slope - bias)) == pytest.approx(0.5, abs=1e-6)


def test_a_chat_is_ranked_by_what_the_others_teach(monkeypatch):
    chats = [replace(CHAT, name=name) for name in ("a", "b")]
    measured = {"a": lists_of(40, good="words"), "b": lists_of(40, good="names")}
    monkeypatch.setattr(evaluation, "prepared", lambda chat, _: chat.name)
    monkeypatch.setattr(evaluation, "questions", lambda name, _, __: measured[name])
    found = evaluation.left_out(chats, None)
    names = NAMES.index("names")
    for each, question in zip(found[:40], measured["a"], strict=True):  # taught by b: names count
        assert question.features[each.order[0], names] > np.median(question.features[:, names])
    assert [f.chat.name for f in found] == ["a"] * 40 + ["b"] * 40


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
