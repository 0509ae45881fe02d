"""Words that cannot tell a fact, and tellers who have nothing to tell: `check` says so."""

import pytest

from storykeeper.story.loader import read_story
from storykeeper.story.problems import Severity
from strategies.tables import table
from strategies.worlds import EXAMPLE
from unit.story.test_knowing_checks import fact, of, problems, reveals

ERROR, WARNING = Severity.ERROR, Severity.WARNING


@table(
    "said, code",
    [
        ("['']", "said-empty"), ("['  ']", "said-empty"), ("['…']", "said-empty"),
        ("[yes]", "said-short"), ("[true]", "wrong-type"), ("[burned]", "said-short"),
        ("['Yes, it was.']", "said-short"), ("[It was him.]", "said-short"),
        ("['The fire.']", "said-short"), ("['I did.']", "said-short"), ("[1]", "wrong-type"),
        ("[null]", "wrong-type"), ("yes", "wrong-type"), ("[[a]]", "wrong-type"),
        ("['Ash on the step.']", "said-is-hint"), ("[ASH ON THE STEP]", "said-is-hint"),
        ("['the step']", "said-short"), ("['on the step']", "said-is-hint"),
        ("['It went up in flames.', '']", "said-empty"),
    ],
)  # fmt: skip
def test_words_that_cannot_tell_it_are_an_error(said, code):
    text = fact(said=said, hint="Ash on the step.")
    assert [(found, how) for found, how, _, _ in problems(text) if found == code] == [(code, ERROR)]


@pytest.mark.parametrize(
    "said",
    ["[He burned it.]", "[The fire took it.]", "['It went up in flames.']", "[House ablaze]",
     "['There is ash on every step.']", "[]"],
)  # fmt: skip
def test_words_that_can_are_not(said):
    text = fact(said=said, hint="Ash on the step.")
    assert not [code for code, *_ in problems(text) if code.startswith("said")]


def test_the_same_words_tell_no_two_facts():
    two = "facts:\n  - {id: f, full: It burned., said: [He did it.]}\n"
    two += "  - {id: g, full: He lied., said: ['He did it!']}\n"
    assert of(two.replace("did", "hid"), "said-of-two") == [
        (ERROR, "the same words tell `f` and `g`")
    ]
    other = two.replace("'He did it!'", "It burned.").replace("did", "hid")
    assert of(other, "said-of-two") == [(ERROR, "the same words tell `f` and `g`")]


# ── tellers ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "keys",
    [
        {"known_by": "{mara: told by abel}"},
        {"suspected_by": "{mara: told by abel}"},
        {"known_by": "{player: told by abel, pell: saw}"},
        {"known_by": "{pell: told by abel}", "revealed_by": reveals(("abel", "saw"))},
        {"revealed_by": reveals(("player", "told by abel"))},
        {"revealed_by": reveals(("pell", "saw"), ("player", "told by abel"))},
        {"known_by": "{pell: saw}", "revealed_by": reveals(("mara", "told by abel"))},
    ],
)  # fmt: skip
def test_who_does_not_have_it_tells_nobody(keys):
    ((how, what),) = of(fact(**keys), "teller-lacks")
    assert how is WARNING
    assert what.startswith("`abel` is said to tell `f`, and does not have it")


@pytest.mark.parametrize(
    "keys",
    [
        {"known_by": "{mara: told by abel, abel: saw}"},
        {"known_by": "{mara: told by abel}", "suspected_by": "{abel: heard}"},
        {"known_by": "{mara: told by pell, pell: told by abel, abel: saw}"},
        {"confidence": "0.2", "believed_by": "{mara: told by abel}"},
        {"confidence": "0.6", "known_by": "{mara: told by abel}"},
        {"revealed_by": reveals(("abel", "saw"), ("player", "told by abel"))},
        {"revealed_by": reveals(("present", "saw"), ("player", "told by abel"))},
        {"known_by": "{abel: saw}", "revealed_by": reveals(("player", "told by abel"))},
        {"known_by": "{player: saw}", "revealed_by": reveals(("abel", "told by mara"))},
    ],
)  # fmt: skip
def test_who_has_it_or_may_make_it_up_does(keys):
    assert not of(fact(**keys), "teller-lacks")


def test_nobody_tells_themselves():
    text = fact(known_by="{abel: saw}", revealed_by=reveals(("abel", "told by abel")))
    assert of(text, "told-to-oneself") == [(WARNING, "`abel` is told `f` by themself")]
    both = fact(known_by="{mara: saw}", revealed_by=reveals(("player", "told by mara")))
    assert len(of(both, "told-to-oneself")) == 1


def after(who, needs, *, how="saw", to="abel"):
    return f"{{when: {needs.format(who=who)}, to: [{to}], how: {how}}}"


KNOWS = "{{knows: {{who: {who}, fact: f}}}}"
EITHER = "{{any: [{{knows: {{who: {who}, fact: f}}}}, {{visited: shore}}]}}"
BOTH = "{{all: [{{visited: shore}}, {{knows: {{who: {who}, fact: f}}}}]}}"
TOLD = "{when: {visited: shore}, to: [pell], how: told by abel}"


@pytest.mark.parametrize(
    ("needs", "who", "early"),
    [(KNOWS, "pell", True), (BOTH, "pell", True), (EITHER, "pell", False),
     (KNOWS, "mara", False)],
)  # fmt: skip
def test_nobody_tells_what_they_have_only_from_whom_they_tell(needs, who, early):
    found = of(fact(revealed_by=f"[{TOLD}, {after(who, needs)}]"), "told-too-early")
    assert bool(found) == early


def test_the_example_story_has_none_of_these():
    reading = read_story(EXAMPLE)
    codes = {p.code for p in (*reading.errors, *reading.warnings)}
    assert not codes & {"teller-lacks", "told-to-oneself", "told-too-early", "said-short"}
