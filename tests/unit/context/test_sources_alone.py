"""The sources of tier 3 that gravity brought, each asked alone."""

from dataclasses import replace

import pytest
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.items import Class
from storykeeper.context.rank import merged
from storykeeper.context.sources import proposals
from storykeeper.context.sources.echo import FIRES_FROM, Rhyme, echoes
from storykeeper.context.sources.emotion import shifts
from storykeeper.context.sources.gravity import attractors
from storykeeper.context.sources.gravity import relevance as of_pull
from storykeeper.context.sources.layers import relevance as of_strength
from storykeeper.context.sources.layers import resonances
from storykeeper.context.sources.recalled import recollections
from storykeeper.context.sources.revelation import revelations
from storykeeper.context.window import assemble
from storykeeper.events.atoms import ActionTaken, Atom, Participant, Resolved, Role, Source
from storykeeper.events.changes import EventHappened, IntentPredicted, MoodDelta, SecretRevealed
from storykeeper.events.vocabulary import Awareness
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.temperature import Valence
from storykeeper.language.tokens import counter
from storykeeper.story.knowledge import Bearing, Fact, MoodShift, StoryEvent
from storykeeper.story.layers import EntityMap, Layer, Portal, Prophecy
from storykeeper.story.people import Character, Feeling, Mood, Relation
from storykeeper.story.places import Form, Setting, Thing
from storykeeper.story.scenes import Gate, Images, SceneCast, Withheld
from storykeeper.story.tuning import LayerOverride, Overrides, SceneOverride
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Feeling as Felt
from storykeeper.world.state import LayerState, ProphecyState, Sighting, Standing
from storykeeper.world.state import Mood as Feels
from strategies.hills import done, happened, knows, scene, story, world_of
from strategies.parlour import engine, parlour, tell

ANN, BOB = "ann", "bob"
PEAK = scene(
    "peak", themes=("fire-carried", "debt"), tone="Close and bright.", stakes="Who pays.",
    mass=1.0, setting="hill", cast=SceneCast(required=("bob",), contingent=("eve",)),
    gates=(Gate(id="door", conditions=(happened("e1"), happened("e2"), happened("e3"),
                                       knows("f1")),
                means="A door that was nailed shut.", changes="The wind comes in."),),
)  # fmt: skip
CAST = (
    Character(id="ann", name="Ann", line="x", at="hall",
              relations=(Relation(to="eve", history="They shared a bed in the war."),)),
    Character(id="bob", name="Bob", line="x", at="hall",
              mood=Mood(valence=-0.4, arousal=0.8, feelings=(
                  Feeling(name="grief", awareness=Awareness.DEFENDED, shown_as="counts the cups"),
                  Feeling(name="anger", awareness=Awareness.ARTICULATE)))),
    Character(id="eve", name="Eve", line="x", at="hill"),
)  # fmt: skip
RING = Thing(id="ring", name="the ring", at="hall", themes=("fire-carried",),
             symbolism="A promise kept too long.",
             forms={"tale": Form(name="a coal", description="It does not go out.")})  # fmt: skip
TALE = Layer(id="tale", name="The tale", kind="frame", scenes=("inner",), themes=("the-drowned",),
             portals=(Portal(from_="first", to="inner"),),
             entity_map=EntityMap(projected={"eve": "bob"}))  # fmt: skip
COAL = Prophecy(id="coal", source="e1", target="peak", imagery=("A red edge.", "Two arms."),
                themes=("fire-carried",))  # fmt: skip


def told(near=0.0, psi=0.8, *, peak=PEAK, **more):
    """First leads to the peak, which is so near; through a boundary so thin."""
    given = {
        "cast": CAST, "things": (RING,), "layers": (TALE,), "prophecies": (COAL,),
        "settings": (Setting(id="hall", name="the hall"), Setting(id="hill", name="the hill")),
        "overrides": Overrides(scenes={"peak": SceneOverride(distance=near)},
                               layers={"tale": LayerOverride(mass=0.8, permeability=psi)}),
        **more,
    }  # fmt: skip
    return story(scene("first", "peak", setting="hall"), peak, scene("inner"), **given)


