"""The operator's guide, done as it stands: set up, move, back up, restore, scrub."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import yaml
from typer.main import get_command

from storykeeper.cli.main import app
from storykeeper.ledger.address import parse
from storykeeper.ledger.places import open_to_check
from storykeeper.ledger.postgres.place import place
from storykeeper.units import MAIN
from strategies.ledgers import exported, sqlite_ledger, told
from strategies.postgres import BIN, postgres_ledger, server

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "how-to" / "postgresql.md").read_text("utf-8")
DEPLOY = ROOT / "deploy"
COMMANDS = [line.strip() for line in re.findall(r"^    (\S.*)$", GUIDE, re.MULTILINE)]


def named(*words: str) -> list[str]:
    return [each for each in COMMANDS if each.startswith(words) and "CLUSTER" not in each
            and " serve " not in each]  # fmt: skip


@pytest.fixture(scope="module")
def guided(tmp_path_factory):
    """A shell in which the guide's names mean an empty database, and a run in a file."""
    folder = tmp_path_factory.mktemp("operator")
    path = folder / "storykeeper-data" / "tenants" / "ana" / "runs" / "harrow.db"
    path.parent.mkdir(parents=True)
    told(sqlite_ledger(path)).close()
    with psycopg.connect(server().url("postgres"), autocommit=True) as owner:
        owner.execute("CREATE DATABASE guided")
    names = {"OWNER": server().url("postgres", "guided"),
             "SERVICE": server().url("service", "guided"),
             "RESTORED": server().url("postgres", "storykeeper_restored"),
             "PATH": f"{Path(sys.executable).parent}:{BIN}:{os.environ['PATH']}"}  # fmt: skip
    for command in named("storykeeper", "psql", "pg_", "createdb"):
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env={**os.environ, **names},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        said = done.stdout + done.stderr
        # The run is looked at before the guide has moved one there.
        early = command.startswith(("storykeeper runs", "storykeeper log", "storykeeper verify"))
        assert done.returncode == 0 or (early and "nothing there" in said), (command, said)
    return folder, names


@pytest.mark.long
def test_what_the_guide_does_can_be_done(guided):
    assert len(named("storykeeper")) >= 10
    folder, names = guided
    at = parse(f"{names['SERVICE']}#ana/runs/harrow").place
    with open_to_check(at) as ledger, open_to_check(folder / "harrow.db") as back:
        assert exported(ledger) == exported(back)


@pytest.mark.long
def test_what_was_restored_is_what_was_there(guided):
    """With its rules: the service's role sees a tenant's rows by name, and none without."""
    _, names = guided
    url = names["RESTORED"].replace("postgres@", "service@")
    with (
        open_to_check(place(f"{url}#ana/runs/harrow")) as ledger,
        open_to_check(place(f"{names['SERVICE']}#ana/runs/harrow")) as before,
    ):
        assert ledger.verify(MAIN).good
        assert exported(ledger) == exported(before)
    with psycopg.connect(url) as c:
        assert c.execute("SELECT count(*) FROM records").fetchone() == (0,)


@pytest.mark.long
def test_scrubbing_leaves_nothing_of_erased_words_in_the_tables(guided):
    _, names = guided
    word = "zwölfkräuterlikör"
    at = place(f"{names['SERVICE']}#ana/runs/said")
    with told(postgres_ledger(at)) as ledger:
        ledger.append(MAIN, [_shown(word)], expected=ledger.head(MAIN).version)
        assert _written(names, word)
        ledger.erase(MAIN, turn=6)
    done = subprocess.run(
        ["storykeeper", "database", "scrub", names["OWNER"]], env={**os.environ, **names},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "records" in done.stdout
    assert not _written(names, word)


def _shown(prose: str):
    from storykeeper.events.turns import Rendered

    return Rendered(turn=6, take=1, prose=prose)


def _written(names: dict, word: str) -> bool:
    """Whether a word is in a file of the database."""
    with psycopg.connect(names["OWNER"], autocommit=True) as c:
        c.execute("CHECKPOINT")
        (oid,) = c.execute("SELECT oid FROM pg_database WHERE datname = 'guided'").fetchone()
    files = (server().data / "base" / str(oid)).iterdir()
    return any(word.encode() in each.read_bytes() for each in files)


def test_what_is_deployed_names_commands_that_there_are():
    """No container runs here: what can be read of the files is, and every command is known."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    asked = [each["command"] for each in compose["services"].values() if "command" in each]
    unit = (DEPLOY / "storykeeper.service").read_text("utf-8")
    asked.append(re.search(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)[1].split())
    assert len(asked) == 4
    for words in asked:
        command = get_command(app)
        while words and hasattr(command, "commands"):
            command, words = command.commands[words[0]], words[1:]
        known = {opt for each in command.params for opt in each.opts}
        assert {each for each in words if each.startswith("--")} <= known, words
    docker = (DEPLOY / "Dockerfile").read_text("utf-8")
    for source in re.findall(r"^COPY (?!--from)(.*) \S+$", docker, re.MULTILINE):
        assert all((ROOT / each).exists() for each in source.split()), source
    assert (ROOT / "requirements" / "server.txt").read_text("utf-8").count("psycopg") > 3
