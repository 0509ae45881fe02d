"""`bench mentions`: people and places on LitBank, objects on prose of our own, and what is tracked.

With `--campaign` instead: ten evenings of a campaign read end to end as one run. With `--sample N`
instead: N of the things that are tracked, with their sentences, to be judged by hand.
"""

from __future__ import annotations

from pathlib import Path

from storykeeper.bench.mentions import campaign, evaluation, objects, sampling, tracking
from storykeeper.bench.mentions.campaign_data import Episode, episodes
from storykeeper.bench.mentions.following import Table, objects_of
from storykeeper.bench.mentions.litbank import books
from storykeeper.bench.registry import Figures, Setup
from storykeeper.language.prose import ProseReader

_QUICK = 2  # episodes, books, passages


def measure(setup: Setup) -> Figures:
    """All of it; or the campaign, or a sample, alone."""
    if setup.campaign:
        return _campaign(setup)
    if setup.sample:
        return _sample(setup)
    figures = evaluation.measure(setup)
    ours = figures["storykeeper"]
    setup.say("objects …")
    reader = ProseReader()
    for which, name in (("play", "objects"), ("hard", "objects_hard")):
        labelled = objects.passages(which)[: _QUICK if setup.quick else None]  # type: ignore[arg-type]
        ours[name] = objects.measure(lambda text: objects_of(text, reader), labelled)
    setup.say("tracked …")
    read = books(setup.data)[: _QUICK if setup.quick else None]
    ours["tracked"] = tracking.measure(read, _evenings(setup), reader, setup.say)
    return figures


def _evenings(setup: Setup) -> list[Episode]:
    if setup.data is None or not (setup.data / "crd3").is_dir():
        setup.say("  no crd3 beside it: books only")
        return []
    return episodes(setup.data)[: 1 if setup.quick else None]


def _campaign(setup: Setup) -> Figures:
    evenings = episodes(setup.data or Path())[: _QUICK if setup.quick else None]
    table = Table({evening.game_master for evening in evenings})
    return {"storykeeper": campaign.measure(table, evenings, setup.say)}


def _sample(setup: Setup) -> Figures:
    read = books(setup.data)
    drawn = sampling.measure(
        setup.sample, setup.seed, read, _evenings(setup), ProseReader(), setup.say
    )
    return {"sample": drawn}