def seen(of, *decided, who="narrator", text="", history=(), recalled=(), turn=20, **fields):
    """What somebody's line is around, in the hall."""
    world = world_of(of, **{"scene": "first", "now": turn - 1, **fields})
    present = PresentTurn(turn, "ann", text, decided)
    return Boundary(world, history, present, audience=who, recalled=recalled)


def one(found):
    (candidate,) = found
    return candidate


# ── gravity ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("pull", "wanted"), [(0, 0.1), (1, 0.4), (2.1, 0.73), (9, 0.9)])
def test_relevance_goes_with_the_pull(pull, wanted):
    assert of_pull(pull) == pytest.approx(wanted)


def ahead(boundary):
    return {c.scenes[0]: c for c in attractors(boundary, landscape(boundary.world))}


SIGNS = Images(distant=("Smoke.",), approaching=("Ash on the sill.",), imminent=("Heat.",))


def signs(near=0.0, turn=20, **more):
    peak = structs.replace(PEAK, **{"images": SIGNS} | more)
    return ahead(seen(told(near, peak=peak), turn=turn))["peak"]


def test_the_nearer_the_more_is_said():
    far, on_the_way, close = (signs(near) for near in (1.0, 0.25, 0.0))
    assert far.forms == (("hint", "- From far off, where it fits: Smoke"),)
    assert [name for name, _ in on_the_way.forms] == ["brief", "hint"]
    assert (
        on_the_way.brief
        == "- To let in where it fits: Ash on the sill. Here, and bound up with it: Bob"
    )
    assert close.full == (
        "- Close now: Heat. The air of it: Close and bright. At stake: who pays."
        " Here, and bound up with it: Bob"
    )
    assert [each.terms.relevance for each in (far, on_the_way, close)] == sorted(
        each.terms.relevance for each in (far, on_the_way, close)
    )


def test_without_an_image_it_has_what_is_at_stake_and_themes_are_never_said():
    far, close = (ahead(seen(told(near), turn=17))["peak"] for near in (1.0, 0.0))
    assert far.forms == (("hint", "- What this moves toward: Who pays"),)
    assert close.full == (
        "- The air of it: Close and bright. At stake: who pays. Here, and bound up with it: Bob"
    )
    assert close.themes == ("fire-carried", "debt")  # they weigh
    assert signs(1.0, images=Images(), tone="").forms == ()


def test_what_is_nearer_has_the_images_of_what_is_further_if_it_has_none():
    assert signs(images=Images(distant=("Smoke.",))).hint == "- Close now: Smoke"
    assert (
        signs(0.25, images=Images(distant=("Smoke.",))).hint == "- To let in where it fits: Smoke"
    )
    assert signs(1.0, images=Images(imminent=("Heat.",))).hint == ""


def test_an_image_stands_once_in_ten_turns():
    two = Images(imminent=("Heat.", "A red edge."))
    said = [signs(turn=turn, images=two).hint.removeprefix("- Close now: ") for turn in range(20)]
    assert [turn for turn, words in enumerate(said) if words == "Heat"] == [0, 10]
    assert [turn for turn, words in enumerate(said) if words == "A red edge"] == [5, 15]
    assert set(said) == {"Heat", "A red edge", "- What this moves toward: Who pays"}


def test_what_is_at_stake_further_off_is_said_once_in_ten_turns():
    said = [signs(0.25, turn=turn, images=Images()).hint for turn in range(20)]
    assert [turn for turn, words in enumerate(said) if words] == [7, 17]


def test_a_tone_by_itself_is_only_a_way_to_lean():
    alone = {"images": Images(), "stakes": ""}
    assert signs(1.0, **alone).forms == ()
    assert signs(0.25, **alone).hint == "- Let the telling lean that way: Close and bright"


def test_it_is_of_its_scene_and_names_it_nowhere():
    close = ahead(seen(told()))["peak"]
    assert close.scenes == ("peak",)
    assert close.klass is Class.GRAVITY
    assert close.valence is Valence.TENSION
    assert all("peak" not in text for _, text in close.forms)


