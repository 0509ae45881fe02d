"""Laws of who knows which fact: what is learned stays, is nobody else's, and is never early."""

from itertools import pairwise, product

import hypothesis.strategies as st
from hypothesis import given

from storykeeper.context.boundary import Boundary
from storykeeper.context.gate import gate
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.engine import Engine
from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.play.knowing import knowledge
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import Condition, Did, Knows
from storykeeper.story.knowledge import Reveal
from storykeeper.story.model import NARRATOR
from storykeeper.world.conditions import TRUE_FROM, holds
from storykeeper.world.fold import checkpoints, fold
from storykeeper.world.knowledge.lessons import held
from storykeeper.world.knowledge.sightings import everyone
from storykeeper.world.snapshot import dump, load
from strategies.runs import go, unkept
from strategies.windows import Played
from strategies.worlds import READER, atom, begun, changed, house

# ── the house, in which people tell each other things ────────────────────────────────────────

WHO = ("ann", "bob", "eve", "fox")
PEOPLE = st.sampled_from(WHO)
SOME = st.lists(PEOPLE, min_size=1, max_size=3, unique=True).map(tuple)
FACTS = st.sampled_from(["secret", "rumour", "lie"])
CHAINS = [
    chain
    for depth in (2, 3)
    for chain in product(WHO, repeat=depth)
    if all(one != other for one, other in pairwise(chain))
]
EDITIONS = st.sampled_from([0.1, 0.6, 1.0])


@st.composite
def steps(draw, *, corrections):
    """Something by which somebody learns, is told, goes, hides or forgets; by its turn."""
    kinds = ["tell", "tell", "reveal", "go", "act", "edit", *(["correct"] if corrections else [])]
    kind, who, fact = draw(st.sampled_from(kinds)), draw(PEOPLE), draw(FACTS)
    some, others = draw(SOME), draw(st.lists(PEOPLE, max_size=2).map(tuple))
    place = draw(st.sampled_from(["hall", "attic"]))
    act = draw(st.sampled_from(["hide", "emerge", "sleep", "wake"]))
    how = draw(st.sampled_from(["saw", "read", "told by bob", "revealed"]))
    hint, truth = draw(st.booleans()), draw(EDITIONS)
    told = a.InformationTold("So.", fact)
    made = {
        "tell": lambda turn: atom(told, turn=turn, actor=who, target=some, witness=others),
        "reveal": lambda turn: ch.SecretRevealed(turn, fact, some, how, hint, others),
        "go": lambda turn: atom(a.Moved(place), turn=turn, actor=who),
        "act": lambda turn: atom(a.deed(act), turn=turn, actor=who),
        "edit": lambda turn: adoption(changed(house(version=f"{fact}{truth}"), "facts", fact,
                                              full="So.", confidence=truth), turn=turn),
        "correct": lambda turn: t.Corrected(turn, fact, "no", fact, some, others),
    }  # fmt: skip
    return made[kind]


def written(made):
    return [r for turn, make in enumerate(made, 1) for r in (t.TurnCommitted(turn), make(turn))]


TALES = st.lists(steps(corrections=True), max_size=14).map(written)
UNCORRECTED = st.lists(steps(corrections=False), max_size=14).map(written)


def levels(world, who):
    """How firmly somebody holds each fact: suspected or believed, and known."""
    known = world.known.get(who, {})
    believed = {b.fact for b in world.beliefs.values() if b.who == who and not b.superseded}
    firm = {fact: 1 if each.suspected else 2 for fact, each in known.items()}
    return {fact: max(firm.get(fact, 0), fact in believed) for fact in {*firm, *believed}}


@given(UNCORRECTED)
def test_holding_never_shrinks_without_a_correction(records):
    world = begun()
    for record in records:
        after = fold([record], world)
        for who in WHO:
            before, now = levels(world, who), levels(after, who)
            assert all(now[fact] >= level for fact, level in before.items())
        assert all(name in after.beliefs for name in world.beliefs)  # the old ones are kept
        world = after


