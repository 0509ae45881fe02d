"""What `check` says of things that are hidden."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.story.checks.reaching import check_reaching
from storykeeper.story.checks.structure import check_structure
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.places import Setting, Thing
from storykeeper.story.problems import Severity
from strategies.parlour import parlour, with_things

KEY = Thing(id="key", name="the key", at="parlour", hidden=True)
ISLE = Setting(id="isle", name="the isle")
NEVER = Condition(happened="never-comes")
SUNG = Condition(did=Did(who="player", act="sing"))


def problems(thing: Thing, *events: StoryEvent) -> dict[str, Severity]:
    story = with_things(parlour(), thing)
    story = structs.replace(story, settings=(*story.settings, ISLE), events=events)
    found = (*check_structure(story), *check_reaching(story))
    return {p.code: p.severity for p in found if p.path[:1] == ("things",)}


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (KEY, {}),
        (structs.replace(KEY, hidden=False), {}),
        (structs.replace(KEY, revealed_by=SUNG), {}),
        (structs.replace(KEY, at=None, held_by="tom"), {"hidden-held": Severity.ERROR}),
        (structs.replace(KEY, at=None), {"hidden-nowhere": Severity.WARNING}),
        (structs.replace(KEY, hidden=False, revealed_by=SUNG), {"not-hidden": Severity.WARNING}),
        (structs.replace(KEY, revealed_by=NEVER), {"never": Severity.WARNING}),
        (structs.replace(KEY, at="isle"), {"never-found": Severity.WARNING}),
        (structs.replace(KEY, at="isle", revealed_by=SUNG), {}),
    ],
)
def test_a_hidden_thing_lies_somewhere_and_can_be_found(thing, expected):
    assert problems(thing) == expected


def test_what_an_event_gives_need_not_be_found():
    gives = StoryEvent(id="given", summary="Tom gives it.", when=SUNG, gives={"key": "player"})
    assert problems(structs.replace(KEY, at="isle"), gives) == {}
    late = structs.replace(gives, when=NEVER)
    assert "never-found" in problems(structs.replace(KEY, at="isle"), late)
