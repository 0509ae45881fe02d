"""What a piece without quotation marks is, and whether others may perceive it."""

import json
from io import BytesIO
from time import process_time

import pytest

from storykeeper.bench.perception_fit.kinds import fit
from storykeeper.language.piece_kinds import KINDS, PRIVATE_FROM, KindReader

AROUND = {"before": "“Sit down,” says Mara.", "after": "“Well?” she says."}


@pytest.mark.parametrize(
    "text",
    [
        "You wonder whether she knows, and what you would say if she did.",
        "You have never trusted him, and you are not sure that you should begin now.",
    ],
)
def test_a_thought_of_the_player_is_private(text):
    reader = KindReader()
    assert reader.private(text, **AROUND, person=2, names_someone=False) > 0.5
    assert reader.kind(text, **AROUND, person=2, names_someone=False)[0] == "thought"


@pytest.mark.parametrize(
    "text", ["Tom picks up the lamp and goes out.", "Tom shuts the door and sits down by the fire."]
)
def test_a_deed_is_outward(text):
    reader = KindReader()
    assert reader.private(text, **AROUND, person=2, names_someone=True) < PRIVATE_FROM
    assert reader.kind(text, **AROUND, person=2, names_someone=True)[0] == "action"


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_nothing_is_not_private(text):
    reader = KindReader()
    assert reader.private(text, before="", after="", person=3, names_someone=False) == 0.0
    assert reader.kind(text, before="", after="", person=3, names_someone=False)[1] == 0.0


@pytest.mark.parametrize("text", ["a", "*", "'", "a'", "\ud800", "’a", "“", "\n", "İ"])
def test_long_text_without_spaces_is_read_at_once(text):
    reader = KindReader()
    long = text * 64_000
    reader.private("a", before="", after="", person=3, names_someone=False)
    start = process_time()
    chance = reader.private(long, before=long, after=long, person=3, names_someone=False)
    assert 0.0 <= chance <= 1.0
    assert process_time() - start < 0.5


def test_the_same_file_gives_the_same_weights(tmp_path):
    told = [("Tom sits.", "action"), ("It is a bare room.", "description"),
            ("You wonder why. You would ask.", "thought"), ("So it goes.", "aside"),
            ("“Well?” says Tom.", "speech")]  # fmt: skip
    passage = {
        "style": "second person, present",
        "cast": [{"id": "tom", "names": ["Tom"]}],
        "segments": [{"text": f"{text} ", "kind": kind} for text, kind in told],
    }
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(passage) + "\n", "utf-8")
    weights = fit([path])
    assert weights == fit([path])
    reader = KindReader(BytesIO(weights))
    beside = {"before": "", "after": "", "person": 2}
    read = [reader.kind(t, **beside, names_someone="Tom" in t)[0] for t, k in told if k in KINDS]
    assert read == list(KINDS)
