from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from storykeeper.bench.mentions.campaign import measure, resident_megabytes
from storykeeper.bench.mentions.campaign_data import Episode, NoCampaign, Turn, episodes
from storykeeper.bench.mentions.campaign_names import Known, covered, known


def turns(*spoken: tuple[str, str]) -> tuple[Turn, ...]:
    return tuple(Turn(i, (who,), text) for i, (who, text) in enumerate(spoken))


LONG = ("GM", "word " * 40)
SHORT = ("GM", "Yes.")
PLAYER = ("ANN", "word " * 50)


def scenes(*spoken: tuple[str, str]) -> list[int]:
    return [len(scene) for scene in Episode("e", turns(*spoken), "").scenes()]


# ── scenes ───────────────────────────────────────────────────────────────────────────────────


def test_no_turns_are_no_scenes():
    assert scenes() == []


def test_the_game_master_is_who_speaks_most():
    assert Episode("e", turns(SHORT, PLAYER, SHORT), "").game_master == "GM"


def test_after_sixty_turns_a_long_turn_of_the_game_master_begins_a_scene():
    assert scenes(*[SHORT] * 59, LONG, *[SHORT] * 9) == [69]
    assert scenes(*[SHORT] * 60, LONG, *[SHORT] * 9) == [60, 10]
    assert scenes(*[SHORT] * 60, PLAYER, *[SHORT] * 9) == [70]


def test_a_scene_has_at_most_eighty_turns():
    assert scenes(*[SHORT] * 170) == [80, 80, 10]


def test_a_break_ends_a_scene():
    assert scenes(SHORT, SHORT, ("ANN", "Food! [break]"), SHORT) == [3, 1]
    assert scenes(SHORT, SHORT, ("GM", "Hello, and welcome back."), SHORT) == [2, 2]
    assert scenes(SHORT, SHORT, ("ANN", "Welcome back, cat."), SHORT) == [4]


def test_no_turn_is_lost():
    told = turns(*[SHORT, PLAYER, LONG] * 100)
    assert tuple(t for s in Episode("e", told, "").scenes() for t in s) == told


# ── the files ────────────────────────────────────────────────────────────────────────────────


def written(tmp_path, told):
    folder = tmp_path / "crd3" / "episodes"
    folder.mkdir(parents=True)
    (folder / "C1E001.json").write_text(json.dumps(told), "utf-8")
    return tmp_path


def test_an_episode_is_read(tmp_path):
    parts = [{"sub-heading": "", "content": " Orla enters\n the city.\n"}]
    aside = [{"sub-heading": "", "content": "A sponsor speaks."}]
    synopsis = [
        {"heading": "Announcements", "content": aside},
        {"heading": "Part I", "content": parts},
    ]
    turn = {"NAMES": ["GM", "ANN"], "UTTERANCES": ["You see", "a door."], "NUMBER": 7}
    data = written(tmp_path, {"METADATA": {"Synopsis": synopsis}, "TURNS": [turn]})
    (episode,) = episodes(data)
    assert episode.name == "C1E001"
    assert episode.turns == (Turn(7, ("GM", "ANN"), "You see a door."),)
    assert episode.summary.split() == ["Orla", "enters", "the", "city."]


def test_data_that_is_missing_is_named(tmp_path):
    with pytest.raises(NoCampaign, match=r"no episodes in .*--data"):
        episodes(tmp_path)


@pytest.mark.parametrize("told", [[], {"TURNS": []}, {"TURNS": [{}], "METADATA": {}}])
def test_a_file_that_is_no_episode_is_named(tmp_path, told):
    with pytest.raises(NoCampaign, match=r"C1E001\.json is not an episode"):
        episodes(written(tmp_path, told))


# ── who and what is known ────────────────────────────────────────────────────────────────────

SUMMARY = (
    "Orla opens the gate. Then Orla's brother laughs, and Orla sleeps. In the city of Brask they"
    " meet Lady Tamsin, and Lady Tamsin shouts. She leads them through Brask. Later Bram'iel"
    " casts Entangle, and Bram falls. They enter Crow Manor. Afterwards Orla casts Entangle;"
    " Entangle spreads. Quickly they leave."
)
SAID = (
    "Orla, Brask, Lady Tamsin, Bram and Bram'iel, at Crow Manor: Entangle! Quickly, quickly.",
    "Tamsin and Orla look at Brask, later or then. Quickly!",
)


def told_of(*said: str, summary: str = SUMMARY) -> tuple[Known, ...]:
    (cast,) = known([Episode("e", turns(*[("GM", text) for text in said]), summary)])
    return cast


