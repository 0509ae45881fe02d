"""The LangChain retriever by LangChain's own test kit."""

from __future__ import annotations

from langchain_tests.integration_tests import RetrieversIntegrationTests

from storykeeper import Memory
from storykeeper.adapters.langchain import StorykeeperRetriever


def memory() -> Memory:
    made = Memory.open(":memory:", embedder="none")
    for n in range(6):
        made.add(f"The roof of mill {n} leaks", metadata={"n": n}, speaker="Ana", at=1e9)
    made.add("The roof is hers", audience={"ana"})
    return made


class TestByTheirKit(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self):
        return StorykeeperRetriever

    @property
    def retriever_constructor_params(self):
        return {"memory": memory()}

    @property
    def retriever_query_example(self):
        return "which roof leaks"


def test_what_is_found_says_what_is_known_of_it():
    retriever = StorykeeperRetriever(memory=memory(), k=1, where={"n": 3})
    (found,) = retriever.invoke("roof")
    assert (found.id, found.page_content) == ("m4", "The roof of mill 3 leaks")
    assert found.metadata.pop("score") > 0
    assert found.metadata == {"n": 3, "speaker": "Ana", "session": "s1", "at_ms": 10**12}


def test_what_one_may_not_know_is_not_retrieved():
    for audience, there in (("ana", True), ("ben", False), (None, False)):
        found = StorykeeperRetriever(memory=memory(), audience=audience).invoke("whose roof is it")
        assert any(d.page_content == "The roof is hers" for d in found) is there
