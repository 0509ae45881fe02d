"""Lines that authors wrote for moments of playthroughs, and what they are held against."""

import json
from dataclasses import replace
from pathlib import Path

from storykeeper.bench.continuity.data import load
from storykeeper.bench.continuity.player_lines import name_of
from storykeeper.bench.continuity.typed_lines import tried
from storykeeper.story.conditions import Did
from storykeeper.story.loader import read_story
from storykeeper.story.walk import walk

DATA = Path(__file__).parents[2] / "data"
ROWS = [json.loads(row) for row in (DATA / "typed_lines.jsonl").read_text("utf-8").splitlines()]
PLAYED = {each.name: each for each in load(DATA)}


def test_every_label_is_an_act_that_its_story_asks_about():
    for name, played in PLAYED.items():
        story = read_story(played.story).story
        acts = {name_of(part) for _, part in walk(story) if isinstance(part, Did)}
        assert {act for row in ROWS if row["playthrough"] == name for act in row["acts"]} <= acts


def test_a_line_does_what_it_says_and_another_does_not():
    saltroad = PLAYED["saltroad"]
    short = replace(saltroad, turns=saltroad.turns[:3])
    typed = [
        {"playthrough": "saltroad", "turn": 3, "author": "x", "line": line, "acts": ["shout"]}
        for line in ("I shout.", "I sit down.")
    ]
    (loud, quiet) = (found for _, found in tried(short, typed))
    assert (loud["matched"], loud["false"], quiet["matched"]) == (1, 0, 0)
    assert loud["acts"] == quiet["acts"] == 1
