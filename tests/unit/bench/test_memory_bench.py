"""The benchmark of memory over several kinds of chat, on data made up here."""

from __future__ import annotations

import json

import pytest

from storykeeper.bench.locomo.data import NoChats
from storykeeper.bench.recall import evaluation, longmemeval
from storykeeper.bench.registry import Setup


def _session(number: int, date: str, *texts: str) -> dict:
    return {
        "session": number,
        "date": date,
        "turns": [{"role": "user", "content": text} for text in texts],
    }


ROWS = [
    {
        "question_id": "q1",
        "question": "Where did I plant the oak?",
        "question_date": "2023/05/28 (Sun) 06:47",
        "question_type": "single-session-user",
        "abstention": False,
        "evidence": [
            _session(1, "2023/05/20 (Sat) 07:17", "I planted an oak by the pond."),
            _session(2, "2023/05/10 (Wed) 07:17", "My oak is for the pond.", "It is small."),
        ],
    },
    {
        "question_id": "q2",
        "question": "What did the lamp cost?",
        "question_date": "2023/06/01 (Thu) 06:47",
        "question_type": "multi-session",
        "abstention": False,
        "evidence": [_session(4, "2023/05/29 (Mon) 07:17", "The lamp was forty crowns.")],
    },
    {"question_id": "q3", "abstention": True, "evidence": [_session(1, "2023/05/20 (Sat) 07:17")]},
    {"question_id": "q4", "abstention": False, "evidence": []},
]


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "longmemeval"
    folder.mkdir()
    (folder / "evidence.jsonl").write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return tmp_path


def test_what_has_no_answer_is_left_out(data):
    assert [row["question_id"] for row in longmemeval.load(data)] == ["q1", "q2"]


def test_pooled_is_one_memory_in_the_order_of_time(data):
    first, second = longmemeval.pooled(longmemeval.load(data))
    texts = [turn.text for turn in first.chat.turns]
    assert texts[0] == "My oak is for the pond."
    assert texts[-1] == "The lamp was forty crowns."
    assert first.chat.turns == second.chat.turns
    assert first.chat.asked[0].gold == (0, 1, 2)
    assert second.chat.asked[0].gold == (3,)
    assert first.now_ms < second.now_ms


def test_a_haystack_has_its_own_sessions(data):
    stacks = list(longmemeval.haystacks(longmemeval.load(data)))
    for stack in stacks:
        (asked,) = stack.chat.asked
        assert asked.gold
        assert {stack.chat.turns[place].session.split(":")[0] for place in asked.gold} == {
            stack.chat.name
        }


def test_nothing_there_says_where_to_look(tmp_path):
    with pytest.raises(NoChats, match="--data"):
        longmemeval.load(tmp_path)


def test_recall_is_the_share_of_what_answers():
    found = [(frozenset({1, 2}), (1, 5, 6, 7, 8, 2)), (frozenset({3}), (3,))]
    assert evaluation._recall(found) == {"5": 75.0, "10": 100.0}


def test_it_runs_on_both_kinds_of_chat(data):
    chat = {
        "sample_id": "made-up",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "Have you sold the boat?"},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Yes, to Carla."},
            ],
        },
        "qa": [{"question": "What did Ben sell?", "evidence": ["D1:1"], "category": 4}],
    }
    (data / "locomo").mkdir()
    (data / "locomo" / "locomo.json").write_text(json.dumps([chat]), "utf-8")
    said: list[str] = []
    figures = evaluation.measure(Setup(say=said.append, data=data))
    assert figures["storykeeper"] == {name: {"5": 100.0, "10": 100.0} for name in _sets(figures)}
    assert set(_sets(figures)) == {"pooled", "haystack", "locomo"}
    assert set(figures) == set(evaluation.SYSTEMS)
    assert any("pooled" in line for line in said)


def _sets(figures: dict) -> list[str]:
    return list(figures["bm25"])
