"""Lessons: who was seen to come by a fact, and so is thought to hold it."""

from itertools import combinations

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.units import EntityId
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.knowledge.lessons import FORGOTTEN, MANY, held, noted
from storykeeper.world.state import EMPTY, Lesson, Sighting
from strategies.cottage import all_in
from strategies.worlds import atom, begun

FACT = "will"


def told(happens, who, *, to, heard_by=(), fact=FACT):
    happens.deed(a.InformationTold("", fact), actor=who, target=to, seen_by=heard_by)


def revealed(happens, *to, how="saw", **more):
    happens.at.add(ch.SecretRevealed(1, FACT, to, how, **more))


def thinks(happens, *chain):
    return held(happens.world, tuple(map(EntityId, chain)), FACT) is not None


def test_who_is_told_within_hearing_is_thought_to_hold_it():
    happens = all_in("kitchen", "ada", "ben", "cid", "dot")
    told(happens, "ada", to="ben", heard_by=("cid",))
    assert thinks(happens, "cid", "ben")
    assert thinks(happens, "ben", "cid")
    assert thinks(happens, "ada", "ben")
    assert thinks(happens, "ben", "ada")  # who says it is taken to hold it
    assert not thinks(happens, "dot", "ben")
    assert not thinks(happens, "ben", "dot")


def test_to_any_depth():
    happens = all_in("kitchen", "ada", "ben", "cid")
    told(happens, "ada", to="ben", heard_by=("cid",))
    told(happens, "ada", to="dot")
    assert thinks(happens, "cid", "ben", "ada", "cid", "ben")
    assert thinks(happens, "dot", "ada", "dot")
    assert not thinks(happens, "dot", "ada", "ben")
    assert not thinks(happens, "ada", "dot", "ben")


def test_two_lessons_do_not_make_one_thought():
    """Ada saw Ben learn it, and saw Cid learn it; that Ben saw Cid does not follow."""
    happens = all_in("kitchen", "ada", "ben", "cid")
    told(happens, "ada", to="ben")
    told(happens, "ada", to="cid")
    assert thinks(happens, "ada", "cid")
    assert not thinks(happens, "ada", "ben", "cid")


def test_who_listens_hidden_is_not_seen_to():
    happens = all_in("kitchen", "ada", "ben", "cid")
    happens.acts("cid", "hide")
    told(happens, "ada", to="ben", heard_by=("cid",))
    assert thinks(happens, "cid", "ben")
    assert not thinks(happens, "ben", "cid")


def test_whom_it_is_told_to_is_there_for_all_who_hear_it():
    happens = all_in("kitchen", "ada", "ben")
    told(happens, "ada", to="ren", heard_by=("ben",))
    assert thinks(happens, "ben", "ren")
    assert thinks(happens, "ren", "ben")


def test_who_is_on_the_line_is_known_to_be_there():
    happens = all_in("kitchen", "ada", "ben")
    happens.goes("cid", "cellar")
    told(happens, "ada", to="ben", heard_by=("cid",))
    assert not thinks(happens, "ben", "cid")
    happens.acts("ada", "phone", target="cid")
    told(happens, "ada", to="cid", heard_by=("ben",))
    assert thinks(happens, "ben", "cid")


def test_who_sleeps_perceives_nothing():
    happens = all_in("kitchen", "ada", "ben", "cid")
    happens.acts("cid", "sleep")
    told(happens, "ada", to="ben", heard_by=("cid",))
    assert not thinks(happens, "cid", "ben")


# ── revelations ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("how", "seen"), [("saw", True), ("revealed", True), ("heard", True), ("told", True),
                      ("read", False), ("dreamed", False), ("inferred", False)],
)  # fmt: skip
def test_what_comes_out_before_people_is_seen_and_what_is_their_own_is_not(how, seen):
    happens = all_in("kitchen", "ada", "ben")
    revealed(happens, "ada", "ben", how=how)
    assert thinks(happens, "ada", "ben") is seen
    assert thinks(happens, "ada", "ben", "ada") is seen


def test_only_those_in_one_place_see_each_other():
    happens = all_in("kitchen", "ada", "ben")
    happens.goes("cid", "cellar")
    happens.goes("dot", "cellar")
    revealed(happens, "ada", "ben", "cid", "dot", "ren")
    assert thinks(happens, "ada", "ben")
    assert thinks(happens, "dot", "cid")
    assert not thinks(happens, "ada", "cid")
    assert not thinks(happens, "cid", "ada")
    assert not thinks(happens, "ada", "ren")  # who is nowhere


def test_the_teller_knows_whom_they_told_and_is_known_to_have():
    happens = all_in("kitchen", "ada")
    happens.goes("ben", "cellar")
    revealed(happens, "ada", "ben", "ren", how="told by dot")
    for who in ("ada", "ben", "ren"):
        assert thinks(happens, "dot", who)
        assert thinks(happens, who, "dot")
    assert not thinks(happens, "ada", "ben")
    happens = all_in("kitchen", "ada", "ben")
    revealed(happens, "ada", "ben", how="told by dot")
    assert thinks(happens, "ada", "ben", "dot")


