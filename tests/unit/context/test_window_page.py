"""docs/reference/window.md shows a window as it is.

After a change that is meant, run with STORYKEEPER_WRITE_DOCS=1 to write the page again.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from storykeeper.context.boundary import Boundary
from storykeeper.context.render import FOR_NARRATOR
from storykeeper.context.window import Window
from storykeeper.language.tokens import counter
from storykeeper.story.loader import read_story
from strategies.runs import go, kept, script
from strategies.windows import Played

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "reference" / "window.md"
_BLOCK = re.compile(r"```text\n.*?```", re.DOTALL)


def example() -> Window:
    story = read_story(ROOT / "examples" / "the-lamp-at-harrow", counters=counter).story
    assert story is not None
    played = Played.of(story)
    for line in ("", "I go to the landing."):
        played.play(line)
    return played.window("I ask Tobit about the lamp")


def receipt(window: Window) -> str:
    shown = [
        f"{e.id}  {e.form}  {e.tokens}  {e.score:.2f}" for e in window.receipt.shown if e.tier >= 3
    ]
    left_out = [f"{e.id}  out: {e.reason}  {e.lacking}" for e in window.receipt.left_out]
    refused = [f"{e.id}  refused: {e.rule}" for e in window.receipt.refused]
    total = f"{window.tokens} of {window.receipt.spent.budget} tokens"
    return "\n".join((*shown, *left_out, *refused, total)) + "\n"


def so_far(run: Path) -> str:
    """The story so far as it stands after twenty-two turns."""
    with kept(run) as keeper:
        go(keeper, *script("two-keepers")[:22])
        text = keeper.window(text="I look at Mara.").text
    between = text[text.index(FOR_NARRATOR.so_far) : text.index(FOR_NARRATOR.recent)]
    return between.rstrip() + "\n"


def test_the_window_on_the_page_is_the_window(tmp_path):
    window = example()
    blocks = iter((window.text + "\n", receipt(window), so_far(tmp_path / "run.db")))
    page = PAGE.read_text("utf-8")
    written = _BLOCK.sub(lambda _: f"```text\n{next(blocks)}```", page)
    if os.environ.get("STORYKEEPER_WRITE_DOCS") == "1":
        PAGE.write_text(written, "utf-8")
    assert page == written or os.environ.get("STORYKEEPER_WRITE_DOCS") == "1"
    assert next(blocks, None) is None  # all of them are on the page


def test_every_kind_of_source_is_on_the_page():
    world, present = Played.of(example()._boundary.plan.story).under_way("")
    rules = Boundary(world, (), present, audience="narrator")._rules
    page = PAGE.read_text("utf-8")
    for kind in rules:
        assert f"`{kind}:`" in page or f"`{kind}`" in page, kind
