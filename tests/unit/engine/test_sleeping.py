"""Who sleeps perceives nothing: not what is said to them, nor what they say themselves."""

import pytest

from strategies.parlour import engine, tell

BOX = "The box is under the floor."


def asleep(*proses, line=None):
    """A run in which Mara fell asleep, and what was told then."""
    keeper = engine()
    tell(keeper, "Mara falls asleep.")
    for prose in proses:
        tell(keeper, prose, line)
    keeper.end_scene()
    return keeper


def sleeps(keeper, who="mara"):
    return who in keeper.world().asleep


def heard(keeper, who, words=BOX):
    text = keeper.brief(who, "a knock at the door").text
    recalled = keeper.recall(words, audience=who).text
    return words.rstrip(".") in text or words.rstrip(".") in recalled


IN_SLEEP = [
    f"In her sleep Mara says, “{BOX}”",
    f"“{BOX[:-1]},” Mara says in her sleep.",
    f"“{BOX[:-1]},” Mara mutters in her sleep.",
    f"Mara talks in her sleep. “{BOX[:-1]},” she says.",
    f"Mara cries out in her sleep: “{BOX}”",
    f"Mara, dreaming, says: “{BOX}”",
]


@pytest.mark.parametrize("prose", IN_SLEEP)
def test_words_in_sleep_wake_nobody_and_are_not_known_to_who_says_them(prose):
    keeper = asleep(prose)
    assert sleeps(keeper)
    tell(keeper, "Mara wakes up.")
    keeper.end_scene()
    assert not sleeps(keeper)
    assert not heard(keeper, "mara")
    assert heard(keeper, "ann") is ("mutters" not in prose)  # too low for those who sit apart


@pytest.mark.parametrize("prose", [prose for prose in IN_SLEEP if "talks" not in prose])
def test_who_speaks_in_their_sleep_sleeps(prose):
    keeper = engine()
    tell(keeper, prose)
    keeper.end_scene()
    assert sleeps(keeper)


def test_those_awake_hear_what_is_said_in_sleep():
    assert heard(asleep(IN_SLEEP[0]), "tom")


def test_who_speaks_beside_a_sleeper_is_awake():
    keeper = asleep(f"Tom kisses her in her sleep and says: “{BOX}”")
    assert sleeps(keeper)
    assert not sleeps(keeper, "tom")
    assert heard(keeper, "tom")


@pytest.mark.parametrize(
    "prose",
    [
        "Tom whispers to you: “Mara is a thief, I tell you.”",
        "Tom shouts: “Mara is a thief, and I can prove it!”",
        "Tom whispers, “Do not wake Mara.”", "Tom does not want to wake Mara.",
        "Tom looks at Mara.", "Tom covers Mara with a blanket.", "Mara mutters in her sleep.",
        "Mara stirs in her sleep.", "Mara turns over.", "Mara snores.", "Mara walks in her sleep.",
        "Mara dreams that she wakes.", "Mara almost wakes.", "Tom sits up.", "Tom is awake.",
        "Mara sits up in her sleep.", "Tom shakes his head at Mara.",
        "Tom shakes Mara, but she does not wake.", "Tom shakes Mara. She sleeps on.",
        "Tom shakes Mara, but she doesn't stir.", "Tom shakes Mara in vain.",
        "Tom shakes out the blanket beside Mara.", "Tom shakes his fist at Mara.",
    ],
)  # fmt: skip
def test_sleeping_on(prose):
    assert sleeps(asleep(prose))


@pytest.mark.parametrize(
    "prose",
    [
        "Mara wakes.", "Mara wakes up.", "Mara is awake.", "Mara jerks awake.", "Mara sits up.",
        "Mara opens her eyes.", "Mara sits bolt upright.", "Mara comes to.", "Mara gets up.",
        "Tom wakes Mara.", "Tom shakes Mara.", "Tom shakes Mara awake.", "A bang wakes Mara.",
        "Mara is woken by the noise.", "Tom calls Mara's name loudly.",
        "Tom shouts: “Mara! Get up, the house is on fire!”", "Mara says, “What time is it?”",
        "Tom shakes Mara by the shoulder.", "Tom shakes Mara. She does not speak.",
    ],
)  # fmt: skip
def test_waking(prose):
    assert not sleeps(asleep(prose))


@pytest.mark.parametrize(
    "line",
    ["I wake Mara.", "I shake Mara.", "I shout “Mara, wake up!”", "I call Mara loudly.",
     "I yell at Mara to wake up."],
)  # fmt: skip
def test_a_player_wakes_somebody(line):
    keeper = asleep("It is quiet.", line=line)
    assert not sleeps(keeper)


def test_a_player_shakes_somebody_in_vain():
    assert sleeps(asleep("She sleeps on like the dead.", line="I shake Mara."))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"I whisper to Mara: “{BOX}”", BOX),
        (f"I say to Mara: “{BOX}”", BOX),
        ("I look at Mara.", "Ann looks"),
        ("I kiss Mara.", "Ann kisses"),
    ],
)
def test_what_a_player_says_or_does_to_a_sleeper_is_not_known_to_them(line, words):
    keeper = asleep("It is quiet.", line=line)
    assert sleeps(keeper)
    tell(keeper, "Mara wakes up.")
    keeper.end_scene()
    assert not heard(keeper, "mara", words)
    assert heard(keeper, "ann", words)


def test_it_is_done_to_them_all_the_same():
    keeper = asleep()
    keeper.begin("I kiss Mara.")
    assert [(d.act, d.to) for d in keeper.turn().world.deeds] == [("kiss", "mara")]
    assert "Ann kisses Mara" in keeper.turn().window.text
