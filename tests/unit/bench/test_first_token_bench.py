"""`bench latency`: until the first word, with our layout and the usual one."""

import json
from time import perf_counter

import httpx
import pytest

from storykeeper.bench import latency
from storykeeper.bench.first_token import PROMPT_SPEED, first_token, served
from storykeeper.bench.registry import Setup


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    found = {"storykeeper": {}, "floor": {}, "ratio": {}}
    first_token(tmp_path_factory.mktemp("bench"), Setup(say=lambda _: None, quick=True), found)
    return found


def test_both_layouts_are_timed_in_one_run(figures):
    assert first_token in latency.PARTS
    ours, usual = (figures[name]["first_token"] for name in ("storykeeper", "naive"))
    assert ours["prompt_speed"] == PROMPT_SPEED
    assert ours["window_ms"] == usual["window_ms"]  # the same windows
    for each in (ours, usual):
        assert each["ms"]["p50"] >= each["window_ms"]["p50"]
        assert each["tokens_taken"] > 0
    assert ours["tokens_taken"] < usual["tokens_taken"]


def post(url, model, text):
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    start = perf_counter()
    answer = httpx.post(f"{url}/chat/completions", json=body)
    assert json.loads(answer.text.split("\n")[0].removeprefix("data: "))["choices"]
    return perf_counter() - start


def test_the_endpoint_takes_what_the_last_prompt_had_not(tmp_path):
    with served() as (url, server):
        seconds = post(url, "a", "one two three " * 200)
        post(url, "a", "one two three " * 200 + "four")
        post(url, "b", "one two three " * 200)
        post(url, "a", "zero " + "one two three " * 200)
        assert server.taken["a"][0] == server.taken["b"][0] >= 600
        assert server.taken["a"][1] <= 2
        assert server.taken["a"][2] >= server.taken["a"][0]
    assert seconds >= server.taken["a"][0] / PROMPT_SPEED
