"""Who cannot hear: ears covered, deaf, out cold; and who hears again."""

import pytest
from msgspec import structs

from strategies.runs import unkept
from unit.engine.test_not_for_all import ALL, hall, knowing, played

SAID = '"It is marzipan," says Mara.'
DEAF = [
    "Tom puts on his headphones.", "Tom put his headphones on.", "Tom is wearing earplugs.",
    "Tom slips his earbuds in and closes his eyes.", "Tom wore a headset.",
    "Tom pulls the headphones over his ears.", "Tom covers his ears.",
    "Tom put his hands over his ears.",
    "Tom is deaf.", "Tom is stone deaf.", "The blast deafens Tom.", "Tom went deaf.",
    "Tom plugs his ears with wax.", "Tom has his headphones on.", "Tom, who is deaf, smiles.",
    "Tom is listening to music through his headphones.", "Tom was born deaf.",
]  # fmt: skip
OUT = [
    "Tom is unconscious.", "Tom faints.", "Tom is out cold.", "Tom has been drugged.",
    "Mara has drugged Tom.", "Zed knocks Tom out.", "Tom is snoring.", "Tom snores by the fire.",
    "Tom blacked out.", "Tom passes out.", "Tom falls unconscious.", "Tom sank into a deep sleep.",
    "Tom lies senseless on the floor.", "Tom is in a coma.",
    "Tom slumps over, unconscious.", "Tom has passed out.",
]  # fmt: skip
HEARING = [
    "Tom puts the headphones on the table.", "Tom buys headphones.", "Tom holds his headphones.",
    "Tom looks at the headphones.", "Tom is deaf to argument.", "Tom is deaf in one ear.",
    "Tom turns a deaf ear.", "Tom is not deaf.",
    "Tom pretends to be deaf.", "Tom sleeps around.", "Tom never sleeps.",
    "Tom sleeps with Zed.", "Tom is unconscious of the danger.", "Tom is half asleep.",
    "Tom scratches his ears.", "Tom puts on his hat.", "The tea is drugged.", "Tom wants to sleep.",
    "Tom sleeps badly these days.", "Tom almost faints.", "Tom takes off his headphones.",
]  # fmt: skip
AGAIN = [
    ("Tom puts on his headphones.", "Tom takes off the headphones."),
    ("Tom puts on his headphones.", "Tom removes the headphones."),
    ("Tom is wearing earplugs.", "Tom pulls out the earplugs."),
    ("Tom puts on his headphones.", "Tom pulled the headphones off."),
    ("Tom puts on his headphones.", "Tom pushes the headphones down around his neck."),
    ("Tom covers his ears.", "Tom uncovers his ears."),
    ("Tom covers his ears.", "Tom takes his hands from his ears."),
    ("Tom is deaf.", "Tom can hear again."),
    ("Tom faints.", "Tom comes to."), ("Tom faints.", "Tom came round."),
    ("Tom faints.", "Tom comes to on the floor."), ("Tom is snoring.", "Tom wakes."),
    ("Tom is unconscious.", "Tom regains consciousness."),
    ("Mara has drugged Tom.", "Tom opens his eyes."),
]  # fmt: skip
STILL = [
    ("Tom puts on his headphones.", "Tom nods to the music."),
    ("Tom puts on his headphones.", "Tom takes off his hat."),
    ("Tom is deaf.", "Tom sits down."),
    ("Tom is unconscious.", "Mara comes to the door."),
]


@pytest.mark.parametrize("prose", [*DEAF, *OUT])
def test_who_cannot_hear_does_not(prose):
    assert knowing(played(f"{prose} {SAID}"), "arzipan") == ALL - {"tom"}
    to_him = '"It is marzipan," says Mara to Tom.'
    assert knowing(played(f"{prose} {to_him}"), "arzipan") == ALL - {"tom"}
    assert knowing(played(prose + ' Mara whispers to Tom, "Marzipan."'), "arzipan") == {"mara"}


@pytest.mark.parametrize("prose", HEARING)
def test_who_can_hears(prose):
    assert knowing(played(f"{prose} {SAID}"), "arzipan") == ALL


@pytest.mark.parametrize(("prose", "after"), AGAIN)
def test_who_hears_again(prose, after):
    assert knowing(played(f"{prose} {after} {SAID}"), "arzipan") == ALL


@pytest.mark.parametrize(("prose", "after"), STILL)
def test_who_does_not(prose, after):
    assert knowing(played(f"{prose} {after} {SAID}"), "arzipan") == ALL - {"tom"}


@pytest.mark.parametrize("prose", DEAF)
def test_who_does_not_hear_sees(prose):
    keeper = played(f"{prose} Mara takes the knife.")
    assert [p.place for p in keeper.knows("tom").places if p.what == "knife"] == ["mara"]


def test_what_a_player_says_to_the_deaf_is_not_heard():
    keeper = unkept(hall())
    keeper.render(keeper.opening(), "Tom puts on his headphones.")
    keeper.render(keeper.begin('I say to Tom: "It is marzipan."'), "Rain.")
    keeper.end_scene()
    assert knowing(keeper, "arzipan") == ALL - {"tom"}


def test_whom_the_author_made_deaf():
    story = hall()
    cast = tuple(structs.replace(c, deaf=c.id == "tom") for c in story.cast)
    keeper = unkept(structs.replace(story, cast=cast))
    keeper.render(keeper.opening(), f"{SAID} The sign on the wall reads: “Nougat.”")
    keeper.begin("I wait.")
    assert knowing(keeper, "marzipan") == ALL - {"tom"}
    assert "tom" in knowing(keeper, "Nougat")
