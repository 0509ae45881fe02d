"""Pieces of words, against values worked by hand and against the tokenizers library."""

from __future__ import annotations

import time
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from storykeeper.models.embedders.wordpiece import UNKNOWN, pieces, vocabulary, words

# Scripts, marks and pictures that the library's tables of characters know as well as ours.
CHARS = st.one_of(
    st.characters(min_codepoint=0, max_codepoint=0x24F),
    st.sampled_from(
        " \t\n\r\x00\x7f\x85\xa0\u200b\u2028\u3000\ufeff\ufffd\ue000-–—“”…'’.,!?$+<=>^`|~"
    ),
    st.characters(min_codepoint=0x391, max_codepoint=0x3C9, exclude_categories=("Cn",)),
    st.characters(min_codepoint=0x410, max_codepoint=0x44F),
    st.characters(min_codepoint=0x5D0, max_codepoint=0x5EA),
    st.characters(min_codepoint=0x627, max_codepoint=0x64A),
    st.characters(min_codepoint=0x905, max_codepoint=0x939),
    st.characters(min_codepoint=0x300, max_codepoint=0x36F),
    st.characters(min_codepoint=0x3041, max_codepoint=0x3096),
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5),
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
    st.characters(min_codepoint=0x1F600, max_codepoint=0x1F64F),
)
COMMON = [
    "lantern",
    "lanterns",
    "Harrow",
    "unbelievably",
    "don't",
    "x" * 100,
    "x" * 101,
    "İ",
    "ΟΔΟΣ",
]
TEXTS = st.lists(st.one_of(st.text(CHARS, max_size=12), st.sampled_from(COMMON))).map(" ".join)


@cache
def library() -> Tokenizer:
    model = WordPiece(dict(vocabulary()), unk_token="[UNK]", max_input_chars_per_word=100)
    made = Tokenizer(model)
    made.normalizer = BertNormalizer()
    made.pre_tokenizer = BertPreTokenizer()
    return made


@given(TEXTS)
def test_as_the_library_cuts(text):
    assert pieces(text) == library().encode(text).ids


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Snow on the lamp.", ["snow", "on", "the", "lamp", "."]),
        ("unbelievably", ["un", "##bel", "##ie", "##va", "##bly"]),
        ("Café, naïve", ["cafe", ",", "naive"]),
        ("don't", ["don", "'", "t"]),
        ("東京", ["東", "京"]),
        ("a\u200bb\x00c", ["abc"]),
        ("", []),
        (" \n\t\u3000", []),
        ("x" * 101, ["[UNK]"]),
    ],
)
def test_cut_by_hand(text, cut):
    assert pieces(text) == [vocabulary()[piece] for piece in cut]


def test_the_vocabulary_is_whole():
    assert len(vocabulary()) == 30_522
    assert (vocabulary()["[UNK]"], vocabulary()["[CLS]"], vocabulary()["[SEP]"]) == (100, 101, 102)
    assert list(vocabulary().values()) == list(range(30_522))


def test_a_half_of_a_character_is_nothing():
    assert words("a\ud800b") == ["ab"]


def test_a_word_without_end_is_unknown_and_quick():
    started = time.process_time()
    assert pieces("x" * 1_000_000) == [UNKNOWN]
    assert time.process_time() - started < 5
