"""`bench locomo`: how many of the turns that answer are among the first, and inside a budget.

Recall is the share of a question's turns that are found, averaged over questions, all categories
together and one by one. In tokens: turns are taken in order while they fit, each written with its
speaker and under the date of its session, which is paid for once.

As it ships, every chat is added to a `Memory` and every question asked of it. Nothing that ships
was fitted on these chats: see `bench memory`. Beside it, on fiction: see `fiction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from storykeeper.bench.locomo import fiction
from storykeeper.bench.locomo.baselines import bm25, fusion
from storykeeper.bench.locomo.data import Chat, load
from storykeeper.bench.locomo.found import Found, figures
from storykeeper.bench.locomo.remembering import asked_of
from storykeeper.bench.memories import fresh
from storykeeper.bench.registry import Figures, Setup
from storykeeper.language.tokens import counter
from storykeeper.models.embedders.minilm import MiniLM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

QUICK_CHATS = 1
QUICK_QUESTIONS = 20


def measure(setup: Setup) -> Figures:
    """Ours and the baselines, on the same chats."""
    every = [_fewer(chat, setup) for chat in load(setup.data)]
    chats = every[:QUICK_CHATS] if setup.quick else every
    model = MiniLM()
    systems: dict[str, list[Found]] = {"storykeeper": [], "bm25": [], "fusion": []}
    for chat in chats:
        setup.say(f"  {chat.name}: {len(chat.turns)} turns, {len(chat.asked)} questions …")
        systems["bm25"] += by_scores(chat, bm25(chat))
        systems["fusion"] += by_scores(chat, fusion(chat, model))
        systems["storykeeper"] += as_shipped(chat)
    count = counter("o200k")
    made = {name: figures(found, count) for name, found in systems.items()}
    for name, found in on_fiction(setup, model).items():
        made[name]["fiction"] = fiction.figures(found)
    return made


def on_fiction(setup: Setup, model: MiniLM) -> dict[str, list[Found]]:
    """The same, as it ships, on evenings of a campaign; nothing if they are not there."""
    systems: dict[str, list[Found]] = {}
    if setup.data is None or not (setup.data / "crd3").is_dir():
        return systems
    for chat in fiction.evenings(setup.data, most=1 if setup.quick else fiction.EVENINGS):
        some = _fewer(chat, setup)
        setup.say(f"  {chat.name}: {len(chat.turns)} turns, {len(some.asked)} sentences …")
        for name, found in (
            ("bm25", by_scores(some, bm25(some))),
            ("fusion", by_scores(some, fusion(some, model))),
            ("storykeeper", as_shipped(some)),
        ):
            systems.setdefault(name, []).extend(found)
    return systems


def as_shipped(chat: Chat) -> list[Found]:
    """What a memory of the chat answers."""
    return asked_of(fresh(), chat)


def _fewer(chat: Chat, setup: Setup) -> Chat:
    asked = chat.asked[:QUICK_QUESTIONS] if setup.quick else chat.asked
    return Chat(chat.name, chat.turns, asked)


def by_scores(chat: Chat, scores: Sequence[Floats]) -> list[Found]:
    """All turns by a score of each, the earlier first among equals."""
    import numpy as np

    return [
        Found(chat, asked.category, asked.gold, np.argsort(-each, kind="stable").tolist())
        for asked, each in zip(chat.asked, scores, strict=True)
    ]
