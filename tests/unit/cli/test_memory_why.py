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


def test_a_query_that_names_nobody_is_said_to():
    item, final = Item("m1", "Words", 1), Final(0.5, 0.4, 0.0, 0.3)
    weight = shipped().of["speaker"]
    for part, words in ((weight, "whom the query names"), (weight / 2, "names no one speaker")):
        *_, last = explained(Hit(item, final.score, final, {"speaker": part}))
        assert words in last
