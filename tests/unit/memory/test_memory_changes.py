"""`Memory` as a developer of agents meets it: metadata, updates, deletion, pages, expiry, hooks."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from storykeeper import OWNER, Memory
from storykeeper.errors import ItemRefused, MemoryProblem, NoSuchItem
from storykeeper.memory.chats import Said, read_chat
from storykeeper.memory.documents import passages_of
from storykeeper.memory.hooks import Doing
from storykeeper.memory.versions import Turned

HOUR = timedelta(hours=1)


@pytest.fixture
def memory():
    with Memory.open(":memory:", embedder="none") as memory:
        yield memory


@pytest.fixture
def reopened(tmp_path):
    """A memory on disk; and the same as it is, opened again, and with its index made anew."""
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="none") as memory:

        def again():
            yield memory
            memory.close()
            with Memory.open(path) as other:
                yield other
                other.rebuild()
                yield other

        yield memory, again


def texts(items) -> list[str]:
    return [item.text for item in items]


def found(memory, query, **asked) -> list[str]:
    return [hit.item.id for hit in memory.search(query, **asked)]


# ── metadata and filters ─────────────────────────────────────────────────────────────────────


def test_metadata_are_given_back_and_searched_by(memory):
    about = {"project": "harrow", "stars": 4, "open": True, "share": 0.5, "tags": ["roof", "slate"]}
    item = memory.add("The roof leaks", metadata=about)
    memory.add("The roof is dry", metadata={"project": "mill"})
    assert memory.get(item).metadata == about
    assert found(memory, "roof", where={"project": "harrow"}) == [item]
    assert found(memory, "roof", where={"tags": "slate", "stars": {"$gt": 3, "$lte": 4}}) == [item]
    assert found(memory, "roof", where={"stars": True}) == []
    assert len(found(memory, "roof")) == 2


def test_what_the_memory_knows_itself_can_be_filtered_by(memory):
    memory.add("One oak", speaker="Ana", at="2024-05-01", session="first")
    memory.add("Two oaks", speaker="Ben", at="2024-05-09", session="second")
    memory.load(passages_of("An oak is a tree.\n", document="oak.md"))
    assert texts(memory.list(where={"@speaker": "Ben"})) == ["Two oaks"]
    assert texts(memory.list(where={"@session": {"$in": ["first"]}})) == ["One oak"]
    assert texts(memory.list(where={"@at": {"$gte": "2024-05-02"}})) == ["Two oaks"]
    assert texts(memory.list(where={"@kind": "written"})) == ["An oak is a tree."]


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("project", "a filter is a dict"),
        ({"$nor": []}, r"there are \$and, \$or and \$not"),
        ({"$or": {}}, "wants a list of filters"),
        ({"stars": {"gte": 3}}, r"there is no 'gte'; there are \$eq"),
        ({"stars": {}}, "is asked for nothing"),
        ({"stars": None}, r"write \{'\$exists': False\}"),
        ({"stars": {"$in": 3}}, "wants a list"),
        ({"stars": {"$exists": "yes"}}, "is True or False"),
        ({"@who": "Ana"}, "there are @speaker"),
        ({"@kind": "told"}, "it is one of said"),
        ({"@at": {"$gte": "whenever"}}, "is no moment"),
    ],
)
def test_a_filter_that_is_none_is_refused_with_what_to_write(memory, where, says):
    for call in (memory.search, lambda _, where: memory.delete(where=where)):
        with pytest.raises(MemoryProblem, match=says):
            call("oak", where=where)


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        (["project"], "write a dict"),
        ({"": 1}, "a short text"),
        ({"$set": 1}, "do not begin with"),
        ({"@speaker": "Ana"}, "do not begin with"),
        ({"a": None}, "a text, a number"),
        ({"a": float("nan")}, "a text, a number"),
        ({"a": {"b": 1}}, "write others as JSON text"),
        ({"a": [1]}, "a list of texts"),
        ({"a": "\ud800"}, "not text that can be stored"),
        ({"a": "x" * 200_000}, "keep what is long in the text"),
    ],
)
def test_metadata_that_cannot_be_kept_are_refused(memory, metadata, says):
    with pytest.raises(ItemRefused, match=says):
        memory.add("The oak", metadata=metadata)
    assert len(memory) == 0


def test_metadata_are_erased_with_the_words(reopened):
    memory, _ = reopened
    item = memory.add("The oak", metadata={"iban": "DE02120300000000202051"})
    memory.update(item, metadata={"iban": "DE02500105170137075030"})
    memory.forget(item)
    memory.close()
    folder = memory.store.ledger.path.parent
    left = b"".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())
    assert b"DE02" not in left


# ── adding ───────────────────────────────────────────────────────────────────────────────────


def test_many_are_added_as_they_come(memory):
    said = Said("Three oaks", metadata={"n": 3})
    chat = {"role": "user", "content": "Two oaks", "timestamp": 1_714_000_000, "metadata": {"n": 2}}
    assert memory.add_all(["One oak", chat, said]) == ["m1", "m2", "m3"]
    assert memory.get("m2").speaker == "user"
    assert [item.metadata.get("n") for item in memory.list()] == [None, 2, 3]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("One oak", "several lines are wanted"),
        (["One", 2], "line 2: a text, a dict or a Said"),
        ([{"role": "user"}], "line 1: there are no words under text"),
        ([{"text": "One", "metadata": {"a": {}}}], "line 1: metadata 'a'"),
        ([{"text": "One", "weight": 7}], "line 1: a weight is between"),
    ],
)
def test_lines_that_cannot_be_added_are_refused_by_number_and_none_is_kept(memory, lines, says):
    with pytest.raises(MemoryProblem, match=says):
        memory.add_all(lines)
    assert len(memory) == 0


def test_other_programs_may_mean_other_things_by_our_names():
    chat = [{"text": "Hello", "metadata": {"deep": {"er": 1}}, "weight": 70, "expires": "soon"}]
    (said,) = read_chat(json.dumps(chat), file="chat.json").said
    assert said == Said("Hello")


def test_what_says_the_same_is_added_once_and_the_repeat_is_on_record(reopened):
    memory, again = reopened
    first = memory.add("The meeting is on Friday, at 10:00.", speaker="Ana", at=1e9)
    same = memory.add("the meeting is on Friday at 10:00", speaker="Ana", at=2e9, once=True)
    assert same == first
    others = [
        memory.add(text, speaker=speaker, once=True, **more)
        for text, speaker, more in (
            ("The meeting is on Friday, at 11:00.", "Ana", {}),
            ("The meeting is not on Friday, at 10:00.", "Ana", {}),
            ("On Friday is the meeting, at 10:00.", "Ana", {}),
            ("The meeting is on Friday, at 10:00.", "Ben", {}),
            ("The meeting is on Friday, at 10:00.", "Ana", {"audience": {"ana"}}),
            ("The meeting is on Friday, at 10:00.", "Ana", {"metadata": {"n": 1}}),
        )
    ]
    assert len({first, *others}) == 7
    assert memory.add_all(["An oak", "the oak!", "Oak"], once=True) == ["m7"] * 3
    assert [change.what for change in memory.history(first)] == [Turned.ADDED, Turned.REPEATED]
    assert memory.history(first)[1].at_ms == 2_000_000_000_000
    for each in again():
        assert each.add("the MEETING is on Friday at 10:00", speaker="Ana", once=True) == first


def test_what_was_said_twice_is_kept_once(reopened):
    memory, again = reopened
    memory.add_all(["The oak", "the oak!", "A pond", "Oak", "The oak"])
    memory.add("The oak", audience={"ana"})
    heard = []
    memory.on("delete", heard.append)
    assert memory.deduplicate() == {"m1": ("m2", "m4", "m5")}
    assert heard[0].items == ("m2", "m4", "m5")
    assert memory.deduplicate() == {}
    assert texts(memory.list()) == ["The oak", "A pond"]
    assert [change.what for change in memory.history("m4")] == [Turned.ADDED, Turned.DELETED]
    assert Turned.REPEATED in [change.what for change in memory.history("m1")]
    for each in again():
        assert texts(each.list()) == ["The oak", "A pond"]


# ── updating ─────────────────────────────────────────────────────────────────────────────────


def test_an_update_keeps_the_id_the_place_and_what_it_was(reopened):
    memory, again = reopened
    for n in range(5):
        memory.add(f"Oak {n}", speaker="Ana", at=1e9 + n, metadata={"n": n, "seen": True})
    assert memory.update("m2", text="Elm", metadata={"n": 20, "seen": None}) == ("m2",)
    for each in again():
        item = each.get("m2")
        assert (item.text, item.metadata, item.speaker) == ("Elm", {"n": 20}, "Ana")
        assert texts(each.list()) == ["Oak 0", "Elm", "Oak 2", "Oak 3", "Oak 4"]
        assert sorted(found(each, "elm")) == ["m1", "m2", "m3"]  # and those beside it
        assert each.search("elm")[0].item.order == 2
        assert texts(each.context("elm", tokens=200).recent)[-1] == "Oak 4"
        changes = each.history("m2")
        assert [change.what for change in changes] == [Turned.ADDED, Turned.UPDATED]
        assert [change.text for change in changes] == ["Oak 1", "Elm"]
        assert changes[0].metadata == {"n": 1, "seen": True}


def test_what_follows_an_update_belongs_to_the_last_session(memory):
    memory.add("In the first", session="one")
    memory.add("In the second", session="two")
    memory.update("m1", text="In the first, still")
    assert memory.get(memory.add("And then")).session == "two"


def test_an_update_of_nothing_new_is_no_version(memory):
    memory.add("The oak", metadata={"n": 1})
    before = len(memory)
    assert memory.update("m1", text="The oak", metadata={"n": 1}) == ("m1",)
    assert len(memory) == before


def test_all_that_a_filter_lets_through_is_updated(memory):
    memory.add_all([{"text": f"Oak {n}", "metadata": {"n": n}} for n in range(4)])
    assert memory.update(where={"n": {"$gte": 2}}, metadata={"late": True}) == ("m3", "m4")
    assert [item.metadata.get("late", False) for item in memory.list()] == [
        False,
        False,
        True,
        True,
    ]


def test_how_often_it_was_used_and_what_is_made_of_it_stay_with_an_item(memory):
    memory.add_all([f"Ship {n} came in with corn. Its crew slept." for n in range(40)])
    (summary, *_) = memory.compact().summaries
    source = memory.expand(summary)[0].id
    memory.used([source], audience="ana")
    memory.update(source, text="No ship came in.")
    assert memory.expand(summary)[0].text == "No ship came in."
    assert memory.store.tables.uses["ana"] == {memory.store.row_of(source): 1}
    assert memory.compact().summaries == ()


def test_what_cannot_be_updated_is_refused_with_what_to_do(memory):
    memory.load(passages_of("The oak is old.\n", document="oak.md"))
    memory.add_all([f"Ship {n} came in with corn. Its crew slept." for n in range(40)])
    (summary, *_) = memory.compact().summaries
    with pytest.raises(ItemRefused, match=r"load\(\) the document again"):
        memory.update("m1", text="The oak is young.")
    with pytest.raises(ItemRefused, match="a summary"):
        memory.update(summary, metadata={"n": 1})
    with pytest.raises(MemoryProblem, match="name its id"):
        memory.update(["m2", "m3"], text="The same twice")
    with pytest.raises(MemoryProblem, match="say which items"):
        memory.update(text="Whose?")
    with pytest.raises(ItemRefused, match="no words"):
        memory.update("m2", text=" ")


# ── deleting and forgetting ──────────────────────────────────────────────────────────────────


def test_what_is_deleted_is_found_no_more_and_stays_on_record(reopened):
    memory, again = reopened
    memory.add_all([{"text": f"Oak {n}", "metadata": {"n": n}} for n in range(4)])
    assert memory.delete("m1") == 1
    assert memory.delete(where={"n": {"$gt": 1}}) == 2
    for each in again():
        assert texts(each.list()) == ["Oak 1"]
        assert found(each, "oak") == ["m2"]
        assert [change.what for change in each.history("m3")] == [Turned.ADDED, Turned.DELETED]
        with pytest.raises(NoSuchItem, match=r"m3 was deleted or forgotten; history\(\)"):
            each.get("m3")


def test_forgetting_takes_every_version_and_what_was_deleted_before(memory):
    memory.add("The key is under the mat")
    memory.update("m1", text="The key is under the stone")
    memory.delete("m1")
    assert memory.forget("m1", why="asked for") == 2
    changes = memory.history("m1")
    assert {change.text for change in changes} == {""}
    assert changes[-1].what is Turned.FORGOTTEN
    with pytest.raises(NoSuchItem, match="nothing is called m7"):
        memory.forget("m7")


def test_forgetting_many_writes_the_file_anew_once(reopened, monkeypatch):
    from storykeeper.ledger import sqlite

    memory, _ = reopened
    memory.add_all([{"text": f"Oak {n}", "metadata": {"odd": bool(n % 2)}} for n in range(20)])
    scrubbed, scrub = [], sqlite.scrub
    monkeypatch.setattr(sqlite, "scrub", lambda *a: (scrubbed.append(1), scrub(*a)))
    assert memory.forget(where={"odd": True}) == 10
    assert len(scrubbed) == 1
    assert texts(memory.list()) == [f"Oak {n}" for n in range(0, 20, 2)]


def test_nothing_is_deleted_unless_it_is_said_what(memory):
    memory.add("The oak")
    for call in (memory.delete, memory.forget):
        for arguments in ({}, {"items": "m1", "where": {}}):
            with pytest.raises(MemoryProblem, match="say which items"):
                call(**arguments)
        assert call([]) == 0
    assert memory.delete(where={}) == 1


# ── namespaces ───────────────────────────────────────────────────────────────────────────────


def test_a_namespace_reaches_its_own_and_what_all_share(memory):
    ana, ben = memory.within(namespace="ana"), memory.within(namespace="ben")
    shared = memory.add("The oak is ours")
    hers, his = ana.add("The oak is mine"), ben.add("The oak is not hers")
    assert texts(ana.list()) == ["The oak is ours", "The oak is mine"]
    assert ana.get(shared).text == "The oak is ours"
    for call in (ana.get, ana.history, ana.delete, ana.forget, ana.expand):
        with pytest.raises(NoSuchItem, match=f"nothing is called {his}"):
            call(his)
    with pytest.raises(NoSuchItem):
        ana.update(his, text="The oak is hers")
    with pytest.raises(NoSuchItem):
        ana.list(after=his)
    assert ana.delete(where={}) == 1
    assert texts(ben.list()) == ["The oak is ours", "The oak is not hers"]
    assert memory.profile().namespaces == {"": 1, "ben": 1}
    assert ana.profile().items == 1
    assert memory.get(his).text == "The oak is not hers"
    with pytest.raises(NoSuchItem):
        memory.get(hers)


def test_sessions_and_namespaces_share_one_file(memory):
    talk = memory.within(session="talk")
    assert (talk.session, talk.within(namespace="ana").session) == ("talk", "talk")
    assert memory.get(talk.add("Said in it")).session == "talk"
    assert memory.get(talk.add_all([{"text": "Aside", "session": "aside"}])[0]).session == "aside"
    memory.delete(where={"@session": "aside"})
    assert memory.list()[0].text == "Said in it"
    assert len(memory) == 2


# ── audiences ────────────────────────────────────────────────────────────────────────────────


def test_an_id_of_what_one_may_not_see_is_none(memory):
    hers = memory.add("The key is under the mat", audience={"ana"})
    assert memory.get(hers, audience="ana").text == "The key is under the mat"
    gone = memory.add("It was under the stone", audience={"ana"})
    memory.delete(gone)
    for item in (hers, gone, hers.replace("m1", "m9")):
        for call in (memory.get, memory.history, memory.expand, memory.delete, memory.forget):
            for audience in ("ben", None):
                with pytest.raises(NoSuchItem, match=f"nothing is called {item}"):
                    call(item, audience=audience)
        with pytest.raises(NoSuchItem, match=f"nothing is called {item}"):
            memory.list(audience="ben", after=item)
    assert memory.delete(where={}, audience="ben") == 0
    assert memory.delete(where={}, audience="ana") == 1


def test_the_owner_sees_all_of_it(memory):
    memory.add("Open")
    memory.add("Hers", audience={"ana"})
    memory.add("Nobody's", audience=())
    assert texts(memory.list()) == ["Open"]
    assert texts(memory.list(audience="ana")) == ["Open", "Hers"]
    assert texts(memory.list(audience=OWNER)) == ["Open", "Hers", "Nobody's"]
    memory.within(namespace="ben").add("Ben's", audience={"ben"})
    assert texts(memory.list(audience=OWNER))[3:] == ["Ben's"]
    assert texts(memory.within(namespace="ana").list(audience=OWNER))[3:] == []
    assert memory.profile(audience="ana").items == 2
    assert (memory.profile().items, memory.profile(audience="ana").gone) == (4, 0)


# ── pages ────────────────────────────────────────────────────────────────────────────────────


def test_pages_go_on_where_the_last_ended_whatever_is_deleted_meanwhile(memory):
    memory.add_all([f"Oak {n}" for n in range(7)])
    page = memory.list(limit=3)
    assert (texts(page), page.total, len(page), page.next) == (
        ["Oak 0", "Oak 1", "Oak 2"],
        7,
        3,
        "m3",
    )
    memory.delete(["m1", "m3"])
    page = memory.list(limit=3, after=page.next)
    assert (texts(page), page.total) == (["Oak 3", "Oak 4", "Oak 5"], 5)
    memory.update("m6", text="Elm")
    last = memory.list(limit=3, after=page.next)
    assert (texts(last), last.next) == (["Oak 6"], None)
    assert texts(memory.list(newest=True, limit=2)) == ["Oak 6", "Elm"]
    assert texts(memory.list(newest=True, after="m3")) == ["Oak 1"]
    assert texts(memory.list(newest=True, after="m4")) == ["Oak 1"]
    with pytest.raises(MemoryProblem, match="ask for at least one"):
        memory.list(limit=0)


# ── expiry ───────────────────────────────────────────────────────────────────────────────────


def test_what_has_expired_is_found_no_more(reopened):
    memory, again = reopened
    memory.add("The code is 1234", at="2024-05-01T10:00", expires=HOUR)
    memory.add("The code is 5678", expires="2024-05-02", metadata={"code": 1})
    memory.add("The code changes")
    for each in again():
        for now, ids in (
            ("2024-05-01T10:59", ["m1", "m2", "m3"]),
            ("2024-05-01T11:00", ["m2", "m3"]),
            ("2024-05-02", ["m3"]),
        ):
            assert sorted(found(each, "code", now=now)) == ids
            assert [item.id for item in each.list(now=now)] == ids
            assert each.profile(now=now).items == len(ids)
            assert len(each.context("code", tokens=200, now=now).recent) == len(ids)
        assert found(each, "code", now="2024-05-02", where={"code": 1}) == []
        assert found(each, "code") == ["m3"]  # the clock here is long past both
        with pytest.raises(NoSuchItem, match="m1 has expired"):
            each.get("m1")
        assert each.get("m1", now="2024-05-01").text == "The code is 1234"


def test_expiry_is_changed_and_swept(memory):
    memory.add_all(["The oak", "The pond", "The key"])
    memory.update(["m1", "m2"], expires="2024-05-02")
    memory.update("m2", expires=None)
    assert texts(memory.list()) == ["The pond", "The key"]
    assert memory.sweep(now="2024-05-01") == 0
    assert memory.sweep() == 1
    assert memory.history("m1")[0].text == ""
    assert memory.sweep() == 0
    for expires in (timedelta(0), -HOUR):
        with pytest.raises(ItemRefused, match="gone before it is there"):
            memory.add("Late", expires=expires)
    with pytest.raises(ItemRefused, match="is no moment"):
        memory.add("Late", expires="soon")


def test_what_expires_is_not_summed_up(memory):
    lines = [f"Ship {n} came in with corn. Its crew slept." for n in range(40)]
    memory.add_all([{"text": text, "expires": "2999-01-01"} for text in lines])
    assert memory.compact().summaries == ()


def test_a_summary_has_the_metadata_that_all_its_sources_have(memory):
    for n in range(40):
        memory.add(f"Ship {n} came in with corn. Its crew slept.", metadata={"port": "b", "n": n})
    summaries = memory.compact().summaries
    assert [memory.get(each).metadata for each in summaries] == [{"port": "b"}] * len(summaries)


# ── out and in ───────────────────────────────────────────────────────────────────────────────


def test_what_is_exported_is_what_is_imported(memory):
    memory.add("Open", speaker="Ana", at="2024-05-01T10:00:00.123", session="one")
    memory.add("Hers", audience={"ana"}, metadata={"n": 1, "tags": ["a"]}, expires="2999-01-01")
    memory.add("Nobody's", audience=(), entities=["oak"], weight=0.5)
    memory.within(namespace="ben").add("His")
    memory.update("m1", text="Open still")
    lines = [json.dumps(each) for each in memory.export()]
    with Memory.open(":memory:", embedder="none") as other:
        for _ in range(2):
            other.add_all(read_chat("\n".join(lines), file="out.jsonl").said, once=True)
        assert [json.dumps(each) for each in other.export()] == lines
        assert len(other) == 3
    assert [each["text"] for each in memory.within(namespace="ben").export()] == ["His"]


# ── hooks ────────────────────────────────────────────────────────────────────────────────────


def test_hooks_are_told_of_what_was_done(memory):
    heard = []
    off = [memory.on(what, heard.append) for what in Doing]
    ben = memory.within(namespace="ben")
    item = ben.add("The oak", metadata={"n": 1})
    ben.search("oak", audience="ben")
    ben.search("nothing of the kind")
    ben.update(item, metadata={"n": 2})
    ben.delete(where={"n": 1})
    ben.delete(item)
    ben.forget(item)
    assert [(each.what, each.items) for each in heard] == [
        ("add", (item,)), ("search", (item,)), ("search", ()), ("update", (item,)),
        ("delete", (item,)), ("forget", (item,)),
    ]  # fmt: skip
    assert {each.namespace for each in heard} == {"ben"}
    assert (heard[1].query, heard[1].audience) == ("oak", "ben")
    for each in off:
        each()
        each()
    ben.add("The pond")
    assert len(heard) == 6
    with pytest.raises(MemoryProblem, match="there are add, update"):
        memory.on("change", heard.append)


def test_what_a_hook_raises_reaches_the_caller_and_what_was_done_is_done(memory):
    def hook(happened):
        raise KeyError(happened.items[0])

    memory.on("add", hook)
    with pytest.raises(KeyError, match="m1"):
        memory.add("The oak")
    assert memory.get("m1").text == "The oak"


# ── the file ─────────────────────────────────────────────────────────────────────────────────


def test_a_memory_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Memory.open(":memory:") as one, Memory.open(":memory:") as other:
        one.add("The car is red")
        one.add("The bread is old")
        assert found(one, "which automobile", k=1) == ["m1"]
        assert len(other) == 0
        one.rebuild()
        one.forget("m1")
        assert texts(one.list()) == ["The bread is old"]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(MemoryProblem, match="closed"):
        one.add("Late")
