"""Documents taken apart: what is always shown, what comes first, what is searched, and why."""

import pytest

from storykeeper.errors import DocumentUnreadable
from storykeeper.memory.documents import partition
from storykeeper.memory.documents.markdown import markdown_blocks
from storykeeper.memory.documents.yaml import yaml_blocks
from storykeeper.memory.items import Part

LORE = """\
# The mill

It stands by the weir.

## Rules

- Nobody names the miller.
- The wheel never turns at night.

### Exceptions

On the eve of [[Harvest]] it may.

## Setting

A valley of three farms, see [the harvest](#harvest).

<!-- keep: always -->

It is always autumn.

## Harvest

Told of in [another document](songs.md#reaping) and on [a page](https://example.org/).

## House rules (keep: search)

1. Wipe your feet.
"""


def taken_apart(text, name="lore.md"):
    return partition(name, markdown_blocks(text))


def test_sections_are_placed_by_name_and_by_what_the_author_says():
    placed = [(p.text.split("\n")[0][:22], p.rule.part) for p in taken_apart(LORE)]
    assert placed == [
        ("It stands by the weir.", Part.VARIANT),
        ("Nobody names the mille", Part.HARD),
        ("The wheel never turns ", Part.HARD),
        ("On the eve of [[Harves", Part.HARD),  # inside a section, placed as it is
        ("A valley of three farm", Part.SOFT),
        ("It is always autumn.", Part.HARD),  # from the mark to the end of the section
        ("Told of in [another do", Part.VARIANT),
        ("Wipe your feet.", Part.VARIANT),
    ]


def test_every_passage_says_why_it_is_where_it_is():
    why = {p.number: p.rule.why for p in taken_apart(LORE)}
    assert why[1] == "nothing says otherwise"
    assert why[2] == "a section called “Rules”"
    assert why[6] == "line 18 says so"
    assert why[8] == "line 26 says (keep: search)"


def test_passages_know_their_line_and_their_sections():
    passages = taken_apart(LORE)
    assert [p.line for p in passages] == [3, 7, 8, 12, 16, 20, 24, 28]
    assert passages[3].heading == ("The mill", "Rules", "Exceptions")
    assert passages[7].heading == ("The mill", "House rules")
    assert passages[7].id == "lore.md#8"


def test_links_become_edges():
    links = {p.number: p.links for p in taken_apart(LORE) if p.links}
    assert links == {4: ("lore.md#7",), 5: ("lore.md#7",), 7: ("songs.md#reaping",)}


def test_the_head_of_a_document_speaks_for_all_of_it_but_what_speaks_for_itself():
    text = "---\nkeep: first\ntitle: x\n---\nHello.\n\n# Rules\n\nNo."
    passages = taken_apart(text)
    assert [p.rule.part for p in passages] == [Part.SOFT, Part.HARD]
    assert [p.line for p in passages] == [5, 9]


def test_code_tables_and_quotations_are_one_passage_each():
    code, said = "```\na\n\nb\n```\n\n", "> one\n>\n> two\n\n"
    text = f"{code}{said}| a | b |\n|---|---|\n| 1 | 2 |\n\n<!-- a note -->\n"
    assert [p.text.count("\n") for p in taken_apart(text)] == [4, 2, 2]


@pytest.mark.parametrize("text", ["", "---\n", "---\n---\n", "# Only a heading\n", "<!-- x -->"])
def test_a_document_that_says_nothing_has_no_passages(text):
    assert [p for p in taken_apart(text) if p.text != "---"] == []


def test_deep_nesting_and_long_lines_are_read():
    assert len(taken_apart("> " * 500 + "deep")) == 1
    assert len(taken_apart("word " * 50_000)) == 1


def test_yaml_keys_are_headings():
    text = "rules:\n  - Nobody sings.\n  - Nobody whistles.\nlore:\n  keep: first\n  mill: Old.\n"
    passages = partition("w.yaml", yaml_blocks(text, file="w.yaml"))
    assert [(p.heading, p.text, p.rule.part, p.line) for p in passages] == [
        (("rules",), "Nobody sings.", Part.HARD, 2),
        (("rules",), "Nobody whistles.", Part.HARD, 3),
        (("lore", "mill"), "Old.", Part.SOFT, 6),
    ]


def test_yaml_that_cannot_be_read_is_refused_with_its_line():
    with pytest.raises(DocumentUnreadable, match=r"w\.yaml, line 2"):
        yaml_blocks("a: 1\na: 2\n", file="w.yaml")
