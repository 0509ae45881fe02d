"""`storykeeper play` from scripts and pipes: what is taken for a line, and what is said to it."""

import pytest
from msgspec import structs
from typer.testing import CliRunner

from storykeeper.cli.main import app
from strategies.runs import EVENING, go, kept, said
from strategies.worlds import EXAMPLE, example


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def played(*options: str, lines: str | bytes = "", code: int = 0) -> str:
    arguments = ["play", str(EXAMPLE), "--run", "run.db", *options]
    done = CliRunner().invoke(app, arguments, input=lines, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.stdout


def kept_lines() -> list[str]:
    with kept("run.db", read_only=True) as keeper:
        keeper.replay()
        return said(keeper)


def test_a_script(tmp_path):
    script = tmp_path / "lines.txt"
    script.write_text("# a remark\n\n  I sit.  \r\n/help\n\t\nI wait.", "utf-8")
    told = played("--script", str(script))
    assert told.count("> ") >= 3
    assert "> I sit.\n\nThe rung is wet." in told
    assert told.endswith("[kept in run.db]\n")
    assert kept_lines() == ["I sit.", "I wait."]


def test_a_script_that_is_no_text(tmp_path):
    (tmp_path / "lines.txt").write_bytes(b"I sit.\n\xff\n")
    arguments = ["play", str(EXAMPLE), "--run", "run.db", "--script", "lines.txt"]
    done = CliRunner().invoke(app, arguments)
    assert "lines.txt is not UTF-8 text" in str(done.exception)


def test_a_pipe_that_is_no_text():
    told = played(lines=b"I sit.\n\xff\xfe\nI wait.")
    assert "U+DCFF" in told
    assert kept_lines() == ["I sit.", "I wait."]


def test_an_end_in_the_middle():
    assert "[kept in run.db]" in played(lines="I sit.\n/swipe")
    assert played(lines="/quit\nI wait.").count("\n> ") == 1
    assert kept_lines() == ["I sit."]


def test_numbers_that_are_none_end_nothing():
    many = "9" * 5_000  # more than Python reads
    lines = ["/swipe", "/log", "/edit", "/map", "/why", "/knows"]
    told = played(lines="\n".join((many, *(f"{each} {many} x" for each in lines), "I sit.")))
    assert "fault of storykeeper" not in told
    assert kept_lines() == ["I sit."]


def test_swipes_that_are_none_are_not_told_anew():
    told = played(lines="/swipe -1\n/swipe 1e9\n/Swipe List\n/QUIT\nI wait.")
    assert told.count("say /swipe, /swipe list, /swipe back") == 2
    assert "told again" not in told
    assert kept_lines() == []


def test_no_lines_at_all():
    assert "The causeway" in played()
    assert "The causeway" in played()
    assert kept_lines() == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("I say /quit to her.", "I say /quit to her."),
        ("//quit is all. I wait.", "/quit is all. I wait."),
        ("I write # on the wall. I wait.", "I write # on the wall. I wait."),
    ],
)
def test_what_is_a_line_of_the_story(line, words):
    played(lines=line)
    assert kept_lines() == [words]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("/dance", "[there is no /dance; /help lists what there is]"),
        ("/", "[there is no /; /help lists what there is]"),
        ("/swipe", "told again"),
        ("/swipe now", "say /swipe, /swipe list, /swipe back"),
        ("/undo", "nothing has been said yet"),
        ("/fork", "say what to call it"),
        ("/fork main", "there is a run 'main' already"),
        ("/log x", "run-begun"),
        ("/why", "turn 0, for narrator"),
        ("/window", "# Voice"),
        ("/save", "every turn is on disk"),
        ("x" * 70_000, "the limit is 65,536"),
        ("a\0b", "U+0000"),
    ],
)
def test_what_is_said_to_it(line, answer):
    assert answer in played(lines=f"{line}\nI sit.\n")
    assert kept_lines() == ["I sit."]


def test_undoing_everything():
    lines = "\n".join([*EVENING, "/undo", "/undo", "/undo", "/undo", *EVENING])
    told = played(lines=lines)
    assert told.count("[taken back;") == 3
    assert "nothing has been said yet" in told
    with kept("run.db", read_only=True) as keeper:
        assert [h.text for h in keeper.history()] == ["", *EVENING]
        keeper.replay()


def test_going_on_after_a_line_that_was_never_answered():
    keeper = kept("run.db")
    go(keeper, EVENING[0])
    keeper.begin(EVENING[1])
    keeper.ledger.close()
    told = played(lines=EVENING[2])
    assert f'[turn 2: {EVENING[1]}]\n\n"Where the key went," says Mara' in told
    assert kept_lines() == EVENING


def test_a_budget_that_is_too_small(tmp_path):
    go(kept("run.db"), EVENING[0])
    told = played("--budget", "50", lines="I sit.\nI wait.")
    assert told.count("allow at least") == 2
    assert "the line before was never answered" not in told  # nothing was told of the second
    told = played("--budget", "50")
    assert "allow at least" in told
    assert "You wait." not in played()
    kept_lines()


def test_an_edited_story():
    with kept("run.db", story=structs.replace(example(), voice="Another.")) as keeper:
        go(keeper)
    assert "the story's files have changed" in played()
    assert "the story's files have changed" not in played("--adopt")
    assert "the story's files have changed" not in played()
    kept_lines()


def test_somebody_else_plays_the_same_run(monkeypatch):
    """They answer between two lines of ours."""
    go(kept("run.db"))
    other = kept("run.db")

    def lines():
        yield "I sit.\n"
        other._running = None
        go(other, EVENING[0])
        yield "I wait.\n"
        yield "I stand.\n"

    monkeypatch.setattr("storykeeper.cli.play._lines", lambda *_: map(str.strip, lines()))
    told = played()
    assert "somebody else is playing this run" in told
    assert "The stones come to an end" in told
    other.ledger.close()
    assert kept_lines() == ["I sit.", EVENING[0], "I stand."]
