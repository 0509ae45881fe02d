"""Every command: what it prints for people and for programs, and how it says no."""

import json
import shutil
import subprocess
import sys

import pytest
import typer.main
from typer.testing import CliRunner

from storykeeper.cli.main import app, run
from storykeeper.cli.say import visible
from strategies.runs import EVENING, go, kept
from strategies.worlds import EXAMPLE

COMMANDS = typer.main.get_command(app).commands


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of four turns, with a fork; nobody writes to it."""
    path = tmp_path_factory.mktemp("played") / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
        keeper.fork(at=1, name="what-if")
    return path


@pytest.fixture
def mine(played, tmp_path):
    """The same run, to be changed."""
    return shutil.copy(played, tmp_path / "mine.db")


def said(*arguments, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


def refused(capsys, monkeypatch, *arguments, code: int = 2) -> str:
    """What the program says when it cannot: one line, no traceback."""
    monkeypatch.setattr(sys, "argv", ["storykeeper", *map(str, arguments)])
    with pytest.raises(SystemExit) as leaving:
        run()
    assert leaving.value.code == code
    return capsys.readouterr().err


def data(*arguments, code: int = 0):
    return json.loads(said(*arguments, "--json", code=code))


# ── help ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    help_text = said(name, "--help")
    for parameter in COMMANDS[name].params:
        flag = parameter.param_type_name == "option" and parameter.is_flag
        assert flag or (parameter.metavar and parameter.metavar in help_text), parameter.name
        assert parameter.param_type_name == "argument" or parameter.opts[0] in help_text


def test_without_arguments_it_shows_what_there_is():
    shown = said()
    assert all(name in shown for name in COMMANDS)
    assert "Exit codes: 0 all is well" in shown
    assert shown == said("--help") == said("-h")


def test_version():
    assert said("--version").startswith("storykeeper 0.")


def test_playing_says_what_ctrl_c_does():
    assert "Ctrl-C stops a model that is telling; at the prompt it leaves" in " ".join(
        said("play", "--help").split()
    )


# ── for programs ─────────────────────────────────────────────────────────────────────────────


def test_window(played):
    made = data("window", played, "--for", "mara", "--budget", 900)
    assert made["audience"] == "mara"
    assert made["tokens"] <= 900
    made = data("window", played, "--input", "I knock twice.")
    assert "I knock twice." in made["text"]
    assert [m["role"] for m in made["messages"]] == ["system", "user"]
    assert made["receipt"]["shown"]
    plain = said("window", played)
    assert plain.startswith("# Voice")
    assert "── receipt ──" in plain


def test_why(played):
    assert data("why", played, 2)["turn"] == 2
    assert data("why", played, 3, "--against", 2)["against"]["turn"] == 2
    assert said("why", played).startswith("turn 3, for narrator: ")
    only = said("why", played, 2, "pell")
    assert all("pell" in line for line in only.splitlines() if line[0] in "+-")
    assert said("why", played, 2, "nosuch") == "nothing called nosuch was considered\n"
    assert said("why", played, 3, "--against", 2).startswith("turn 2 against turn 3\n+ ")


def test_knows(played):
    known = data("knows", played, "coyle")
    assert known["facts"]["key-in-the-oats"]["since"] == 3
    assert "key-in-the-oats" not in data("knows", played, "coyle", "--at", 2)["facts"]
    assert "knows key-in-the-oats (" in said("knows", played, "coyle")
    believed = "believes lit-all-night (told by Abel Rudd, turn 0, which is not so)"
    assert believed in said("knows", played, "mara")
    assert "key-in-the-oats" not in said("knows", played, "coyle", "--about", "pell")
    assert "perpetua-lost" in said("knows", played, "pell", "--thinks", "mara")
    assert "places Pell Rudd at the kitchen (seen, " in said("knows", played, "mara")


def test_who_knows_what_in_a_table(played):
    table = said("knows", played)
    assert "\nlit-all-night    bx  bx  ·   ·   ·" in table
    assert "K knows, b believes, s suspects; x: and it is not so" in table
    assert [each["who"] for each in data("knows", played)][:3] == ["coyle", "mara", "pell"]


def test_replay(played):
    done = data("replay", played)
    assert done["windows"] == 4
    assert said("replay", played) == f"{done['records']} records, 4 windows: all the same\n"
    assert data("replay", f"{played}@what-if")["windows"] == 2


def test_replay_after_an_erasure(mine):
    said("erase", mine, "--turn", 1, "--yes")
    done = data("replay", mine)
    assert done["erased"] > 0
    assert f"{done['erased']} showed text that was erased since" in said("replay", mine)
    said("verify", mine)


def test_log(played):
    lines = said("log", played, "--json", "--turn", "2").splitlines()
    assert {json.loads(line)["record"]["turn"] for line in lines} == {2}
    assert len(said("log", played, "--kind", "rendered").splitlines()) == 4


def test_runs(played):
    found = data("runs", played)
    assert [each["run"] for each in found["runs"]] == ["main", "what-if"]
    assert "  what-if: turn 1" in said("runs", played)


def test_verify(played):
    assert [each["good"] for each in data("verify", played)] == [True, True]
    assert len(data("verify", f"{played}@what-if")) == 1


def test_fork(mine):
    assert data("fork", mine, "--at", 2)["run"] == "at-2"
    assert "forked from main after turn 1" in said("fork", mine, "--at", 1, "--name", "other")


def test_check():
    assert data("check", EXAMPLE)["ok"] is True
    assert "15 scenes" in said("check", EXAMPLE) or "scenes" in said("check", EXAMPLE)


@pytest.mark.parametrize("of", ["story", "sections", "scene"])
def test_schema(of):
    assert json.loads(said("schema", of))["$schema"]


def test_there_and_back(played, tmp_path):
    said("export", played, "-o", tmp_path / "out.jsonl")
    said("import", tmp_path / "out.jsonl", tmp_path / "in.db")
    assert said("export", tmp_path / "in.db") == (tmp_path / "out.jsonl").read_text("utf-8")
    said("backup", played, tmp_path / "copy.db")
    assert data("replay", tmp_path / "copy.db") == data("replay", played)


# ── saying no ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["play", "{tmp}/nowhere"], "there is no folder"),
        (["play", "{story}", "--run", "/proc/run.db"], "/proc/run.db"),
        (["play", "{story}", "--run", "{story}/story.yaml"], "not a ledger, and left as it is"),
        (["play", "{story}", "--run", "{tmp}"], "a folder, not a ledger"),
        (["play", "{story}", "--run", "{tmp}/new.db@fork"], "so no fork in it"),
        (["play", "{story}", "--run", "{run}@nosuch"], "no run 'nosuch'"),
        (["play", "{story}", "--run", "{tmp}/b.db", "--budget", "50"], "allow at least"),
        (["window", "{run}", "--for", "ghost"], "nobody called 'ghost'"),
        (["window", "{run}", "--budget", "50"], "allow at least"),
        (["window", "{run}", "--input", "a\x07b"], "U+0007"),
        (["why", "{run}", "99"], "no window for turn 99"),
        (["why", "{run}", "1", "--against", "99"], "no window for turn 99"),
        (["knows", "{run}", "ghost"], "nobody called ghost"),
        (["knows", "{run}", "mara", "--at", "99"], "turn 99 is not fact"),
        (["replay", "{tmp}/nowhere.db"], "there is no run at"),
        (["log", "{tmp}/nowhere.db"], "no such file"),
        (["verify", "{story}/story.yaml"], "not a ledger"),
        (["fork", "{run}", "--at", "99"], "no turn 99"),
        (["fork", "{run}", "--at", "1", "--name", "No Name"], "cannot name a run"),
        (["erase", "{run}", "--turn", "99", "--yes"], "no turn 99"),
        (["export", "{run}", "-o", "/proc/out"], "cannot be made"),
        (["import", "{tmp}/nowhere.jsonl", "{tmp}/x.db"], "cannot be read"),
        (["backup", "{run}", "{run}"], "exists already"),
        (["check", "{tmp}/nowhere"], "there is no folder"),
        (["tour", "{tmp}/nowhere"], "there is no folder"),
    ],
)
def test_a_refusal_is_one_line(arguments, why, mine, tmp_path, capsys, monkeypatch):
    names = {"tmp": str(tmp_path), "story": str(EXAMPLE), "run": str(mine)}
    error = refused(capsys, monkeypatch, *(each.format(**names) for each in arguments))
    assert why in error
    assert error.startswith("storykeeper: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["nosuch"], ["play"], ["why", "x.db", "one"], ["play", "s", "--script", "/nowhere"],
     ["play", "s", "--budget", "0"], ["schema", "nosuch"], ["bench", "nosuch"]],
)  # fmt: skip
def test_a_wrong_word_is_named(arguments, capsys, monkeypatch):
    error = refused(capsys, monkeypatch, *arguments)
    assert "Error: " in error
    assert "Traceback" not in error


def test_another_story(mine, tmp_path, capsys, monkeypatch):
    shutil.copytree(EXAMPLE, tmp_path / "story")
    file = tmp_path / "story" / "story.yaml"
    file.write_text(file.read_text("utf-8").replace("id: the-lamp-at-harrow", "id: another"))
    error = refused(capsys, monkeypatch, "play", tmp_path / "story", "--run", mine)
    assert "follows the story 'the-lamp-at-harrow', not 'another'" in error


def test_a_fault_of_ours_is_one_line_too(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("storykeeper.cli.story_commands.read_story", lambda *_a, **_k: 1 / 0)
    error = refused(capsys, monkeypatch, "check", tmp_path)
    assert "this is a fault of storykeeper, not yours: ZeroDivisionError" in error
    assert "STORYKEEPER_TRACE=1" in error
    assert error.count("\n") == 1
    monkeypatch.setenv("STORYKEEPER_TRACE", "1")
    with pytest.raises(ZeroDivisionError):
        run()


def test_somebody_who_read_enough(played):
    command = f"{sys.executable} -m storykeeper log {played} | :; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_moves_the_cursor(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper)
        keeper.render(0, "\x1b[2JGone.\x07")
    assert "\x1b" not in said("log", tmp_path / "run.db")
    assert visible("a\x1bb\tc\nd") == "a�b\tc\nd"
