"""What players type, and what it comes to. The names and acts are those of the example."""

import time

from storykeeper.language.lines import MAX_ACTS, Act
from storykeeper.language.verbs import acts_in, plain
from strategies.lines import read
from strategies.tables import table


def told(line):
    """The acts of a line as conditions see them; what else they refer to is in test_lines_read."""
    return [
        Act(a.act, to=a.to, about=a.about, place=a.place, words=a.words, whispered=a.whispered)
        for a in read(line).acts
    ]


def said(words):
    return Act("say", words=words)


def go(place=None, to=None):
    return Act("go", place=place, to=to)


ONE = [
    # asking and telling
    ("I ask Mara about the brass key.", Act("ask", "mara", "brass-key")),
    ("ask mara about key", Act("ask", "mara", "brass-key")),
    ("Ask Mara where the brass key went", Act("ask", "mara", "brass-key")),
    ("ASK MARA ABOUT THE KEY!!!", Act("ask", "mara", "brass-key")),
    ("I want to ask Tobit about the tower", Act("ask", "tobit", "tower")),
    ("question Pell about the Perpetua", Act("ask", "pell", "perpetua")),
    ("ask her abt the key", Act("ask", None, "brass-key")),  # whoever she is
    ("ask about the lens", Act("ask", None, "lens")),
    ("Mara, where is the key?", Act("ask", "mara", "brass-key")),
    ("what is the lens?", Act("ask", None, "lens")),
    ("who is Tobit?", Act("ask", None, "tobit")),
    ("Ask Mara about Abel Rudd's coat", Act("ask", "mara", "grey-coat")),
    ("I ask Mara about Wil and the Fetch.", Act("ask", "mara", "wil")),
    ("I ask Mara and Pell about the key.", Act("ask", "mara", "brass-key")),
    ("I tell Mara about the lens.", Act("tell", "mara", "lens")),
    ("I tell Mara that the lens is sold", Act("tell", "mara", "lens")),
    ("tell tobit the truth about Abel", Act("tell", "tobit", "abel")),
    ("I explain to Mara about the order", Act("tell", "mara", "order")),
    ("I answer the crying child.", Act("answer", "crying-child")),
    ("thank mara", Act("thank", "mara")),
    # looking, taking, giving
    ("> look", Act("look")),
    ("> look at chip", Act("look")),  # nobody has a chip yet
    ("look at the grey coat", Act("look", "grey-coat")),
    ("look at Mara's grey coat", Act("look", "grey-coat")),
    ("I look in the oat crock.", Act("look", "oat-crock")),
    ("examine the lens", Act("look", "lens")),
    ("x lens", Act("look", "lens")),
    ("could I look at the lens", Act("look", "lens")),
    ("I look at the sand.", Act("look", "sleeves")),
    ("I look round the watch room", Act("look", "tower")),  # and nobody watches
    ("search the oat crock", Act("search", "oat-crock")),
    ("take key", Act("take", "brass-key")),
    ("I take the brass key.", Act("take", "brass-key")),
    ("pick up the brass key", Act("take", "brass-key")),
    ("grab the brass   key", Act("take", "brass-key")),
    ("give Mara the order", Act("give", "mara", "order")),
    ("I give the order to Mara.", Act("give", "mara", "order")),
    ("hand the order to Mara", Act("give", "mara", "order")),
    # doing
    ("I light the lamp.", Act("light", "lamp")),
    ("I lit the lamp", Act("light", "lamp")),
    ("lighting the lamp", Act("light", "lamp")),
    ("I try to light the lamp", Act("light", "lamp")),
    ("🔥 light the lamp 🔥", Act("light", "lamp")),
    ("*I light the lamp*", Act("light", "lamp")),
    ("I pump the lamp", Act("pump", "lamp")),
    ("I keep the lamp", Act("keep", "lamp")),
    ("I stay with the lamp.", Act("stay", "lamp")),
    ("I leave the lamp dark.", Act("leave", "lamp")),
    ("I read the order.", Act("read", "order")),
    ("I read the second book.", Act("read", "second-log")),
    ("I open the log cupboard.", Act("open", "cupboard")),
    ("unlock the cupboard with the brass key", Act("unlock", "cupboard")),
    ("I carry the crying child home.", Act("carry", "crying-child")),
    ("I follow Mara.", Act("follow", "mara")),
    ("I'd like to follow Tobit", Act("follow", "tobit")),
    ("I listen to Pell.", Act("listen", "pell")),
    ("I wait.", Act("wait")),
    ("z", Act("wait")),
    ("I wait for sunset.", Act("wait")),
    ("I sit down at the table.", Act("sit")),
    ("*I nod slowly*", Act("nod")),
    ("I count.", Act("count")),
    # not doing
    ("I refuse to set it down.", Act("refuse")),
    ("I refuse to light the lamp.", Act("refuse", "lamp")),
    ("I stop pumping the lamp", Act("stop", "lamp")),
    # going
    ("I go to the landing.", go("landing")),
    ("go landing", go("landing")),
    ("walk to the kitchen", go("kitchen")),
    ("I went to the lamp room", go("lamp-room")),
    ("head for the tower", go("tower")),
    ("descend to the landing", go("landing")),
    ("I go back over the causeway.", go("causeway")),
    ("I go to the landing with Tobit", go("landing", "tobit")),
    ("I walk home.", go()),
]

