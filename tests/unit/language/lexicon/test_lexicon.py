"""What words are, in a story rather than in a newspaper."""

from __future__ import annotations

from pathlib import Path

import pytest

from storykeeper.language import lexicon
from storykeeper.language.lexicon import (
    VerbClass,
    gender_of_name,
    gender_of_noun,
    is_of_body,
    kin_of,
    own,
    sort_of,
    valence_of,
    verb_classes,
    wholes_of,
)
from storykeeper.language.reading import Gender, Sort
from strategies.tables import table

SORTED = {
    Sort.THING: "cup letter lamp door window table vase armchair phone flower bookcase coin pebble "
    "coffee bread lid case token",
    Sort.PLACE: "kitchen room street church harbour lighthouse highway farmhouse paris boathouse",
    Sort.PERSON: "woman waitress fisherman stranger physician german mother-in-law",
    Sort.GROUP: "crew family orchestra infantry",
    Sort.ANIMAL: "wolf sparrow mosquito",
    Sort.PART: "hand chip rim liver scar",
    Sort.MATTER: "water smoke light oxygen flour sky",
    Sort.TIME: "moment dawn epoch tuesday",
    Sort.ABSTRACT: "silence idea look word way kindness rustle",
    Sort.UNKNOWN: "blorpt zzz",
}
CLASSED = {
    VerbClass.PERCEIVE: "look see notice examine listen",
    VerbClass.TAKE: "take grab steal|pick up",
    VerbClass.GIVE: "give hand|hold out",
    VerbClass.HANDLE: "touch hold open wear break|put on",
    VerbClass.PUT: "put place hang|put down",
    VerbClass.MOVE: "go walk enter amble",
    VerbClass.SAY: "say whisper shout",
    VerbClass.ASK: "ask beg",
    VerbClass.FEEL: "cry love fear smile abhor",
    VerbClass.HARM: "hit threaten betray insult bludgeon",
    VerbClass.CARE: "comfort heal protect embrace|look after",
    VerbClass.TRUST: "trust confide promise swear",
    VerbClass.OWE: "owe pay thank repay",
    VerbClass.THINK: "think remember wonder",
    VerbClass.BE: "be seem remain",
    VerbClass.MAKE: "make build carve",
    VerbClass.SLEEP: "sleep snore|fall asleep",
    VerbClass.WAKE: "wake awaken|wake up",
    VerbClass.HIDE: "hide conceal",
}


@table("sort, words", SORTED.items())
def test_nouns_have_a_sort(sort: Sort, words: str):
    assert {w: sort_of(w) for w in words.split()} == dict.fromkeys(words.split(), sort)


@table("verb_class, words", CLASSED.items())
def test_verbs_have_classes(verb_class: VerbClass, words: str):
    singles, *phrases = words.split("|")
    missing = [w for w in (*singles.split(), *phrases) if verb_class not in verb_classes(w)]
    assert missing == []


def test_a_particle_can_take_the_class_away():
    assert VerbClass.GIVE in verb_classes("give")
    assert verb_classes("give up") == frozenset()


def test_a_verb_with_an_unlisted_particle_is_the_verb():
    assert verb_classes("look across") == verb_classes("look")


def test_unknown_verbs_have_no_class():
    assert verb_classes("blorpt") == verb_classes("") == frozenset()


@table(
    "word, gender",
    [
        ("woman", Gender.SHE), ("aunt", Gender.SHE), ("waitress", Gender.SHE),
        ("saleswoman", Gender.SHE), ("sister-in-law", Gender.SHE), ("king", Gender.HE),
        ("sir", Gender.HE), ("fisherman", Gender.HE), ("boyfriend", Gender.HE),
        ("doctor", Gender.UNKNOWN), ("human", Gender.UNKNOWN), ("cup", Gender.UNKNOWN),
    ],
)  # fmt: skip
def test_nouns_have_a_gender(word: str, gender: Gender):
    assert gender_of_noun(word) is gender


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Mara", Gender.SHE), ("TANYA", Gender.SHE), ("john", Gender.HE), ("Tom", Gender.HE),
        ("Leslie", Gender.UNKNOWN), ("Gandalf", Gender.UNKNOWN), ("", Gender.UNKNOWN),
    ],
)  # fmt: skip
def test_first_names_have_a_gender(name: str, gender: Gender):
    assert gender_of_name(name) is gender


def test_valence_runs_from_murder_to_love():
    assert valence_of("murder") == -1
    assert valence_of("Love") == 1
    assert valence_of("table") == 0
    assert valence_of("betray") < valence_of("frown") < 0 < valence_of("nod") < valence_of("hug")
    assert all(-1 <= value <= 1 for value in own.valences().values())


def test_our_own_lists_name_only_plain_words():
    assert all(
        w == w.casefold() and " " not in w for w in (*own.sorts(), *own.genders(), *own.valences())
    )
    assert all(v == v.casefold() for v in own.classes())
    assert Sort.UNKNOWN not in own.sorts().values()


def test_the_files_hold_what_the_tables_promise():
    here = Path(lexicon.__file__).parent
    lines = {n: (here / f"{n}.txt").read_text("utf-8").splitlines() for n in (
        "nouns", "genders", "verbs", "first_names")}  # fmt: skip
    groups = {name: {line.split(" ")[0] for line in found} for name, found in lines.items()}
    assert groups["nouns"] == {s.value for s in Sort if s is not Sort.UNKNOWN}
    assert groups["genders"] == groups["first_names"] == {"he", "she"}
    assert {c for g in groups["verbs"] for c in g.split("+")} <= {c.value for c in VerbClass}
    for found in lines.values():
        words = [w for line in found for w in line.split(" ")[1:]]
        assert len(words) == len(set(words)), "a word in two classes"
        assert all(line.split(" ")[1:] == sorted(line.split(" ")[1:]) for line in found)
    assert len([w for line in lines["nouns"] for w in line.split(" ")]) > 30_000
    assert sum(path.stat().st_size for path in here.glob("*.txt")) < 1_000_000


def test_a_noun_of_ours_has_one_sort():
    rows = (*own._section("sorts"), *own._section("body"))
    listed: dict[str, set[str]] = {}
    for sort, words in rows:
        for word in words:
            listed.setdefault(word, set()).add(sort)
    assert [word for word, every in listed.items() if len(every) > 1] == []


def test_a_hand_is_of_a_body_and_a_chip_is_not():
    assert is_of_body("Hand")
    assert not is_of_body("chip")


def test_a_wider_word_takes_up_a_narrower_one():
    assert "sword" in kin_of("weapon")
    assert "weapon" not in kin_of("sword")
    assert "photograph" in kin_of("photo")
    assert "photo" in kin_of("photograph")
    assert kin_of("key") == frozenset()


def test_every_word_of_kin_is_a_thing():
    named = set(own.kin()).union(*own.kin().values())
    assert [w for w in sorted(named) if sort_of(w) in (Sort.ABSTRACT, Sort.TIME, Sort.PERSON)] == []


def test_a_part_has_wholes():
    assert "sword" in wholes_of("hilt")
    assert "vase" in wholes_of("lip")
    assert wholes_of("cup") == frozenset()
