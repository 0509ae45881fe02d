"""Compaction: sentences, what is taken out of which items, who may know it, the way back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from storykeeper.errors import LineageBroken
from storykeeper.memory.compaction.compacting import (
    NOT_SHORTER,
    NOTHING_TO_SAY,
    Declined,
    Means,
    compacted,
)
from storykeeper.memory.compaction.extractive import extract, spoken
from storykeeper.memory.compaction.groups import clusters_of, recent_tail
from storykeeper.memory.compaction.sentences import sentences, units
from storykeeper.memory.compaction.summaries import Shown, Summary, better, expand
from storykeeper.memory.compaction.terms import names, numbers, stem, terms
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.scoring.preservation import Method
from strategies.summing import bag_of_words, count_words
from strategies.tables import table

LINES = (
    ("Ana", "I moved the meeting with Mr. Holt to Friday. It was raining all morning."),
    ("Ben", "Fine by me."),
    ("Ana", "Did you pay the 300 crowns? The bank in Marseille asked again."),
    ("Ben", "No, I did not pay them. I will not pay before the ship is back."),
    ("Ana", "Well. You know how it is. But the captain will not wait for us."),
    ("Ben", "The captain of the Marigold is called Odile, and she owes me a favour."),
)


def said(lines=LINES, **more) -> list[Item]:
    return [
        Item(id=f"t{n}", text=text, order=n, speaker=speaker, turn=n, **more)
        for n, (speaker, text) in enumerate(lines, start=1)
    ]


def means(**more) -> Means:
    return Means(**{"embed": bag_of_words, "count": count_words, "tail": 0, **more})


# ── sentences and terms ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("No end", ["No end"]),
        ("One. Two! Three?  Four…", ["One.", "Two!", "Three?", "Four…"]),
        ("Mr. Holt met Dr. Ames at 5 p.m. sharp.", ["Mr. Holt met Dr. Ames at 5 p.m. sharp."]),
        ('"I won\'t go. Never," he said. She sat.', ['"I won\'t go. Never," he said.', "She sat."]),
        ("It costs 3.5 crowns. Ask J. Smith.", ["It costs 3.5 crowns.", "Ask J. Smith."]),
        ("我来了。他走了。", ["我来了。", "他走了。"]),
        ("wrapped\nline. Next\n\n- a\n- b", ["wrapped line.", "Next", "- a", "- b"]),
    ],
)  # fmt: skip
def test_sentences(text, found):
    assert sentences(text) == found


def test_a_question_keeps_its_answer_and_a_but_what_it_takes_back():
    texts = [unit.text for unit in units(said())]
    assert "Did you pay the 300 crowns? The bank in Marseille asked again." in texts
    assert "You know how it is. But the captain will not wait for us." in texts
    asked = units(said([("Ana", "Was it Ben?"), ("Cem", "No. It was I.")]))
    assert [unit.parts for unit in asked] == [((0, "Was it Ben?"), (1, "No.")), ((1, "It was I."),)]


def test_terms_names_and_numbers():
    assert terms("The locks were locked, and nobody knows!") == {"lock"}
    assert terms("我来了") == {"我来", "来了"}
    assert names("Then Odile saw Marseille. Running is hard. Percy’s cup") >= {
        "Odile",
        "Marseille",
        "Percy",
    }
    assert not names("Running is hard. The cup. I'm here. Perhaps. But no. Then She's off.")
    assert not terms("She's sure they'll say I'd known, we've said it wasn't.") - {"known"}
    assert numbers("Twenty-five of 1,000 men, three times, at 3.5") == {
        "20",
        "5",
        "1000",
        "3",
        "3.5",
    }
    assert stem("stopped") == stem("stopping") == stem("stops")  # fmt: skip


# ── extractive ───────────────────────────────────────────────────────────────────────────────


def test_an_extract_is_word_for_word_and_says_who_said_it():
    items = said()
    taken = extract(items, count=count_words, share=0.6)
    for line in taken.text.splitlines():
        speaker, _, words = line.partition(": ")
        assert any(i.speaker == speaker and words.split(". ")[0] in i.text for i in items)
    assert "called Odile" in taken.text
    assert "Fine by me" not in taken.text
    assert count_words(taken.text) <= 0.6 * sum(count_words(spoken(i)) for i in items)
    assert count_words(taken.brief) < count_words(taken.text)
    assert "Odile" in taken.hint


def test_no_sentence_is_taken_without_what_belongs_to_it():
    for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        taken = extract(said(), count=count_words, share=share)
        text = taken.text if taken else ""
        assert ("I did not pay them" in text) <= ("No, I did not pay them." in text)
        assert ("You know how it is" in text) == ("But the captain" in text)


def test_what_is_said_again_is_taken_once_and_told_in_order():
    again = [("", "We drank some tea."), ("", "Odile sold 40 lamps."), ("", "Odile sold 40 lamps.")]
    taken = extract(said(again), count=count_words, share=0.7)
    assert taken.text == "We drank some tea.\nOdile sold 40 lamps."


def test_names_and_numbers_are_worth_more():
    lines = [
        ("", "rivers ran past mill wheels slowly"),
        ("", "Odile took 40 pounds to Marseille"),
    ]
    taken = extract(said(lines), count=count_words, share=0.5)
    assert taken.text == lines[1][1]  # fmt: skip


# ── which items ──────────────────────────────────────────────────────────────────────────────


def test_the_tail_is_that_of_every_audience():
    items = said([("", "x")] * 6)
    mixed = [replace(i, audience=frozenset({"ana"}) if i.order % 2 else None) for i in items]
    assert recent_tail(mixed, most=2) == {"t3", "t4", "t5", "t6"}
    assert recent_tail(mixed, most=0) == frozenset()
    apart = [replace(i, namespace="n" if i.order < 3 else "") for i in items]
    assert recent_tail(apart, most=1) == {"t2", "t6"}


def test_clusters_hold_one_audience_one_namespace_one_session():
    items = said([("", "x")] * 8)
    items[1] = replace(items[1], audience=frozenset({"ana"}))
    items[3] = replace(items[3], audience=frozenset({"ana", "ben"}))
    items[4] = replace(items[4], session="two")
    items[5] = replace(items[5], namespace="ana")
    items[6] = replace(items[6], kind=Kind.SUMMARY)
    items[7] = replace(items[7], part=Part.HARD)
    found = [cluster.ids for cluster in clusters_of(items)]
    assert found == [("t1", "t3"), ("t2",), ("t4",), ("t5",), ("t6",)]


def test_clusters_follow_the_story_and_not_the_order_of_adding():
    late, early = said([("", "late"), ("", "early")])
    assert [c.ids for c in clusters_of([replace(late, turn=9), early])] == [("t2", "t1")]
    clocked = [replace(late, turn=None, at_ms=9), replace(early, turn=None, at_ms=3)]
    assert [c.ids for c in clusters_of(clocked)] == [("t2", "t1")]
    assert [c.ids for c in clusters_of([replace(late, turn=None), early])] == [("t1", "t2")]


# ── all of it ────────────────────────────────────────────────────────────────────────────────


def test_a_summary_carries_all_that_its_sources_had():
    items = said(audience=frozenset({"ana", "ben"}), session="s", namespace="n")
    items[2] = replace(items[2], weight=0.7, entities=("bank",))
    (made,) = compacted(items, means())
    assert isinstance(made, Summary)
    assert made.sources == tuple(i.id for i in items)
    assert made.method is Method.EXTRACTIVE
    assert (made.audience, made.session, made.namespace) == (items[0].audience, "s", "n")
    assert (made.turn, made.weight, made.entities) == (6, 0.7, ("bank",))
    assert made.tokens == count_words(made.text) < made.source_tokens
    assert 0.0 < made.confidence < 1.0
    item = made.item(id="s1", order=7)
    assert (item.kind, item.sources, item.confidence) == (
        Kind.SUMMARY,
        made.sources,
        made.confidence,
    )
    assert item.decay_rate == pytest.approx(1 - made.confidence)


def test_a_summary_of_one_is_trivial():
    (one,) = said([("Ana", "The ship is late. Odile has 300 crowns. It rained.")])
    (made,) = compacted([one], means(share=0.6))
    assert made.method is Method.TRIVIAL
    assert made.text == "Ana: Odile has 300 crowns."


def test_compaction_shrinks_or_declines():
    def reasons(lines, **more):
        return [each.reason for each in compacted(said(lines), means(**more))]

    assert reasons([("Ana", "Yes."), ("Ben", "No.")]) == [NOTHING_TO_SAY]
    assert reasons([("Ana", "")]) == [NOTHING_TO_SAY]
    assert reasons([("", "Odile sails.")], share=0.5) == [NOTHING_TO_SAY]
    assert reasons([("", "Odile sails.")], share=1.0) == [NOT_SHORTER]
    assert list(compacted([], means())) == []


@table(
    "text",
    [
        "." * 9_000 + "b", '"' * 20_000, "why? " * 4_000, "a. " + "But no. " * 4_000, "\n" * 20_000,
        "“" + "a. " * 6_000, "灯が消えた。" * 4_000, "a" * 50_000, "a'" * 20_000, "\ud800 \x00.",
    ],
)  # fmt: skip
def test_odd_texts_are_summed_up_or_declined(text):
    (made,) = compacted(said([("", text)]), means(count=len))
    assert isinstance(made, Declined) or made.tokens < made.source_tokens


def test_the_tail_and_what_is_done_are_left_alone():
    items = said(LINES * 5)
    made = list(compacted(items, means(tail=6), done={"t1", "t2"}))
    covered = {id_ for each in made for id_ in each.sources}
    assert covered == {f"t{n}" for n in range(3, 25)}
    assert not list(compacted(items, means(tail=30)))


def test_a_few_wait_for_more():
    items = [*said(LINES), replace(said(LINES[:1])[0], id="alone", session="other")]
    waiting = list(compacted(items, means(least=6)))
    assert [m.sources for m in waiting] == [tuple(i.id for i in items[:6])]
    assert len(list(compacted(items, means()))) == 2


def test_summaries_are_summed_up_in_their_turn():
    items = said(LINES * 10)
    first = [m for m in compacted(items, means(size=6, share=0.6)) if isinstance(m, Summary)]
    level = [s.item(id=f"s{n}", order=100 + n) for n, s in enumerate(first)]
    (above,) = compacted([*items, *level], means(), kind=Kind.SUMMARY)
    assert above.sources == tuple(i.id for i in level)
    sources = {i.id: i.sources for i in level} | {"top": above.sources}
    assert expand(sources, "top") == tuple(i.id for i in items)


def test_vectors_of_whole_numbers_will_do():
    def embed(texts):
        return np.rint(bag_of_words(texts) * 127).astype(np.int8)

    whole, exact = (next(compacted(said(), means(embed=e))) for e in (embed, bag_of_words))
    assert whole.confidence == pytest.approx(exact.confidence, abs=0.02)


# ── the way back ─────────────────────────────────────────────────────────────────────────────


def test_expanding_leads_to_what_was_said():
    sources = {"a": ("b", "r1"), "b": ("r2", "r3", "r1"), "c": ("a", "b")}
    assert expand(sources, "r9") == ("r9",)
    assert expand(sources, "a") == ("r2", "r3", "r1")
    assert expand(sources, "c") == ("r2", "r3", "r1")


@pytest.mark.parametrize(
    "sources",
    [{"a": ("a",)}, {"a": ("r", "b"), "b": ("c",), "c": ("a",)}, {"a": ("r", "b"), "b": ()}],
)
def test_a_summary_of_itself_or_of_nothing_is_refused(sources):
    with pytest.raises(LineageBroken, match=r"summary [abc]"):
        expand(sources, "a")


def test_a_long_chain_expands():
    sources = {f"s{n}": (f"s{n - 1}",) for n in range(1, 50_000)} | {"s0": ("r",)}
    assert expand(sources, "s49999") == ("r",)


def test_of_a_summary_and_its_sources_the_better_is_shown():
    sources = {"s": ("r1", "r2"), "t": ("s", "r3")}
    assert better(["s", "r1", "r9", "r2"], sources) == Shown(("s", "r9"), {"r1": "s", "r2": "s"})
    assert better(["r1", "s", "r2"], sources) == Shown(("r1", "r2"), {"s": "r1"})
    assert better(["r3", "t", "s", "r1"], sources) == Shown(("r3", "s"), {"t": "r3", "r1": "s"})
    assert better(["r1", "t"], sources) == Shown(("r1",), {"t": "r1"})
    assert better([], sources) == Shown((), {})
