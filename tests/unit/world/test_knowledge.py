"""Who knows what: closed by default, growing only, corrected on record."""

from storykeeper.world.knowledge import knows, learn, shared, unlearn
from storykeeper.world.state import EMPTY, Known


def known(**facts):
    return EMPTY.set("ann", EMPTY.update(facts))


SUSPECTED = Known("heard", 1, suspected=True)
KNOWN = Known("saw", 2)


def taught(before, *, suspected=False, to=("ann",)):
    return learn(before, "x", to=to, how="read", turn=5, suspected=suspected)


def test_nobody_knows_what_nobody_told_them():
    assert not knows(EMPTY, "ann", "x")
    assert not knows(EMPTY, "ann", "x", suspects=True)


def test_suspecting_is_less_than_knowing():
    assert not knows(known(x=SUSPECTED), "ann", "x")
    assert knows(known(x=SUSPECTED), "ann", "x", suspects=True)
    assert knows(known(x=KNOWN), "ann", "x")
    assert knows(known(x=KNOWN), "ann", "x", suspects=True)


def test_learning():
    assert taught(EMPTY)["ann"]["x"] == Known("read", 5)
    assert taught(EMPTY, suspected=True)["ann"]["x"] == Known("read", 5, suspected=True)


def test_suspicion_becomes_knowledge_and_not_the_other_way():
    assert taught(known(x=SUSPECTED))["ann"]["x"] == Known("read", 5)
    assert taught(known(x=SUSPECTED), suspected=True)["ann"]["x"] == SUSPECTED
    assert taught(known(x=KNOWN), suspected=True)["ann"]["x"] == KNOWN


def test_what_was_learned_first_is_how_it_was_learned():
    assert taught(known(x=KNOWN))["ann"]["x"] == KNOWN


def test_learning_teaches_only_those_named():
    after = taught(known(y=KNOWN), to=("bob",))
    assert after["ann"] == known(y=KNOWN)["ann"]
    assert set(after["bob"]) == {"x"}


def test_unlearning():
    both = known(x=KNOWN, y=KNOWN)
    assert set(unlearn(both, "x", by=("ann", "bob"))["ann"]) == {"y"}
    assert unlearn(both, "z", by=("ann",)) == both
    assert unlearn(both, "x", by=()) == both


def test_sharing_takes_the_better_of_two():
    one = known(x=SUSPECTED, y=KNOWN).set("fox", EMPTY.update({"x": KNOWN, "y": SUSPECTED}))
    after = shared(one, inner="fox", outer="ann")
    assert dict(after["ann"]) == {"x": KNOWN, "y": KNOWN}
    assert after["fox"] == one["fox"]
    assert shared(EMPTY, inner="fox", outer="ann") == EMPTY
