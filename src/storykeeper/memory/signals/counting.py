"""Makes the table of how common words are (`background` says what it is for).

    python -m storykeeper.memory.signals.counting --data DIR

counts LitBank, CRD3 and SQuALITY below DIR in passages of 25 words, and writes the table beside
this file: first how many passages there were, then a line for each count, the terms in order. Terms
of one passage alone are left out. The same data gives the same bytes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from storykeeper.memory.signals.words import terms
from storykeeper.models.embedders.corpora import texts

PASSAGE_WORDS = 25
_HEAD = "# passages of 25 words; then, by how many of them have it, the terms"


def counted(found: Iterable[str]) -> tuple[int, Counter[str]]:
    """How many passages there are, and in how many each term stands."""
    having: Counter[str] = Counter()
    passages = 0
    words = " ".join(found).split()
    for start in range(0, len(words), PASSAGE_WORDS):
        passages += 1
        having.update(set(terms(" ".join(words[start : start + PASSAGE_WORDS]))))
    return passages, having


def written(passages: int, having: Counter[str]) -> str:
    """The table as text."""
    by_count: defaultdict[int, list[str]] = defaultdict(list)
    for term, count in having.items():
        if count > 1:
            by_count[count].append(term)
    lines = [f"{count} {' '.join(sorted(by_count[count]))}" for count in sorted(by_count)]
    return "\n".join([_HEAD, str(passages), *lines, ""])


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the table."""
    parser = argparse.ArgumentParser(prog="python -m storykeeper.memory.signals.counting")
    parser.add_argument("--data", type=Path, required=True, help="litbank, crd3, squality")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("background.txt"))
    chosen = parser.parse_args(arguments)
    passages, having = counted(texts(chosen.data))
    chosen.out.write_text(written(passages, having), "utf-8")
    sys.stdout.write(f"{passages:,} passages, {len(having):,} terms: wrote {chosen.out}\n")


if __name__ == "__main__":
    main()
