"""Messages for models that cache: parts that stay the same, marked, and joined the text itself."""

from __future__ import annotations

from itertools import pairwise

import pytest

from storykeeper.bench.prefix.stage import stage
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.tail import RECENT
from storykeeper.context.window import Window
from strategies.windows import Played


def run(turns: int) -> Played:
    played = Played.of(stage())
    played.play("", "It begins.")
    for i in range(turns):
        played.play(f"I hum, {i}.", f"Nothing much happens, {i}. " * 12)
    return played


def parts(window: Window) -> list[dict]:
    return [part for message in window.cached_messages for part in message["content"]]


def marked(window: Window) -> list[str]:
    return [part["text"] for part in parts(window) if "cache_control" in part]


@pytest.mark.parametrize("audience", ["narrator", "odile", "wanda"])
@pytest.mark.parametrize("turns", [0, 1, 5, 40])
def test_joined_the_parts_are_the_text(audience, turns):
    window = run(turns).window("I wait.", audience=audience)
    assert "".join(part["text"] for part in parts(window)) == window.text
    assert next(m["role"] for m in window.cached_messages) == "system"
    assert parts(window)[0]["text"] == window.stable
    assert all(part["text"] for part in parts(window))


def test_tier_1_the_last_turn_and_all_before_it_are_marked_and_nothing_else():
    window = run(14).window("I wait.")
    first, before, newest = marked(window)
    assert first == window.stable
    assert "happens, 12." in before
    assert "happens, 13." in newest
    assert [p["cache_control"] for p in parts(window) if "cache_control" in p] == [
        {"type": "ephemeral"}
    ] * 3
    assert "cache_control" not in parts(window)[-1]
    assert "# The player" in parts(window)[-1]["text"]


def test_the_story_so_far_is_one_part_and_every_turn_of_the_tail_one():
    window = run(40).window("I wait.")
    origins = [each.candidate.origin for each in window.items]
    assert origins.count(SO_FAR) == 1
    texts = [part["text"].lstrip("\n") for part in parts(window)]
    assert len(texts) == 1 + 1 + origins.count(RECENT) + 1
    assert texts[1].startswith("# The story so far")
    assert texts[2].startswith("# Told last\n")
    assert texts[-1].startswith("# To write from")


def test_what_was_marked_last_is_found_again_when_a_turn_is_appended():
    """All parts up to the newest turn are the same parts in the next window, until a cut."""
    windows = [run(turns).window("I wait.") for turns in range(32, 38)]
    kept = []
    for before, now in pairwise(windows):
        old = [part["text"] for part in parts(before)][:-1]
        new = [part["text"] for part in parts(now)]
        kept.append(new[: len(old)] == old)
    assert kept == [True, True, True, False, True]  # turn 36 cuts


def test_plain_messages_begin_as_those_before_until_a_cut():
    windows = [run(turns).window("I wait.") for turns in range(32, 36)]
    for before, now in pairwise(windows):
        system, user = (message["content"] for message in before.messages)
        assert now.messages[0]["content"] == system
        told = "".join(part["text"] for part in parts(before)[1:-1])
        assert told.lstrip("\n").startswith("# The story so far")
        assert user.startswith(told.lstrip("\n"))
        assert now.messages[1]["content"].startswith(told.lstrip("\n"))


def test_before_anything_was_told_only_tier_1_is_marked():
    window = Played.of(stage()).window("")
    assert marked(window) == [window.stable]
