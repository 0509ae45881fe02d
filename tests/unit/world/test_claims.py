"""What is said is a claim: known if it is so, believed if it is not, and a lie by who knows."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import Condition, Knows
from storykeeper.world.conditions import holds
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.knowledge.claims import holds_true
from storykeeper.world.snapshot import dump, load
from storykeeper.world.state import Believed, Known
from strategies.worlds import atom, begun, changed, house

# In the house Bob knows the secret (which is so), the rumour (.6) and the lie (.3), which Eve
# believes as Bob told her; Ann suspects the secret.


def telling(fact, *, turn=3, **roles):
    return atom(a.InformationTold("So.", fact), turn=turn, **roles)


def after(*records, world=None):
    return fold(records, begun() if world is None else world)


def knows(world, who, fact):
    return holds(world, Condition(knows=Knows(who=who, fact=fact)))


def test_what_is_so_is_known_to_who_hears_it():
    world = after(telling("secret", actor="bob", target="fox", witness="ann"))
    assert world.known["fox"]["secret"] == world.known["ann"]["secret"] == Known("told by bob", 3)
    assert world.beliefs == begun().beliefs


@pytest.mark.parametrize("fact", ["rumour", "lie", "gone"])
def test_what_is_not_so_is_believed_and_not_known(fact):
    world = after(telling(fact, actor="bob", target="fox", witness="ann"))
    assert fact not in world.known.get("fox", {})
    assert fact not in world.known["ann"]
    for who in ("fox", "ann"):
        held = world.beliefs[f"{who}:{fact}"]
        assert (held.who, held.fact, held.how, held.since) == (who, fact, "told by bob", 3)
        assert not held.superseded
        assert not knows(world, who, fact)


def test_a_rumour_that_is_told_satisfies_no_condition_and_one_that_is_seen_does():
    assert not knows(after(telling("rumour", actor="bob", target="fox")), "fox", "rumour")
    assert knows(after(ch.SecretRevealed(3, "rumour", ("fox",), "saw")), "fox", "rumour")


def test_who_knows_it_or_has_made_up_their_mind_believes_nothing_new():
    world = after(telling("lie", actor="fox", target=("bob", "eve")))
    assert world.beliefs == begun().beliefs
    corrected = after(t.Corrected(1, "eve:lie", "no"))
    again = after(telling("lie", actor="bob", target="eve"), world=corrected)
    assert again.beliefs["eve:lie"] == corrected.beliefs["eve:lie"]
    assert again.beliefs["eve:lie"].superseded


def test_who_only_suspects_it_believes_it_now():
    world = after(ch.SecretRevealed(1, "lie", ("ann",), "heard", suspected=True))
    world = after(telling("lie", actor="bob", target="ann"), world=world)
    assert world.known["ann"]["lie"].suspected
    assert world.beliefs["ann:lie"].how == "told by bob"


def test_nobody_believes_it_for_having_said_it():
    world = after(telling("lie", actor="ann", target=("ann", "fox")))
    assert "ann:lie" not in world.beliefs
    assert "fox:lie" in world.beliefs


def test_without_a_teller_it_was_heard():
    world = after(telling("lie", target="ann"))
    assert (world.beliefs["ann:lie"].how, world.beliefs["ann:lie"].lie) == ("heard", False)


# ── lies ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("teller", "fact", "lie"),
    [
        ("bob", "lie", True),  # he knows what it is
        ("eve", "lie", False),  # she believes it
        ("fox", "lie", True),  # it does not hold it at all
        ("bob", "rumour", False),  # it may well be so
    ],
)
def test_who_does_not_hold_it_true_lies(teller, fact, lie):
    world = after(telling(fact, actor=teller, target="ann"))
    assert world.beliefs[f"ann:{fact}"].lie is lie
    assert holds_true(begun(), teller, fact) is not lie


def test_who_has_thought_better_of_it_lies_and_who_passes_it_on_does_not():
    passed = after(
        telling("lie", actor="bob", target="ann"), telling("lie", actor="ann", target="fox", turn=4)
    )
    assert not passed.beliefs["fox:lie"].lie
    better = after(
        t.Corrected(3, "eve:lie", "no"), telling("lie", actor="eve", target="fox", turn=4)
    )
    assert better.beliefs["fox:lie"].lie


def test_who_suspects_it_or_believes_it_by_another_name_does_not_lie():
    hint = ch.SecretRevealed(1, "lie", ("fox",), "heard", suspected=True)
    assert not after(hint, telling("lie", actor="fox", target="ann")).beliefs["ann:lie"].lie
    formed = ch.BeliefFormed(1, "fox", "b1", "It is dry.", "saw", 0.9, "lie")
    assert not after(formed, telling("lie", actor="fox", target="ann")).beliefs["ann:lie"].lie


@pytest.mark.parametrize(
    ("how", "fact", "claimed", "lie"),
    [
        ("told by bob", "lie", True, True),
        ("told by eve", "lie", True, False),
        ("told", "lie", True, False),
        ("saw", "lie", False, False),
        ("told by bob", "secret", False, False),
        ("told by bob", None, False, False),
    ],
)
def test_a_belief_on_record_is_a_claim_if_it_was_told_and_is_not_so(how, fact, claimed, lie):
    world = after(ch.BeliefFormed(2, "fox", "fox:x", "So.", how, 0.9, fact))
    assert world.beliefs["fox:x"] == Believed("fox", how, 2, 0.9, fact, claimed=claimed, lie=lie)


# ── and then it is so ────────────────────────────────────────────────────────────────────────


def edited(world, **changes):
    return evolve(world, adoption(changed(house(), "facts", "lie", **changes), turn=5))


def test_when_it_comes_to_be_so_it_is_known_and_the_belief_is_kept():
    told = after(telling("lie", actor="bob", target="fox"), t.TurnCommitted(4))
    world = edited(told, confidence=0.9)
    assert world.known["fox"]["lie"] == Known("told by bob", 4)
    assert world.beliefs["fox:lie"] == structs.replace(told.beliefs["fox:lie"], superseded=True)
    assert knows(world, "fox", "lie")
    assert world.beliefs["eve:lie"] == told.beliefs["eve:lie"]  # so the author has it
    assert "lie" not in world.known["eve"]


def test_an_edition_that_does_not_make_it_so_changes_nothing():
    told = after(telling("lie", actor="bob", target="fox"))
    assert edited(told, confidence=0.7).known == told.known
    assert edited(told, full="It is very dry.").beliefs == told.beliefs


def test_a_correction_takes_back_what_was_told():
    told = after(telling("lie", actor="bob", target=("fox", "ann")))
    world = evolve(told, t.Corrected(4, "lie", "no", "lie", ("fox", "eve")))
    assert world.beliefs["fox:lie"].superseded
    assert not world.beliefs["ann:lie"].superseded
    assert not world.beliefs["eve:lie"].superseded  # the author's; it is named as a target


def test_a_snapshot_keeps_it():
    world = after(telling("lie", actor="bob", target="fox", witness="ann"))
    assert isinstance(world.beliefs["fox:lie"], Believed)
    assert world.taught
    assert load(dump(world), world.plan) == world
