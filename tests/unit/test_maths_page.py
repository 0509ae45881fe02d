"""The examples of docs/maths.md are run, and its functions exist."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "maths.md"
PACKAGES = {each.stem for each in (ROOT / "src" / "storykeeper").iterdir()}


def test_examples_hold():
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted >= 2
    assert result.failed == 0


# ── names ────────────────────────────────────────────────────────────────────────────────────

_TABLE = "## Operations the seeds name"
_NAMED = re.compile(r"`((?:storykeeper\.)?[a-z_]+(?:\.[A-Za-z_]+)+)`")
_FORMULA = re.compile(r"^\*\*F\d.*?`(storykeeper[\w.]+)`", re.MULTILINE)
# Every operation that the seeds write as a call, and those that they name in prose.
OF_THE_SEEDS = """
    assemble_narrator_context query_entity_relevance query_gate_proximity gravitational_pull
    strongest_attractor sub_graph_collective_mass active_prophecies bridge_objects
    boundary_permeability reachable_scenes composite_score initial_relevance gravitational_modifier
    information_boundary_factor recency_decay narrative_temperature_modifier prophetic_modifier
    relates_to thematically_resonates_with resonates_with violates_hard_boundary
    contains_withheld_information contains_suspected_information entity_id is_resolved
    find_possessed_entity find_entity_at_location mention_is_pronoun resolve_pronoun
    find_entities_with_descriptors promote_entity create_edge knowledge_scope TurnBrief
    estimateTokens clusterIndex Q_align Expand* M_norm C_hop S_proj term_guard
"""


def found(name: str) -> bool:
    """Whether a dotted name leads to something: a module, or what stands in one."""
    parts = name.removeprefix("storykeeper.").split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(("storykeeper", *parts[:cut])))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            fields = getattr(thing, "__dataclass_fields__", {})
            if not hasattr(thing, part) and part not in fields:
                return False
            thing = getattr(thing, part, None)
        return True
    return False


def test_the_functions_on_the_page_exist():
    named = set(_FORMULA.findall(PAGE.read_text("utf-8")))
    assert len(named) > 80
    assert [name for name in sorted(named) if not found(name)] == []
    assert not found("storykeeper.gravity.pull.push")


def test_the_table_leads_from_every_operation_of_the_seeds_to_something_of_ours():
    table = PAGE.read_text("utf-8").partition(_TABLE)[2]
    rows = [line.split(" | ", 1) for line in table.splitlines() if line.startswith("| ")][1:]
    theirs = " ".join(row[0] for row in rows)
    assert [name for name in OF_THE_SEEDS.split() if name not in theirs] == []
    for _, ours in rows:
        assert "`" in ours or "not built" in ours
        short = re.findall(r"`([\w.]+)`", ours)
        dotted = [n for n in _NAMED.findall(ours) if n.split(".")[0] in PACKAGES]
        assert all(map(found, dotted)), [n for n in dotted if not found(n)]
        assert dotted or not short or "things with" in ours, ours
