"""Token counts: exact where installed, an estimate that errs on the safe side elsewhere."""

from __future__ import annotations

import builtins
import subprocess
import sys
from importlib.resources import files

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from rs_bpe.bpe import openai

from storykeeper.bench.lexicon_fit.chi import pieces
from storykeeper.language import tokens
from strategies.tables import table

SAMPLES: dict[str, list[str]] = yaml.safe_load(
    files("storykeeper.bench.lexicon_fit").joinpath("samples.yaml").read_text("utf-8")
)


def test_exact_counts_are_those_of_the_encoding():
    assert tokens.counter("o200k")("hello there") == 2
    assert tokens.counter("o200k")("") == 0
    assert tokens.counter("cl100k")("<|endoftext|>") == 7  # text, never a control token


_ODD = (
    "\n", "\n\n", "\r\n", " ", "\t", "/", "!", "”", "a", "Bc", "it's", "1234", "é", "灯", "\u2028",
)  # fmt: skip


@pytest.mark.parametrize("encoding", ["o200k", "cl100k"])
@given(text=st.text() | st.lists(st.sampled_from(_ODD)).map("".join))
def test_lines_add_up_to_the_text(encoding: str, text: str):
    whole = getattr(openai, f"{encoding}_base")().count
    assert tokens.counter(encoding)(text) == whole(text)


def test_a_slash_belongs_to_the_line_before():
    """The one sign that such a token takes over the end of a line."""
    whole = openai.o200k_base().count
    assert whole(".\n/") == 1 < whole(".\n") + whole("/")
    assert tokens.counter("o200k")(".\n/") == 1


def test_an_encoding_that_is_not_installed_is_estimated(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.startswith("rs_bpe"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    tokens.counter.cache_clear()
    try:
        assert tokens.counter("o200k") is tokens.estimate
    finally:
        monkeypatch.undo()
        tokens.counter.cache_clear()


def test_published_ratios_where_they_are_the_larger():
    """The seed's χ is a floor under the count: 4 characters a token, 1.6 in CJK."""
    assert tokens.estimate("") == 0
    assert tokens.estimate("a" * 400) >= 100
    assert tokens.estimate("灯" * 160) >= 100
    assert tokens.estimate("ж" * 250) >= 100


GERMAN = """Der Wärter stieg die hundertvierzig Stufen hinauf, langsam, weil das Öl schwer war
und weil er wusste, dass oben niemand wartete. Am Fenster stand noch die Tasse von gestern."""
FRENCH = """Elle n’avait jamais aimé la mer, disait-elle ; elle l’avait seulement regardée chaque
jour pendant trente ans, comme on regarde une horloge."""
SPANISH = "Nunca le había gustado el mar; sólo lo había mirado cada día, como quien mira un reloj."


@pytest.mark.parametrize("text", [GERMAN, FRENCH, SPANISH])
def test_an_accent_makes_a_text_dearer(text: str):
    assert tokens.estimate(text) >= tokens.counter("o200k")(text)
    assert tokens.estimate(text) <= 2.5 * tokens.counter("o200k")(text)


def test_scripts_are_counted_run_by_run():
    mixed = "the lamp маяк"
    parts = tokens.estimate("the lamp ") + tokens.estimate("маяк")
    assert tokens.estimate(mixed) <= parts
    assert tokens.estimate(mixed) >= parts - 1


@table("script", SAMPLES)
def test_the_estimate_is_seldom_too_low(script: str):
    """Nine pieces in ten, in every script, for both encodings; and not absurdly high."""
    for encoding in ("o200k", "cl100k"):
        exact = tokens.counter(encoding)
        cut = [p for s in SAMPLES[script] for p in pieces(s)]
        low = sum(tokens.estimate(p) < exact(p) for p in cut)
        assert low <= 0.1 * len(cut) + 1, (script, encoding, low, len(cut))
        assert sum(map(tokens.estimate, cut)) <= 4 * sum(map(exact, cut))


def test_the_committed_table_is_what_the_command_writes():
    written = subprocess.run(
        [sys.executable, "-m", "storykeeper.bench.lexicon_fit.chi"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    committed = files("storykeeper.language").joinpath("chi.py").read_text("utf-8")
    assert written == committed


@given(st.text(max_size=300), st.text(max_size=300))
def test_longer_never_costs_less(a: str, b: str):
    assert tokens.estimate(a + b) >= max(tokens.estimate(a), tokens.estimate(b))
