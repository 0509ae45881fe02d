"""`bench perception`: when a brief has a piece, what is declared, and what is counted."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from storykeeper.bench.perception import evaluation
from storykeeper.bench.perception.data import NoPassages, Passage, load
from storykeeper.bench.perception.declaration import declaration
from storykeeper.bench.perception.evaluation import measure
from storykeeper.bench.perception.piece import Haystack, Names, pairs
from storykeeper.bench.perception.playback import Seen, play
from storykeeper.bench.perception.story import story, write
from storykeeper.bench.perception.tally import Whereabouts, phenomena
from storykeeper.bench.registry import BENCHES, Setup
from storykeeper.bootstrap import Storykeeper
from storykeeper.language.prose import ProseReader
from storykeeper.story.loader import load_story
from strategies.tables import table

CAST = [
    {"id": "ines", "names": ["Ines"], "pronouns": "she/her"},
    {"id": "tom", "names": ["Tom", "the smith"], "pronouns": "he/him"},
    {"id": "cora", "names": ["Cora"], "pronouns": "she/her"},
]
PLACES = [{"id": "forge", "names": ["the forge"]}, {"id": "yard", "names": ["the yard"]}]
START = {"ines": "forge", "tom": "forge", "cora": "yard"}
SOLD = '"He sold the grey horse," you say. '
OUT = "Tom wipes his hands and ducks out into the rain. "


def segment(text, perceivers, kind="speech"):
    return {"text": text, "perceivers": perceivers.split(), "kind": kind}


def raw(*segments, **fields):
    given = {
        "id": "zz-1", "style": "", "cast": CAST, "player": "ines", "pov": "ines",
        "places": PLACES, "start": START, "before": "", "line": "", "segments": list(segments),
        "events": [], "after": START, "note": "",
    }  # fmt: skip
    return given | fields


LEAVES = raw(
    segment(OUT, "ines tom", "action"),
    segment(SOLD, "ines"),
    events=[{"segment": 0, "kind": "departs", "who": ["tom"], "to": "yard"}],
    after={"ines": "forge", "tom": "yard", "cora": "yard"},
)
TALK = raw(
    segment('"The key is under the mat," says Tom. ', "ines tom"),
    segment("It is late. ", "", "aside"),
    segment("Your heart is in your mouth. ", "ines", "thought"),
    id="zz-2",
)
NOBODY = raw(
    segment('"Yes," said Tom. ', "tom cora"),
    id="zz-3",
    player=None,
    pov=None,
    start={"ines": "unknown", "tom": "yard", "cora": "yard"},
    after={"ines": "unknown", "tom": "away", "cora": "yard"},
)


def passage(given):
    return msgspec.convert(given, Passage)


@pytest.fixture
def data(tmp_path: Path):
    folder = tmp_path / "perception"
    folder.mkdir()
    lines = "\n".join(json.dumps(each) for each in (LEAVES, TALK, NOBODY))
    (folder / "zz.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def had(given, number, who, *brief):
    """Whether the brief of somebody has a piece; None where it cannot show it."""
    told = passage(given)
    names = Names(told)
    for pair in pairs(told, names):
        if (pair.piece.number, pair.who) == (number, who):
            return pair.had(Haystack.of(brief, names))
    return None


# ── the data, the story and the declaration ──────────────────────────────────────────────────


def test_passages_are_read_by_author(data: Path):
    found = load(data)
    assert [each.id for each in found["zz"]] == ["zz-1", "zz-2", "zz-3"]
    assert found["zz"][0].prose == OUT + SOLD
    with pytest.raises(NoPassages, match="STORYKEEPER_DATA"):
        load(None)
    with pytest.raises(NoPassages, match="--data"):
        load(data / "elsewhere")


def test_a_line_that_cannot_be_read_is_named(data: Path):
    (data / "perception" / "zz.jsonl").write_text('{}\n{"id": 3}', encoding="utf-8")
    with pytest.raises(NoPassages, match=r"zz\.jsonl, line 1"):
        load(data)


def test_where_nobody_plays_somebody_is_chosen():
    assert passage(TALK | {"player": "tom"}).played == "tom"
    assert passage(TALK | {"player": None, "pov": "cora"}).played == "cora"
    elsewhere = {"ines": "forge", "tom": "yard", "cora": "yard"}
    assert passage(NOBODY | {"start": elsewhere}).played == "tom"  # most are in the yard


def test_the_story_has_names_and_places_and_loads(tmp_path: Path):
    made = load_story(write(passage(LEAVES), tmp_path))
    assert made == story(passage(LEAVES))
    assert [(c.id, c.name, c.aliases, c.pronouns, c.at) for c in made.cast][1] == (
        "tom", "Tom", ("the smith",), "he/him", "forge",
    )  # fmt: skip
    assert [path.to for path in made.settings[0].paths] == ["yard"]
    assert made.scenes[0].setting == "forge"
    assert made.scenes[0].cast.required == ("ines", "tom")
    assert made.players == ("ines",)


def test_a_place_that_is_called_like_somebody_gets_another_id(tmp_path: Path):
    at_tom = raw(
        segment("x", "tom"),
        cast=[*CAST, {"id": "ada", "names": ["the smith", "Ada"], "pronouns": "she/her"}],
        places=[{"id": "tom", "names": ["Tom's"]}],
        start={"ines": "tom", "tom": "tom", "cora": "away", "ada": "unknown"},
        after={"ines": "tom", "tom": "tom", "cora": "tom", "ada": "unknown"},
        events=[{"segment": 0, "kind": "arrives", "who": ["cora"], "to": "tom"}],
    )
    made = load_story(write(passage(at_tom), tmp_path))
    assert [person.at for person in made.cast] == ["tom-place", "tom-place", None, None]
    assert made.cast[3].name == "Ada"  # the smith is Tom
    declared = declaration(passage(at_tom))
    assert declared["moves"][0]["to"] == "tom-place"
    assert declared["at"] == {
        "ines": "tom-place", "tom": "tom-place", "cora": "tom-place", "ada": "unknown",
    }  # fmt: skip


def test_the_labels_are_declared_by_the_rule_of_the_data():
    events = [
        {"segment": 0, "kind": "call-opens", "who": ["ines"], "with": ["cora"]},
        {"segment": 0, "kind": "gives", "who": ["ines"], "what": "the key", "to": ["tom"]},
        {"segment": 1, "kind": "aside", "who": ["tom"], "to": ["ines"]},
        {"segment": 1, "kind": "tells", "who": ["tom"], "to": ["ines"], "about": "the key"},
    ]
    told = raw(
        segment('"Here," you say.\n', "ines tom cora"),
        segment('"Thanks," says Tom. ', "ines tom"),
        segment('"Who was that?" ', "cora ines"),
        segment("You wait.", "ines", "action"),
        events=events,
    )
    here = '"Here," you say.'
    assert declaration(passage(told)) == {
        "moves": [
            {"who": ["ines"], "kind": "call-opens", "with": ["cora"], "words": here},
            {"who": ["ines"], "kind": "gives", "what": "the key", "to": ["tom"], "words": here},
        ],
        "asides": [
            {"by": "tom", "to": ["ines", "tom"], "words": '"Thanks," says Tom.'},
            {"to": ["cora", "ines"], "words": '"Who was that?"'},
        ],
        "at": START,
    }


# ── when a brief has a piece ─────────────────────────────────────────────────────────────────

LONG = '"I never saw the boat," Tom says, "nor the man who rowed it." '  # eleven words
SIX = '"The old grey horse is sold." '


@table(
    "text, brief, expected",
    [
        (SIX, "- Tom says: “THE OLD GREY HORSE is sold”", True),  # case, punctuation, quotes
        (SIX, "- Tom says that the old grey horse was bought.", True),  # 4 of 6
        (SIX, "- Tom has an old grey horse.", False),  # 3 of 6
        (SIX, "- The old. Grey. Horse is. Sold.", True),  # a run goes over a stop
        (SIX, "- Tom says something, and Ines nods.", False),
        (LONG, "- Tom says: “I never saw the boat”\n- “nor the man who rowed it.”", True),
        (LONG, "- Tom says: “I never saw the boat”", False),  # 5 of 11
        ("“I’ve sold it all,” he says. ", "'I've sold it all'", True),
        ('"Yes," says Tom. ', "- Tom says: “Yes.”", True),
        ('"Yes," says Tom. ', "- Tom says: “Yes, it is sold.”", False),  # not of its own
        ('"Yes," says Tom. "No."', "- Tom says: “Yes. No.”", True),
        ('"Yes," says Tom. "No."', "- Tom says: “Yes.”\n- Tom says: “No.”", True),
        ("*Sold it all.* She signs it small. ", "- Ines: “sold it all”", True),
        ("**TOM:** *(low, as to a child)* Sold it all.\n", "- Tom says: “Sold it all.”", True),
        ("‘It’s sold,’ said Tom. ", "- Tom: “It's sold”", True),
        ("'It's sold,' said Tom. ", "- Tom: “It's sold”", True),
        ("Tom said that the horse was sold. ", "- The smith said that the horse was sold.", True),
    ],
)
def test_speech_is_had_by_the_words_in_its_quotation_marks(text, brief, expected):
    assert had(raw(segment(text, "tom")), 0, "tom", brief) is expected


@pytest.mark.parametrize(
    ("text", "brief", "expected"),
    [
        (OUT, "You wipe your hands and duck out into the rain.", False),  # told anew
        (OUT, "You wipes your hands and ducks out into the rain.", True),
        (OUT, "The smith wipes her hands and ducks out into the rain.", True),
        (OUT, "- Tom ducks.", False),
        ("Tom nods. ", "The smith nods.", True),
        ("Tom nods. ", "He nods at the yard.", False),  # not a sentence of its own
        ("Tom's fire. ", "The smith’s fire.", True),
        ("He hands her his coat. ", "The smith hands you Tom’s coat.", True),
    ],
)
def test_other_pieces_are_had_whatever_people_are_called(text, brief, expected):
    assert had(raw(segment(text, "tom", "action")), 0, "tom", brief) is expected


def test_no_run_goes_from_one_item_to_the_next():
    told = raw(segment('"One two three."', "tom"))
    assert had(told, 0, "tom", "one two", "three") is False
    assert had(told, 0, "tom", "one two three") is True


def test_what_somebody_has_anyway_is_no_evidence():
    twice = raw(segment('"It was here."', "tom"), segment('"It was here."', "ines tom"))
    assert had(twice, 0, "ines", "It was here.") is None  # she has it from the second
    assert had(twice, 1, "cora", "It was here.") is True  # who perceives neither
    before = raw(segment('"It was here."', "tom"), before="It was here.")
    assert had(before, 0, "ines", "It was here.") is None
    line = raw(segment('"It was here," you say.', "ines tom"), line='"It was here."')
    assert had(line, 0, "ines", "It was here.") is None  # she typed it
    assert had(line, 0, "tom", "It was here.") is True
    part = raw(segment('"It was here, under the old stone."', "tom"), before="It was here.")
    assert had(part, 0, "tom", "under the old stone") is True
    assert had(part, 0, "tom", "It was here.") is False


def test_asides_are_nobodys():
    told = passage(TALK)
    assert {pair.piece.number for pair in pairs(told, Names(told))} == {0, 2}


# ── what is counted ──────────────────────────────────────────────────────────────────────────


def test_phenomena_are_what_happened_before_and_an_aside_is_of_its_piece():
    told = passage(
        raw(
            *(segment("x", "tom") for _ in range(4)),
            events=[
                {"segment": 1, "kind": "departs", "who": ["tom"], "to": "yard"},
                {"segment": 2, "kind": "aside", "who": ["ines"], "to": ["tom"]},
            ],
        )
    )
    found = [phenomena(told, number) for number in range(4)]
    assert found == [{"none"}, {"none"}, {"departs", "aside"}, {"departs"}]


def test_places_after_a_passage():
    found = Whereabouts()
    found.add(passage(LEAVES), {"ines": "forge", "tom": "forge", "cora": "yard"})
    found.add(passage(LEAVES), {"ines": "yard", "tom": None, "cora": "yard"})
    found.add(passage(LEAVES), {"ines": "forge", "tom": "yard", "cora": "yard"})
    assert (found.gone, found.right) == ([False, True, True], [False, False, True])
    assert found.stayed == [True, True, False, True, True, True]
    away = Whereabouts()  # no event moves him, and he is gone
    away.add(passage(NOBODY), {"ines": None, "tom": None, "cora": "yard"})
    assert (away.gone, away.right, away.stayed) == ([], [True], [True, True])


def test_all_is_measured_beside_the_baselines(data: Path, monkeypatch):
    monkeypatch.setattr(evaluation, "play", _as_told)
    lines: list[str] = []
    figures = measure(Setup(say=lines.append, data=data))
    ours = figures["storykeeper"]
    assert ours["passages"] == 3
    assert ours["speech"] == {"leak": 50.0, "miss": 40.0, "others": 4, "perceivers": 5}
    assert ours["thought"] == {"leak": 50.0, "miss": 0.0, "others": 2, "perceivers": 1}
    assert ours["by_phenomenon"] == {
        "departs": {"leak": 50.0, "miss": 0.0, "others": 2, "perceivers": 1},
        "none": {"leak": 50.0, "miss": 50.0, "others": 2, "perceivers": 4},
    }
    assert ours["places"]["gone"] == 0.0
    assert ours["places"]["right"] == 0.0
    assert ours["places"]["stayed"] == 100.0
    assert ours["by_author"]["zz"]["speech"] == ours["speech"]
    assert ours["pairs_left_out"] == 0
    everybody = figures["everybody"]
    assert everybody["speech"] == {"leak": 25.0, "miss": 0.0, "others": 4, "perceivers": 5}
    assert "places" not in everybody
    assert figures["first_edition"]["speech"] == {"leak": 34, "miss": 37}
    assert lines[0].startswith("zz, 3 of 3: speech leak 50.0 miss 40.0")
    assert BENCHES["perception"].module == "storykeeper.bench.perception.evaluation"


def _as_told(told, reader, *, declared):
    """Everybody at the forge has all of it, whoever else nothing; nobody moves."""
    places = {who: at if at != "unknown" else None for who, at in told.start.items()}
    briefs = {"ines": (told.prose,), "tom": (told.prose,), "cora": ()}
    if told.id == "zz-3":
        briefs = {"ines": (told.prose,), "tom": (), "cora": ()}
    return Seen(briefs, places)


def test_quick_takes_the_first_of_each_author(data: Path, monkeypatch):
    monkeypatch.setattr(evaluation, "play", _as_told)
    monkeypatch.setattr(evaluation, "QUICK", 2)
    quick = measure(Setup(say=lambda _: None, data=data, quick=True))
    assert quick["storykeeper"]["passages"] == 2


# ── through the engine ───────────────────────────────────────────────────────────────────────


def test_a_passage_is_played_and_looked_at():
    told = passage(TALK | {"before": '"Good morning to you," says Tom.'})
    seen = play(told, ProseReader(), declared=False)
    assert seen.places == START
    assert any("under the mat" in text for text in seen.briefs["ines"])
    assert any("Good morning" in text for text in seen.briefs["ines"])
    assert not any("under the mat" in text for text in seen.briefs["cora"])
    assert not any("Somebody in this story" in text for text in seen.briefs["ines"])


def test_the_declaration_is_given_to_render(monkeypatch):
    declared = []
    render = Storykeeper.render

    def taking_stage(keeper, turn, prose, *, stage=None):
        declared.append(stage)
        render(keeper, turn, prose)

    monkeypatch.setattr(Storykeeper, "render", taking_stage)
    told = passage(LEAVES | {"before": "The forge is hot."})
    play(told, ProseReader(), declared=True)
    assert declared == [None, declaration(told)]
