"""A whole playthrough in a terminal, key by key; Ctrl-C, Ctrl-D, pastes; and coming back."""

import subprocess
import sys
import time

import pytest
from pseudo_terminal import PROMPT, Terminal

from storykeeper.ledger.address import parse
from storykeeper.play.narrate import ABOUT
from strategies.runs import kept, said, script, shown
from strategies.sizes import LONG, first
from strategies.worlds import EXAMPLE

STATUS = " of 3,300 tokens"


def playing(folder, *options: str, run: str = "run.db") -> Terminal:
    return Terminal("play", str(EXAMPLE), "--run", run, *options, folder=folder)


def run_of(folder, run: str = "run.db"):
    """The run as it is on disk, opened to look at, and found to be whole."""
    keeper = kept(folder / run, read_only=True)
    assert keeper.ledger.verify(parse(run).run).good
    keeper.replay()
    return keeper


def test_a_playthrough(tmp_path):
    lines = script("lit")
    with playing(tmp_path) as terminal:
        opening = terminal.prompt()
        assert "The causeway is a mile and a quarter" in opening
        assert "turn 0 · The stones · the causeway · Tobit · pull " in opening
        assert "No model is set" in opening

        assert "/window            what the narrator was given" in terminal.type("/help")
        for line in lines[:3]:
            told = terminal.type(line)
            assert "You" in told
            assert STATUS in told
        assert "oats" in told
        assert "is not understood. You could:" in terminal.type("asdf")
        assert "You could:" in terminal.type("?")
        assert "You have the brass key" in terminal.type("i")

        assert "# Voice" in terminal.type("/window")
        assert "of 3300 tokens" in terminal.type("/why")
        assert "relevance" in terminal.type("/why pell")
        assert "nothing called xyz was considered" in terminal.type("/why xyz")
        assert "turn-committed" in terminal.type("/log 90")
        assert len(terminal.type("/log 3").splitlines()) == 5
        assert "run.db" in terminal.type("/save")
        assert "there is no /dance" in terminal.type("/dance")
        assert "say what to call it" in terminal.type("/fork")
        assert "--run run.db@what-if" in terminal.type("/fork what-if")
        assert "cannot name a run" in terminal.type("/fork Not A Name")
        assert "one way of telling" in terminal.type("/swipe")

        assert "You wait." in terminal.type("I wait.")
        undone = terminal.type("/undo")
        assert "taken back" in undone
        assert "The oats are cold" in undone
        assert "turn 3 ·" in undone

        for line in lines[3:]:
            told = terminal.type(line)
        assert "The story is told." in told
        terminal.keys("/quit\r")
        assert "kept in run.db" in terminal.left()[1]
        assert terminal.left()[0] == 0
    with run_of(tmp_path) as keeper:
        assert said(keeper) == [*lines[:3], "I wait.", *lines[3:]]
        assert keeper.world().scene == "lit"
    with run_of(tmp_path, "run.db@what-if") as keeper:
        assert said(keeper) == lines[:3]


@pytest.mark.long
def test_coming_back(tmp_path):
    with playing(tmp_path) as terminal:
        terminal.prompt()
        terminal.type("I go on to Harrow.")
        terminal.type("/fork what-if")
        told = terminal.type("I ask Pell about the blue plate.")
        terminal.keys("\x04")  # Ctrl-D
        code, last = terminal.left(again="\x04")
        assert (code, "kept in run.db" in last) == (0, True)
    with playing(tmp_path) as terminal:
        back = terminal.prompt()
        assert "turn 2: I ask Pell about the blue plate." in back
        assert "Before there was oil" in told
        assert "Before there was oil" in back
        assert "turn 2 · The coal · the sand in the story" in back
        assert "is fact already; /undo" in terminal.type("/swipe")
        assert "# Voice" in terminal.type("/window")
        terminal.keys("\x1b[A")  # the line before is in the history
        terminal.keys("\x1b[A")
        terminal.keys("\x1b[A\r")
        terminal.until("I ask Pell")
        terminal.prompt()
        undone = terminal.type("/undo")
        assert "You ask Pell about the blue plate." in undone
        undone = terminal.type("/undo")  # a turn that is fact: retracted
        assert "You cross the shingle" in undone
        assert "turn 1 · The only open door · the kitchen" in undone
        undone = terminal.type("/undo")
        assert "The causeway is a mile" in undone
        assert "nothing has been said yet" in terminal.type("/undo")
        terminal.type("I go on to Harrow.")
        terminal.keys("/quit\r")
        assert terminal.left()[0] == 0
    with playing(tmp_path, run="run.db@what-if") as terminal:
        assert "You cross the shingle" in terminal.prompt()
        terminal.type("I go to the landing.")
        terminal.keys("/q\r")
        assert terminal.left()[0] == 0
    with run_of(tmp_path) as keeper:
        assert [h.text for h in keeper.history()] == ["", "I go on to Harrow."]
    with run_of(tmp_path, "run.db@what-if") as keeper:
        assert [h.text for h in keeper.history()][1:] == [
            "I go on to Harrow.",
            "I go to the landing.",
        ]


