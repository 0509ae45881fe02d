"""Items to sum up, words for tokens, and vectors that need no model."""

from __future__ import annotations

import re
from zlib import crc32

import numpy as np
from hypothesis import strategies as st

from storykeeper.memory.items import Item

SIZE = 64
WORDS = (
    "lamp", "house", "ring", "captain", "ship", "crowns", "river", "letter", "Odile", "Marseille",
    "Holt", "Ana", "not", "never", "sold", "lit", "took", "left", "three", "40", "the", "and", "we",
    "灯が消えた", "né", "?", "...", "But", "No,",
)  # fmt: skip
PEOPLE = ("ana", "ben", "cem")


def count_words(text: str) -> int:
    return len(text.split())


def bag_of_words(texts):
    """A vector of length 1 for each text: how often its words fall on each of 64 places."""
    rows = np.zeros((len(texts), SIZE))
    for row, text in zip(rows, texts, strict=True):
        for word in re.findall(r"\w+", text.casefold()):
            row[crc32(word.encode()) % SIZE] += 1.0
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


@st.composite
def texts(draw):
    """A few sentences of a few words, in one go: many are needed."""
    picked = draw(st.lists(st.integers(0, len(WORDS)), max_size=24))
    return " ".join(WORDS[n] if n < len(WORDS) else "end." for n in picked)


AUDIENCES = st.one_of(st.none(), st.frozensets(st.sampled_from(PEOPLE)))


@st.composite
def histories(draw, *, most=40):
    """Items of several audiences, namespaces and sessions, all mixed."""
    lines = draw(st.lists(texts(), max_size=8)) or [""]
    rows = draw(
        st.lists(
            st.tuples(
                st.integers(0, 7), AUDIENCES, st.sampled_from(("", "n")),
                st.sampled_from(("", "s")), st.sampled_from(("", "Ana", "Ben")),
            ),
            max_size=most,
        )
    )  # fmt: skip
    return [
        Item(
            id=f"t{n}", text=lines[line % len(lines)], order=n, turn=n, speaker=speaker,
            audience=audience, namespace=namespace, session=session,
        )
        for n, (line, audience, namespace, session, speaker) in enumerate(rows, start=1)
    ]  # fmt: skip
