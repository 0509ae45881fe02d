"""What a rendering told, as atoms: from readings made by hand."""

import pytest

from storykeeper.events import atoms as a
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.language.reading import Joint, Modality
from storykeeper.play.readings import MAX_STEPS
from storykeeper.play.retelling import sentences
from storykeeper.units import EntityId, Key
from storykeeper.world.evolve import evolve
from storykeeper.world.retold import told_to
from strategies.readings import Read, atoms, compounds, told
from strategies.referred import atom, opened, person, with_thing

PEOPLE = {"ann", "mara", "tom"}


def one(unfolding, **more):
    (found,) = atoms(unfolding, **more)
    return found


def roles(done):
    """(role, words) of everyone who takes part; witnesses apart."""
    return [
        (p.role.value, getattr(p.entity, "mention", "") or getattr(p.entity, "implied", ""))
        for p in done.participants
        if p.role is not a.Role.WITNESS
    ]


def witnesses(done):
    return {p.entity.entity for p in done.participants if p.role is a.Role.WITNESS}


def kinds(done):
    return [(i.kind.value, i.of, i.toward, i.weight) for i in done.implications]


def looking(verb="look", **fields):
    read = Read("Mara looks at the old cup.")
    mara, cup = read.name("Mara"), read.noun("the old cup", **fields.pop("cup", {}))
    read.clause(verb, mara, targets=(cup,), **fields)
    return read


# ── what is done ─────────────────────────────────────────────────────────────────────────────


def test_a_clause_is_an_atom_with_everyone_in_their_roles():
    read = Read("Mara cuts the rope with a knife at the table, telling of the sea.")
    mara, rope, knife = read.name("Mara"), read.noun("the rope"), read.noun("a knife")
    table, sea = read.noun("the table"), read.noun("the sea")
    read.clause("cut", mara, targets=(rope,), instruments=(knife,), locations=(table,),
                subjects=(sea,))  # fmt: skip
    done = one(told(read))
    assert done.what == a.deed("cut")
    assert roles(done) == [
        ("actor", "Mara"), ("target", "the rope"), ("subject", "the sea"),
        ("instrument", "a knife"), ("location", "the table"),
    ]  # fmt: skip
    assert done.confidence.value == 0.9
    assert witnesses(done) == {"ann", "tom"}


@pytest.mark.parametrize(
    ("verb", "implied"),
    [
        ("look", [("attention", 0, 1, 0.18)]),
        ("take", [("attention", 0, 1, 0.18), ("possession", 0, 1, 0.45),
                  ("proximity", 0, 1, 0.18)]),
        ("love", [("emotional-connection", 0, 1, 0.54)]),
        ("exist", []),
    ],
)  # fmt: skip
def test_implications_follow_the_verb(verb, implied):
    assert kinds(one(told(looking(verb)))) == implied


def test_a_place_is_near_and_an_instrument_is_used():
    read = Read("Mara waits at the table with a lamp.")
    mara, table, lamp = read.name("Mara"), read.noun("the table"), read.noun("a lamp")
    read.clause("wait", mara, instruments=(lamp,), locations=(table,))
    assert kinds(one(told(read))) == [
        ("attention", 0, 1, 0.18), ("proximity", 0, 1, 0.18), ("proximity", 0, 2, 0.18)
    ]  # fmt: skip


def test_without_anybody_who_does_it_something_is_so():
    read = Read("The old cup is cracked.")
    cup = read.noun("The old cup")
    read.clause("crack", targets=(cup,))
    done = one(told(read))
    assert done.what == a.StateAsserted("The old cup is cracked.")
    assert done.implications == ()


@pytest.mark.parametrize("modality", [m for m in Modality if m is not Modality.ASSERTED])
def test_only_what_is_asserted_happened(modality):
    read = looking("take", modality=modality)
    assert not [x for x in atoms(told(read)) if isinstance(x.what, a.ActionTaken)]
    assert not [x for x in atoms(told(read)) if x.implications]


@pytest.mark.parametrize("modality", [m for m in Modality if m is not Modality.ASSERTED])
def test_what_is_not_there_is_not_mentioned(modality):
    read = Read("There is no dagger. Mara waits.")
    read.noun("dagger", definite=False, modality=modality)
    read.clause("wait", read.name("Mara"))
    assert len(told(read).world.register) == len(opened().register)


