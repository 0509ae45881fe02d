"""Laws of the turn: what was swiped, refused, replaced or interrupted leaves nothing behind."""

import hypothesis.strategies as st
from hypothesis import given, settings
from msgspec import structs

from storykeeper.engine import Engine
from storykeeper.events.turns import TurnCommitted
from storykeeper.world.fold import bundle, straightened
from storykeeper.world.snapshot import dump
from strategies.runs import go, hashes, records, tell, unkept
from strategies.worlds import READER, example

HOUSE = [
    "I wait.", "I ring the bell.", "I ask Bob about the key.", "I take the key.",
    "I give Bob the key.", "I listen.", "I wake.", "I go to the attic.", "I go to the hall.",
    "I go to the cellar.", "“Who is there?” I ask.", "Nobody answers.",
]  # fmt: skip
HARROW = [
    "I go on to Harrow.", "I follow Tobit.", "I ask Mara about the brass key.", "I wait.",
    "I look in the oat crock.", "I go to the landing.", "I ask Tobit about the Perpetua.",
    "I listen to Pell.", "I go to the kitchen.", "I tell Mara about the lens.",
]  # fmt: skip
PROSE = st.sampled_from([
    "Nothing.", "“So,” says Bob.", "Bob and Eve laugh.", "",
    "A chipped cup stands on the table. Bob takes it and cries.",
])  # fmt: skip
DETOURS = st.sampled_from(["swipe", "reject", "replace", "reopen", "look", "scene"])

# Lines, and before each of them the detours taken.
lines_of = {
    None: st.lists(st.tuples(st.sampled_from(HOUSE), st.lists(DETOURS, max_size=3)), max_size=8),
    "harrow": st.lists(
        st.tuples(st.sampled_from(HARROW), st.lists(DETOURS, max_size=2)), max_size=6
    ),
}


def reopened(keeper: Engine) -> Engine:
    return type(keeper)(keeper.ledger, keeper.run, reader=READER)


def played(keeper: Engine, lines: list, *, detours: bool, data=None) -> Engine:
    go(keeper)
    for line, on_the_way in lines:
        turn = keeper.begin(line)
        for detour in on_the_way if detours else ():
            keeper = DETOUR[detour](keeper, line, data)
            turn = keeper.turn()
        tell(keeper, turn)
    keeper.end_scene()
    return keeper


def swipe(keeper: Engine, _line: str, data) -> Engine:
    keeper.render(keeper.last_turn(), data.draw(PROSE))
    return keeper


def reject(keeper: Engine, line: str, data) -> Engine:
    if data.draw(st.booleans()):
        swipe(keeper, line, data)
    keeper.reject()
    assert not keeper.begin(line).replaced
    return keeper


def replace(keeper: Engine, line: str, data) -> Engine:
    if not keeper.world().pending.take:
        assert keeper.begin(data.draw(st.sampled_from(HOUSE))).replaced
        assert keeper.begin(line).replaced
    return keeper


def reopen(keeper: Engine, _line: str, _data) -> Engine:
    window = keeper.turn().window.text
    keeper = reopened(keeper)
    assert keeper.turn().window.text == window
    return keeper


def look(keeper: Engine, _line: str, data) -> Engine:
    version, before = keeper.ledger.head(keeper.run).version, dump(keeper.world())
    keeper.window(text=data.draw(st.sampled_from(HOUSE)))
    keeper.window(data.draw(st.sampled_from(sorted(keeper.world().plan.cast))))
    assert (keeper.ledger.head(keeper.run).version, dump(keeper.world())) == (version, before)
    return keeper


def scene(keeper: Engine, _line: str, _data) -> Engine:
    if not keeper.world().pending.take:
        keeper.end_scene()
    return keeper


DETOUR = {"swipe": swipe, "reject": reject, "replace": replace, "reopen": reopen, "look": look,
          "scene": scene}  # fmt: skip


def check_detours(story, lines, data) -> None:
    straight = played(unkept(story), lines, detours=False)
    winding = played(unkept(story), lines, detours=True, data=data)
    assert dump(winding.world()) == dump(straight.world())
    assert winding.history() == straight.history()
    assert dict(hashes(records(winding))) == dict(hashes(records(straight)))
    assert committed(winding) == committed(straight)
    winding.replay()


def committed(keeper: Engine) -> list:
    """What became fact, turn by turn, but for the number of the take."""
    made = list(straightened(records(keeper)))
    bundles = [bundle(made, i) for i, r in enumerate(made) if isinstance(r, TurnCommitted)]
    return [(r.turn, [structs.replace(r, take=0), *rest]) for r, *rest in bundles]


@given(lines_of[None], st.data())
def test_detours_leave_the_same_world(lines, data):
    check_detours(None, lines, data)


@settings(max_examples=settings().max_examples // 4)
@given(lines_of["harrow"], st.data())
def test_detours_leave_the_same_world_at_harrow(lines, data):
    check_detours(example(), lines, data)


@given(lines_of[None], st.data())
def test_corrections_are_derived_the_same_again(lines, data):
    keeper = played(unkept(), lines, detours=False)
    for _ in range(data.draw(st.integers(1, 3))):
        facts = [h.turn for h in keeper.history()]
        if not facts:
            return
        of = data.draw(st.sampled_from(facts))
        before = dict(committed(keeper))
        if data.draw(st.booleans()):
            correction = keeper.edit(of, data.draw(PROSE))
        else:
            correction = keeper.retract(of)
        after = dict(committed(keeper))
        assert set(correction.changed) == {t for t in after if t > of and after[t] != before[t]}
        assert all(after[turn] == before[turn] for turn in after if turn < of)
        assert dump(reopened(keeper).world()) == dump(keeper.world())
        go(keeper, data.draw(st.sampled_from(HOUSE)))
        keeper.replay()


@given(lines_of[None])
def test_an_edit_that_changes_nothing_changes_nothing(lines):
    keeper = played(unkept(), lines, detours=False)
    before, world = committed(keeper), dump(keeper.world())
    for turn in keeper.history():
        assert keeper.edit(turn.turn, turn.prose).changed == ()
    assert (committed(keeper), dump(keeper.world())) == (before, world)
    keeper.replay()


@given(lines_of[None], st.data())
def test_a_fork_has_what_its_parent_had(lines, data):
    keeper = played(unkept(), lines, detours=False)
    at = data.draw(st.integers(0, keeper.last_turn()))
    there = keeper.fork(at=at, name="other")
    fork = Engine(keeper.ledger, there.run, reader=READER)
    fork.end_scene()
    assert committed(fork) == committed(keeper)[: at + 1]
    assert fork.world().known == keeper.world(at=at).known
    go(fork, "I wait.")
    fork.replay()
    keeper.replay()
