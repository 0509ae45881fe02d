"""What is kept of a text depends on the text, and on whose name was left out of it."""

from __future__ import annotations

import numpy as np
import pytest

from storykeeper import Memory
from storykeeper.memory.chats import Said
from storykeeper.memory.held import Held
from storykeeper.memory.items import Item
from storykeeper.memory.meaning import Meaning
from storykeeper.models.embedders.cache import Drawer
from strategies.memories import Hashed, fresh

SPOKEN = Said("hello to the pond", "Ana")
WRITTEN = Said("Ana: hello to the pond", "", audience=frozenset({"ben"}))
QUERIES = ("what about Ana", "Ana hello", "pond", "who says hello")


def pieces(memory: Memory) -> list[bytes]:
    """Of every item that all may see, what is kept of its words."""
    index = memory.store.index
    rows = np.flatnonzero(index.allowed(memory.store.tables.open_to(None, namespace="")).mask)
    return [index.blobs_of(np.array([row]))[0].tobytes() for row in rows]


def answers(memory: Memory) -> str:
    return repr([memory.search(query).hits for query in QUERIES])


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("lines", [(WRITTEN, SPOKEN), (SPOKEN, WRITTEN)])
def test_a_hidden_line_of_the_same_words_changes_nothing(lines, together):
    plain, flipped = fresh(hashed=True), fresh(hashed=True)
    plain.add_all([SPOKEN])
    for some in [lines] if together else [[line] for line in lines]:
        flipped.add_all(some)
    assert pieces(flipped) == pieces(plain) != [b""]
    assert answers(flipped) == answers(plain)
    flipped.rebuild()
    assert pieces(flipped) == pieces(plain)


def test_the_same_in_a_run():
    def kept(*lines: Said) -> bytes:
        held = Held(meaning=Meaning(Hashed(), shelf))
        held.add(Item(f"{n}", s.text, n, speaker=s.speaker) for n, s in enumerate(lines, start=1))
        return held.index.blobs_of(np.array([held.rows - 1]))[0].tobytes()

    shelf = Drawer()
    hidden = kept(WRITTEN)
    assert kept(SPOKEN) == kept(WRITTEN, SPOKEN) != hidden
    assert kept(SPOKEN, WRITTEN) == hidden


def test_a_file_keeps_both(tmp_path):
    with Memory.open(tmp_path / "chat.db") as memory:
        memory.add_all([WRITTEN, SPOKEN])
        _, together = memory.store.index.blobs_of(np.array([0, 1]))
    with Memory.open(tmp_path / "other.db") as memory:
        memory.add_all([SPOKEN])
        _, alone = memory.store.index.blobs_of(np.array([0]))
    assert together[1] == alone[0] < together[0]
