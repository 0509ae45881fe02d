"""`storykeeper canon`: add, list, check, pin, as one types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from storykeeper.errors import (
    CanonInvalid,
    ComplianceRefused,
    SourceChanged,
    SourceMissing,
    SourceUnreadable,
)
from strategies.pdfs import encrypted, pdf

runner = CliRunner()


def run(*words: object):
    result = runner.invoke(app, ["canon", *map(str, words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_from_a_file_to_passages_and_to_a_new_version(tmp_path: Path):
    base, file = tmp_path / "canon_neutral", tmp_path / "Field Manual.md"
    file.write_text("# Crossing\n\nNever cross alone.\n\nCross at dawn.\n")
    said = run("add", base, file, "--kind", "doctrine", "--trust", "0.9", "--licence", "CC0-1.0")
    assert "field-manual@1: Field Manual.md, a draft" in said.stdout
    assert "draft" in run("list", base).stdout
    assert "0 sources in use, 0 passages" in run("check", base).stdout
    assert "field-manual@1: pinned" in run("pin", base, "field-manual").stdout
    assert "1 source in use, 2 passages; 2 new, 0 retired" in run("check", base).stdout
    assert "0 new" in run("check", tmp_path, "--mode", "neutral").stdout
    (base / "Field Manual.md").write_text("# Crossing\n\nCross in pairs.\n")
    changed = run("check", base)
    assert changed.exit_code == 1
    assert "is not what was pinned as 1" in changed.stdout
    with pytest.raises(SourceChanged, match="--version NEW"):
        run("pin", base, "field-manual")
    run("pin", base, "field-manual", "--version", "2")
    done = json.loads(run("check", base, "--json").stdout)
    assert done == {
        "ok": True, "sources": ["field-manual@2"], "passages": 1, "added": 1, "retired": 2,
    }  # fmt: skip
    listed = json.loads(run("list", base, "--json").stdout)
    assert [each["version"] for each in listed["sources"]] == ["1", "2"]


def test_what_cannot_be_added(tmp_path: Path):
    with pytest.raises(SourceMissing, match="there is no file"):
        run("add", tmp_path / "b", tmp_path / "none.md")
    with pytest.raises(CanonInvalid, match="begins a knowledge base"):
        run("list", tmp_path / "b")
    (tmp_path / "a.md").write_text("Words.")
    with pytest.raises(CanonInvalid, match="`No Id` is not an id"):
        run("add", tmp_path / "b", tmp_path / "a.md", "--id", "No Id")
    assert not (tmp_path / "b" / "registry.yaml").exists()
    assert not list((tmp_path / "b").iterdir())  # nor is a copy of it left


def test_what_was_refused_can_be_mended_and_added(tmp_path: Path):
    base, file = tmp_path / "b", tmp_path / "scan.pdf"
    for bad, why in ((pdf([]), "no text in its 1 page,"), (encrypted(pdf(["x"])), "encrypted")):
        file.write_bytes(bad)
        with pytest.raises(SourceUnreadable, match=why):
            run("add", base, file, "--pin")
        assert not (base / "scan.pdf").exists()
    file.write_bytes(pdf(["The tide runs in at four."]))
    assert "scan@1: scan.pdf, pinned" in run("add", base, file, "--pin").stdout
    with pytest.raises(CanonInvalid, match="is in"):  # what was there before stays
        run("add", base, base / "scan.pdf")
    assert (base / "scan.pdf").exists()


def test_what_is_private_is_not_copied_elsewhere(tmp_path: Path):
    private, neutral = tmp_path / "private", tmp_path / "canon_neutral"
    private.mkdir()
    (private / "a.md").write_text("The tide runs in at four.")
    with pytest.raises(ComplianceRefused, match="what is private stays"):
        run("add", neutral, private / "a.md")
    assert not list(neutral.iterdir())
    (neutral / "b.md").symlink_to(private / "a.md")
    with pytest.raises(ComplianceRefused, match="what is private stays"):
        run("add", neutral, neutral / "b.md")
    assert "a@1: a.md, a draft" in run("add", private, private / "a.md").stdout
    copy = tmp_path / "other" / "private"
    assert "a@1: a.md, a draft" in run("add", copy, private / "a.md").stdout
