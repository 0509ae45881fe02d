from pathlib import Path

import pytest

from storykeeper.ledger.address import parse


@pytest.mark.parametrize(
    ("text", "path", "run"),
    [
        ("run.db", "run.db", "main"),
        ("run.db@what-if", "run.db", "what-if"),
        ("plays/run.db@at-12", "plays/run.db", "at-12"),
        ("me@home/run.db", "me@home/run.db", "main"),
        ("me@home/run.db@what-if", "me@home/run.db", "what-if"),
        ("notes@home", "notes@home", "main"),  # no such file as notes, and it ends in no .db
        ("run.db@", "run.db@", "main"),
        ("run.db@What If", "run.db@What If", "main"),
        ("@what-if", "@what-if", "main"),
    ],
)
def test_addresses(text, path, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = parse(text)
    assert (found.place, found.run) == (Path(path), run)
    assert found.named == (run != "main")
    assert str(found) == text


def test_a_file_that_exists_decides(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("story").touch()
    assert parse("story@what-if").run == "what-if"
    Path("run.db@odd").touch()
    assert parse("run.db@odd").place == Path("run.db@odd")
    assert parse("run.db@main").named
