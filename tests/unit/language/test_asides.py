"""What is said beside the story is kept, and is no part of it."""

from storykeeper.language.asides import without_asides
from strategies.lines import read, shown
from strategies.tables import table

ROWS = [
    ("((brb)) I nod", ["brb"], ["emote nod"]),
    ("I nod ((one sec (phone))) and wait", ["one sec (phone"], ["emote nod", "action wait"]),
    ("((a)) I nod ((b))", ["a", "b"], ["emote nod"]),
    ("((I take the key", ["I take the key"], []),
    ("((I take the key\nI nod", ["I take the key"], ["emote nod"]),
    ("// ooc: back in 5", ["back in 5"], []),
    ("// take the key", ["take the key"], []),
    ("I nod // that was fun", ["that was fun"], ["emote nod"]),
    ("OOC: brb", ["brb"], []),
    ("ooc brb", ["brb"], []),
    ("/ooc I take the key", ["I take the key"], []),
    ("I nod ooc: take the key", ["take the key"], ["emote nod"]),
    ("OOC: sorry. IC: I nod", ["sorry"], ["emote nod"]),
    ("[ooc: take the key] I nod", ["take the key"], ["emote nod"]),
    ("(ooc take the key) I nod", ["take the key"], ["emote nod"]),
    ("[out of character] take the key\nI nod", ["take the key"], ["emote nod"]),
    ("[out of character]", ["out of character"], []),
    ("(OOC) who has the dice?\nwait", ["who has the dice?"], ["action wait"]),
    ("Out of character: take the key", ["take the key"], []),
    # not beside the story
    ("take the key (quickly)", [], ["action take · target <brass-key>"]),
    ("look at http://ooc.example//x", [], ["observation look"]),
    ("look at the cooc", [], ["observation look · target the cooc"]),
]


@table("line, asides, acts", ROWS)
def test_asides_are_kept_apart(line, asides, acts):
    assert list(read(line).asides) == asides
    assert [shown(act) for act in read(line).acts] == acts


@table("line", [row[0] for row in ROWS])
def test_every_other_position_stays(line):
    inside, _ = without_asides(line)
    assert len(inside) == len(line)
    assert all(a in (b, " ") for a, b in zip(inside, line, strict=True))