def test_a_gate_nearly_open_says_what_it_means():
    events = {"e1": 1, "e2": 2, "e3": 3}
    near = ahead(seen(told(), happened=events))["peak"]
    said = "Nearly come about: A door that was nailed shut. What it would change: The wind comes in"
    assert said in near.full
    assert "gate:door" in near.sources
    assert "nailed" not in ahead(seen(told(), happened={"e1": 1}))["peak"].full


def test_what_is_withheld_is_not_said():
    close = signs(withheld=(Withheld.STAKES, Withheld.THEMES))
    assert close.full == (
        "- Close now: Heat. The air of it: Close and bright. Here, and bound up with it: Bob"
    )
    assert close.themes == ()
    assert signs(withheld=(Withheld.IMAGES,)).hint == "- What this moves toward: Who pays"
    assert signs(withheld=(Withheld.IMAGES, Withheld.STAKES, Withheld.TONE)).hint == ""


def test_a_scene_that_was_visited_is_not_ahead():

    assert ahead(seen(told(), scenes={"peak": done(completed=False)})) == {}


def test_no_character_feels_it():
    boundary = seen(told(), who="bob")
    found = list(attractors(boundary, landscape(boundary.world)))
    permitted, refused = gate(found, boundary)
    assert not permitted
    assert len(refused) == len(found) == 1
    assert not any(c.origin == "gravity" for c in proposals(boundary, told_above=frozenset()))


# ── tales within the tale ────────────────────────────────────────────────────────────────────

BEEN = {"layers": {"tale": LayerState(visits=1, last_left=18)}}


def felt(boundary):
    return {c.id: c for c in resonances(boundary, landscape(boundary.world))}


@pytest.mark.parametrize(("strength", "wanted"), [(0, 0.1), (0.64, 0.612), (5, 0.9)])
def test_relevance_goes_with_mass_and_permeability(strength, wanted):
    assert of_strength(strength) == pytest.approx(wanted)


def test_the_thinner_the_boundary_the_more_comes_through():
    firm, thin, falling = (
        felt(seen(told(psi=psi), **BEEN))["layer:tale"] for psi in (0.1, 0.5, 0.8)
    )
    assert firm.forms == ()  # a list of themes is no image
    assert [name for name, _ in thin.forms] == ["brief"]
    assert "with Ann" in thin.brief
    assert falling.full.startswith(thin.brief[:20])
    assert falling.terms.relevance == pytest.approx(0.612)


def test_who_stands_for_whom_is_said_of_those_who_were_met():
    """And once the worlds are one: before that it may be what the tale keeps secret."""
    assert "Eve" not in felt(seen(told(psi=0.98), **BEEN))["layer:tale"].full
    full = felt(seen(told(psi=1.0), **BEEN))["layer:tale"].full
    assert full.endswith("Eve there is as Bob here")  # Ann knows of Eve, by her own card
    strangers = told(psi=1.0, cast=(structs.replace(CAST[0], relations=()), *CAST[1:]))
    assert "Eve" not in felt(seen(strangers, **BEEN))["layer:tale"].full


def test_what_it_left_is_gone_after_ten_turns():
    late = {"layers": {"tale": LayerState(visits=1, last_left=9)}}
    assert "with Ann" not in felt(seen(told(psi=0.8), **late))["layer:tale"].brief


def test_a_tale_never_entered_is_not_felt():
    assert felt(seen(told())) == {}


def test_a_bridge_object_here_and_the_tale_are_one_item():
    found = felt(seen(told(psi=0.8), **BEEN))
    bridge = found["bridge:ring/tale"]
    assert "A promise kept too long" in bridge.full
    assert "a coal: It does not go out" in bridge.full
    assert "the drowned" not in bridge.full  # a list of themes is no image
    kept, gave_way = merged(c.ruled(1.0) for c in found.values())
    assert [c.id for c in kept] == ["bridge:ring/tale"]
    assert [c.id for c in gave_way] == ["layer:tale"]
    assert kept[0].also == ("layer",)
    assert set(kept[0].sources) >= {"bridge:ring/tale", "layer:tale"}


def test_a_bridge_object_elsewhere_is_not_there():
    away = told(psi=0.8, things=(structs.replace(RING, at="hill"),))
    assert "bridge:ring/tale" not in felt(seen(away, **BEEN))


