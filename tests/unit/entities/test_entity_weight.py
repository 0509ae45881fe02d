"""What an act implies, and how much that weighs."""

import pytest

from storykeeper.entities.weight import BASE, implied, weight
from storykeeper.events.atoms import ImplicationKind as Kind
from storykeeper.language.lexicon import VerbClass
from strategies.tables import table


@table(
    "kind, base",
    [
        (Kind.ATTENTION, 0.2), (Kind.POSSESSION, 0.5), (Kind.PROXIMITY, 0.2),
        (Kind.INFORMATION, 0.5), (Kind.EMOTIONAL_CONNECTION, 0.6), (Kind.TRUST, 0.7),
        (Kind.CONFLICT, 0.6), (Kind.CARE, 0.6), (Kind.OBLIGATION, 0.5),
        (Kind.RELATIONAL_SHIFT, 1.0),
    ],
)  # fmt: skip
def test_base_weights_are_those_of_the_maths(kind, base):
    assert weight(kind, confidence=1.0) == base
    assert weight(kind, confidence=0.5) == base / 2


def test_every_kind_has_a_weight():
    assert set(BASE) == set(Kind)


@pytest.mark.parametrize(
    ("verb", "thing", "person"),
    [
        (VerbClass.PERCEIVE, (Kind.ATTENTION,), (Kind.ATTENTION,)),
        (VerbClass.TAKE, (Kind.ATTENTION, Kind.POSSESSION, Kind.PROXIMITY),
         (Kind.ATTENTION, Kind.PROXIMITY)),  # nobody owns people
        (VerbClass.GIVE, (Kind.ATTENTION, Kind.POSSESSION), (Kind.ATTENTION, Kind.CARE)),
        (VerbClass.SAY, (Kind.ATTENTION,), (Kind.INFORMATION,)),
        (VerbClass.FEEL, (Kind.EMOTIONAL_CONNECTION,), (Kind.EMOTIONAL_CONNECTION,)),
        (VerbClass.TRUST, (), (Kind.TRUST,)),
        (VerbClass.OWE, (), (Kind.OBLIGATION,)),
        (VerbClass.BE, (), ()),
    ],
)  # fmt: skip
def test_what_a_verb_implies(verb, thing, person):
    assert implied([verb], person=False) == thing
    assert implied([verb], person=True) == person


def test_each_kind_once():
    both = implied([VerbClass.TAKE, VerbClass.HANDLE], person=False)
    assert sorted(both) == sorted(set(both)) == ["attention", "possession", "proximity"]


def test_the_order_does_not_depend_on_the_order_of_classes():
    classes = frozenset(VerbClass)
    assert implied(classes, person=True) == implied(sorted(classes, reverse=True), person=True)


def test_two_looks_do_not_track_and_taking_does():
    look = weight(Kind.ATTENTION, confidence=0.9)
    taking = sum(weight(k, confidence=0.9) for k in implied([VerbClass.TAKE], person=False))
    assert 2 * look < 0.5 <= taking
