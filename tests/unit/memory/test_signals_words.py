"""Words as memory compares them, and how telling they are."""

from __future__ import annotations

import math

import pytest

from storykeeper.memory.items import Item
from storykeeper.memory.signals import item_terms, key_text
from storykeeper.memory.signals.background import PRIOR, share, table, weight
from storykeeper.memory.signals.counting import counted, written
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import MOST_WORDS, STOP, terms, words


@pytest.mark.parametrize(
    ("forms", "same"),
    [
        (("paint", "painted", "painting", "paints"), "paint"),
        (("go", "went", "gone", "goes", "going"), "go"),
        (("hop", "hopped", "hopping"), "hop"),
        (("file", "filed", "filing"), "file"),
        (("party", "parties"), "parti"),
        (("activity", "activities"), "activ"),
        (("pie", "pies"), "pie"),
        (("child", "children"), "child"),
        (("relate", "relational", "related"), "relat"),
        (("adopt", "adoption", "adopting"), "adopt"),
        (("happy", "happiness"), "happi"),
        (("agree", "agreed"), "agre"),
        (("fall", "falling", "fell"), "fall"),
    ],
)
def test_forms_of_a_word_meet(forms, same):
    assert {stem(form) for form in forms} == {same}


@pytest.mark.parametrize("word", ["", "a", "bus", "class", "sky", "2023", "3d6", "straße", "über"])
def test_words_without_endings_stay(word):
    assert stem(word) == word


def test_what_is_no_word_of_english_stays_whatever_its_length():
    assert stem("a" * 50 + "ing") == "a" * 50 + "ing"


def test_names_and_contractions():
    assert words("Ana’s cat; O'Neill won't, we've WON") == ["ana", "cat", "oneill", "we", "won"]
    assert "won" not in STOP


def test_terms_leave_out_what_says_nothing_and_keep_repeats():
    assert terms("Did you go to the class? The class!") == ["go", "class", "class"]
    assert terms("to be or not to be") == []


def test_scripts_without_spaces_are_pairs_of_signs():
    assert terms("漢字文") == ["漢字", "字文"]
    assert terms("Привет, мир") == ["привет", "мир"]


def test_a_huge_text_is_cut():
    assert len(words("word " * (MOST_WORDS + 100))) == MOST_WORDS


def test_the_speaker_is_embedded_but_is_no_term():
    item = Item("m1", "I sold the boat", 1, speaker="Ana")
    assert key_text(item) == "Ana: I sold the boat"
    assert item_terms(item) == ["sell", "boat"]
    assert key_text(Item("m2", "A note", 2)) == "A note"


def test_the_weight_is_its_formula():
    expected = PRIOR * share("boat")
    by_hand = math.log(1 + (50 + PRIOR + 0.5) / (3 + expected + 0.5)) / 6
    assert weight("boat", having=3, visible=50) == pytest.approx(by_hand, abs=1e-15)


def test_rarer_words_tell_more():
    assert weight("zyzzyva", having=0, visible=0) > weight("boat", having=0, visible=0)
    assert weight("boat", having=0, visible=0) > weight("go", having=0, visible=0)
    assert weight("boat", having=1, visible=100) > weight("boat", having=90, visible=100)


def test_the_table_is_whole():
    passages, counts = table()
    assert passages > 10_000
    assert len(counts) > 5_000
    assert all(1 < count <= passages for count in counts.values())
    assert share("go") > share("boat") > share("zyzzyva") > 0


def test_counting_is_by_passage_and_drops_what_is_there_once():
    filler = " ".join(["the"] * 23)
    passages, having = counted([f"lamp lamp {filler}", f"lamp door {filler}"])
    assert passages == 2
    assert having == {"lamp": 2, "door": 1}
    text = written(passages, having)
    assert text.splitlines()[1:] == ["2", "2 lamp"]
