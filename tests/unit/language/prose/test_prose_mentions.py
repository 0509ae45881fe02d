"""What prose refers to: heads, sorts, descriptions, owners, wholes and places."""

from __future__ import annotations

import pytest
from reading_prose import head_of, mention, of_sort, read

from storykeeper.language.reading import Gender, MentionKind, Sort
from strategies.tables import table

# text → every thing in it, in order
THINGS = {
    "A cup of coffee stood on the table, with a small chip in the rim.": "cup table",
    "She looked at the cup.": "cup",
    "She picked up the cup, noticed the chip, and began to cry.": "cup",
    "He put on a pair of boots and took his hat.": "boot hat",
    "It was a kind of lamp with a green handle.": "lamp",
    "She kept a piece of paper in a box of matches.": "paper box match",
    "Two knives and a plate of bread lay beside the stove.": "knife plate stove",
    "A bunch of flowers stood in a vase.": "flower vase",
    "The coffee cup was cold.": "cup",
    "Tanya's phone rang.": "phone",
    "He took a seat by the fire.": "seat",
    "She found an old brass key, a lantern and a letter in the drawer.":
        "key lantern letter drawer",
    "The men carried crates of oranges to the boat.": "crate orange boat",
    "You open the door and see a mirror.": "door mirror",
    "I drop the torch.": "torch",
    "He walks to the window with his pipe.": "window pipe",
    "The sheet of paper was folded.": "paper",
    "Half of the candles had burnt down.": "candle",
    "One of the cups was broken.": "cup cup",
    "A cart rattles into the yard.": "cart",
    "The telephone rang while he slept.": "telephone",
    "You tear off the copy and lose the token.": "copy token",
    "The stew is thin and peppery.": "stew",
    "He reads a newspaper, a real one.": "newspaper newspaper",
    "She sat bolt upright on the sofa.": "sofa",
}  # fmt: skip

# text → no thing at all: idioms, light nouns, weather, states
NO_THINGS = [
    "He took a look around and waited for a moment.",
    "In fact she knew it by heart.",
    "On the other hand, there was little time.",
    "In the end she gave her word.",
    "She had the answer at hand.",
    "He did it by hand, on foot and in silence.",
    "In any case it was too late.",
    "The house was on fire.",
    "He kept watch and took note.",
    "Her life was at stake.",
    "She took a step and caught her breath.",
    "There was no sign of life.",
    "A cold wind blew and the rain fell.",
    "It was a matter of time.",
    "He cleared his throat and made a face.",
    "She gave him a smile and a nod.",
    "They lost track of the hours.",
    "At present nobody was on board.",
    "Old Abel kicked the bucket last week.",
    "It was a piece of work.",
    "They went in one after another.",
]

SORTS = {
    "the kitchen": ("The kitchen was cold.", "kitchen", Sort.PLACE),
    "a street": ("He crossed the street.", "street", Sort.PLACE),
    "a hand": ("She raised her hand.", "hand", Sort.PART),
    "water": ("He drank the water.", "water", Sort.MATTER),
    "a wolf": ("A wolf came out of the trees.", "wolf", Sort.ANIMAL),
    "a crew": ("The crew slept.", "crew", Sort.GROUP),
    "an hour": ("He waited an hour.", "hour", Sort.TIME),
    "silence": ("The silence grew.", "silence", Sort.ABSTRACT),
    "a chest of drawers": ("An oak chest stood there.", "chest", Sort.THING),
    "a chest that breathes": ("His chest hurt.", "chest", Sort.PART),
    "a man": ("A man came in.", "man", Sort.PERSON),
    "a name": ("Tanya came in.", "Tanya", Sort.PERSON),
    "a named place": ("They sailed to Paris.", "Paris", Sort.PLACE),
    "she": ("She came in.", "she", Sort.PERSON),
    "a lid, which comes off": ("She lifted the lid of the box.", "lid", Sort.THING),
    "a pocket, of a coat": ("The pocket of the coat was torn.", "pocket", Sort.PART),
    "a pocket of hers": ("She put it in her pocket.", "pocket", Sort.THING),
    "chips for a computer": ("He put two data chips on the counter.", "chip", Sort.THING),
    "one of them later": ("He had two data chips. You took the black chip.", "chip", Sort.THING),
    "a horse of wood": ("A rocking horse stood there.", "horse", Sort.THING),
    "that horse later": ("A rocking horse stood there. The horse moved.", "horse", Sort.THING),
    "coffee in a cup": ("A cup of coffee stood there.", "coffee", Sort.MATTER),
    "coffee": ("He drank his coffee.", "coffee", Sort.THING),
    "a strip of cloth": ("She tied a strip of cloth round it.", "cloth", Sort.THING),
    "a number": ("Locker nineteen was open.", "Locker nineteen", Sort.THING),
    "pages of a book": ("The pages of the book were torn.", "page", Sort.PART),
    "a lock, of a chest": ("The chest's lock was broken.", "lock", Sort.PART),
}

