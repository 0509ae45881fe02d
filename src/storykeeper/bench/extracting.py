"""How long it takes to read a turn of 200 words and make it fact, beside the parse alone.

Nothing is asked of a model. The texts are the labelled passages that come with us, cut to 200
words; every one is read afresh.
"""

from __future__ import annotations

from pathlib import Path

from storykeeper.bench.mentions.following import Followed
from storykeeper.bench.mentions.objects import passages
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.timing import spread, timed
from storykeeper.language.parser import parse

WORDS = 200


def extract(place: Path, setup: Setup, figures: Figures) -> None:
    """Reading, resolving and deciding, against spaCy's parse of the same text."""
    del place
    texts = [_cut(passage.text) for passage in passages()]
    rounds = 1 if setup.quick else 8
    ours: list[float] = []
    bare: list[float] = []
    run = Followed()
    for text in texts[:3]:  # warm
        run.tell(text)
    for number in range(rounds):
        for text in texts:
            bare.append(timed(lambda text=text: parse(text)))  # type: ignore[misc]
            # Told in a scene of its own, so that no sentence was told before.
            fresh = f"{text} {number}."
            ours.append(timed(lambda fresh=fresh: Followed().tell(fresh)))  # type: ignore[misc]
    figures["storykeeper"]["extract"] = spread(ours)
    figures["floor"]["extract"] = spread(bare)
    figures["ratio"]["extract"] = {
        key: round(figures["storykeeper"]["extract"][key] / value, 2)
        for key, value in figures["floor"]["extract"].items()
    }


def _cut(text: str) -> str:
    pieces, count = [], 0
    for line in text.splitlines():
        words = line.split()[: WORDS - count]
        count += len(words)
        pieces.append(" ".join(words))
    return "\n".join(pieces).strip()
