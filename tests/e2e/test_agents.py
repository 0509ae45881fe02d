"""A real MCP client, over standard input and over HTTP."""

from __future__ import annotations

import asyncio
import os
import sys

import httpx
import mcp
from mcp.client.streamable_http import streamable_http_client

from storykeeper.serve.keys import Keys
from strategies.services import service
from strategies.worlds import EXAMPLE


def asked(target, *calls, key: str = ""):
    """What each call answers, and the names of the tools."""

    async def go():
        headers = {"authorization": f"Bearer {key}"} if key else {}
        async with (
            httpx.AsyncClient(headers=headers, timeout=60) as http,
            mcp.Client(
                streamable_http_client(target, http_client=http) if key else target
            ) as client,
        ):
            tools = [tool.name for tool in (await client.list_tools()).tools]
            return tools, [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(go())


def text_of(answer) -> str:
    return " ".join(part.text for part in answer.content)


def over_stdio(data, *calls):
    parameters = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "storykeeper", "mcp", "--data", str(data)],
        env=dict(os.environ),
    )
    return asked(mcp.stdio_client(parameters), *calls)


FRIDAY = ("remember", {"text": "The meeting is on Friday", "speaker": "Ana", "audience": ["ana"]})


def test_over_standard_input(tmp_path):
    tools, (kept, found, hidden, refused) = over_stdio(
        tmp_path, FRIDAY, ("recall", {"query": "meeting", "audience": "ana"}),
        ("recall", {"query": "meeting", "audience": "ben"}), ("brief", {"run": "x", "who": "y"}),
    )  # fmt: skip
    assert {"remember", "recall", "window", "brief", "who_knows", "why", "presence",
            "correct"} <= {*tools}  # fmt: skip
    assert not kept.is_error
    assert "Friday" in text_of(found)
    assert "Friday" not in text_of(hidden)
    assert refused.is_error
    assert "there is no run x" in text_of(refused)


def test_over_http_with_a_run(tmp_path):
    with service(tmp_path, stories=EXAMPLE.parent) as running:
        wanted = {"story": EXAMPLE.name, "run": "r"}
        httpx.post(f"{running.url}/v1/runs", json=wanted, timeout=60)
        _, (window, knows, why, here, set_right) = asked(
            f"{running.url}/mcp",
            ("window", {"run": "r", "text": "I go on to Harrow."}),
            ("who_knows", {"run": "r", "fact": "key-in-the-oats"}),
            ("why", {"run": "r", "turn": 0, "item": "key-in-the-oats"}),
            ("presence", {"run": "r"}),
            ("correct", {"run": "r", "gone": ["tobit"]}),
        )
        assert "I go on to Harrow." in text_of(window)
        assert "oat crock" in text_of(knows)
        assert "not known" in text_of(why)
        assert "tobit" in text_of(here)
        assert not set_right.is_error, text_of(set_right)


def test_a_key_opens_its_tenants_memories_alone(tmp_path):
    keys = Keys(tmp_path)
    made = {who: keys.create(tenant=who, scopes=["read", "write"], now=0)[0] for who in "ab"}

    with service(tmp_path) as running:

        def as_(who, *calls):
            return asked(f"{running.url}/mcp", *calls, key=made[who])

        as_("a", ("remember", {"text": "The lamp is brass."}))
        assert "brass" in text_of(as_("a", ("recall", {"query": "lamp"}))[1][0])
        assert "brass" not in text_of(as_("b", ("recall", {"query": "lamp"}))[1][0])
        refused = as_("a", ("window", {"run": "r"}))[1][0]
        assert "scope author" in text_of(refused)


def test_a_graph_of_entities_and_relations(tmp_path):
    ana = {"name": "Ana", "entityType": "person", "observations": ["keeps bees", "is from Lund"]}
    bo = {"name": "Bo", "entityType": "person", "observations": []}
    knows = {"from": "Ana", "to": "Bo", "relationType": "knows"}
    tools, answers = over_stdio(
        tmp_path, ("create_entities", {"entities": [ana, bo]}),
        ("create_entities", {"entities": [{**ana, "observations": ["keeps bees"]}]}),
        ("create_relations", {"relations": [knows, knows]}),
        ("add_observations", {"observations": [{"entityName": "Bo", "contents": ["sings"]}]}),
        ("search_nodes", {"query": "who has bees?"}), ("open_nodes", {"names": ["Bo"]}),
        ("delete_observations",
         {"deletions": [{"entityName": "Ana", "observations": ["is from Lund"]}]}),
        ("read_graph", {}), ("delete_entities", {"entityNames": ["Bo"]}), ("read_graph", {}),
    )  # fmt: skip
    assert {"read_graph", "delete_relations"} <= {*tools}
    assert not any(answer.is_error for answer in answers), [text_of(each) for each in answers]
    found = [answer.structured_content for answer in answers]
    assert "keeps bees" in str(found[4])
    assert found[5]["entities"] == [{**bo, "observations": ["sings"]}]
    assert found[7] == {
        "entities": [{**ana, "observations": ["keeps bees"]}, {**bo, "observations": ["sings"]}],
        "relations": [knows],
    }
    assert found[9]["relations"] == []
    assert [each["name"] for each in found[9]["entities"]] == ["Ana"]


def test_two_processes_write_one_graph_and_lose_nothing(tmp_path):
    import threading

    def write(who):
        entities = [{"name": f"{who}{n}", "entityType": "x", "observations": []} for n in range(5)]
        over_stdio(tmp_path, *(("create_entities", {"entities": [each]}) for each in entities))

    writers = [threading.Thread(target=write, args=(who,)) for who in "ab"]
    [each.start() for each in writers]
    [each.join() for each in writers]
    _, (graph,) = over_stdio(tmp_path, ("read_graph", {}))
    assert len(graph.structured_content["entities"]) == 10
