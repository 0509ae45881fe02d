"""`why` of what was withheld: the rule to the author, and nothing to the audience."""

import msgspec
import pytest
from msgspec import structs
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.cli.why import explained
from storykeeper.story.knowledge import Fact
from storykeeper.story.people import Goal
from strategies.six import house
from strategies.worlds import READER

GOAL = Goal(text="To be zugoalx.")


def story():
    """Jon knows of a debt, and a thing that belongs to the dream; he is up to something."""
    cast = tuple(structs.replace(c, goals=(GOAL,)) if c.id == "jon" else c for c in house().cast)
    return structs.replace(house(), cast=cast, facts=(
        Fact(id="debt", full="It is zufactx.", known_by={"jon": "saw"}, about=("ruby",)),
        Fact(id="omen", full="It is zuomenx.", layer="dream", known_by={"ada": "dreamed"}),
    ))  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("why") / "run.db"
    with Storykeeper.open(path, story=story(), reader=READER) as keeper:
        keeper.render(keeper.opening(), "Rain.")
        keeper.render(keeper.begin("I wait."), "“Zuwhisperx,” Jon whispers to Tanya.")
        keeper.render(keeper.begin("I look at the ruby."), "Rain.")
        keeper.render(keeper.begin("I wait."), "Rain.")
    return str(path)


def why(run, *args):
    answer = CliRunner().invoke(app, ["why", run, "3", *args])
    assert answer.exit_code == 0, answer.output
    return answer.output


KINDS = {
    "a fact": (("debt", "--for", "narrator"), "fact:debt: not known"),
    "a layer's fact": (("omen", "--for", "narrator"), "fact:omen: the boundary of its layer"),
    "an event": (("t1.2", "--for", "wim"), "an event is for those who perceived it"),
    "a card": (("card:jon", "--for", "narrator"), "card:jon: a card is its owner’s"),
    "a motive": (("intent:jon", "--for", "narrator"), "what shows of an intent is the narrator’s"),
    "a fact, to one of the cast": (("debt", "--for", "tanya"), "fact:debt: not known"),
}


@pytest.mark.parametrize(("args", "rule"), KINDS.values(), ids=KINDS)
def test_the_author_gets_the_rule(run, args, rule):
    told = why(run, *args)
    assert "withheld by the rule «" in told
    assert rule in told


@pytest.mark.parametrize(("args", "_"), KINDS.values(), ids=KINDS)
def test_the_audience_gets_nothing(run, args, _):
    item, audience = args[0], args[2]
    keeper = Storykeeper.open(run, read_only=True)
    made = keeper.window_of(3, audience)
    told = msgspec.json.encode(made.receipt_for(audience)).decode()
    keeper.ledger.close()
    for text in (told, made.text):
        assert f'"{item}"' not in text
        assert "withheld" not in text
        for hidden in ("zufactx", "zuomenx", "zugoalx"):
            assert hidden not in text.casefold()
    assert not hasattr(made.receipt_for(audience), "refused")


def test_what_is_open_and_what_is_nothing(run):
    assert "+ card:tanya: tier 1" in why(run, "card:tanya", "--for", "tanya")
    assert "mood:jon: open to jon" in why(run, "mood:jon", "--for", "jon")
    assert why(run, "nonsense") == "nothing called nonsense was considered\n"


def test_what_was_proposed_and_refused_says_so_too(run):
    keeper = Storykeeper.open(run, read_only=True)
    made = keeper.window("narrator", text="I take the ruby and ask Jon about the ruby.")
    keeper.ledger.close()
    assert "fact:debt: not known" in [each.rule for each in made.receipt.refused]
    assert "- fact:debt: withheld by the rule «fact:debt: not known»" in explained(made)


def test_a_factor_of_one_and_a_source_named_before_are_not_said(run):
    with Storykeeper.open(run, reader=READER, read_only=True) as keeper:
        window = keeper.window_of(3)
    lines = [line for line in explained(window).splitlines() if " = " in line]
    assert lines
    for line in lines:
        factors = line.partition(" = ")[0].split(" · ")
        assert factors[0].strip().startswith("relevance")
        assert not [each for each in factors[1:] if each.endswith(" 1.00")]
        sources = line.partition("  from ")[2].split(", ")
        assert len(sources) == len(set(sources))
    assert any(" · " in line for line in lines)
