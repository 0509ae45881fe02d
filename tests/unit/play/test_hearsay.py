"""What was told to whom, by whom who knew better, and who no longer knows from where."""

import pytest
from msgspec import structs

from storykeeper.cli.knows import listed, table
from storykeeper.errors import RecordInvalid, UnknownPerson
from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.play.knowing import Level, forget_source, knowledge, matrix, tellers
from storykeeper.story.adopt import adoption
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from strategies.runs import go, unkept
from strategies.worlds import atom, begun, changed, house


def telling(fact, *, turn=3, **roles):
    return atom(a.InformationTold("So.", fact), turn=turn, **roles)


def after(*records, world=None):
    return fold(records, begun() if world is None else world)


def line(world, who, **options):
    return listed(world.plan, knowledge(world, who, **options), thinkers=options.get("thinker", ()))


# ── claims and lies ──────────────────────────────────────────────────────────────────────────


def test_a_lie_is_marked_for_the_author():
    world = after(telling("lie", actor="bob", target="fox"))
    held = knowledge(world, "fox")["lie"]
    assert (held.level, held.how, held.so) == (Level.BELIEVES, "told by bob", False)
    assert (held.tellers, held.liar) == (("bob",), "bob")
    assert line(world, "fox") == (
        "believes lie (told by Bob, who did not hold it true, turn 3, which is not so): It is dry."
    )


def test_hearsay_leads_back_to_the_liar_and_no_further():
    world = after(
        telling("lie", actor="bob", target="fox"),
        telling("lie", turn=4, actor="fox", target="ann"),
    )
    held = knowledge(world, "ann")["lie"]
    assert (held.tellers, held.liar) == (("fox", "bob"), "bob")
    told = "told by the fox, who has it from Bob, who did not hold it true, turn 4"
    assert told in line(world, "ann")


def test_who_passes_on_what_they_believe_is_no_liar():
    world = after(telling("lie", actor="eve", target="fox"))
    held = knowledge(world, "fox")["lie"]
    assert held.tellers == ("eve", "bob")
    assert held.liar == "bob"  # the author has it that he knows the lie, and that he told Eve
    honest = begun(changed(house(), "facts", "lie", known_by={}))
    held = knowledge(after(telling("lie", actor="eve", target="fox"), world=honest), "fox")["lie"]
    assert (held.tellers, held.liar) == (("eve", "bob"), None)


def test_who_learns_it_otherwise_knows_it_and_what_they_believed_is_kept():
    world = after(
        telling("rumour", actor="bob", target="fox"),
        ch.SecretRevealed(5, "rumour", ("fox",), "saw"),
    )
    found = knowledge(world, "fox")
    assert (found["rumour"].level, found["rumour"].how) == (Level.KNOWS, "saw")
    (former,) = found.former
    assert (former.level, former.how, former.since) == (Level.BELIEVES, "told by bob", 3)
    assert "no longer believes rumour (told by Bob, turn 3" in line(world, "fox")


def test_what_comes_to_be_so_is_known_and_the_belief_is_kept():
    told = after(telling("lie", actor="bob", target="fox"))
    world = evolve(told, adoption(changed(house(), "facts", "lie", confidence=1.0), turn=4))
    found = knowledge(world, "fox")
    assert (found["lie"].level, found["lie"].so) == (Level.KNOWS, True)
    assert [each.level for each in found.former] == [Level.BELIEVES]


# ── what is thought of others ────────────────────────────────────────────────────────────────


def test_what_is_thought_of_others_rests_on_who_was_seen_to_learn_it():
    world = after(telling("secret", actor="bob", target="fox", witness="ann"))
    thought = knowledge(world, "fox", thinker="ann")
    assert list(thought) == ["secret"]
    held = thought["secret"]
    assert (held.level, held.how, held.tellers) == (Level.KNOWS, "told by bob", ("bob",))
    assert knowledge(world, "bob", thinker="ann")["secret"].how == "said so"
    assert list(knowledge(world, "eve", thinker="ann")) == []
    deep = knowledge(world, "ann", thinker=("fox", "ann", "bob"))
    assert list(deep) == ["secret"]
    assert knowledge(world, "fox", thinker=("ann", "eve")).get("secret") is None


