"""A story's canon reaches the briefs of those who have read it, cited, and nobody else."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.context.check import check_window
from storykeeper.context.items import Shown
from storykeeper.errors import ComplianceRefused, SourceUnreadable, StoryInvalid, WindowBreach
from storykeeper.serve.settings import ServiceSettings
from storykeeper.serve.tenancy import Tenancy

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


TERMS = "compliance: {non_commercial: false, local_only: false}"
FAN_TERMS = "compliance: {non_commercial: true, local_only: true}"


def made_private(lamp: Path, *, terms: str) -> Path:
    """The manual in `private/`, under these terms."""
    (lamp / "private").mkdir()
    shutil.move(lamp / "canon" / "keepers-manual.md", lamp / "private" / "manual.md")
    story = (lamp / "story.yaml").read_text("utf-8")
    assert TERMS in story
    story = story.replace("canon/keepers-manual.md", "private/manual.md").replace(TERMS, terms)
    (lamp / "story.yaml").write_text(story, "utf-8")
    return lamp


@pytest.mark.parametrize("terms", [TERMS, "", TERMS.replace("false", "true", 1)])
def test_private_canon_needs_its_terms(tmp_path: Path, lamp: Path, terms: str):
    with pytest.raises(StoryInvalid, match="`keepers-manual` is private, and its terms"):
        opened(tmp_path, made_private(lamp, terms=terms))


def test_what_is_for_this_machine_lies_in_its_folder(tmp_path: Path, lamp: Path):
    story = (lamp / "story.yaml").read_text("utf-8")
    (lamp / "story.yaml").write_text(story.replace(TERMS, FAN_TERMS), "utf-8")
    with pytest.raises(StoryInvalid, match="may not leave this machine"):
        opened(tmp_path, lamp)


def test_a_link_leads_nowhere_private(tmp_path: Path, lamp: Path):
    (lamp / "private").mkdir()
    manual = lamp / "canon" / "keepers-manual.md"
    shutil.move(manual, lamp / "private" / "manual.md")
    manual.symlink_to(lamp / "private" / "manual.md")
    with opened(tmp_path, lamp) as keeper:
        keeper.opening()
        with pytest.raises(ComplianceRefused, match=r"leads to private/manual\.md"):
            keeper.brief("mara", ASKED)


def test_of_private_canon_no_receipt_for_an_audience_lists_anything(tmp_path: Path, lamp: Path):
    with opened(tmp_path, made_private(lamp, terms=FAN_TERMS)) as keeper:
        keeper.opening()
        brief = keeper.brief("mara", ASKED)
        assert CITE in brief.text
        assert any(CITE in source for each in brief.receipt.shown for source in each.sources)
        for audience in ("mara", "tobit"):
            assert "keepers-manual" not in str(brief.receipt_for(audience))
        keeper.close()
    with Storykeeper.open(tmp_path / "run.db") as keeper:
        assert "methylated spirit" not in keeper.brief("mara", ASKED).text
    assert "methylated spirit" not in exported(tmp_path / "run.db")


def test_a_service_that_others_reach_begins_no_run_of_it(tmp_path: Path, lamp: Path):
    made_private(lamp, terms=FAN_TERMS)

    def begin(host: str) -> None:
        settings = ServiceSettings(data=tmp_path / host, stories=lamp.parent, host=host)
        Tenancy("local", settings).beginning("run", lamp)().close()
        assert Tenancy("local", settings).runs() == ["run"]

    begin("127.0.0.1")
    with pytest.raises(ComplianceRefused, match="may not leave this machine"):
        begin("0.0.0.0")
    assert not (tmp_path / "0.0.0.0").exists()


def exported(run: Path) -> str:
    result = CliRunner().invoke(app, ["export", str(run)])
    assert result.exit_code == 0, result.output
    return result.stdout


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
