"""`storykeeper eval`: figures are computed from actions and briefs, and tell good from bad."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs
from typer.testing import CliRunner

from storykeeper.bench.quality.consistency import Consistency, Scale, pairs
from storykeeper.bench.quality.figures import GATES, at, broken, figures, mean, share
from storykeeper.bench.quality.policies import FOREIGN, _pairs
from storykeeper.bench.quality.suite import failed, of_suite
from storykeeper.canon.files import loaded
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.turn_log import line_of, read_log
from storykeeper.cli.main import app
from storykeeper.errors import CanonInvalid
from storykeeper.field import Field
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.play.faithful_agent import faithful

FORD = Path(__file__).parents[3] / "examples" / "the-salt-ford"


@pytest.fixture(scope="module")
def reader():
    return MiniLM()


@pytest.fixture(scope="module")
def consistency(reader):
    return Consistency(reader)


@pytest.fixture(scope="module")
def suite(reader):
    return of_suite(FORD, reader=reader, turns=6)


def test_a_faithful_actor_passes_in_its_own_words_too(suite):
    for name in ("faithful", "own words"):
        assert failed(suite[name], tuple(GATES.items())) == []
        assert suite[name]["refused"]["percent"] <= 5.0
    assert suite["own words"]["persona_cosine_raw"]["mean"] < 0.6  # nothing is parroted


def test_three_bad_actors_score_clearly_worse(suite):
    good = suite["faithful"]
    assert suite["ignores canon"]["canon_violation_rate"]["ci_low"] > 25
    assert good["canon_violation_rate"]["ci_high"] < 15
    assert suite["reads minds"]["refused_by_law"]["information"]["ci_low"] > 15
    assert suite["drifts"]["persona_consistency"]["ci_high"] < 0.4
    assert good["persona_consistency"]["ci_low"] >= 0.75
    for name in ("ignores canon", "drifts"):
        assert failed(suite[name], tuple(GATES.items()))


def test_the_scale_stands_between_the_unrelated_and_paraphrases(consistency):
    scale = consistency.scale
    assert scale.unrelated < scale.quarter < scale.half < 0.8
    scores = [consistency.score(said, [belief]) for belief, said in pairs()]
    assert sum(scores) / len(scores) >= 0.75
    away = [consistency.score(said, [pairs()[i - 7][0]]) for i, (_, said) in enumerate(pairs())]
    assert sum(away) / len(away) < 0.2
    assert Scale(0.2, 0.4, 0.6)(0.4) == 0.75


def test_paraphrases_that_set_no_scale_reach_it_as_well(consistency):
    own = [(belief, said) for belief, said in _pairs("own_words.txt")]
    assert not {belief for belief, _ in own} & {belief for belief, _ in pairs()}
    scores = [consistency.score(said, [belief]) for belief, said in own]
    assert sum(scores) / len(scores) >= 0.75
    off = [consistency.score(text, [belief for belief, _ in own]) for text in FOREIGN]
    assert max(off) < 0.75


def test_what_contradicts_a_belief_is_not_near_it(consistency):
    belief = "What the river leaves should go to whoever needs it."
    assert consistency.score(belief, [belief]) == 1.0
    against = "What the river leaves should never go to whoever needs it."
    assert consistency.score(against, [belief]) == 0.0
    assert consistency.score("", [belief]) == 0.0


def test_every_belief_of_the_example_has_its_own_words():
    cards = [loaded(PersonaCardV2, path) for path in sorted((FORD / "personas").glob("*.yaml"))]
    beliefs = {b.text.replace("’", "'") for card in cards for b in card.beliefs}
    assert beliefs == {belief for belief, _ in _pairs("own_words.txt")}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    folder = tmp_path_factory.mktemp("log")
    with Field.open(FORD, library=folder) as field:
        lines = [line_of(field.head("neutral"))]
        lines += [line_of(each) for _ in range(2) for each in field.play(faithful)]
        lines.append(line_of(field.world))
    path = folder / "run.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def test_figures_follow_the_actions(log, consistency):
    read = read_log(log)
    in_force = frozenset(read.head.sources)
    (oda,) = (e for e in read.played if e.who == "oda" and e.turn == read.played[0].turn)
    told = figures([oda], read.world, in_force, consistency)
    assert told["canon_violation_rate"]["percent"] == 0.0
    forged = structs.replace(oda.action, cites=("the-prophet@1",), justification="I am bored.")
    bad = structs.replace(oda, action=forged)
    found = figures([oda, bad], read.world, in_force, consistency)
    assert found["canon_violations_by_kind"] == {"canon: unknown source": 1}
    assert found["canon_violation_rate"]["percent"] == 50.0
    assert found["persona_consistency"]["mean"] < told["persona_consistency"]["mean"]
    assert broken(bad, read.world, in_force, None) == "canon: unknown source"
    large = structs.replace(oda, brief=structs.replace(oda.brief, tokens=9_000))
    over = figures([large], read.world, in_force, consistency)["brief_tokens"]
    assert over == {"p50": 9_000, "p95": 9_000, "longest": 9_000, "over": 1}


def test_intervals_are_wider_for_fewer_actors():
    many = mean([(f"a{i}", i % 2) for i in range(100)], seed=1)
    few = mean([(f"a{i % 4}", (i % 4) % 2) for i in range(100)], seed=1)
    assert many["mean"] == few["mean"] == 0.5
    assert few["ci_high"] - few["ci_low"] > 2 * (many["ci_high"] - many["ci_low"])
    assert mean([], seed=1)["mean"] is None
    assert share(1, 4)["percent"] == 25.0
    assert at([1, 2, 3, 4], 0.95) == 4
    assert at([], 0.5) == 0


def run(*words):
    return CliRunner().invoke(app, ["eval", *map(str, words)])


def test_the_command_reads_a_log(log, tmp_path):
    said = run(log, "--json")
    assert said.exit_code == 0
    figures_ = json.loads(said.output)
    assert figures_["actions"] == 12
    assert "canon   0.00 %" in run(log).output
    broken_off = tmp_path / "broken.jsonl"
    broken_off.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert isinstance(run(broken_off).exception, CanonInvalid)


def test_a_run_out_of_bounds_ends_with_1(log, tmp_path):
    lines = log.read_bytes().splitlines(keepends=True)
    read = read_log(log)
    forged = [
        line_of(structs.replace(e, action=structs.replace(e.action, justification="I am bored.")))
        for e in read.played
    ]
    path = tmp_path / "bored.jsonl"
    path.write_bytes(b"".join([lines[0], *forged, lines[-1]]))
    said = run(path)
    assert said.exit_code == 1
    assert "out of bounds: persona consistency" in said.output
