"""Somebody forgets from whom they have something: through the engine and by command."""

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from storykeeper.errors import RecordInvalid, UnknownPerson
from storykeeper.events.turns import Corrected
from strategies.runs import EVENING, go, kept, records
from unit.engine.test_word_for_word import SAID, played


def test_they_still_have_it_and_hearsay_ends_with_them():
    keeper = played(f"{SAID} says Jon.", "Rain.")
    held = keeper.forget_source("tanya", "sold", note="years ago")
    assert (held.how, held.tellers) == ("forgotten", ())
    assert keeper.knows("vic")["sold"].how == "told by jon"
    assert keeper.knows("tanya", at=1)["sold"].how == "told by jon"
    assert [each.note for each in records(keeper, Corrected)] == ["years ago"]
    assert keeper.replay().windows == 3


def test_it_stays_forgotten_when_the_past_is_corrected_and_in_a_fork():
    keeper = played(f"{SAID} says Jon.", "Rain.")
    keeper.forget_source("tanya", "sold")
    keeper.edit(2, "Snow.")
    assert keeper.knows("tanya")["sold"].how == "forgotten"
    keeper.begin("I wait.")
    assert keeper.knows("tanya")["sold"].how == "forgotten"


@pytest.mark.parametrize(
    ("who", "fact", "error"),
    [("ghost", "sold", UnknownPerson), ("bea", "sold", RecordInvalid), ("jon", "x", RecordInvalid)],
)
def test_what_cannot_be_forgotten_changes_nothing(who, fact, error):
    keeper = played(f"{SAID} says Jon.")
    before = len(records(keeper))
    with pytest.raises(error):
        keeper.forget_source(who, fact)
    assert len(records(keeper)) == before


def test_by_command(tmp_path):
    path = tmp_path / "run.db"
    keeper = kept(path)
    go(keeper, *EVENING)
    under_way = keeper.last_turn()
    keeper.ledger.close()
    run = CliRunner().invoke
    answer = run(app, ["forget", str(path), "pell", "the-child", "--note", "so long ago"])
    assert answer.exit_code == 0, answer.output
    assert answer.output.startswith("knows the-child (from where is forgotten, turn 0): The child")
    assert "from where is forgotten" in run(app, ["knows", str(path), "pell"]).output
    with kept(path) as again:
        assert again.world().pending.turn == under_way  # still to be answered
    refused = run(app, ["forget", str(path), "mara", "lens-sold"])
    assert isinstance(refused.exception, RecordInvalid)
