"""Reading LitBank's files, on a little book of our own."""

from __future__ import annotations

import pytest

from storykeeper.bench.mentions.baselines import string_match, string_match_pronouns
from storykeeper.bench.mentions.litbank import NoLitBank, books, parsed
from storykeeper.language.parser import pipeline

WORDS = ["Mara", "'s", "brother", "slept", ".", "He", "snored", "in", "the", "old", "barn", "."]
MARKS = ["(1)|(2", "", "2)", "", "", "(2)", "", "", "(3", "", "3)", ""]
NOTES = """MENTION	T0	0	0	0	0	Mara	PER	PROP
MENTION	T1	0	0	0	2	Mara 's brother	PER	NOM
MENTION	T2	1	0	1	0	He	PER	PRON
MENTION	T3	1	3	1	5	the old barn	FAC	NOM
COREF	T1	brother-2
"""


@pytest.fixture
def data(tmp_path):
    conll = tmp_path / "litbank" / "coref" / "conll"
    notes = tmp_path / "litbank" / "coref" / "tsv"
    conll.mkdir(parents=True)
    notes.mkdir()
    lines = ["#begin document (barn_brat); part 0"]
    for at, (word, mark) in enumerate(zip(WORDS, MARKS, strict=True)):
        lines.append("\t".join(["barn_brat", "0", str(at), word, *"________", mark]))
        lines += [""] if word == "." else []
    (conll / "barn_brat.conll").write_text("\n".join([*lines, "#end document"]))
    (notes / "barn_brat.ann").write_text(NOTES)
    return tmp_path


def test_words_sentences_and_nested_mentions(data):
    (book,) = books(data)
    assert book.words == tuple(WORDS)
    assert book.starts == (0, 5)
    assert book.gold == [
        frozenset({(0, 1)}),
        frozenset({(0, 3), (5, 6)}),
        frozenset({(8, 11)}),
    ]
    assert book.pronouns == {(5, 6)}
    assert {m.category for m in book.marked if m.cluster == 3} == {"FAC"}


def test_the_folder_itself_will_do(data):
    assert books(data / "litbank") == books(data)


def test_a_mention_that_closes_where_another_of_its_cluster_stands(data):
    path = next(data.rglob("*.conll"))
    text = path.read_text().replace("(1)|(2", "(2)|(2")
    path.write_text(text)
    (book,) = books(data)
    assert frozenset({(0, 1), (0, 3), (5, 6)}) in book.gold


def test_print_has_no_space_before_a_full_stop(data):
    (book,) = books(data)
    assert (
        parsed(book, pipeline()).text.strip() == "Mara's brother slept. He snored in the old barn."
    )


def test_missing_data_is_said_clearly(tmp_path):
    with pytest.raises(NoLitBank, match="--data"):
        books(None)
    with pytest.raises(NoLitBank, match="litbank/coref/conll"):
        books(tmp_path)


def test_missing_notes_are_said_clearly(data):
    next(data.rglob("*.ann")).unlink()
    with pytest.raises(NoLitBank, match=r"barn_brat\.ann"):
        books(data)


def test_string_match_joins_the_same_words():
    doc = pipeline()("The old barn burned. Mara saw the old barn, and she wept.")
    found = string_match(doc)
    assert frozenset({(0, 3), (7, 10)}) in found
    assert frozenset({(12, 13)}) in found


def test_the_second_baseline_puts_a_pronoun_with_what_fits():
    doc = pipeline()("Mrs. Hale met the boys. She fed them.")
    found = string_match_pronouns(doc)
    assert frozenset({(0, 2), (6, 7)}) in found
    assert frozenset({(3, 5), (8, 9)}) in found
