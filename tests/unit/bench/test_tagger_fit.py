"""The fit of the reader of who comes and goes: its gradients, and the same bytes each time."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from storykeeper.bench.perception_fit.backprop import Tape, read
from storykeeper.bench.perception_fit.lessons import Event, Lesson, batch, lessons
from storykeeper.bench.perception_fit.losses import by_closed, by_events, by_standing
from storykeeper.bench.perception_fit.tagger import Recipe, drawn, packed, tagged
from storykeeper.bench.perception_fit.trial import Thresholds, figures
from storykeeper.language.tagger import DOUBT, HUSH, SURE, Hush, Sign
from storykeeper.language.tagger.model import shipped
from storykeeper.language.tagger.network import Network, sigmoid
from storykeeper.models.embedders.word_vectors import WordVectors
from strategies.tables import table

DATA = Path(__file__).parents[2] / "data" / "perception"
SMALL = Recipe(word=6, heads=2, plain=5, state=4, epochs=2, batch=2, seed=3)
HERE, GONE = (
    {"ann": "hall", "ben": "hall", "cy": "hall"},
    {"ann": "hall", "ben": "away", "cy": "hall"},
)
CAST = [
    {"id": "ann", "names": ["Ann"], "pronouns": "she/her"},
    {"id": "ben", "names": ["Ben"], "pronouns": "he/him"},
    {"id": "cy", "names": ["Cy"], "pronouns": "he/him"},
]


def passage(name: str, first: str, said: str, after: dict[str, str], hear: list[str]) -> str:
    left = [one for one in HERE if after[one] != HERE[one]]
    return json.dumps({
        "id": name, "style": "plain", "cast": CAST, "player": "ann", "pov": "ann",
        "places": [{"id": "hall", "names": ["the hall"]}], "start": HERE, "after": after,
        "before": "", "line": "",
        "segments": [{"text": first, "perceivers": list(HERE), "kind": "action"},
                     {"text": said, "perceivers": hear, "kind": "speech"}],
        "events": [{"segment": 0, "kind": "departs", "who": left, "to": "away"}] if left else [],
    })  # fmt: skip


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> list[Lesson]:
    file = tmp_path_factory.mktemp("passages") / "x1.jsonl"
    file.write_text("\n".join([
        passage("1", "Ben gets up and leaves. ", '"He took it," says Cy.', GONE, ["ann", "cy"]),
        passage("2", "Ben gets up. He sits down again. ", '"Stay," you say.', HERE, [*HERE]),
        passage("3", "Ben slams the door behind him. ", '"Well," says Cy.', GONE, ["ann", "cy"]),
    ]), "utf-8")  # fmt: skip
    return lessons([file], WordVectors())


def test_reading_while_learning_is_reading(few):
    weights = drawn(SMALL)
    events, _, closed = read(Tape(weights), batch([each.given for each in few]))
    at = 0
    for each in few:
        end = at + each.closed.size
        said = Network(weights).read(each.given)
        shares = np.exp(events.value[at:end])
        shares /= shares.sum(axis=1, keepdims=True)
        assert np.allclose(shares, said.events.reshape(shares.shape), atol=1e-5)
        assert np.allclose(sigmoid(closed.value[at:end, 0]), said.closed.ravel(), atol=1e-5)
        at = end


@table("name", sorted(drawn(SMALL)))
def test_gradients_are_slopes(few, name):
    random = np.random.default_rng(5)
    weights, together = drawn(SMALL), batch([each.given for each in few])
    for bias in ("near.bias", "heads.bias", "numbers.bias"):
        weights[bias] += random.normal(0, 0.3, weights[bias].shape).astype(np.float32)
    tape = Tape(weights)
    nodes = read(tape, together)
    pulls = [random.normal(size=node.value.shape).astype(np.float32) for node in nodes]
    for node, pull in zip(nodes, pulls, strict=True):
        node.add(pull)
    tape.back()

    def height(step: float) -> float:
        moved = {**weights, name: weights[name] + np.float32(step) * along}
        found = read(Tape(moved), together)
        return sum(
            float((n.value.astype(float) * p).sum()) for n, p in zip(found, pulls, strict=True)
        )

    along = tape.grads[name] / np.float32(np.linalg.norm(tape.grads[name]) + 1e-12)
    slope = float((tape.grads[name] * along).sum())
    assert (height(5e-3) - height(-5e-3)) / 1e-2 == pytest.approx(slope, rel=0.02, abs=2e-3)


def test_what_an_event_costs_goes_down_its_slope(few):
    lesson = replace(few[1], events=(Event(1, 1, "away", (0, 1)),))
    random = np.random.default_rng(2)
    scores = random.normal(size=(*lesson.closed.shape, 7)).astype(np.float32)
    gradient = by_events(lesson, scores)

    def cost(scores: np.ndarray) -> float:
        p = np.exp(scores.astype(float))
        p /= p.sum(axis=2, keepdims=True)
        weight = np.ones(p.shape[:2])
        weight[1, :2] = 0.1
        told = 1 - np.prod(1 - p[1, :2, 1])
        return float(-np.log(told) - (weight * np.log(p[:, :, 0])).sum())

    step = 1e-3 * gradient
    slope = (cost(scores + step) - cost(scores - step)) / 2e-3
    assert slope == pytest.approx(float((gradient**2).sum()), rel=0.01)


def test_what_is_right_already_costs_nothing(few):
    lesson = few[0]
    sure = np.where(lesson.closed > 0, 30, -30).astype(np.float32)[..., None]
    assert np.abs(by_closed(lesson, sure)).max() < 1e-6
    both = np.stack([lesson.moved, lesson.asleep], axis=2)
    assert np.abs(by_standing(lesson, np.where(both > 0, 30, -30).astype(np.float32))).max() < 1e-6


def test_the_same_files_give_the_same_bytes(few):
    first = packed(few, seeds=(1, 2), recipe=SMALL)
    assert first == packed(few, seeds=(1, 2), recipe=SMALL)
    assert first != packed(few, seeds=(1, 3), recipe=SMALL)


def test_a_batch_is_its_texts_one_by_one(few):
    weights = drawn(SMALL)
    whole = read(Tape(weights), batch([each.given for each in few]))[0].value
    single = [read(Tape(weights), batch([each.given]))[0].value for each in few]
    assert np.allclose(whole, np.concatenate(single), atol=1e-5)


def test_who_left_hears_nothing_more(few):
    ben, end = 1, len("Ben gets up and leaves.")
    signs, at = [Sign(0, end, ben, "departs", 0.9)], Thresholds(0.4, 0.2, 0.5)
    assert figures([(few[0], signs, [])], at).share("leak", "others") == 0
    assert figures([(few[0], [], [])], at).share("leak", "others") == 1
    assert figures([(few[0], signs, [])], at).share("gone", "left") == 1


def test_a_hush_leaves_whom_it_is_for(few):
    said = next(s for s in few[0].scene.stretches if s.quotation is not None)
    hush = Hush(said.start, said.end, 0.9, (0,), (0.0, 0.9, 0.0))
    found = figures([(few[0], [], [hush])], Thresholds(0.4, 0.2, 0.5))
    assert (found.share("leak", "others"), found.share("miss", "perceivers")) == (0, 0)


@pytest.mark.long
def test_the_shipped_model_reads_authors_that_it_was_never_fitted_on():
    held_out = [DATA / f"{author}.jsonl" for author in ("d2", "d4")]
    read_ = tagged(lessons(held_out, WordVectors()), shipped())
    found = figures(read_, Thresholds(SURE, DOUBT, HUSH))
    assert found.share("leak", "others") <= 0.12
    assert found.share("miss", "perceivers") <= 0.25
    assert found.share("stayed", "remained") >= 0.93
