from __future__ import annotations

import re
from importlib.resources import files

import pytest

from storykeeper.bench.mentions.objects import (
    Passage,
    PassageInvalid,
    differences,
    head_of,
    measure,
    pairing,
    passages,
    read,
    score,
)
from strategies.tables import table

CUPS = read(
    "# three voices\n"
    "She put [the chipped cup]{cup} by [[her]{-} plate]{plate}.\n"
    "\n"
    "[It]{cup} had [a chip]{cup/part}; no [saucer]{no-saucer}. [Smoke]{?} rose.",
    name="cups",
)


def span(passage: Passage, words: str, *, nth: int = 0) -> tuple[int, int]:
    found = [m.span() for m in re.finditer(rf"\b{re.escape(words)}\b", passage.text)]
    return found[nth]


def oracle(passage: Passage) -> list[list[tuple[int, int]]]:
    things: dict[str, list[tuple[int, int]]] = {}
    for each in passage.mentions:
        things.setdefault(each.thing, []).append((each.start, each.end))
    return list(things.values())


# ── the marks ────────────────────────────────────────────────────────────────────────────────


def test_the_text_is_what_is_left_without_marks_and_headings():
    assert CUPS.text == (
        "She put the chipped cup by her plate.\n\nIt had a chip; no saucer. Smoke rose."
    )


def test_labels_keep_their_places():
    told = [(CUPS.text[e.start : e.end], e.thing, e.part) for e in CUPS.labelled]
    assert told == [
        ("the chipped cup", "cup", False),
        ("her plate", "plate", False),
        ("It", "cup", False),
        ("a chip", "cup", True),
        ("saucer", "no-saucer", False),
        ("Smoke", "?", False),
    ]


def test_a_thing_is_all_its_mentions_and_a_part_is_one_of_them():
    heads = {frozenset(CUPS.text[slice(*h)] for h in thing) for thing in CUPS.things}
    assert heads == {frozenset({"cup", "It", "chip"}), frozenset({"plate"})}


def test_what_is_not_there_or_may_go_either_way_is_no_mention():
    assert {e.thing for e in CUPS.mentions} == {"cup", "plate"}


def test_marks_nest():
    passage = read("[one of [the cups]{cups}]{cup}", name="x")
    assert [(e.start, e.end, e.thing) for e in passage.labelled] == [
        (0, 15, "cup"),
        (7, 15, "cups"),
    ]


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("the chipped cup", "cup"),
        ("a cup of tea", "cup"),
        ("one of them", "one"),
        ("Tanya's phone", "phone"),
        ("the school's", "school"),
        ("the sea-chest", "sea-chest"),
        ("It", "It"),
        ("of", "of"),
    ],
)
def test_the_head_is_the_last_word_before_any_of(phrase, head):
    found = head_of(phrase)
    assert found is not None
    assert phrase[slice(*found)] == head


@table(
    "marked, line, what",
    [
        ("[a cup]", 1, "without"),
        ("a cup]{cup}", 1, "without"),
        ("one\n[a cup", 2, "never closed"),
        ("[a\ncup]{cup}", 1, "never closed"),
        ("one\n\na cup{cup}", 3, "follows no"),
        ("[a cup]{The Cup}", 1, "no label"),
        ("[a cup]{cup/handle}", 1, "no label"),
        ("[a cup]{}", 1, "no label"),
        ("[...]{cup}", 1, "labels no word"),
        ("[[a cup]{cup}]{mug}", 1, "two labels"),
    ],
)
def test_a_mark_that_cannot_be_read_is_named_with_its_line(marked, line, what):
    with pytest.raises(PassageInvalid, match=f"^x, line {line}: .*{what}"):
        read(marked, name="x")


# ── the score ────────────────────────────────────────────────────────────────────────────────


def test_all_found_and_joined_is_a_hundred():
    figures = measure(lambda _: oracle(CUPS), [CUPS])
    assert figures["f1"] == figures["mention_f1"] == figures["pronoun_accuracy"] == 100


def test_nothing_found_is_nothing():
    assert measure(lambda _: [], [CUPS])["f1"] == 0


def test_a_longer_or_shorter_phrase_with_the_same_head_is_right():
    whole = (CUPS.text.index("chipped"), CUPS.text.index("."))  # chipped cup by her plate
    counts = score([[whole], [span(CUPS, "plate")]], CUPS).mentions
    assert (counts.found_right, counts.found, counts.there) == (2, 2, 4)


def test_a_phrase_that_misses_the_head_is_false():
    assert score([[span(CUPS, "the chipped")]], CUPS).mentions.found_right == 0


def test_one_found_phrase_is_one_mention_however_much_it_covers():
    everything = (0, len(CUPS.text))
    counts = score([[everything, everything]], CUPS).mentions
    assert counts.found == 2
    assert counts.found_right == 2


def test_the_closest_phrase_gets_the_label():
    passage = read("[a cup of [tea]{tea}]{cup}", name="x")
    outer, inner = span(passage, "a cup of tea"), span(passage, "tea")
    pairs = pairing([outer, inner], passage)
    assert [pairs.of[0].thing, pairs.of[1].thing] == ["cup", "tea"]
    assert pairing([inner, outer], passage).of[1].thing == "cup"


