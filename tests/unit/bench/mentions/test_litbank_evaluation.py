"""The benchmark on little books of our own: its keys, and that no book is read by its own model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storykeeper.bench.mentions import evaluation, fitting
from storykeeper.bench.mentions.litbank import NoLitBank
from storykeeper.bench.registry import Setup

NAMES = ("Mara", "Elena", "Clara", "Anna", "Edith", "Rose")
KEYS = {"mention_f1", "coref", "pronoun_accuracy", "books"}


def write_book(folder, name):
    sentences = ("met the old captain .", "She greeted him .", "He sat .")
    words = [name, *" ".join(sentences).split()]
    marks = ["(0)", "", "(1", "", "1)", "", "(0)", "", "(1)", "", "(1)", "", ""]
    lines, sentence, at, notes = [], 0, 0, []
    for place, (word, mark) in enumerate(zip(words, marks, strict=True)):
        lines.append("\t".join([name, "0", str(at), word, *"________", mark]))
        if mark.startswith("("):
            reach = 2 if mark == "(1" else 0
            kind = "PRON" if word in ("She", "him", "He") else "NOM"
            notes.append(
                f"MENTION\tT{place}\t{sentence}\t{at}\t{sentence}\t{at + reach}\tx\tPER\t{kind}"
            )
        at += 1
        if word == ".":
            lines.append("")
            sentence, at = sentence + 1, 0
    (folder / "conll" / f"{name}.conll").write_text("\n".join(lines))
    (folder / "tsv" / f"{name}.ann").write_text("\n".join(notes))


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "litbank" / "coref"
    (folder / "conll").mkdir(parents=True)
    (folder / "tsv").mkdir()
    for name in NAMES:
        write_book(folder, name)
    return tmp_path


def test_the_shipped_model_beside_the_baselines(data):
    said = []
    figures = evaluation.measure(Setup(say=said.append, data=data))
    assert set(figures) == {"fitted", "storykeeper", "string_match", "string_match_pronouns"}
    for system in ("storykeeper", "string_match", "string_match_pronouns"):
        assert set(figures[system]) >= KEYS
        assert set(figures[system]["coref"]) == {"avg_f1", "muc", "b3", "ceaf"}
        assert set(figures[system]["books"]) == set(NAMES)
    assert figures["string_match"]["mention_f1"] == 100
    assert "none of the 6 books" in figures["fitted"]


def test_a_book_it_was_fitted_on_is_a_training_set_figure(data, monkeypatch):
    known = replace(evaluation.shipped(), seen=("Mara",))
    monkeypatch.setattr(evaluation, "shipped", lambda: known)
    said = []
    evaluation.measure(Setup(say=said.append, data=data))
    assert any("TRAINING-SET" in line for line in said)


def test_fitting_leaves_out_what_is_measured(data, monkeypatch):
    for name in ("HEADS", "SPANS", "LINKS"):
        small = replace(getattr(fitting, name), hidden=(8, 8), rows=1 << 13, epochs=1)
        monkeypatch.setattr(fitting, name, small)
    read_by = {}

    def read(doc, model):
        read_by[doc[0].text] = model.seen
        return ()

    monkeypatch.setattr(evaluation, "read", read)
    figures = evaluation.measure(Setup(say=lambda line: None, data=data, fit=True))
    assert set(read_by) == set(NAMES)
    for name, seen in read_by.items():
        assert name not in seen
        assert len(seen) in (4, 5)
    assert "leave-books-out" in figures["fitted"]


def test_links_are_learned_on_books_the_finder_has_not_seen(data, monkeypatch):
    examples = fitting.examples_in(data)
    without = []

    class Finding:
        heads = spans = None

        def __init__(self, names):
            self.names = names

        def find(self, one, *, floor):
            without.append(one.book.name not in self.names)
            return []

    monkeypatch.setattr(fitting, "fit_finder", lambda rest: Finding({e.book.name for e in rest}))
    monkeypatch.setattr(fitting, "fit_choices", lambda *args, **kwargs: None)
    model = fitting.Fitting(examples).model(frozenset({1}))
    assert without
    assert all(without)
    assert len(model.seen) == 5


def test_without_data_it_says_so():
    with pytest.raises(NoLitBank, match="--data"):
        evaluation.measure(Setup(say=lambda line: None))
