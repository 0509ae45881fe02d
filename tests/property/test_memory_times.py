"""A reading of time raises and never shuts out: what a plain search puts first stays in sight."""

from __future__ import annotations

import random
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from storykeeper.language.time import Narrowing, Use
from storykeeper.memory import search as searching
from storykeeper.memory.moments import moment
from strategies.memories import DAY, QUERIES, START, WORDS, fresh, line

TIMES = (
    "last week", "on Friday", "in our previous conversation", "two sessions ago", "last time",
    "in the first session", "yesterday", "last month", "in May", "three days ago",
)  # fmt: skip
SAID = tuple(
    f"what did you say about the {word} {time}?" for word in WORDS[:8] for time in TIMES
) + tuple(f"I was thinking of {time}: where is the {word}?" for word in WORDS for time in TIMES)


def _told(seed: int):
    luck = random.Random(seed)
    memory = fresh(hashed=True)
    for number in range(luck.randint(24, 48)):
        day = number // 12  # more of a day than the first ten hold
        memory.add(line(luck), at=(START + day * DAY) / 1_000, session=f"s{day}")
    return memory, (START + luck.randint(0, 6) * DAY) / 1_000


@given(seed=st.integers(0, 2_000), query=st.sampled_from([*QUERIES, *SAID]))
def test_what_is_first_without_times_stays_among_the_first_ten(seed, query):
    memory, now = _told(seed)
    read: list[Narrowing] = []
    whole = searching.narrowed

    def narrowed(*some):
        read.append(whole(*some))
        return read[-1]

    with patch.object(searching, "narrowed", narrowed):
        found = memory.search(query, now=now, k=10)
    assume(read[0].kind is not Use.PURE)
    with patch.object(searching, "narrowed", lambda *_: Narrowing(Use.NONE, query)):
        plain = memory.search(query, now=now, k=10)
    assert {hit.item.id for hit in plain[:1]} <= {hit.item.id for hit in found}
    assert len(found) == len({hit.item.id for hit in found})


@pytest.mark.parametrize("asked", ["in our previous conversation", "last time", "last Friday"])
def test_a_time_read_wrongly_loses_nothing(asked):
    memory = fresh(hashed=True)
    memory.add("The saddle is in the quarry", at="2024-03-01", session="old")
    for day in range(1, 29):
        memory.add(
            f"Nothing of note happened, number {day}", at=f"2024-05-{day:02}", session=f"{day}"
        )
    hits = memory.search(f"You said {asked} where the saddle is. Where is it?", now="2024-05-30")
    assert any("saddle" in hit.item.text for hit in hits)


def test_what_was_said_at_the_time_counts_for_more():
    memory = fresh(hashed=True)
    for day in (6, 13, 20):
        memory.add("The saddle is in the quarry now", at=f"2024-05-{day:02}", session=f"{day}")
    hits = memory.search("What did we say about the saddle on Monday 13 May?", now="2024-05-30")
    assert hits[0].item.session == "13"
    assert len(hits) == 3  # the others are not shut out


def test_what_is_old_is_found_as_well_as_what_is_new():
    memory = fresh(hashed=True)
    old = "Ben took the saddle down to the quarry and left it there in a barrel of barley"
    memory.add(old, at="2019-05-01")
    for hour in range(1, 20):
        told = f"Is the lamp where it is kept, on the chimney? Number {hour}"
        memory.add(told, at=f"2024-05-20T{hour:02}:00")
    hits = memory.search("Where is the saddle kept?", now="2024-05-20T19:10")
    assert hits[0].item.text == old


def test_of_two_alike_the_newer_is_first():
    memory = fresh(hashed=True)
    for year in (2019, 2023, 2021):
        memory.add("The saddle is in the quarry", at=f"{year}-05-01")
    hits = memory.search("Where is the saddle?", now="2023-05-02")
    assert hits[0].item.at_ms == moment("2023-05-01")
