"""docs/reference/ledger.md: its example runs, and its numbers are ours."""

import re
from pathlib import Path

from storykeeper.ledger.opening import BUSY_SECONDS
from storykeeper.ledger.schema.steps import APPLICATION_ID, NEWEST, PLACE_BITS

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "ledger.md").read_text("utf-8")


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "ledger.md", "exec"), {})
    assert "InputReceived(turn=1, player='wren', text='')" in capsys.readouterr().out


def test_the_numbers_are_ours():
    assert f"0x{APPLICATION_ID:X}" in PAGE
    assert f"waits {BUSY_SECONDS:.0f} seconds" in PAGE
    assert PLACE_BITS == 40
    assert "2⁴⁰ records" in PAGE
    assert re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE) == [str(n + 1) for n in range(NEWEST)]