@pytest.mark.long
def test_ctrl_c_at_the_prompt(tmp_path):
    with playing(tmp_path) as terminal:
        terminal.prompt()
        terminal.type("I go on to Harrow.")
        terminal.keys("I am in the middle of a li")
        terminal.until("of a li")
        terminal.keys("\x03")
        code, last = terminal.left(again="\x03")
    assert code == 130
    assert "stopped; kept in run.db" in last
    assert "Traceback" not in last
    with run_of(tmp_path) as keeper:
        assert keeper.world().now == 1
        assert said(keeper) == ["I go on to Harrow."]


@pytest.mark.parametrize("after_ms", first(1, [6, 0, 15, *(range(1, 40) if LONG else ())]))
def test_ctrl_c_in_the_middle_of_a_turn(tmp_path, after_ms):
    with playing(tmp_path) as terminal:
        terminal.prompt()
        terminal.type("I go on to Harrow.")
        terminal.keys("I ask Mara about the brass key.\r")
        time.sleep(after_ms / 1000)
        terminal.interrupt()
        code, last = terminal.left(again="\x03")
    assert code == 130
    assert "stopped; kept in run.db" in last
    assert "Traceback" not in last
    with run_of(tmp_path) as keeper:
        lines = said(keeper)
        assert lines[0] == "I go on to Harrow."
        assert len(shown(keeper)) >= len(lines)  # at most the last line is without its prose
        last = shown(keeper)[-1]
    with playing(tmp_path) as terminal:
        back = terminal.prompt()
        assert f"turn {len(lines)}: {lines[-1]}" in back
        assert last[:40] in back or len(shown(keeper)) == len(lines)  # or it is told only now
        terminal.type("I wait.")
        terminal.keys("\x04")
        assert terminal.left(again="\x04")[0] == 0
    run_of(tmp_path).close()


@pytest.mark.parametrize("bracketed", first(1, [True, False]))
def test_a_paste_is_one_turn(tmp_path, bracketed):
    pasted = "\n".join(f"I wait, and count {number}." for number in range(50))
    with playing(tmp_path) as terminal:
        terminal.prompt()
        terminal.paste(f"I wait.\n{pasted}", bracketed=bracketed)
        if bracketed:
            time.sleep(0.5)
            terminal.keys("\r")
        terminal.until("says Orme")
        terminal.prompt()
        terminal.paste("/quit\nand other words\n", bracketed=False)
        terminal.until("a command stands alone")
        terminal.prompt()
        assert "says nothing to that" in terminal.type("I say /quit to her. I wait.")
        terminal.type("//quit is what I say. I wait.")
        terminal.keys("\x04")
        assert terminal.left(again="\x04")[0] == 0
    with run_of(tmp_path) as keeper:
        first, *rest = said(keeper)
        assert first == f"I wait.\n{pasted}"
        assert rest == ["I say /quit to her. I wait.", "/quit is what I say. I wait."]


@pytest.mark.long
def test_what_is_typed_ahead_stays_line_by_line(tmp_path):
    with playing(tmp_path) as terminal:
        terminal.keys("I wait.\rI wait.\r/quit\r")  # before there is a prompt
        assert terminal.left()[0] == 0
    with run_of(tmp_path) as keeper:
        assert said(keeper) == ["I wait.", "I wait."]


def test_a_paste_that_is_too_long_is_refused_and_nothing_lost(tmp_path):
    with playing(tmp_path) as terminal:
        terminal.prompt()
        terminal.paste("I wait and wait.\n" * 10_000, bracketed=False)
        terminal.until("the limit is 65,536; split it up")
        terminal.prompt()
        assert "says Orme" in terminal.type("I wait.")
        terminal.keys("\x04")
        assert terminal.left(again="\x04")[0] == 0
    with run_of(tmp_path) as keeper:
        assert said(keeper) == ["I wait."]


def test_plain(tmp_path):
    with playing(tmp_path, "--plain") as terminal:
        opening = terminal.prompt()
        assert f"[{ABOUT}]" in opening.replace("\n", "")
        told = terminal.type("I wait.")
        assert STATUS not in opening + told
        assert b"\x1b[2" not in terminal.bytes  # no colours
        terminal.keys("\x04")
        terminal.left(again="\x04")


def test_no_status_when_piped(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "storykeeper", "play", str(EXAMPLE), "--run", "run.db"],
        input="I wait.", capture_output=True, text=True, cwd=tmp_path, check=True,
    )  # fmt: skip
    assert '> I wait.\n\n"No," says Orme' in done.stdout
    assert STATUS not in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
    assert PROMPT not in done.stdout.removesuffix(PROMPT).split("> I wait.")[1]
