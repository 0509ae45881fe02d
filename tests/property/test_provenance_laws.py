"""Whatever comes from canon says from where, also summed up, merged, said and reported; and when a
source changes its version, nothing that came from the one before is told any more.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from storykeeper import Memory
from storykeeper.canon.brief import TurnBrief
from storykeeper.canon.knowledge_base import KnowledgeBase, pinned
from storykeeper.canon.provenance import is_cite
from storykeeper.canon.registry import CanonRegistry
from storykeeper.context.field.assembly import brief_of
from storykeeper.context.field.fog import Fog
from storykeeper.context.field.proposals import PAST, SUMMED_TURNS, TOLD_APART
from storykeeper.language.tokens import counter
from storykeeper.memory.evidence import evidence
from storykeeper.memory.library import Library
from storykeeper.story.people import Scope
from storykeeper.story.tuning import Encoding
from strategies.canon import base_of
from strategies.fields import NAMES, STABLE, card_of, world_of
from strategies.sizes import times

COUNT = counter(Encoding.O200K)
TEXTS = {
    "manual.md": "# Fords\n\nNobody fords the river alone.\n\nThe ford bears two carts.\n",
    "survey.txt": "The ford bears nine carts.\n\nNobody fords the river alone.",
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("provenance")
    base = base_of(folder / "base", TEXTS, trust={"survey": 0.5})
    with Memory.open(folder / "library.db", embedder="none") as memory:
        library = Library(memory)
        library.fill(base)
        yield base, library


def brief(world, card, registry: CanonRegistry, library: Library, tokens: int) -> TurnBrief:
    def ask(query: str, fog: Fog):
        return evidence(library, f"{query} ford carts river", fog.reads)

    fog = Fog(world, card, registry)
    return brief_of(fog, count=COUNT, ask=ask, tokens=tokens).brief


def derived(made: TurnBrief) -> list[tuple[str, tuple[str, ...]]]:
    """Everything in it that has a source, with it."""
    found = [(each.id, (each.cite, *each.also)) for each in made.snippets]
    found += [(each.id, each.cites) for each in (*made.past, *made.beliefs) if each.cites]
    return found + [(each.handle, each.cites) for each in made.visible if each.cites]


@settings(max_examples=times(25, 500))
@given(st.integers(0, 5_000), st.sampled_from(NAMES), st.sampled_from([700, 2_500]))
def test_every_derived_item_has_a_source_that_resolves(shelf, seed: int, who: str, tokens: int):
    base, library = shelf
    rng = Random(seed)
    world = world_of(rng)
    card = structs.replace(card_of(who, rng), scope=Scope(canon=("manual", "survey")))
    made = brief(world, card, base.registry, library, tokens)
    for name, cites in derived(made):
        assert cites
        for cite in cites:
            assert is_cite(cite)
            assert base.registry.source(cite) is not None
            assert f"[{cite}" in made.text, name
    told = {each.id for each in made.past}
    used = {c for h in world.happenings if who in h.perceived for c in h.cites}
    assert {c for each in made.past for c in each.cites} <= used
    assert len(told) == len(made.past)


@settings(max_examples=times(25, 500))
@given(st.integers(0, 5_000), st.sampled_from(NAMES))
def test_another_version_ends_what_came_from_the_one_before(shelf, seed: int, who: str):
    base, library = shelf
    rng = Random(seed)
    world = world_of(rng)
    card = structs.replace(card_of(who, rng), scope=Scope(canon=("manual", "survey")))
    newer = CanonRegistry(
        sources=tuple(
            structs.replace(each, version="2") if each.id == "manual" else each
            for each in base.registry.sources
        )
    )
    made = brief(world, card, newer, library, 2_500)
    assert not any("manual@1" in cites for _, cites in derived(made))
    assert "manual@1" not in made.text
    # What came from no source, or from another, is as it was; the gate closes the rest.
    fog = Fog(world, card, newer)
    assert all("manual@1" not in each.cites for each in fog.past.values())
    kept = [h for h in world.happenings if who in h.perceived]
    assert len(fog.past) <= len(kept)


def test_a_summary_cites_all_that_it_tells():
    rng = Random(1)
    world, card = world_of(rng), card_of("ana", rng)
    first = world.happenings[0]
    many = tuple(
        structs.replace(
            first, id=f"s{n}", turn=n // 2, text=f"Thing {n} falls.", words="So it is written.",
            by="ana", perceived={"ana": "self"}, cites=("manual@1",) if n % 2 else ("survey@1",),
        )
        for n in range(3 * SUMMED_TURNS + TOLD_APART)
    )  # fmt: skip
    world = structs.replace(world, turn=60, happenings=many)
    made = brief_of(Fog(world, card, STABLE), count=COUNT).brief
    summed = [each for each in made.past if "-to-" in each.id]
    assert len(summed) >= 2
    assert any(each.cites == ("manual@1", "survey@1") for each in summed)
    gone = CanonRegistry(sources=tuple(s for s in STABLE.sources if s.id == "survey"))
    left = brief_of(Fog(world, card, gone), count=COUNT).brief
    assert left.past
    assert all(each.cites == ("survey@1",) for each in left.past)
    receipt = brief_of(Fog(world, card, gone), count=COUNT).receipt
    shown = [each for each in receipt.shown if each.origin == PAST]
    assert not any("cite:manual@1" in each.sources for each in shown)


def test_what_is_said_twice_in_canon_cites_both(shelf):
    _, library = shelf
    base, _ = shelf
    found = evidence(library, "who fords the river alone", base.registry.stable)
    both = next(each for each in found if each.text.startswith("Nobody"))
    assert both.cites == ("manual@1", "survey@1")


def test_a_library_forgets_summaries_of_what_is_out_of_use(tmp_path):
    """A summary that memory made of passages is retired with them."""
    base = base_of(tmp_path / "base", TEXTS)
    with Memory.open(tmp_path / "library.db", embedder="none") as memory:
        library = Library(memory)
        library.fill(base)
        from storykeeper.events.remembered import MemorySummarised
        from storykeeper.units import TurnNo

        memory.store.append(
            lambda n: [
                MemorySummarised(
                    TurnNo(n), (TurnNo(1), TurnNo(2)), "Fords in short.", "by-hand", 1.0,
                    audience=("manual@1",),
                )
            ]
        )  # fmt: skip
        assert "Fords in short." in _texts(library)
        (base.folder / "manual.md").write_text("# Fords\n\nThe ford is closed.\n")
        done = library.fill(
            pinned(KnowledgeBase(base.folder, base.registry), "manual", version="2")
        )
        assert done.retired == 3
        assert "Fords in short." not in _texts(library)


def _texts(library: Library) -> list[str]:
    found = library.search("fords in short", cites=["manual@1", "manual@2"], most=9)
    assert all(each.cite in ("manual@1", "manual@2") for each in found)
    return [each.text for each in found]
