"""Answers that come part by part over real HTTP: whole, slow, cut, refused, cancelled."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from storykeeper.errors import ContentFiltered, ContextTooLong, ModelUnavailable, StreamCut
from storykeeper.models.endpoint import Endpoint
from storykeeper.models.port import Usage
from storykeeper.models.posting import Refused
from storykeeper.models.server_events import events
from storykeeper.models.stream import Patience, Stream
from strategies.chat_servers import (
    Server,
    closed_port,
    cut,
    data,
    failing,
    hangs_up,
    part,
    raw,
    says,
    sends,
    serving,
    streams,
)

ASKED = [{"role": "user", "content": "a secret story"}]
PARTS = ["The lamp ", "is ", "out."]
QUICK = Patience(connect=1.0, first=0.4, between=0.3, total=2.0)


def asked(server: Server, **options: object) -> Stream:
    made = {
        "patience": QUICK,
        "sleep": lambda _: None,
        "tries": 3,
        "retry_wait_seconds": 0.01,
    } | options
    return Endpoint(server.url, "tiny", **made).stream(ASKED, limit_tokens=77)


def refused(stream: Stream, kind: type[ModelUnavailable] = ModelUnavailable) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        list(stream)
    assert type(caught.value) is kind
    assert "secret" not in str(caught.value)
    assert ";" in str(caught.value)
    return str(caught.value)


def test_parts_come_as_they_are_written():
    with serving(streams(PARTS, wait_seconds=0.05)) as server:
        stream = asked(server)
        came = [(text, time.monotonic()) for text in stream]
    assert [text for text, _ in came] == PARTS
    assert came[-1][1] - came[0][1] > 0.08
    assert (stream.finish, stream.usage) == ("stop", Usage(120, 7, 90))
    assert 0 < stream.first_seconds < 1
    (body,) = server.bodies
    assert body["path"] == "/v1/chat/completions"
    assert body["messages"] == ASKED
    assert (body["stream"], body["max_tokens"]) == (True, 77)
    assert body["stream_options"] == {"include_usage": True}
    assert "stop" not in body
    assert "seed" not in body


def test_stop_words_a_seed_and_more_fields_are_sent():
    with serving(streams(PARTS)) as server:
        model = Endpoint(server.url, "tiny", stop=("<|im_end|>",), extra={"top_k": 40})
        list(model.stream(ASKED, limit_tokens=5, temperature=0.5, seed=7))
    (body,) = server.bodies
    assert body["stop"] == ["<|im_end|>"]
    assert (body["seed"], body["temperature"], body["top_k"]) == (7, 0.5, 40)


@pytest.mark.parametrize("first", [raw(500, b"a secret"), raw(429, b""), hangs_up, cut([])])
def test_what_may_pass_is_tried_again_after_twice_the_wait(first):
    waits: list[float] = []
    with serving(first, first, streams(PARTS)) as server:
        stream = asked(server, sleep=waits.append, retry_wait_seconds=0.1)
        assert list(stream) == PARTS
    assert waits == [0.1, 0.2]
    assert len(server.bodies) == 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_tries_end(status):
    with serving(raw(status, b"a secret")) as server:
        assert f"answered {status}" in refused(asked(server))
    assert len(server.bodies) == 3


def test_nobody_there():
    stream = asked(Server(f"http://127.0.0.1:{closed_port()}/v1", []))
    assert "is the server running?" in refused(stream)


@pytest.mark.parametrize(
    "reply", [cut(PARTS[:2]), sends(part("The lamp "), part("is")[:20]),
              sends(part("The lamp "), b"data: {nonsense}\n\n"),
              sends(part("The lamp is"), data({"error": {"message": "a secret"}}))],
)  # fmt: skip
def test_what_breaks_off_after_the_first_word_is_not_told_twice(reply):
    with serving(reply) as server:
        stream = asked(server)
        told: list[str] = []
        with pytest.raises(ModelUnavailable) as caught:
            told.extend(stream)
        assert "secret" not in str(caught.value)
    assert len(server.bodies) == 1
    assert stream.finish == ""


def test_a_cut_is_told_apart():
    with serving(cut(PARTS[:2])) as server:
        assert "broke off after 12 characters" in refused(asked(server), StreamCut)


def test_a_slow_first_word():
    with serving(streams(PARTS, first_seconds=1.0)) as server:
        began = time.monotonic()
        assert "did not answer within 0.4 s" in refused(asked(server, tries=1))
        assert time.monotonic() - began < 0.9

    def late(handler, body):
        time.sleep(1.0)
        streams(PARTS)(handler, body)

    with serving(late) as server:
        began = time.monotonic()
        assert "did not answer within 0.4 s" in refused(asked(server, tries=1))
        assert time.monotonic() - began < 0.9


def test_a_silence_in_the_middle():
    with serving(cut(PARTS, wait_seconds=1.5)) as server:
        began = time.monotonic()
        assert "it fell silent" in refused(asked(server), StreamCut)
        assert time.monotonic() - began < 1.0


def test_between_may_be_longer_than_first():
    patient = Patience(first=0.3, between=2.0, total=5.0)
    with serving(streams(PARTS, wait_seconds=0.6)) as server:
        assert list(asked(server, patience=patient)) == PARTS


def test_an_answer_without_end_is_left():
    with serving(streams(["la "] * 200, wait_seconds=0.05)) as server:
        began = time.monotonic()
        refused(asked(server, patience=Patience(first=0.4, between=0.4, total=0.8)), StreamCut)
        assert time.monotonic() - began < 1.5


def test_keep_alives_do_not_count_as_words():
    with serving(sends(*[b": keep-alive\n\n"] * 100, wait_seconds=0.05)) as server:
        began = time.monotonic()
        refused(asked(server, patience=Patience(first=0.4, between=0.4, total=0.8), tries=1))
        assert time.monotonic() - began < 1.5


def test_it_can_be_cancelled_from_elsewhere():
    with serving(streams(["la "] * 200, wait_seconds=0.05)) as server:
        stream = asked(server, patience=Patience())
        threading.Timer(0.2, stream.cancel).start()
        began = time.monotonic()
        assert "broken off" in refused(stream, StreamCut)
        assert time.monotonic() - began < 1.0


def test_whoever_stops_listening_lets_go():
    with serving(streams(["la "] * 40, wait_seconds=0.02)) as server:
        model = Endpoint(server.url, "tiny", patience=Patience())
        parts = iter(model.stream(ASKED, limit_tokens=5))
        assert next(parts) == "la "
        (watch,) = watching(server)
        parts.close()
        again = iter(model.stream(ASKED, limit_tokens=5))  # and may ask again
        assert next(again) == "la "
        again.close()
        watch.join(20)
        assert not watch.is_alive()


def watching(server: Server) -> list[threading.Thread]:
    """The threads that watch a stream of this server: it alone has this port."""
    at = server.url.removeprefix("http://").removesuffix("/v1")
    return [each for each in threading.enumerate() if each.name == f"watch of {at}"]


@pytest.mark.parametrize(
    ("reply", "most"),
    [
        (failing(400, "context_length_exceeded", "This model's maximum context length is 8,192"
                 " tokens. a secret"), 8192),
        (failing(400, "", "the request exceeds the available context size, try increasing it",
                 type="exceed_context_size_error", n_prompt_tokens=5000, n_ctx=4096), 4096),
        (failing(400, "", "prompt is too long: 210000 tokens > 200000 maximum"), 200000),
        (raw(400, b'{"detail": "Input is too long for this model, a secret"}'), None),
        (sends(data({"error": {"code": "context_length_exceeded"}})), None),
    ],
)  # fmt: skip
def test_a_window_that_is_too_long_is_told_apart(reply, most):
    with serving(reply) as server:
        stream = asked(server)
        with pytest.raises(ContextTooLong) as caught:
            list(stream)
    assert caught.value.most_tokens == most
    assert "secret" not in str(caught.value)
    assert "--budget" in str(caught.value)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "reply",
    [failing(400, "content_filter", "a secret"), streams(PARTS, finish="content_filter"),
     sends(data({"choices": [{"delta": {"refusal": "I will not tell a secret"}}]}))],
)  # fmt: skip
def test_what_a_model_will_not_write_is_told_apart(reply):
    with serving(reply) as server:
        refused(asked(server), ContentFiltered)
    assert len(server.bodies) == 1


def test_a_wrong_model():
    with serving(failing(404, "model_not_found", "no model: a secret")) as server:
        assert "check the URL and the model's name" in refused(asked(server))
    assert len(server.bodies) == 1


def test_a_server_that_refuses_a_field_is_asked_for_less():
    def picky(handler, body):
        fine = "max_tokens" not in body and "stream_options" not in body
        (streams(PARTS) if fine else raw(400, b"{}"))(handler, body)

    with serving(picky) as server:
        assert list(asked(server)) == PARTS
    assert server.bodies[1]["max_completion_tokens"] == 77
    with serving(raw(400, b"{}")) as server:
        assert "answered 400" in refused(asked(server), Refused)
    assert len(server.bodies) == 2


def test_a_server_that_does_not_stream():
    body = (b'{"choices": [{"message": {"content": "The lamp."}, "finish_reason": "stop"}],'
            b' "usage": {"prompt_tokens": 3}}')  # fmt: skip
    with serving(raw(200, body, Content_Type="application/json")) as server:
        stream = asked(server)
        assert list(stream) == ["The lamp."]
    assert (stream.streamed, stream.finish, stream.usage) == (False, "stop", Usage(3))


@pytest.mark.parametrize(
    "reply", [says("x"), raw(200, b"<html>a secret</html>"), raw(200, b""), sends(b"data: []\n\n")]
)
def test_what_is_no_stream(reply):
    with serving(reply) as server:
        refused(asked(server, tries=1))


def test_nothing_of_a_story_or_key_is_logged(caplog):
    caplog.set_level(logging.DEBUG)
    with serving(raw(500, b"a hidden answer"), streams(["a hidden answer"])) as server:
        model = Endpoint(server.url, "tiny", api_key="k-123", sleep=lambda _: None)
        stream = model.stream(ASKED, limit_tokens=5)
        assert list(stream) == ["a hidden answer"]
    for shown in (caplog.text, repr(model), repr(stream.post)):
        assert "k-123" not in shown
        assert "hidden" not in shown
    assert server.headers[0]["authorization"] == "Bearer k-123"


def test_the_names_of_its_models():
    with serving(says("x")) as server:
        server.listed = {"data": [{"id": "tiny"}, {"id": "large"}]}
        assert Endpoint(server.url, "tiny").models() == ["tiny", "large"]
        server.listed = {"nothing": 1}
        assert Endpoint(server.url, "tiny").models() == []


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_are_the_same_however_they_are_cut(size, end):
    body = b": hi\n\ndata: one\ndata:two\n\nevent: x\ndata: caf\xc3\xa9\n\ndata: cut".replace(
        b"\n", end
    )
    cuts = [body[i : i + size] for i in range(0, len(body), size)]
    assert list(events(cuts)) == ["one\ntwo", "café"]
