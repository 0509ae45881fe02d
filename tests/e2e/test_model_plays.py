"""A story told by a model behind real HTTP, in a terminal and from a script."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from pseudo_terminal import Terminal

from storykeeper.ledger.address import parse
from strategies.chat_servers import (
    closed_port,
    cut,
    data,
    failing,
    part,
    raw,
    says,
    sends,
    serving,
    streams,
    words,
)
from strategies.runs import kept, said, shown
from strategies.worlds import EXAMPLE

OPENING = "The stones are wet, and the tide is out. Orme waits."
HARROW = "You come to Harrow. Mara looks up from the wick."
BLOCK = '\n\n```stage\n{"here": ["mara"]}\n```'


def tells(text: str, **waits):
    return streams(words(text), **waits)


def run_of(folder, run: str = "run.db"):
    keeper = kept(folder / run, read_only=True)
    assert keeper.ledger.verify(parse(run).run).good
    keeper.replay()
    return keeper


def playing(folder, server, *options: str, run: str = "run.db") -> Terminal:
    return Terminal(
        "play", str(EXAMPLE), "--run", run, "--model", server.url, "--model-name", "tiny", *options,
        folder=folder,
    )  # fmt: skip


def scripted(folder, *options: str, lines: str = "I go on to Harrow.\n", code: int = 0, **env):
    done = subprocess.run(
        [sys.executable, "-m", "storykeeper", "play", str(EXAMPLE), "--run", "run.db", *options],
        input=lines, capture_output=True, text=True, cwd=folder, env=os.environ | env,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_a_playthrough_told_by_a_model(tmp_path):
    takes = [OPENING, HARROW + BLOCK, "Another telling.", "She says nothing."]
    replies = (*map(tells, takes), failing(500, "x"))
    with serving(*replies) as server, playing(tmp_path, server) as terminal:
        opening = terminal.prompt()
        assert "tiny tells this story" in opening
        assert OPENING in opening
        assert "turn 0 · " in opening
        assert " of 3,300 tokens" in opening
        told = terminal.type("I go on to Harrow.")
        assert HARROW in told
        assert "stage" not in told
        assert "pull " in told
        assert "this is the only telling" in terminal.type("/swipe back")
        assert "Another telling." in terminal.type("/swipe")
        listed = terminal.type("/swipe list")
        assert "  1  You come to Harrow." in listed
        assert "* 2  Another telling." in listed.replace("*  2", "* 2")
        assert HARROW in terminal.type("/swipe back")
        assert "there are 2 tellings" in terminal.type("/swipe back")
        assert "Another telling." in terminal.type("/swipe forth")
        assert HARROW in terminal.type("/swipe 1")
        assert "She says nothing." in terminal.type("I ask Mara about the key.")
        assert "She shrugs." in terminal.type("/edit She shrugs.")
        assert "turn 1 is told so now" in terminal.type("/edit 1 You come to Harrow at dusk.")
        assert "# Write" in terminal.type("/window")
        assert "hard:ask" in terminal.type("/why")
        assert "Mara" in terminal.type("/knows mara")
        assert "pell" in terminal.type("/knows").casefold()
        assert len(terminal.type("/map")) > 100
        terminal.type("/entities")
        assert "answered 500" in terminal.type("I wait.")
        assert "begun again in run.db@restart-1" in terminal.type("/restart")
        assert "this is the beginning" in terminal.type("/restart")
        terminal.keys("/quit\r")
        assert terminal.left()[0] == 0
    with run_of(tmp_path) as keeper:
        assert said(keeper) == ["I go on to Harrow.", "I ask Mara about the key.", "I wait."]
        assert [h.prose for h in keeper.history()][1:] == [
            "You come to Harrow at dusk.",
            "She shrugs.",
        ]
        assert not any("```" in prose for prose in shown(keeper))
    bodies = server.bodies
    assert all(body["messages"][-1]["content"].endswith("Then the stage block.") for body in bodies)
    assert len(bodies) == 7  # the last was tried three times


GOES = """Mara goes out for coal.

