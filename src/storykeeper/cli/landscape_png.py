"""SVG to PNG, by a library that is installed with `storykeeper[draw]`."""

from __future__ import annotations

from importlib import import_module

from storykeeper.drawing.svg import FONTS
from storykeeper.errors import StorykeeperError

INSTALL = 'pip install "storykeeper[draw]", or write an .svg instead, which needs nothing'
SCALE = 2
_BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">{}</svg>'
_LETTER = _BLANK.format(f'<text x="4" y="20" font-family="{FONTS}">M</text>')


class CannotDraw(StorykeeperError):
    """A picture of this kind cannot be made here, and what to do about it."""


def png(svg: str) -> bytes:
    """The picture at twice its size."""
    try:
        resvg = import_module("resvg_py")
    except ImportError:
        raise CannotDraw(f"drawing a .png needs resvg-py: {INSTALL}") from None
    if resvg.svg_to_bytes(_LETTER) == resvg.svg_to_bytes(_BLANK.format("")):
        raise CannotDraw(
            "none of the usual fonts is installed, so that a .png would have no names in it:"
            " install DejaVu Sans or Noto Sans, or write an .svg instead"
        )
    return bytes(resvg.svg_to_bytes(svg, zoom=SCALE))
