"""Measures χ, characters per token, script by script, and prints the table of `chi.py`.

    python -m storykeeper.bench.lexicon_fit.chi > src/storykeeper/language/chi.py

For every script the samples are cut into pieces of 80 characters, each piece is counted by both
encodings, and χ is the tenth percentile of characters per token over all pieces: nine pieces in
ten are then not underestimated. The samples are our own, and short; they say what a script costs,
not what a language costs in every register.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.resources import files

import yaml

from storykeeper.language.tokens import counter

PIECE_CHARS = 80


def pieces(text: str) -> Iterator[str]:
    """A text in pieces of equal length; a last short one is left out unless it is the only one."""
    flat = " ".join(text.split())
    for start in range(0, max(1, len(flat) - PIECE_CHARS + 1), PIECE_CHARS):
        yield flat[start : start + PIECE_CHARS]


def chi(samples: list[str]) -> float:
    """Tenth percentile of characters per token, over all pieces and both encodings."""
    counts = [counter("o200k"), counter("cl100k")]
    ratios = sorted(len(p) / count(p) for s in samples for p in pieces(s) for count in counts)
    return int(ratios[len(ratios) // 10] * 100) / 100


def main() -> None:
    """Print the table."""
    source = files("storykeeper.bench.lexicon_fit").joinpath("samples.yaml").read_text("utf-8")
    samples: dict[str, list[str]] = yaml.safe_load(source)
    lines = [f'    "{name}": {chi(texts):.2f},' for name, texts in samples.items()]
    head = '"""Characters per token by script. Written by storykeeper.bench.lexicon_fit.chi."""'
    body = "\n".join(["from __future__ import annotations", "", "MEASURED = {", *lines, "}"])
    sys.stdout.write(f"{head}\n\n{body}\n")


if __name__ == "__main__":
    main()
