"""The past in pieces: what stays together, whose words they are, and joined again the same text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.context.passages import GAP, brought, joined, widened
from storykeeper.context.pieces import of_event, of_turn
from storykeeper.events.atoms import Source, SpeechUttered
from unit.context.test_sources_alone import CAST, act, past, seen, told

STRANGERS = told(cast=(structs.replace(CAST[0], relations=()), *CAST[1:]))  # nobody knows of Eve


def cut(prose, *said, text="", of=None, turn=5):
    """The pieces of a turn told so, in which this was said."""
    there = replace(past(turn), prose=prose, text=text, atoms=said)
    return of_turn(seen(told() if of is None else of, history=(there,)), there)


def texts(prose, *said, **more):
    return [piece.text for piece in cut(prose, *said, **more)]


def says(words, *, by="bob", number=1, source=Source.NARRATOR):
    return structs.replace(act(5, number, by=by), what=SpeechUttered(words), source=source)


# ── what stays together ──────────────────────────────────────────────────────────────────────


def test_each_sentence_is_a_piece_and_is_named_for_where_it_is_from():
    found = cut("It rains. Bob nods.", text="I wait.")
    assert [(p.source, p.place, p.text) for p in found] == [
        ("piece:5/0", 0, "Ann’s player: I wait."),
        ("piece:5/1", 1, "It rains."),
        ("piece:5/2", 2, "Bob nods."),
    ]
    assert {(p.turn, p.scene) for p in found} == {(5, "first")}


def test_the_players_line_is_a_piece_in_one_line_and_called_so():
    first, *rest = cut("It rains.", text=" I wait.\n\nThen  I go. ")
    assert first.text == "Ann’s player: I wait. Then I go."
    assert [first.typed, *(p.typed for p in rest)] == [True, False]
    assert [p.typed for p in cut("It rains.")] == [False]


def test_a_word_to_the_table_is_nobodys_speech():
    first, *_ = cut("It rains.", text="I wait. ((ooc: can we skip\nto Friday?)) Then I go.")
    assert first.text == "Ann’s player: I wait. Then I go."
    assert texts("It rains.", text="((brb))") == ["It rains."]


@pytest.mark.parametrize("nothing", ["", " \n\t "])
def test_of_nothing_there_is_no_piece(nothing):
    assert cut(nothing, text=nothing) == ()
    assert texts("It rains.", text=nothing) == ["It rains."]


@pytest.mark.parametrize(
    "together",
    [
        "Is it there? It is.",
        "“Where is the key?” “In the oats.”",
        "The door is open. But nobody goes in.",
        "“Come in. Sit down. It is cold.”",
    ],
    ids=["question and answer", "in quotes", "taken back", "one pair of quotes"],
)
def test_what_must_stay_together_is_one_piece(together):
    assert texts(f"It rains. {together} Bob nods.") == ["It rains.", together, "Bob nods."]


def test_a_page_of_questions_is_not_one_piece():
    assert texts("Why? " * 8) == ["Why? Why? Why? Why?"] * 2


LONG = ", ".join(["the water comes back by night"] * 4)


def test_a_passage_too_long_to_stay_together_is_cut_in_sentences_with_closed_quotes():
    said = f"It was lit and {LONG} till ten. But then {LONG} till six. No, {LONG} till four."
    said = f"Bob says: “{said} Not that {LONG} for good.”"
    found = texts(f"{said} He sits.")
    assert [text.partition(" ")[0].strip("“,") for text in found] == [
        "Bob", "But", "No", "Not", "He",
    ]  # fmt: skip
    assert found[0].endswith("till ten.”")
    assert found[3].startswith("“Not that")


def test_so_is_a_speech_and_every_part_of_it_is_in_quotes():
    """Else who reads a part of it takes somebody's words for what is so."""
    speech = " ".join(
        f"In year {n} the tide came in over the wall of the garden." for n in range(9)
    )
    found = texts(f"“{speech}” He sits.")
    assert found[-1] == "He sits."
    assert len(found) > 2
    assert all(text.startswith("“") and text.endswith("”") for text in found[:-1])