def test_a_bridge_object_in_a_pocket_is_felt_by_who_saw_it_go_there():
    """That there is such a thing is known; that Bob has it only if they saw him take it."""
    pocketed = told(things=(structs.replace(RING, at=None, held_by="bob"),))
    met = {"met": {"ann": frozenset({"ring"})}, "holders": {"ring": "bob"}, **BEEN}
    taken = Sighting(TurnNo(3), "t3.1", EntityId("bob"), by=(EntityId("ann"),))
    said = structs.replace(taken, teller=EntityId("eve"))
    for seen_so, there in (((), False), ((taken,), True), ((said,), False)):
        boundary = seen(pocketed, **met, sightings={"ring": seen_so})
        assert ("bridge:ring/tale" in felt(boundary)) is there


def test_through_a_firm_boundary_a_bridge_object_says_nothing():
    firm = felt(seen(told(psi=0.1), **BEEN))["bridge:ring/tale"]
    assert firm.forms == ()


def test_what_was_foretold_until_it_comes():
    born = {"prophecies": {"coal": ProphecyState(3, last=3)}}
    found = felt(seen(told(), **born))["prophecy:coal"]
    assert found.full == "- Seen before it comes: A red edge; Two arms"
    assert found.terms.relevance == 0.5
    fulfilled = {"prophecies": {"coal": ProphecyState(3, last=3, fulfilled=5)}}
    assert felt(seen(told(), **fulfilled)) == {}
    assert felt(seen(told())) == {}


def test_a_hidden_tale_is_seen_anew_once_it_is_known_of():
    hidden = structs.replace(TALE, hidden=True, revealed_by=happened("e2"),
                             reinterprets="The war was never won.")  # fmt: skip
    of = told(layers=(hidden,))
    assert felt(seen(of)) == {}
    anew = felt(seen(of, happened={"e2": 4}))["reread:tale"]
    assert anew.full == "- Seen anew: The war was never won"


def test_no_character_feels_a_tale_or_a_prophecy():
    boundary = seen(told(), who="bob", **BEEN, prophecies={"coal": ProphecyState(3, last=3)})
    found = list(resonances(boundary, landscape(boundary.world)))
    assert len(found) == 3
    assert gate(found, boundary)[0] == []


# ── emotion ──────────────────────────────────────────────────────────────────────────────────

DARKER = IntentPredicted(20, "bob", "to leave", 0.8, mood=MoodDelta(valence=-0.3, arousal=0.2),
                         motive="He means to burn the letters.")  # fmt: skip


def test_a_shift_says_where_it_goes_and_how_far_its_owner_knows():
    found = one(shifts(seen(told(), DARKER), ()))
    assert found.full.startswith("- Bob grows darker and more stirred. In them: counts the cups")
    assert "anger (and could say so)" in found.full
    assert "grief" not in found.full
    assert found.terms.relevance == 0.8
    assert found.valence is Valence.TENSION


def test_a_motive_is_nobodys():
    assert "letters" not in one(shifts(seen(told(), DARKER), ())).full


def test_what_may_explain_it():
    fond = {("bob", "ann"): Standing(affection=0.9)}
    found = one(shifts(seen(told(), DARKER, standings=fond), ()))
    assert "Bob is deeply fond of Ann" in found.full
    assert "relation:bob/ann" in found.sources
    carded = one(shifts(seen(told(), DARKER, standings=fond),
                        ("relation:bob/ann", "mood:bob")))  # fmt: skip
    assert "fond of Ann" not in carded.full
    assert "In them" not in carded.full  # their card says so


def test_an_event_that_moves_a_player_is_a_shift_too():
    dawn = StoryEvent(id="e1", summary="x",
                      moods=(MoodShift(who="player", determination=0.4),))  # fmt: skip
    of = told(events=(dawn, StoryEvent(id="e2", summary="y"), StoryEvent(id="e3", summary="z")))
    envy = Feels(feelings=(Felt("envy", 0.5, Awareness.ARTICULATE),))
    shift = one(shifts(seen(of, EventHappened(20, "e1"), moods={"ann": envy}), ()))
    assert shift.full.startswith("- Ann grows more resolved. In them: envy")


