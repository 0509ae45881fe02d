"""The judge: every law refuses what breaks it and mends what it can, by rule and evidence."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from msgspec import structs

from storykeeper.canon.brief import Point, Snippet
from storykeeper.canon.registry import SourceKind
from storykeeper.canon.situation import WorldRule
from storykeeper.canon.verdict import Outcome
from storykeeper.errors import ModelUnavailable
from storykeeper.field import Field
from storykeeper.models.entailment import OnnxEntailment
from storykeeper.play.faithful_agent import faithful
from storykeeper.play.judge import LAWS, Judge
from strategies.onnx_models import overlap_model

FORD = Path(__file__).parents[3] / "examples" / "the-salt-ford"
CITE = "ferry-rule@1"


@pytest.fixture(scope="module")
def ford(tmp_path_factory):
    with Field.open(FORD, library=tmp_path_factory.mktemp("library")) as field:
        field.play(faithful)
        yield field


@pytest.fixture(scope="module")
def brief(ford):
    """Oda's, with a passage of doctrine that is sure to be there."""
    made = ford.brief("oda").brief
    alone = Snippet(
        id=f"{CITE}#0", cite=CITE, kind=SourceKind.DOCTRINE,
        text="Nobody crosses the ford alone; two go, or none goes.",
    )  # fmt: skip
    return structs.replace(made, snippets=(*made.snippets, alone))


def ruled(ford, brief, *, world=None, entailment=None, **changed):
    action = structs.replace(faithful(brief), **changed)
    return Judge(ford.base.in_force, entailment)(action, brief, world or ford.world)


def verb(world, name, **changed):
    verbs = tuple(structs.replace(v, **changed) if v.id == name else v for v in world.verbs)
    return structs.replace(world, verbs=verbs)


def test_what_keeps_to_its_brief_is_allowed(ford):
    for who in ford.cast:
        told = ford.brief(who).brief
        verdict = Judge(ford.base.in_force)(faithful(told), told, ford.world)
        assert (verdict.outcome, verdict.why) == (Outcome.ALLOWED, "")
        assert verdict.action == faithful(told)


def test_the_laws_stand_in_the_order_of_what_they_cost():
    assert list(LAWS) == ["resources", "state", "information", "rules", "canon"]


HOLD = {"verb": "hold", "target": None, "to": None, "words": "", "channel": None, "spends": {}}


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"verb": "fly"}, "state: verb"),
        ({**HOLD, "verb": "tend", "target": "bram"}, "state: verb"),
        ({"who": "ines"}, "state: turn"),
        ({"turn": 40}, "state: turn"),
        ({**HOLD, "verb": "go"}, "state: place"),
        ({**HOLD, "verb": "go", "target": "ines"}, "state: place"),  # a target is no place
        ({**HOLD, "verb": "go", "to": Point(x=math.nan, y=0.0)}, "state: place"),
        ({**HOLD, "verb": "go", "to": Point(x=0.0, y=-math.inf)}, "state: place"),
        ({**HOLD, "verb": "call"}, "state: words"),
        ({**HOLD, "verb": "call", "words": "A" * 1_001}, "state: words"),
        ({**HOLD, "justification": "So. " * 501}, "state: words"),
        ({**HOLD, "target": "nobody-here"}, "information: target"),
        ({**HOLD, "rests_on": ("quarry-secret",)}, "information: reason"),
        ({**HOLD, "justification": "Bram cut his arm on the cart and will not say how deep."},
         "information: knows"),
        ({**HOLD, "cites": ("quarry-orders@1",)}, "canon: not told"),
        ({**HOLD, "cites": ("the-prophet@2",)}, "canon: unknown source"),
        ({**HOLD, "justification": "I cross the ford alone."}, "canon: contradiction"),
    ],
)  # fmt: skip
def test_what_is_refused_and_by_which_rule(ford, brief, changed, rule):
    verdict = ruled(ford, brief, **changed)
    assert (verdict.outcome, verdict.rule) == (Outcome.REFUSED, rule)
    assert verdict.why
    assert verdict.action is None
    assert verdict.evidence or rule == "state: verb"


def test_a_contradiction_names_the_passage_and_the_words(ford, brief):
    verdict = ruled(ford, brief, **HOLD, justification="I cross the ford alone.")
    assert verdict.evidence == (f"snippet:{CITE}#0",)
    assert "negation: alon, cross, ford" in verdict.why


def test_what_it_costs_must_be_there(ford, brief):
    world = verb(ford.world, "hold", costs={"bandages": 99.0})
    verdict = ruled(ford, brief, world=world, **HOLD)
    assert verdict.rule == "resources: bandages"
    assert "costs 99 bandages" in verdict.why


