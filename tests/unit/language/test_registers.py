"""How a line is said, and what it says is felt."""

from strategies.lines import read
from strategies.tables import table

REGISTERS = [
    ("I ask Mara about the key", "plain"),
    ("", "plain"),
    ("I whisper to Pell that the key is gone", "whispered"),
    ('I say "wait" under my breath', "whispered"),
    ("I shout at him", "shouted"),
    ("GET OUT OF HERE!", "shouted"),
    ("ASK MARA", "plain"),  # capitals alone may be the keyboard's
    ("I don't shout", "plain"),
    ("shove him", "hostile"),
    ("shut up, mara", "hostile"),
    ("tell him i'll kill him", "hostile"),
    ("I playfully shove him", "playful"),
    ("I wink at tobit", "playful"),
    ("i beg you mara", "pleading"),
    ("please mara, please", "pleading"),
    ("good evening, madam", "formal"),
    ("I politely ask Pell about the plate", "formal"),
    ("I don't hit him", "plain"),
    ("kick the door", "plain"),
    ("kick him", "hostile"),
]
FEELINGS = [
    ("I take the key", "neutral"),
    ("angrily slam the door", "anger"),
    ("I look at her angrily", "anger"),
    ("I cry", "sadness"),
    ("sobbing, I take the key", "sadness"),
    ("I take the key with a grin", "joy"),
    ("tell mara i'm sorry", "shame"),
    ("i'm scared", "fear"),
    ("I'm not scared", "neutral"),
    ("I love you", "affection"),
    ("i hate you", "anger"),
    ("ask why she is crying", "neutral"),
    ("Mara is crying", "neutral"),
    ("I sigh", "weariness"),
    ("go north!!!", "excitement"),
    ("I smile at Mara", "warmth"),
]


@table("line, register", REGISTERS)
def test_registers(line, register):
    assert read(line).register == register


@table("line, feeling", FEELINGS)
def test_feelings(line, feeling):
    felt = read(line).feeling
    assert felt.name == feeling
    assert bool(felt) == (feeling != "neutral")
    assert -1 <= felt.valence <= 1
    assert 0 <= felt.arousal <= 1


def test_marks_make_a_feeling_stronger():
    assert read("I cry!!").feeling.arousal > read("I cry").feeling.arousal
    assert read("I cry!!").feeling.valence == read("I cry").feeling.valence


def test_who_hears_it_matters_more_than_how_it_is_meant():
    assert read("I whisper to Mara, you liar").register == "whispered"
