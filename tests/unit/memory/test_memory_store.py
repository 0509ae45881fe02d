"""A memory's file and the index beside it: two processes, erasing, documents, spaces let go of."""

from __future__ import annotations

from pathlib import Path

import pytest

from storykeeper import Memory, bootstrap
from storykeeper.bootstrap import open_ledger
from storykeeper.errors import NoSuchItem
from storykeeper.events.remembered import EmbedderChosen
from storykeeper.memory.chats import Said
from storykeeper.memory.documents import passages_of
from storykeeper.memory.reembedding import Reembedding
from storykeeper.memory.store import Store
from storykeeper.units import MAIN, TurnNo
from strategies.memories import Hashed


class Other(Hashed):
    space = "other@1"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    known = {"hashed": Hashed, "other": Other}
    monkeypatch.setattr(bootstrap, "embedder_named", lambda name, **_: known[name]())
    return tmp_path / "chat.db"


def files(path: Path) -> dict[str, int]:
    """Those of the index, and which files they are: one made again is another."""
    folder = path.with_name("chat.db.index")
    return {str(p.relative_to(folder)): p.stat().st_ino for p in folder.rglob("*") if p.is_file()}


def found(memory: Memory, query: str) -> list[str]:
    return [hit.item.text for hit in memory.search(query)]


# ── two at once ──────────────────────────────────────────────────────────────────────────────


def test_who_does_not_write_rebuilds_in_memory(path):
    with Memory.open(path, embedder="hashed") as first, Memory.open(path) as second:
        first.add("The key is under the mat")
        first.store.commit()
        before = files(path)
        second.rebuild()
        assert files(path) == before
        assert not second.store.index.writable
        assert found(second, "key") == ["The key is under the mat"]
        first.add("The key was moved")
        first.store.commit()
        assert first.store.index.writable
        assert found(second, "where is the key") == found(first, "where is the key")
        head = first.store.ledger.head(MAIN).version
    with Memory.open(path) as memory:
        assert memory.store.index.stamp.version == head  # what the first committed is there


def test_an_index_of_another_past_is_left_to_its_writer(path, monkeypatch):
    with Memory.open(path, embedder="hashed") as first:
        first.add("The key is under the mat")
        first.store.commit()
        before = files(path)
        with monkeypatch.context() as patched:
            patched.setattr("storykeeper.ledger.sqlite.SqliteLedger.link", lambda *_, **__: b"?")
            second = Memory.open(path)
        assert found(second, "key") == ["The key is under the mat"]
        second.close()
        assert files(path) == before


