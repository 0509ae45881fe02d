"""A memory as functions that a model calls; and what an adapter says without its package."""

from __future__ import annotations

import json
import sys

import jsonschema
import pytest

from storykeeper import OWNER, Memory
from storykeeper.adapters.tools import FUNCTIONS, MemoryTools, schema_of


@pytest.fixture
def memory():
    with Memory.open(":memory:", embedder="none") as memory:
        yield memory


def asked(tools: MemoryTools, name: str, **arguments):
    return json.loads(tools.call(name, json.dumps(arguments)))


def test_the_schemas_are_schemas_of_what_is_taken(memory):
    tools = MemoryTools(memory)
    assert [each["function"]["name"] for each in tools.schemas] == [*FUNCTIONS]
    for each in tools.schemas:
        function = each["function"]
        assert each["type"] == "function"
        assert function["description"]
        assert all(p["description"] for p in function["parameters"]["properties"].values())
        jsonschema.Draft202012Validator.check_schema(function["parameters"])
    jsonschema.validate({"text": "A", "metadata": {"a": 1, "b": ["c"]}}, schema_of("remember"))
    for wrong in ({}, {"text": 1}, {"text": "A", "more": 1}, {"text": "A", "metadata": {"a": {}}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema_of("remember"))
        assert "error" in asked(tools, "remember", **wrong)
    assert len(memory) == 0


def test_what_a_model_remembers_it_recalls_corrects_and_deletes(memory):
    tools = MemoryTools(memory, audience="ana", speaker="assistant")
    item = asked(tools, "remember", text="Ana likes slate roofs", metadata={"topic": "roof"})["id"]
    assert asked(tools, "remember", text="Ana likes slate roofs.", metadata={"topic": "roof"}) == {
        "id": item
    }
    (found,) = asked(tools, "recall", query="what roofs does Ana like")["found"]
    assert found == {
        "id": item, "text": "Ana likes slate roofs", "speaker": "assistant",
        "metadata": {"topic": "roof"},
    }  # fmt: skip
    assert asked(tools, "update_memory", id=item, text="Ana likes thatched roofs") == {"id": item}
    assert memory.get(item).text == "Ana likes thatched roofs"
    assert asked(tools, "delete_memory", id=item) == {"deleted": 1}
    assert asked(tools, "recall", query="roofs")["found"] == []
    assert [change.what for change in memory.history(item)][-1] == "deleted"


def test_a_call_reaches_nothing_that_its_audience_may_not_see(memory):
    ana, ben = MemoryTools(memory, audience="ana"), MemoryTools(memory, audience="ben")
    hers = asked(ana, "remember", text="The key is under the mat")["id"]
    shared = MemoryTools(memory, audience="ana", shared_with=frozenset({"ben"}))
    both = asked(shared, "remember", text="The key is brass")["id"]
    assert [f["id"] for f in asked(ben, "recall", query="key")["found"]] == [both]
    for name, more in (("update_memory", {"text": "Mine"}), ("delete_memory", {})):
        refused = asked(ben, name, id=hers, **more)
        assert refused == {"error": f"{name}: nothing is called {hers}"}
    assert memory.get(hers).text == "The key is under the mat"
    assert [item.audience for item in memory.list(audience=OWNER)] == [
        frozenset({"ana"}), frozenset({"ana", "ben"}),
    ]  # fmt: skip


def test_a_project_is_kept_to(memory):
    one = MemoryTools(memory, where={"project": "harrow"})
    other = MemoryTools(memory, where={"project": "mill"})
    item = asked(one, "remember", text="The roof leaks", metadata={"project": "mill"})["id"]
    assert memory.get(item).metadata == {"project": "harrow"}
    assert asked(other, "recall", query="roof")["found"] == []
    assert "nothing is called" in asked(other, "delete_memory", id=item)["error"]
    assert len(asked(one, "recall", query="roof")["found"]) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("rember", "{}", "there are remember, recall"),
        ("recall", "{", "no JSON"),
        ("recall", "[]", "recall: Expected"),
        ("recall", "", "missing required field `query`"),
        ("remember", '{"text": " "}', "there are no words in it"),
        ("update_memory", '{"id": "12", "text": "x"}', "they look like m12"),
        ("delete_memory", '{"id": "m7"}', "nothing is called m7"),
    ],
)
def test_what_cannot_be_done_is_an_answer(memory, name, arguments, says):
    assert says in json.loads(MemoryTools(memory).call(name, arguments))["error"]


@pytest.mark.parametrize(
    ("adapter", "package", "extra"),
    [
        ("langgraph", "langgraph", "langgraph"), ("langchain", "langchain_core", "langgraph"),
        ("llamaindex", "llama_index", "llamaindex"),
        ("openai_agents", "agents", "openai-agents"),
    ],
)  # fmt: skip
def test_an_adapter_without_its_package_says_how_to_get_it(monkeypatch, adapter, package, extra):
    for name in [n for n in sys.modules if n.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"storykeeper.adapters.{adapter}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'storykeeper\[{extra}\]'"):
        __import__(f"storykeeper.adapters.{adapter}")
