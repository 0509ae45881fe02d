"""A knowledge base as a memory: taken apart, resumed, found by whoever has read it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from msgspec import structs

from storykeeper import Memory
from storykeeper.canon.knowledge_base import KnowledgeBase, digest, pinned
from storykeeper.canon.registry import ChunkBy, Chunking, SourceKind
from storykeeper.memory import library as module
from storykeeper.memory.evidence import evidence, says_otherwise
from storykeeper.memory.library import Library, passages_of_source
from strategies.canon import base_of

MILL = """# The mill

It grinds rye for nine farms.

## Its wheel

- The wheel is of oak.
- Never stop the wheel by hand.
"""
FORD = "The ford below the mill is deep in spring.\n\nCarts cross the ford only in summer."


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return base_of(tmp_path / "base", {"mill.md": MILL, "ford.txt": FORD})


@pytest.fixture
def library(tmp_path: Path):
    with Memory.open(tmp_path / "library.db", embedder="none") as memory:
        yield Library(memory)


def ids(library: Library, query: str, *cites: str) -> list[str]:
    return [each.id for each in library.search(query, cites=cites, most=8)]


def test_passages_carry_their_source(base: KnowledgeBase, library: Library):
    assert library.fill(base).passages == 5
    (first, *_) = library.search("wheel of oak", cites=["mill@1"], most=3)
    assert (first.id, first.cite, first.text) == ("mill@1#2", "mill@1", "The wheel is of oak.")
    assert first.heading == ("The mill", "Its wheel")
    assert library.fill(base).added == 0


def test_only_what_was_read_is_found_or_weighed(base: KnowledgeBase, library: Library, tmp_path):
    library.fill(base)
    assert sorted(ids(library, "the ford", "ford@1")) == ["ford@1#1", "ford@1#2"]
    assert not any(each.startswith("ford") for each in ids(library, "the ford", "mill@1"))
    assert ids(library, "the ford") == []
    with Memory.open(tmp_path / "alone.db", embedder="none") as memory:
        alone = Library(memory)
        alone.fill(base_of(tmp_path / "alone", {"mill.md": MILL}))
        for query in ("the ford", "rye for farms", "wheel"):
            wanted = {"cites": ["mill@1"], "most": 8}
            assert alone.search(query, **wanted) == library.search(query, **wanted)


def test_another_version_retires_what_came_from_the_one_before(
    base: KnowledgeBase, library: Library
):
    library.fill(base)
    (base.folder / "ford.txt").write_text("The ford is shallow now.")
    new = pinned(base, "ford", version="2")
    done = library.fill(new)
    assert (done.added, done.retired) == (1, 2)
    assert ids(library, "the ford", "ford@1") == []
    assert ids(library, "the ford", "ford@2") == ["ford@2#1"]


def test_the_same_version_of_other_bytes_or_parted_otherwise_is_taken_in_anew(
    base: KnowledgeBase, library: Library
):
    """Nothing but a hand in the registry does that; what is found is still what the hash is of."""

    def by_hand(**changed: object) -> KnowledgeBase:
        sources = (
            structs.replace(s, **changed) if s.id == "ford" else s for s in base.registry.sources
        )
        return KnowledgeBase(base.folder, structs.replace(base.registry, sources=tuple(sources)))

    library.fill(base)
    whole = by_hand(chunking=Chunking(by=ChunkBy.SECTION))
    assert (library.fill(whole).retired, library.fill(whole).added) == (2, 0)
    assert ids(library, "the ford", "ford@1") == ["ford@1#1"]
    (base.folder / "ford.txt").write_text("The ford is shallow now.\n\nGeese cross the ford.")
    other = by_hand(sha256=digest((base.folder / "ford.txt").read_bytes()))
    done = library.fill(other)
    assert (done.passages, done.added, done.retired) == (5, 2, 1)
    texts = {each.text for each in library.search("the ford", cites=["ford@1"], most=9)}
    assert texts == {"The ford is shallow now.", "Geese cross the ford."}


def test_what_was_broken_off_goes_on_where_it_stopped(
    base: KnowledgeBase, library: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    text = "\n\n".join(f"Stone {n} of the wall." for n in range(40))
    base = base_of(tmp_path / "more", {"wall.txt": text, "mill.md": MILL})
    monkeypatch.setattr(module, "BATCH", 8)
    whole, left = Library.take, count()

    def failing(self: Library, cite: str, passages: object, **how: str) -> None:
        if next(left) == 3:
            raise KeyboardInterrupt
        whole(self, cite, passages, **how)

    with monkeypatch.context() as broken:
        broken.setattr(Library, "take", failing)
        with pytest.raises(KeyboardInterrupt):
            library.fill(base)
    assert library._held() == ({"wall@1": 24}, "wall@1")
    seen: list[tuple[int, int]] = []
    done = library.fill(base, progress=lambda now, of: seen.append((now, of)))
    assert (done.passages, done.added) == (43, 19)
    assert seen[0] == (24, 43)
    assert seen[-1] == (43, 43)
    names = [each.id for each in library.search("stone wall", cites=["wall@1"], most=60)]
    assert len(names) == len(set(names)) == 40


def test_chunks(base: KnowledgeBase):
    mill = next(each for each in base.registry.stable if each.id == "mill")
    by = {how: passages_of_source(with_(mill, how), MILL) for how in ChunkBy}
    assert [len(by[how]) for how in (ChunkBy.BLOCK, ChunkBy.SECTION, ChunkBy.LINE)] == [3, 2, 3]
    assert by[ChunkBy.SECTION][1].text == "The wheel is of oak.\n\nNever stop the wheel by hand."
    one_line = "A sentence of six words here. " * 4_000 + "x" * 500
    parts = passages_of_source(with_(mill, ChunkBy.BLOCK, most=200), one_line)
    assert len(parts) > 500
    assert max(len(each.text) for each in parts) <= 200
    assert "".join("".join(p.text.split()) for p in parts) == "".join(one_line.split())


def with_(source, by: ChunkBy, most: int = 1_200):
    from msgspec import structs

    return structs.replace(source, chunking=Chunking(by=by, most_chars=most))


# ── evidence ─────────────────────────────────────────────────────────────────────────────────


def test_trust_decides_between_what_answers_alike(tmp_path: Path, library: Library):
    said = "The bridge at Low Cross bears {} carts."
    texts = {"rumour.txt": said.format("nine"), "survey.txt": said.format("two")}
    base = base_of(tmp_path / "b", texts, trust={"rumour": 0.3, "survey": 0.9},
                   kinds={"survey": SourceKind.DOCTRINE})  # fmt: skip
    library.fill(base)
    found = evidence(library, "how many carts does the bridge bear", base.registry.stable)
    assert [each.id for each in found] == ["survey@1#1", "rumour@1#1"]
    assert found[0].opposed == ("rumour@1#1",)
    assert found[1].opposed == ("survey@1#1",)
    assert found[0].kind is SourceKind.DOCTRINE


def test_the_same_words_in_two_sources_cite_both(tmp_path: Path, library: Library):
    base = base_of(tmp_path / "b", {"one.txt": "The mill burned.", "two.txt": "The  mill burned."},
                   trust={"one": 0.2, "two": 0.8})  # fmt: skip
    library.fill(base)
    (found,) = evidence(library, "the mill", base.registry.stable)
    assert (found.id, found.cites, found.trust) == ("two@1#1", ("two@1", "one@1"), 0.8)


SAYINGS = {
    ("The bridge bears nine carts.", "The bridge bears two carts."): True,
    ("The bridge bears carts.", "The bridge never bears carts."): True,
    ("The bridge bears 2 carts.", "The bridge bears two carts."): False,
    ("The bridge bears nine carts.", "The miller owns two geese."): False,
    ("The bridge bears carts.", "The bridge bears heavy carts."): False,
    ("Twelve crates were counted, four of them green.", "Twenty crates were counted."): True,
    ("Twelve crates were burned at dawn.", "They had twenty crates of wine."): False,
}


def test_what_says_otherwise():
    assert {pair: says_otherwise(*pair) for pair in SAYINGS} == SAYINGS
    assert {pair: says_otherwise(*pair[::-1]) for pair in SAYINGS} == SAYINGS
