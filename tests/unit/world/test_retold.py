"""Sentences that were told before."""

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.events.turns import InputReceived, Rendered, Swiped, TurnCommitted
from storykeeper.play.retelling import sentences
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.fold import fold
from storykeeper.world.retold import MAX_LINES, said, told_after, told_to, traces
from strategies.referred import opened

LONG = "Mara looks at the small brass bell."


def told(text, player="ann"):
    return tuple(told_to(trace, player) for trace in traces(text))


def test_a_sentence_is_known_again_by_its_words():
    assert traces(LONG) == traces("mara LOOKS at the small, brass bell!")
    assert traces(LONG) != traces("Mara looks at the small brass lamp.")
    assert len(traces(f"{LONG} {LONG}")) == 2


def test_in_what_language_they_are_does_not_matter():
    greek = "Η Μάρα κοιτάζει τη μικρή χάλκινη καμπάνα."
    assert traces(greek) == traces(greek.upper().replace(".", "!"))
    assert len(traces(f"{greek}\u2003{greek}")) == 2


def test_a_short_one_may_well_happen_twice():
    assert traces("She nods. He looks at her.") == []


def test_sentences_end_where_they_end():
    text = f"{LONG} “Is it yours, then, or whose is it?” he asks.\n\nRain falls."
    ends = [end for end, _ in sentences(text)]
    assert ends[-1] == len(text)
    assert text[: ends[0]].strip() == LONG
    assert ends == sorted(ends)


def test_nothing_is_one_sentence_of_nothing():
    assert sentences("") == [(0, "")]


def under_way(*records):
    return fold([InputReceived(TurnNo(1), EntityId("ann"), "I wait."), *records], opened())


def test_what_became_fact_was_told():
    world = under_way(Rendered(TurnNo(1), 1, LONG))
    assert world.told_lines == ()  # shown is not told
    assert fold([TurnCommitted(TurnNo(1), 1)], world).told_lines == told(LONG)


def test_what_was_swiped_was_not_told():
    other = "Tom opens the window and looks out."
    world = under_way(
        Rendered(TurnNo(1), 1, LONG), Swiped(TurnNo(1), 1), Rendered(TurnNo(1), 2, other)
    )
    assert told_after(world, TurnNo(1)) == told(other)


def test_each_sentence_once_and_the_oldest_give_way():
    many = " ".join(f"This is the sentence with number {i}." for i in range(MAX_LINES + 7))
    world = fold([TurnCommitted(TurnNo(1), 1)], under_way(Rendered(TurnNo(1), 1, many)))
    assert len(world.told_lines) == MAX_LINES
    assert world.told_lines[-1] == told(many)[-1]
    again = fold(
        [InputReceived(TurnNo(2), EntityId("ann"), "I wait."), Rendered(TurnNo(2), 1, many[-200:]),
         TurnCommitted(TurnNo(2), 1)],
        world,
    )  # fmt: skip
    assert len(set(again.told_lines)) == len(again.told_lines)


def test_a_turn_without_words_adds_nothing():
    assert told_after(opened(), TurnNo(7)) == ()


def test_words_are_known_by_who_says_them_and_how():
    words = "The key is under the old mat."
    assert said(words, "tom", low=True) == said("the key, is under the OLD mat", "tom", low=True)
    others = {said(words, who, low=low) for who in ("tom", "mara", None) for low in (True, False)}
    assert len(others) == 6
    assert said("She nods.", "tom", low=False) == ""


@given(st.lists(st.sampled_from(["The lamp", "is lit", "again tonight", ". ", "\n", "?! ", "… ",
                                 " “and” ", "so it\0 is", "-", " and so on and on"])))  # fmt: skip
def test_traces_are_those_of_the_sentences(parts):
    text = "".join(parts)
    assert traces(text) == [mark for _, mark in sentences(text) if mark]
