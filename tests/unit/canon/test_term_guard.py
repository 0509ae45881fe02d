"""Banned terms: whole words, inflected, with exceptions and replacements; a command, a hook."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.canon.term_guard import BannedTerm, TermGuard, inflections
from storykeeper.cli.main import app

LIST = """
terms:
  - {term: dragon lord, instead: hill king, except: [dragon lord of the almanac]}
  - {term: spice, instead: salt}
  - {term: Jedi}
"""
GUARD = TermGuard(
    [
        BannedTerm(
            term="dragon lord", instead="hill king", except_=("dragon lord of the almanac",)
        ),
        BannedTerm(term="spice", instead="salt"),
        BannedTerm(term="Jedi"),
    ]
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The dragon lord rode.", ["dragon lord"]),
        ("DRAGON-LORDS, two", ["DRAGON-LORDS"]),
        ("a dragon\nlord’s hat", ["dragon\nlord’s"]),
        ("spiced, spicing, spices and spice", ["spiced", "spicing", "spices", "spice"]),
        ("the dragon lord of the almanac, and a dragon lord", ["dragon lord"]),
        ("allspice, spiceless, Jedis'", ["Jedis'"]),
        ("dragonlord and a dragon of a lord", []),
    ],
)
def test_whole_words_are_found_inflected_but_for_exceptions(text: str, said: list[str]):
    assert [each.said for each in GUARD.found(text)] == said


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("The dragon lord's spice.", "The hill king's salt."),
        ("Dragon lords! SPICE!", "Hill kings! SALT!"),
        ("A Jedi.", "A Jedi."),
    ],
)
def test_what_has_a_replacement_is_replaced_in_its_form(text: str, now: str):
    assert GUARD.replaced(text) == now


def test_forms_of_words():
    assert {"tags", "tagged", "tagging"} <= inflections("tag")
    assert {"ladies"} <= inflections("lady")
    assert {"foxes"} <= inflections("fox")
    assert {"wolves", "wolfs"} <= inflections("wolf")


def run(*words: str):
    return CliRunner().invoke(app, ["terms", *words])


def test_the_command_says_where_and_writes_what_it_can(tmp_path: Path):
    (tmp_path / "terms.yaml").write_text(LIST, "utf-8")
    page = tmp_path / "page.md"
    page.write_text("Fine.\nA dragon lord and a Jedi.\n", "utf-8")
    (tmp_path / "picture.bin").write_bytes(b"\0Jedi")
    listed = ["--terms", str(tmp_path / "terms.yaml")]
    said = run(str(tmp_path), *listed)
    assert said.exit_code == 1
    assert "page.md:2:3: 'dragon lord' is banned (dragon lord); write 'hill king'" in said.output
    found = json.loads(run(str(page), *listed, "--json").output)["found"]
    assert [each["term"] for each in found] == ["dragon lord", "Jedi"]
    assert run(str(page), *listed, "--fix").exit_code == 1  # the Jedi is left
    assert page.read_text("utf-8") == "Fine.\nA hill king and a Jedi.\n"
    page.write_text("Fine.", "utf-8")
    assert run(str(page), *listed).exit_code == 0


def test_a_hook_reads_what_is_staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    Path("terms.yaml").write_text(LIST, "utf-8")
    Path("page.md").write_text("A Jedi.", "utf-8")
    subprocess.run(["git", "add", "."], check=True)
    Path("page.md").write_text("Nothing.", "utf-8")  # not staged
    said = run("--staged")
    assert said.exit_code == 1
    assert "page.md:1:3" in said.output
    assert "git add" not in said.output
    assert run("--staged", "--fix").exit_code == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [([], "name a file or a folder"), (["nowhere"], "there is no nowhere")],
)
def test_bad_input_is_refused(tmp_path: Path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    Path("terms.yaml").write_text(LIST, "utf-8")
    assert says in str(run(*words).exception)
    Path("terms.yaml").write_text("terms: [{word: x}]", "utf-8")
    assert "terms.yaml:1:9" in str(run("terms.yaml").exception)
