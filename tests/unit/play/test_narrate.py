"""The offline narrator: plain words for what was done, the author's for the rest, no invention."""

import pytest
from msgspec import structs

from storykeeper.play.narrate import STAGE, TOLD, offline
from storykeeper.story.conditions import At, Condition, Did
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.model import Soft
from strategies.runs import go, kept, script, unkept
from strategies.tables import table
from strategies.worlds import changed, house


def told(keeper, line: str) -> str:
    turn = keeper.begin(line)
    prose = offline(turn.world, turn.present, keeper.history())
    keeper.render(turn, prose, stage=STAGE)
    return prose


@pytest.fixture
def keeper():
    """The house, where the opening is told and nothing else is written."""
    keeper = unkept()
    go(keeper)
    return keeper


def test_the_authors_prose_comes_as_it_is(keeper):
    assert keeper.world().pending.prose == "The hall."
    assert told(keeper, "I ring the bell.") == "It rang."


def test_what_was_learned_is_told_in_the_authors_words(keeper):
    prose = told(keeper, "I ask Bob about the key.")
    assert prose == "Eve is in the attic."


def test_nothing_is_added_where_nothing_happens(keeper):
    assert {told(keeper, "I wait.") for _ in range(6)} == {"You wait."}


def test_where_one_came_to():
    described = changed(house(), "settings", "cellar", description="Dark and dry.")
    keeper = unkept(described)
    go(keeper, "I ring the bell.")
    assert told(keeper, "I go to the cellar.") == (
        "You go to the cellar.\n\nThe cellar. Dark and dry. Nobody else is here."
    )
    assert told(keeper, "I go to the cellar.").startswith("You are there already.")


def test_a_way_that_is_shut(keeper):
    assert told(keeper, "I go to the cellar.").startswith("You go to the cellar.")  # who knows?


def test_a_way_that_is_shut_to_where_one_has_heard_of():
    keeper = unkept(house())
    keeper.render(keeper.opening(), "Below, in the cellar, water runs.")
    prose = told(keeper, "I go to the cellar.")
    assert prose.startswith("There is no way to the cellar from here as things stand.")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("I ask Eve about the key.", "You do not see Eve here."),
        ("I look at the letter.", "You look at the letter."),  # Bob has it, and is here
        ("I wave. I ask Eve about the key.", "You do not see Eve here."),
        ("*stares at Bob*", "You look at Bob."),
        ("Nobody moves.", "You are in the hall. Bob is here."),
    ],
)
def test_what_is_not_here(keeper, line, answer):
    assert told(keeper, line).startswith(answer)


def test_a_thing_that_is_elsewhere():
    lore = Soft(heading="The house", text="The key is kept upstairs.")
    keeper = unkept(structs.replace(changed(house(), "things", "key", at="attic"), soft=(lore,)))
    go(keeper)
    assert told(keeper, "I take the key.").startswith("You do not see the key here.")
    # What was held back by what failed before it is not said to be away.
    assert (
        "Bob" not in told(keeper, "I take the key, then ask Bob about the rain.").split("here.")[0]
    )


def test_who_has_come(keeper):
    assert "Eve is here now." not in told(keeper, "I wait.")
    silent = unkept(changed(house(), "scenes", "hall-scene", beats=house().scenes[0].beats[:1]))
    go(silent)
    assert "It rains." in told(silent, "I ring the bell.")  # learned first; Eve is seen next
    assert told(silent, "I wait.") == "You wait."


def test_an_ending_says_so(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper)
        proses = [told(keeper, line) for line in script("two-keepers")]
        assert [p.endswith(TOLD) for p in proses[:-1]] == [False] * (len(proses) - 1)
        assert proses[-1].endswith(f"any more tea.\n\n{TOLD}")
        assert told(keeper, "I look at the lens.") == TOLD


def test_a_long_text_is_not_said_back(keeper):
    prose = told(keeper, "I wait and I ring and I look. " * 200)
    assert len(prose) < 1_000


# ── what nothing is seen to come of ──────────────────────────────────────────────────────────

DEEDS = ("stab", "kiss", "push", "bite", "burn", "rob", "tickle", "bless", "shove", "curse")


def waiting_for(act):
    """The house, where something that nobody knows of waits for a deed."""
    never = Condition(all_=(Condition(did=Did(who="player", act=act, to="bob")),
                            Condition(at=At(who="eve", place="hall"))))  # fmt: skip
    hidden = StoryEvent(id="unheard-of", summary="It never comes.", when=never)
    return structs.replace(house(), events=(*house().events, hidden))


@table("act", DEEDS)
def test_who_tries_verbs_does_not_find_what_waits_for_them(act):
    proses = []
    for each in (act, "sing"):
        keeper = unkept(waiting_for(each))
        go(keeper)
        proses.append(told(keeper, f"I {act} Bob."))
    assert proses[0] == proses[1]
    said = "Bob says nothing" if act == "curse" else f"You try to {act} Bob."
    assert proses[0].startswith(said)


@pytest.mark.parametrize(
    ("line", "back"),
    [
        ("I ring the bell.", "It rang."),
        ("I ask Bob about the key.", "Eve is in the attic."),
        ("I take the letter.", "You take the letter."),
        ("I wave.", "You wave."),
        ("I dance.", "You dance."),
    ],
)
def test_what_comes_of_a_deed_is_seen(keeper, line, back):
    assert told(keeper, line).startswith(back)
