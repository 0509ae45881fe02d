"""Whole conversations of other programs; documents by their ending, with links between them."""

import json

import pytest

from storykeeper.errors import DocumentUnreadable
from storykeeper.memory.chats import Said, read_chat
from storykeeper.memory.documents import passages_of
from storykeeper.memory.remembering import passages_as_records


def test_conversations_with_their_messages_inside():
    lines = [
        {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": ""}]},
        {"id": "talk", "conversations": [{"from": "human", "value": "Ho"}]},
        {"title": "t", "turns": [{"text": "He", "session": "own"}]},
    ]
    chat = read_chat("\n".join(map(json.dumps, lines)), file="c.jsonl")
    assert chat.said == (
        Said("Hi", "user", None, "c.jsonl, line 1"), Said("Ho", "human", None, "talk"),
        Said("He", "", None, "own"),
    )  # fmt: skip
    assert chat.passed_over == 1


def test_one_object_over_several_lines():
    whole = {"messages": [{"author": {"role": "user"}, "content": {"parts": ["A", "B"]}}]}
    chat = read_chat(json.dumps(whole, indent=2), file="c.json")
    assert chat.said == (Said("A\nB", "user", None, "c.json"),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n"text": ', "line 1: no JSON object"),
        ('[{"text": "a"}, 3]', "item 2: int"),
        ("[" * 200_000, "no JSON"),
        ('{"text": "a", "name": "' + "x" * 300 + '"}', "line 1: a speaker is a short text"),
        ('{"messages": ["a"]}', "line 1: str, where an object is wanted"),
    ],
)
def test_what_cannot_be_read_is_named(text, why):
    with pytest.raises(DocumentUnreadable, match=why):
        read_chat(text, file="chat.jsonl")


def test_a_document_is_read_by_its_ending():
    (passage,) = passages_of("\ufeff## Rules\r\n\r\nNo.\r\n", document="a.MD")
    assert (passage.text, passage.rule.part.value, passage.id) == ("No.", "hard", "a.MD#1")
    (passage,) = passages_of("rules: No.", document="a.yml")
    assert passage.rule.part.value == "hard"
    with pytest.raises(DocumentUnreadable, match=r"a\.pdf: its name should end in"):
        passages_of("x", document="a.pdf")


def test_links_lead_to_sections_of_documents_beside_it():
    mill = passages_of("See [him](people.md#the-smith) and [all](../index.md).", document="a/m.md")
    people = passages_of("# The baker\n\nB.\n\n# The smith\n\nS.", document="a/people.md")
    index = passages_of("Everything.", document="index.md")
    records = passages_as_records([*mill, *people, *index], first=5, namespace="", audience=None)
    assert records[0].links == (7, 8)


def test_a_heading_that_is_a_number_does_not_hide_a_passage():
    text = "# 2\n\nOne.\n\nTwo.\n\nThree, see [it](b.md#2)."
    other = passages_of("# x\n\nA.\n\nB.", document="b.md")
    records = passages_as_records(
        [*passages_of(text, document="a.md"), *other], first=1, namespace="", audience=None
    )
    assert records[2].links == (5,)
