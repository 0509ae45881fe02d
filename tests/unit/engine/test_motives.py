"""A hidden motive stays its owner's; what came of an intent, the narrator may tell."""

import pytest

from storykeeper.context.history import PresentTurn
from storykeeper.context.window import assemble
from storykeeper.engine import Engine
from storykeeper.events.changes import IntentPredicted, IntentResolved
from storykeeper.language.tokens import counter
from storykeeper.play.seeing import NARRATOR
from storykeeper.units import EntityId, TurnNo
from strategies.parlour import READER, engine, tell

MOTIVE, PLAN, OUTCOME = "She wants the vineyard.", "Slip the deed away.", "Mara looks away."
EVERYONE = (NARRATOR, "ann", "mara", "tom", "eve")


def predicted(turn):
    return IntentPredicted(TurnNo(turn), EntityId("mara"), PLAN, 0.8, motive=MOTIVE)


def resolved(turn):
    return IntentResolved(TurnNo(turn), EntityId("mara"), OUTCOME, succeeded=False)


def window(*decided, audience):
    """A window on a turn in which these were decided."""
    keeper = engine()
    tell(keeper, "Rain falls.")
    keeper.end_scene()
    present = PresentTurn(TurnNo(1), EntityId("ann"), "I look at Mara.", decided)
    return assemble(
        keeper.world(), keeper.history(), present, audience=audience, tokens=None,
        count=counter(keeper.world().plan.story.budget.encoding),
    )  # fmt: skip


def shows(made, words):
    """Whether a window or its receipt has these words."""
    return words in made.text or words in str(made.receipt)


@pytest.mark.parametrize("audience", EVERYONE)
def test_nobody_is_shown_an_intent_that_nothing_has_come_of(audience):
    made, without = window(predicted(1), audience=audience), window(audience=audience)
    assert not shows(made, MOTIVE)
    assert not shows(made, PLAN)
    assert (made.digest, made.receipt_digest) == (without.digest, without.receipt_digest)


@pytest.mark.parametrize("audience", EVERYONE)
def test_the_narrator_is_shown_what_came_of_it_and_not_why(audience):
    made = window(predicted(1), resolved(1), audience=audience)
    assert shows(made, OUTCOME) == (audience == NARRATOR)
    assert not shows(made, MOTIVE)
    assert not shows(made, PLAN)


@pytest.mark.parametrize("audience", EVERYONE)
def test_on_record_it_reaches_no_window_and_no_view(audience):
    keeper = engine()
    tell(keeper, "Rain falls.")
    keeper.end_scene()
    keeper.ledger.append(keeper.run, [predicted(0)], expected=keeper.ledger.head("main").version)
    keeper = Engine(keeper.ledger, keeper.run, reader=READER)
    tell(keeper, "Mara looks at the deed. “Well,” says Mara.", "I ask Mara about the vineyard.")
    tell(keeper, "Mara smiles.", "I wait.")
    keeper.end_scene()
    assert not shows(keeper.window(audience), MOTIVE)
    assert not shows(keeper.window(audience), PLAN)
    found = keeper.recall("What does Mara want, the vineyard?", audience)
    assert not any(MOTIVE in hit.item.text for hit in found)
