"""An embedding model behind real HTTP: a server on this machine, right, wrong, slow or gone."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders import cache
from storykeeper.models.embedders.cache import Drawer, Embeddings, Role
from storykeeper.models.embedders.endpoint import BATCH_CHARS, BATCH_TEXTS, EmbeddingEndpoint
from storykeeper.models.embedders.port import quantised
from strategies.chat_servers import Server, closed_port, raw
from strategies.chat_servers import serving as answering

LINES = ("a secret lamp", "a secret ship", "nobody")
Reply = Callable[[list[str]], tuple[int, object]]


def vector(text: str) -> list[float]:
    """Eight numbers that no other text has."""
    rng = np.random.default_rng(list(text.encode("utf-8", "surrogatepass")))
    return [float(x) for x in rng.standard_normal(8)]


def well(texts: list[str]) -> tuple[int, object]:
    data = [{"object": "embedding", "index": n, "embedding": vector(t)}
            for n, t in enumerate(texts)]  # fmt: skip
    return 200, {"object": "list", "data": data, "model": "tiny", "usage": {"prompt_tokens": 1}}


def with_data(change: Callable[[list[dict]], object]) -> Reply:
    """A good answer, changed."""

    def reply(texts):
        status, answer = well(texts)
        return status, answer | {"data": change(answer["data"])}

    return reply


def with_first(embedding: object) -> Reply:
    return with_data(lambda data: [data[0] | {"embedding": embedding}, *data[1:]])


@contextmanager
def serving(*replies: Reply) -> Iterator[Server]:
    """Gives the replies in turn, the last of them again and again."""

    def written(reply: Reply):
        def send(handler, body):
            status, answer = reply(body["input"])
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            raw(status, content)(handler, body)

        return send

    with answering(*map(written, replies)) as server:
        yield server


def model(server: Server, **options: object) -> EmbeddingEndpoint:
    return EmbeddingEndpoint(server.url, "tiny", **{"sleep": lambda _: None, **options})


def refused(server: Server, texts=LINES, **options: object) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        model(server, **options).passages(texts)
    message = str(caught.value)
    assert ";" in message  # what, and what to do next
    assert "secret" not in message
    return message


def test_texts_become_vectors():
    with serving(well) as server:
        made = model(server, api_key="k-123").passages(LINES)
    assert (made == quantised(np.array([vector(text) for text in LINES]))).all()
    (body,) = server.bodies
    assert body == {
        "path": "/v1/embeddings", "model": "tiny", "input": list(LINES), "encoding_format": "float"
    }  # fmt: skip
    assert server.headers[0]["authorization"] == "Bearer k-123"


def test_the_order_is_the_one_that_the_server_names():
    with serving(with_data(lambda data: data[::-1])) as server:
        made = model(server).passages(LINES)
    assert (made == quantised(np.array([vector(text) for text in LINES]))).all()


def test_a_server_that_numbers_nothing_answers_in_order():
    bare = with_data(lambda data: [{"embedding": one["embedding"]} for one in data])
    with serving(bare) as server:
        made = model(server).passages(LINES)
    assert (made == quantised(np.array([vector(text) for text in LINES]))).all()


def test_whole_numbers_are_numbers():
    with serving(with_first([1, 0, 0, 0, 0, 0, 0, -2])) as server:
        assert model(server).passages(["x"]).tolist() == [[64, 0, 0, 0, 0, 0, 0, -127]]


def test_size_and_space_are_asked_once_and_only_when_wanted():
    with serving(well) as server:
        made = model(server, prefixes=(4, 2, 4, 99))
        assert server.bodies == []
        assert (made.dims, made.tiers) == (8, (2, 4, 8))
        assert made.space == f"{server.url}#tiny@8"
        made.passages(LINES)
    assert [len(body["input"]) for body in server.bodies] == [1, 3]
    with serving(well) as server:
        made = model(server)
        made.passages(LINES)
        assert made.dims == 8
    assert len(server.bodies) == 1


def test_words_before_a_text():
    with serving(well) as server:
        made = model(server, before_query="query: ", before_passage="passage: ")
        memory = Embeddings(made, Drawer())
        passage, query = memory.of(["lamp"]), memory.of(["lamp"], role=Role.QUERY)
        assert made.one_sided
        assert made.space != model(server).space
    sent = [body["input"] for body in server.bodies]
    assert sent[:3] == [
        ["hello"],
        ["passage: lamp"],
        ["query: lamp"],
    ]  # the first asks for the size
    assert (passage != query).any()


def test_many_texts_go_in_batches():
    texts = [f"text {n}" for n in range(BATCH_TEXTS * 2 + 1)]
    with serving(well) as server:
        made = model(server).passages(texts)
    assert [len(body["input"]) for body in server.bodies] == [BATCH_TEXTS, BATCH_TEXTS, 1]
    assert (made == quantised(np.array([vector(text) for text in texts]))).all()


def test_long_texts_go_in_small_batches():
    texts = ["x" * (BATCH_CHARS // 2), "y" * (BATCH_CHARS // 2), "z", "w" * (BATCH_CHARS + 1), "v"]
    with serving(well) as server:
        model(server).passages(texts)
    assert [len(body["input"]) for body in server.bodies] == [2, 1, 1, 1]


def test_a_text_without_words_is_not_sent_and_is_like_nothing():
    with serving(well) as server:
        made = model(server).passages(["", "lamp", " \n"])
        assert not made[[0, 2]].any()
        assert made[1].any()
        assert not model(server, size=8).passages(["", " "]).any()
        assert model(server, size=8).passages([]).shape == (0, 8)
    assert [body["input"] for body in server.bodies] == [["lamp"]]


def test_half_a_character_is_sent_as_a_whole_one():
    with serving(well) as server:
        assert model(server).passages(["caf\ud800"]).any()
    assert server.bodies[0]["input"] == ["caf\ufffd"]


ZEROS = [0.0] * 8


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (with_first(ZEROS), "nothing but zeros"),
        (with_first([]), "of 0, 8 numbers"),
        (with_first([1.0] * 7), "of 7, 8 numbers"),
        (with_first([1.0, None] * 4), "no list of vectors"),
        (with_first(["1.0"] * 8), "no list of vectors"),
        (with_first("AACAPwAAgD8="), "no list of vectors"),
        (with_first([float("nan")] * 8), "no list of vectors"),
        (with_first([float("inf")] * 8), "no list of vectors"),
        (with_data(lambda data: data[1:]), "2 vectors for 3 texts"),
        (with_data(lambda data: [*data, data[0]]), "4 vectors for 3 texts"),
        (with_data(lambda data: [data[0], data[0], data[2]]), "not numbered"),
        (with_data(lambda data: [one | {"index": one["index"] + 1} for one in data]), "not num"),
        (with_data(lambda _: {}), "no list of vectors"),
        (lambda _: (200, b'{"data": [{"embedding": [1e999, 1]}]}'), "answered with"),
        (lambda _: (200, b""), "no list of vectors"),
        (lambda _: (200, b"<html>"), "no list of vectors"),
        (lambda _: (200, b'{"data": ' + b"[" * 200_000), "no list of vectors"),
        (lambda _: (200, b"\xff\xfe"), "no list of vectors"),
        (lambda _: (401, b"a secret"), "check the API key"),
        (lambda _: (404, b""), "check the URL and the model's name"),
        (lambda _: (400, b"too long"), "how long a text it takes"),
    ],
)
def test_an_answer_that_is_no_good_is_refused_whole(reply, said):
    with serving(reply) as server:
        assert said in refused(server)
    assert len(server.bodies) == 1


def test_infinity_as_a_number_is_refused():
    with serving(lambda _: (200, b'{"data": [{"embedding": [1e999, 1.0]}]}')) as server:
        refused(server, texts=["x"])


@pytest.mark.parametrize("size", [4, 9, 384])
def test_vectors_of_another_size_than_was_said(size):
    with serving(well) as server:
        said = refused(server, size=size)
    assert f"of 8 numbers instead of {size}" in said
    assert "is it still tiny?" in said


def test_a_server_that_changes_its_size_between_batches():
    small = with_data(lambda data: [one | {"embedding": [1.0, 2.0]} for one in data])
    texts = [f"text {n}" for n in range(BATCH_TEXTS + 1)]
    with serving(well, small) as server:
        assert "of 2 numbers instead of 8" in refused(server, texts=texts)


def test_a_size_that_cannot_be():
    for size in (0, -1, 10**6):
        with pytest.raises(ModelUnavailable):
            EmbeddingEndpoint("http://x/v1", "tiny", size=size)


def test_a_second_try_may_do():
    waits: list[float] = []
    with serving(lambda _: (503, b""), well) as server:
        assert model(server, sleep=waits.append).passages(LINES).any()
    assert waits == [0.5]


def slowly(texts):
    time.sleep(2.5)
    return well(texts)


def test_a_slow_server_costs_a_search_its_deadline_and_the_next_one_nothing():
    with serving(slowly) as server:
        made = model(server, size=8, query_timeout_seconds=0.3, rest_seconds=60)
        started = time.perf_counter()
        with pytest.raises(ModelUnavailable, match=r"within 0\.3 s"):
            made.queries(["lamp"])
        assert time.perf_counter() - started < 2.4
        started = time.perf_counter()
        with pytest.raises(ModelUnavailable, match=r"within 0\.3 s"):
            made.queries(["lamp"])
        assert time.perf_counter() - started < 0.3
        assert len(server.bodies) == 1
        assert made.passages(["lamp"]).any()  # which may take longer, and does not rest


def test_after_its_rest_a_server_is_asked_again():
    now = [100.0]
    with serving(lambda _: (404, b""), well) as server:
        made = model(server, rest_seconds=10, clock=lambda: now[0])
        for seconds in (0, 9.9):
            now[0] = 100.0 + seconds
            with pytest.raises(ModelUnavailable):
                made.queries(["lamp"])
        assert len(server.bodies) == 1
        now[0] = 110.0
        assert made.queries(["lamp"]).any()
        assert made.queries(["lamp"]).any()


def test_nobody_there():
    assert "is the server running?" in refused(Server(f"http://127.0.0.1:{closed_port()}/v1", []))


def test_what_was_done_before_a_failure_is_kept():
    texts = [f"text {n}" for n in range(cache.BATCH_TEXTS * 2)]
    asked = cache.BATCH_TEXTS // BATCH_TEXTS
    with serving(*[well] * asked, lambda _: (404, b""), well) as server:
        shelf = Drawer()
        with pytest.raises(ModelUnavailable):
            Embeddings(model(server, size=8), shelf).of(texts)
        assert len(shelf.kept) == cache.BATCH_TEXTS
        made = Embeddings(model(server, size=8), shelf).of(texts)
    assert len(server.bodies) == asked + 1 + asked
    assert (made == quantised(np.array([vector(text) for text in texts]))).all()


def test_nothing_of_a_story_or_key_is_logged(caplog):
    caplog.set_level(logging.DEBUG)
    with serving(lambda _: (500, b"a hidden answer"), well) as server:
        model(server, api_key="k-123").passages(LINES)
    assert "secret" not in caplog.text
    assert "hidden" not in caplog.text
    assert "k-123" not in caplog.text
    assert "k-123" not in repr(model(server, api_key="k-123"))