def test_a_mood_that_shifts_of_nothing_and_for_nobody_is_nothing_to_write_from():
    dawn = StoryEvent(id="e1", summary="x",
                      moods=(MoodShift(who="player", determination=0.4),))  # fmt: skip
    of = told(events=(dawn, StoryEvent(id="e2", summary="y"), StoryEvent(id="e3", summary="z")))
    assert one(shifts(seen(of, EventHappened(20, "e1")), ())).forms == ()


def test_no_shift_no_item():
    assert list(shifts(seen(told(), replace_mood(DARKER, MoodDelta())), ())) == []
    assert list(shifts(seen(told(), replace_mood(DARKER, None)), ())) == []


def replace_mood(intent, mood):
    return structs.replace(intent, mood=mood)


def test_of_one_who_is_elsewhere_nothing_passes():
    away = structs.replace(DARKER, who="eve")
    boundary = seen(told(), away)
    found = list(shifts(boundary, ()))
    assert len(found) == 1
    assert gate(found, boundary)[0] == []


def test_to_a_character_nobodys_shift_is_shown():
    assert list(shifts(seen(told(), DARKER, who="ann"), ())) == []


# ── echo ─────────────────────────────────────────────────────────────────────────────────────


def act(turn, number, *, to="bob", verb="give", by="ann"):
    parts = (Participant(Role.ACTOR, Resolved(by)), Participant(Role.TARGET, Resolved(to)))
    return Atom(turn=turn, id=f"t{turn}.{number}", scene="first", what=ActionTaken(verb),
                participants=parts, source=Source.NARRATOR, confidence=1.0,
                priority="normal")  # fmt: skip


def past(turn, **more):
    return PastTurn(turn, "first", "ann", "I give Bob the cup", "Bob takes it. He nods.",
                    (act(turn, 1, **more),))  # fmt: skip


def test_a_moment_that_rhymes_is_an_echo():
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(past(5),),
                    recalled=(Recalled("turn:5", 1.0, 0.9, past(5)),))  # fmt: skip
    found = one(echoes(boundary))
    assert found.id == "echo:5"
    assert found.sources == ("piece:5/0", "piece:5/1", "moment:5", "cast:bob")
    assert found.full == found.brief
    assert found.full == "- Once before with Bob: Ann’s player: I give Bob the cup. Bob takes it"
    assert found.terms.relevance == 0.6


def test_it_says_what_was_typed_then_and_what_came_of_it_that_answers_best():
    turn = replace(past(5), prose="It rains. “The cup is cracked, Ann.” Nobody laughs.")
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(turn,))
    assert one(echoes(boundary)).brief == (
        "- Once before with Bob: Ann’s player: I give Bob the cup. … “The cup is cracked, Ann.”"
    )
    silent = seen(told(), act(20, 1), text="I give Bob the cup",
                  history=(replace(past(5), prose=" ", text=""),))  # fmt: skip
    assert one(echoes(silent)).forms == ()


def test_of_several_the_one_that_rhymes_most():
    other = replace(past(6), scene="peak")
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(other, past(7)))
    assert one(echoes(boundary)).id == "echo:7"


def test_what_has_changed_since():
    moved = {("bob", "ann"): Standing(affection=-0.4, shifts=1, last_shift=9)}
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(past(5),),
                    standings=moved)  # fmt: skip
    assert "Since then" not in one(echoes(boundary)).full
    before = {("bob", "ann"): Standing(affection=-0.4, shifts=1, last_shift=4)}
    still = seen(told(), act(20, 1), text="I give Bob the cup", history=(past(5),),
                 standings=before)  # fmt: skip
    assert "Since then" not in one(echoes(still)).full


@pytest.mark.parametrize(
    ("turn", "more"), [(13, {}), (5, {"to": "eve", "verb": "hit"}), (5, {"by": "bob", "to": "eve"})]
)
def test_no_echo_of_what_was_just_now_or_does_not_rhyme(turn, more):
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(past(turn, **more),))
    assert list(echoes(boundary)) == []


def test_the_rhyme_is_the_mean_of_five():
    assert Rhyme(1, 1, 1, 0, 0).strength == pytest.approx(0.6)
    assert Rhyme(1, 1, 0.5, 0, 0.2).strength < FIRES_FROM


