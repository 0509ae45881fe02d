"""What a player perceives is where they are: not for those where its doer is on record."""

import pytest

from storykeeper.story.conditions import At, Condition
from storykeeper.story.model import Soft, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Scene, SceneCast, Transition
from strategies.runs import unkept

ROOMS = ("hall", "yard", "library")
PEOPLE = {"ann": "hall", "ben": "hall", "mara": "hall", "tom": "hall", "pell": "yard"}
FEMALE = ("ann", "mara")
ALL = {"ann", "ben", "mara", "tom"}


def scene(room, required):
    others = tuple(
        Transition(to=f"in-{to}", when=Condition(at=At(who="player", place=to)))
        for to in ROOMS
        if to != room
    )
    contingent = tuple(who for who in PEOPLE if who not in required)
    cast = SceneCast(required=required, contingent=contingent)
    return Scene(
        id=f"in-{room}", title=room, setting=room, revisitable=True, cast=cast, leads_to=others
    )


def house(hears=(), required=(), **places):
    """Ann and Ben play; all are in the hall but Pell."""
    at = PEOPLE | places
    cast = tuple(
        Character(
            id=who, name=who.capitalize(), line="Somebody.", at=at[who],
            pronouns="she/her" if who in FEMALE else "he/him",
        )
        for who in PEOPLE
    )  # fmt: skip
    settings = tuple(
        Setting(
            room, f"the {room}", hears=tuple(hears) if room == "library" else (),
            paths=tuple(Path(to=to) for to in ROOMS[n + 1 :]),
        )
        for n, room in enumerate(ROOMS)
    )  # fmt: skip
    known = Soft("All", "Ann, Ben, Mara, Tom, Pell know one another.")
    story = Story(
        id="s", title="S", version="1", voice="Plain.", start="in-hall", players=("ann", "ben"),
        soft=(known,), cast=cast, settings=settings,
        scenes=tuple(scene(room, required if room == "hall" else ()) for room in ROOMS),
    )  # fmt: skip
    keeper = unkept(story)
    keeper.render(keeper.opening(), "Rain falls.")
    return keeper


def told(prose, line="I go to the library", keeper=None):
    keeper = keeper or house()
    keeper.render(keeper.begin(line, player="ann"), prose)
    keeper.begin("I wait.", player="ben")
    return keeper


def knowing(keeper, word="marzipan"):
    return {who for who in PEOPLE if word in keeper.brief(who, "a knock at the door").text}


UNEXPLAINED = [
    "Mara is already there. “It is marzipan,” she says.",
    "Mara is there before you. “It is marzipan,” she says.",
    "Mara looks up from the desk. “It is marzipan,” she says.",
    "“It is marzipan,” says Mara.",
    "“It is marzipan,” Mara said.",
    "“It is marzipan.” Mara sits by the window.",
    "Behind the desk sits Mara. “It is marzipan,” she says.",
    "A lamp burns. Mara shuts the door. “It is marzipan,” she tells you.",
    "Mara has beaten you to it. “It is marzipan,” she said.",
    "Mara closes the door behind the two of you. “It is marzipan,” she says.",
    "Footsteps: Mara has come too. “It is marzipan,” she says.",
    "Mara tags along. “It is marzipan,” she says.",
    "Mara, at your side, shivers. “It is marzipan,” she says.",
    "Mara smiles from the doorway. “It is marzipan,” she says.",
    "“Ben, Tom, who cares? It is marzipan,” says Mara.",
    "Mara leans on a shelf and laughs. “It is marzipan, all of it!”",
    "Mara took down a book. “It is marzipan,” she explained.",
]
EXPLAINED = [
    "“It is marzipan!” shouts Mara.",
    "Mara calls out. “It is marzipan!” yells Mara.",
    "“It is marzipan,” says Mara loudly.",
    "“It is marzipan,” says Mara in the hall.",
    "From the hall Mara says: “It is marzipan.”",
    "Through the wall, Mara says, “It is marzipan.”",
    "“It is marzipan,” says Mara from the next room.",
]


@pytest.mark.parametrize("prose", UNEXPLAINED)
def test_words_in_one_room_are_not_heard_where_the_speaker_is_on_record(prose):
    keeper = told(prose)
    assert knowing(keeper) == {"ann", "mara"}
    assert "marzipan" not in keeper.window("ben").text


@pytest.mark.parametrize("prose", EXPLAINED)
def test_words_that_come_from_there_are_heard_there(prose):
    assert knowing(told(prose)) == ALL


def test_a_room_that_hears_the_other_explains_it():
    assert knowing(told("“It is marzipan,” says Mara.", keeper=house(hears=("hall",)))) == ALL


def test_who_is_named_as_spoken_to_hears_it():
    assert knowing(told("“It is marzipan,” Mara says to Tom.")) == {"ann", "mara", "tom"}


@pytest.mark.parametrize(
    "prose", ["“It is marzipan,” says Mara.", "Mara yawns. “It is marzipan,” she says."]
)
def test_plain_talk_in_the_room_is_for_all_there(prose):
    assert knowing(told(prose, line="I wait.")) == ALL


@pytest.mark.parametrize(
    ("prose", "seen"),
    [
        ("Mara takes a marzipan pig from the shelf.", {"ann", "mara"}),
        ("Mara eats the marzipan pig and puts the plate down.", {"ann", "mara"}),
        ("In the hall Mara takes a marzipan pig from the shelf.", ALL),
    ],
)
def test_so_with_deeds(prose, seen):
    keeper = told(prose)
    assert {"ben", "tom"} & knowing(keeper) == seen & {"ben", "tom"}


@pytest.mark.parametrize(
    ("prose", "place"),
    [
        ("Mara is already there.", "library"),
        ("Mara is already waiting here.", "library"),
        ("Mara was there already.", "library"),
        ("Mara is at your side.", "library"),
        ("Mara has come along.", "library"),
        ("Mara tags along.", "library"),
        ("Mara is still with you.", "library"),
        ("Mara is not there.", "hall"),
        ("Mara is no longer with you.", "hall"),
        ("Mara might be already there.", "hall"),
        ("You look out at the yard. Mara is already there.", "hall"),
        ("You wish Mara were with you.", "hall"),
        ("Mara is always at your side.", "hall"),
        ("“Mara is already there,” you say.", "hall"),
    ],
)
def test_who_is_said_to_be_there_too_is(prose, place):
    assert told(prose).world().places["mara"] == place


def test_nobody_is_found_where_the_player_only_stays():
    keeper = told("Pell is already there.", line="I wait.")
    assert keeper.world().places["pell"] == "yard"


def test_a_player_whom_the_author_put_elsewhere_begins_there():
    keeper = told("“It is marzipan,” says Mara.", line="I wait.", keeper=house(ben="yard"))
    assert keeper.world().places["ben"] == "yard"
    assert "ben" not in knowing(keeper)


@pytest.mark.parametrize("start", [{"ben": None}, {"ben": "yard", "required": ("ben",)}])
def test_whom_the_author_put_nowhere_or_the_scene_needs_is_brought(start):
    keeper = told("Rain.", line="I wait.", keeper=house(**start))
    assert keeper.world().places["ben"] == "hall"


def test_the_first_player_begins_where_the_scene_is():
    keeper = told("Rain.", line="I wait.", keeper=house(ann="yard"))
    assert keeper.world().places["ann"] == "hall"
