"""The guide to connecting a model: its settings are all there are, and its Python runs."""

import re
import shutil
from pathlib import Path

import msgspec

from storykeeper.models.settings import ModelSettings, Settings
from strategies.chat_servers import serving, streams, words

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "connect-a-model.md").read_text("utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found


def test_every_setting_stands_on_the_page_with_its_usual_value():
    text = block("toml")
    made = msgspec.toml.decode(text.encode(), type=Settings)
    usual = ModelSettings(url=made.model.url)
    assert made.model == usual
    assert made.plain is Settings().plain
    for kind in (Settings, ModelSettings, type(usual.patience)):
        for name in kind.__struct_fields__:
            assert re.search(rf"^(# )?{name} = |^\[(model\.)?{name}\]", text, re.MULTILINE), name


def test_its_python_runs_twice(tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    with serving(streams(words("Mara looks up from the wick."))) as server:
        code = block("python").replace("http://127.0.0.1:8080/v1", server.url)
        for _ in range(2):
            exec(compile(code, "connect-a-model.md", "exec"), {})
            assert capsys.readouterr().out.startswith("Mara looks up from the wick.Usage(")