@pytest.mark.parametrize(
    ("changed", "rule", "mended"),
    [
        ({**HOLD, "spends": {"bread": 2.0}}, "resources: cost", {"spends": {}}),
        ({**HOLD, "words": "Hello."}, "state: words", {"words": "", "channel": None}),
        ({**HOLD, "verb": "radio", "words": "Here.", "channel": "quarry-net"}, "state: channel",
         {"channel": "ferry-net"}),
        ({**HOLD, "cites": (), "rests_on": (f"{CITE}#0",)}, "canon: uncited", {"cites": (CITE,)}),
        ({**HOLD, "cites": ("ferry-rule@0.9",)}, "canon: outdated source", {"cites": (CITE,)}),
    ],
)  # fmt: skip
def test_what_has_one_obvious_repair_is_mended(ford, brief, changed, rule, mended):
    verdict = ruled(
        ford, brief, justification="I watch.", **{"rests_on": (), "cites": (), **changed}
    )
    assert (verdict.outcome, verdict.rule) == (Outcome.REPAIRED, rule)
    for name, value in mended.items():
        assert getattr(verdict.action, name) == value


def test_one_law_may_mend_twice(ford, brief):
    others = tuple(each for each in brief.actions if each.verb != "search")
    search = next(each for each in brief.actions if each.verb == "search")
    one = structs.replace(search, targets=search.targets[:1])
    only = structs.replace(brief, actions=(*others, one))
    changed = {**HOLD, "verb": "search", "words": "Look!", "rests_on": ()}
    verdict = ruled(ford, only, **changed, justification="I look.")
    assert (verdict.outcome, verdict.rule) == (Outcome.REPAIRED, "state: target, state: words")
    assert (verdict.action.target, verdict.action.words) == (search.targets[0], "")


def test_a_rule_of_the_world_forbids_verbs_sides_and_targets(ford, brief):
    def under(**rule):
        held = WorldRule(id="still", text="Nobody stands still.", **rule)
        world = structs.replace(ford.world, rules=(held,))
        return ruled(ford, brief, world=world, **HOLD, justification="I watch.").rule

    assert under(verbs=("hold",)) == "rules: still"
    assert under(verbs=("go",)) == ""
    assert under(verbs=("hold",), factions=("quarry",)) == ""
    assert under(verbs=("hold",), until=ford.world.turn) == ""


class Sure:
    """A model that is sure of everything, at the seam; a real one is below."""

    def __init__(self, sure):
        self.sure = sure

    def contradiction(self, *, premise, claim):
        assert claim
        return self.sure if "alone" in premise else 0.0


def test_a_model_may_say_more_than_words_do(ford, brief):
    said = {**HOLD, "justification": "The ford is something I walk through by myself."}
    assert ruled(ford, brief, **said).outcome is Outcome.ALLOWED
    assert ruled(ford, brief, entailment=Sure(0.5), **said).outcome is Outcome.ALLOWED
    verdict = ruled(ford, brief, entailment=Sure(0.97), **said)
    assert verdict.rule == "canon: contradiction"
    assert "by a model, 0.97" in verdict.why


def model(folder, *, outputs=3, **more):
    """One that takes shared words for a contradiction."""
    path = folder / f"model-{outputs}.onnx"
    path.write_bytes(overlap_model(outputs=outputs))
    return OnnxEntailment(path, **more)


def test_a_model_in_onnx_is_read(tmp_path):
    three = model(tmp_path)
    # Two shared pieces and the mark that ends both: logits 1, 0, 0.
    sure = math.exp(1) / (math.exp(1) + 2)
    asked = {"premise": "the mill wheel", "claim": "the mill"}
    assert three.contradiction(**asked) == pytest.approx(sure)
    turned = model(tmp_path, labels=("neutral", "contradiction", "entailment"))
    assert turned.contradiction(**asked) == pytest.approx(1 / (math.exp(1) + 2))
    with pytest.raises(ModelUnavailable, match="it answers 2 numbers for a pair, not three"):
        model(tmp_path, outputs=2).contradiction(**asked)
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        OnnxEntailment(tmp_path / "nowhere.onnx")
    with pytest.raises(ModelUnavailable, match="its labels are"):
        model(tmp_path, labels=("yes", "no", "maybe"))


def test_a_judge_with_a_model_in_onnx(ford, brief, tmp_path):
    said = {**HOLD, "justification": "Nobody crosses the ford alone, I hear, two go or none goes."}
    assert ruled(ford, brief, **said).outcome is not Outcome.REFUSED
    assert ruled(ford, brief, entailment=model(tmp_path), **said).rule == "canon: contradiction"
