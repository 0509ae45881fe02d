"""What was embedded once is not embedded again, and no two spaces meet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.cache import (
    BATCH_TEXTS,
    KEY_BYTES,
    Drawer,
    Embeddings,
    Role,
    key_of,
)
from storykeeper.models.embedders.minilm import MiniLM


@dataclass
class Letters:
    """How often each of four letters is in a text; counts what it was asked."""

    space: str = "letters@1"
    dims: int = 4
    tiers: tuple[int, ...] = (2, 4)
    one_sided: bool = False
    fails_after: int = 10**9
    asked: list[str] = field(default_factory=list)

    def passages(self, texts):
        if len(self.asked) + len(texts) > self.fails_after:
            raise ModelUnavailable("tired; wait")
        self.asked += texts
        counts = [[min(127, text.count(letter)) for letter in "abcd"] for text in texts]
        return np.array(counts, dtype=np.int8).reshape(len(texts), self.dims)

    def queries(self, texts):
        return -self.passages(texts) if self.one_sided else self.passages(texts)


TEXTS = st.lists(st.text("abcd ", max_size=6), max_size=30)


@given(TEXTS, TEXTS)
def test_each_text_is_embedded_once_and_answers_are_those_of_the_embedder(first, second):
    model = Letters()
    memory = Embeddings(model, Drawer())
    for texts in (first, second, first):
        assert (memory.of(texts) == Letters().passages(texts)).all()
        assert memory.of(texts).shape == (len(texts), 4)
    assert sorted(model.asked) == sorted({*first, *second})


def test_progress_counts_what_is_on_the_shelf_and_what_was_made():
    texts = [f"text {n}" for n in range(BATCH_TEXTS * 2 + 5)]
    memory = Embeddings(Letters(), Drawer())
    memory.of(texts[:10])
    heard: list[tuple[int, int]] = []
    memory.of([*texts, *texts], progress=lambda done, total: heard.append((done, total)))
    total = len(texts)
    first = 10 + BATCH_TEXTS
    assert heard == [(10, total), (first, total), (total, total)]
    heard.clear()
    memory.of([], progress=lambda done, total: heard.append((done, total)))
    assert heard == [(0, 0)]


def test_work_broken_off_goes_on_where_it_stopped():
    texts = [f"text {n}" for n in range(BATCH_TEXTS * 3)]
    shelf = Drawer()
    with pytest.raises(ModelUnavailable):
        Embeddings(Letters(fails_after=BATCH_TEXTS * 2), shelf).of(texts)
    after = Letters()
    memory = Embeddings(after, shelf)
    assert memory.missing([*texts, *texts]) == texts[BATCH_TEXTS * 2 :]
    memory.of(texts)
    assert after.asked == texts[BATCH_TEXTS * 2 :]
    assert memory.missing(texts) == []


def test_spaces_never_meet():
    shelf = Drawer()
    Embeddings(Letters(), shelf).of(["abba"])
    other = Letters(space="letters@2")
    assert Embeddings(other, shelf).missing(["abba"]) == ["abba"]
    Embeddings(other, shelf).of(["abba"])
    assert other.asked == ["abba"]
    assert len(shelf.kept) == 2


@pytest.mark.parametrize(("one_sided", "asked"), [(True, 2), (False, 1)])
def test_roles_have_places_of_their_own_only_where_they_differ(one_sided, asked):
    model = Letters(one_sided=one_sided)
    memory = Embeddings(model, Drawer())
    passage, query = memory.of(["abba"]), memory.of(["abba"], role=Role.QUERY)
    assert len(model.asked) == asked
    assert (query == (-passage if one_sided else passage)).all()


def test_a_damaged_vector_is_made_again():
    shelf, model = Drawer(), Letters()
    memory = Embeddings(model, shelf)
    shelf.put(model.space, {memory.key("abba"): b"\x01\x02"})
    assert memory.of(["abba"]).tolist() == [[2, 2, 0, 0]]
    assert memory.missing(["abba"]) == []


def test_keys_are_of_the_bytes_as_they_stand():
    made = {
        key_of(text, role=role)
        for text in ("", "é", "e\u0301", "passage", "\ud800", "\ufffd", "a", "A")
        for role in Role
    }
    assert len(made) == 16
    assert {len(key) for key in made} == {KEY_BYTES}
    # Keys are in files: they must not change.
    assert key_of("abba", role=Role.PASSAGE).hex() == "a8a2d9b1ea2e0a266d33be293dd66ee3"


def test_the_real_model_behind_a_shelf():
    model, shelf = MiniLM(), Drawer()
    texts = ["The lamp is out.", "Who put out the lamp?", "The lamp is out.", ""]
    made = Embeddings(model, shelf).of(texts)
    assert (made == model.passages(texts)).all()
    assert (Embeddings(MiniLM(), shelf).of(texts[::-1]) == made[::-1]).all()
    assert len(shelf.kept) == 3