def test_the_same_phrase_is_closer_than_a_shorter_one():
    assert list(pairing([span(CUPS, "cup"), span(CUPS, "the chipped cup")], CUPS).of) == [1]


def test_a_phrase_with_what_follows_it_is_of_the_first_head():
    whole = (CUPS.text.index("chipped"), CUPS.text.index("."))  # chipped cup by her plate
    assert pairing([whole], CUPS).of[0].thing == "cup"


def test_finding_what_is_not_there_costs_precision():
    found = [*oracle(CUPS), [span(CUPS, "saucer")]]
    figures = measure(lambda _: found, [CUPS])
    assert figures["absent_found"] == 1
    assert figures["mention_precision"] == 80
    assert figures["mention_recall"] == 100
    assert figures["f1"] < 100


def test_what_may_go_either_way_costs_nothing():
    assert measure(lambda _: [*oracle(CUPS), [span(CUPS, "Smoke")]], [CUPS])["f1"] == 100


def test_a_thing_that_is_nobodys_costs_precision():
    counts = score([*oracle(CUPS), [span(CUPS, "She")]], CUPS).mentions
    assert (counts.found_right, counts.found) == (4, 5)


def test_the_average_of_three_by_hand():
    # Found: {cup, It} {chip} {plate}; there: {cup, It, chip} {plate}.
    cup, it, chip = span(CUPS, "cup"), span(CUPS, "It"), span(CUPS, "chip")
    got = score([[cup, it], [chip], [span(CUPS, "plate")]], CUPS)
    assert (got.muc.precision, got.muc.recall) == (100, 50)
    assert got.b3.precision == 100
    assert got.b3.recall == pytest.approx(100 * (2 * 2 / 3 + 1 / 3 + 1) / 4)
    assert got.ceaf.precision == pytest.approx(100 * (0.8 + 1) / 3)
    assert got.ceaf.recall == pytest.approx(100 * (0.8 + 1) / 2)
    assert got.average == pytest.approx((got.muc.f1 + got.b3.f1 + got.ceaf.f1) / 3)


def test_passages_are_weighed_by_their_mentions():
    other = read("[A lamp]{lamp} stood there.", name="lamp")
    found = {CUPS.text: oracle(CUPS), other.text: []}
    figures = measure(lambda text: found[text], [CUPS, other])
    assert figures["mention_recall"] == 80
    assert figures["passages"] == {"cups": 100, "lamp": 0}


def test_differences_are_told_in_words():
    found = [[span(CUPS, "the chipped cup"), span(CUPS, "She")], [span(CUPS, "saucer")]]
    assert list(differences(found, CUPS)) == [
        "missed: her plate (plate)",
        "missed: It (cup)",
        "missed: a chip (cup)",
        "too many: She",
        "not there: saucer (no-saucer)",
    ]


# ── the passages that come with it ───────────────────────────────────────────────────────────

PLAY = passages("play")
HARD = passages("hard")
ALL = [*PLAY, *HARD]


def test_there_are_enough_of_them():
    assert len(HARD) >= 14
    assert sum(len(p.mentions) for p in HARD) >= 420
    assert all(150 <= len(p.text.split()) <= 300 for p in HARD)
    assert len(PLAY) >= 16
    assert sum(len(p.mentions) for p in PLAY) >= 400


def test_ordinary_ones_are_the_set_that_is_meant_unless_another_is_named():
    assert passages() == PLAY


def test_no_passage_stands_in_both_sets():
    assert len({p.name for p in ALL}) == len({p.text for p in ALL}) == len(PLAY) + len(HARD)


@table("passage", PLAY)
def test_play_is_told_in_turns_as_long_as_a_narrators(passage):
    turns = passage.text.split("\n\n")
    assert 3 <= len(turns) <= 6
    assert all("\n" not in turn and 60 <= len(turn.split()) <= 120 for turn in turns)


@pytest.mark.parametrize(("gold", "absent"), [(PLAY, 40), (HARD, 50)], ids=["play", "hard"])
def test_they_are_not_all_one_sort_of_mention(gold, absent):
    assert sum(len(p.pronouns) for p in gold) >= 200
    assert sum(e.part for p in gold for e in p.labelled) >= 40
    assert sum(e.thing.startswith("no-") for p in gold for e in p.labelled) >= absent
    assert sum(len(thing) == 1 for p in gold for thing in p.things) >= 100
    either = sum(e.thing == "?" for p in gold for e in p.labelled)
    assert either <= 0.05 * sum(len(p.labelled) for p in gold)


@table("passage", ALL)
def test_a_part_has_its_whole(passage):
    wholes = {e.thing for e in passage.labelled if not e.part}
    assert {e.thing for e in passage.labelled if e.part} <= wholes


@table("passage", ALL)
def test_labels_are_of_the_right_sort_of_word(passage):
    """A phrase begins and ends with a letter, and does not run on over a clause."""
    for each in passage.labelled:
        words = passage.text[each.start : each.end]
        assert words[0].isalpha(), words
        assert words[-1].isalpha(), words
        assert not re.search(r"\b(which|who|that is|and)\b|[.;:!?]", words), words


def test_the_rules_of_labelling_stand_beside_them():
    rules = (files("storykeeper.bench") / "passages" / "README.md").read_text("utf-8")
    for mark in ("{chipped-cup}", "{-}", "/part}", "{no-", "{?}"):
        assert mark in rules
