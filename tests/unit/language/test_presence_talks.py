"""Who perceives each utterance of a talk: as it is said, and when it is over."""

import pytest

from storykeeper.language.presence import Presence, Utterance, perceivers

CAST = ("Ana", "Bo", "Cyrus", "Dora")


def lines(talk):
    """A talk and who perceives each line, by their first letters: "Ana: words | AB"."""
    rows = [line.rpartition("|") for line in talk.strip().splitlines()]
    said = [row[0].strip().partition(": ") for row in rows]
    return [Utterance(head, words) for head, _, words in said], [row[2].strip() for row in rows]


def causal(talk, cast=CAST, present=None):
    utterances, wanted = lines(talk)
    presence = Presence(cast, present=present)
    found = ["".join(who[0] for who in presence.after(utterance)) for utterance in utterances]
    assert found == wanted


def hindsight(talk, cast=CAST):
    utterances, wanted = lines(talk)
    found = ["".join(who[0] for who in each) for each in perceivers(utterances, cast=cast)]
    assert found == wanted


def test_whoever_goes_hears_the_answers_and_no_more():
    causal(
        """
        Bo: I have to run, the ferry is in. | ABC
        Cyrus: Safe trip, Bo. | ABC
        Ana: Of course, go ahead! | ABC
        Bo: Thank you. Till next time! | ABC
        Ana: Now, Cyrus, what about the map? | AC
        Bo: I'm back. | ABC
        """,
        present=("Ana", "Bo", "Cyrus"),
    )


def test_an_answer_may_go_on_to_somebody_else():
    causal(
        """
        Bo: I have to run. | ABC
        Cyrus: Bye, Bo! Ana, have you seen the map? | ABC
        Ana: It was on the table. | AC
        """,
        present=("Ana", "Bo", "Cyrus"),
    )


@pytest.mark.parametrize(
    "turn",
    ["While he's away, tell me all.", "Just the two of us, then. Of course.", "Where were we?"],
)
def test_the_first_words_that_are_for_somebody_else_are_not_heard(turn):
    causal(f"Bo: I have to run. | ABC\nCyrus: {turn} | AC", present=("Ana", "Bo", "Cyrus"))


def test_whoever_asks_something_more_has_stayed():
    causal(
        """
        Bo: I have to run. | ABC
        Bo: But tell me, who lit the lamp? | ABC
        Ana: I did. | ABC
        """,
        present=("Ana", "Bo", "Cyrus"),
    )


def test_a_goodbye_to_all_is_a_going_and_an_answer_to_it_is_not():
    causal(
        """
        Bo: Well, goodbye. | ABC
        Ana: Goodbye! | ABC
        Cyrus: Ana, sit down. | AC
        """,
        present=("Ana", "Bo", "Cyrus"),
    )


def test_two_go_together():
    causal(
        """
        Bo: Ana and I have to go. | ABC
        Cyrus: Bye, Bo! Bye, Ana! | ABC
        Cyrus: Alone at last. | C
        """,
        present=("Ana", "Bo", "Cyrus"),
    )
    causal("Bo: Dora and I have to go. | ABC\nAna: Bye, Bo. | ABC", present=("Ana", "Bo", "Cyrus"))


def test_a_goodbye_by_one_who_stays():
    causal(
        """
        Bo: It was lovely talking to you. The boat is in. | ABC
        Ana: See you later, Bo. | ABC
        Cyrus: So, Ana. | AC
        """,
        present=("Ana", "Bo", "Cyrus"),
    )
    causal(
        """
        Bo: The boat is in. | ABC
        Ana: See you later, Bo. | ABC
        Cyrus: So, Ana. | ABC
        """,
        present=("Ana", "Bo", "Cyrus"),
    )


def test_coming_by_welcome_and_by_word():
    causal(
        """
        Ana: Welcome back, Cyrus! | ABC
        Bo: Dora just walked in. | ABCD
        Ana: Cyrus has left, I see. | ABD
        Bo: When Cyrus is back, ask him. | ABD
        """,
        present=("Ana", "Bo"),
    )


def test_a_welcome_right_after_a_coming_is_for_the_newcomer():
    causal(
        """
        Bo: I have to run. | ABC
        Ana: So, Cyrus. | AC
        Dora: I'm back! | ACD
        Cyrus: Good to have you back, Bo. | ACD
        Ana: He means you, Dora. | ACD
        Cyrus: Welcome back, Bo! | ABCD
        """,
        present=("Ana", "Bo", "Cyrus"),
    )