DESCRIBED = {
    "The chipped coffee cup fell.": ("cup", ("chipped", "coffee")),
    "A cup of coffee stood there.": ("cup", ("coffee",)),
    "He held a cup with a small chip.": ("cup", ("chip",)),
    "There was a crack in the mirror.": ("mirror", ("crack",)),
    "She held an old silver locket.": ("locket", ("old", "silver")),
    "Pressed flowers lay on the desk.": ("flower", ("pressed",)),
    "A small, rusty key hung there.": ("key", ("small", "rusty")),
    "Captain Rudd laughed.": ("Rudd", ("captain",)),
    "A broad-shouldered man came in.": ("man", ("broad-shouldered",)),
    "The other cup fell.": ("cup", ("other",)),
    "The lamp stood there.": ("lamp", ()),
    "He had his own knife.": ("knife", ()),
}

OWNERS = {
    "Tanya's phone rang.": ("phone", "Tanya"),
    "She lifted her cup.": ("cup", "her"),
    "The Wolf's ears were long.": ("ear", "Wolf"),
    "The cup of the old man was empty.": ("cup", "man"),
    "The old man's letter was lost.": ("letter", "man"),
    "You drop your lantern.": ("lantern", "your"),
    "I lost my key.": ("key", "my"),
    "The captain of the ship took his hat.": ("hat", "his"),
    "A man with a lantern came in.": ("lantern", ""),
    "Tom stood in the doorway with a rifle.": ("rifle", ""),
    "The table was bare.": ("table", ""),
    "A cup of coffee stood there.": ("cup", ""),
}

WHOLES = {
    "A cup with a small chip stood there.": ("chip", "cup"),
    "A cup of coffee stood on the table, with a small chip in the rim.": ("chip", "cup"),
    "She picked up the cup, noticed the chip, and began to cry.": ("chip", "cup"),
    "She touched the crack in the mirror.": ("crack", "mirror"),
    "He gripped the back of the chair.": ("back", "chair"),
    "Her hand shook.": ("hand", "her"),
    "The handle of the knife was bone.": ("handle", "knife"),
    "The Wolf's ears were long.": ("ear", "Wolf"),
    "There was a scratch on the lid.": ("scratch", "lid"),
    "She laid a hand on the letter.": ("hand", ""),
    "She took the jug. The handle was cold.": ("handle", "jug"),
    "He put the lamp on the shelf. The edge was sharp.": ("edge", "lamp"),
}

PLACES = {
    "A cup stood on the table.": ("cup", "on the table", "table"),
    "The cup on the table was hers.": ("cup", "on the table", "table"),
    "There is a key on the hook.": ("key", "on the hook", "hook"),
    "She put the letter under the pillow.": ("letter", "under the pillow", "pillow"),
    "He found a knife in the drawer.": ("knife", "in the drawer", "drawer"),
    "She sat at the table.": ("she", "at the table", "table"),
    "Tom waits by the window.": ("Tom", "by the window", "window"),
    "A cart stood in front of the church.": ("cart", "in front of the church", "church"),
    "Beside the lamp lay a book.": ("book", "Beside the lamp", "lamp"),
    "Wildflowers grew outside the window.": ("wildflower", "outside the window", "window"),
}


