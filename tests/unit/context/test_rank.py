"""Ranking: gravity, heat, and several that say the same."""

import pytest

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.rank import above_the_floor, merged, warmth, weighed
from storykeeper.events import atoms as a
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.modifier import Field
from storykeeper.gravity.temperature import Valence
from storykeeper.scoring.composite import Terms
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.scenes import SceneCast
from storykeeper.story.tuning import Overrides, SceneOverride
from strategies.hills import scene, story, world_of


def told(mass=2.0, **more):
    peak = scene("peak", cast=SceneCast(required=("eve",)), themes=("debt",))
    others = [scene(name) for name in ("one", "two", "three")]
    return story(
        scene("first", "peak", temperature=0.5), peak, *others,
        overrides=Overrides(scenes={"peak": SceneOverride(mass=mass, distance=0.0)}), **more,
    )  # fmt: skip


def item(name, *, score=1.0, boundary=1.0, **more):
    given = {"origin": "entity", "klass": Class.ENRICHMENT, "sources": (name,), "full": "- x",
             **more}  # fmt: skip
    terms = Terms(relevance=score, boundary=boundary)
    return Candidate(id=name, tier=Tier.RETRIEVED, terms=terms, **given)


def field_of(mass=2.0):
    world = world_of(told(mass), scene="first")
    return Field(world.plan, landscape(world))


# ── gravity and heat ─────────────────────────────────────────────────────────────────────────


def test_what_relates_weighs_more_and_what_only_resonates_less_so():
    field = field_of()
    eve, debt, none = (
        weighed(each, field=field, heat=0.5)
        for each in (item("a", entities=("eve",)), item("b", themes=("debt",)), item("c"))
    )
    assert (eve.terms.gravity, debt.terms.gravity, none.terms.gravity) == (1.6, 1.3, 1.0)
    assert (eve.terms.pulls.scene, debt.terms.pulls.theme) == (0.6, 0.3)


def test_gravity_rescues_nothing_that_is_irrelevant_or_forbidden():
    field = field_of(mass=9.0)
    for each in (item("a", score=0.0), item("b", boundary=0.0)):
        related = weighed(each, field=field, heat=0.9)
        assert related.terms.score == 0.0


@pytest.mark.parametrize(
    ("heat", "valence", "factor"),
    [(0.9, Valence.TENSION, 1.2), (0.9, Valence.CALM, 0.7), (0.1, Valence.TENSION, 0.7),
     (0.1, Valence.REFLECTION, 1.2), (0.5, Valence.TENSION, 1.0), (0.9, Valence.NEUTRAL, 1.0)],
)  # fmt: skip
def test_the_heat_of_the_scene(heat, valence, factor):
    assert weighed(item("a", valence=valence), field=field_of(), heat=heat).terms.score == factor


def test_the_explanation_multiplies_out():
    terms = weighed(item("a", entities=("eve",), valence=Valence.STAKES), field=field_of(),
                    heat=0.9).terms  # fmt: skip
    assert terms.gravity == 1 + max(terms.pulls.scene, terms.pulls.theme, terms.pulls.layer,
                                    terms.pulls.prophecy)  # fmt: skip
    assert terms.score == terms.relevance * terms.gravity * terms.temperature


def clash(turn):
    quarrel = a.Implication(a.ImplicationKind.CONFLICT, 0, 0, 1.0)
    return a.Atom(turn=turn, id=f"t{turn}.1", scene="first", what=a.ActionTaken("hit"),
                  participants=(a.Participant(a.Role.ACTOR, a.Resolved("ann")),),
                  implications=(quarrel,), source=a.Source.PLAYER, confidence=1.0,
                  priority="normal")  # fmt: skip


def heat_of(*turns, of=None, **fields):
    world = world_of(of or told(), scene="first", **fields)
    return warmth(Boundary(world, turns, PresentTurn(9, "ann", ""), audience="narrator"))


def past(turn, *atoms, where="first"):
    return PastTurn(turn, where, "ann", "x", "y", atoms)


def test_heat_begins_where_the_author_says_and_goes_with_what_happens():
    assert heat_of() == 0.5
    quiet, quarrel = heat_of(past(1), past(2)), heat_of(past(1, clash(1)), past(2, clash(2)))
    assert quiet < 0.5 < quarrel
    assert heat_of(past(1, clash(1), where="peak")) == 0.5  # another scene


def test_an_authored_event_heats_the_turn_it_happened_in():
    of = told(events=(StoryEvent(id="e1", summary="x", intensity=1.0),))
    assert heat_of(past(1), of=of, happened={"e1": 1}) > 0.5 > heat_of(past(1), of=of)


# ── the floor, and saying it once ────────────────────────────────────────────────────────────


def test_below_the_floor_only_a_hint_of_what_leans_on_the_story_stays():
    faint = item("a", score=0.05, origin="gravity", brief="- b", hint="- h")
    kept = above_the_floor(faint, 0.1)
    assert kept is not None
    assert kept.forms == (("hint", "- h"),)
    assert above_the_floor(item("b", score=0.05), 0.1) is None
    assert above_the_floor(item("c", score=0.05, origin="layer"), 0.1) is None  # it has no hint
    loud = item("d", score=0.1)
    assert above_the_floor(loud, 0.1) is loud


def test_of_several_that_say_the_same_one_stays_with_the_sources_of_all():
    low = item("a", score=0.4, origin="layer", same="s", sources=("layer:x",))
    high = item("b", score=0.7, origin="bridge", same="s", sources=("bridge:y",))
    (one,), gave_way = merged([low, high])
    assert (one.id, one.also, one.terms.relevance) == ("b", ("layer",), 0.7)
    assert one.sources == ("bridge:y", "layer:x")
    assert [each.id for each in gave_way] == ["a"]


def test_it_is_as_open_as_the_most_closed_of_them():
    known = item("a", score=0.9, same="s", hint="- h", brief="- b")
    suspected = item("b", score=0.9, boundary=0.5, same="s", full="", hint="- g")
    (one,), _ = merged([known, suspected])
    assert one.terms.boundary == 0.5
    assert one.forms == (("hint", "- h"),)


def test_news_and_what_must_be_said_stay_before_a_higher_score():
    old = item("a", score=1.0, sources=("fact:x",))
    news = item("b", score=0.9, origin="revelation", sources=("fact:x",))
    (one,), _ = merged([old, news])
    assert (one.id, one.terms.relevance) == ("b", 1.0)
    must = item("c", score=0.1, klass=Class.MANDATORY, sources=("fact:x",))
    assert merged([old, news, must])[0][0].id == "c"


def test_a_third_joins_two_that_had_nothing_in_common():
    first, second = item("a", sources=("fact:x",)), item("b", same="s")
    both = item("c", sources=("fact:x",), same="s")
    kept, _ = merged([first, second, both])
    assert len(kept) == 2  # it goes with the first that it meets, and nothing is lost