def test_somebody_spoken_of_does_not_come_by_it():
    causal("Ana: I trust Cyrus. | AB\nBo: I agree with Cyrus. | AB", present=("Ana", "Bo"))


@pytest.mark.parametrize(
    ("opening", "there"),
    [
        ("Hi Bo, shall we?", "AB"),
        ("Hi Bo and Dora, shall we?", "ABD"),
        ("Hey guys, shall we?", "ABCD"),
        ("Sorry, I have to run.", "ABCD"),
        ("Bo, Dora, I have to run.", "ABD"),
        ("Shall we?", "ABCD"),
    ],
)
def test_who_is_there_as_a_talk_begins(opening, there):
    causal(f"Ana: {opening} | {there}")


def test_a_company_is_counted_on_until_it_is_heard():
    causal("Ana: You two, listen. | ABCD\nBo: To what? | ABCD\nCyrus: Hush. | ABC")
    causal("Ana: Listen. | ABCD\nBo: To what? | AB\nCyrus: Hush. | ABC")
    causal(
        """
        Ana: I have to run. | ABCD
        Bo: Bye, Ana. | ABCD
        Cyrus: Bye, Ana. | ABCD
        Bo: Now then. | BCD
        Cyrus: Yes. | BC
        """
    )


def test_joint_misspelt_and_unknown_speakers():
    causal(
        """
        Ana and Bo: Cheers! | AB
        Cyrsu: And to you. | ABC
        Zoe: May I join? | ABCZ
        All: Of course! | ABCZ
        """,
        present=("Ana", "Bo"),
    )


def test_a_latecomer_was_not_there_before():
    hindsight(
        """
        Ana: Shall we begin? | ABC
        Bo: Let's. | ABC
        Cyrus: Here is the map. | ABC
        Ana: Good. | ABC
        Bo: Good. | ABC
        Cyrus: Good. | ABC
        Dora: Hello everyone, sorry I'm late. | ABCD
        """
    )


def test_without_a_greeting_the_talk_must_have_gone_round_twice():
    hindsight("Ana: One. | ABC\nBo: Two. | ABC\nAna: Three. | ABC\nCyrus: Four. | ABC")
    hindsight("Ana: One. | AB\nBo: Two. | AB\nAna: Three. | AB\nBo: Four. | AB\nCyrus: Five. | ABC")


def test_you_both_are_the_first_two_others():
    hindsight(
        "Ana: You both, sit. | ABC\nBo: Thanks. | ABC\nCyrus: Hi, Ana! | ABC\nDora: Hi, Ana! | ABCD"
    )


def test_who_comes_back_had_gone_with_their_last_words():
    talk = """
        Ana: One, Bo. | ABC
        Bo: Two. | ABC
        Cyrus: Three. | ABC
        Ana: Four. | AB
        Bo: Five. | AB
        Cyrus: I'm back. | ABC
        """
    hindsight(talk)
    hindsight(talk.replace("Four.", "Four, Cyrus.").replace("| AB\n", "| ABC\n"))  # was spoken to


def test_who_closes_the_talk_and_is_never_heard_again_left_with_those_words():
    talk = """
        Ana: It was great talking to you, Bo and Cyrus. | ABC
        Bo: Now, Cyrus. | BC
        Cyrus: Yes? | BC
        Bo: The map. | BC
        """
    hindsight(talk)
    at_the_end = "\n".join(talk.strip().splitlines()[:3])
    hindsight(at_the_end.replace("| BC", "| ABC"))


def test_a_talk_that_goes_round_and_round_without_somebody_is_without_them():
    rest = ["Bo: Yes, Cyrus. | {}", "Cyrus: No, Bo. | {}"]
    opening = "Ana: One, Bo and Cyrus. | ABC\n"
    hindsight(opening + "\n".join(line.format("BC") for line in rest * 4))
    hindsight(opening + "\n".join(line.format("ABC") for line in rest * 3))


def test_who_never_speaks_again_did_not_come_back():
    hindsight(
        """
        Ana: I have to run, Bo and Cyrus. | ABC
        Bo: So, Cyrus. | BC
        Cyrus: Welcome back, Ana. | BC
        Bo: Who? | BC
        """
    )


def test_nothing_said():
    assert perceivers([], cast=CAST) == []
    assert Presence(CAST).here == ()
    assert Presence((), present=()).after(Utterance("", "")) == ()
    assert Presence(CAST, present=("Ana", "Zoe")).here == ("Ana",)
