"""What nobody should tell a memory, and somebody will: a sound answer, or a clear refusal."""

from __future__ import annotations

import threading
import time

import pytest

from storykeeper import Memory
from storykeeper.errors import ItemRefused, MemoryProblem, StorykeeperError
from storykeeper.memory.chats import Said
from storykeeper.memory.documents import passages_of

SECONDS = 5.0  # generous: these take milliseconds


@pytest.fixture
def memory(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        yield memory


def found(memory, query, **asked):
    return [hit.item.id for hit in memory.search(query, **asked)]


def test_a_query_of_ten_thousand_words_is_answered_soon(memory):
    memory.add_all([Said(f"word{n} and word{n + 1} on the shelf") for n in range(2_000)])
    query = " ".join(f"word{n}" for n in range(10_000))
    for ask in (
        lambda: memory.search(query),
        lambda: memory.search(query, budget=500),
        lambda: memory.context(query, tokens=500),
        lambda: memory.search("yesterday and before last May " * 2_500, now="2024-05-09"),
    ):
        started = time.process_time()
        assert ask() is not None
        assert time.process_time() - started < SECONDS


def test_an_item_of_a_hundred_thousand_characters(memory):
    words = " ".join(f"leaf{n}" for n in range(12_500))
    assert len(words) > 100_000
    started = time.process_time()
    memory.add(words)
    memory.add("x" * 100_000)
    memory.add("漢" * 100_000)
    memory.add("A short line about a fern")
    assert found(memory, "leaf77")[0] == "m1"
    assert found(memory, "fern")[0] == "m4"
    packed = memory.search("leaf77 fern", budget=60)
    assert 0 < packed.tokens <= 60
    assert memory.context("leaf12", tokens=2_000).tokens <= 2_000
    assert time.process_time() - started < 4 * SECONDS


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Встреча перенесена на пятницу", "пятницу"),
        ("会议改到星期五 and the pier", "星期五"),
        ("الاجتماع يوم الجمعة", "الجمعة"),
        ("ภาพวาดของฉัน", "ภาพวาด"),
        ("Gesang über den Straßen", "strassen über"),
        ("🙂🙂 the smile 🙂", "smile 🙂"),
        ("e\u0301clair", "éclair"),
    ],
)
def test_mixed_scripts(memory, text, query):
    memory.add("Something else by the harbour")
    memory.add(text)
    results = memory.search(query)
    assert "m2" in [hit.item.id for hit in results]


def test_duplicates_are_all_there_and_the_older_comes_first(memory):
    memory.add_all([Said("The lamp is lit", "Ana", None, f"{n}") for n in range(300)])
    ids = found(memory, "lamp", k=300)
    assert ids == [f"m{n}" for n in range(1, 301)]
    assert found(memory, "lamp", k=20) == ids[:20]


@pytest.mark.parametrize("now", ["0001-01-01", "1969-12-31", "2024-05-09", "9999-12-31T23:59:59"])
def test_any_now(memory, now):
    memory.add("A comet in the year one", at="0001-01-01")
    memory.add("A comet before the epoch", at="1969-07-20T20:17")
    memory.add("A comet yesterday", at="2024-05-08")
    memory.add("A comet at the end", at="9999-12-31T23:59:59")
    for query in ("comet", "what did we see last week?", "comet in the year 1969", "tomorrow",
                  "what was said two sessions ago?", "what happened 9000 years ago?"):  # fmt: skip
        results = memory.search(query, now=now, k=10)
        assert all(0.0 <= hit.score <= 1.0 for hit in results)
        assert memory.search(query, now=now, budget=100).tokens <= 100
        assert memory.context(query, now=now, tokens=300).tokens <= 300
    assert len(found(memory, "comet", now=now)) == 4


def test_a_time_before_1970_is_a_time(memory):
    memory.add("We walked on the moon", at="1969-07-20T20:17")
    memory.add("We walked on the beach", at="1969-08-20T20:17")
    results = memory.search("What did we talk about in July 1969?", now="1969-09-01")
    assert [hit.item.id for hit in results] == ["m1"]


def test_more_than_there_is(memory):
    memory.add("One oak")
    memory.add("Two oaks")
    assert len(memory.search("oak", k=10**9)) == 2
    assert memory.search("oak", budget=10**12).left_out == ()
    assert len(memory.context("oak", tokens=10**9).recent) == 2


@pytest.mark.parametrize("k", [0, -1])
def test_less_than_nothing(memory, k):
    memory.add("One oak")
    with pytest.raises(MemoryProblem):
        memory.search("oak", k=k)
    with pytest.raises(StorykeeperError):
        memory.context("oak", tokens=k)
    with pytest.raises(MemoryProblem, match="budget"):
        memory.search("oak", budget=-1)


def test_an_audience_of_nobody(memory):
    closed = memory.add("Only the record knows", audience=[])
    memory.add("All know")
    for who in (None, "", "ana"):
        assert found(memory, "know knows record", audience=who) == ["m1"]
    assert memory.get(closed).audience == frozenset()


@pytest.mark.parametrize(
    "name",
    ["", " ", "Ana-María d'Arc", "אנה", "😀", "a,b", "m1", "s1", "None", "\n", "%s", "'; --"],
)
def test_names_with_odd_signs(memory, name):
    rang = memory.add("The bell rang", speaker=name, audience={name}, session=name, entities=[name])
    memory.add("The bell was silent", audience={"x" + name})
    assert found(memory, "bell", audience=name) == [rang]
    assert found(memory, f"did {name} ring the bell in the last session?", audience=name) == [rang]
    memory.used([rang], audience=name)
    assert memory.context("bell", tokens=200, audience=name).tokens <= 200
    memory.rebuild()
    assert found(memory, "bell", audience=name) == [rang]


