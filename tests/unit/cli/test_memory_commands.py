"""`storykeeper memory …`: what each command prints, for people and programs, and how it says no."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

from storykeeper import Memory
from storykeeper.cli.main import app, run
from storykeeper.memory.tables import tag_of
from storykeeper.scoring.fusion import logistic
from strategies.runs import kept

COMMANDS = typer.main.get_command(app).commands["memory"].commands
CHAT = [
    {"speaker": "Ana", "at": "2024-05-06T09:00", "text": "I adopted a dog called Biscuit."},
    {"speaker": "Ben", "at": "2024-05-06T09:01", "text": "Lovely! Is he settling in?"},
    {"type": "header"},
    {"speaker": "Ben", "at": "2024-05-07T18:00", "text": "The meeting is on Friday.",
     "audience": ["ana", "ben"]},
]  # fmt: skip
OURS = f"m1-{tag_of(('', ('ana', 'ben')))}"  # the one that is not everybody's
LOG = [
    {
        "text": f"Day {n}: {n % 5} ships passed. The oil stood low.",
        "speaker": "Log",
        "session": "log",
    }
    for n in range(60)
]
LORE = """\
## Rules

- Nobody sings.

## About

A house by the weir.

## The mill

The miller lives [next door](people.md#cobbler).
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a chat, a document, and a memory of the chat."""
    monkeypatch.chdir(tmp_path)
    Path("chat.jsonl").write_text("\n".join(map(json.dumps, CHAT)), "utf-8")
    Path("lore.md").write_text(LORE, "utf-8")
    said("import", "chat.jsonl", "--into", "chat.db", "--embedder", "none")
    return tmp_path


def asked(*arguments: object, given: str = "", code: int = 0):
    words = ["memory", *map(str, arguments)]
    done = CliRunner().invoke(app, words, input=given, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done


def said(*arguments: object, given: str = "") -> str:
    return asked(*arguments, given=given).stdout


def data(*arguments: object):
    return json.loads(said(*arguments, "--json"))


def refused(capsys, monkeypatch, *arguments: object) -> str:
    """What the program says when it cannot: one line, no traceback."""
    monkeypatch.setattr(sys, "argv", ["storykeeper", *map(str, arguments)])
    with pytest.raises(SystemExit) as leaving:
        run()
    assert leaving.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "fault of storykeeper" not in error
    return error


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    shown = said(name, "--help")
    for parameter in COMMANDS[name].params:
        flag = parameter.param_type_name == "option" and parameter.is_flag
        assert flag or (parameter.metavar and parameter.metavar in shown), parameter.name


def test_alone_it_lists_its_commands():
    assert all(name in said() for name in COMMANDS)
    assert said() == said("--help")


# ── adding ───────────────────────────────────────────────────────────────────────────────────


def test_an_import_says_what_it_took_and_what_it_passed_over(here):
    out = said("import", "chat.jsonl", "--into", "other.db", "--embedder", "none")
    assert out.splitlines()[0].startswith("3 lines remembered, m1 to m2, m1-")
    assert out.splitlines()[1:] == ["1 line passed over: no words"]


def test_an_import_goes_on_where_another_was_stopped(here):
    out = said("import", "chat.jsonl", "--into", "part.db", "--embedder", "none", "--skip", 2)
    assert out.splitlines()[:2] == [f"1 line remembered, {OURS}", "2 lines left out, as asked"]
    assert data("show", "part.db")["items"] == 1
    assert said("import", "chat.jsonl", "--into", "part.db", "--skip", 9).startswith("0 lines")


def test_a_chat_comes_on_standard_input_too(here):
    given = '{"role": "user", "content": "The kettle is on."}'
    assert said("import", "-", "--into", "chat.db", given=given) == "1 line remembered, m3\n"
    assert data("search", "chat.db", "kettle")["hits"][0]["item"]["speaker"] == "user"


def test_what_is_added_is_found_by_those_it_is_for(here):
    asked_for = ["--audience", "cleo", "--audience", "dan"]
    made = said(
        "add", "chat.db", "The vault is open", "--speaker", "Eve", "--at", "2024-05-08T12:00",
        "--session", "night", *asked_for,
    )  # fmt: skip
    assert made.startswith("m1-")
    (hit, *_) = data("search", "chat.db", "vault", "--for", "cleo")["hits"]
    assert hit["item"]["audience"] == ["cleo", "dan"]
    assert hit["item"]["at"] == "2024-05-08T12:00:00"
    assert hit["item"]["session"] == "night"
    assert made.strip() not in said("search", "chat.db", "vault")
    assert said("add", "chat.db", "-", given="From a pipe\n") == "m3\n"


def test_now_is_the_clock_here(here):
    said("add", "chat.db", "The boat is in", "--at", "now")
    said("add", "chat.db", "The boat is in", "--at", "2001-01-01")
    at = [hit["item"]["id"] for hit in data("search", "chat.db", "boat", "--now", "now")["hits"]]
    assert at[:2] == ["m3", "m4"]


def test_namespaces_are_apart(here):
    said("add", "chat.db", "My word is trout", "--namespace", "ana")
    assert "trout" in said("search", "chat.db", "word", "--namespace", "ana")
    assert "trout" not in said("search", "chat.db", "word", "--namespace", "ben")


# ── finding ──────────────────────────────────────────────────────────────────────────────────


def test_a_result_has_id_score_date_speaker_and_words(here):
    first = said("search", "chat.db", "when is the meeting", "--for", "ben").splitlines()[0]
    assert first.startswith(f"{OURS} 0.")
    assert first.endswith("  2024-05-07 18:00  Ben: The meeting is on Friday.")
    assert "meeting" not in said("search", "chat.db", "when is the meeting")
    assert len(said("search", "chat.db", "dog", "-k", 1).splitlines()) == 1
    assert said("search", "chat.db", "dog", "--budget", 0).startswith("nothing that fits")


def test_notes_stand_on_top(here):
    out = said("search", "chat.db", "What did we talk about on Monday?", "--now", "2024-05-09")
    assert out.splitlines()[0] == "note: “on Monday” is read as Monday 6 May 2024"
    assert out.splitlines()[1].startswith("m1 ")


def test_why_gives_the_score_as_it_was_computed(here):
    query = ("search", "chat.db", "who has a dog", "--now", "2024-05-07")
    hit = data(*query)["hits"][0]
    out = said(*query, "-k", 1, "--why").splitlines()
    assert out[1].strip().startswith(f"score {hit['score']:.3f} = (0.9997 × likeness ")
    parts = [float(line.split()[0]) for line in out[3:]]
    likeness = hit["terms"]["likeness"]
    assert f"likeness {likeness:.3f} = σ of the sum of" in out[2]
    assert logistic(sum(parts)) == pytest.approx(likeness, abs=0.02)
    assert [abs(p) for p in parts[1:]] == sorted((abs(p) for p in parts[1:]), reverse=True)
    assert any("telling words of the query" in line for line in out)
    assert "σ" not in said(*query)


def test_why_of_a_question_of_time_says_so(here):
    out = said("search", "chat.db", "What did we talk about on Monday?", "--now", "2024-05-09",
               "--why")  # fmt: skip
    assert "said at the time that is asked for" in out
    assert "= (0.7" not in out


def test_a_budget_is_kept_and_what_is_left_out_is_named(here):
    for n in range(9):
        said("add", "chat.db", f"Note {n}: the dog barked at {n} boats near the weir")
    out = said("search", "chat.db", "dog boats", "--budget", 40).splitlines()[-1]
    assert "of 40 tokens; left out: m" in out
    found = data("search", "chat.db", "dog boats", "--budget", 40)
    assert found["tokens"] <= 40
    assert found["left_out"][0]["lacking"] > 0
    assert found["text"]


def test_a_prompt_is_alone_on_standard_output(here):
    said("load", "chat.db", "lore.md")
    done = asked("prompt", "chat.db", "dog", "--tokens", 400, "--for", "ben")
    assert done.stdout.startswith(
        "# Rules\n- Nobody sings.\n\n# Background\n- A house by the weir."
    )
    assert done.stdout.rstrip().endswith("Ben: The meeting is on Friday.")
    assert "of 400 tokens: 1 rules, 1 of background" in done.stderr
    made = data("prompt", "chat.db", "dog", "--tokens", 400, "--for", "ben")
    assert made["text"] == done.stdout.rstrip("\n")
    assert made["tokens"] <= 400
    only = said("prompt", "chat.db", "dog", "--tokens", 400, "--session", "s1")
    assert "meeting" not in only


def test_partition_shows_each_rule_and_writes_nothing(here):
    before = sorted(here.rglob("*"))
    out = said("partition", "lore.md").splitlines()
    assert out[0] == "lore.md: 3 passages: 1 always shown, 1 first, 1 searched"
    assert out[1] == "    3  always  Nobody sings."
    assert out[2] == "               a section called “Rules” in Rules"
    assert out[-1].endswith("in The mill; leads to people.md#cobbler")
    assert sorted(here.rglob("*")) == before
    assert [p["keep"] for p in data("partition", "lore.md")["lore.md"]] == [
        "always", "first", "search",
    ]  # fmt: skip


def test_a_document_is_loaded_once_however_often(here):
    for _ in range(2):
        assert said("load", "chat.db", "./lore.md").startswith("./lore.md: 3 passages")
    found = data("show", "chat.db")
    assert (found["written"], found["gone"]) == (3, 3)
    assert "lore.md › The mill  The miller" in said("search", "chat.db", "miller", "-k", 1)


@pytest.fixture
def long(here) -> str:
    Path("log.json").write_text(json.dumps(LOG), "utf-8")
    said("import", "log.json", "--into", "log.db", "--embedder", "none")
    return "log.db"


def test_compacting_expanding_and_compacting_again(long):
    out = said("compact", long)
    assert out.startswith("2 summaries, m61 to m62: ")
    assert (
        said("expand", long, "m61").splitlines()[0]
        == "m1    Log: Day 0: 0 ships passed. The oil stood low."
    )
    assert [i["id"] for i in data("expand", long, "m61")][:2] == ["m1", "m2"]
    assert said("compact", long).startswith("nothing to sum up")
    assert data("show", long)["summaries"] == 2


def test_a_model_that_is_down_is_mentioned_and_summaries_are_made(here):
    Path("log.json").write_text(json.dumps(LOG[:30]), "utf-8")
    said("import", "log.json", "--into", "log.db", "--embedder", "none")
    done = asked("compact", "log.db", "--model", "http://127.0.0.1:9/v1", "--model-name", "m")
    assert done.stdout.startswith("1 summary, m31: ")
    assert "could not be asked for 1 of them" in done.stderr


def test_what_is_retired_is_not_found(here):
    assert said("delete", "chat.db", "m1", "m1").startswith("1 item taken out")
    assert "Biscuit" not in said("search", "chat.db", "dog")
    said("rebuild", "chat.db")
    assert "Biscuit" not in said("search", "chat.db", "dog")


def test_what_is_erased_is_gone_for_good(here):
    assert asked("forget", "chat.db", "m1", given="n\n", code=1)
    assert "Biscuit" in said("search", "chat.db", "dog")
    assert (
        said("forget", "chat.db", "m1", "-y", "--why", "asked for")
        == "text removed from 1 records\n"
    )
    assert "Biscuit" not in said("search", "chat.db", "dog")
    assert b"Biscuit" not in Path("chat.db").read_bytes()


def test_what_there_is_is_listed_a_page_at_a_time(here):
    said(
        "add", "chat.db", "The roof leaks", "--metadata", "project=harrow", "--metadata", "stars=4"
    )
    said("add", "chat.db", "The roof is dry", "--metadata", "project=mill", "--expires", "2h")
    out = said("list", "chat.db", "--where", "project=harrow")
    assert out.splitlines()[0].endswith("The roof leaks  [project=harrow stars=4]")
    assert [i["text"] for i in data("list", "chat.db", "--where", "stars>=4")["items"]] == [
        "The roof leaks"
    ]
    json = '{"$or": [{"stars": 4}, {"project": "mill"}]}'
    assert data("list", "chat.db", "--where", json)["total"] == 2
    assert data("search", "chat.db", "roof", "--where", "project!=harrow")["hits"][0]["item"][
        "metadata"
    ] == {"project": "mill"}
    first = data("list", "chat.db", "-n", 1, "--where", "project=harrow", "--where", "stars<5")
    assert (first["total"], first["next"]) == (1, None)
    page = data("list", "chat.db", "--all", "-n", 2)
    assert (page["total"], len(page["items"])) == (5, 2)
    rest = data("list", "chat.db", "--all", "--after", page["next"])
    assert [i["id"] for i in page["items"] + rest["items"]] == [
        i["id"] for i in data("list", "chat.db", "--all")["items"]
    ]
    assert "go on with --after" in said("list", "chat.db", "-n", 1)
    assert data("list", "chat.db", "--now", "2999-01-01", "--where", "project=mill")["total"] == 0
    assert said("list", "chat.db", "--where", "project=moon") == "there is nothing\n"


def test_a_thing_is_changed_and_its_history_told(here):
    said("add", "chat.db", "The roof leaks", "--metadata", "stars=4", "--once")
    item = said("add", "chat.db", "the roof leaks.", "--metadata", "stars=4", "--once").strip()
    done = said("update", "chat.db", item, "--text", "The roof is dry", "--metadata", "stars=")
    assert done == "1 item as they are to be\n"
    found = data("get", "chat.db", item)
    assert (found["text"], found["metadata"]) == ("The roof is dry", {})
    assert [change["what"] for change in data("history", "chat.db", item)] == [
        "added", "repeated", "updated",
    ]  # fmt: skip
    said("update", "chat.db", "--where", "@speaker=Ana", "--expires", "2024-01-01")
    assert said("sweep", "chat.db") == "1 item forgotten\n"
    out = said("history", "chat.db", item).splitlines()
    assert out[0].endswith("added      The roof leaks  [stars=4]")
    assert said("delete", "chat.db", "--where", "@session=moon").startswith("0 items")


def test_what_is_exported_can_be_imported(here):
    said("add", "chat.db", "Again", "--metadata", 'tags=["a","b"]')
    Path("out.jsonl").write_text(said("export", "chat.db"), "utf-8")
    said("import", "out.jsonl", "--into", "copy.db", "--embedder", "none")
    said("import", "out.jsonl", "--into", "copy.db", "--once")
    assert said("export", "copy.db") == Path("out.jsonl").read_text("utf-8")
    said("import", "out.jsonl", "--into", "copy.db")
    assert "m1    stays, and m" in said("deduplicate", "copy.db")
    assert said("deduplicate", "copy.db") == "nothing was said twice\n"


def test_show_counts(here):
    found = data("show", "chat.db")
    assert (found["items"], found["said"], found["sessions"]) == (3, 3, 2)
    assert found["speakers"] == {"Ben": 2, "Ana": 1}
    assert found["audiences"] == ["ana", "ben"]
    assert (found["first"], found["last"]) == ("2024-05-06 09:00", "2024-05-07 18:00")
    assert found["embedder"] == "none"
    out = said("show", "chat.db")
    assert "said by Ben (2), Ana (1)" in out
    assert "some of it only for ana, ben" in out


def test_a_deleted_index_comes_back(here):
    before = data("search", "chat.db", "dog")
    shutil.rmtree("chat.db.index")
    assert data("search", "chat.db", "dog") == before
    assert said("rebuild", "chat.db") == "3 items indexed again\n"
    assert data("search", "chat.db", "dog") == before


def test_another_embedder_takes_the_place_of_the_one_it_has(here):
    said("search", "chat.db", "dog", "--embedder", "minilm")
    assert data("show", "chat.db")["embedder"] == "minilm"
    assert data("search", "chat.db", "who has a puppy", "-k", 1)["hits"][0]["item"]["id"] == "m1"


def test_an_embedder_that_is_down_leaves_the_old_one_in_force(here):
    url = "http://127.0.0.1:9/v1"
    done = asked("search", "chat.db", "dog", "--embedder", url, "--embedder-model", "m")
    assert "m1 " in done.stdout
    assert url in done.output
    assert data("show", "chat.db")["embedder"] == "none"


def test_an_import_that_is_interrupted_keeps_what_it_says(here):
    lines = (json.dumps({"text": f"Line {n} of a long talk"}) for n in range(60_000))
    Path("big.jsonl").write_text("\n".join(lines), "utf-8")
    command = [sys.executable, "-m", "storykeeper", "memory", "import", "big.jsonl", "--into",
               "big.db", "--embedder", "none"]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_records(Path("big.db"), 1_000)
    running.send_signal(signal.SIGINT)
    _, error = running.communicate(timeout=30)
    assert running.returncode == 130, error
    kept_lines = int(error.split("stopped: ")[1].split()[0].replace(",", ""))
    assert f"--skip {kept_lines}" in error
    assert data("show", "big.db")["items"] == kept_lines < 60_000


def wait_for_records(path: Path, count: int) -> None:
    """Until another process has written so many."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        time.sleep(0.01)
        if not path.exists():
            continue
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(path)) as file:
            if file.execute("SELECT count(*) FROM records").fetchone()[0] >= count:
                return
    raise AssertionError(f"{path} did not get {count} records")


