"""docs/how-to/tuning.md: its windows are those that the numbers on it give, through the loader.

After a change that is meant, run with STORYKEEPER_WRITE_DOCS=1 to write the page again.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.context.items import Tier
from storykeeper.context.window import Window
from storykeeper.language.tokens import counter
from storykeeper.story.loader import read_story
from storykeeper.story.model import Story
from storykeeper.story.problems import Problem
from storykeeper.story.tuning import Budget, GravityTuning
from strategies.runs import go, kept, script
from strategies.worlds import EXAMPLE, READER

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "tuning.md"
WRITES = os.environ.get("STORYKEEPER_WRITE_DOCS") == "1"
_SHOWN = re.compile(
    r"<!-- window: after turn (?P<turn>\d+), (?P<tokens>\d+) tokens: (?P<line>.*?) -->\n"
    r"(?:```yaml\n(?P<yaml>(?:.*\n)*?)```\n)?```text\n(?P<text>(?:.*\n)*?)```\n"
)
# the parameters of the seed's table, and what they are called here
OF_THE_SEED = {
    "attractor_weight": ["attractor_weight"], "thematic_weight": ["thematic_weight"],
    "sub_graph_weight": ["layer_weight"], "prophetic_weight": ["prophetic_weight"],
    "temperature_modifier_range": ["temperature_low", "temperature_high"],
    "minimum_candidate_score": ["minimum_score"],
    "retrieved_tier_budget": ["retrieved_least", "retrieved_most"],
}  # fmt: skip
Rows = dict[str, tuple[str, int, float]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[int, Path]:
    """The path, played up to each of the turns on the page."""
    turns = {int(found["turn"]) for found in _SHOWN.finditer(PAGE.read_text("utf-8"))}
    made = {}
    for turn in sorted(turns):
        made[turn] = tmp_path_factory.mktemp("run") / "run.db"
        with kept(made[turn]) as keeper:
            go(keeper, *script("two-keepers")[:turn])
    return made


def edited(folder: Path, more: str) -> Story:
    """The example with these lines at the end of its story.yaml, read as any author's is."""
    shutil.copytree(EXAMPLE, folder)
    with (folder / "story.yaml").open("a", encoding="utf-8") as file:
        file.write(f"\n{more}")
    reading = read_story(folder, counters=counter)
    assert not reading.errors, list(map(str, reading.errors))
    assert reading.story is not None
    return reading.story


def window(run: Path, story: Story | None, line: str, tokens: int, where: Path) -> Window:
    where.mkdir()
    copy = where / "copy.db"
    shutil.copy(run, copy)
    follows = {} if story is None else {"story": story, "adopt": True}
    with Storykeeper.open(copy, reader=READER, **follows) as keeper:
        return keeper.window(text=line, tokens=tokens)


def rows(made: Window) -> Rows:
    shown = (entry for entry in made.receipt.shown if entry.tier is Tier.RETRIEVED)
    return {each.id: (each.form, each.tokens, each.score) for each in shown}


def listed(found: Rows, before: Rows | None) -> str:
    lines = []
    for name, (form, tokens, score) in found.items():
        mark = " " if before is None or before.get(name) == found[name] else "~"
        mark = "+" if before is not None and name not in before else mark
        lines.append(f"{mark} {name:<30} {form:<6} {tokens:>3} {score:7.3f}")
    lines += [f"- {name}" for name in before or {} if name not in found]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def test_the_windows_on_the_page_are_those_of_its_numbers(runs, tmp_path):
    page, first, moved = PAGE.read_text("utf-8"), {}, []

    def shown(found: re.Match) -> str:
        run, at = runs[int(found["turn"])], (found["turn"], found["tokens"])
        where = tmp_path / str(found.start())
        story = (
            edited(tmp_path / f"story-{found.start()}", found["yaml"]) if found["yaml"] else None
        )
        made = rows(window(run, story, found["line"], int(found["tokens"]), where))
        moved.append(story is None or made != first[at])
        text = listed(made, first.get(at) if story else None)
        first.setdefault(at, made)
        return found.group().replace(f"```text\n{found['text']}```", f"```text\n{text}```")

    written = _SHOWN.sub(shown, page)
    if WRITES:
        PAGE.write_text(written, "utf-8")
    assert len(moved) == 11
    assert all(moved)  # every number on the page changes something
    assert page == written or WRITES


@pytest.mark.parametrize(("theirs", "ours"), OF_THE_SEED.items(), ids=OF_THE_SEED)
def test_every_parameter_of_the_seed_is_the_authors_checked_and_on_the_page(theirs, ours, tmp_path):
    fields = {*GravityTuning.__struct_fields__, *Budget.__struct_fields__}
    reference = (ROOT / "docs" / "reference" / "story-files.md").read_text("utf-8")
    for name in ours:
        assert name in fields
        assert f"| `{name}` |" in reference
        assert name in PAGE.read_text("utf-8")
        inside = name in GravityTuning.__struct_fields__
        wrong = f"tuning: {{gravity: {{{name}: -1}}}}" if inside else f"budget: {{{name}: -1}}"
        assert any(name in problem.path for problem in refused(tmp_path / name, wrong)), theirs
    assert refused(tmp_path / "none", "") == ()


def refused(folder: Path, more: str) -> tuple[Problem, ...]:
    shutil.copytree(EXAMPLE, folder)
    with (folder / "story.yaml").open("a", encoding="utf-8") as file:
        file.write(f"\n{more}\n")
    return tuple(read_story(folder, counters=counter).errors)


def test_what_is_tuned_by_gravity_is_all_on_the_page():
    page = PAGE.read_text("utf-8")
    for name in GravityTuning.__struct_fields__:
        assert f"{name}:" in page or f"`{name}`" in page, name