def test_what_no_player_perceived_is_no_echo():
    unseen = past(5, by="eve", to="bob")
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(unseen,))
    assert list(echoes(boundary)) == []


# ── what memory found ────────────────────────────────────────────────────────────────────────


def test_what_memory_found_says_what_answers():
    prose = "It rains. The door is red. Bob has the iron key. He laughs. It rains on."
    turn = replace(past(5), prose=prose)
    boundary = seen(told(), text="Where is the iron key?", history=(turn,),
                    recalled=(Recalled("turn:5", 0.5, 0.7, turn),))  # fmt: skip
    found = one(recollections(boundary))
    assert found.full == "- Bob has the iron key."
    assert found.terms.relevance == pytest.approx(0.45)
    assert found.sources == ("piece:5/3",)
    assert "bob" in found.entities
    assert "hall" in found.entities


def test_a_turn_that_was_told_to_another_stays_closed():
    stranger = replace(past(5, by="eve"), player="bob")
    boundary = seen(told(), text="x", recalled=(Recalled("turn:5", 1.0, 1.0, stranger),))
    assert gate(list(recollections(boundary)), boundary)[0] == []


def test_a_character_is_reminded_of_what_it_perceived_and_nothing_else():
    turn = replace(past(5), atoms=(act(5, 1), act(5, 2, to="eve")))
    found = (Recalled("atom:t5.1", 1.0, 1.0, turn), Recalled("atom:t5.2", 0.9, 1.0, turn))
    boundary = seen(told(), text="x", who="bob", recalled=found)
    permitted, _ = gate(list(recollections(boundary)), boundary)
    assert [c.full for c in permitted] == ["- Ann gives Bob."]


# ── what a revelation bears on ───────────────────────────────────────────────────────────────


def learning(*, to="player", of="bob", audience="narrator", at="hall"):
    """Ann and Bob learn something that bears on a standing."""
    fact = Fact(id="f9", full="The well is dry.", known_by={"eve": "saw"},
                bears_on=(Bearing(from_=of, to=to, note="It stings."),))  # fmt: skip
    cast = (*CAST, Character(id="zed", name="Zed", line="x", at=at))
    world = world_of(told(facts=(fact,), cast=cast), scene="first", now=1)
    told_now = SecretRevealed(TurnNo(2), "f9", ("ann", "bob"), "told by eve")
    present = PresentTurn(TurnNo(2), "ann", "I listen.", (told_now,))
    return Boundary(evolve(world, told_now), (), present, audience=audience)


def bearings(**how):
    """What is said of that standing; after the gate."""
    line = learning(**how)
    found = gate(list(revelations(line)), line)[0]
    return [each.full for each in found if each.id.startswith("bearing:")]


def test_a_revelation_says_which_standing_it_bears_on_with_players_by_name():
    assert bearings() == ["- Between Bob and Ann now: It stings"]


def test_but_not_of_people_whom_nobody_has_met():
    assert bearings(of="zed", at="hill") == []
    assert bearings(of="zed", at="hall") == ["- Between Zed and Ann now: It stings"]


def test_and_to_a_character_only_of_its_own():
    assert bearings(audience="bob") == ["- Between Bob and Ann now: It stings"]
    assert bearings(audience="bob", of="ann", to="bob") == []


def test_also_where_the_standing_itself_is_said():
    """What it bears on is not that standing said twice, which no window may do."""
    now = learning(audience="bob")
    fond = Standing(affection=0.9)
    world = structs.replace(now.world, standings=now.world.standings.set(("bob", "ann"), fond))
    window = assemble(
        world, (), now.present, audience="bob", tokens=None, count=counter("o200k")
    )  # fmt: skip
    assert "Bob is deeply fond of Ann" in window.text
    assert "Between Bob and Ann now: It stings" in window.text


def test_the_place_they_are_in_has_no_card_beside_what_is_told_of_it():
    keeper = engine(parlour())
    tell(keeper, "Mara sits by the fire.")
    window = keeper.begin("I ask Mara about the parlour.").window
    shown = [each.id for each in window.receipt.shown]
    assert "entity:mara" in shown
    assert "entity:parlour" not in shown
