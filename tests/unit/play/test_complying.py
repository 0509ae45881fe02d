"""Who leaves by doing as they are asked; and who does something else."""

import pytest

from strategies.parlour import engine, tell

GONE = [
    ("I wait", "“Leave us, Tom,” says Mara. He does."),
    ("I wait", "“Leave us, Tom,” says Mara. Tom obeys."),
    ("I wait", "“Please go,” says Mara to Tom. Tom complies without a word."),
    ("I wait", "“Get out!” says Mara. Tom does as he is told."),
    ("I wait", "“Tom, would you give us a moment?” asks Mara. Tom does so."),
    ("I ask Tom to leave us alone", "He does."),
    ("I ask Tom to leave us alone", "Tom obeys."),
    ("I tell Tom to step outside", "Tom does."),
]
HERE = [
    ("I wait", "“Leave the lamp, Tom,” says Mara. Tom does."),
    ("I wait", "“Don't leave us, Tom,” says Mara. Tom obeys."),
    ("I wait", "“Leave us, Tom,” says Mara. Tom does not."),
    ("I wait", "“Leave us, Tom,” says Mara. Tom does nothing."),
    ("I wait", "“Sit down, Tom,” says Mara. He does."),
    ("I ask Tom to sit down", "He does."),
    ("I ask Tom to go on", "He does."),
    ("I wait", "“Leave us,” says Mara. “Sit down,” says Ann. Tom does."),
]


def is_here(line, prose):
    """Whether Tom is still with Ann."""
    keeper = engine()
    tell(keeper, "Rain falls. Tom looks up.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    return "tom" not in keeper.world().away


@pytest.mark.parametrize(("line", "prose"), GONE)
def test_who_does_as_asked_is_gone(line, prose):
    assert not is_here(line, prose)


@pytest.mark.parametrize(("line", "prose"), HERE)
def test_who_does_something_else_is_here(line, prose):
    assert is_here(line, prose)
