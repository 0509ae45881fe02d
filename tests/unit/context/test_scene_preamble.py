"""Tier 1 changes with the scene and within it not: who is here and where is a line of tier 4."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.context.window import Window, assemble
from storykeeper.errors import WindowRefused
from storykeeper.events.vocabulary import Awareness
from storykeeper.language.tokens import counter
from storykeeper.story.conditions import At, Condition
from storykeeper.story.model import NARRATOR, Soft, Story
from storykeeper.story.people import Character, Feeling, Mood, Relation
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Scene, SceneCast, Transition
from storykeeper.units import EntityId
from storykeeper.world.state import Feeling as Felt
from storykeeper.world.state import Mood as Feels
from storykeeper.world.state import World
from strategies.windows import Played

STORY = Story(
    id="coming", title="Coming", players=("ana",), start="first", voice="Plain.",
    soft=(Soft(heading="The sea", text="It is near."),),
    cast=(
        Character(id="ana", name="Ana", pronouns="she/her", line="The clerk.", at="hall"),
        Character(
            id="bo", name="Bo", pronouns="he/him", line="The cook.", at="hall",
            relations=(Relation(to="ana", affection=0.9),),
            mood=Mood(feelings=(
                Feeling(name="envy", awareness=Awareness.DEFENDED, shown_as="looks away"),)),
        ),
        Character(id="cy", name="Cy", pronouns="he/him", line="The spy.", at="yard"),
    ),
    settings=(
        Setting(id="hall", name="the hall", description="A bench.", paths=(Path(to="yard"),)),
        Setting(id="yard", name="the yard", description="A pump.", paths=(Path(to="loft"),)),
        Setting(id="loft", name="the loft"),
    ),
    scenes=(
        Scene(id="first", title="First", setting="hall", tone="Low.",
              cast=SceneCast(required=("bo",)),
              leads_to=(Transition(to="second", when=Condition(
                  at=At(who="ana", place="loft"))),)),
        Scene(id="second", title="Second", setting="loft", tone="High."),
    ),
)  # fmt: skip


def played() -> Played:
    made = Played.of(STORY)
    made.play("", "It begins.")
    return made


def moved(world: World, **to: str) -> World:
    places = world.places
    for who, place in to.items():
        places = places.set(EntityId(who), EntityId(place))
    return structs.replace(world, places=places)


def window(
    audience: str = NARRATOR, *, line: str = "I wait.", feels: str = "", **to: str
) -> Window:
    """The window after some went elsewhere, and Bo came to feel something."""
    run = played()
    world, present = run.under_way(line)
    if feels:
        mood = Feels(feelings=(Felt(feels, 0.5, Awareness.ARTICULATE),))
        world = structs.replace(world, moods=world.moods.set(EntityId("bo"), mood))
    return assemble(
        moved(world, **to), run.history, present, audience=audience, tokens=None,
        count=counter("o200k"),
    )  # fmt: skip


def line_of(made: Window) -> str:
    return next((s.text for s in made.items if s.candidate.origin == "presence"), "")


def test_where_they_are_stands_before_the_players_words_and_only_there():
    made = window()
    assert f"# Here and now\n{HALL}. Here too: Bo (he/him)\n\n# The player\n" in made.text
    assert "- Ana (played): The clerk." in made.stable
    assert "hall" not in made.stable
    assert "Bo" not in made.stable


def with_eve() -> Played:
    """Eve is in the hall, and in no scene's cast; Dee is in the loft, where the second begins."""
    eve, dee = (Character(id=n, name=n.capitalize(), pronouns="she/her", line=f"{n}.", at=at)
                for n, at in (("eve", "hall"), ("dee", "loft")))  # fmt: skip
    made = Played.of(structs.replace(STORY, cast=(*STORY.cast, eve, dee)))
    made.play("", "It begins.")
    return made


HALL, YARD = "- Ana (she/her) at the hall: A bench", "- Ana (she/her) at the yard: A pump"


