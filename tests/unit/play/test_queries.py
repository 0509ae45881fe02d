"""Which question of what is so a line is, by the words that English asks with."""

from storykeeper.language.names import Names
from storykeeper.play.queries import Asked, is_about_the_program, query
from storykeeper.units import EntityId
from strategies.tables import table

NAMES = Names(
    (
        (EntityId("mara"), ("Mara",)),
        (EntityId("tower"), ("the tower",)),
        (EntityId("key"), ("the brass key", "the key")),
        (EntityId("coat"), ("the grey coat", "the coat")),
        (EntityId("crock"), ("the oat crock", "the crock")),
    )
)


@table(
    "line, asked, about",
    [
        ("who is here?", Asked.COMPANY, None),
        ("is there somebody else here", Asked.COMPANY, None),
        ("Am I alone?", Asked.COMPANY, None),
        ("what do I have on me", Asked.HOLDING, None),
        ("whats in my bag?", Asked.HOLDING, None),
        ("have i still got the key?", Asked.HAVING, "key"),
        ("where the hell am i", Asked.WHEREABOUTS, None),
        ("Where are we?", Asked.WHEREABOUTS, None),
        ("what can I see from here", None, None),
        ("what do i see here?", Asked.WHEREABOUTS, None),
        ("where did the key go?", Asked.WHERE, "key"),
        ("where's mara", Asked.WHERE, "mara"),
        ("how would I get to the tower from here?", Asked.ROUTE, "tower"),
        ("I am lost, how do I get back to the tower", Asked.ROUTE, "tower"),
        ("where could I go now", Asked.WAYS, None),
        ("how do i get out of here", Asked.WAYS, None),
        ("who am I again?", Asked.SELF, None),
        ("ok so am i the child now", Asked.SELF, None),
        ("who was Mara?", Asked.WHO, "mara"),
        ("whose is that grey coat?", Asked.WHOSE, "coat"),
        ("who does the coat belong to?", Asked.WHOSE, "coat"),
        ("is the key in here?", Asked.SIGHT, "key"),
        ("what is under the crock", Asked.LOOKS, "crock"),
        ("what does the coat look like?", Asked.LOOKS, "coat"),
        ("why did Mara do that", Asked.WHAT, "mara"),
        ("what should I do next?", Asked.TASK, None),
        ("im stuck", Asked.TASK, None),
        ("do i have to go?", Asked.MAY, None),
        ("sit down", None, None),
        ("do you know where the key is?", None, None),
        ('"Where is the key?"', None, None),
        ("The tower is white.", None, None),
    ],
)
def test_a_question_of_what_is_so(line, asked, about):
    found = query(line, NAMES)
    assert (found.asked if found else None, found.about if found else None) == (asked, about)


@table(
    "line, program",
    [
        ("is this an ai?", True),
        ("are you a bot", True),
        ("am I talking to a computer?", True),
        ("is the game still in the larder?", False),
        ("shoot the game", False),
    ],
)
def test_a_question_about_the_program(line, program):
    assert is_about_the_program(line) is program