@given(TALES)
def test_a_correction_takes_from_those_it_names_and_what_it_names(records):
    world = begun()
    for record in records:
        after = fold([record], world)
        if isinstance(record, t.Corrected):
            for who in WHO:
                before, now = levels(world, who), levels(after, who)
                gone = {fact for fact in before if now.get(fact, 0) < before[fact]}
                assert gone <= ({record.fact} if who in record.unlearned_by else set())
        world = after


@given(TALES)
def test_a_believed_untruth_is_never_known(records):
    """Nobody comes to know by being told what is not so when it is told."""
    world = begun()
    for record in records:
        after = fold([record], world)
        if isinstance(record, a.Atom) and isinstance(record.what, a.InformationTold):
            fact = record.what.fact
            if world.truths[fact] < TRUE_FROM:
                assert after.known == world.known
                for who in WHO:
                    asked = Condition(knows=Knows(who=who, fact=fact))
                    assert holds(after, asked) == holds(world, asked)
        world = after


@given(TALES)
def test_nobody_thinks_of_what_they_never_had(records):
    """Who thinks that somebody holds a fact has it, had it, or has told it."""
    world, had = begun(), {(w, f) for w in WHO for f in levels(begun(), w)}
    for record in records:
        world = fold([record], world)
        had |= {(w, f) for w in WHO for f in levels(world, w)}
        if isinstance(record, a.Atom) and isinstance(record.what, a.InformationTold):
            had |= {(p.entity.entity, record.what.fact) for p in record.participants}
        if isinstance(record, ch.SecretRevealed):
            had.add((record.how.partition(" by ")[2], record.fact))
    for chain, fact in product(CHAINS, ("secret", "rumour", "lie")):
        lesson = held(world, chain, fact)
        if lesson is not None:
            assert (chain[0], fact) in had
            assert chain[0] not in lesson.forgotten_by
            assert set(chain) <= everyone(lesson.seen)
            for shorter in {chain[:-1], chain[1:]}:  # what is thought at depth is thought above it
                above = len(shorter) < 2 or held(world, shorter, fact) is not None
                assert above or shorter[0] in lesson.forgotten_by


@given(TALES, st.data())
def test_lessons_and_beliefs_come_back_from_a_snapshot(records, data):
    cut = data.draw(st.integers(0, len(records)))
    first = fold(records[:cut], begun())
    restored = load(dump(first), first.plan)
    assert restored == first
    assert dump(fold(records[cut:], restored)) == dump(fold(records, begun()))


@given(TALES)
def test_at_a_turn_nothing_is_held_that_was_learned_since(records):
    """The world at turn t is that of the records up to t, and dates nothing later."""
    every = [adoption(house()), *records]
    for turn, world in checkpoints(every):
        outside = t.StoryAdopted | t.Corrected  # they come after the turn
        upto = [r for r in records if r.turn < turn + (not isinstance(r, outside))]
        assert dump(world) == dump(fold(upto, begun()))
        for who in WHO:
            found = knowledge(world, who)
            assert all(each.since <= turn for each in (*found.values(), *found.former))
            for thinker in WHO:
                assert all(e.since <= turn for e in knowledge(world, who, thinker=thinker).values())


# ── in a run ─────────────────────────────────────────────────────────────────────────────────

ASKED = Condition(did=Did(who="player", act="ask", to="bob"))
TALKING = changed(
    changed(house(), "facts", "rumour", known_by={"bob": "heard"},
            revealed_by=(Reveal(when=ASKED, how="told by bob", to=("present",)),)),
    "facts", "lie", revealed_by=(Reveal(when=Condition(happened="bell"), to=("player", "eve")),),
)  # fmt: skip
LINES = st.sampled_from(["I ask Bob about the key.", "I go to the attic.", "I ring the bell.",
                         "I wait.", "I go to the hall."])  # fmt: skip


