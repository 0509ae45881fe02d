"""A stage block never reaches the player while it is streamed, however it is cut."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storykeeper.staging.declaration import rendered
from storykeeper.staging.stage_filter import END_MARKS, StageFilter

PROSE = "Mara goes out.\n\n“Coal,” she says."
BLOCK = '\n\n```stage\n{"moves": [{"who": ["mara"], "kind": "departs"}]}\n```'
PIECES = st.sampled_from(
    ["Mara ", "goes.", "\n", "\n\n", "`", "```", "~~~", "stage", "```stage", "stag", "```js", "on",
     "{", "}", " ",
     "STAGE", "```json\n", "<", "<|im", "_end|>", "</s>", BLOCK, "\r\n", "{}\n```"]
)  # fmt: skip


def streamed(parts: list[str]) -> tuple[list[str], StageFilter]:
    held = StageFilter()
    shown = [held.add(part) for part in parts]
    return [*shown, held.end()], held


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1000])
def test_the_block_is_held_back(size):
    text = PROSE + BLOCK
    shown, held = streamed([text[i : i + size] for i in range(0, len(text), size)])
    assert "".join(shown) == PROSE == held.prose
    assert rendered(held.raw, None)[1].moves[0].who == ("mara",)
    assert size == 1000 or shown[0]  # prose does not wait for the end


@pytest.mark.parametrize("label", ["json", "JSON", "stage json"])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_block_by_another_name_is_held_back(label, size):
    text = PROSE + BLOCK.replace("stage", label)
    shown, held = streamed([text[i : i + size] for i in range(0, len(text), size)])
    assert "".join(shown) == PROSE == held.prose
    found = rendered(held.raw, None)
    assert label == "stage json" or found[1].moves[0].who == ("mara",)


@pytest.mark.parametrize("cut", range(len(PROSE), len(PROSE + BLOCK)))
def test_nothing_of_a_block_that_is_cut_is_shown(cut):
    text = (PROSE + BLOCK)[:cut]
    held = StageFilter()
    shown = "".join(held.add(char) for char in text)
    assert shown == PROSE
    assert held.end() in ("", "`", "``", "\n\n`", "\n\n``")  # a cut answer is never kept


@given(st.lists(PIECES, max_size=12), st.integers(1, 9))
@example(["Mara ", "```", "\n", "stage"], 1)
@example(["<", "</s>"], 1)  # what looked like a mark before the mark
def test_what_is_shown_is_the_beginning_of_what_is_kept(pieces, size):
    text = "".join(pieces)
    held = StageFilter()
    shown = ""
    for i in range(0, len(text), size):
        shown += held.add(text[i : i + size])
        assert shown == held.shown
    shown += held.end()
    assert shown == held.prose
    assert rendered(held.raw, None)[0].strip() == shown


@pytest.mark.parametrize("mark", END_MARKS)
def test_an_answer_ends_where_its_template_ends_it(mark):
    for size in (1, 4, 100):
        text = f"The lamp is out.{mark}user\nI wait."
        shown, held = streamed([text[i : i + size] for i in range(0, len(text), size)])
        assert "".join(shown) == "The lamp is out." == held.prose


def test_what_only_looks_like_it_is_shown():
    for text in ("a < b", "`lamp`", "```python\nx\n``` and on", "stage left", "```stagecoach\nx"):
        shown, held = streamed(list(text))
        assert "".join(shown) == text == held.prose