# ── whose words they are ─────────────────────────────────────────────────────────────────────


NAMED = "Bob sits down. “The tide comes at nine.”"


def alone(prose, *said, **more):
    """The last piece of a turn told so, as it is quoted by itself."""
    return joined(cut(prose, *said, **more)[-1:])


def test_who_speaks_is_called_by_the_one_word_that_is_theirs():
    bob = next(each for each in CAST if each.id == "bob")
    full = structs.replace(bob, name="Serjeant Bob Hark", aliases=("the serjeant", "Bob"))
    of = told(cast=tuple(full if each.id == "bob" else each for each in CAST))
    assert alone(NAMED, says("The tide comes at nine."), of=of) == "Bob: “The tide comes at nine.”"


@pytest.mark.parametrize(
    ("prose", "sure"),
    [
        ("“Two,” says Bob, to the form. “Put two.”", True),
        ("“Two,” Bob tells the range. He waits. “Put two.”", True),
        ("Bob’s lips stop. “Put two.”", True),
        ("“Good paper,” she says. “Put two.”", False),
        ("She smiles at Bob. “Put two.”", False),
        ("Eve nods to Bob. “No,” says Bob. “Put two.”", False),
        ("“Two,” says Bob.\n\n“Put two.”", False),
        ("“Put two.”", False),
    ],
)
def test_bare_words_are_given_with_who_said_them_where_the_prose_names_them(prose, sure):
    """That somebody seems to speak, by a reading of pronouns and turns, is a guess."""
    said = (says("Put two."), says("No,", by="eve", number=2))
    assert alone(prose, *said) == ("Bob: “Put two.”" if sure else "“Put two.”")


def test_a_speaker_is_named_where_words_are_cut_loose_and_nowhere_else():
    prose = "“Two,” says Bob. “Put two.” The knife goes down. “And now three.” He waits. “Four.”"
    said = [says(each, number=n) for n, each in enumerate(["Put two.", "And now three.", "Four."])]
    found = cut(prose, *said)
    assert joined(found) == prose
    assert joined(found[1:4]) == "Bob: “Put two.” The knife goes down. “And now three.”"
    assert joined([found[0], found[3]]) == f"“Two,” says Bob.{GAP}“And now three.”"
    assert joined([found[2], found[3]]) == "The knife goes down. “And now three.”"
    assert joined([found[1], found[3]]) == f"Bob: “Put two.”{GAP}“And now three.”"
    assert joined([found[2], found[5]]) == f"The knife goes down.{GAP}Bob: “Four.”"


def test_one_of_whom_nobody_knows_is_not_named():
    prose, said = (
        "Eve sits down. “The tide comes at nine.”",
        says("The tide comes at nine.", by="eve"),
    )
    assert alone(prose, said) == "Eve: “The tide comes at nine.”"
    assert alone(prose, said, of=STRANGERS) == "“The tide comes at nine.”"


def test_of_whom_nobody_is_sure_the_words_go_with_what_stands_beside_them():
    """Before them, or behind them where they open a paragraph; of all else what was asked."""
    found = cut("She looks up. “Put two.”\n\n“The tide comes.” He nods.\n\nIt rains.")
    assert [brought(found, at) for at in range(5)] == [[0], [0, 1], [2, 3], [2, 3], [3, 4]]
    asked = cut("“In the oats.” It rains.", text="Where is it?")
    assert brought(asked, 0) == [0, 1]
    assert brought(cut("“In the oats.”", text="Where is it?"), 1) == [0, 1]


def test_few_words_come_with_what_stands_beside_them():
    found = cut("The rope goes round the pier. *Keys.* It is made fast there.\n\nThe bell rings.")
    assert widened(found, [1], 4) == [0, 1]
    assert widened(found, [1], 99) == list(range(len(found)))
    assert widened(found, [0], 3) == [0]


