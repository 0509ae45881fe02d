"""A model that plays characters: what it may choose, and what the judge refuses."""

import json

import pytest

from storykeeper import Storykeeper
from storykeeper.canon.action import CharacterAction
from storykeeper.canon.verdict import Outcome
from storykeeper.events.changes import ActionProposed, IntentPredicted, IntentResolved
from storykeeper.models.endpoint import Endpoint
from storykeeper.play.character_model import CharacterModel, read_by
from storykeeper.play.commit import before_acting
from storykeeper.play.intents import cases
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Pending
from strategies.chat_servers import says, serving
from strategies.minds import BOAT, COAT, LIE, SECRET, WILL, engine, kitchen, take
from strategies.parlour import READER

ASK = "I ask Mara about the key."
IDLE = "I wait."


class Scripted:
    """Answers each character with what the script says; and keeps what it was given."""

    def __init__(self, **answers):
        self.answers, self.given = answers, []

    def complete(self, messages, *, schema, limit_tokens):
        self.given.append(messages[0].text)
        name = "mara" if "Keep the key." in messages[0].text else "pell"
        answer = self.answers.get(name, {"verb": "wait"})
        return answer if isinstance(answer, str) else f"So: {json.dumps(answer)} Done."


def played(line, *before, **answers):
    keeper = engine()
    for each in before:
        take(keeper, each)
    model = Scripted(**answers)
    keeper._characters = CharacterModel(model, "scripted")
    return keeper, take(keeper, line), model


def proposals(keeper):
    return [e.record for e in keeper.ledger.read(keeper.run)
            if isinstance(e.record, ActionProposed)]  # fmt: skip


def of(turn, kind, who="mara"):
    return [r for r in turn.present.decided if isinstance(r, kind) and r.who == who]


def test_what_it_chooses_is_done_and_none_of_its_words_are_shown():
    words = "You have no business with keys."
    answer = {"verb": "shows-0", "words": words, "justification": "I like knives straight."}
    keeper, turn, _ = played(IDLE, mara=answer)
    (made,) = [each for each in proposals(keeper) if each.who == "mara"]
    assert (made.option, made.by, made.words) == ("mara/shows/0", "scripted", "")
    assert of(turn, IntentPredicted)[0].by == "scripted"
    assert of(turn, IntentResolved)[0].outcome.startswith("Mara squares the knives")
    assert words not in turn.window.text
    assert "straight" not in turn.window.text


def test_it_reads_the_brief_of_whom_it_plays_and_nothing_else():
    _, _, model = played("I look at the coat.")
    (pell,) = [text for text in model.given if COAT in text]
    (mara,) = [text for text in model.given if "Mara squares the" in text]
    assert SECRET in pell  # she has heard of it
    assert COAT not in mara
    assert LIE not in pell
    assert "Keep the key." in mara
    assert "Keep the key." not in pell


def test_what_waits_does_nothing_and_the_rules_do_nothing_for_it():
    keeper, turn, _ = played(ASK, mara={"verb": "wait"})
    assert [each.option for each in proposals(keeper) if each.who == "mara"] == ["mara/wait"]
    assert of(turn, IntentResolved) == []


@pytest.mark.parametrize("answer", ["", "I would rather not.", "{", '{"verb": 7}', "[]"])
def test_what_is_no_action_is_left_to_the_rules(answer):
    keeper, turn, _ = played(ASK, mara=answer)
    assert [each for each in proposals(keeper) if each.who == "mara"] == []
    assert of(turn, IntentPredicted)[0].by == ""


def test_it_can_tell_no_more_than_its_author_lets_it():
    keeper, turn, _ = played(ASK, mara={"verb": "tells-0", "target": "coyle", "words": SECRET})
    assert [each for each in proposals(keeper) if each.who == "mara"] == []
    assert SECRET not in turn.window.text
    keeper, turn, _ = played(
        ASK, "I push the lamp.", mara={"verb": "tells-0", "target": "coyle", "words": SECRET}
    )
    assert [each.option for each in proposals(keeper) if each.who == "mara"] == ["mara/tells/0"]
    assert SECRET in turn.window.text


