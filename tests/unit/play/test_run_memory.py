"""The past of a run as memory: items made of its turns, and what is recalled of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from storykeeper.errors import MemoryProblem, ModelUnavailable, UnknownAudience
from storykeeper.events import atoms as a
from storykeeper.language.tokens import counter
from storykeeper.ledger.vectors import SqliteVectors
from storykeeper.memory.held import Held
from storykeeper.memory.items import Item, Kind
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.search import Asked, near_and_fresh, search
from storykeeper.models.embedders.cache import Drawer
from storykeeper.play import recalling
from storykeeper.play.past import KEPT_TURNS, remembered
from storykeeper.play.recalling import Query, Recollection
from storykeeper.play.remembering import Minds, WholePast, items_of, open_to
from storykeeper.play.weighing import thematic_turns
from storykeeper.scoring.narrative import narrative_weight, narrative_weights
from storykeeper.story.places import Thing
from storykeeper.units import MAIN
from strategies.ledgers import sqlite_ledger
from strategies.parlour import called, engine, parlour, tell, with_things
from strategies.runs import EVENING, go, kept, records

ALOUD = "“The well is dry,” says Mara. Rain falls on the roof."


@pytest.fixture
def keeper():
    """Three turns in the parlour and one in the garden, all of them fact."""
    keeper = engine()
    tell(keeper, "A chipped cup stands on the table.")
    tell(keeper, ALOUD, "I look at the cup")
    tell(keeper, "Mara takes the cup.", 'I whisper to Tom: "the bell is cracked"')
    tell(keeper, "Roses bloom. “Mind the thorns,” says Eve.", "I go to the garden")
    keeper.end_scene()
    return keeper


def every_item(keeper) -> list[Item]:
    found = [e.record for e in keeper.ledger.read(keeper.run)]
    world, past = remembered(found, past=WholePast())
    return list(items_of(Minds(world), past.turns))


def ids(results) -> list[str]:
    return [hit.item.id for hit in results]


# ── items ────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_one_item_of_the_narrators(keeper):
    found = [i for i in every_item(keeper) if i.audience == {"narrator"}]
    assert [i.id for i in found] == ["turn:0", "turn:1", "turn:2", "turn:3"]
    second = found[1]
    assert second.text == f"> I look at the cup\n\n{ALOUD}"
    assert (second.turn, second.session, second.sources) == (1, "in-parlour", ("turn:1",))
    assert second.brief == "“I look at the cup” “The well is dry,” says Mara."
    assert second.hint == "I look at the cup"
    assert (second.speaker, second.kind) == ("", Kind.SAID)
    assert {"ann", "mara"} <= set(second.entities)
    assert found[0].text == "A chipped cup stands on the table."


def test_an_event_is_an_item_of_those_who_perceived_it(keeper):
    found = [i for i in every_item(keeper) if i.id.startswith("atom:")]
    said = next(i for i in found if "well is dry" in i.text)
    assert said.text == "Mara: “The well is dry,”"
    assert said.audience == {"ann", "mara", "tom"}
    assert (said.speaker, said.turn, said.session) == ("Mara", 1, "in-parlour")
    assert said.sources == (said.id,)
    assert said.id.startswith("atom:t1.")
    assert said.entities == ("mara", "called:well")  # not those who only heard it
    low = next(i for i in found if "bell is cracked" in i.text)
    assert (low.audience, low.speaker) == ({"ann", "tom"}, "Ann")


def test_items_are_numbered_without_gaps_for_all_and_for_each(keeper):
    found = every_item(keeper)
    assert [i.order for i in found] == list(range(1, len(found) + 1))
    mine = list(open_to(found, "tom"))
    assert [i.order for i in mine] == list(range(1, len(mine) + 1))
    assert {i.audience for i in mine} == {frozenset({"tom"})}
    assert list(open_to(found, "nobody")) == []


def test_a_thing_has_one_key_before_and_after_it_is_tracked():
    keeper = engine()
    tell(keeper, "A bell stands on the table.")
    for _ in range(3):
        tell(keeper, "Mara looks at the bell.", "I look at the bell")
    keeper.end_scene()
    bell = called(keeper, "the bell")
    assert bell.id
    of_turns = [i.entities for i in every_item(keeper) if i.id.startswith("turn:")]
    assert all(bell.key in keys for keys in of_turns)


def test_nothing_is_made_of_a_turn_without_words():
    keeper = engine()
    tell(keeper, "")
    tell(keeper, "Rain falls.")
    keeper.end_scene()
    assert [i.id for i in every_item(keeper) if i.audience == {"narrator"}] == ["turn:1"]


# ── weight ───────────────────────────────────────────────────────────────────────────────────


def test_weight_is_the_density_of_the_scene(keeper):
    """One thing, the cup, earned its place in the three turns of the parlour."""
    found = {h.item.id: h.item.weight for h in keeper.recall("cup roses well", k=10)}
    assert found == {"turn:0": 1 / 3, "turn:1": 1 / 3, "turn:2": 1 / 3, "turn:3": 0.0}


def test_weight_follows_the_scene_while_it_is_played():
    keeper = engine()
    tell(keeper, "A chipped cup stands on the table.")
    seen = []
    for _ in range(5):
        turn = keeper.begin("I look at the cup")
        seen.append({h.item.weight for h in keeper.recall("cup")})  # of what is not written yet
        keeper.render(turn, "Mara looks at the cup.")
        assert {h.item.weight for h in keeper.recall("cup")} == seen[-1]
    assert seen == [{0.0}, {1.0}, {0.5}, {1 / 3}, {0.25}]
    again = keeper._recollection._minds["narrator/ann"].held.index
    assert set(again.column("weight")) == {0.25}


def test_a_thematic_turn_weighs_twice():
    things = (Thing(id="lamp", name="the lamp", at="parlour", themes=("light",)),
              Thing(id="candle", name="the candle", at="parlour", themes=("light",)))  # fmt: skip
    keeper = engine(with_things(parlour(), *things))
    tell(keeper, "A chipped cup stands on the table.")
    for _ in range(2):
        tell(keeper, "Mara looks at the cup.", "I look at the cup")
    tell(keeper, "It is warm.", "I look at the lamp. I look at the candle.")
    keeper.end_scene()
    compounds = records(keeper, a.Compound)
    assert [c.turn for c in compounds if c.bond is a.Bond.THEMATIC] == [3]
    found = {h.item.id: h.item.weight for h in keeper.recall("cup lamp candle warm")}
    assert found == {"turn:0": 1 / 3, "turn:1": 1 / 3, "turn:2": 1 / 3, "turn:3": 2 / 3}


def test_members_of_a_compound_inside_another_are_thematic_too(keeper):
    turns = keeper.history()
    first, second = (atom.id for atom in turns[1].atoms[:2])
    outer = a.Compound(
        turn=3, id="t3.90", bond=a.Bond.TEMPORAL,
        members=(a.CompoundIn(a.Bond.THEMATIC, (first, second)), a.AtomIn(turns[3].atoms[0].id)),
    )  # fmt: skip
    assert thematic_turns(outer) == {1}


@pytest.mark.parametrize(
    ("density", "thematic", "weight"),
    [(0.0, True, 0.0), (0.3, False, 0.3), (0.3, True, 0.6), (0.5, True, 1.0), (3.0, False, 1.0)],
)
def test_weight_is_a_share(density, thematic, weight):
    assert narrative_weight(density, thematic=thematic) == weight
    many = narrative_weights(np.full(3, density), thematic=np.full(3, thematic))
    assert many.tolist() == [weight] * 3


def test_to_a_character_nothing_weighs_more(keeper):
    assert {h.item.weight for h in keeper.recall("cup well bell", "tom")} == {0.0}


# ── recalling ────────────────────────────────────────────────────────────────────────────────


def test_what_answers_comes_first(keeper):
    assert ids(keeper.recall("Is the well dry?"))[0] == "turn:1"
    (first, *_) = keeper.recall("What did Mara say of the well?", "tom")
    assert first.text == "Mara: “The well is dry,”"
    assert first.score == first.terms.score > 0
    assert first.signals
    assert len(keeper.recall("well", k=1)) == 1


def test_a_turn_is_remembered_when_it_is_fact():
    keeper = engine()
    tell(keeper, "Rain falls.")
    tell(keeper, "An owl hoots.", "I listen")
    assert "turn:1" not in ids(keeper.recall("owl"))
    keeper.begin("I wait.")  # decided by that, and not written yet
    assert ids(keeper.recall("owl"))[0] == "turn:1"
    before = keeper.recall("owl hoots rain")
    keeper.render(keeper.turn(), "Nothing.")  # now it is written
    assert keeper.recall("owl hoots rain") == before


def test_a_turn_that_comes_out_otherwise_when_it_is_written():
    keeper = engine()
    tell(keeper, "“An owl hoots,” says Mara.")
    keeper.begin("I wait.")
    now, memory = keeper._state, Recollection()
    where = {"ledger": keeper.ledger, "run": keeper.run}
    assert memory.recall(Query("owl", "tom"), now=now, **where).hits
    otherwise = now.copy()
    otherwise.decided = [
        structs.replace(r, what=structs.replace(r.what, words="A crow caws."))
        if isinstance(r, a.Atom) and isinstance(r.what, a.PieceTold)
        else r
        for r in now.decided
    ]
    (first, *_) = memory.recall(Query("owl crow", "tom"), now=otherwise, **where)
    assert first.text == "Mara: “A crow caws.”"


def test_recalling_as_the_run_goes_on_is_recalling_at_its_end():
    def played(*, often):
        keeper = engine()
        for line in (None, "I look at the cup", "I take the cup", "I go to the garden", "I wait."):
            tell(keeper, f"“The {line or 'first'} bell rings,” says Mara. The cup is red.", line)
            if often:
                for who in ("narrator", "mara"):
                    keeper.recall("bell", who)
        keeper.begin("I wait.")
        return [repr(keeper.recall("red cup and bell", who)) for who in ("narrator", "mara", "eve")]

    assert played(often=True) == played(often=False)


def test_edits_and_retractions_are_taken_in(keeper):
    assert ids(keeper.recall("well"))[0] == "turn:1"
    keeper.edit(1, "“The pond is frozen,” says Mara.")
    assert "well" not in keeper.recall("the well and the pond").text
    assert keeper.recall("pond")[0].item.id == "turn:1"
    assert "pond is frozen" in keeper.recall("pond", "tom")[0].text
    assert "well" not in keeper.recall("the well and the pond", "tom").text
    keeper.retract(1)
    for who in ("narrator", "mara"):
        found = keeper.recall("pond frozen cup well look garden", who)
        assert all(h.item.turn != 1 for h in found)
        assert found.hits


def test_recalling_writes_nothing_and_is_not_remembered(keeper):
    head, before = keeper.ledger.head(MAIN), every_item(keeper)
    first = keeper.recall("well")
    assert keeper.recall("well") == first
    assert keeper.ledger.head(MAIN) == head
    assert every_item(keeper) == before


def test_turns_older_than_any_window_are_remembered():
    keeper = engine()
    tell(keeper, "“The gannet nests,” says Mara.")
    for _ in range(KEPT_TURNS + 5):
        tell(keeper, "Rain.")
    assert keeper.history()[0].turn > 0
    assert keeper.recall("gannet")[0].item.id == "turn:0"
    assert "gannet" in keeper.recall("gannet", "tom")[0].text
    everything = keeper.recall("What happened in the first scene?")
    assert ids(everything) == [f"turn:{n}" for n in range(KEPT_TURNS + 5)]


def test_stretches_of_story_time(keeper):
    found = keeper.recall("What happened in turn 2?")
    assert ids(found) == ["turn:2"]
    assert "turn 2" in found.notes[0]
    assert ids(keeper.recall("What happened in the first scene?")) == ["turn:0", "turn:1", "turn:2"]
    assert ids(keeper.recall("What happened in the last turn?")) == ["turn:3"]
    inside = keeper.recall("What did we say about the well in the first scene?", "ann")
    assert inside
    assert {h.item.session for h in inside} == {"scene:1"}  # the author's name is not hers


def test_a_budget_is_kept(keeper):
    count = counter(keeper.world().plan.story.budget.encoding)
    for budget in (1, 12, 40, 500):
        found = keeper.recall("cup well roses", budget=budget)
        assert found.tokens == count(found.text) <= budget
    assert len(keeper.recall("cup well roses", budget=500)) == 4
    tight = keeper.recall("cup well roses", budget=12)
    assert tight.left_out


@pytest.mark.parametrize("query", ["", " ", "?!", "灯 дом", "well " * 10_000, "\ud800", "> # \x00"])
def test_odd_queries(keeper, query):
    for who in ("narrator", "mara"):
        assert keeper.recall(query, who) == keeper.recall(query, who)


def test_nothing_is_remembered_of_a_run_that_has_no_turn():
    keeper = engine()
    assert not keeper.recall("anything")
    keeper.opening()
    assert not keeper.recall("anything", "mara")


def test_what_cannot_be_asked(keeper):
    with pytest.raises(MemoryProblem, match="at least one"):
        keeper.recall("well", k=0)
    with pytest.raises(UnknownAudience, match="zoe"):
        keeper.recall("well", "zoe")


# ── near and fresh ───────────────────────────────────────────────────────────────────────────


def held(*items: Item) -> Held:
    made = Held()
    made.add(replace(item, order=n) for n, item in enumerate(items, start=1))
    return made


def note(name: str, turn: int | None, scene: str, **more) -> Item:
    return Item(name, "A lamp burns.", 0, turn=turn, session=scene, **more)


def test_scopes_of_a_story():
    items = held(
        note("here", 50, "attic"), note("elsewhere", 50, "hall"),
        note("written", None, "book", kind=Kind.WRITTEN), note("to come", 101, "attic"),
        note("long ago", -400 + 100, "hall"),
    )  # fmt: skip
    near, fresh = near_and_fresh(items, np.arange(5), Asked("narrator", session="attic", turn=100))
    assert near.tolist() == [1.0, 0.6, 0.3, 1.0, 0.6]
    assert fresh.round(4).tolist() == [0.5, 0.933, 1.0, 1.0, round(0.5 ** (400 / 500), 4)]


def test_of_two_alike_the_one_of_this_scene_and_the_newer_come_first():
    items = held(note("old", 1, "hall"), note("new", 90, "yard"), note("here", 1, "attic"))
    elsewhere = Asked("narrator", session="loft", turn=100)
    assert ids(search(items, "lamp", elsewhere, most=3)) == ["new", "old", "here"]
    here = Asked("narrator", session="attic", turn=3)
    assert ids(search(items, "lamp", here, most=2))[0] == "here"


# ── by meaning ───────────────────────────────────────────────────────────────────────────────


def test_by_meaning_with_vectors_that_go_with_their_turn(tmp_path):
    path, query = tmp_path / "run.db", "the ship was wrecked"
    told = ("A vessel founders upon the rocks.", "Tom butters his bread.", "A clock ticks.")
    with kept(path, story=parlour(), embedder="minilm") as keeper:
        for prose in ("Rain falls.", *told):
            tell(keeper, prose)
        keeper.end_scene()
        found = keeper.recall(query)
        assert max(found, key=lambda hit: hit.terms.likeness).item.id == "turn:1"
        space = keeper._recollection._meaning.space
    assert in_file(path, space) == 4
    with kept(path, story=None, embedder="minilm", read_only=True) as keeper:
        assert repr(keeper.recall(query)) == repr(found)
        keeper.recall(query, "mara")
    assert in_file(path, space) == 4  # to look is not to write
    with kept(path, story=None, embedder="minilm") as keeper:
        keeper.recall(query, "mara")
    both = in_file(path, space)
    assert both > 4  # the pieces that Mara perceived
    with sqlite_ledger(path) as ledger:
        ledger.erase(MAIN, turn=1)
    assert in_file(path, space) < both
    with kept(path, story=None, embedder="minilm", read_only=True) as keeper:
        for who in ("narrator", "mara"):
            found = keeper.recall("vessel rocks wait", who)
            assert found.hits
            assert all(hit.item.turn != 1 for hit in found)


def in_file(path, space: str) -> int:
    vectors = SqliteVectors.open(path)
    try:
        return vectors.count(space)
    finally:
        vectors.close()


def test_words_alone_need_no_vectors(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, *EVENING)
        keeper.recall("key")
        assert keeper._shelf is None


class Down:
    """An embedder that cannot be asked until it is up."""

    dims, tiers, one_sided, up = 16, (), False, False

    def __init__(self, *, space: str | None = None) -> None:
        self._space = space

    @property
    def space(self) -> str:
        if self._space is None and not self.up:
            raise ModelUnavailable("nobody answers")
        return self._space or "late@1"

    def passages(self, texts):
        if not self.up:
            raise ModelUnavailable("nobody answers")
        return np.ones((len(texts), self.dims), np.int8)

    queries = passages


@pytest.mark.parametrize("space", [None, "down@1"])
def test_an_embedder_that_is_down_leaves_the_words(keeper, space):
    plain = keeper.recall("well dry")
    embedder = Down(space=space)
    keeper._recollection = Recollection(meaning=Meaning(embedder, Drawer()))
    found = keeper.recall("well dry")
    assert found.hits == plain.hits
    assert found.notes == ("Searched by words alone: nobody answers",)
    embedder.up = True  # the next time it is tried again
    assert keeper.recall("nothing of this stands anywhere").notes == ()
    assert keeper.recall("xylophone").hits


def test_a_fork_remembers_what_it_shares(tmp_path):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
        keeper.end_scene()
        keeper.fork(at=2, name="other")
        here = ids(keeper.recall("oat crock key Mara"))
    with kept(f"{path}@other") as other:
        other.end_scene()
        there = ids(other.recall("oat crock key Mara"))
    assert set(here) - set(there) == {"turn:3"}


def test_what_is_refused_makes_room_for_what_comes_behind_it(keeper, monkeypatch):
    """Should the boundary close what an index holds, as many are found as there are."""
    ask = {"ledger": keeper.ledger, "run": keeper.run, "now": keeper._state}
    query, memory = Query("the cup, the well, the thorns", budget=800), Recollection()
    every = [hit.item.id for hit in memory.found(query, **ask).hits]
    assert len(every) > 2
    asked = recalling.permitted

    def but_first(hits, *rest, **how):
        return tuple(h for h in asked(hits, *rest, **how) if h.item.id != every[0])

    monkeypatch.setattr(recalling, "permitted", but_first)
    assert [hit.item.id for hit in memory.found(query, **ask, most=2).hits] == every[1:3]
