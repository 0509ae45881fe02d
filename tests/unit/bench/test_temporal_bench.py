"""The measuring of questions of time, on a chat of our own laid out as the sets are."""

import json

import pytest

from storykeeper.bench.registry import Setup
from storykeeper.bench.temporal.chats import NoQuestions, locomo, questions, zyphra
from storykeeper.bench.temporal.evaluation import excluded, measure, r_precision, recall
from storykeeper.bench.temporal.rankers import Bm25, Timed

DAYS = ("Monday 08 May, 2023", "Friday 09 June, 2023", "Tuesday 17 October, 2023")
LINES = ("The lamp is lit.", "The key is lost.", "Rain again.")


def conversation():
    raw = {"speaker_a": "Ana", "speaker_b": "Bo"}
    place = 0
    for number, day in enumerate(DAYS, 1):
        begun = f"0{number}:00:00 PM on {day}"
        raw[f"session_{number}_date_time"] = begun
        raw[f"session_{number}"] = []
        for line, text in enumerate(LINES):
            said = {"speaker": ("Ana", "Bo")[line % 2], "text": text, "response_number": str(place)}
            said["date_time"] = begun.replace(":00:00", f":0{line}:00")
            raw[f"session_{number}"].append(said)
            place += 1
    return raw


def written(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def data(tmp_path):
    written(tmp_path, "zyphra/conversations/7.json", conversation())
    asked = {
        "time_qs/test_month": ["What did we discuss in June?", [3, 4, 5]],
        "time_qs/test_rel_session": ["What did we talk about 3 sessions ago?", [0, 1, 2]],
        "content_time_qs/content_time_qs": ["What did Ana say of the lamp on June 9th?", [3]],
    }
    for name, (text, gold) in asked.items():
        entry = {"questions": [text], "relevant_docs": gold}
        written(tmp_path, f"zyphra/questions/{name}.json", {"file_7": [entry]})
    talk = ("In May we talked first.", "Yes.", "What did we discuss?")
    lines = [{"speaker": "Ana", "text": text} for text in talk]
    entry = {"questions": [lines], "relevant_docs": [0, 1, 2]}
    written(tmp_path, "zyphra/questions/ambiguous_time_qs/test_month.json", {"file_7": [entry]})
    return tmp_path


def setup(data):
    return Setup(say=lambda line: None, data=data)


def test_time_is_found_where_words_alone_fail(data):
    figures = measure(setup(data))
    ours, words = figures["storykeeper"], figures["bm25"]
    assert ours["r_precision"] == {"mean": 100.0, "month": 100.0, "rel_session": 100.0}
    assert ours["dialogues"]["mean"] == 100.0
    assert ours["mixed"] == 100.0
    assert words["r_precision"]["mean"] < 50
    assert figures["bm25_dated"]["r_precision"]["month"] == 100.0  # its turns say June


def test_a_chat_has_its_turns_numbered_through_and_its_sessions_dated(data):
    chat = zyphra(data)["7"]
    assert [said.place for said in chat.said] == list(range(9))
    assert [s.id for s in chat.timeline.sessions] == ["1", "2", "3"]
    assert chat.asked_ms == chat.said[-1].at_ms == 1_697_554_920_000  # 17 October, 15:02
    assert chat.timeline.sessions[1].end_ms - chat.timeline.sessions[1].start_ms == 120_000


def test_pure_time_is_answered_in_the_order_of_the_talk(data):
    ranked = Timed(zyphra(data)["7"]).rank("What did we discuss in June, again?")
    assert ranked[:3] == [3, 4, 5]  # though the word "again" is in the last


def test_words_choose_inside_the_window(data):
    ranked = Timed(zyphra(data)["7"]).rank("What did Bo say about the key on June 9th?")
    assert ranked[0] == 4
    assert set(ranked[:3]) == {3, 4, 5}


def test_equal_scores_go_to_the_older(data):
    assert Bm25(zyphra(data)["7"]).rank("key") == [1, 4, 7]


def test_questions_of_several_lines_are_one_text(data):
    (question,) = questions(data, "ambiguous_time_qs")["7"]
    assert question.text == "In May we talked first. Yes. What did we discuss?"


def test_the_measures():
    assert r_precision([1, 2, 9, 3], frozenset({1, 2, 3})) == pytest.approx(2 / 3)
    assert recall([*range(20)], frozenset({1, 2, 15, 30})) == 0.5
    assert r_precision([], frozenset({1})) == 0.0


def test_what_a_filter_keeps_out(data):
    raw = conversation()
    for number, day in enumerate(DAYS, 1):
        date = day.split(" ", 1)[1].removeprefix("0")
        raw[f"session_{number}_date_time"] = f"{number}:00 pm on {date}"
        for said in raw[f"session_{number}"]:
            del said["date_time"]
    asked = [
        ("What did Ana say about the lamp on 9 June, 2023?", ["D2:1"]),
        ("What did Ana say about the lamp on 8 May, 2023?", ["D2:1"]),
        ("Where did Cleo go in May 2023?", ["D2:1; D:2:2"]),
        ("Where did Cleo go before the flood?", ["D1:1"]),
        ("Where is the lamp?", []),
    ]
    qa = [{"question": q, "evidence": e, "category": 4} for q, e in asked]
    written(data, "locomo/locomo.json", [{"sample_id": "c", "conversation": raw, "qa": qa}])
    ((_, read),) = locomo(data)
    assert read[2].gold == {3, 4}
    found = excluded(locomo(data))
    assert found.pop("recall") <= 100
    assert found.pop("recall_bm25") <= 100
    assert found == {
        "questions": 4, "filtered": 2, "filtered_losing": 1, "raised": 1, "raised_outside": 1,
        "event": 1,
    }  # fmt: skip


def test_without_data_it_says_so(tmp_path):
    with pytest.raises(NoQuestions, match="STORYKEEPER_DATA"):
        measure(setup(None))
    with pytest.raises(NoQuestions, match="zyphra/conversations"):
        measure(setup(tmp_path))
    assert list(locomo(None)) == []
    assert excluded(locomo(tmp_path))["questions"] == 0
