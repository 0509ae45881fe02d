"""Who heard the lines of a chat, read from the talk."""

from storykeeper import Memory
from storykeeper.memory.chats import Said
from storykeeper.memory.hearers import heard

TALK = (
    ("Ana", "Hi Bo, good to see you."),
    ("Bo", "And you, Ana. How is the mill?"),
    ("Cy", "Sorry I'm late!"),
    ("Bo", "I have to run, the ferry is in."),
    ("Ana", "Safe trip, Bo."),
    ("Cy", "So, Ana, what does he hide in the mill?"),
    ("Ana", "The deeds, under the stone."),
    ("Ana and Cy", "Good night!"),
)


def lines(talk=TALK, session="one"):
    return [Said(text, who, session=session) for who, text in talk]


def audiences(said):
    return [sorted(line.audience or ()) for line in heard(said)]


def test_who_has_left_or_not_yet_come_did_not_hear():
    assert audiences(lines()) == [
        ["Ana", "Bo"], ["Ana", "Bo"], ["Ana", "Bo", "Cy"], ["Ana", "Bo", "Cy"],
        ["Ana", "Bo", "Cy"], ["Ana", "Cy"], ["Ana", "Cy"], ["Ana", "Cy"],
    ]  # fmt: skip


def test_a_session_is_a_talk_of_its_own():
    both = lines() + lines([("Bo", "Back on Monday."), ("Dora", "Well?")], session="two")
    assert audiences(both)[-2:] == [["Bo", "Dora"], ["Bo", "Dora"]]


def test_what_a_line_says_for_whom_it_is_stands():
    said = [*lines(), Said("Only you.", "Ana", session="one", audience=frozenset({"Bo"}))]
    assert heard(said)[-1].audience == {"Bo"}


def test_people_of_one_letter_apart_stay_two():
    said = lines([("Ann", "Hello."), ("Anna", "Hello."), ("Ann", "Shall we?")])
    assert audiences(said)[-1] == ["Ann", "Anna"]


def test_lines_of_nobody():
    assert heard([Said("The lamp is lit.")])[0].audience is None
    assert audiences([*lines(), Said("A door shuts.", session="one")])[-1] == ["Ana", "Bo", "Cy"]
    assert heard([]) == ()


def test_whoever_left_does_not_find_what_was_said_then():
    with Memory.open(":memory:", embedder=None) as memory:
        memory.add_all(heard(lines()))
        assert not [
            hit for hit in memory.search("deeds stone", audience="Bo") if "deeds" in hit.item.text
        ]
        assert memory.search("deeds stone", audience="Cy")[0].item.text == TALK[6][1]
