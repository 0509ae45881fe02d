"""`storykeeper field` and `chronicle`, as one types them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.canon.turn_log import read_log
from storykeeper.cli.field_commands import typed_action
from storykeeper.cli.main import app
from storykeeper.errors import CanonInvalid, ComplianceRefused, UnknownPerson
from storykeeper.field import Field

ROOT = Path(__file__).parents[3] / "examples" / "the-salt-ford"
runner = CliRunner()


def run(*words: object, typed: str = ""):
    result = runner.invoke(app, [str(each) for each in words], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ford") / "the-salt-ford"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".library"))
    return folder


def test_a_brief_is_shown(ford: Path):
    assert "You are Oda, of the ferry." in run("field", "brief", ford, "oda")
    data = json.loads(run("field", "brief", ford, "oda", "--json", "--tokens", "600"))
    assert data["tokens"] <= data["budget"] == 600
    with pytest.raises(UnknownPerson, match="nobody called 'x' acts on this field; there are bram"):
        run("field", "brief", ford, "x")


def test_a_run_is_played_logged_and_written_up(ford: Path, tmp_path: Path):
    log = tmp_path / "run.jsonl"
    said = run(
        "field",
        "run",
        ford,
        "--turns",
        "2",
        "--log",
        log,
        "--as",
        "ines",
        typed='fly\nreport lil\ncall "Who is there?"\ngo 3,x\ngo nan,inf\ngo 1,1\n',
    )
    assert "'fly' cannot be done now; there is hold" in said
    assert "'3,x' is no point" in said
    assert "'nan,inf' is no point" in said
    assert "2 turns of 6" in said
    read = read_log(log)
    mine = [each.action for each in read.played if each.who == "ines"]
    assert [(each.verb, each.words) for each in mine] == [("call", "Who is there?"), ("go", "")]
    assert len(read.played) == 12
    assert read.head.sources == tuple(sorted(read.head.sources))
    assert read.world is not None
    assert read.world.turn == 3
    told = run("chronicle", log)
    assert "Ines calls out. “Who is there?”" in told
    assert "t1-ines" in told
    assert "Lil" not in run("chronicle", log, "--for", "tomas").partition("—")[0]
    with pytest.raises(CanonInvalid, match="is there already"):
        run("field", "run", ford, "--log", log)
    copy = tmp_path / "copy.jsonl"
    run("field", "share", log, copy)
    assert copy.read_bytes() == log.read_bytes()


def test_who_acts_for_one_is_not_told_what_the_others_do(ford: Path):
    said = run("field", "run", ford, "--turns", "1", "--as", "ines", typed="hold\n")
    after = said.rpartition("ines, turn 1")[2]
    assert "ines       hold" in after
    assert not re.search(r"marek|oda|tomas|lil|bram", after, re.IGNORECASE)


def test_what_was_played_is_kept_when_it_is_broken_off(ford: Path, tmp_path: Path):
    log = tmp_path / "run.jsonl"
    run("field", "run", ford, "--turns", 9, "--log", log, "--as", "ines", typed="hold\n" * 2)
    read = read_log(log)
    assert read.world is not None
    assert (read.world.turn, len(read.played)) == (3, 12)


@pytest.mark.long
def test_a_private_run_is_not_given_out(ford: Path, tmp_path: Path):
    shutil.copytree(ford / "canon_neutral", ford / "private")
    registry = ford / "private" / "registry.yaml"
    terms = "compliance: {non_commercial: true, distribution: local_only}\n"
    registry.write_text(terms + registry.read_text())
    log = tmp_path / "fan.jsonl"
    run("field", "run", ford, "--turns", "1", "--mode", "fan", "--log", log)
    with pytest.raises(ComplianceRefused, match="holds what may not leave this machine"):
        run("field", "share", log, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(ComplianceRefused, match=r"and api\.example\.com is another"):
        run("chronicle", log, "--model", "https://api.example.com/v1")
    with pytest.raises(ComplianceRefused, match="may not leave this machine"):
        Field.open(ford, mode="fan", embedder="https://embed.example.com/v1")
    assert "paragraph" in run("chronicle", log, "--model", "http://127.0.0.1:9/v1", "--json")


def test_bad_logs(tmp_path: Path):
    with pytest.raises(CanonInvalid, match="there is no log"):
        read_log(tmp_path / "none")
    path = tmp_path / "x.jsonl"
    path.write_text('{"played": 3}\n')
    with pytest.raises(CanonInvalid, match="line 1"):
        read_log(path)
    path.write_text("{}\n")
    with pytest.raises(CanonInvalid, match="line 1: a log begins with its head"):
        read_log(path)


def test_what_is_typed_must_be_possible(ford: Path):
    from storykeeper.field import Field

    with Field.open(ford) as field:
        brief = field.brief("ines").brief
    with pytest.raises(CanonInvalid, match="search can be done to"):
        typed_action(brief, "search tomas")
    assert typed_action(brief, "go -4,8.5").to is not None