def test_who_is_there_and_of_no_cast_is_here():
    made = with_eve().window("I wait.")
    assert line_of(made) == f"{HALL}. Here too: Bo (he/him) and Eve (she/her)"
    assert "- Eve (she/her). Eve" in made.text


def test_one_who_was_there_and_has_gone_changes_no_byte_of_tier_1():
    run = with_eve()
    before = run.window("I wait.").stable
    run.world = moved(run.world, eve="yard", cy="hall")
    made = run.window("I wait.")
    assert made.stable == before
    assert line_of(made) == (
        "- Ana (she/her) at the hall: A bench. Here too: Bo (he/him) and Cy (he/him)"
    )


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ({"cy": "hall"}, f"{HALL}. Here too: Bo (he/him) and Cy (he/him)"),
        ({"bo": "yard"}, HALL),
        ({"bo": "yard", "cy": "hall"}, f"{HALL}. Here too: Cy (he/him)"),
        ({"ana": "yard"}, f"{YARD}. Here too: Cy (he/him)"),
        ({"ana": "yard", "bo": "yard"}, f"{YARD}. Here too: Bo (he/him) and Cy (he/him)"),
    ],
)
def test_once_somebody_came_or_went_it_says_so_and_tier_1_changes_not_a_byte(to, said):
    made = window(**to)
    assert made.stable == window().stable
    assert line_of(made) == said


def test_it_is_mandatory_and_its_sources_say_where_it_is_from():
    item = next(s for s in window(ana="yard").items if s.candidate.origin == "presence")
    assert item.candidate.klass == "mandatory"
    assert set(item.candidate.sources) == {
        "where:ana", "where:cy", "setting:yard", "cast:ana", "cast:cy",
    }  # fmt: skip


def test_with_little_room_it_says_less_of_the_place():
    run = played()
    world, present = run.under_way("I wait.")
    forms = set()
    for tokens in range(60, 400, 2):
        try:
            made = assemble(
                moved(world, ana="yard"), run.history, present, audience=NARRATOR, tokens=tokens,
                count=lambda text: len(text) // 4,
            )  # fmt: skip
        except WindowRefused:  # too small for the rules alone
            continue
        forms.add(line_of(made))
    assert "- Ana (she/her) at the yard. Here too: Cy (he/him)" in forms


def test_another_scene_is_another_tier_1():
    run = played()
    run.play("I go to the yard.", "You go.")
    assert run.world.scene == "first"
    before = run.window("I wait.").stable
    run.play("I go to the loft.", "You climb.")
    assert run.world.scene == "second"
    after = run.window("I wait.").stable
    assert "Manner: High." in after
    assert before != after
    shown = run.window("I wait.").shown
    assert [each for each in shown if each.startswith("turn:")] == ["turn:0", "turn:1", "turn:2"]


def test_in_no_scene_it_is_said_all_the_same():
    run = played()
    world, present = run.under_way("I wait.")
    made = assemble(
        structs.replace(world, scene=None), run.history, present, audience=NARRATOR, tokens=None,
        count=counter("o200k"),
    )  # fmt: skip
    assert line_of(made) == ("- Ana (she/her) at the hall: A bench. Here too: Bo (he/him)")


# ── a character ──────────────────────────────────────────────────────────────────────────────


def test_a_character_has_its_place_above_and_people_and_moods_below():
    made = window("bo")
    assert made.stable.endswith("The cook.\n\n# Here\nthe hall: A bench.")
    assert line_of(made) == (
        "- Present: Ana (she/her). Bo is deeply fond of Ana. In you, or in what you do: looks away"
    )


def test_moods_and_company_do_not_change_a_characters_tier_1():
    assert window("bo").stable == window("bo", feels="joy", cy="hall", ana="yard").stable
    changed = line_of(window("bo", feels="joy", cy="hall", ana="yard"))
    assert changed == "- Present: Cy (he/him). In you, or in what you do: joy"


def test_how_it_stands_toward_somebody_named_is_said_once():
    made = window("bo", line="I ask Bo about Ana.")
    assert made.text.count("deeply fond") == 1


def test_a_character_alone_without_a_feeling_has_no_line():
    assert line_of(window("cy")) == ""