def test_characters_and_places_are_told_apart():
    cast = told_of(*SAID * 3)
    assert [k.names for k in cast if not k.place] == [("Bram", "Bram'iel"), ("Lady Tamsin",),
                                                      ("Orla",)]  # fmt: skip
    assert [k.names for k in cast if k.place] == [("Brask",), ("Crow Manor",)]


def test_what_is_said_in_two_turns_only_is_not_known():
    assert told_of(*SAID) == ()
    assert [k.names for k in told_of(*SAID, "Orla.")] == [("Orla",)]


def test_what_the_summary_does_not_have_is_not_known():
    assert told_of(*["Wystan sits in Wold."] * 5) == ()


def test_a_word_that_is_mostly_small_is_no_name():
    summary = "They see Fog, and Fog rises from the sea. Then Fog falls."
    assert [k.names for k in told_of(*["Fog!"] * 4, summary=summary)] == [("Fog",)]
    assert told_of(*["Fog! the fog"] * 4, summary=summary) == ()


def test_a_name_that_could_be_of_two_stays_alone():
    summary = "Then Ned Rudd laughs, and Mara Rudd weeps, and the Rudd sits, and so Rudd sits."
    cast = told_of(*["And then Ned Rudd. Mara Rudd. Rudd."] * 3, summary=summary)
    assert [k.names for k in cast] == [("Mara Rudd",), ("Ned Rudd",), ("Rudd",)]


def test_sorting_looks_at_all_summaries():
    first = Episode("1", turns(*[("GM", "Brask.")] * 3), "They talk of Brask at length.")
    second = Episode("2", (), "They sleep in Brask.")
    assert known([first]) == [()]
    assert known([first, second])[0] == (Known(("Brask",), place=True),)


@pytest.mark.parametrize(
    ("name", "is_her"),
    [
        ("Kima", True),
        ("lady kima", True),
        ("Kima of Vord", True),
        ("Kima's", True),
        ("Kim", False),
        ("Lady", False),
    ],
)
def test_a_name_covers_what_it_contains(name, is_her):
    assert covered([Known(("Kima", "Lady Kima"), place=False)], [name]) == is_her


def test_a_longer_form_with_an_apostrophe_covers_the_short():
    assert covered([Known(("Vex",), place=False)], ["vex'ahlia"]) == 1


# ── following ────────────────────────────────────────────────────────────────────────────────


class Listener:
    """Tracks the first word of every turn, and keeps what it heard in two scenes."""

    def __init__(self) -> None:
        self.heard: dict[str, set[str]] = {}
        self.scene = ""

    def read(self, turn: Turn, *, scene: str) -> None:
        self.scene = scene
        self.heard.setdefault(turn.text.split()[0], set()).add(scene)

    def tracked(self) -> Sequence[Sequence[str]]:
        return [[word] for word, scenes in self.heard.items() if self.scene in scenes]

    def persistent(self) -> Sequence[Sequence[str]]:
        return [[word] for word, scenes in self.heard.items() if len(scenes) > 1]


def test_a_campaign_is_one_run_through_all_episodes():
    said = [("GM", "Orla enters."), ("GM", "Brask sleeps.")] * 41
    first = Episode("a", turns(*said), SUMMARY)
    second = Episode("b", turns(*[("GM", "Orla sits, Brask.")] * 3), SUMMARY)
    lines: list[str] = []
    figures = measure(Listener(), [first, second], lines.append)
    assert figures["episodes"] == 2
    assert figures["turns"] == 85
    assert figures["scenes"] == 3
    assert (figures["tracked_median"], figures["tracked_most"]) == (2, 2)
    assert figures["known"] == 4
    assert figures["persistent"] == 2
    assert figures["coverage"] == figures["coverage_persistent"] == 100
    assert figures["turns_per_s"] > 0
    assert [line.split(":")[0] for line in lines] == ["a", "b"]


def test_what_was_not_kept_is_not_covered():
    class Deaf(Listener):
        def persistent(self) -> Sequence[Sequence[str]]:
            return []

    episode = Episode("a", turns(*[("GM", "Orla sits in Brask.")] * 3), SUMMARY)
    figures = measure(Deaf(), [episode], lambda _: None)
    assert (figures["coverage"], figures["coverage_persistent"]) == (50, 0)


def test_a_name_tracked_in_any_scene_of_the_evening_counts():
    said = [*[("GM", "Orla enters Brask.")] * 80, ("GM", "Brask sleeps.")]
    figures = measure(Listener(), [Episode("a", turns(*said), SUMMARY)], lambda _: None)
    assert figures["coverage"] == 100
    assert figures["coverage_persistent"] == 0


def test_memory_is_told_in_megabytes():
    assert 5 < resident_megabytes() < 50_000


def test_nothing_to_read_gives_no_figures():
    assert measure(Listener(), [], lambda _: None) == {}
