"""The same lines give the same windows from a database as from a file, to the byte."""

from pathlib import Path

import pytest

from storykeeper import Memory, Storykeeper
from storykeeper.ledger.moving import move
from storykeeper.ledger.places import place_of
from strategies.postgres import new_place

STORY = Path(__file__).parents[2] / "examples" / "the-lamp-at-harrow"
PROSE = "“I never saw it,” says Mara, and goes out for coal. Pell sets the lamp on the table."
LINES = ("I ask Mara where the brass key went", "I take the lamp", "I ask Pell about Abel",
         "I go to the stairs", "I wait")  # fmt: skip


@pytest.fixture
def address():
    at = new_place("runs/harrow")
    return f"{at.conninfo}#{at.tenant}/{at.run}"


def played(address: str, lines=LINES, **options) -> list[str]:
    """Every window that is to be had while some lines are played, then by opening it again."""
    seen = []
    with Storykeeper.open(address, story=STORY, **options) as keeper:
        for line in lines:
            turn = keeper.begin(line)
            seen += [turn.window.text, turn.window.digest]
            keeper.render(turn, PROSE)
            seen.append(keeper.brief("mara", "a knock at the door").text)
        keeper.fork(at=2, name="what-if")
    for each in (address, f"{address}@what-if"):
        with Storykeeper.open(each, **options) as keeper:
            seen.append(keeper.window(text="I look round").text)
            seen.append(keeper.window("pell", text="I look round").text)
            seen += [str((hit.item.id, hit.score)) for hit in keeper.recall("the lamp", k=5)]
            assert keeper.replay().windows > 0
    return seen


def test_windows_are_those_of_a_file(address, tmp_path):
    path = str(tmp_path / "run.db")
    assert played(address) == played(path)


def test_a_run_goes_on_the_same_where_it_was_moved_to(address, tmp_path):
    path = str(tmp_path / "run.db")
    played(path, LINES[:2])
    move(place_of(path), place_of(address))
    said = []
    for each in (path, address):
        with Storykeeper.open(each) as keeper:
            turn = keeper.begin(LINES[2])
            said.append((turn.number, turn.window.text, turn.window.digest))
    assert said[0] == said[1]


def test_what_is_cached_on_a_machine_is_used_only_for_what_it_was_made_of(
    address, tmp_path, monkeypatch
):
    """It changes nothing that is found, and what is erased goes with its words."""
    monkeypatch.setenv("STORYKEEPER_CACHE", str(tmp_path / "here"))
    lines = [f"The {word} is in the cellar" for word in ("herring", "lantern", "violin")]
    with Memory.open(address, embedder="none") as memory:
        for line in lines:
            memory.add(line)
    kept = list((tmp_path / "here").rglob("*"))
    assert any(each.is_file() for each in kept)
    monkeypatch.setenv("STORYKEEPER_CACHE", str(tmp_path / "elsewhere"))
    with Memory.open(address) as memory:
        memory.add("The trumpet is in the cellar")
        memory.forget(memory.search("violin")[0].item.id)
    monkeypatch.setenv("STORYKEEPER_CACHE", str(tmp_path / "here"))
    with Memory.open(address) as memory:
        found = {hit.item.text for hit in memory.search("what is in the cellar")}
    assert found == {*lines[:2], "The trumpet is in the cellar"}
    left = b"".join(each.read_bytes() for each in tmp_path.rglob("*") if each.is_file())
    assert b"violin" not in left


def test_a_memory_finds_the_same_with_the_same_scores(address, tmp_path):
    """By words and by vectors, which are kept with the rest and found again."""
    found = []
    for each in (str(tmp_path / "chat.db"), address):
        with Memory.open(each, embedder="fast") as memory:
            memory.add("I moved the meeting to Friday", speaker="Ana", audience={"ana", "ben"})
            memory.add("The boat leaves at noon", speaker="Ben", at="2024-05-07")
            memory.add("Ana likes herring", speaker="Ben", audience={"ben"})
        with Memory.open(each) as memory:
            hits = [hit for q in ("when is the meeting", "what does Ana eat", "boat")
                    for hit in memory.search(q, audience="ben", now="2024-05-09")]  # fmt: skip
            found.append([(h.item.id, h.item.text, h.score, h.signals) for h in hits])
            assert memory.store.ledger.vectors().count(memory.store.space) >= 3
    assert found[0] == found[1]
