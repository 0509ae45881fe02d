"""The benchmark of memory over several kinds of chat, on data made up here."""

from __future__ import annotations

import json

import pytest

from storykeeper.bench.locomo.data import NoChats
from storykeeper.bench.recall import evaluation, longmemeval, talks
from storykeeper.bench.recall.evaluation import Answered, recall
from storykeeper.bench.recall.sets import fitted_on
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
    found = [
        Answered("a", frozenset({1, 2}), {"ours": (1, 5, 6, 7, 8, 2)}),
        Answered("a", frozenset({3}), {"ours": (3,)}),
    ]
    assert recall(found, "ours") == {"5": 75.0, "10": 100.0}
    assert recall(found, "ours", enough=True) == {"5": 100.0, "10": 100.0}


def test_the_chats_written_for_us_can_be_asked():
    together = talks.load()
    turns = together[0].chat.turns
    assert len({turn.id for turn in turns}) == len(turns)
    assert all(turn.at_ms is not None for turn in turns)
    assert [turn.at_ms for turn in turns] == sorted(turn.at_ms for turn in turns)
    (menu,) = [turn for turn in turns if turn.id == "k6"]
    assert menu.text.startswith("Then here is a menu")
    assert menu.text.count("\n") == 5
    for each in together:
        (asked,) = each.chat.asked
        assert asked.gold
        assert max(turns[place].at_ms for place in asked.gold) < each.now_ms


def test_each_of_them_can_be_a_memory_of_its_own():
    together = talks.load()
    parts = list(talks.apart(together))
    assert sum(map(len, parts)) == len(together)
    assert sum(len(part[0].chat.turns) for part in parts) == len(together[0].chat.turns)

    def wanted(questions):
        return {
            (asked.text, tuple(each.chat.turns[place].id for place in asked.gold))
            for each in questions
            for asked in each.chat.asked
        }

    assert wanted(each for part in parts for each in part) == wanted(together)


def test_it_runs_on_every_kind_of_chat(everything):
    said: list[str] = []
    figures = evaluation.measure(Setup(say=said.append, data=everything, quick=True))
    names = {
        "longmemeval", "talks", "fiction", "playthroughs", "haystack", "locomo",
        "talks_multi_hop", "locomo_multi_hop",
    } & set(figures["bm25"])  # fmt: skip
    assert names >= {"longmemeval", "talks", "fiction", "playthroughs", "haystack", "locomo"}
    assert set(figures) - {"chromadb"} == {"storykeeper", "bm25", "minilm", "zsum"}
    for system in figures:
        assert figures[system]["longmemeval"] == {"5": 100.0, "10": 100.0}
        assert figures[system]["locomo_multi_hop"] == {"5": 100.0, "10": 100.0}
    assert any("haystack" in line for line in said)


def test_left_out_nothing_of_a_set_is_fitted_on_itself(everything, monkeypatch):
    fitted_from: list[list[str]] = []
    whole = evaluation.fitted

    def fitted(sets):
        fitted_from.append(sorted({each.chat for some in sets for each in some}))
        return whole(sets)

    monkeypatch.setattr(evaluation, "fitted", fitted)
    setup = Setup(say=lambda _: None, data=everything, quick=True, fit=True)
    figures = evaluation.measure(setup)
    assert figures["storykeeper"]["locomo"] == {"5": 100.0, "10": 100.0}
    told = {name: {one.chat.name for one in told} for name, told in fitted_on(everything).items()}
    assert (
        len(fitted_from) == len(told) + 3
    )  # and LoCoMo, the haystacks of LongMemEval, what nobody fitted on
    for (name, chats), used in zip(told.items(), fitted_from, strict=False):
        assert not chats & {*used}, name
        assert {*used} == set().union(*told.values()) - chats


@pytest.fixture
def everything(data):
    """A little of every set."""
    chat = {
        "sample_id": "made-up",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "Have you sold the boat?"},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Yes, to Carla."},
            ],
        },
        "qa": [{"question": "What did Ben sell?", "evidence": ["D1:1"], "category": 1}],
    }
    turns = [
        {"NUMBER": n, "NAMES": ["ANA"], "UTTERANCES": [text]}
        for n, text in enumerate(["The gate is shut.", "We climb over the wall.", "A dog barks."])
    ]
    part = {
        "CHUNK": "They climb over the high wall.",
        "ALIGNMENT": {"TURN START": 1, "TURN END": 1},
    }
    told = {"turn": 1, "line": "look", "prose": "The lamp is out.", "stage": {}}
    later = {**told, "turn": 2, "prose": "A cat comes in."}
    fact = {
        "id": "lamp", "since": 1, "text": "The lamp is out.", "any": [["lamp"]], "needed": [2],
        "known_by": [], "not_known_by": [],
    }  # fmt: skip
    for name, text in {
        "locomo/locomo.json": json.dumps([chat]),
        "crd3/episodes/E1.json": json.dumps({"TURNS": turns, "METADATA": {"Synopsis": []}}),
        "crd3/aligned/E1_2_0.json": json.dumps([part]),
        "playthroughs/run/turns.jsonl": "\n".join(map(json.dumps, (told, later))),
        "playthroughs/run/facts.jsonl": json.dumps(fact),
    }.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text(text, "utf-8")
    return data
