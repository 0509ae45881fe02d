"""Of several players, `player` in the author's rules is the one whose turn it is."""

import pytest
from msgspec import structs

from storykeeper.story.conditions import Condition, Did, Knows, Since, Within
from storykeeper.story.knowledge import Fact, MoodShift, RelationShift, Reveal, StoryEvent
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting, Thing
from storykeeper.story.scenes import Beat, Gate, Scene, SceneCast
from strategies.runs import unkept

PEOPLE = (("ann", "hall"), ("tom", "hall"), ("mara", "hall"), ("una", "yard"))
TOLD = "The stove is still warm."


def did(act, to=None):
    return Condition(did=Did(who="player", act=act, to=to))


def revealed(fact, when, **how):
    return Fact(id=fact, full=f"The {fact} is known.", about=("mara",),
                revealed_by=(Reveal(when=when, **how),))  # fmt: skip


def table() -> Story:
    """Ann and Tom are played, and Mara is with them; Una is in the yard."""
    boom = StoryEvent(
        id="boom", summary="The box bursts.", when=did("kick", "box"), about=("box",),
        reveals=("ash",), moods=(MoodShift(who="player", valence=-0.5),),
        relations=(RelationShift("mara", "player", "affection", by=-0.5),),
    )  # fmt: skip
    knowing = Condition(knows=Knows(who="player", fact="fire"))
    return Story(
        id="table", title="Table", voice="Plain.", start="evening", players=("ann", "tom"),
        cast=tuple(Character(id=i, name=i.capitalize(), line="Somebody.", at=at)
                   for i, at in PEOPLE),
        settings=(Setting("hall", "the hall", paths=(Path(to="yard"),)),
                  Setting("yard", "the yard", paths=(Path(to="hall"),))),
        things=(Thing("box", "the box", at="yard"),),
        facts=(revealed("will", did("search", "box"), how="saw"),
               revealed("song", did("sing"), to=("present",), how="heard"),
               Fact(id="fire", full="Mara burned the will.", about=("mara",),
                    known_by={"una": "saw"}, said=("Mara burned the will",)),
               Fact(id="ash", full="The ash is known.", about=("box",)),
               Fact(id="way", full="The way is known.", about=("box",))),
        events=(boom,),
        scenes=(Scene(id="evening", title="Evening", setting="hall",
                      cast=SceneCast(contingent=("mara",)),
                      beats=(Beat(id="cold", prose="It is cold."),
                             Beat(id="x", prose=TOLD, when=knowing, at=("hall", "yard"))),
                      gates=(Gate(id="lid", conditions=(did("open", "box"),),
                                  reveals=("way",)),)),),
    )  # fmt: skip


@pytest.fixture
def keeper():
    keeper = unkept(table())
    keeper.render(keeper.opening(), "You stand in the hall. Mara and Tom are here.")
    played(keeper, "tom", "go to the yard")
    assert keeper.world().places["tom"] == "yard"
    return keeper


REMEMBERED = {
    "since": Condition(since=Since(turns=1, of=Condition(knows=Knows(who="player", fact="fire")))),
    "within": Condition(within=Within(turns=3, of=did("dance"))),
    "sequence": Condition(sequence=(did("dance"), did("bow"))),
}


def remembering(when):
    """The table with a fact that is learned when this holds."""
    story = table()
    keeper = unkept(structs.replace(story, facts=(*story.facts, revealed("late", when))))
    keeper.render(keeper.opening(), "You stand in the hall. Mara and Tom are here.")
    played(keeper, "tom", "go to the yard")
    return keeper


@pytest.mark.parametrize("kind", sorted(REMEMBERED))
def test_what_conditions_remember_is_kept_for_each(kind):
    keeper = remembering(REMEMBERED[kind])
    played(keeper, "tom", "I dance", "“Mara burned the will,” says Una.")
    played(keeper, "ann", "I bow")
    played(keeper, "ann", "I wait")
    assert "late" not in keeper.knows("ann")
    played(keeper, "tom", "I bow")
    assert knowing(keeper, "late") == {"tom"}
    assert keeper.replay().windows


def test_what_was_done_in_ones_turn_ages_in_the_turns_of_others():
    keeper = remembering(Condition(all_=(REMEMBERED["within"], did("bow"))))
    for player, line in (
        ("tom", "I dance"),
        ("ann", "I wait"),
        ("ann", "I wait"),
        ("tom", "I bow"),
    ):
        played(keeper, player, line)
    assert not knowing(keeper, "late")


def played(keeper, player, line, prose="."):
    keeper.render(keeper.begin(line, player=player), prose)
    keeper.end_scene()


def knowing(keeper, fact):
    return {who for who, _ in PEOPLE if fact in keeper.knows(who)}


@pytest.mark.parametrize(
    ("line", "fact", "who"),
    [("I search the box", "will", {"tom"}), ("I kick the box", "ash", {"tom", "una"}),
     ("I sing", "song", {"tom", "una"}), ("I open the box", "way", {"tom"})],
)  # fmt: skip
def test_the_rules_teach_whose_turn_it_is_and_who_is_with_them(keeper, line, fact, who):
    played(keeper, "tom", line)
    assert knowing(keeper, fact) == who


def test_who_is_elsewhere_learns_with_those_there(keeper):
    played(keeper, "ann", "I sing")
    assert knowing(keeper, "song") == {"ann", "mara"}


def test_an_event_changes_things_for_whose_turn_it_is(keeper):
    before = keeper.world()
    played(keeper, "tom", "I kick the box")
    after = keeper.world()
    assert after.moods["tom"].valence < before.moods["tom"].valence
    assert after.moods["ann"] == before.moods["ann"]
    assert after.standings["mara", "tom"].affection == -0.5
    assert ("mara", "ann") not in after.standings
    assert "Ann grows" not in keeper.begin("I wait", player="ann").window.text


def test_what_another_knows_opens_no_beat_in_ones_turn(keeper):
    played(keeper, "tom", "I wait", "“Mara burned the will,” says Una.")
    assert knowing(keeper, "fire") == {"tom", "una"}
    assert TOLD not in keeper.begin("I wait", player="ann").window.text
    keeper.reject(keeper.world().pending.turn)
    assert TOLD in keeper.begin("I wait", player="tom").window.text


def test_such_a_run_is_the_same_when_done_again(keeper):
    for player, line in (("tom", "I kick the box"), ("ann", "I sing"), ("tom", "I search the box")):
        played(keeper, player, line)
    assert keeper.world().player is None
    assert keeper.replay().windows