def test_what_somebody_says_happened_did_not_happen_here():
    read = Read("“Tom took the cup,” says Mara.")
    quote = read.quote("Tom took the cup,")
    tom, cup = read.name("Tom", quotation=0), read.noun("the cup", quotation=0)
    mara = read.name("Mara")
    read.clause("take", tom, targets=(cup,), quotation=quote)
    read.clause("say", mara)
    assert a.deed("take") not in [done.what for done in atoms(told(read))]


def test_what_nobody_else_perceives():
    assert witnesses(one(told(looking("notice")))) == set()
    assert witnesses(one(told(looking("take")))) == {"ann", "tom"}


def test_sitting_implies_a_seat_that_nothing_is_implied_about():
    read = Read("Mara sits down.")
    clause = read.clause("sit down", read.name("Mara"))
    read.implies("chair", "sits down", clause)
    done = one(told(read))
    assert roles(done) == [("actor", "Mara"), ("location", "chair")]
    assert done.implications == ()


# ── told before ──────────────────────────────────────────────────────────────────────────────


def test_a_sentence_told_before_is_nothing_new():
    text = "Mara looks at the old brass bell."
    read = Read(text)
    read.clause("look", read.name("Mara"), targets=(read.noun("the old brass bell"),))
    lines = tuple(told_to(trace, "ann") for _, trace in sentences(text))
    assert atoms(told(read, lines=lines)) == []
    assert atoms(told(read, lines=("0" * 16,))) != []
    to_another = tuple(told_to(trace, "bob") for _, trace in sentences(text))
    assert atoms(told(read, lines=to_another)) != []


def test_only_that_sentence():
    first = "Mara looks at the old brass bell."
    read = Read(f"{first} Tom takes it.")
    mara, bell = read.name("Mara"), read.noun("the old brass bell")
    tom = read.name("Tom")
    read.clause("look", mara, targets=(bell,), end=len(first))
    read.clause("nod", tom, start=len(first) + 1)
    done = one(told(read, lines=tuple(told_to(t, "ann") for _, t in sentences(first))))
    assert done.what == a.deed("nod")


# ── what is only there ───────────────────────────────────────────────────────────────────────


def test_what_takes_part_in_nothing_is_texture():
    read = Read("A lamp. A jug.")
    read.noun("A lamp")
    read.noun("A jug")
    first, second = atoms(told(read))  # each piece for itself
    assert first.what == second.what == a.StateAsserted("")
    assert (roles(first), roles(second)) == ([("subject", "A lamp")], [("subject", "A jug")])
    assert first.implications == ()


def test_a_pronoun_alone_is_no_texture():
    read = Read("It. Her.")
    read.pronoun("It")
    read.pronoun("Her")
    assert atoms(told(read)) == []


@pytest.mark.parametrize("sort", [Sort.TIME, Sort.ABSTRACT, Sort.MATTER])
def test_times_and_ideas_take_no_part(sort):
    read = looking(cup={"sort": sort})
    assert roles(one(told(read))) == [("actor", "Mara")]


def test_texture_comes_in_the_order_of_the_text():
    read = Read("A lamp. Mara looks at it.")
    lamp = read.noun("A lamp", cluster=1)
    mara, it = read.name("Mara"), read.pronoun("it", cluster=1)
    read.clause("look", mara, targets=(it,), start=8)
    first, second = atoms(told(read))
    assert roles(first) == [("subject", "A lamp")]
    assert second.participants[1].entity.joins == f"{first.id}#0"
    assert lamp == 0


# ── feeling ──────────────────────────────────────────────────────────────────────────────────


def crying(who="Mara", *, joint=Joint.SEQUENCE, targets=True, pronoun=False):
    read = Read(f"Mara looks at the cup and {who} cries.")
    mara, cup = read.name("Mara", cluster=1), read.noun("the cup")
    cries = read.pronoun(who, cluster=1) if pronoun else read.name(who)
    first = read.clause("look", mara, targets=(cup,) if targets else ())
    second = read.clause("cry", cries, start=10)
    read.link(joint, first, second)
    return read


