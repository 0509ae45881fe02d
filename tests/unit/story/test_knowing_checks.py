"""Bad input about who knows what and who is where: `check` says so, and in a run it is closed."""

import pytest

from storykeeper.errors import UnknownAudience, UnknownPerson
from storykeeper.events import changes as ch
from storykeeper.play.knowing import tellers
from storykeeper.story.problems import Severity
from storykeeper.world.conditions import holds
from storykeeper.world.fold import fold
from storykeeper.world.state import present
from strategies.runs import go, unkept
from strategies.small import SHORE, STORY, read
from strategies.worlds import Condition, begun, changed, house

ABEL = """\
  - id: abel
    name: Abel
    line: He is dead.
  - id: pell
    name: Pell
    line: She waits.
"""
PLACES = "settings: [{id: a, name: A, paths: [{to: b}]}, {id: b, name: B, paths: [{to: a}]}]\n"


def problems(text, *, shore="cast: {required: [abel, pell]}\n"):
    scene = SHORE.replace("ending", f"{shore}ending")
    reading = read({"story.yaml": STORY + ABEL + text, "scenes/shore.md": scene})
    return [(p.code, p.severity, p.what, p.fix) for p in (*reading.errors, *reading.warnings)]


def of(text, code, **options):
    return [(how, what) for found, how, what, _ in problems(text, **options) if found == code]


def fact(**keys):
    return "facts:\n  - {id: f, full: It burned.,\n     " + ", ".join(
        f"{key}: {value}" for key, value in keys.items()
    ) + "}\n"  # fmt: skip


# ── an unknown person ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [
    fact(known_by="{mora: saw}"), fact(suspected_by="{mora: saw}"), fact(believed_by="{mora: saw}"),
    fact(known_by="{mara: told by mora}"),
    fact(revealed_by="[{when: {told: shore/1}, to: [mora]}]"),
    fact(revealed_by="[{when: {told: shore/1}, how: told by mora}]"),
])  # fmt: skip
def test_an_unknown_person_is_an_error_that_names_them(text):
    found = [(how, what) for code, how, what, _ in problems(text) if "mora" in what]
    assert found
    assert all(how is Severity.ERROR for how, _ in found)


def test_an_unknown_person_is_refused_in_a_run():
    keeper = unkept()
    go(keeper, "I wait.")
    with pytest.raises(UnknownPerson, match="nobody called mora is in this story; there is ann"):
        keeper.knows("mora")
    with pytest.raises(UnknownAudience, match="mora"):
        keeper.window("mora")


# ── contradictory knowledge ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("keys", "severity"),
    [
        ({"known_by": "{abel: saw}", "suspected_by": "{abel: saw}"}, Severity.ERROR),
        ({"known_by": "{abel: saw}", "believed_by": "{abel: saw}"}, Severity.ERROR),
        ({"suspected_by": "{abel: saw}", "believed_by": "{abel: saw}"}, Severity.WARNING),
        ({"known_by": "{mara: saw}", "suspected_by": "{player: saw}"}, Severity.WARNING),
        ({"known_by": "{player: saw}", "believed_by": "{mara: saw}"}, Severity.WARNING),
    ],
)
def test_two_minds_are_said_once(keys, severity):
    ((how, what),) = of(fact(**keys), "two-minds")
    assert how is severity
    assert "`f`" in what


def test_one_mind_each_is_well():
    text = fact(known_by="{abel: saw}", suspected_by="{player: saw}", believed_by="{pell: saw}")
    assert of(text, "two-minds") == []
    assert of(fact(known_by="{mara: saw, player: heard}"), "two-minds") == []


def test_in_a_run_the_firmer_of_two_counts():
    story = changed(
        house(), "facts", "secret", known_by={"ann": "saw"}, suspected_by={"player": "heard"}
    )
    assert not begun(story).known["ann"]["secret"].suspected


# ── a secret with no reveal ──────────────────────────────────────────────────────────────────


def test_a_secret_that_nobody_can_learn_is_an_error():
    text = fact(secret="true", hint="Ash.", known_by="{abel: saw}")
    ((how, what),) = of(text, "secret-kept")
    assert how is Severity.ERROR
    assert what == "nobody can ever learn the secret `f`"
    shown = fact(secret="true", hint="Ash.", known_by="{abel: saw}",
                 revealed_by="[{when: {visited: shore}}]")  # fmt: skip
    assert of(shown, "secret-kept") == []


