"""The small local model behind its own server: a real model, over real HTTP.

`make test-long` installs it; `make test` does without.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models import local
from strategies.worlds import EXAMPLE


def test_without_the_extra_it_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    local._server.cache_clear()
    with pytest.raises(ModelUnavailable, match="make local"):
        local.served()
    monkeypatch.setattr(local, "WEIGHTS", "no_such_package")
    with pytest.raises(ModelUnavailable, match="make local"):
        local.weights()


SETTINGS = """
budget = 1200
[model]
url = "local"
limit_tokens = 60
[model.patience]  # a busy machine reads slowly
first = 900
between = 900
total = 1800
"""


@pytest.mark.long
@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="the extra is not there: make local")
def test_it_tells_a_story(tmp_path):
    (tmp_path / "storykeeper.toml").write_text(SETTINGS)
    done = subprocess.run(
        [sys.executable, "-m", "storykeeper", "play", str(EXAMPLE), "--run", "run.db"],
        input="I go on to Harrow.\n", capture_output=True, text=True, cwd=tmp_path, check=False,
        env=os.environ | {local.THREADS: "1"},  # two that wait for each other take it all
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    prose = done.stdout.split("> I go on to Harrow.")[1]
    assert len(prose.split()) > 10
    assert "```" not in prose
    assert "load_model" not in done.stderr + done.stdout