def test_who_knew_it_and_was_there_sees_the_others_learn_it():
    happens = all_in("kitchen", "ada", "ben", "cid")
    revealed(happens, "ada", how="read")
    revealed(happens, "ben", seen_by=("ada", "cid"))
    assert thinks(happens, "ada", "ben")
    assert not thinks(happens, "cid", "ben")  # who does not know it did not take it in
    assert "cid" not in happens.world.known


def test_one_alone_leaves_no_lesson_and_nothing_new_leaves_none():
    happens = all_in("kitchen", "ada", "ben")
    revealed(happens, "ada")
    assert happens.world.taught == EMPTY
    revealed(happens, "ada", "ben")
    before = happens.world
    revealed(happens, "ada", "ben")
    assert happens.world == before
    told(happens, "ada", to="ben")
    assert happens.world.taught == before.taught


def test_a_hint_is_less_than_the_fact():
    happens = all_in("kitchen", "ada", "ben")
    revealed(happens, "ada", "ben", suspected=True)
    chain = (EntityId("ada"), EntityId("ben"))
    assert held(happens.world, chain, FACT).suspected
    revealed(happens, "ben", how="read")
    assert held(happens.world, chain, FACT).suspected  # he read it alone
    revealed(happens, "ada", "ben")
    assert not held(happens.world, chain, FACT).suspected


def test_a_belief_from_somebody_is_known_to_both():
    world = evolve(begun(), ch.BeliefFormed(1, "fox", "b1", "x", "told by eve", 0.5, "rumour"))
    assert held(world, ("eve", "fox"), "rumour").claimed
    assert held(world, ("fox", "eve"), "rumour")
    assert not held(world, ("eve", "bob"), "rumour")


# ── corrections ──────────────────────────────────────────────────────────────────────────────


def test_who_never_learned_it_was_never_there():
    happens = all_in("kitchen", "ada", "ben", "cid")
    told(happens, "ada", to="ben", heard_by=("cid",))
    happens.at.add(t.Corrected(1, FACT, "no", FACT, ("cid",)))
    assert thinks(happens, "ada", "ben")
    assert not thinks(happens, "ada", "cid")
    assert not thinks(happens, "cid", "ben")
    happens.at.add(t.Corrected(1, FACT, "no", FACT, ("ben",)))
    assert happens.world.taught == EMPTY


def test_a_forgotten_source_ends_what_they_think_and_not_what_is_thought_of_them():
    happens = all_in("kitchen", "ada", "ben", "cid")
    revealed(happens, "ben", "cid", how="told by ada")
    happens.at.add(t.Corrected(1, FACT, "", FACT, forgotten_by=("ben",)))
    assert happens.world.known["ben"][FACT].how == FORGOTTEN
    assert happens.world.known["cid"][FACT].how == "told by ada"
    assert not thinks(happens, "ben", "ada")
    assert not thinks(happens, "ben", "cid")
    assert thinks(happens, "ada", "ben")
    assert thinks(happens, "cid", "ben", "ada")
    told(happens, "ada", to="ben")  # and he is told again
    assert thinks(happens, "ben", "ada")
    assert not thinks(happens, "ben", "cid")


def test_a_source_the_author_gave_is_forgotten_too():
    world = evolve(begun(), t.Corrected(1, "lie", "", "lie", forgotten_by=("eve",)))
    assert world.beliefs["eve:lie"].how == FORGOTTEN
    assert not held(world, ("eve", "bob"), "lie")
    assert held(world, ("bob", "eve"), "lie")


@pytest.mark.parametrize("record", [
    t.Corrected(1, "x", "", "gone", forgotten_by=("stranger", "ann")),
    t.Corrected(1, "x", "", None, forgotten_by=("bob",)),
    t.Corrected(1, "x", "", "gone", unlearned_by=("stranger",)),
])  # fmt: skip
def test_forgetting_what_nobody_has_changes_nothing(record):
    assert evolve(begun(), record) == begun()


# ── not too many ─────────────────────────────────────────────────────────────────────────────


def lesson(turn, *by, **more):
    return Lesson("saw", Sighting(turn, f"t{turn}.1", None, by=tuple(sorted(by))), **more)


def test_what_shows_nobody_anything_new_is_not_noted():
    first = noted(begun(), FACT, lesson(1, "a", "b", "c"))
    assert noted(first, FACT, lesson(2, "a", "c")) == first
    assert noted(first, FACT, lesson(2, "a")) == first
    assert len(noted(first, FACT, lesson(2, "a", "d")).taught[FACT]) == 2
    hint = noted(begun(), FACT, lesson(1, "a", "b", suspected=True))
    assert len(noted(hint, FACT, lesson(2, "a", "b", claimed=True)).taught[FACT]) == 2


def test_there_are_never_many():
    people = [f"p{i:02}" for i in range(14)]
    world = begun()
    for turn, five in enumerate(combinations(people, 5), start=1):
        world = noted(world, FACT, lesson(turn, *five))
    pairs = len(people) * (len(people) - 1) // 2
    assert len(world.taught[FACT]) <= MANY + pairs
    assert all(held(world, pair, FACT) for pair in combinations(people, 2))


def test_odd_lessons_do_no_harm():
    odd = atom(a.InformationTold("", "gone"), actor="stranger", target=("stranger", "key"))
    world = fold([odd, structs.replace(odd, participants=())], begun())
    assert held(world, ("stranger", "bob"), "gone") is None
    assert held(world, ("bob", "stranger"), "secret") is None
