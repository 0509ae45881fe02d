"""The gate and the boundary, rule by rule, and the check of a finished window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.check import check_window
from storykeeper.context.gate import CIRCLE, NO_SOURCE, NOT_A_HINT, gate
from storykeeper.context.items import FULL, Candidate, Class, Shown, Tier
from storykeeper.context.tail import RECENT, Unit
from storykeeper.errors import WindowBreach
from storykeeper.events.atoms import Atom, SpeechUttered
from storykeeper.events.changes import IntentResolved, SecretRevealed
from storykeeper.scoring.composite import Terms
from storykeeper.story.conditions import Condition
from storykeeper.story.knowledge import Fact
from storykeeper.story.layers import Layer, LayerKind
from storykeeper.story.model import NARRATOR, Soft, Story
from storykeeper.story.people import Character, Relation, Scope
from storykeeper.story.places import Setting, Thing
from storykeeper.story.preamble import hard_parts
from storykeeper.story.scenes import Beat, Scene, SceneCast
from storykeeper.story.tuning import LayerOverride, Overrides
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Inside
from strategies.tables import table
from strategies.windows import Played

# Ana is played and in the hall with Bo. Cy is in the yard; Dee is nowhere, and nobody's.
STORY = Story(
    id="gates", title="Gates", players=("ana",), start="first", voice="Plain.", rules=("One.",),
    soft=(Soft(heading="S", text="Soft."),),
    cast=(
        Character(id="ana", name="Ana", line="The clerk.", at="hall",
                  scope=Scope(entities=("letter",)), relations=(Relation(to="bo"),)),
        Character(id="bo", name="Bo", line="The cook.", at="hall", rules=("Never runs.",)),
        Character(id="cy", name="Cy", line="The spy.", at="yard", scope=Scope(entities=("bo",))),
        Character(id="dee", name="Dee", line="The ghost."),
    ),
    settings=(Setting(id="hall", name="the hall"), Setting(id="yard", name="the yard"),
              Setting(id="loft", name="the loft")),
    things=(Thing(id="cup", name="the cup", at="hall"), Thing(id="key", name="the key", at="yard"),
            Thing(id="knife", name="the knife", held_by="bo"),
            Thing(id="pen", name="the pen", held_by="ana"), Thing(id="letter", name="the letter"),
            Thing(id="ring", name="the ring"), Thing(id="rope", name="the rope")),
    facts=(
        Fact(id="open", full="It rains.", known_by={"ana": "saw"}, about=("ring",)),
        Fact(id="guess", full="It leaks.", hint="A drip.", suspected_by={"ana": "heard"}),
        Fact(id="hidden", full="It burns.", hint="Smoke.", known_by={"bo": "saw"},
             about=("rope",)),
        Fact(id="wrong", full="It snows.", confidence=0.1, believed_by={"ana": "read"}),
        Fact(id="dreamt", full="It sings.", hint="A hum.", known_by={"ana": "dreamed"},
             layer="dream"),
    ),
    layers=(Layer(id="dream", name="Dream", kind=LayerKind.DREAM, scenes=("inner",)),),
    scenes=(
        Scene(id="first", title="First", setting="hall", cast=SceneCast(required=("bo",)),
              tone="Low.", beats=(Beat(id="opening", prose="It opens."),
                                  Beat(id="later", prose="Later.",
                                       when=Condition(visited="inner")))),
        Scene(id="inner", title="Inner", tone="Odd."),
    ),
)  # fmt: skip


def permeable(value: float) -> Story:
    layers = {"dream": LayerOverride(permeability=value)}
    return structs.replace(STORY, overrides=Overrides(layers=layers))


def boundary(audience: str, story: Story = STORY, *, extra: tuple = (), inside: bool = False):
    played = Played.of(story)
    played.play("", "“Good morning,” says Bo.")
    world, present = played.under_way("I ask Bo about the key")
    if inside:
        world = structs.replace(world, inside=(Inside("dream", "first"),))
    present = replace(present, decided=(*present.decided, *extra), beats=_due(world))
    return Boundary(world, played.history, present, audience=audience)


def _due(world):
    return (("first/opening", world.plan.beats["first/opening"]),)


@table(
    "audience, source, level",
    [
        ("narrator", "hard:voice", 1), ("bo", "hard:voice", 0), ("narrator", "hard:other", 0),
        ("narrator", "soft:0", 1), ("narrator", "soft:1", 0), ("bo", "soft:0", 0),
        ("narrator", "scene:first", 1), ("narrator", "scene:inner", 0), ("ana", "scene:first", 0),
        ("narrator", "beat:first/opening", 1), ("narrator", "beat:first/later", 0),
        ("ana", "beat:first/opening", 0),
        ("bo", "card:bo", 1), ("ana", "card:bo", 0), ("narrator", "card:bo", 0),
        ("narrator", "line:bo", 1), ("narrator", "line:dee", 0), ("bo", "line:bo", 1),
        ("bo", "line:ana", 0),
        ("narrator", "cast:bo", 1), ("narrator", "cast:cy", 0), ("cy", "cast:bo", 1),
        ("bo", "cast:cy", 0), ("bo", "cast:ana", 1), ("narrator", "cast:cup", 0),
        ("narrator", "relation:ana/bo", 1), ("narrator", "relation:bo/ana", 1),
        ("narrator", "relation:ana/dee", 0), ("ana", "relation:ana/dee", 0),
        ("narrator", "relation:bo/cy", 0), ("bo", "relation:ana/bo", 0),
        ("bo", "relation:bo/ana", 1), ("bo", "relation:bo/cy", 0),
        ("narrator", "history:ana/bo", 1), ("narrator", "history:bo/ana", 0),
        ("narrator", "mood:bo", 1), ("narrator", "mood:cy", 0), ("ana", "mood:bo", 0),
        ("narrator", "setting:hall", 1), ("narrator", "setting:loft", 0),
        ("cy", "setting:yard", 1), ("cy", "setting:hall", 0),
        ("narrator", "thing:cup", 1), ("narrator", "thing:key", 0), ("cy", "thing:key", 1),
        ("narrator", "thing:letter", 1), ("narrator", "thing:ring", 1),
        ("narrator", "thing:rope", 0), ("bo", "thing:rope", 1),
        ("narrator", "where:pen", 1), ("narrator", "where:knife", 0), ("bo", "where:knife", 1),
        ("narrator", "where:cup", 0), ("narrator", "where:bo", 1), ("narrator", "where:cy", 0),
        ("narrator", "fact:open", 1), ("bo", "fact:open", 0), ("narrator", "fact:guess", 0),
        ("narrator", "hint:guess", 0.5), ("bo", "hint:guess", 0), ("bo", "fact:hidden", 1),
        ("narrator", "fact:hidden", 0), ("narrator", "hint:hidden", 0),
        ("narrator", "fact:none", 0), ("narrator", "fact:wrong", 0),
        ("narrator", "belief:ana:wrong", 1), ("bo", "belief:ana:wrong", 0),
        ("narrator", "belief:none", 0),
        ("narrator", "turn:0", 1), ("narrator", "turn:7", 0), ("narrator", "turn:x", 0),
        ("ana", "turn:0", 0),
        ("narrator", "input", 1), ("ana", "input", 1), ("bo", "input", 0),
        ("narrator", "intent:bo", 0),
        ("narrator", "summary:1", 0), ("narrator", "", 0), ("narrator", "Fact:open", 0),
    ],
)  # fmt: skip
def test_each_rule(audience, source, level):
    assert boundary(audience).ruling(source).boundary == level


def test_an_outcome_is_the_narrators():
    outcome = IntentResolved(TurnNo(1), EntityId("bo"), "Bo looks away.", True)
    assert boundary(NARRATOR, extra=(outcome,)).open("intent:bo")
    assert not boundary("bo", extra=(outcome,)).open("intent:bo")
    loose = IntentResolved(TurnNo(1), EntityId("bo"), "Bo runs to the cellar.", True)
    assert not boundary(NARRATOR, extra=(loose,)).open("intent:bo")


def test_that_somebody_learned_something_is_theirs_and_the_tellers():
    told = SecretRevealed(TurnNo(1), "open", (EntityId("bo"),), "told by ana")
    saw = SecretRevealed(TurnNo(1), "open", (EntityId("bo"),), "saw")
    assert boundary(NARRATOR, extra=(told,)).open("learned:bo/open")
    assert not boundary(NARRATOR, extra=(saw,)).open("learned:bo/open")
    assert boundary("bo", extra=(saw,)).open("learned:bo/open")


@pytest.mark.parametrize(
    ("value", "fact", "hint"),
    [(0.0, 0, 0), (0.49, 0, 0), (0.5, 0, 0.5), (0.7, 0, 0.5), (0.71, 1, 0.5), (1.0, 1, 0.5)],
)
def test_a_layers_facts_cross_as_its_permeability_allows(value, fact, hint):
    outside = boundary(NARRATOR, permeable(value))
    assert outside.ruling("fact:dreamt").boundary == fact
    assert outside.ruling("hint:dreamt").boundary == hint
    assert boundary(NARRATOR, permeable(value), inside=True).open("fact:dreamt")


def test_an_event_is_for_those_who_perceived_it():
    atoms = boundary(NARRATOR).present.decided
    asked = next(a for a in atoms if isinstance(a, Atom))
    source = f"atom:{asked.id}"
    assert boundary(NARRATOR).open(source)
    assert boundary("ana").open(source)
    assert boundary("bo").open(source)
    assert not boundary("cy").open(source)


def test_a_whisper_is_for_the_one_it_is_for():
    line = boundary("bo")
    asked = next(a for a in line.present.decided if isinstance(a, Atom))
    aside = structs.replace(
        asked, id="t1.50", what=SpeechUttered("Hush.", whispered=True), participants=()
    )
    heard = structs.replace(aside, participants=asked.participants[:1])
    assert not line.witnessed(aside)
    assert boundary("ana").witnessed(heard)
    assert not line.witnessed(heard)


# ── the gate ─────────────────────────────────────────────────────────────────────────────────


def candidate(item_id: str, *sources: str, full: str = "Words.", hint: str = "") -> Candidate:
    return Candidate(
        id=item_id, origin="test", tier=Tier.RETRIEVED, klass=Class.ENRICHMENT, sources=sources,
        full=full, hint=hint,
    )  # fmt: skip


def verdict(*candidates: Candidate, audience: str = NARRATOR) -> dict[str, float | str]:
    permitted, refused = gate(candidates, boundary(audience))
    found: dict[str, float | str] = {c.id: c.terms.boundary for c in permitted}
    return found | {r.candidate.id: r.rule for r in refused}


def test_one_closed_source_closes_the_item():
    mixed = candidate("mixed", "fact:open", "fact:hidden")
    assert verdict(mixed) == {"mixed": "fact:hidden: not known"}


def test_an_item_without_sources_is_closed():
    assert verdict(candidate("bare")) == {"bare": NO_SOURCE}


def test_what_is_suspected_may_only_be_hinted_at():
    hint = candidate("hint:guess", "hint:guess", full="", hint="A drip.")
    long = candidate("long", "hint:guess", full="It leaks.", hint="A drip.")
    assert verdict(hint, long) == {"hint:guess": 0.5, "long": NOT_A_HINT}


def test_derived_items_are_as_open_as_what_they_derive_from():
    found = verdict(
        candidate("summary:1", "fact:open"),
        candidate("summary:2", "summary:1", "summary:3"),
        candidate("summary:3", "fact:hidden"),
    )
    assert found["summary:1"] == 1.0
    assert "not known" in str(found["summary:2"])
    assert "not known" in str(found["summary:3"])


def test_a_circle_of_derivations_is_closed():
    found = verdict(candidate("a:1", "b:1"), candidate("b:1", "a:1"))
    assert found == {"a:1": f"b:1: {CIRCLE}", "b:1": f"a:1: {CIRCLE}"}


def test_a_source_cannot_open_what_is_closed():
    eager = replace(candidate("x", "fact:hidden"), terms=Terms(relevance=1.0, boundary=1.0))
    assert verdict(eager) == {"x": "fact:hidden: not known"}


# ── the finished window ──────────────────────────────────────────────────────────────────────


def shown(item_id: str, text: str, *, origin: str, tier: Tier, sources: tuple = ()) -> Shown:
    made = Candidate(
        id=item_id, origin=origin, tier=tier, klass=Class.MANDATORY, sources=sources or (item_id,),
        full=text, terms=Terms(boundary=1.0),
    )  # fmt: skip
    return Shown(made, FULL, 1)


def good() -> list[Shown]:
    line = boundary(NARRATOR)
    hard = [
        shown(f"hard:{part}", text, origin="hard", tier=Tier.PREAMBLE)
        for part, text in line_parts(line)
    ]
    return [
        *hard,
        shown("soft:0", "Soft.", origin="soft", tier=Tier.PREAMBLE),
        shown("turn:0", "Told.", origin=RECENT, tier=Tier.JOURNAL),
        shown("fact:open", "It rains.", origin="entity", tier=Tier.RETRIEVED),
    ]


def line_parts(line: Boundary):
    return list(hard_parts(line.plan.story))


def checked(items: list[Shown], *, counted: int = 10, text: str | None = None) -> None:
    soft = [i.candidate for i in good() if i.candidate.origin == "soft"]
    past = [Unit(TurnNo(0), i.candidate) for i in good() if i.candidate.origin == RECENT]
    check_window(
        items, boundary=boundary(NARRATOR), soft=soft, past=past, base_units=3,
        text="\n\n".join(i.text for i in items) if text is None else text,
        counted=counted, tokens=10,
    )  # fmt: skip


def test_a_lawful_window_passes():
    checked(good())


def breaches() -> dict[str, tuple[str, list[Shown]]]:
    items = good()
    by_id = {i.candidate.id: i for i in items}
    soft, turn, fact = by_id["soft:0"], by_id["turn:0"], by_id["fact:open"]
    bad_term = replace(
        fact, candidate=replace(fact.candidate, terms=Terms(boundary=1.0, gravity=float("nan")))
    )
    hidden = shown("fact:hidden", "It burns.", origin="entity", tier=Tier.RETRIEVED)
    derived = shown("note", "N.", origin="x", tier=Tier.RETRIEVED, sources=("fact:hidden",))
    again = shown("note", "N.", origin="x", tier=Tier.RETRIEVED, sources=("turn:0",))
    hinted = shown("hint:guess", "It leaks.", origin="entity", tier=Tier.RETRIEVED)
    return {
        "hard material cut": ("law 1", items[1:]),
        "hard material short": ("law 1", [items[0], *items[3:]]),
        "soft out of order": (
            "law 2",
            [*items[:3], shown("soft:9", "S", origin="soft", tier=Tier.PREAMBLE), soft, *items[4:]],
        ),
        "the same item twice": ("law 3", [*items, fact]),
        "a turn told again": ("law 3", [*items, again]),
        "recent turn missing": ("law 4", [i for i in items if i is not turn]),
        "a term that is no number": ("law 5", [*items[:-1], bad_term]),
        "a hidden fact": ("law 9", [*items, hidden]),
        "derived from a hidden fact": ("law 9", [*items, derived]),
        "more than a hint": ("law 9", [*items, hinted]),
    }


@table("name", list(breaches()))
def test_a_breach_raises(name: str):
    law, items = breaches()[name]
    with pytest.raises(WindowBreach, match=law):
        checked(items)


def test_a_window_over_its_budget_raises():
    with pytest.raises(WindowBreach, match="law 6"):
        checked(good(), counted=11)


def test_an_item_that_is_not_in_the_text_raises():
    with pytest.raises(WindowBreach, match="not in the window"):
        checked(good(), text="\n\n".join(i.text for i in good()[:-1]))
