"""`storykeeper model check` against servers that can do much, little and nothing."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from strategies.chat_servers import closed_port, failing, raw, says, serving, streams, words

GOOD = 'Mara goes out for coal.\n\n```stage\n{"moves": [{"who": ["mara"], "kind": "departs"}]}\n```'


def checked(*arguments: str, code: int = 0) -> dict:
    done = CliRunner().invoke(app, ["model", "check", *arguments, "--json"])
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


def able(handler, body):
    if "response_format" in body:
        says({"colour": "grey"})(handler, body)
    elif not body["stream"]:
        says("grey, I think")(handler, body)
    elif body["messages"][0]["role"] == "system":
        streams(words(GOOD))(handler, body)
    else:
        streams(words("A lamp. It is lit."))(handler, body)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_one_that_can_do_all():
    with serving(able) as server:
        server.listed = {"data": [{"id": "tiny"}]}
        found = checked(server.url, "--model-name", "tiny")
        plain = CliRunner().invoke(app, ["model", "check", server.url]).stdout
    assert {name: each["works"] for name, each in found.items()} == {
        "models": True, "streaming": True, "schema": True, "stage": True,
    }  # fmt: skip
    assert "7 tokens of answer" in found["streaming"]["says"]
    assert all(each["seconds"] >= 0 for each in found.values())
    assert plain.splitlines()[1].startswith("streaming  yes ")


def test_one_that_can_only_talk():
    def simple(handler, body):
        if "response_format" in body:
            raw(400, b"{}")(handler, body)
        elif body["stream"]:
            streams(words("A lamp."))(handler, body)
        else:
            says("grey, I think")(handler, body)

    with serving(simple) as server:
        found = checked(server.url)
    assert [name for name, each in found.items() if each["works"]] == ["streaming"]
    assert "told in words" in found["schema"]["says"]
    assert "read from the prose" in found["stage"]["says"]


@pytest.mark.long
def test_one_that_has_no_such_model_and_one_that_is_not_there():
    with serving(failing(404, "model_not_found")) as server:
        found = checked(server.url, code=1)
    assert "the model's name" in found["streaming"]["says"]
    assert "schema" not in found
    found = checked(f"http://127.0.0.1:{closed_port()}/v1", code=1)
    assert "is the server running?" in found["streaming"]["says"]


def test_the_url_may_stand_in_the_settings(tmp_path):
    with serving(able) as server:
        (tmp_path / "storykeeper.toml").write_text(f'[model]\nurl = "{server.url}"\nname = "big"')
        assert checked()["stage"]["works"]
        assert server.bodies[-1]["model"] == "big"
    (tmp_path / "storykeeper.toml").unlink()
    assert "name the URL" in CliRunner().invoke(app, ["model", "check"]).output