@pytest.mark.parametrize("pronoun", [False, True])
def test_who_looks_at_a_thing_and_cries_cries_about_it(pronoun):
    read = crying("she" if pronoun else "Mara", pronoun=pronoun)
    look, cry = atoms(told(read))
    assert roles(cry)[1:] == [("target", "the cup")]
    assert cry.participants[1].entity.joins == f"{look.id}#1"
    assert kinds(cry) == [("emotional-connection", 0, 1, 0.324)]
    assert cry.implications[0].valence < 0


def test_somebody_else_cries_about_nothing_known():
    assert roles(atoms(told(crying("Tom")))[1]) == [("actor", "Tom")]


def test_who_looked_at_nothing_cries_about_nothing_known():
    assert roles(atoms(told(crying(targets=False)))[1]) == [("actor", "Mara")]


def test_a_condition_is_no_reason():
    assert roles(atoms(told(crying(joint=Joint.CONDITION)))[1]) == [("actor", "Mara")]


# ── how it hangs together ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("joint", "bond"),
    [(Joint.CAUSE, a.Bond.CAUSAL), (Joint.SEQUENCE, a.Bond.TEMPORAL),
     (Joint.CONDITION, a.Bond.CONDITIONAL)],
)  # fmt: skip
def test_clauses_that_belong_together_are_a_compound(joint, bond):
    unfolding = told(crying("Tom", joint=joint))
    (compound,) = compounds(unfolding)
    assert compound.bond is bond
    assert [m.atom for m in compound.members] == [x.id for x in atoms(unfolding)]


def test_what_did_not_happen_is_bound_to_nothing():
    read = Read("Mara looks. Tom did not cry.")
    first = read.clause("look", read.name("Mara"), end=11)
    second = read.clause("cry", read.name("Tom"), start=12, modality=Modality.NEGATED)
    read.link(Joint.CAUSE, first, second)
    assert compounds(told(read)) == []


# ── what is said ─────────────────────────────────────────────────────────────────────────────


def saying(words, *, whispered=False, to="Tom", speaker="Mara", about=None):
    text = f"“{words}” {speaker} says to {to}. It is late, and there is nothing more."
    read = Read(text)
    quoted = [read.noun(about, quotation=0)] if about else []
    mara, tom = read.name(speaker), read.name(to)
    read.quote(words, speaker=mara, addressee=tom, whispered=whispered)
    read.clause("say", mara, start=len(words) + 2, end=len(words) + 20)
    assert quoted == list(range(len(quoted)))
    return read


def speech(unfolding):
    return [done for done in atoms(unfolding) if isinstance(done.what, a.SpeechUttered)]


def test_words_are_an_atom_heard_by_everyone():
    done = one(told(saying("Good night.")))
    assert done.what == a.SpeechUttered("Good night.")
    assert roles(done) == [("actor", "Mara"), ("target", "Tom")]
    assert witnesses(done) == {"ann"}
    assert kinds(done) == [("information", 0, 1, 0.45)]


def test_what_is_spoken_of_is_a_claim():
    unfolding = told(saying("There is a horse.", about="a horse"))
    done = one(unfolding)
    assert roles(done)[2:] == [("subject", "a horse")]
    assert kinds(done) == [("information", 0, 1, 0.45)]  # nothing about the horse
    horse = unfolding.world.register[Key(f"{done.id}#2")]
    assert (horse.total, horse.told) == (0.0, False)


def test_what_is_known_gets_attention_when_it_is_spoken_of():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED)
    done = one(told(saying("Where is the cup?", about="the cup"), world))
    assert kinds(done)[1:] == [("attention", 0, 2, 0.18)]


def test_the_players_own_words_said_back_are_said_once():
    typed = "I say: where is the old lamp?"
    assert speech(told(saying("Where is the old lamp?", speaker="Ann"), text=typed)) == []
    assert speech(told(saying("Where is the old lamp?"), text=typed)) == []  # whoever says it
    assert speech(told(saying("No.", speaker="Ann"), text="No!")) == []
    assert speech(told(saying("No.", speaker="Ann"), text="Tell Mara no.")) != []  # it says so here
    assert speech(told(saying("No.", speaker="Ann"), text="I know.")) != []


