"""A model behind real HTTP: a server on this machine that speaks the protocol, well or badly."""

from __future__ import annotations

import gzip
import json
import logging
import time

import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.language.reading import Reading
from storykeeper.models.endpoint import Endpoint
from storykeeper.models.extractor import ModelReader
from storykeeper.models.port import Message
from strategies.chat_servers import (
    Server,
    breaks_off,
    closed_port,
    drips,
    hangs_up,
    pours,
    raw,
    says,
    serving,
    sleeps,
)

TEXT = "Mara took the chipped cup. “Don’t,” said Tom."
ANSWER = {
    "mentions": [
        {"text": "Mara", "kind": "name", "sort": "person"},
        {"text": "the chipped cup", "head": "cup", "kind": "noun", "sort": "thing"},
        {"text": "Tom", "kind": "name", "sort": "person"},
    ],
    "clauses": [{"verb": "took", "actors": [0], "targets": [1]}, {"verb": "said", "actors": [2]}],
}
ASKED = (Message("user", "a secret story"),)
SCHEMA = {"type": "object"}


class ByRules:
    def read(self, text, *, cast=()):
        return Reading(text, notes=("by rules",))


def complete(server: Server, waits: list[float] | None = None, **options: object) -> str:
    sleep = ([] if waits is None else waits).append
    model = Endpoint(server.url, "tiny", **{"sleep": sleep, "timeout_seconds": 10.0, **options})
    return model.complete(ASKED, schema=SCHEMA, limit_tokens=77)


def read(server: Server, **options: object) -> Reading:
    model = Endpoint(server.url, "tiny", **{"timeout_seconds": 10.0, **options})
    return ModelReader(model, ByRules()).read(TEXT)


def refused(server: Server, **options: object) -> str:
    """What is said of a model that cannot be used."""
    with pytest.raises(ModelUnavailable) as caught:
        complete(server, **options)
    message = str(caught.value)
    assert ";" in message  # what, and what to do next
    assert "secret" not in message
    return message


def test_a_text_is_read_by_a_model_over_http():
    with serving(says(ANSWER)) as server:
        reading = read(server, api_key="k-123")
    assert [m.text for m in reading.mentions] == ["Mara", "the chipped cup", "Tom"]
    assert [c.verb for c in reading.clauses] == ["take", "say"]
    assert reading.notes == ()
    (body,) = server.bodies
    assert body["path"] == "/v1/chat/completions"
    assert body["model"] == "tiny"
    assert body["temperature"] == 0
    assert body["response_format"]["type"] == "json_schema"
    assert "mentions" in body["response_format"]["json_schema"]["schema"]["properties"]
    assert TEXT in body["messages"][-1]["content"]
    assert server.headers[0]["authorization"] == "Bearer k-123"


def test_no_key_sends_none():
    with serving(says("fine")) as server:
        assert complete(server) == "fine"
    assert "authorization" not in server.headers[0]
    assert server.bodies[0]["max_tokens"] == 77


@pytest.mark.parametrize(
    "first", [raw(500, b"oops"), raw(503, b""), raw(429, b"busy"), breaks_off, hangs_up]
)
def test_a_second_try_may_do(first):
    waits: list[float] = []
    with serving(first, says("fine")) as server:
        assert complete(server, waits, retry_wait_seconds=0.5) == "fine"
    assert waits == [0.5]
    assert len(server.bodies) == 2


@pytest.mark.parametrize("status", [500, 502, 429])
def test_there_is_no_third_try(status):
    waits: list[float] = []
    with serving(raw(status, b"a secret story")) as server:
        assert f"answered {status}" in refused(server, waits=waits)
    assert len(server.bodies) == 2
    assert len(waits) == 1


@pytest.mark.parametrize("status", [401, 403, 404, 302, 204])
def test_what_will_not_change_is_not_tried_again(status):
    with serving(raw(status, b"", Location="/elsewhere")) as server:
        assert f"answered {status}" in refused(server)
    assert len(server.bodies) == 1


def test_a_server_is_waited_for_as_long_as_it_asks_but_not_longer_than_we_have():
    waits: list[float] = []
    with serving(raw(429, b"", Retry_After="1"), says("fine")) as server:
        assert complete(server, waits, retry_wait_seconds=2.0) == "fine"
    assert waits == [1.0]
    with serving(raw(429, b"", Retry_After="3600"), says("fine")) as server:
        assert "wait 3600 s" in refused(server, waits=waits, retry_wait_seconds=2.0)
    assert waits == [1.0]
    with serving(raw(503, b""), says("fine")) as server:
        refused(server, waits=waits, retry_wait_seconds=2.0, timeout_seconds=1.0)
    assert waits == [1.0]


def test_a_server_that_is_slow_is_left():
    with serving(sleeps) as server:
        started = time.perf_counter()
        assert "did not answer within 0.3 s" in refused(server, timeout_seconds=0.3)
        assert time.perf_counter() - started < 1.4
    assert len(server.bodies) == 1  # a second try would wait as long again


def test_a_server_that_drips_is_left():
    with serving(drips) as server:
        started = time.perf_counter()
        assert "did not answer within 0.5 s" in refused(server, timeout_seconds=0.5)
        assert time.perf_counter() - started < 3


