"""A story's canon reaches the briefs of those who have read it, cited, and nobody else."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.context.check import check_window
from storykeeper.context.items import Shown
from storykeeper.errors import SourceUnreadable, WindowBreach

ROOT = Path(__file__).parents[3] / "examples" / "the-lamp-at-harrow"
ASKED = "Is the burner warmed with spirit before lighting, and may the light be left?"
CITE = "keepers-manual@1911.2"


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT, tmp_path / "lamp"))


def opened(tmp_path: Path, lamp: Path) -> Storykeeper:
    return Storykeeper.open(tmp_path / "run.db", story=lamp)


def test_who_has_read_it_is_told_with_its_source(tmp_path: Path, lamp: Path):
    with opened(tmp_path, lamp) as keeper:
        keeper.opening()
        brief = keeper.brief("mara", ASKED)
        mine = [each for each in brief.items if each.candidate.origin == "written"]
        assert mine
        assert all(each.text.startswith(f"- [{CITE}#") for each in mine)
        assert "methylated spirit" in brief.text
        assert all(each.candidate.terms.trust == 0.9 for each in mine)
        assert sum(each.candidate.tier == 3 for each in brief.items) <= 8
        assert "keepers-manual" not in keeper.brief("tobit", ASKED).text
        assert "keepers-manual" not in keeper.window(text=ASKED).text
        assert brief.text == keeper.brief("mara", ASKED).text


def test_who_has_not_read_it_is_told_the_same_whatever_it_says(tmp_path: Path, lamp: Path):
    def told() -> list[str]:
        with opened(tmp_path, lamp) as keeper:
            keeper.opening()
            texts = [keeper.brief("tobit", ASKED).text, keeper.window(text=ASKED).text]
            texts.append(keeper.brief("mara", ASKED).text)
        (tmp_path / "run.db").unlink()
        return texts

    first = told()
    (lamp / "canon" / "keepers-manual.md").write_text("The burner is warmed with lamp oil.\n")
    second = told()
    assert first[:2] == second[:2]
    assert first[2] != second[2]
    assert "warmed with lamp oil" in second[2]


def test_a_run_without_its_story_at_hand_has_none(tmp_path: Path, lamp: Path):
    with opened(tmp_path, lamp) as keeper:
        keeper.opening()
    with Storykeeper.open(tmp_path / "run.db") as keeper:
        assert "keepers-manual" not in keeper.brief("mara", ASKED).text


def test_a_source_that_cannot_be_read_says_so(tmp_path: Path, lamp: Path):
    (lamp / "canon" / "keepers-manual.md").write_bytes(b"\xff\xfe")
    with opened(tmp_path, lamp) as keeper:
        keeper.opening()
        with pytest.raises(SourceUnreadable, match=f"{CITE}, line 1: the byte 0xff"):
            keeper.brief("mara", ASKED)


def test_a_passage_without_its_source_never_leaves(tmp_path: Path, lamp: Path):
    with opened(tmp_path, lamp) as keeper:
        keeper.opening()
        brief = keeper.brief("mara", ASKED)
        bare = [
            Shown(replace(each.candidate, full="- The light is not to be left."), "full", 9)
            if each.candidate.origin == "written" else each
            for each in brief.items if each.candidate.origin in ("hard", "written")
        ]  # fmt: skip
        text = brief.text + "\n".join(each.text for each in bare)
        with pytest.raises(WindowBreach, match=f"law 10: canon:{CITE}#.* does not cite"):
            check_window(
                bare, boundary=brief._boundary, soft=(), past=(), base_units=0, text=text,
                counted=1, tokens=2,
            )  # fmt: skip
        outdated = brief._boundary.ruling("canon:keepers-manual@1910#1")
        assert outdated.boundary == 0
        assert brief._boundary.ruling(f"canon:{CITE}#1").boundary == 1