def everything(world):
    """All that anybody holds, and that anybody is thought to."""
    return {
        (*by, who): (dict(found := knowledge(world, who, thinker=by)), found.former)
        for who in WHO
        for by in ((), *product(WHO, repeat=1))
    }


def played(lines, keeper):
    go(keeper, *lines)
    keeper.end_scene()
    return keeper


@given(st.lists(LINES, min_size=1, max_size=3), st.lists(LINES, min_size=1, max_size=3))
def test_a_past_turn_shows_no_fact_that_was_learned_since(lines, after):
    keeper = played(lines, unkept(TALKING))
    then, before = keeper.last_turn(), everything(keeper.world())
    played(after, keeper)
    assert everything(keeper.world(at=then)) == before
    for who in WHO:
        assert all(each.since <= then for each in keeper.knows(who, at=then).values())


@given(st.lists(LINES, min_size=1, max_size=3), LINES, LINES)
def test_forks_do_not_share_the_facts_learned_since_they_parted(lines, one, other):
    keeper = played(lines, unkept(TALKING))
    there = keeper.fork(at=keeper.last_turn(), name="other")
    fork = Engine(keeper.ledger, there.run, reader=READER)
    played([one], keeper)
    apart = everything(keeper.world())
    played([other], fork)
    assert everything(keeper.world()) == apart
    alone = played([other], played(lines, unkept(TALKING)))
    assert everything(fork.world()) == everything(alone.world())


# ── derived text ─────────────────────────────────────────────────────────────────────────────

AUDIENCES = (NARRATOR, *WHO)
BASE = (
    "fact:secret", "fact:rumour", "fact:lie", "hint:secret", "belief:eve:lie", "card:bob",
    "card:eve", "mood:bob", "setting:hall", "setting:attic", "thing:key", "thing:letter", "turn:0",
    "where:eve", "fact:gone", "nothing:at-all",
)  # fmt: skip


def boundaries():
    played = Played.of(TALKING)
    played.play("", "It begins.")
    played.play("I ask Bob about the key.", "Bob shrugs.")
    world, present = played.under_way("I wait.")
    return [Boundary(world, played.history, present, audience=each) for each in AUDIENCES]


BOUNDARIES = boundaries()


def derived(name, *sources):
    return Candidate(
        id=name, origin="test", tier=Tier.RETRIEVED, klass=Class.MANDATORY, sources=sources,
        full="", hint="Some words.",
    )  # fmt: skip


def audience_of(candidates):
    """For each of them, who is let have it."""
    found = {each.id: set() for each in candidates}
    for boundary in BOUNDARIES:
        for each in gate(candidates, boundary)[0]:
            found[each.id].add(boundary.audience)
    return found


@given(st.data())
def test_the_audience_of_what_is_derived_is_within_those_of_its_sources(data):
    """A(d) ⊆ ∩ A(s), and here A(d) = ∩ A(s): summaries of summaries, to any depth."""
    roots = [derived(f"root:{i}", source) for i, source in enumerate(BASE)]
    names, made = [each.id for each in roots], list(roots)
    for i in range(data.draw(st.integers(1, 6))):
        chosen = st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True)
        made.append(derived(f"made:{i}", *data.draw(chosen)))
        names.append(f"made:{i}")
    shuffled = data.draw(st.permutations(made))
    audience = audience_of(shuffled)
    for each in made[len(roots) :]:
        within = set.intersection(*(audience[source] for source in each.sources))
        assert audience[each.id] == within


def test_the_law_of_derived_text_is_tried_on_open_and_on_closed_sources():
    audience = audience_of([derived(f"root:{i}", source) for i, source in enumerate(BASE)])
    sizes = {len(each) for each in audience.values()}
    assert {0, 1} <= sizes
    assert max(sizes) > 1
