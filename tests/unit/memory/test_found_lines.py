"""Results as lines; questions of a time in which nothing is known to have been said; weights."""

import pytest

from storykeeper import Memory
from storykeeper.memory.held import Held
from storykeeper.memory.items import Item
from storykeeper.memory.search import NOTHING_THEN, Asked, project, search


@pytest.fixture
def memory(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        yield memory


def test_who_said_it_is_lost_only_where_the_words_say_it(memory):
    memory.add("Marketing is broken again.", speaker="Mark")
    memory.add("Mark: the printer is broken.", speaker="Mark")
    memory.add("Mark says he is broken.", speaker="Mark")
    lines = memory.search("broken", budget=200).text.splitlines()
    assert lines == [
        "Mark: Marketing is broken again.", "Mark: the printer is broken.",
        "Mark: Mark says he is broken.",
    ]  # fmt: skip


def test_what_nobody_dated_stands_under_no_day(memory):
    memory.add("The lamp of old.", at="1890-05-06")
    memory.add("The lamp, some time.")
    memory.add("The lamp of now.", at="2024-05-06")
    assert memory.search("lamp", budget=200).text.splitlines() == [
        "- The lamp, some time.", "[1890-05-06]", "- The lamp of old.", "[2024-05-06]",
        "- The lamp of now.",
    ]  # fmt: skip


def test_a_time_in_which_nothing_is_known_to_be_said_is_no_answer(memory):
    for number in range(30):
        memory.add(f"The cat sat on mat {number}.")
    found = memory.search("What did we talk about on Monday?", now="2024-05-09", k=3)
    assert len(found) <= 3
    assert NOTHING_THEN in found.notes
    assert all(hit.score < 1 for hit in found)


def test_how_many_is_kept_to_in_questions_of_time_too(memory):
    for number in range(30):
        memory.add(f"The cat sat on mat {number}.", at="2024-05-06T10:00")
    asked = "What was said on Monday?"
    assert len(memory.search(asked, now="2024-05-09", k=3)) == 3
    assert len(memory.search(asked, now="2024-05-09", k=100)) == 30


def held():
    made = Held()
    made.add([Item(f"turn:{n}", "The brass key turned.", 0, turn=n, session="s") for n in range(4)])
    return made


def test_narrative_weight_counts_where_a_prompt_is_made():
    asked = Asked(turn=9)
    light, heavy = held(), held()
    light.weigh({"s": 0.3}, thematic=())
    heavy.weigh({"s": 0.3}, thematic={2})

    def scores(store, ask):
        return {h.item.turn: h.score for h in ask(store)}

    def prompt(store):
        return project(store, "brass key", asked).hits

    def plain(store):
        return search(store, "brass key", asked).hits

    assert scores(heavy, prompt)[2] > scores(light, prompt)[2]
    assert scores(heavy, prompt)[1] == scores(light, prompt)[1]
    assert scores(heavy, plain) == scores(light, plain)
    assert [h.item.order for h in project(light, "brass key", asked)] != [1] * 4


@pytest.mark.parametrize("most", [1, 3, 5, 40])
@pytest.mark.parametrize(
    "query", ["brass key", "When did the brass key turn?", "zebra", "in 3 turns"]
)
def test_the_first_few_of_a_prompt_are_the_first_of_all(most, query):
    store, asked = Held(), Asked(turn=99)
    words = ("brass key", "brass lamp", "door key", "old door")
    store.add(
        Item(
            f"turn:{n}", f"The {words[n % 4]} turned, {n} times.", 0, turn=n, session="s",
            entities=(f"thing-{n % 3}",),
        )
        for n in range(60)
    )  # fmt: skip
    assert project(store, query, asked, most=most).hits == project(store, query, asked).hits[:most]
