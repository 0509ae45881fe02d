"""Labels: one line, of a width, and nothing in them that a terminal or an XML reader obeys."""

import unicodedata
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from storykeeper.drawing.labels import cell, isolated, label

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)


@given(ANYTHING, st.integers(1, 30))
def test_a_label_fits_and_is_plain(text, width):
    found = label(text, cells=width)
    assert cell_len(found) <= width
    assert len(found) <= 3 * width + 1
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in found)
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(found)
    plain = found.replace("<", "").replace("&", "")
    assert ET.fromstring(f"<a>{plain}</a>").text in (plain, None)


@given(ANYTHING, st.integers(1, 30))
def test_a_cell_is_as_wide_as_its_column(text, width):
    assert cell_len(cell(text, width).strip("\u2068\u2069")) >= width - 2
    assert cell_len(cell(text, width).translate({0x2068: "", 0x2069: ""})) == width


def test_what_is_short_is_left_alone():
    assert label("The hour", cells=24) == "The hour"
    assert label("  The\n\thour ", cells=24) == "The hour"
    assert label("", cells=4) == ""


def test_what_is_long_is_cut():
    assert label("x" * 300, cells=5) == "xxxx…"
    assert label("時間時間", cells=5) == "時間…"
    assert len(label("e" + "\u0301" * 300, cells=5)) <= 16


def test_marks_that_turn_a_line_are_dropped():
    assert label("a\u202eb\x1b[31mc\x00", cells=20) == "ab[31mc"
    assert isolated("abc") == "abc"
    assert isolated("שעה") == "\u2068שעה\u2069"
