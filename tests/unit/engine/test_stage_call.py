"""A model is asked for the stage directions of what was told, while the player reads."""

import json

import pytest

from storykeeper import Storykeeper
from storykeeper.errors import ModelUnavailable, NoSuchTurn, SettingsInvalid
from storykeeper.events.turns import Declared, Rendered
from strategies.wherry import READER, wherry

PROSE = "The door clicks shut overhead. “There was no robbery,” says Dov."
GONE = {"who": ["renna"], "kind": "departs", "to": "attic", "words": "clicks shut overhead"}
STAGE = json.dumps({"moves": [GONE]})


class Fake:
    """Answers with a text, and keeps what it was asked."""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def complete(self, messages, *, schema, limit_tokens):
        self.asked.append((messages, schema, limit_tokens))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def opened(path, model, **more):
    keeper = Storykeeper.open(
        path / "run.db", story=wherry(), reader=READER, staging="call", stager=model, **more
    )
    keeper.render(keeper.opening(), "It is late.", stage={})
    return keeper


def told(keeper, **more):
    keeper.render(keeper.begin("I wait."), PROSE, **more)
    return keeper.read_ahead()


def records(keeper, kind):
    found = (entry.record for entry in keeper.ledger.read(keeper.run))
    return [record for record in found if isinstance(record, kind)]


@pytest.mark.parametrize(
    "answer", [STAGE, f"```stage\n{STAGE}\n```", f"Here it is:\n{STAGE}\nThat is all."]
)
def test_what_it_declares_is_on_record_and_comes_to_be(tmp_path, answer):
    model = Fake(answer)
    with opened(tmp_path, model) as keeper:
        assert told(keeper) == ()
        (record,) = records(keeper, Declared)
        assert record.model == "Fake"
        assert record.stage.inline  # nobody vouches for it
        keeper.end_scene()
        assert keeper.world().places["renna"] == "attic"
        assert "no robbery" not in keeper.brief("renna").text
        assert [r.take for r in records(keeper, Rendered)] == [1, 1]  # nothing is told anew
        keeper.replay()
    with Storykeeper.open(tmp_path / "run.db", read_only=True) as again:
        assert again.world().places["renna"] == "attic"


def test_it_is_given_the_narrator_s_window_and_the_prose_and_nothing_else(tmp_path):
    model = Fake("{}")
    with opened(tmp_path, model) as keeper:
        told(keeper)
        ((messages, schema, _),) = model.asked
        assert schema["title"] == "stage"
        assert [each.role for each in messages] == ["system", "user", "assistant", "user"]
        assert messages[2].text == PROSE
        text = "\n".join(each.text for each in messages)
        assert "chandler in Osk" not in text  # Dov's secret
        assert "quince tree" not in text  # Hagen's


def test_what_is_declared_already_is_not_asked_for(tmp_path):
    model = Fake(STAGE)
    with opened(tmp_path, model) as keeper:
        told(keeper, stage={"here": ["renna"]})
        assert model.asked == []
        keeper.end_scene()
        assert keeper.world().places["renna"] == "parlour"


def test_it_is_asked_once_for_a_take_and_again_for_another(tmp_path):
    model = Fake("{}")
    with opened(tmp_path, model) as keeper:
        told(keeper)
        keeper.read_ahead()
        assert len(model.asked) == 1
        keeper.render(keeper.turn(), "Rain.")
        keeper.read_ahead()
        assert len(model.asked) == 2
        assert [record.take for record in records(keeper, Declared)] == [1, 2]


@pytest.mark.parametrize(
    "answer", ["no idea", "{", '{"here": ["hagen"]}', '["hagen"]', '{"at": {"you": "vault"}}']
)
def test_nonsense_and_what_cannot_be_is_named_and_opens_nothing(tmp_path, answer):
    with opened(tmp_path, Fake(answer)) as keeper:
        assert told(keeper)
        keeper.end_scene()
        assert keeper.world().places["hagen"] == "cellar"
        assert keeper.world().places["ilse"] == "parlour"


def test_a_model_that_is_down_leaves_it_to_the_reader(tmp_path):
    with opened(tmp_path, Fake(ModelUnavailable("it is down"))) as keeper:
        assert any("it is down" in note for note in told(keeper))
        assert records(keeper, Declared) == []
        keeper.end_scene()
        assert "no robbery" in keeper.brief("renna").text


def test_anybody_may_declare_what_was_shown_after_it(tmp_path):
    with opened(tmp_path, Fake("{}")) as keeper:
        keeper.end_scene()
        with pytest.raises(NoSuchTurn):
            keeper.declare({"moves": [GONE]})
        keeper.render(keeper.begin("I wait."), PROSE)
        assert keeper.declare({"moves": [GONE], "here": ["petra"]})  # nothing brings Petra
        keeper.end_scene()
        assert keeper.world().places["renna"] == "attic"


@pytest.mark.parametrize(
    "wrong", [{"staging": "call"}, {"staging": "reader", "stager": Fake("")}, {"staging": "calls"}]
)
def test_a_call_wants_a_model(tmp_path, wrong):
    with pytest.raises(SettingsInvalid):
        Storykeeper.open(tmp_path / "run.db", story=wherry(), reader=READER, **wrong)
