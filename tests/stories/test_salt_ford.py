"""The example with six who act on their own: played by agents that keep to their briefs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from storykeeper.canon.brief import Sense
from storykeeper.canon.knowledge_base import load_base
from storykeeper.canon.modes import Mode, open_base
from storykeeper.canon.verdict import Played
from storykeeper.field import Field
from storykeeper.memory.evidence import evidence
from storykeeper.memory.library import passages_of_source
from storykeeper.play.faithful_agent import faithful
from strategies.sizes import times

ROOT = Path(__file__).parents[2] / "examples" / "the-salt-ford"
TURNS = times(12, 100)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Field, list[Played]]:
    with Field.open(ROOT, library=tmp_path_factory.mktemp("library")) as field:
        turns = [each for _ in range(TURNS) for each in field.play(faithful)]
        return field, turns


def test_what_the_example_is(played):
    field, _ = played
    base = open_base(ROOT, Mode.NEUTRAL)
    assert len(field.cast) >= 4
    assert len({each.faction for each in field.cast.values()}) == 2
    assert len(base.in_force) >= 5
    passages = [passages_of_source(each, base.read(each)) for each in base.registry.stable]
    assert sum(map(len, passages)) >= 60
    assert load_base(base.folder).registry == base.registry


def test_no_brief_is_over_its_budget(played):
    _, turns = played
    tokens = sorted(each.brief.tokens for each in turns)
    assert len(tokens) == 6 * TURNS
    assert tokens[-1] <= 2_500


def test_every_item_of_canon_is_cited(played):
    field, turns = played
    told = {each.cite for each in field.base.registry.stable}
    for each in turns:
        assert set(each.brief.cites) <= told
        for snippet in each.brief.snippets:
            assert f"[{snippet.id}]" in each.brief.text
            source = next(s for s in field.base.registry.stable if s.cite == snippet.cite)
            assert source.id in field.cast[each.who].scope.canon
        for piece in (*each.brief.past, *each.brief.beliefs, *each.brief.visible):
            assert all(f"[{cite}]" in each.brief.text for cite in piece.cites)


def test_all_sorts_of_things_are_done_and_perceived(played):
    _, turns = played
    verbs = Counter(each.action.verb for each in turns)
    assert {"go", "report", "radio", "search"} <= set(verbs)
    senses = {p.how for each in turns for p in (*each.brief.visible, *each.brief.past)}
    assert senses >= {Sense.SEEN, Sense.CHANNEL, Sense.REMEMBERED, Sense.INTEL, Sense.SELF}


def test_a_faithful_agent_names_only_what_its_brief_holds(played):
    _, turns = played
    for each in turns:
        told = {s.id for s in each.brief.snippets} | {b.id for b in each.brief.beliefs}
        assert set(each.action.rests_on) <= told | each.brief.handles
        assert set(each.action.cites) <= set(each.brief.cites)


def test_what_is_said_against_is_marked(tmp_path: Path):
    """The survey counts twelve crates, the market twenty: both stand there, and say so."""
    with Field.open(ROOT, library=tmp_path) as field:
        found = evidence(field.library, "how many crates were counted", field.base.registry.stable)
    by_id = {each.id: each for each in found}
    survey = next(each for each in found if "Twelve crates" in each.text)
    assert survey.opposed
    rumour = by_id[survey.opposed[0]]
    assert "Twenty crates" in rumour.text
    assert rumour.opposed == (survey.id,)
    assert found.index(survey) < found.index(rumour)


def test_a_receipt_tells_its_owner_what_is_theirs_and_others_nothing(tmp_path: Path):
    with Field.open(ROOT, library=tmp_path) as field:
        for _ in range(2):
            field.play(faithful)
        made = field.brief("oda")
    mine = made.receipt_for("oda")
    assert {each.id for each in mine.shown} == {each.id for each in made.receipt.shown}
    told = {source for each in mine.shown for source in each.sources}
    assert told
    assert all(each.startswith(("canon:", "cite:")) for each in told)
    assert not any(f"t{turn}-" in str(mine) for turn in range(4))
    other = made.receipt_for("lil")
    assert (other.shown, other.left_out) == ((), ())
    private = replace(made, local_only=True).receipt_for("oda")
    assert not any(each.sources for each in (*private.shown, *private.left_out))
    assert len(private.shown) < len(mine.shown)


def test_the_same_field_gives_the_same_bytes(tmp_path: Path, played):
    _, turns = played
    with Field.open(ROOT, library=tmp_path) as field:
        again = [each for _ in range(3) for each in field.play(faithful)]
    assert again == turns[: len(again)]
