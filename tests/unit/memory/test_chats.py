"""Chats as other programs keep them, and moments as they write them."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from storykeeper.errors import DocumentUnreadable, ItemRefused
from storykeeper.memory.chats import Said, read_chat
from storykeeper.memory.moments import moment, shown
from strategies.tables import table

TEN = datetime(2024, 5, 7, 10, 0, tzinfo=UTC)
AT = int(TEN.timestamp() * 1_000)


@table(
    "written",
    [
        "2024-05-07T10:00", "2024-05-07 10:00:00", "2024-05-07T12:00:00+02:00", "2024-05-07T10:00Z",
        AT, AT / 1_000, str(AT), str(AT // 1_000), TEN, TEN.replace(tzinfo=None),
        TEN.astimezone(timezone(timedelta(hours=-5))), "May 7, 2024 10:00am",
        "2024-5-7 @10h 00m 00s 12ms", "10:00 am on 7 May, 2024", "2024/05/07 10:00",
    ],
)  # fmt: skip
def test_a_moment_is_a_moment_however_it_is_written(written):
    assert moment(written) == AT


def test_a_day_is_its_beginning():
    assert shown(moment("2024-05-07")) == shown(moment("7 May 2024")) == TEN.replace(hour=0)


@pytest.mark.parametrize("written", ["", "soon", "2024-13-01", 1e300, True])
def test_what_is_no_moment_is_refused(written):
    with pytest.raises(ItemRefused, match="is no moment"):
        moment(written)


def read(*objects):
    return read_chat("\n".join(json.dumps(o) for o in objects), file="chat.jsonl")


def test_our_own_lines():
    chat = read({"text": "Hello.", "speaker": "Ana", "at": "2024-05-07T10:00", "session": "s1",
                 "audience": ["ana", "ben"]})  # fmt: skip
    assert chat.said == (Said("Hello.", "Ana", AT, "s1", frozenset({"ana", "ben"})),)


def test_lines_of_others():
    chat = read(
        {"user_name": "You", "character_name": "Mara", "chat_metadata": {}},
        {
            "name": "Mara",
            "is_user": False,
            "mes": "Well?",
            "send_date": "2024-5-7 @10h 00m 00s 1ms",
        },
        {"role": "user", "content": [{"type": "text", "text": "Look:"}, {"type": "image_url"}]},
        {"role": "assistant", "content": "A cup.", "create_time": AT / 1_000},
        {"role": "tool", "content": ""},
    )
    assert chat.said == (
        Said("Well?", "Mara", AT), Said("Look:", "user"), Said("A cup.", "assistant", AT),
    )  # fmt: skip
    assert chat.passed_over == 2


def test_one_array_is_read_as_well():
    chat = read_chat('\ufeff [{"text": "One."}, {"text": "Two."}]', file="chat.json")
    assert [said.text for said in chat.said] == ["One.", "Two."]


def test_line_breaks_inside_words_are_no_new_lines():
    words = "one\u2028two\x85three\r\nfour"
    text = json.dumps({"text": words}, ensure_ascii=False) + "\r\n\r\n"
    assert read_chat(text, file="c").said == (Said(words),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"text": "a"}\n{"text": ', "line 2: no JSON object"),
        ("[1", "no JSON"),
        ("3", "line 1: int, where an object is wanted"),
        ('{"text": "a", "at": "soon"}', "line 1: 'soon' is no moment"),
        ('{"text": "a", "at": {}}', "line 1"),
        ('{"text": "a", "audience": "ana"}', "line 1: the audience is a list of names"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text, why):
    with pytest.raises(DocumentUnreadable, match=why):
        read_chat(text, file="chat.jsonl")


def test_an_empty_file_is_an_empty_chat():
    assert read_chat("", file="chat.jsonl").said == ()


def test_parts_of_parts_take_no_time():
    """Each level was read twice: thirty of them took an hour."""
    parts = '["deep"]'
    for _ in range(200):
        parts = f"[{parts}]"
    line = f'{{"speaker": "Ana", "content": [{parts}, "Six oaks"]}}'
    assert [each.text for each in read_chat(line, file="chat.jsonl").said] == ["Six oaks"]
    shallow = '{"speaker": "Ana", "content": [["Six", ["oaks"]]]}'
    assert [each.text for each in read_chat(shallow, file="chat.jsonl").said] == ["Six\noaks"]
