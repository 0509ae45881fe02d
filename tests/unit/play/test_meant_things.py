"""Which thing a noun of a rendering takes up, told as the engine tells it."""

from storykeeper.bench.mentions.following import objects_of
from storykeeper.language.prose import ProseReader
from strategies.tables import table

READER = ProseReader()

# text → its things, each with its mentions in order
TOLD = {
    # the same words began it
    "“There is a briefcase in the locker. Bring the briefcase to Sato,” he says.": [
        "a briefcase|the briefcase", "the locker",
    ],
    # another noun for it
    "He drew a sword. He laid the weapon on the table.": ["a sword|the weapon", "the table"],
    "She had a photograph. The picture was torn.": ["a photograph|The picture"],
    # two could be called so
    "A sword and a pistol lay there. He took the weapon.": ["a sword", "a pistol", "the weapon"],
    # a noun before the noun says which
    "He opened the kitchen door. Then he opened the back door.": [
        "the kitchen door", "the back door",
    ],
    # what is in it is not it
    "A jug of water stood there. The water was warm.": ["A jug"],
    # who carries it need not own it
    "A girl comes with a wooden bowl. You take your bowl.": ["a wooden bowl|your bowl"],
    # somebody is no thing
    "The papers lay there. Somebody came in.": ["The papers"],
    # parts stand for their whole, also before it was named
    "The handle of a knife stuck out.": ["The handle|a knife"],
    "He took the vase. His finger went round the lip.": ["the vase|the lip"],
    "She moved the window seat. An armchair stood there.": ["the window seat", "An armchair"],
    # compared, told of in a tale
    "A ruby the size of a plum lay there.": ["A ruby"],
    "He told her about a giant who kept an egg. He lost the egg.": [],
    # one of several
    "He sets one of the cups down.": ["one", "the cups"],
}  # fmt: skip


def things(text: str) -> list[str]:
    found = [sorted(each) for each in objects_of(text, READER)]
    return ["|".join(text[a:b] for a, b in each) for each in sorted(found)]


@table("text, expected", TOLD.items())
def test_what_is_one_and_what_is_not(text: str, expected: list[str]):
    found = [each.casefold() for each in things(text)]
    assert sorted(found) == sorted(each.casefold() for each in expected)


def test_an_it_that_could_be_two_is_left_alone():
    assert not any("it" in each.split("|") for each in things(
        "A cup and a bowl stood on the shelf. She took it."
    ))  # fmt: skip
