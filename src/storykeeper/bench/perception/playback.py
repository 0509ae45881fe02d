"""A passage played through the public interface, and what is to be seen of it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from storykeeper.bench.perception.data import Passage
from storykeeper.bench.perception.declaration import declaration
from storykeeper.bench.perception.story import settings, write
from storykeeper.bootstrap import Storykeeper
from storykeeper.context.items import Tier
from storykeeper.context.window import Window
from storykeeper.language.reading import Reader
from storykeeper.units import EntityId

BRIEF_TOKENS = 6_000  # enough for all that a passage tells
NOTHING_TYPED = "…"


@dataclass(frozen=True, slots=True)
class Seen:
    """Of each of the cast: what their brief tells of events, and in which place they are."""

    briefs: Mapping[str, tuple[str, ...]]
    places: Mapping[str, str | None]  # by the passage's own ids; None: at no known place


def play(passage: Passage, reader: Reader, *, declared: bool) -> Seen:
    """Tell it in a new run, make it fact, and look; `declared` gives the labels to `render`."""
    given: dict[str, Any] = {"stage": declaration(passage)} if declared else {}
    with TemporaryDirectory(prefix="storykeeper-bench-") as folder:
        files = write(passage, Path(folder) / "story")
        with Storykeeper.open(Path(folder) / "run.db", story=files, reader=reader) as keeper:
            if passage.before:
                keeper.render(keeper.opening(), passage.before)
            keeper.render(keeper.begin(passage.line or NOTHING_TYPED), passage.prose, **given)
            keeper.end_scene()
            return _seen(keeper, passage)


def where(keeper: Storykeeper, who: str) -> str | None:
    """The setting in which one of the cast is, if any is known: who stepped out is in none."""
    world = keeper.world()
    return None if who in world.away else world.places.get(EntityId(who))


def _seen(keeper: Storykeeper, passage: Passage) -> Seen:
    own_ids = {setting: place for place, setting in settings(passage).items()}
    return Seen(
        {who: _events(keeper.brief(who, tokens=BRIEF_TOKENS)) for who in passage.people},
        {who: own_ids.get(where(keeper, who) or "") for who in passage.people},
    )


def _events(brief: Window) -> tuple[str, ...]:
    """What tells events, item by item: all below the preamble, which is the author's."""
    return tuple(each.text for each in brief.items if each.candidate.tier is not Tier.PREAMBLE)