```stage
{"moves": [{"who": ["Mara"], "kind": "departs", "to": ["harrow"],
            "words": "Mara goes out for coal"}],
 "here": ["Pell"]}
```"""


@pytest.mark.long
def test_what_was_just_told_stands_in_the_status_line(tmp_path):
    """Who has gone is not there, and who was declared to be there is no question."""
    both = HARROW + BLOCK.replace('["mara"]', '["mara", "pell"]')
    with (
        serving(tells(OPENING), tells(both), tells(GOES)) as server,
        playing(tmp_path, server) as terminal,
    ):
        terminal.prompt()
        assert "· the kitchen · Mara, Pell ·" in terminal.type("I go on to Harrow.")
        assert "· the kitchen · Pell ·" in terminal.type("I wait.")
        assert "here now: Pell Rudd\n" in terminal.type("/here")
        assert "told again" not in terminal.type("/swipe list")  # looking made nothing fact
        listed = terminal.type("/knows Mara Rudd").splitlines()
        assert max(map(len, listed)) <= 100
        assert any(line.startswith("  ") for line in listed)  # words go on, further in
        terminal.keys("\x04")
        terminal.left(again="\x04")


def test_a_stream_that_is_cut_can_be_told_again(tmp_path):
    half = [*words("Mara looks up"), *words(BLOCK)[:4]]
    replies = (tells(OPENING), cut(half), tells(HARROW + BLOCK))
    with serving(*replies) as server, playing(tmp_path, server) as terminal:
        terminal.prompt()
        told = terminal.type("I go on to Harrow.")
        assert "Mara looks up" in told
        assert "stage" not in told.replace("stage block", "")
        assert "broke off after" in " ".join(told.split())
        assert "/retry has it told" in told
        assert HARROW in terminal.type("/retry")
        terminal.keys("\x04")
        assert terminal.left(again="\x04")[0] == 0
    with run_of(tmp_path) as keeper:
        assert shown(keeper) == [OPENING, HARROW]


def test_ctrl_c_stops_a_telling_and_nothing_is_lost(tmp_path):
    slow = tells("Mara looks up and " + "on and " * 400, wait_seconds=0.02)
    replies = (tells(OPENING), slow, tells(HARROW))
    with serving(*replies) as server, playing(tmp_path, server) as terminal:
        terminal.prompt()
        terminal.keys("I go on to Harrow.\r")
        terminal.until("Mara looks up")
        terminal.interrupt()
        assert "your line is kept" in terminal.prompt()
        assert HARROW in terminal.type("/retry")
        terminal.keys("\x03")
        assert terminal.left(again="\x03")[0] == 130
    with run_of(tmp_path) as keeper:
        assert shown(keeper) == [OPENING, HARROW]


@pytest.mark.parametrize(
    "until", ["Mara looks", pytest.param("and on and on", marks=pytest.mark.long)]
)
def test_killed_in_the_middle_of_a_stream(tmp_path, until):
    slow = tells("Mara looks up and " + "on and " * 400, wait_seconds=0.02)
    with serving(tells(OPENING), slow, tells(HARROW)) as server:
        with playing(tmp_path, server) as terminal:
            terminal.prompt()
            terminal.keys("I go on to Harrow.\r")
            terminal.until(until)
            os.kill(terminal.pid, signal.SIGKILL)
            terminal.left()
        with run_of(tmp_path) as keeper:
            assert shown(keeper) == [OPENING]  # half a telling is none
            assert keeper.world().pending.text == "I go on to Harrow."
        with playing(tmp_path, server) as terminal:
            back = terminal.prompt()
            assert "turn 1: I go on to Harrow." in back
            assert HARROW in back
            terminal.keys("\x04")
            terminal.left(again="\x04")
    with run_of(tmp_path) as keeper:
        assert said(keeper) == ["I go on to Harrow."]
        assert shown(keeper) == [OPENING, HARROW]


@pytest.mark.long
def test_a_narrow_terminal_and_one_that_is_resized(tmp_path):
    long = "Mara looks up. " * 30
    with serving(tells(long), tells(long)) as server, playing(tmp_path, server) as terminal:
        terminal.prompt()
        terminal.resize(40)
        terminal.keys("I go on to Harrow.\r")
        told = terminal.until("turn 1 ·")  # readline draws its prompt anew by itself
        prose = [line for line in told.splitlines() if line.startswith("  Mara")]
        assert prose
        assert max(map(len, prose)) <= 40
        terminal.keys("\x04")
        terminal.left(again="\x04")


# ── from a script, with settings ─────────────────────────────────────────────────────────────


def test_a_script_is_plain_and_whole(tmp_path):
    with serving(tells(OPENING), tells(HARROW + BLOCK)) as server:
        done = scripted(tmp_path, "--model", server.url)
    assert f"\n{OPENING}\n\n> I go on to Harrow.\n\n{HARROW}\n\n" in done.stdout
    assert "```" not in done.stdout
    assert "\x1b" not in done.stdout


TOO_LONG = "maximum context length is 512 tokens"


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (failing(404, "model_not_found"), "check the URL and the model's name"),
        (sends(part("You come"), data({"error": {"message": "boom"}})), "with an error"),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (
                (failing(400, "context_length_exceeded", TOO_LONG), "512"),
                (failing(400, "content_filter"), "refused to answer"),
                (raw(200, b"{x", Content_Type="application/json"), "OpenAI chat protocol"),
            )
        ),
    ],
)
def test_a_script_stops_where_the_model_does(tmp_path, reply, wanted):
    with serving(tells(OPENING), reply) as server:
        done = scripted(tmp_path, "--model", server.url, code=2)
    assert wanted in done.stderr
    with run_of(tmp_path) as keeper:
        assert shown(keeper) == [OPENING]
        assert keeper.world().pending.text == "I go on to Harrow."


@pytest.mark.long
def test_nobody_there(tmp_path):
    url = f"http://127.0.0.1:{closed_port()}/v1"
    began = time.monotonic()
    assert "is the server running?" in scripted(tmp_path, "--model", url, code=2).stderr
    assert time.monotonic() - began < 60


def test_settings_in_a_file(tmp_path):
    (tmp_path / "key").write_text("k-123\n")
    with serving(tells(OPENING), tells(HARROW)) as server:
        (tmp_path / "storykeeper.toml").write_text(f"""