def test_in_a_run_it_stays_with_those_who_know_it():
    story = changed(house(), "facts", "secret", revealed_by=(), suspected_by={})
    keeper = unkept(story)
    go(keeper, "I ask Bob about the key.", "I ask Bob about Eve.")
    assert "secret" not in keeper.knows("ann")
    assert "Eve is in the attic" not in keeper.window("ann").text


# ── tellers in a circle ──────────────────────────────────────────────────────────────────────


def test_a_circle_of_what_is_known_is_an_error():
    ((how, what),) = of(fact(known_by="{abel: told by pell, pell: told by abel}"),
                        "circular-telling")  # fmt: skip
    assert how is Severity.ERROR
    assert what == "nobody had `f` first: `abel` from `pell` from `abel`"


def reveals(*rows):
    return "[" + ", ".join(
        f"{{when: {{visited: shore}}, to: [{to}], how: {how}}}" for to, how in rows
    ) + "]"  # fmt: skip


def test_a_circle_of_reveals_is_a_warning():
    rows = ("abel", "told by pell"), ("pell", "told by abel")
    ((how, what),) = of(fact(revealed_by=reveals(*rows)), "circular-telling")
    assert how is Severity.WARNING
    assert what == "nobody has `f` first: `abel` from `pell` from `abel`"
    ((_, what),) = of(fact(revealed_by=reveals(("abel", "told by abel"))), "circular-telling")
    assert what == "nobody has `f` first: `abel` from `abel`"


@pytest.mark.parametrize("more", [
    {"known_by": "{abel: saw}"},
    {"suspected_by": "{pell: saw}"},
    {"revealed_by": reveals(("pell", "saw"), ("abel", "told by pell"), ("pell", "told by abel"))},
    {"revealed_by": reveals(("present", "saw"), ("abel", "told by pell"),
                            ("pell", "told by abel"))},
    {"revealed_by": reveals(("abel", "told by pell"), ("pell", "told by mara"))},
])  # fmt: skip
def test_where_somebody_has_it_first_there_is_no_circle(more):
    rows = ("abel", "told by pell"), ("pell", "told by abel")
    assert of(fact(**{"revealed_by": reveals(*rows)} | more), "circular-telling") == []


def test_what_an_event_shows_somebody_had_first():
    text = fact(revealed_by=reveals(("abel", "told by pell"), ("pell", "told by abel")))
    text += "events: [{id: fire, summary: It burns., when: {visited: shore}, reveals: [f]}]\n"
    assert of(text, "circular-telling") == []


def test_in_a_run_a_circle_ends():
    world = fold(
        [
            ch.SecretRevealed(1, "rumour", ("ann",), "told by eve"),
            ch.SecretRevealed(1, "rumour", ("eve",), "told by ann"),
        ],
        begun(),
    )
    assert tellers(world, "ann", "rumour") == ("eve", "ann")


# ── in two places ────────────────────────────────────────────────────────────────────────────


def test_somebody_in_two_places_at_the_start_is_an_error():
    text = STORY.replace("    name: Mara\n", "    name: Mara\n    at: a\n") + ABEL + PLACES
    scene = SHORE.replace("ending", "setting: b\ncast: {required: [mara]}\nending")
    reading = read({"story.yaml": text, "scenes/shore.md": scene})
    (found,) = [p for p in reading.errors if p.code == "two-places"]
    assert "`mara` begins at `a`" in found.what


@pytest.mark.parametrize(("moves", "count"), [
    ("{player: a, mara: b}", 1), ("{player: a, mara: a}", 0), ("{player: a, abel: b}", 0),
])  # fmt: skip
def test_somebody_sent_to_two_places_is_an_error(moves, count):
    text = PLACES + f"events: [{{id: e, summary: x, when: {{visited: shore}}, moves: {moves}}}]\n"
    found = of(text, "two-places")
    assert len(found) == count
    assert all(how is Severity.ERROR and "sends `mara` to `b`" in what for how, what in found)


def test_in_a_run_everybody_is_in_one_place():
    world = fold([ch.EventHappened(1, "bell")], begun())
    assert world.places["eve"] == "hall"
    assert "eve" in present(world)
    assert not holds(world, Condition(present="fox"))  # who is nowhere
