"""By whatever way a text comes in, the time it takes grows with its length and no faster."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest

from storykeeper.canon.sanitiser.safe_text import sanitised, unmarked
from storykeeper.errors import StorykeeperError
from storykeeper.language.time import narrow
from storykeeper.memory.chats import read_chat
from storykeeper.memory.documents.reading import passages_of
from storykeeper.models.answers import answer_in
from storykeeper.serve.proxy.chat_story import company
from storykeeper.serve.proxy.transcript import transcript
from storykeeper.staging.declaration import rendered, without_blocks
from strategies.memories import fresh
from strategies.nasty import MARKUP, too_much

pytestmark = pytest.mark.long
SMALL, LARGE = 4_000, 64_000


def whom(text: str) -> object:
    system = {"role": "system", "content": text}
    messages = [system, *({"role": role, "content": text} for role in ("assistant", "user"))]
    return company(messages, transcript(messages))


def remembers(text: str) -> None:
    memory = fresh(hashed=True)
    memory.add("Ana took the lamp to the quarry", speaker="Ana")
    memory.add(text, speaker="Ana")
    memory.search(text, now="2025-01-01")


WAYS: dict[str, Callable[[str], object]] = {
    "made safe": sanitised,
    "unmarked": unmarked,
    "blocks taken out": without_blocks,
    "a declaration": lambda text: rendered("Mara nods.", text),
    "a block": lambda text: rendered(f"Mara nods.\n```stage\n{text}\n```", None),
    "rows": lambda text: rendered(
        "a",
        {"moves": [{"who": ["a"], "kind": "departs", "words": word} for word in text.split(" ")]},
    ),
    "times": lambda text: narrow(f"when did we {text}?", now=1_754_434_800_000),
    "a chat": lambda text: read_chat(json.dumps([{"content": text}]), file="a.json"),
    "lines of a chat": lambda text: read_chat(text, file="a.txt"),
    "a page": lambda text: passages_of(text, document="a.md"),
    "a sheet": lambda text: passages_of(text, document="a.yaml"),
    "a chat's people": whom,
    "an answer": answer_in,
    "a memory": remembers,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_text(way):
    def taken(text: str) -> None:
        with suppress(StorykeeperError):  # refused, in time
            WAYS[way](text)

    slow = {
        kind: found
        for kind, text in MARKUP.items()
        if (found := too_much(taken, text, small=SMALL, large=LARGE))
    }
    assert not slow