@pytest.mark.parametrize("text", ["I know.", "I ask about the lamp", "say no to her"])
def test_a_short_answer_is_no_echo(text):
    assert one(told(saying("The lamp?"), text=text)).what == a.SpeechUttered("The lamp?")
    assert one(told(saying("No."), text=text)).what == a.SpeechUttered("No.")


def test_words_of_nobody_known_are_still_said():
    read = Read("“Who is there?”")
    read.quote("Who is there?")
    done = one(told(read))
    assert done.what == a.SpeechUttered("Who is there?")
    assert done.implications == ()
    assert witnesses(done) == {"ann", "mara", "tom"}


def test_nothing_said_is_nothing():
    assert speech(told(saying("…"))) == []


# ── whose hands ──────────────────────────────────────────────────────────────────────────────

CUP = EntityId("thing-0-1-0")


def with_cup(holder=None):
    """A tracked cup, in somebody's hands or nobody's."""
    world = with_thing(opened(), "t0.1#0", id=CUP, tier=Tier.TRACKED)
    if holder is None:
        return world
    moved = atom(("subject", person(CUP)), what=a.Moved(EntityId(holder)), source=a.Source.RULE)
    return evolve(world, moved)


def handled(verb, *, holder=None, into_own=False):
    read = Read("Mara hands the cup to Tom.")
    mara, cup, tom = read.name("Mara"), read.noun("the cup"), read.name("Tom")
    given = {"targets": (cup,), "locations": (mara,) if into_own else ()}
    if verb == "give":
        given = {"targets": (tom,), "subjects": (cup,)}
    read.clause(verb, mara, **given)
    return told(read, with_cup(holder))


def test_taking_puts_a_thing_into_hands():
    unfolding = handled("take")
    assert unfolding.world.holders[CUP] == "mara"
    assert one(unfolding, source=a.Source.RULE).what == a.Moved(EntityId("mara"))


def test_giving_puts_it_into_the_others_hands():
    assert handled("give", holder="mara").world.holders[CUP] == "tom"


def test_looking_puts_it_nowhere():
    assert CUP not in handled("look").world.holders


def test_putting_takes_it_out_of_ones_own_hands():
    world = handled("put", holder="mara").world
    assert CUP not in world.holders
    assert world.places[CUP] == "parlour"
    assert handled("put", holder="tom").world.holders[CUP] == "tom"


def test_into_ones_own_pocket_is_still_ones_own():
    assert handled("put", holder="mara", into_own=True).world.holders[CUP] == "mara"


def test_nor_is_what_goes_into_a_bag_of_ones_own_out_of_hands():
    for whose, holder in (("Mara", "mara"), ("Tom", None)):
        read = Read(f"Mara puts the cup into {whose}'s bag.")
        mara, cup = read.name("Mara"), read.noun("the cup")
        owner = read.name(whose)
        bag = read.noun(f"{whose}'s bag", possessor=owner, descriptors=())
        read.clause("put", mara, targets=(cup,), locations=(bag,))
        assert told(read, with_cup("mara")).world.holders.get(CUP) == holder


def test_where_a_thing_is_put_does_not_say_which_one_it_is():
    world = with_thing(opened(), "t0.1#0", place="on the table")
    for verb, joins in (("put", "t0.1#0"), ("look", None)):
        read = Read("Mara puts the cup on the shelf.")
        mara, cup = read.name("Mara"), read.noun("the cup", place="on the shelf")
        read.clause(verb, mara, targets=(cup,))
        ref = one(told(read, world)).participants[1].entity
        assert (ref.joins, ref.place) == (joins, "on the shelf")


# ── bounds ───────────────────────────────────────────────────────────────────────────────────


def test_a_rendering_has_so_many_atoms_and_no_more():
    read = Read("Mara nods. " * (MAX_STEPS + 50))
    for i in range(MAX_STEPS + 50):
        read.clause("nod", read.name("Mara"), start=i * 11, end=i * 11 + 10)
    assert len(told(read).atoms) == MAX_STEPS  # with the pieces themselves


def test_nothing_told_is_nothing():
    assert told(Read("")).atoms == []