@pytest.mark.parametrize(
    "odd",
    [{"speaker": "\ud800"}, {"audience": {"\udfff"}}, {"session": "\ud800"},
     {"entities": ["\ud800"]}, {"session": "x" * 10_000}, {"entities": ["x" * 10_000]},
     {"session": "a\0b"}, {"entities": "Mara"}, {"entities": 5}, {"entities": [5]},
     {"audience": {5, "a"}}, {"audience": 5}, {"audience": "ana"}, {"weight": "1"},
     {"weight": None}, {"weight": 2}, {"weight": float("nan")}, {"speaker": 5},
     {"at": float("nan")}, {"at": float("inf")}, {"at": 10**30}],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_before_it_is(memory, odd):
    with pytest.raises(ItemRefused):
        memory.add("Words", **odd)
    assert len(memory) == 0
    assert memory.add("Words") == "m1"


@pytest.mark.parametrize(
    "said",
    [Said("Words", "\ud800"), Said("Words", "x" * 300), Said("Words", "", None, "\ud800"),
     Said("Words", audience=frozenset({"a\0"})), Said(" ")],
)  # fmt: skip
def test_many_lines_with_a_bad_one_are_refused_whole(memory, said):
    with pytest.raises(ItemRefused):
        memory.add_all([Said("Before"), said, Said("After")])
    assert len(memory) == 0


@pytest.mark.parametrize("text", [None, 5, b"Words", ["Words"]])
def test_what_is_no_text_is_refused(memory, text):
    with pytest.raises(ItemRefused, match="is a text, not"):
        memory.add(text)
    with pytest.raises(ItemRefused, match="is a text, not"):
        memory.add_all([Said(text)])


@pytest.mark.parametrize(
    "odd",
    [{"audience": {"ben"}}, {"audience": ["ben"]}, {"audience": 5}, {"k": 2.5}, {"k": "3"},
     {"budget": "9"}, {"budget": 2.5}, {"query": None}, {"query": 5}],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(memory, odd):
    memory.add("The bell rang", audience={"ben"})
    with pytest.raises(MemoryProblem):
        memory.search(**{"query": "bell", **odd})
    for_context = {"query": "bell", "tokens": odd.get("budget", odd.get("k", 300)), **odd}
    asked = {k: v for k, v in for_context.items() if k in ("query", "tokens", "audience")}
    with pytest.raises(MemoryProblem):
        memory.context(**asked)


def test_ids_and_names_of_the_wrong_kind(memory):
    memory.add("The bell rang")
    for item in (5, None):
        with pytest.raises(MemoryProblem, match="no id"):
            memory.get(item)
    with pytest.raises(ItemRefused):
        memory.used(["m1"], audience={"ben"})
    with pytest.raises(ItemRefused, match="write"):
        memory.add_all([Said("Words", audience="ana")])


@pytest.mark.parametrize("namespace", ["a\0b", 5, "x" * 1_000, "\ud800"])
def test_a_namespace_that_cannot_be_written(tmp_path, namespace):
    with pytest.raises(ItemRefused):
        Memory.open(tmp_path / "other.db", embedder="none", namespace=namespace)
    assert not (tmp_path / "other.db").exists()


def test_a_closed_memory_says_so(memory):
    memory.add("The bell rang")
    memory.close()
    memory.close()
    for call in (lambda: memory.search("bell"), lambda: memory.add("x"), lambda: len(memory),
                 lambda: memory.get("m1"), lambda: memory.compact(), memory.rebuild):  # fmt: skip
        with pytest.raises(MemoryProblem, match="closed; open it again"):
            call()


def test_halves_of_characters_in_a_question(memory):
    memory.add("The bell rang")
    assert found(memory, "bell \ud800") == ["m1"]
    assert memory.context("bell \udfff", tokens=100, audience="\ud800").tokens <= 100


def test_a_document_without_words(memory):
    assert memory.load(passages_of("", document="a.md")) == []
    assert memory.load([]) == []


def test_threads_may_share_a_memory(memory):
    """Calls of several threads are answered one after another, each as if it were alone."""
    errors: list[BaseException] = []

    def tried(work):
        def run():
            try:
                for n in range(40):
                    work(n)
            except BaseException as error:
                errors.append(error)

        return run

    ids: list[str] = []
    works = [
        lambda n: ids.append(memory.add(f"Line {n} about the oak", audience={"ana"})),
        lambda n: ids.append(memory.add(f"Line {n} about the pond")),
        lambda n: memory.search("oak pond", audience="ana", budget=80),
        lambda n: memory.context("oak", tokens=200, audience="ana"),
        lambda n: memory.delete(found(memory, "pond", k=1)) if n % 10 == 0 else None,
        lambda n: memory.rebuild() if n % 20 == 0 else memory.used(ids[:1], audience="ana"),
    ]
    threads = [threading.Thread(target=tried(work)) for work in works]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not [error for error in errors if "was retired" not in str(error)]
    assert len(memory) == len(set(ids)) == 80
    before = memory.search("oak pond", audience="ana", k=100)
    memory.rebuild()
    assert memory.search("oak pond", audience="ana", k=100) == before