SEVERAL = [
    ("show Mara the brass key",  # the author waits for somebody to show something
     [Act("show", "mara", "brass-key"), Act("give", "mara", "brass-key")]),
    ("I take the key, then go to the tower", [Act("take", "brass-key"), go("tower")]),
    ("I take the brass key and go to the tower.", [Act("take", "brass-key"), go("tower")]),
    ("I open the cupboard. I read the second book.",
     [Act("open", "cupboard"), Act("read", "second-log")]),
    ("ask pell about the plate; listen to pell",
     [Act("ask", "pell", "heron-plate"), Act("listen", "pell")]),
    ("I ask Pell about the Perpetua, and then wait",
     [Act("ask", "pell", "perpetua"), Act("wait")]),
    ("look at the lens\nlight the lamp", [Act("look", "lens"), Act("light", "lamp")]),
    ("I climb to the lamp room", [Act("climb", "lamp-room"), go("lamp-room")]),
    ("I don't wait, I light the lamp", [Act("light", "lamp")]),
    ('"Where is the key?"', [said("Where is the key?"), Act("ask", None, "brass-key")]),
    ("“Where is the key?” I ask Mara.",
     [said("Where is the key?"), Act("ask", "mara", "brass-key")]),
    ('I ask Mara, "Where is the brass key?"',
     [said("Where is the brass key?"), Act("ask", "mara", "brass-key")]),
    ('"Not now," I whisper to Pell',
     [Act("say", "pell", words="Not now,", whispered=True), Act("whisper", "pell")]),
    ("Mara, tell me about the lens", [Act("ask", "mara", "lens")]),
    ("tell me about the lens, Pell", [Act("ask", "pell", "lens")]),
    ("Tell Mara that the Office has sold the lens", [Act("tell", "mara", "lens")]),
    ("I watch her light the lamp", [Act("look", "lamp")]),
    ("I'm going to the tower", [go("tower")]),
    ("I rush to the tower", [go("tower")]),
    ('I say "hello" to Pell', [said("hello"), Act("tell", "pell")]),
    ('"One." "Two."', [said("One."), said("Two.")]),
    ('"I light the lamp"', [said("I light the lamp")]),  # said is not done
]  # fmt: skip

NOTHING = [
    "", "   ", "\n\n", ">", "* *", "👀", "…", "!!!", "PELL", "MARA!!!", "123", "the lamp",
    "I don't light the lamp", "I do not light the lamp.", "I won’t follow Tobit",
    "I never ask Mara about the key", "Should I tell Mara about the lens?",
    "I decide against telling Mara about the lens", "I almost tell Mara about the lens",
    "I will tell Mara about the lens later", "I tell Mara nothing about the lens",
    "I wonder where the key is", "Pell tells Mara about the lens",
    "спросить Мару о ключе", "灯を点ける", "اسأل مارا",
    "שאל את מארה", "\u200b", "\x00",
]  # fmt: skip


def test_there_are_enough_of_them():
    assert len(ONE) + len(SEVERAL) + len(NOTHING) >= 100


@table("line, act", ONE)
def test_one_act(line, act):
    assert told(line) == [act]


@table("line, acts", SEVERAL)
def test_several_acts_and_speech(line, acts):
    assert told(line) == acts


@table("line", NOTHING)
def test_nothing_is_done(line):
    assert told(line) == []


@table(
    "text",
    [
        "I ask Mara about the key. " * 2_000,
        "word " * 10_000,
        "and then " * 10_000,
        '"' * 10_000,
        "“a" * 10_000,
        "the " * 10_000 + "key",
        "a" * 60_000,
        "I look at Mara's " * 3_000,
        " " * 60_000,
        "?!" * 30_000,
        "not " * 10_000,
        "and i " * 10_000,
        "a" + " " * 60_000 + "b",
        "a" + " \n" * 30_000 + "b",
        "a" + " ," * 30_000 + "b",
        "lamp" + " and" * 15_000,
        "the log" + " " * 60_000,
        "(( a" * 15_000,
        "[ooc " * 12_000,
        "*a " * 20_000,
        "cup of " * 8_500,
        "the lamp, go, " * 4_300,
        "mara's " * 8_500,
        "kitchne " * 7_500,
        '"hi." A ' * 8_000,
        "<a " * 20_000,
        "n " * 30_000,
        "e\u0301\u0320" * 20_000,
    ],
)
def test_a_pasted_text_takes_no_time_and_few_acts(text):
    start = time.process_time()
    acts = read(text).acts
    assert time.process_time() - start < 10  # it must not grow with the square; machines differ
    assert len(acts) <= MAX_ACTS


@table(
    "word, base",
    [("asks", "ask"), ("asked", "ask"), ("carries", "carry"), ("carried", "carry"), ("went", "go"),
     ("lighting", "light"), ("stopped", "stop"), ("watches", "watch"), ("pass", "pass"),
     ("goes", "go"), ("Told", "tell"), ("calls", "call"), ("calling", "call"), ("is", "be")],
)  # fmt: skip
def test_plain_forms(word, base):
    assert plain(word) == base


def test_the_authors_acts_win_over_what_they_usually_stand_for():
    assert acts_in("examine it", frozenset({"examine"})) == ("examine", "look")
    assert acts_in("placing it", frozenset({"place"})) == ("plac", "place")
    assert acts_in("I softly ring", frozenset({"ring"})) == ("softly", "ring")
