"""A line made plain, and where each of its characters stood."""

import pytest

from storykeeper.language.typed import as_typed
from strategies.tables import table


def plainly(line):
    return as_typed(line, mend=lambda word: None)


@table(
    "line, text",
    [
        ("ask her abt teh key", "ask her about the key"),
        ("grab key n run", "grab key and run"),
        ("go n", "go n"),
        ("walk n then wait", "walk n then wait"),
        ("run 2 the door", "run to the door"),
        ("take 2 coins", "take 2 coins"),
        ("wait 4 her", "wait for her"),
        ("unlock door w/ key", "unlock door with key"),
        ("bread & milk", "bread and milk"),
        ("i dont   go", "i don't go"),
        ("Mara’s cup", "Mara's cup"),
        ("gonna go", "going to go"),
        ("> look", "  look"),
        ("*nods* hi", "\nnods\n hi"),
        ("*nods at her* hi", "\nnods at her\n hi"),
        ("I *really* go", "I  really  go"),
        ("2 * 3", "2   3"),
        ("l\u0336o\u0337ok", "look"),
    ],
)
def test_what_is_meant(line, text):
    assert plainly(line).text == text


@pytest.mark.parametrize(
    "line", ["ask her abt   teh key w/ u", "*nods* &  l\u0336ook", "", "* *", "gonna n 2 the"]
)
def test_every_character_knows_where_it_stood(line):
    typed = plainly(line)
    assert len(typed.at) == len(typed.text)
    assert typed.at == sorted(typed.at)
    assert all(0 <= at < len(line) for at in typed.at)


def test_a_word_written_out_is_where_its_shorthand_was():
    typed = plainly("ask her abt it")
    at = typed.text.index("about")
    assert typed.place(at, at + len("about")) == (8, 11)


def test_what_stands_between_asterisks_is_known():
    typed = plainly("hi *nods at her* ok")
    assert [typed.text[a:b].strip() for a, b in typed.starred] == ["nods at her"]


def test_names_are_mended_where_they_stand():
    typed = as_typed("go kitchne now", mend={"kitchne": "kitchen"}.get)
    assert typed.text == "go kitchen now"
