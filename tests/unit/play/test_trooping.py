"""Who goes and comes in groups, after one another, and at the end of a list of verbs."""

import pytest
from msgspec import structs

from storykeeper.story.people import Character
from strategies.parlour import engine, parlour, tell


def story():
    """The parlour with Zed in it too."""
    plain = parlour()
    zed = Character(id="zed", name="Zed", pronouns="he/him", line="A guest.", at="parlour")
    cast = plain.scenes[0].cast.contingent
    scenes = tuple(
        structs.replace(s, cast=structs.replace(s.cast, contingent=(*cast, "zed")))
        for s in plain.scenes
    )
    return structs.replace(plain, cast=(*plain.cast, zed), scenes=scenes)


def with_ann(*proses):
    """Who is with Ann after these renderings, awake; Mara, Tom and Zed were, Eve was not."""
    keeper = engine(story())
    for prose in proses:
        tell(keeper, prose)
    keeper.end_scene()
    world = keeper.world()
    gone = (*world.away, *world.asleep)
    here = [w for w, at in world.places.items() if at == "parlour" and w not in gone]
    return {w for w in here if w in world.plan.cast} - {"ann"}


ALL = "mara tom zed"
GROUPS = [
    ("Everyone but Mara leaves.", "mara"),
    ("Everybody except Tom left.", "tom"),
    ("Everyone except for Mara and Tom walks out.", "mara tom"),
    ("Nobody but Tom leaves.", "mara zed"),
    ("No one except Mara stays.", "mara"),
    ("All except Tom stay.", "mara zed"),
    ("Only Mara stays.", "mara"),
    ("They all leave except Mara.", "mara"),
    ("Everyone but Tom is asleep.", "tom"),
    ("Mara sits down. The others leave.", "mara"),
    ("Both men leave.", "mara"),
    ("The two men go to the garden.", "mara"),
    ("The men file out.", "mara"),
    ("Everyone but Mara goes to the cellar.", "mara"),
    ("Nobody leaves.", ALL),
    ("Everyone but Mara laughs.", ALL),
    ("Everyone stays.", ALL),
    ("If everyone but Mara leaves, it is quiet.", ALL),
    ("Only Tom remains unconvinced.", ALL),
    ("The others laugh.", ALL),
    ("Mara hopes that the others leave.", ALL),
    ("Everyone but Mara leaves it at that.", ALL),
]
LISTS = [
    ("Tom takes his hat, nods, and walks out.", "mara zed"),
    ("Tom rises, bows, and goes to the cellar.", "mara zed"),
    ("Tom rose, excused himself, and went to the attic, closing the door.", "mara zed"),
    ("Tom makes his way to the cellar.", "mara zed"),
    ("Tom wanders into the garden.", "mara zed"),
    ("Tom crosses to the cellar.", "mara zed"),
    ("Tom slips away to the attic.", "mara zed"),
    ("Tom heads for the garden.", "mara zed"),
    ("Tom descends to the cellar.", "mara zed"),
    ("Tom lets himself out.", "mara zed"),
    ("Tom backs out of the door.", "mara zed"),
    ("Mara shows Tom out.", "mara zed"),
    ("Tom leaves them to it.", "mara zed"),
    ("Tom takes his hat, nods, and sits down.", ALL),
    ("Tom points to the cellar.", ALL),
    ("Tom returns the book to the attic shelf.", ALL),
    ("Tom wants to wander into the garden.", ALL),
    ("Tom often wanders into the garden.", ALL),
    ("Tom leaves them to their cards.", ALL),
    ("Mara helps Tom out.", ALL),
    ("Tom lets himself smile.", ALL),
    ("Tom left school at fourteen.", ALL),
    ("Tom dies laughing.", ALL),
    ("Tom runs out of patience.", ALL),
]
COMPANIONS = [
    ("Tom goes to the garden, and Zed follows.", "mara"),
    ("Tom leaves, followed by Zed.", "mara"),
    ("Tom leaves, Zed at his heels.", "mara"),
    ("Tom leaves. Zed goes with him.", "mara"),
    ("Tom leads Zed out.", "mara"),
    ("“Shall we?” says Tom. He and Zed go to the garden.", "mara"),
    ("Tom beckons Zed, and they go to the garden.", "mara"),
    ("Tom goes to the garden, taking Zed with him.", "mara"),
    ("Tom talks, and Zed follows.", ALL),
    ("Tom leaves. Zed follows the argument.", "mara zed"),
    ("He nods to Mara and Tom leaves.", "mara zed"),
    ("Tom leads Zed to the window.", ALL),
]
ARRIVALS = [
    "The door opens and Eve steps into the parlour.", "Eve bursts in.", "Eve arrives.",
    "Eve appears in the doorway.", "In comes Eve.", "The door opens. It is Eve.",
    "Mara lets Eve in.", "Eve slips in through the window.",
]  # fmt: skip
NO_ARRIVALS = [
    "Through the window you see Eve walk in the garden.", "Mara hopes that Eve arrives.",
    "If Eve arrives, all is well.", "Eve arrives at the attic.", "Mara lets Eve down.",
    "Eve comes in third.", "It is Eve of whom Tom speaks.", "Before Eve arrives, Tom sits down.",
]  # fmt: skip


@pytest.mark.parametrize(("prose", "stay"), [*GROUPS, *LISTS, *COMPANIONS])
def test_those_who_go_are_gone_and_the_others_are_not(prose, stay):
    assert with_ann(prose) == {*stay.split()}


@pytest.mark.parametrize("prose", ARRIVALS)
def test_who_comes_in_is_there(prose):
    assert "eve" in with_ann("Rain falls.", prose)


@pytest.mark.parametrize("prose", NO_ARRIVALS)
def test_who_does_not_come_is_not_there(prose):
    assert "eve" not in with_ann("Rain falls.", prose)


def test_they_are_the_two_who_left():
    assert with_ann("Tom and Zed leave.", "They come back.") == {*ALL.split()}


@pytest.mark.parametrize(
    ("prose", "awake"),
    [
        ("Tom pours coffee.", True), ("Tom laughs.", True), ("Tom sits up.", True),
        ("“Good morning,” says Tom.", True), ("Tom snores.", False), ("Tom rolls over.", False),
        ("Tom laughs in his sleep.", False), ("“Mother,” mumbles Tom.", False),
    ],
)  # fmt: skip
def test_a_sleeper_who_plainly_acts_is_awake(prose, awake):
    assert ("tom" in with_ann("Tom falls asleep.", prose)) == awake