def test_it_is_on_record_and_replays_without_the_model():
    keeper, turn, _ = played(IDLE, mara={"verb": "shows-0"})
    keeper._characters = None
    assert keeper.window_of(turn.number).text == turn.window.text
    take(keeper, "I look at the crock.")
    keeper.end_scene()
    assert keeper.replay().windows == 3


def test_behind_a_real_endpoint(tmp_path):
    with serving(says(json.dumps({"verb": "shows-0"}))) as server:
        model = Endpoint(server.url, "small", retry_wait_seconds=0.0)
        with Storykeeper.open(
            tmp_path / "run.db", story=kitchen(), reader=READER, characters=model
        ) as keeper:
            keeper.render(keeper.opening(), "The kettle is on.")
            turn = take(keeper, IDLE)
            assert server.bodies
            assert of(turn, IntentPredicted)[0].by == "Endpoint"


# ── the judge ────────────────────────────────────────────────────────────────────────────────

FRAMES = ("{}", "Listen. {}", "I know that {}", "They say: {} So there.")
SOLD = ("I sell the lens.", "I will sell the lens to you.", "We sell the lens today.",
        "Mara sells the lens.", "I shall sell the lens at once.")  # fmt: skip
TELLS = {"verb": "tells-1", "target": "coyle"}


def planted():
    """Actions that must not stand: (what they say or do, the law that is to refuse them)."""
    for text in (COAT, BOAT, WILL):
        for frame in FRAMES:
            yield TELLS | {"words": frame.format(text)}, "information"
            yield TELLS | {"words": "No.", "justification": frame.format(text)}, "information"
    for text in SOLD:
        yield TELLS | {"words": text}, "canon"
        yield TELLS | {"words": "No.", "justification": text}, "canon"
    for cite in ("manual@1", "keepers-manual@1911.2", "letters@2", "x@0", "order@3", "log@1"):
        yield TELLS | {"words": "No.", "cites": [cite]}, "canon"
    for verb in ("fly", "tells-7", "does-0", "vanish", "fact-key-in-crock-shows-0", "go", "kill"):
        yield {"verb": verb}, "state"
    for target in ("tobit", "abel", "lamp", "coat", "king"):
        yield TELLS | {"target": target, "words": "No."}, ""
    for reason in ("fact:coat-small", "turn:3", "fact:nothing", "belief:9"):
        yield TELLS | {"words": "No.", "rests_on": [reason]}, "information"
    yield TELLS | {"words": ""}, "state"
    yield {"verb": "shows-0", "who": "pell"}, "state"
    yield {"verb": "shows-0", "turn": 40}, "state"
    yield TELLS | {"words": "No.", "who": "coyle"}, "state"


@pytest.fixture(scope="module")
def case():
    """Mara, asked about the key once both the truth and the lie may be told."""
    keeper = engine()
    take(keeper, "I push the lamp.")
    keeper.end_scene()
    turn = Pending(TurnNo(2), EntityId("coyle"), ASK)
    found = {each.who: each for each in cases(before_acting(keeper.world(), turn), turn)}
    return read_by(found["mara"], keeper.window("mara", text=ASK).text)


def action(case, raw):
    whole = {"who": case.who, "turn": case.brief.turn, **raw}
    return CharacterAction(**{k: tuple(v) if isinstance(v, list) else v for k, v in whole.items()})


def test_the_judge_refuses_what_is_planted(case):
    every = list(planted())
    assert len(every) >= 60
    ruled = [(raw, law, case.ruled(action(case, raw))) for raw, law in every]
    passed = [raw for raw, _, verdict in ruled if verdict.outcome is not Outcome.REFUSED]
    assert passed == []
    assert [(raw, law, v.rule) for raw, law, v in ruled if not v.rule.startswith(law)] == []


def test_and_lets_stand_what_is_not(case):
    for raw in (
        TELLS | {"words": LIE}, TELLS | {"words": "It is lost."}, {"verb": "wait"},
        {"verb": "tells-0", "target": "coyle", "words": SECRET, "justification": "He asked."},
        TELLS | {"words": "No.", "rests_on": ["fact:key-in-crock"]},
    ):  # fmt: skip
        assert case.ruled(action(case, raw)).outcome is not Outcome.REFUSED, raw
