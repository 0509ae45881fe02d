"""A score in words is the score that was computed."""

from storykeeper.cli.memory_why import explained
from storykeeper.memory.found import Hit
from storykeeper.memory.items import Item
from storykeeper.memory.signals.learned import shipped
from storykeeper.scoring.two_pass import Final


def test_why_of_a_second_pass_and_of_a_link():
    item = Item("m1", "Words", 1)
    final = Final(0.5, 0.4, 0.0, 0.3)
    (line,) = explained(Hit(item, final.score, final))
    assert line.startswith(f"score {final.score:.3f} = authority 0.500 × likeness 0.400")
    (line,) = explained(Hit(item, 0.9, final))
    assert f"from {final.score:.3f} =" in line
    (line,) = explained(Hit(item, 0.1, None, parent="m7"))
    assert "by m7" in line


def test_signals_are_said_in_words_the_largest_first():
    item, final = Item("m1", "Words", 1), Final(0.5, 0.4, 0.0, 0.3)
    signals = {"speaker": 0.4, "shown_beside": -0.75}
    _, head, start, *rest = explained(Hit(item, final.score, final, signals))
    assert head == "likeness 0.400 = σ of the sum of"
    assert start.split()[0] == f"{shipped().bias:+.2f}"
    assert rest[0].strip() == "-0.75  it stands beside what is before it here"
    assert "whom the query names" in rest[1]