def test_who_holds_the_folder_makes_it_again_in_place(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add("The key is under the mat")
        memory.rebuild()
        assert memory.store.index.writable
        assert files(path)


# ── erasing ──────────────────────────────────────────────────────────────────────────────────


def erase(path: Path, number: int) -> None:
    with open_ledger(path) as ledger:
        assert ledger.erase(MAIN, turn=TurnNo(number))


def test_what_an_erased_summary_was_made_of_is_summed_up_again(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add_all([Said(f"Ship {n} came in with corn. Its crew slept.") for n in range(40)])
        (first, *_) = memory.compact().summaries
        below = [item.id for item in memory.expand(first)]
        assert memory.compact().summaries == ()
        number = memory.store.row_of(below[3]) + 1
    erase(path, number)
    with Memory.open(path) as memory:
        with pytest.raises(NoSuchItem):
            memory.get(first)
        again = memory.compact().summaries
        assert {i.id for s in again for i in memory.expand(s)} == set(below) - {below[3]}
        assert memory.compact().summaries == ()


def test_a_retired_summary_is_not_made_again(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add_all([Said(f"Ship {n} came in with corn. Its crew slept.") for n in range(40)])
        memory.delete(memory.compact().summaries)
        memory.rebuild()
        assert memory.compact().summaries == ()


def test_what_another_process_erases_is_gone_at_once(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add("The treasure lies under the oak")
        memory.add("The oak is old")
        assert len(found(memory, "oak")) == 2
        erase(path, 1)
        assert found(memory, "oak treasure") == ["The oak is old"]
        with pytest.raises(NoSuchItem):
            memory.get("m1")
        memory.add("The oak fell")
    with Memory.open(path) as memory:
        assert set(found(memory, "oak")) == {"The oak is old", "The oak fell"}


def test_erasing_by_id_takes_the_words_and_leaves_who_writes_and_ids(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add("The bank code is 4711", audience={"ana"})
        secret = memory.add("The treasure lies under the oak", audience={"ben"})
        kept = memory.add("The oak is old", audience={"ben"})
        assert memory.forget([secret], why="asked for") == 1
        assert [h.item.id for h in memory.search("oak", audience="ben")] == [kept]
        assert [h.item.text for h in memory.search("bank code", audience="ana")] != []
        with pytest.raises(NoSuchItem):
            memory.forget(["m9"])
    assert b"treasure" not in path.read_bytes()


def test_erasing_takes_what_it_was_about_too(path):
    with Memory.open(path, embedder="hashed") as memory:
        secret = memory.add("They met at the pier", entities=["Marabel Voss"])
        memory.add("The oak is old", entities=["the oak"])
        assert memory.forget([secret]) == 1
        assert memory.get("m2").entities == ("the oak",)
    for file in path.parent.rglob("*"):
        assert file.is_dir() or b"Marabel" not in file.read_bytes()


def test_a_lock_that_was_deleted_with_its_folder_is_no_lock(path):
    with Memory.open(path, embedder="hashed") as first:
        first.add("The key is under the mat")
        first.store.commit()
        erase(path, 1)  # another process: drops the folder
        with Memory.open(path) as second:
            second.add("The key was moved")
            second.store.commit()
            before = files(path)
            first.rebuild()
            assert files(path) == before
            assert found(first, "key") == found(second, "key") == ["The key was moved"]


# ── documents ────────────────────────────────────────────────────────────────────────────────


def test_loading_a_document_again_reads_no_other_item(path, monkeypatch):
    with Memory.open(path, embedder="hashed") as memory:
        memory.load(passages_of("# Oak\n\nThe oak is old.\n", document="a.md"))
        memory.load(passages_of("# Oak\n\nAnother oak.\n", document="b.md"))
        memory.add("a.md")
        ledger, read = memory.store.ledger, []
        head, whole = ledger.head(MAIN).version, ledger.read

        def reading(run, *, after=0, upto=None):
            read.append(after)
            return whole(run, after=after, upto=upto)

        monkeypatch.setattr(ledger, "read", reading)
        memory.load(passages_of("# Oak\n\nThe oak is young.\n", document="a.md"))
        assert set(read) == {head}
        assert set(found(memory, "oak a.md")) == {"The oak is young.", "Another oak.", "a.md"}


def test_a_namespace_leaves_the_documents_of_another(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.load(passages_of("The oak is old.\n", document="a.md"))
    with Memory.open(path, namespace="ana") as memory:
        memory.load(passages_of("The oak is hers.\n", document="a.md"))
        memory.load(passages_of("The oak is hers alone.\n", document="a.md"))
        assert set(found(memory, "oak")) == {"The oak is old.", "The oak is hers alone."}


def test_a_document_for_some_leaves_that_of_others(path):
    with Memory.open(path, embedder="hashed") as memory:
        memory.load(passages_of("The oak is old.\n", document="a.md"))
        memory.load(passages_of("The oak is hollow.\n", document="a.md"), audience={"ana"})
        memory.load(passages_of("The oak is hers.\n", document="a.md"), audience=["ana"])
        assert found(memory, "oak") == ["The oak is old."]
        hers = {hit.item.text for hit in memory.search("oak", audience="ana")}
        assert hers == {"The oak is old.", "The oak is hers."}


# ── spaces that were in force ────────────────────────────────────────────────────────────────


def spaces(path: Path) -> set[str]:
    return {name.split("/")[0] for name in files(path)}


def changed_and_cut_short(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new embedder is chosen, and then the process dies."""
    with Memory.open(path, embedder="hashed") as memory:
        memory.add("The oak is old")
    memory = Memory.open(path, embedder="other")
    with monkeypatch.context() as patched:
        patched.setattr(Store, "discard", Store.close)
        assert memory.settle(wait=True)
    memory.close()


def test_what_a_change_left_behind_is_deleted(path, monkeypatch):
    changed_and_cut_short(path, monkeypatch)
    assert spaces(path) == {"hashed@1+p3", "other@1+p3"}
    with Memory.open(path) as memory:
        assert found(memory, "oak") == ["The oak is old"]
        assert spaces(path) == {"other@1+p3"}
        vectors = memory.store._shelf.vectors
        assert vectors.count("hashed@1+p3") == 0 < vectors.count("other@1+p3")


def test_what_is_in_use_stays(path, monkeypatch):
    changed_and_cut_short(path, monkeypatch)
    back = Memory.open(path, embedder="hashed")  # another goes back to the space before
    assert isinstance(back.reembedding, Reembedding)
    back.reembedding.wait()
    with Memory.open(path) as memory:
        assert memory.store.space == "other@1+p3"
        assert spaces(path) == {"hashed@1+p3", "other@1+p3"}
        assert memory.store._shelf.vectors.count("hashed@1+p3") > 0
    assert back.settle(wait=True)
    assert found(back, "oak") == ["The oak is old"]
    assert spaces(path) == {"hashed@1+p3"}
    back.close()


def test_a_space_that_was_never_chosen_stays(path, monkeypatch):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add("The oak is old")
    with monkeypatch.context() as patched:  # broken off before it was chosen
        patched.setattr(Reembedding, "ready", property(lambda _: False))
        memory = Memory.open(path, embedder="other")
        memory.reembedding.wait()
        memory.close()
    with Memory.open(path) as memory:
        chosen = memory.store.ledger.last(MAIN, kind="embedder-chosen")
        assert isinstance(chosen.record, EmbedderChosen)
        assert chosen.record.space == memory.store.space == "hashed@1+p3"
        assert spaces(path) == {"hashed@1+p3", "other@1+p3"}


def test_a_disk_that_fills_while_words_are_embedded_anew_is_said(path, monkeypatch):
    with Memory.open(path, embedder="hashed") as memory:
        memory.add("The oak is old")
    take = Store._take

    def full(store, entries):
        if store.space.startswith("other"):
            raise OSError(28, "No space left on device")
        take(store, entries)

    monkeypatch.setattr(Store, "_take", full)
    with Memory.open(path, embedder="other") as memory:
        assert not memory.settle(wait=True)
        results = memory.search("oak")
        assert len(results) == 1
        assert any("No space left" in note for note in results.notes)
