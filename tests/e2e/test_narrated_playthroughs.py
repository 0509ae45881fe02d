"""Whole playthroughs told over HTTP by an endpoint that answers their prose and stage blocks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from storykeeper.bench.continuity.data import load
from storykeeper.bench.continuity.staging import staged
from storykeeper.models.endpoint import Endpoint
from storykeeper.play.narrator import Narrator
from storykeeper.story.loader import load_story
from strategies.chat_servers import serving, streams
from strategies.sizes import LONG

DATA = Path(__file__).parents[1] / "data"
TURNS = None if LONG else 8
FIELDS = ("moves", "asides", "told", "at", "here", "holds")


def replies(told, facts, number):
    """What it answers; facts by the handles of the window it was given, where their text stands
    there, as a model would.
    """

    def reply(handler, body):
        window = "\n".join(message["content"] for message in body["messages"])
        rows = [row | {"fact": handle(facts[row["fact"]], window) or row["fact"]}
                for row in told.stage.get("told", ())]  # fmt: skip
        stage = {name: told.stage[name] for name in FIELDS if name in told.stage} | {"told": rows}
        text = f"{told.prose}\n\n```stage\n{json.dumps(stage)}\n```\n"
        streams(parts(text, number))(handler, body)

    return reply


def handle(fact, window):
    """By what a window calls a fact whose text it has."""
    line = next((line for line in window.splitlines() if fact in line), "")
    found = re.search(r"\[(F\d+)\]", line)
    return found and found[1]


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
    facts = {each.id: each.full for each in load_story(found.story).facts}
    shown: list[str] = []
    answers = [replies(told, facts, number) for number, told in enumerate(turns)]
    with serving(*answers) as server:
        over_http = staged(
            found, declared=True, most=TURNS, show=shown.append,
            narrator=Narrator(Endpoint(server.url, "scripted")),
        )  # fmt: skip
    assert "".join(shown) == "".join(told.prose.strip() for told in turns)
    given = staged(found, declared=True, most=TURNS)
    for what in ("places", "held", "told", "holds"):
        assert over_http.asked[what] == given.asked[what]
        assert over_http.right[what] >= given.right[what]
    assert over_http.right["held"] >= 0.9 * over_http.asked["held"]
