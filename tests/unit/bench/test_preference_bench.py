"""`bench preference`: pages without names, and what is read from verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from storykeeper.bench.continuity.preference import KEY, SYSTEMS, measure
from storykeeper.bench.registry import Setup
from storykeeper.errors import StorykeeperError
from strategies.short_playthroughs import bells, needed, playthrough


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Path:
    """Two pages: one moment, at two sizes."""
    data = tmp_path_factory.mktemp("data")
    playthrough(data, bells(23), [needed("lately", 20, [["bell", "20"]], 22, 23)])
    folder = data / "pages"
    made = measure(Setup(say=lambda _: None, data=data, prompts=folder, pairs=1))
    assert made == {"moments": {"written": 2}}
    return folder


def key_of(pages: Path) -> dict:
    return json.loads((pages / KEY).read_text("utf-8"))


def verdicts(pages: Path, *rows: dict) -> dict:
    file = pages / "verdicts.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return measure(Setup(say=lambda _: None, prompts=pages, answers=(file,)))


def test_a_page_names_nobody_and_has_the_line_the_windows_and_what_was_told(pages: Path):
    for name, moment in key_of(pages).items():
        page = (pages / f"moment-{name}.md").read_text("utf-8")
        asked, told = page.split("# Window A")[0], page.rsplit("# What was told", 1)[1]
        assert not [each for each in ("storykeeper", "plain_summary") if each in page.casefold()]
        assert f"bell {moment['turn']}." in asked
        assert f"rang {moment['turn']} times" in told
        windows = page.split("~~~~")[1::2]
        assert len(windows) == len(SYSTEMS)
        for text in windows:  # each has the rules, the turn before, and the player's line
            assert "# Rules" in text
            assert f"rang {moment['turn'] - 1} times" in text
            assert f"rang {moment['turn']} times" not in text


def test_ours_is_put_before_another_or_is_not(pages: Path):
    (first, one), (second, two) = sorted(key_of(pages).items())
    letters = {name: dict(zip(m["systems"], "ABC", strict=True)) for name, m in
               ((first, one), (second, two))}  # fmt: skip

    def row(name: str, *order: str, struck: int = 0) -> dict:
        of = letters[name]
        lines = {of[each]: 0 for each in SYSTEMS} | {of["storykeeper"]: struck}
        return {"moment": name, "order": "".join(of[each] for each in order), "struck": lines}

    found = verdicts(
        pages,
        row(first, "storykeeper", "plain", "plain_summary", struck=4),
        row(first, "plain", "storykeeper", "plain_summary", struck=1),
        row(second, "plain", "plain_summary", "storykeeper"),
    )
    small, large = str(one["size"]), str(two["size"])
    assert found["verdicts"] == {small: 2, large: 1}
    ours = found["storykeeper"]
    assert ours["over_plain"] == {small: 50.0, large: 0.0}
    assert ours["over_plain_summary"] == {small: 100.0, large: 0.0}
    assert ours["struck"] == {small: 2.5, large: 0.0}
    assert found["plain"]["first"] == {small: 50.0, large: 100.0}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"moment": "99", "order": "ABC", "struck": {"A": 0, "B": 0, "C": 0}}, "'99'"),
        ({"moment": "01", "order": "AB", "struck": {"A": 0, "B": 0, "C": 0}}, "each of A, B"),
        ({"moment": "01", "order": "AAB", "struck": {"A": 0, "B": 0, "C": 0}}, "each of A, B"),
        ({"moment": "01", "order": "ABC", "struck": {"A": 0}}, "each of A, B"),
        ({"moment": "01", "order": "ABC", "struck": {"A": "x", "B": 0, "C": 0}}, "'x'"),
        (["01"], "no verdict"),
    ],
)
def test_what_is_no_verdict_is_said_with_its_line(pages: Path, row, says: str):
    with pytest.raises(StorykeeperError, match=r"verdicts\.jsonl:1") as refused:
        verdicts(pages, row)
    assert says in str(refused.value)


def test_verdicts_want_the_folder_of_the_pages(tmp_path: Path):
    with pytest.raises(StorykeeperError, match=KEY):
        measure(Setup(say=lambda _: None, prompts=tmp_path, answers=(tmp_path / "x",)))
    with pytest.raises(StorykeeperError, match="--prompts DIR"):
        measure(Setup(say=lambda _: None))
