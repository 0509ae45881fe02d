"""Compaction through a model behind real HTTP: what it writes stands only if it is true."""

from __future__ import annotations

import json

import pytest

from storykeeper import Memory, Storykeeper
from storykeeper.memory.chats import Said
from storykeeper.models.endpoint import Endpoint
from strategies.chat_servers import serving
from strategies.worlds import house

LINES = [
    ("Ana", "The ferry to Harrow leaves at nine on Tuesday, from the north pier."),
    ("Ben", "I did not buy the tickets for the ferry, the office was shut all day."),
    ("Ana", "Then I will buy three tickets for the ferry tomorrow morning, before work."),
    ("Ben", "Thank you, Ana. Carol is coming on the ferry as well, and she has a dog."),
] * 6  # fmt: skip
TRUE = (
    "The ferry to Harrow leaves the north pier at nine on Tuesday. Ben did not buy the tickets:"
    " the office was shut. Ana will buy three tickets. Carol is coming on the ferry with a dog."
)


def saying(text):
    def reply(handler, _):
        body = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
        handler.send_response(200)
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return reply


@pytest.fixture
def memory(tmp_path):
    with Memory.open(tmp_path / "chat.db") as memory:
        lines = [Said(text, who) for who, text in LINES]
        memory.add_all([*lines, *(Said(f"Small talk {n}.", "Ana") for n in range(40))])
        yield memory


def summary(memory, reply):
    with serving(reply) as server:
        made = memory.compact(model=Endpoint(server.url, "small", retry_wait_seconds=0.0))
        assert server.bodies
    return memory.get(made.summaries[0])


def test_a_true_summary_stands_and_expands_to_its_sources(memory):
    item = summary(memory, saying(TRUE))
    assert item.text == TRUE
    assert 0 < item.confidence <= 1
    sources = memory.expand(item.id)
    assert [source.text for source in sources] == [text for _, text in LINES][: len(sources)]


@pytest.mark.parametrize(
    "said",
    [
        TRUE.replace("did not buy", "bought"),
        TRUE.replace("three tickets", "five tickets"),
        TRUE.replace("Carol", "Dorothea"),
        "The price of wheat rose in the spring, and the harvest was poor that year.",
        "",
    ],
)
def test_what_is_not_true_to_the_sources_gives_way_to_their_own_words(memory, said):
    item = summary(memory, saying(said))
    assert item.text != said
    assert "did not buy the tickets" in item.text or "ferry" in item.text


def test_a_model_that_is_down_costs_nothing_but_its_summary(memory):
    made = memory.compact(model=Endpoint("http://127.0.0.1:9/v1", "none", retry_wait_seconds=0.0))
    assert made.summaries
    assert made.tokens_after < made.tokens_before


def test_a_run_sums_its_older_turns_up_while_it_is_played(tmp_path):
    """Through the endpoint that a user names, with the real parser and the real embedder."""
    told = "\n\n".join(f"“{text}” says {who}." for who, text in LINES[:4])
    with (
        serving(saying(TRUE)) as server,
        Storykeeper.open(
            tmp_path / "run.db", story=house(), summaries=f"{server.url} small"
        ) as keeper,
    ):
        keeper.render(keeper.opening(), told)
        for _ in range(36):
            keeper.render(keeper.begin("I wait."), told)
            keeper._summing.wait()
        assert server.bodies
        assert f"In short: {TRUE}" in keeper.window(text="I wait.").text
