"""`bench leaks` finds what a recollection should not have by the ledger's names, not by its own."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest

from storykeeper import Storykeeper
from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.detecting import SOURCE, Leak, forbidden, leaks
from storykeeper.bench.leaks.looking import Looking
from storykeeper.bench.leaks.playing import Playing, Sizes
from storykeeper.play import mind, recalling
from strategies.worlds import READER


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("recalled") / "run.db"
    playing = Playing(planted(1), path, READER, Sizes(0, 0, 0, 0, 0))
    list(playing.everything_shown())
    return playing


def found(playing: Playing) -> list[Leak]:
    """What is searched in what everybody recalls, by where it comes from alone."""
    about = " ".join(spoken.wording.said for spoken in playing.stage.spoken)
    leaked: list[Leak] = []
    with Storykeeper.open(playing.path, reader=READER) as keeper:
        looking = Looking(playing.stage, keeper, playing.moment, Random(1))
        for person in playing.stage.cast:
            shown = replace(looking.recall(person.id, about), texts=())
            leaked += leaks(shown, forbidden(shown, playing.secrets()), seed=1)
    return leaked


def test_what_is_recalled_is_found_by_where_it_comes_from(played):
    assert found(played) == []
    with (
        patch.object(mind, "open_to", everything),
        patch.object(recalling, "permitted", lambda hits, *_, **__: tuple(hits)),
    ):
        leaked = found(played)
    assert {leak.how for leak in leaked} == {SOURCE}
    assert {"whisper", "so_far", "aside"} <= {leak.carrier for leak in leaked}
    assert "an event of turn" in str(leaked[0])


def everything(items, audience, *, first=1):
    events = (item for item in items if item.id.startswith("atom:"))
    for order, item in enumerate(events, start=first):
        yield replace(item, order=order, audience=frozenset({audience}))
