"""The same search on fiction: sentences of people's summaries of an evening seek its turns.

What is learned was fitted on chats, so it is measured on something else too. Of CRD3, every
sentence of a summary with three content words or more is asked of the evening that it sums up;
what it should find are the turns that its part of the summary is aligned with, and one of them is
enough.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from storykeeper.bench.locomo.data import Asked, Chat, Turn
from storykeeper.bench.locomo.found import FIRST, Found
from storykeeper.bench.mentions.campaign_data import Episode, NoCampaign, episodes
from storykeeper.bench.registry import Figures
from storykeeper.memory.compaction.sentences import sentences
from storykeeper.memory.compaction.terms import terms

EVENINGS = 2  # of some 2,500 turns each
LEAST_TERMS = 3
MOST_TURNS = 100  # a part that is aligned with more than these says nothing


def evenings(data: Path, *, most: int = EVENINGS) -> list[Chat]:
    """Evenings of a campaign as chats, and what people wrote about them as questions."""
    return [_evening(data, episode) for episode in episodes(data)[:most]]


def _evening(data: Path, episode: Episode) -> Chat:
    path = data / "crd3" / "aligned" / f"{episode.name}_2_0.json"
    try:
        asked = _asked(json.loads(path.read_text("utf-8")), episode)
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise NoCampaign(f"{path} is no summary of crd3: {wrong!r}") from wrong
    turns = [
        Turn(f"{turn.number}", " and ".join(turn.speakers), turn.text, episode.name, "", None)
        for turn in episode.turns
    ]
    return Chat(episode.name, tuple(turns), asked)


def _asked(parts: list[dict[str, Any]], episode: Episode) -> tuple[Asked, ...]:
    places = {turn.number: place for place, turn in enumerate(episode.turns)}
    found = []
    for part in parts:
        told = part["ALIGNMENT"]
        wanted = range(told["TURN START"], told["TURN END"] + 1)
        gold = tuple(places[number] for number in wanted if number in places)
        if 0 < len(gold) <= MOST_TURNS:
            found += [
                Asked(sentence, "fiction", gold)
                for sentence in sentences(part["CHUNK"])
                if len(terms(sentence)) >= LEAST_TERMS
            ]
    return tuple(found)


def figures(found: Sequence[Found]) -> Figures:
    """How often one of the turns is among the first so many, in percent."""
    hits = {
        f"{first}": [bool({*each.order[:first]} & {*each.gold}) for each in found]
        for first in FIRST
    }
    shares = {first: round(100 * fmean(some), 1) if some else 0.0 for first, some in hits.items()}
    return {"hit": shares, "questions": len(found)}