def test_the_prose_does_not_run_on_from_what_the_player_typed():
    found = cut("It is five steps.", text="go to Bob")
    assert joined(found) == "Ann’s player: go to Bob. It is five steps."
    assert joined(cut("It rains.", text="*sits down*")) == "Ann’s player: *sits down* It rains."


def test_what_the_player_typed_names_nobody_in_the_prose():
    prose = "“The key is in the oats.”"
    assert texts(prose, says("The key is in the oats.", by="ann", source=Source.PLAYER)) == [prose]


def test_two_who_speak_in_turn_are_not_one():
    prose = "“Where is the key?” “In the oats.”"
    found = texts(prose, says("Where is the key?"), says("In the oats.", by="eve", number=2))
    assert found != [f"Bob: {prose}"]


def test_a_word_that_is_a_part_of_another_is_not_said():
    prose = "“Yesterday it rained.”"
    assert texts(prose, says("Yes.", by="eve")) == [prose]


# ── what counts in a piece ───────────────────────────────────────────────────────────────────


def test_its_words_without_whose_they_are():
    (found,) = cut("“The key is in the oats.”", says("The key is in the oats."))
    assert found.terms == {"key", "oat"}
    (typed,) = cut("", text="Where is the key?")
    assert typed.terms == {"key"}


def test_its_names_and_numbers_are_marked():
    (found,) = cut("The 4 boats lie at Harrow.")
    assert found.marked == {"4", "harrow"}
    assert found.numbers == 1


@pytest.mark.parametrize("number", ["four", "1,000", "Twenty-two", "7"])
def test_however_a_number_is_written_it_is_one_of_its_words(number):
    """What is marked is worth twice as much: a mark that is no word of the piece marks nothing."""
    (found,) = cut(f"{number} boats lie there.".capitalize())
    assert found.marked & found.terms


def test_how_much_of_it_is_spoken_and_whether_it_denies():
    said, told_, mixed = cut("“It is so.” It is not so. Bob says “well well” then.")
    assert said.speech > 0.8
    assert told_.speech == 0.0
    assert 0.2 < mixed.speech < 0.6
    assert [p.denied for p in (said, told_, mixed)] == [False, True, False]


def test_an_event_is_one_piece_as_it_is_told():
    turn = replace(past(5), atoms=(says("The key is here."), act(5, 2)))
    spoken = of_event(turn, turn.atoms[0], "Bob says: “The key is here.”")
    assert (spoken.source, spoken.turn, spoken.scene) == ("atom:t5.1", 5, "first")
    assert spoken.text == "Bob says: “The key is here.”"
    assert (spoken.speech, of_event(turn, turn.atoms[1], "Ann gives Bob").speech) == (1.0, 0.0)


# ── together again ───────────────────────────────────────────────────────────────────────────

PROSE = "It rains. Bob nods. The clock stops. A door falls shut."
SENTENCES = ["It rains.", "Bob nods.", "The clock stops.", "A door falls shut."]


@given(st.permutations(range(4)))
def test_joined_they_are_the_text(order):
    """In whatever order they were chosen."""
    found = cut(PROSE)
    assert joined([found[i] for i in order]) == PROSE


@given(st.sets(st.integers(0, 3), min_size=1))
def test_a_mark_stands_where_something_is_left_out_and_nowhere_else(kept):
    found = cut(PROSE)
    said = joined([found[i] for i in sorted(kept)])
    gaps = sum(b - a > 1 for a, b in zip(sorted(kept), sorted(kept)[1:], strict=False))
    assert said.count(GAP) == gaps
    assert said.replace(GAP, " ") == " ".join(SENTENCES[i] for i in sorted(kept))


def test_between_two_turns_something_is_left_out():
    first, second = cut("It rains. Bob nods."), cut("The clock stops.", turn=6)
    assert joined([*second, first[1]]) == f"Bob nods.{GAP}The clock stops."


def test_of_no_pieces_nothing_is_said():
    assert joined([]) == ""