# ── ledger commands and refusals ─────────────────────────────────────────────────────────────


def test_ledger_commands_work_on_a_memory(here):
    for words in (["log", "chat.db"], ["verify", "chat.db"], ["runs", "chat.db"],
                  ["export", "chat.db", "-o", "out.jsonl"], ["import", "out.jsonl", "in.db"],
                  ["backup", "chat.db", "safe.db"]):  # fmt: skip
        assert CliRunner().invoke(app, words).exit_code == 0, words
    for copy in ("in.db", "safe.db"):
        assert data("search", copy, "dog") == data("search", "chat.db", "dog")
    assert CliRunner().invoke(app, ["erase", "chat.db", "--turn", "1", "--yes"]).exit_code == 0
    assert "Biscuit" not in said("search", "chat.db", "dog")
    assert b"Biscuit" not in Path("chat.db").read_bytes()


@pytest.mark.parametrize(
    "command", [["window"], ["why"], ["knows", "ana"], ["entities"], ["replay"]]
)
def test_commands_for_runs_refuse_a_memory(here, capsys, monkeypatch, command):
    name, *rest = command
    error = refused(capsys, monkeypatch, name, "chat.db", *rest)
    assert "chat.db is a memory and follows no story" in error


def test_memory_commands_refuse_a_run(tmp_path, capsys, monkeypatch):
    kept(tmp_path / "run.db").close()
    error = refused(capsys, monkeypatch, "memory", "show", tmp_path / "run.db")
    assert "is a run of a story" in error


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["search", "no.db", "x"], "there is no memory at no.db"),
        (["search", "lore.md", "x"], "not a ledger"),
        (["search", "chat.db@fork", "x"], "has no forks"),
        (["search", "chat.db", "x", "--now", "soon"], "'soon' is no moment"),
        (["search", "chat.db", "x", "--embedder", "huge"], "no embedder 'huge'"),
        (["add", "no.db", " "], "no words"),
        (["add", "no.db", "x", "--at", "soon"], "'soon' is no moment"),
        (["add", "no.db", "x", "--embedder", "huge"], "no embedder 'huge'"),
        (["expand", "chat.db", "m99"], "nothing is called m99"),
        (["add", ":memory:", "x"], "name a file"),
        (["delete", "chat.db"], "say which items"),
        (["list", "chat.db", "--where", '{"a": {"gte": 1}}'], "there is no 'gte'"),
        (["add", "chat.db", "x", "--expires", "soon"], "'soon' is no moment"),
        (["delete", "chat.db", "x"], "they look like m12"),
        (["prompt", "chat.db", "x", "--tokens", "1"], "too few"),
        (["import", "no.jsonl", "--into", "chat.db"], "no.jsonl: No such file"),
        (["import", "lore.md", "--into", "chat.db"], "lore.md, line 1: no JSON object"),
        (["import", "wordless.jsonl", "--into", "chat.db"], "nothing is said in wordless.jsonl"),
        (["import", "latin.jsonl", "--into", "chat.db"], "not UTF-8"),
        (["load", "chat.db", "chat.jsonl"], "should end in one of .md"),
        (["partition", "empty.md"], "no passage in it"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(here, capsys, monkeypatch, words, why):
    Path("wordless.jsonl").write_text('{"a": 1}\n', "utf-8")
    Path("latin.jsonl").write_bytes(b'{"text": "caf\xe9"}')
    Path("empty.md").write_text("# Only a heading\n", "utf-8")
    assert why in refused(capsys, monkeypatch, "memory", *words)
    assert not Path("no.db").exists()
    with Memory.open("chat.db") as memory:
        assert len(memory) == 3


def test_a_model_needs_its_name(here):
    assert "go together" in asked("compact", "chat.db", "--model", "http://x", code=2).stderr