budget = 2900
[model]
url = "{server.url}"
name = "large"
key_file = "{tmp_path / "key"}"
limit_tokens = 90
temperature = 0.5
seed = 3
stop = ["###"]
cache_marks = true
staging = "reader"
[model.patience]
first = 30
[model.extra]
top_k = 40
""")
        done = scripted(tmp_path, "--model-name", "tiny")
    assert HARROW in done.stdout
    body = server.bodies[-1]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("tiny", 90, 0.5)
    assert (body["seed"], body["stop"], body["top_k"]) == (3, ["###"], 40)
    assert server.headers[-1]["authorization"] == "Bearer k-123"
    assert body["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    assert "```stage" not in str(body["messages"])
    assert "k-123" not in done.stdout + done.stderr


def test_the_same_model_may_be_asked_apart_what_it_told(tmp_path):
    def both(handler, body):
        (tells(OPENING) if body["stream"] else says({"here": ["tobit"]}))(handler, body)

    with serving(both) as server:
        (tmp_path / "storykeeper.toml").write_text('[model]\nstaging = "call"')
        done = scripted(tmp_path, "--model", server.url, lines="")
    assert OPENING in done.stdout
    assert [body["stream"] for body in server.bodies] == [True, False]
    assert "```stage" not in str(server.bodies[0]["messages"])


@pytest.mark.long
def test_the_key_from_the_environment(tmp_path):
    with serving(tells(OPENING), tells(HARROW)) as server:
        scripted(tmp_path, "--model", server.url, STORYKEEPER_API_KEY="k-9")
        assert server.headers[-1]["authorization"] == "Bearer k-9"
        (tmp_path / "key").write_text("k-8")
        scripted(tmp_path, "--model", server.url, STORYKEEPER_API_KEY_FILE=str(tmp_path / "key"))
        assert server.headers[-1]["authorization"] == "Bearer k-8"


@pytest.mark.parametrize(
    "text", ["[model", "[model]\nurll = 1", "[model]\ntries = 0", "[model.patience]\nfirst = -1"]
)
def test_settings_that_are_none(tmp_path, text):
    (tmp_path / "mine.toml").write_text(text)
    done = scripted(tmp_path, "--settings", "mine.toml", code=2)
    assert done.stderr.startswith("storykeeper: mine.toml: ")


@pytest.mark.parametrize("content", [None, "", b"\xff\xfe"])
def test_a_key_file_that_is_none(tmp_path, content):
    if content is not None:
        (tmp_path / "key").write_bytes(content.encode() if isinstance(content, str) else content)
    (tmp_path / "s.toml").write_text('[model]\nurl = "http://x/v1"\nkey_file = "key"')
    assert "the key file key" in scripted(tmp_path, "--settings", "s.toml", code=2).stderr
