"""`Memory` as a user meets it: add, search, pack, forget, reopen."""

import pytest

from storykeeper import Memory
from storykeeper.errors import ItemRefused, MemoryProblem, NoSuchItem, StorykeeperError
from storykeeper.memory.chats import Said
from storykeeper.memory.holding import MOST_VIEWS


@pytest.fixture
def memory(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        yield memory


def found(memory, query, **asked):
    return [hit.item.id for hit in memory.search(query, **asked)]


def test_the_promised_lines(tmp_path):
    memory = Memory.open(tmp_path / "chat.db")
    moved = memory.add(
        "I moved the meeting to Friday", speaker="Ana", at="2024-05-07T10:00",
        audience={"ana", "ben"},
    )  # fmt: skip
    memory.add("The dog ate my sandwich", speaker="Ben", at="2024-05-07T10:01", audience={"ben"})
    results = memory.search("when is the meeting", audience="ben", now="2024-05-09", k=10)
    assert results[0].item.text == "I moved the meeting to Friday"
    assert results[0].signals["words"] > 0
    assert found(memory, "what did the dog eat", audience="ana") == [moved]
    packed = memory.search("when is the meeting", audience="ben", budget=800)
    assert packed.tokens <= 800
    assert packed.text.startswith("[2024-05-07]\nAna: I moved the meeting to Friday")
    memory.close()


def test_what_is_added_is_there_after_reopening(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        assert memory.add("The key is under the mat") == "m1"
        assert memory.add("The cat sleeps") == "m2"
        before = memory.search("where is the key")
    with Memory.open(path) as memory:  # it goes on as it was begun
        assert len(memory) == 2
        assert memory.search("where is the key").hits == before.hits
        assert memory.add("The key was moved") == "m3"
        assert set(found(memory, "key")[:2]) == {"m1", "m3"}


def test_nobody_finds_what_is_not_for_them(memory):
    mine = memory.add("The treasure lies under the oak", audience={"ana"})
    ours = memory.add("The treasure is a tale", audience={"ana", "ben"})
    memory.add("The treasure was sold", audience=())
    known = memory.add("Everybody talks of the treasure")
    assert set(found(memory, "treasure", audience="ana")) == {mine, ours, known}
    assert set(found(memory, "treasure", audience="ben")) == {ours, known}
    assert found(memory, "treasure", audience="carol") == [known]
    assert found(memory, "treasure") == [known]


def test_namespaces_are_apart(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none", namespace="ana") as memory:
        memory.add("My password is swordfish")
    with Memory.open(path, namespace="ben") as memory:
        assert found(memory, "password") == []
        trout = memory.add("My password is trout")
        assert found(memory, "password") == [trout]


def test_what_is_retired_is_not_found_and_stays_on_record(memory):
    memory.add("The door is blue")
    memory.add("The door is red")
    memory.delete(["m1"])
    assert found(memory, "door") == ["m2"]
    with pytest.raises(NoSuchItem, match="m1 was deleted"):
        memory.get("m1")
    memory.rebuild()
    assert found(memory, "door") == ["m2"]


def test_a_budget_is_kept_and_what_is_left_out_says_by_how_much(memory):
    for n in range(30):
        memory.add(f"Note {n}: the lighthouse keeper counted {n} ships that night", speaker="Log")
    results = memory.search("how many ships did the keeper count", budget=100)
    assert 0 < len(results) < 30
    assert memory.store.count(results.text) == results.tokens <= 100
    assert results.left_out
    assert all(each.lacking >= 0 for each in results.left_out)
    assert memory.search("ships", budget=0).hits == ()


def test_sessions_follow_from_the_times(memory):
    memory.add_all(
        [
            Said("Good morning", "Ana", 0),
            Said("Morning", "Ben", 60_000),
            Said("Still here", "Ana", 7 * 3_600_000),
            Said("Elsewhere", "Ana", 8 * 3_600_000, "other"),
        ]
    )
    assert [memory.get(f"m{n}").session for n in range(1, 5)] == ["s1", "s1", "s3", "other"]


def test_a_question_of_time_alone_is_answered_in_order(memory):
    memory.add("We planted beans", at="2024-05-06T10:00")
    memory.add("We planted peas", at="2024-05-06T10:05")
    memory.add("We dug a pond", at="2024-05-08T10:00")
    results = memory.search("What did we talk about two days ago?", now="2024-05-08T12:00")
    assert [hit.item.id for hit in results] == ["m1", "m2"]
    assert "6 May 2024" in results.notes[0]


def test_recent_things_count_for_more_when_it_is_said_when(memory):
    memory.add("The boat is at the pier", at="2024-05-01")
    memory.add("The boat is at the pier", at="2024-05-08")
    assert found(memory, "where is the boat") == ["m1", "m2"]  # equal: the older first
    assert found(memory, "where is the boat", now="2024-05-08T01:00") == ["m2", "m1"]


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1_000_001, "\ud800"])
def test_what_cannot_be_remembered_is_refused(memory, text):
    with pytest.raises(ItemRefused):
        memory.add(text)
    assert len(memory) == 0


@pytest.mark.parametrize(
    "asked",
    [{"audience": "ana"}, {"at": "soon"}, {"weight": 2.0}, {"weight": float("nan")},
     {"speaker": "x" * 300}, {"audience": {"a\0b"}}],
)  # fmt: skip
def test_what_is_said_of_it_must_make_sense(memory, asked):
    with pytest.raises(ItemRefused):
        memory.add("Words", **asked)


@pytest.mark.parametrize("query", ["", "   ", "?!", "word " * 10_000, "漢字 кириллица 🙂", "\0"])
def test_any_query_gets_an_answer(memory, query):
    memory.add("Some words, 漢字 and others")
    assert memory.search(query, k=3) is not None
    assert memory.search(query, budget=50).tokens <= 50


def test_bad_ids_and_numbers_are_named(memory):
    memory.add("One")
    for wrong in ("m2", "m0", "1", "m01", "", "x1", "m¹"):
        with pytest.raises(NoSuchItem):
            memory.get(wrong)
    with pytest.raises(MemoryProblem, match="at least one"):
        memory.search("one", k=0)


def test_the_same_words_may_be_said_twice(memory):
    memory.add("Certainly")
    memory.add("Certainly")
    assert found(memory, "certainly") == ["m1", "m2"]


def test_what_comes_from_the_future_is_as_fresh_as_now(memory):
    memory.add("The comet will return", at="2061-07-28")
    results = memory.search("comet", now="2024-05-09")
    assert results[0].terms.recency == 1.0


def test_a_run_of_a_story_is_no_chat(tmp_path):
    from storykeeper import Storykeeper

    path = tmp_path / "run.db"
    Storykeeper.open(path, story="examples/the-lamp-at-harrow").close()
    with pytest.raises(StorykeeperError, match="run of a story"):
        Memory.open(path)


def test_erasing_takes_the_words_out_of_every_search(tmp_path):
    from storykeeper.bootstrap import open_ledger
    from storykeeper.units import MAIN

    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        memory.add("My secret name is Rumpelstiltskin")
        memory.add("The straw is gold")
    with open_ledger(path) as ledger:
        ledger.erase(MAIN, turn=1)
    with Memory.open(path) as memory:
        assert found(memory, "secret name") == []
        assert found(memory, "straw") == ["m2"]
    everything = b"".join(p.read_bytes() for p in path.parent.rglob("*") if p.is_file())
    assert b"Rumpelstiltskin" not in everything


def test_two_writers_lose_nothing(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as one, Memory.open(path) as two:
        assert one.add("From one") == "m1"
        assert two.add("From two") == "m2"
        assert one.add("From one again") == "m3"
        assert set(found(two, "two again one")) == set(found(one, "two again one")) == {
            "m1", "m2", "m3",
        }  # fmt: skip


def test_what_was_broken_off_half_way_is_indexed_once(memory, monkeypatch):
    memory.add("The first")
    whole = memory.store.index.add

    def broken_off(*args):
        whole(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(memory.store.index, "add", broken_off)
    with pytest.raises(KeyboardInterrupt):
        memory.add("The second")
    monkeypatch.undo()
    assert memory.add("The third") == "m3"
    assert len(memory) == 3
    assert found(memory, "the second")[0] == "m2"


def test_an_embedder_nobody_knows_is_refused_before_a_file_is_made(tmp_path):
    with pytest.raises(StorykeeperError, match="there is no embedder"):
        Memory.open(tmp_path / "chat.db", embedder="magic")


def test_a_small_chat_remembers_what_answers(tmp_path):
    with Memory.open(tmp_path / "chat.db") as memory:
        memory.add("Rex is afraid of thunder", speaker="Ana")
        for n in range(12):
            memory.add(f"The roof leaks in {n} places and supper is at eight", speaker="Ben")
        prompt = memory.context("what is the dog Rex afraid of", tokens=300)
        assert next(hit.item.id for hit in prompt.found) == "m1"
        assert "m1" not in [item.id for item in prompt.recent]


def test_what_is_searched_between_additions_loses_nothing(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        for number in range(1, 141):  # more than are gathered into one segment
            memory.add(f"note uniqueword{number}", audience={"ana"} if number % 2 else None)
            memory.search("note", k=1)
    with Memory.open(path) as memory:
        assert len(memory) == 140
        for number in range(1, 141):
            found = memory.search(f"uniqueword{number}", audience="ana", k=1)
            assert f"uniqueword{number}" in found[0].item.text.split()
        assert [h for h in memory.search("uniqueword131") if "uniqueword131" in h.item.text] == []


def test_what_is_retired_stays_in_its_summaries_and_what_is_erased_does_not(memory):
    for number in range(60):
        memory.add("The code is 7741 zebra." if number == 4 else f"Line {number} is of the sea.")
    told = [item for item in memory.compact().summaries if "zebra" in memory.get(item).text]
    memory.delete(["m5"])
    assert found(memory, "zebra code", k=1) == told
    memory.forget(told)
    assert "zebra" not in memory.search("zebra code", budget=2_000).text


def test_after_an_erasure_the_index_is_kept_again(tmp_path):
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:
        first = [memory.add(f"bell number {number}") for number in range(4)]
        memory.forget(first[:1])
        assert memory.store.index.writable
        memory.add("one bell more")
    with Memory.open(path) as memory:
        assert memory.store.index.rows == 5
        assert len(found(memory, "bell")) == 4


def test_views_of_many_audiences_are_let_go(memory):
    for number in range(80):
        memory.add(f"bell number {number}", audience=[f"guest-{number}"])
    for number in range(80):
        assert len(memory.search("bell", audience=f"guest-{number}")) == 1
    assert len(memory.store._views) == MOST_VIEWS
