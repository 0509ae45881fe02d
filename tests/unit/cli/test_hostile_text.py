"""Text that a terminal would obey: escapes, bells, turned letters, links. No command prints it."""

import io
import json
import re

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from storykeeper import Memory
from storykeeper.bootstrap import open_ledger
from storykeeper.cli.main import app
from storykeeper.cli.page import Page
from storykeeper.cli.say import say, say_json, visible
from storykeeper.errors import StorykeeperError
from storykeeper.units import MAIN
from strategies.ledgers import tampering
from strategies.runs import kept
from strategies.small import FILES
from strategies.tables import table

TURNED = "\u202egnp.exe\u202c"
EVIL = f"\x1b]0;owned\x07 red\x1b[31m {TURNED} \x9b2J \u2066x\u2069 \u2028forged line"
# What must not come out, whoever asks: C0 but tab and line end, DEL, C1, bidi, separators.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run whose player and narrator both wrote what they should not."""
    path = tmp_path_factory.mktemp("hostile") / "run.db"
    with kept(path) as keeper:
        for _ in range(2):
            turn = keeper.begin(f"I say “{TURNED}” to Tobit")
            keeper.render(turn, f"Tobit reads {EVIL} aloud. [Click](http://evil.example/x)")
    return path


COMMANDS = (
    ("window",), ("window", "--json"), ("why",), ("why", "--json"), ("here",), ("here", "--json"),
    ("knows", "RUN", "tobit"), ("knows", "RUN", "tobit", "--json"), ("entities",),
    ("entities", "--json"), ("recall", "RUN", "what did Tobit read"),
    ("recall", "RUN", "what did Tobit read", "--json"), ("landscape",), ("landscape", "--json"),
    ("log",), ("log", "--records"), ("log", "--json"), ("runs",), ("verify",), ("verify", "--json"),
)  # fmt: skip


@table("command", COMMANDS)
def test_no_command_prints_what_a_terminal_obeys(run, command):
    arguments = [str(run) if each == "RUN" else each for each in command]
    if "RUN" not in command:
        arguments.insert(1, str(run))
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert done.output.strip()
    found = OBEYED.search(done.output)
    assert found is None, f"U+{ord(found[0]):04X} in {done.output[found.start() - 40 :][:80]!r}"


def test_the_text_is_there_all_the_same(run):
    """So that the test above can fail: what was written is shown, with marks in place of it."""
    shown = CliRunner().invoke(app, ["log", str(run), "--records"]).output
    assert "]0;owned" in shown
    assert "�" in shown
    logged = CliRunner().invoke(app, ["log", str(run), "--kind", "rendered", "--json"]).output
    assert TURNED in json.loads(logged.splitlines()[0])["record"]["prose"]  # a program gets it all


def test_a_memory_shows_nothing_either(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        memory.add(f"The lamp {EVIL} is lit", speaker=f"Ana{TURNED}", session="evening")
    for command in ("search", "prompt", "list", "show"):
        more = ["lamp"] if command in ("search", "prompt") else []
        for options in ([], ["--json"]):
            arguments = ["memory", command, str(tmp_path / "chat.db"), *more, *options]
            done = CliRunner().invoke(app, arguments)
            assert OBEYED.search(done.output) is None, (command, done.output)


@table("name", ["be\x1b[2Jll.yaml", "\x07.yaml", f"{TURNED}.yaml", "a\nstory.yaml: fine.yaml"])
def test_check_shows_the_names_of_files_safely(tmp_path, name):
    (tmp_path / "scenes").mkdir(exist_ok=True)
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    (tmp_path / name).write_text(f"zz: [\x1b[31m{EVIL}\n")
    done = CliRunner().invoke(app, ["check", str(tmp_path)])
    (tmp_path / name).unlink()
    assert done.exit_code == 1
    assert OBEYED.search(done.output) is None
    assert not any(line.startswith("story.yaml: fine") for line in done.output.splitlines())


def test_refusals_are_shown_safely(capsys, monkeypatch):
    from storykeeper.cli import main

    def refused() -> None:
        raise StorykeeperError(f"there is no {EVIL}")

    monkeypatch.setattr(main, "app", refused)
    with pytest.raises(SystemExit):
        main.run()
    assert OBEYED.search(capsys.readouterr().err) is None


def test_a_link_in_prose_is_text():
    """A terminal would follow it without showing where to."""
    page, out = Page(), io.StringIO()
    page._console = Console(file=out, force_terminal=True, width=80)
    page.prose("Go [home](http://evil.example/x), see ![pic](http://evil.example/y).")
    assert "\x1b]8" not in out.getvalue()
    assert "http://evil.example/x" in out.getvalue()


def test_letters_of_languages_that_are_written_from_the_right_stay():
    hebrew = "שלום\u200f, a family \U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert visible(hebrew) == hebrew
    assert visible("one\ttwo\nthree") == "one\ttwo\nthree"


def test_json_says_the_same_in_other_letters(capsys):
    value = {"text": f"{EVIL} \U000e0041 é \x85"}
    say_json(value)
    out = capsys.readouterr().out
    assert OBEYED.search(out) is None
    assert json.loads(out) == value


def test_colours_of_ours_stay_and_nothing_else(monkeypatch):
    printed = []
    monkeypatch.setattr(typer, "echo", lambda text, **_: printed.append(text))
    for coloured in (True, False):
        say("\x1b[1;31mred\x1b[0m \x1b]0;owned\x07 \x1b[2J", coloured=coloured)
    assert printed == ["\x1b[1;31mred\x1b[0m �]0;owned� �[2J", "�[1;31mred�[0m �]0;owned� �[2J"]


def test_a_forged_name_of_a_run_is_shown_safely(run, tmp_path):
    path = tmp_path / "named.db"
    path.write_bytes(run.read_bytes())
    with tampering(path) as raw:
        raw.execute("UPDATE runs SET name = ?", (f"ma{EVIL}in",))
    for command in ("runs", "verify", "log"):
        done = CliRunner().invoke(app, [command, str(path)])
        assert OBEYED.search(done.output) is None
    with open_ledger(run, read_only=True) as ledger:
        assert ledger.verify(MAIN).good
