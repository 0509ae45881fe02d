"""The measuring of who perceived what, on a talk and a story laid out as the sets are."""

import csv

import pytest

from storykeeper.bench.registry import BENCHES, Setup
from storykeeper.bench.witness.data import NoWitnesses, Story, stories, talks
from storykeeper.bench.witness.evaluation import fantom, first_to_last, measure, tomi

SAID = (
    ("Ana: Hi Bo, have you seen the map?", "Ana Bo"),
    ("Bo: It is on the table, Ana.", "Ana Bo"),
    ("Cyrus: Sorry I'm late!", "Ana Bo Cyrus"),
    ("Ana: I have to run: the ferry is in.", "Ana Bo Cyrus"),
    ("Bo: Safe trip, Ana.", "Ana Bo Cyrus"),
    ("Cyrus: So, Bo, where is it?", "Bo Cyrus"),
    ("Bo and Cyrus: Nowhere.", "Bo Cyrus"),
    ("Ana: I'm back.", "Ana Bo Cyrus"),
)
STORY = (
    ("Mason entered the kitchen", "Mason"),
    ("Emily entered the kitchen", "Mason Emily"),
    ("The apple is in the basket", "Mason Emily"),
    ("The basket is in the kitchen", "Mason Emily"),
    ("Emily likes the apple", "Emily"),
    ("Mason exited the kitchen", "Mason Emily"),
    ("Emily moved the apple to the box", "Emily"),
    ("The box is in the kitchen", "Emily"),
    ("Mason is in the hall", "Mason"),
)


def written(folder, name, rows):
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def row(part, line, who):
    return {"part": part, "utterance": line, "perceivers": str(who.split())}


@pytest.fixture
def data(tmp_path):
    written(tmp_path / "percept", "percept-fantom.csv", [row("1-0", *said) for said in SAID])
    sentences = [sentence for sentence, _ in STORY]
    who = [names.split() for _, names in STORY]
    told = {"index": "7", "story": str(sentences), "perceivers": str(who)}
    written(tmp_path / "percept", "percept-tomi.csv", [told])
    return tmp_path


def setup(data, say=lambda line: None, *, quick=False):
    return Setup(say=say, data=data, quick=quick)


def test_talks_are_read(data):
    (talk,) = talks(data)
    assert talk.part == "1-0"
    assert talk.cast == ("Ana", "Bo", "Cyrus")
    assert talk.utterances[3].speaker == "Ana"
    assert talk.utterances[3].text == "I have to run: the ferry is in."
    assert talk.gold[5] == {"Bo", "Cyrus"}


def test_everything_is_measured(data):
    lines = []
    figures = measure(setup(data, lines.append))
    ours = figures["storykeeper"]
    assert (ours["fantom"]["causal"], ours["fantom"]["hindsight"]) == (100, 100)
    assert ours["fantom"]["utterances"] == 8
    assert ours["tomi"] == {"exact": 100, "scenes": 9}
    assert figures["everyone"]["fantom"] == {"causal": 50}
    assert figures["everyone"]["tomi"]["exact"] == pytest.approx(44.44)
    assert figures["first_to_last"]["fantom"] == {"hindsight": 50}
    assert len(lines) == 3
    assert BENCHES["witness"].module == "storykeeper.bench.witness.evaluation"


def test_misses_are_listed(data):
    (talk,) = talks(data)
    lines = []
    assert fantom([talk], lambda _: [("Ana", "Bo")] * 8, say=lines.append) == 25
    assert lines[0] == "  missed: 1-0, line 2: Cyrus missing"
    assert "line 5: Ana too many, Cyrus missing" in lines[3]
    assert len(lines) == 6
    lines.clear()
    wrong = Story("9", ("Mason entered the kitchen",), (frozenset({"Emily"}),))
    assert tomi([wrong], say=lines.append) == {"exact": 0, "scenes": 1}
    assert lines == ["  missed: 9, “Mason entered the kitchen”: Mason too many, Emily missing"]


def test_first_to_last_counts_joint_speakers(data):
    (talk,) = talks(data)
    found = first_to_last(talk)
    assert found[0] == ("Ana",)
    assert found[6] == ("Ana", "Bo", "Cyrus")
    assert found[7] == ("Ana",)


def test_without_data_it_says_so(data, tmp_path):
    with pytest.raises(NoWitnesses, match="STORYKEEPER_DATA"):
        measure(setup(None))
    with pytest.raises(NoWitnesses, match=r"percept-fantom\.csv"):
        measure(setup(tmp_path / "elsewhere"))
    (data / "percept" / "percept-tomi.csv").unlink()
    lines = []
    assert "tomi" not in measure(setup(data, lines.append, quick=True))["storykeeper"]
    assert "tomi is left out" in lines[-1]
    with pytest.raises(NoWitnesses):
        stories(data)
