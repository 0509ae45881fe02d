"""A turn that is longer than a window can carry does not end the story."""

import pytest

from strategies.parlour import engine, tell

LONG = "The sea is grey and wide. " * 600
NOTE = "What was told is longer than a window can carry"


@pytest.mark.parametrize(
    ("typed", "prose"),
    [("I look at the sea.", LONG), ("I walk " + "very " * 5_000, "You walk."), (LONG, LONG)],
    ids=["told", "typed", "both"],
)
def test_it_stands_in_the_next_windows_with_a_marked_cut(typed, prose):
    keeper = engine()
    tell(keeper, prose, typed)
    for line in ("I wait.", "I look at Mara.", "I wait again."):
        turn = keeper.begin(line)
        window = turn.window
        assert window.tokens <= window.receipt.spent.budget
        if line == "I wait.":
            assert "[… cut: " in window.text
            assert any(note.startswith(NOTE) for note in window.receipt.notes)
        keeper.render(turn, "Rain falls.")
    assert keeper.history()[0].prose == prose  # all of it is kept
    keeper.replay()


def test_a_larger_budget_restores_it():
    keeper = engine()
    tell(keeper, LONG, "I look at the sea.")
    window = keeper.window(text="I wait.", tokens=100_000)
    assert LONG.strip() in window.text
    assert not any(note.startswith(NOTE) for note in window.receipt.notes)


def test_what_somebody_perceived_of_it_has_a_cut_too():
    keeper = engine()
    words = "the sea is grey and wide and " * 300
    tell(keeper, f"“{words},” says Mara.", "I listen.")
    keeper.end_scene()
    window = keeper.window("tom", text="")
    assert window.tokens <= window.receipt.spent.budget