@table("text, things", THINGS.items())
def test_things(text: str, things: str):
    assert of_sort(read(text), Sort.THING) == things.split()


@table("text", NO_THINGS)
def test_what_is_no_thing(text: str):
    assert of_sort(read(text), Sort.THING) == []


@table("text, head, sort", SORTS.values())
def test_sorts(text: str, head: str, sort: Sort):
    assert mention(read(text), head).sort is sort


@table("text, expected", DESCRIBED.items())
def test_descriptors(text: str, expected: tuple[str, tuple[str, ...]]):
    assert mention(read(text), expected[0]).descriptors == expected[1]


@table("text, expected", OWNERS.items())
def test_possessors(text: str, expected: tuple[str, str]):
    reading = read(text)
    assert head_of(reading, mention(reading, expected[0]).possessor) == expected[1]


@table("text, expected", WHOLES.items())
def test_parts_have_a_whole(text: str, expected: tuple[str, str]):
    reading = read(text)
    part = mention(reading, expected[0])
    assert part.sort is Sort.PART
    assert head_of(reading, part.whole) == expected[1]


@table("text, expected", PLACES.items())
def test_places(text: str, expected: tuple[str, str, str]):
    reading = read(text)
    found = mention(reading, expected[0])
    assert (found.place, head_of(reading, found.near)) == expected[1:]


@table(
    "text, head, kind, person, gender, plural, definite",
    [
        ("She left.", "she", MentionKind.PRONOUN, 3, Gender.SHE, False, True),
        ("You leave.", "you", MentionKind.PRONOUN, 2, Gender.UNKNOWN, False, True),
        ("We left.", "we", MentionKind.PRONOUN, 1, Gender.UNKNOWN, True, True),
        ("I left.", "i", MentionKind.PRONOUN, 1, Gender.UNKNOWN, False, True),
        ("Tom left.", "Tom", MentionKind.NAME, 3, Gender.HE, False, True),
        ("Mrs. Dale left.", "Dale", MentionKind.NAME, 3, Gender.SHE, False, True),
        ("Mara Rudd left.", "Mara Rudd", MentionKind.NAME, 3, Gender.SHE, False, True),
        ("A waitress left.", "waitress", MentionKind.NOUN, 3, Gender.SHE, False, False),
        ("The keys fell.", "key", MentionKind.NOUN, 3, Gender.THEY, True, True),
        ("A key fell.", "key", MentionKind.NOUN, 3, Gender.IT, False, False),
        ("That key fell.", "key", MentionKind.NOUN, 3, Gender.IT, False, True),
        ("Her key fell.", "key", MentionKind.NOUN, 3, Gender.IT, False, True),
        ("Some keys fell.", "key", MentionKind.NOUN, 3, Gender.THEY, True, False),
    ],
)  # fmt: skip
def test_grammar(
    text: str,
    head: str,
    kind: MentionKind,
    person: int,
    gender: Gender,
    plural: bool,
    definite: bool,
):
    found = mention(read(text), head)
    assert (found.kind, found.person, found.gender) == (kind, person, gender)
    assert (found.plural, found.definite) == (plural, definite)


def test_a_mention_is_where_its_words_are():
    text = "She put a pair of old boots under Tanya's bed."
    for found in read(text).mentions:
        assert text[found.start : found.end] == found.text
    assert [m.text for m in read(text).mentions] == [
        "She", "a pair of old boots", "Tanya", "Tanya's bed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["It rained.", "It was late.", "It seems that he left.", "It is cold tonight.",
     "It was Mara who left.", "It was clear that he lied."],
)  # fmt: skip
def test_an_it_that_stands_for_nothing_is_no_mention(text: str):
    assert "it" not in [m.head for m in read(text).mentions]