def test_a_server_that_pours_is_left():
    with serving(pours) as server:
        assert "more than" in refused(server)


def test_nobody_there():
    waits: list[float] = []
    server = Server(f"http://127.0.0.1:{closed_port()}/v1", [])
    assert "is the server running?" in refused(server, waits=waits)
    assert len(waits) == 1


def test_a_reading_goes_on_without_the_model():
    reading = ModelReader(
        Endpoint(f"http://127.0.0.1:{closed_port()}/v1", "tiny", sleep=lambda _: None), ByRules()
    ).read(TEXT)
    assert "is the server running?" in reading.notes[0]
    assert reading.notes[0].endswith("the text was read by rules alone.")
    assert reading.notes[1] == "by rules"


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_knows_no_schema_is_told_in_words_and_from_then_on_at_once(status):
    def picky(handler, body):
        reply = raw(status, b"{}") if "response_format" in body else says("fine")
        reply(handler, body)

    with serving(picky) as server:
        model = Endpoint(server.url, "tiny")
        assert model.complete(ASKED, schema=SCHEMA, limit_tokens=5) == "fine"
        assert model.complete(ASKED, schema=SCHEMA, limit_tokens=5) == "fine"
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    assert all(json.dumps(SCHEMA) in b["messages"][-1]["content"] for b in server.bodies[1:])


def test_a_text_that_is_too_long_is_not_blamed_on_the_schema():
    def full(handler, body):
        reply = raw(400, b"{}") if len(server.bodies) < 3 else says("fine")
        reply(handler, body)

    with serving(full) as server:
        model = Endpoint(server.url, "tiny")
        with pytest.raises(ModelUnavailable, match="answered 400"):
            model.complete(ASKED, schema=SCHEMA, limit_tokens=5)
        assert model.complete(ASKED, schema=SCHEMA, limit_tokens=5) == "fine"
    assert ["response_format" in body for body in server.bodies] == [True, False, True]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html>hello</html>", b"null", b"[]", b"{}", b'{"choices": []}', b'{"choices": {}}',
        b'{"choices": [{}]}', b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": ""}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": [{"message": {"content": "\xff\xfe"}}]}',
        '{"choices": [{"message": {"content": "caf\xe9"}}]}'.encode("latin-1"),
        b'{"choices": ' + b"[" * 200_000, b'{"other": ' + b"[" * 200_000,
        b'{"choices": [{"message": {"content": "x", "refusal": "no"}}]}',
        b'{"choices": [{"message": {"content": "x"}, "finish_reason": "content_filter"}]}',
    ],
    ids=lambda body: repr(body)[:48],
)  # fmt: skip
def test_an_answer_that_is_no_completion_is_refused(body):
    with serving(raw(200, body)) as server:
        refused(server)
    assert len(server.bodies) == 1


def test_a_compressed_answer_is_not_unfolded():
    body = gzip.compress(json.dumps({"choices": [{"message": {"content": "fine"}}]}).encode())
    with serving(raw(200, body, Content_Encoding="gzip")) as server:
        refused(server)
    assert server.headers[0]["accept-encoding"] == "identity"


@pytest.mark.parametrize("written", ["I'd rather not.", '{"mentions": [{"text": "Ma', "{}"])
def test_garbage_in_a_good_envelope_falls_back(written):
    with serving(says(written)) as server:
        reading = read(server)
    assert "JSON" in reading.notes[0]
    assert reading.notes[-1] == "by rules"


def test_nothing_of_a_story_or_key_is_logged(caplog):
    caplog.set_level(logging.DEBUG)
    with serving(raw(500, b"a hidden answer"), says("a hidden answer")) as server:
        complete(server, api_key="k-123")
    assert "secret" not in caplog.text
    assert "hidden" not in caplog.text
    assert "k-123" not in caplog.text
    assert "k-123" not in repr(Endpoint(server.url, "tiny", api_key="k-123"))


def test_a_proxy_from_the_environment_is_used_only_when_asked(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port()}")
    monkeypatch.setenv("NO_PROXY", "")
    with serving(says("fine")) as server:
        assert complete(server) == "fine"
        assert "no answer" in refused(server, trust_env=True)


@pytest.mark.parametrize(
    "url",
    ["", "localhost:80", "ftp://x/v1", "http://", "http://[::1", "http://x:port/v1",
     "http://me:word@x/v1", "http://x/v1?key=k-123"],
)  # fmt: skip
def test_a_url_that_cannot_be_one_is_refused_at_once(url):
    with pytest.raises(ModelUnavailable) as caught:
        Endpoint(url, "tiny")
    assert "word" not in str(caught.value).replace("password", "")
    assert "k-123" not in str(caught.value)


@pytest.mark.parametrize("key", ["line\nbreak", "schlüssel", "\x00"])
def test_a_key_that_no_header_carries_is_refused_at_once(key):
    with pytest.raises(ModelUnavailable) as caught:
        Endpoint("http://x/v1", "tiny", api_key=key)
    assert key not in str(caught.value)
