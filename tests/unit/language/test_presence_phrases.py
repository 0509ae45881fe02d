"""How phrases are written and found."""

from storykeeper.language.presence import books
from storykeeper.language.presence.phrasebook import Following, Phrasebook
from storykeeper.language.presence.wording import Wording
from strategies.tables import table


def found(lines, text, **lists):
    spans = Phrasebook(lines, lists).find(Wording(text))
    return [text[start:end] for start, end in spans]


@table(
    "line, text, words",
    [
        ("go home|out", "We go out and they GO HOME.", ["go out", "GO HOME"]),
        ("go home", "Going home; go homeward.", []),
        (
            "(just) go (right) now",
            "Just go now. Go right now.",
            ["Just go now", "Go right now", "go now"],
        ),
        ("my .. here", "My new black horse is here.", ["My new black horse is here"]),
        ("my .. here", "My one two three four five is here.", []),
        ("my .. here", "My horse. Here it is.", []),
        (
            "love to ... but",
            "I'd love to, really, if you ask, but no.",
            ["love to, really, if you ask, but"],
        ),
        ("go !on|by", "Go on. Go in.", ["Go"]),
        ("bye , all", "Bye all. Bye, all.", ["Bye all", "Bye, all"]),
        ("my .. ~is up", "My time's up. My time is up.", ["My time's up", "My time is up"]),
        (
            "^ off to bed",
            "Off to bed! I was off to bed. Well, off to bed.",
            ["Off to bed", "off to bed"],
        ),
        (
            "run $",
            "I run. I run a mill. I run, you run and we run now.",
            ["run", "run", "run", "run"],
        ),
        ("<must> go", "I must go; you have to go.", ["must go", "have to go"]),
    ],
)
def test_what_a_line_finds(line, text, words):
    assert sorted(found(line, text, must="must / have to")) == sorted(words)


def test_lists_may_use_lists():
    lists = {"must": "(<really>) must\nhave to", "really": "really / just"}
    assert found("I <must> go", "I really must go. I have to go.", **lists) == [
        "I really must go",
        "I have to go",
    ]


def test_one_phrase_after_another():
    book = Following(Phrasebook("I must|will"), Phrasebook("go home\nrun $"))
    text = "I must run. I will go home, I must run a mill, I must go."
    assert [text[a:b] for a, b in book.find(Wording(text))] == ["I must run", "I will go home"]


def test_what_stands_right_before_and_right_after():
    text = "Where is Ana now? Ana is gone."
    wording = Wording(text)
    assert Phrasebook("where is").before(wording, 9) == (0, 8)
    assert Phrasebook("where is").before(wording, 18) is None
    assert Phrasebook("is gone").at(wording, 21) == (22, 29)
    assert Phrasebook("is gone").at(wording, 12) is None


def test_every_book_of_the_file_can_be_read_by_one_and_by_several():
    named = books._sections()[1]
    assert len(named) == 30
    for scope, name in named:
        for joint in (False, True):
            book = books.book(scope, name, joint=joint)
            for word in book._by_word:  # a list that is not there is a KeyError
                assert book._pattern(word, first=True) is not None


def test_what_several_say_is_said_of_us():
    text = Wording("We're off now.")
    assert books.book("going", "being off", joint=True).find(text) == [(0, 9)]
    assert books.book("going", "being off").find(text) == []