def test_a_liar_thinks_that_they_are_believed():
    world = after(telling("lie", actor="bob", target="fox"))
    assert knowledge(world, "fox", thinker="bob")["lie"].level is Level.BELIEVES
    better = after(ch.SecretRevealed(5, "lie", ("fox",), "read"), world=world)
    assert knowledge(better, "fox")["lie"].level is Level.KNOWS
    assert knowledge(better, "fox", thinker="bob")["lie"].level is Level.BELIEVES  # he did not see


def test_who_was_seen_to_get_the_hint_is_thought_to_suspect():
    together = ch.SecretRevealed(2, "rumour", ("ann", "fox"), "told by bob", suspected=True)
    world = after(together, ch.SecretRevealed(3, "rumour", ("fox",), "read"))
    held = knowledge(world, "fox", thinker="bob")["rumour"]
    assert (held.level, held.said) == (Level.SUSPECTS, "")


def test_it_is_listed_and_if_there_is_nothing_that_is_said():
    world = after(telling("secret", actor="bob", target="fox", witness="ann"))
    assert "knows secret (told by Bob, turn 3)" in line(world, "fox", thinker=("ann",))
    empty = line(world, "eve", thinker=("fox", "bob"))
    assert empty == "the fox has not seen Bob see Eve learn anything that is followed here"


# ── forgetting from where ────────────────────────────────────────────────────────────────────


def test_a_forgotten_source_ends_the_hearsay():
    world = after(
        telling("secret", actor="bob", target="fox"),
        telling("secret", turn=4, actor="fox", target="ann"),
    )
    assert tellers(world, "ann", "secret") == ("fox", "bob")
    world = evolve(world, forget_source(world, "fox", "secret", note="years ago"))
    assert tellers(world, "ann", "secret") == ("fox",)
    held = knowledge(world, "fox")["secret"]
    assert (held.level, held.how, held.tellers) == (Level.KNOWS, "forgotten", ())
    assert "knows secret (from where is forgotten, turn 3): Eve" in line(world, "fox")


def test_a_believer_forgets_who_lied():
    world = after(telling("lie", actor="bob", target="fox"))
    world = evolve(world, forget_source(world, "fox", "lie"))
    held = knowledge(world, "fox")["lie"]
    assert (held.level, held.how, held.tellers, held.liar) == (
        Level.BELIEVES, "forgotten", (), None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("who", "fact", "error", "why"),
    [
        ("ghost", "secret", UnknownPerson, "nobody called ghost is in this story; there is ann"),
        ("bob", "nothing", RecordInvalid, "no fact called nothing is in this story"),
        ("fox", "secret", RecordInvalid, "fox does not hold secret"),
    ],
)
def test_who_cannot_forget_it(who, fact, error, why):
    with pytest.raises(error, match=why):
        forget_source(begun(), who, fact)


def test_in_a_run_anybody_unknown_is_refused():
    keeper = unkept()
    go(keeper, "I wait.")
    for asked in ({"thinker": "ghost"}, {"thinker": ("bob", "ghost")}):
        with pytest.raises(UnknownPerson, match="nobody called ghost"):
            keeper.knows("ann", **asked)
    assert list(keeper.knows("bob", thinker=["eve", "bob", "eve"])) == ["lie"]  # he told her
    assert list(keeper.knows("bob", thinker=["eve", "ann"])) == []


# ── the table ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("people", "long"), [(10, False), (10, True), (24, True), (1, False)])
def test_thirty_facts_fit_a_terminal(people, long):
    story = house()
    cast = tuple(
        structs.replace(story.cast[0], id=f"person-with-a-name-{i}", relations=())
        for i in range(people)
    )
    facts = tuple(
        structs.replace(
            story.facts[1], id=f"fact-{i}" + ("-of-the-house-upon-the-hill" * long * (i % 2)),
            known_by={cast[i % people].id: "saw"},
        )
        for i in range(30)
    )  # fmt: skip
    world = begun(structs.replace(story, cast=(*story.cast, *cast), facts=facts))
    lines = table(world.plan, matrix(world)).splitlines()
    assert max(map(len, lines)) <= 80
    for fact in facts:
        assert any(row.startswith(fact.id) for row in lines)
    marks = sum(row.count("Kx") for row in lines)
    assert marks == 30
    for who in cast:
        assert sum(row.endswith(who.id[:12]) for row in lines) >= 1
