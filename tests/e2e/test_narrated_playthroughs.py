"""Whole playthroughs told over HTTP by an endpoint that answers their prose and stage blocks."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from storykeeper.bench.continuity.data import load
from storykeeper.bench.continuity.staging import staged
from storykeeper.models.endpoint import Endpoint
from storykeeper.play.narrator import Narrator
from strategies.chat_servers import serving, streams
from strategies.sizes import LONG

DATA = Path(__file__).parents[1] / "data"
TURNS = None if LONG else 8
FIELDS = ("moves", "asides", "told", "at", "here", "holds")


def answer(told) -> str:
    stage = {name: told.stage[name] for name in FIELDS if name in told.stage}
    return f"{told.prose}\n\n```stage\n{json.dumps(stage)}\n```\n"


def parts(text: str, seed: int) -> list[str]:
    """A text in pieces of one to nine characters."""
    random, found, at = Random(seed), [], 0
    while at < len(text):
        size = random.randint(1, 9)
        found.append(text[at : at + size])
        at += size
    return found


@pytest.mark.parametrize("name", ["halyard", *(["orchard", "saltroad"] if LONG else [])])
def test_told_over_http_it_is_what_it_was(name):
    found = next(each for each in load(DATA) if each.name == name)
    turns = found.turns[:TURNS]
    replies = [streams(parts(answer(told), number)) for number, told in enumerate(turns)]
    shown: list[str] = []
    with serving(*replies) as server:
        over_http = staged(
            found, declared=True, most=TURNS, show=shown.append,
            narrator=Narrator(Endpoint(server.url, "scripted")),
        )  # fmt: skip
    assert "".join(shown) == "".join(told.prose.strip() for told in turns)
    given = staged(found, declared=True, most=TURNS)
    for what in ("places", "held", "told", "holds"):
        assert over_http.asked[what] == given.asked[what]
        assert over_http.right[what] >= given.right[what] - (what == "told")
    assert over_http.right["held"] >= 0.9 * over_http.asked["held"]
