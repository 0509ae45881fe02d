"""More windows with the boundary taken away at one place: what leans on the story, and what rhymes.

The words with a z and an x are not for whoever looks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from unittest.mock import patch

from msgspec import structs

from storykeeper.context import gathering, sources, window
from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn, Recalled, Summed
from storykeeper.context.sources import (
    echo,
    emotion,
    entity,
    feeling,
    gravity,
    layers,
    moments,
    since,
)
from storykeeper.events import atoms as a
from storykeeper.events.changes import IntentPredicted, MoodDelta
from storykeeper.events.records import AnyRecord
from storykeeper.events.vocabulary import Awareness
from storykeeper.gravity.landscape import landscape
from storykeeper.story.knowledge import MoodShift, RelationShift, StoryEvent
from storykeeper.story.layers import EntityMap, Layer, Portal
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.people import Character, Relation, Scope
from storykeeper.story.places import Form, Setting, Thing
from storykeeper.story.scenes import Gate, Withheld
from storykeeper.story.tuning import LayerOverride, Overrides, SceneOverride
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.state import Feeling, LayerState, Mood, Standing
from strategies.guarded import NO_CHECK, NO_GATE, Place, all_seeing, atom, who
from strategies.hills import happened, knows, learned, scene, story, world_of

NOW = 20
# Ann is played. Bob is with her in the hall; Eve is on the hill, and Ann has never heard of her.
CAST = (
    Character(id="ann", name="Ann", line="The clerk.", at="hall"),
    Character(id="bob", name="Bob", line="The cook.", at="hall",
              relations=(Relation(to="ann", history="It was zuhistoryx."),)),
    Character(id="eve", name="Eve", line="The maid.", at="hill"),
)  # fmt: skip
PEAK = scene(
    "peak", themes=("debt",), tone="Close and bright.", stakes="It is zustakesx.", mass=1.0,
    setting="hill", withheld=(Withheld.STAKES,),
    gates=(Gate(id="door", conditions=(happened("e1"), happened("e2"), knows("f1"), knows("f2")),
                means="A zugatex."),),
)  # fmt: skip
UNDER = Layer(id="under", name="The deep", kind="frame", scenes=("deep",), hidden=True,
              reinterprets="It was zurereadx.", revealed_by=happened("e3"),
              portals=(Portal(from_="first", to="deep"),))  # fmt: skip


def told(**stands_for: str) -> Story:
    """A peak close by, a tale that falls, and one that nobody knows of."""
    tale = Layer(id="tale", name="The tale", kind="frame", scenes=("inner",),
                 themes=("the-drowned",), portals=(Portal(from_="first", to="inner"),),
                 entity_map=EntityMap(projected=stands_for))  # fmt: skip
    thin = 1.0 if stands_for else 0.8  # who is who is told when the worlds are one
    return story(
        scene("first", "peak", setting="hall"), PEAK, scene("inner"), scene("deep"),
        cast=CAST, layers=(tale, UNDER),
        settings=tuple(Setting(id=each, name=f"the {each}") for each in ("hall", "hill")),
        overrides=Overrides(scenes={"peak": SceneOverride(distance=0.0)},
                            layers={"tale": LayerOverride(mass=0.8, permeability=thin)}),
    )  # fmt: skip


@dataclass(frozen=True)
class Ahead:
    """A late turn of such a story, and who looks."""

    story: Story = field(default_factory=told)
    audience: str = NARRATOR
    line: str = "I wait."
    decided: tuple[AnyRecord, ...] = ()
    recalled: Callable[[], tuple[Recalled, ...]] = tuple
    history: tuple[PastTurn, ...] = ()
    summaries: tuple[Summed, ...] = ()
    tokens: int = 2_000
    state: dict[str, object] = field(default_factory=dict)

    def make(self) -> window.Window:
        """The window."""
        world = world_of(self.story, scene=SceneId("first"), now=TurnNo(NOW - 1), **self.state)
        present = PresentTurn(TurnNo(NOW), EntityId("ann"), self.line, self.decided)
        return window.assemble(
            world, self.history, present, audience=self.audience, tokens=self.tokens,
            count=lambda text: len(text) // 3, recalled=self.recalled(),
            summaries=self.summaries,
        )  # fmt: skip


def given(by: str, to: str, turn: int = NOW) -> a.Atom:
    """Somebody gives somebody something; nobody else is there."""
    return atom(a.deed("give"), turn=turn, number=1, actor=who(by), target=who(to))


def long_ago(by: str, to: str, *more: a.Atom) -> Callable[[], tuple[Recalled, ...]]:
    """A turn in which that was done; a new one each time, for what is found of one is kept."""

    def found() -> tuple[Recalled, ...]:
        turn = PastTurn(TurnNo(5), SceneId("first"), EntityId("ann"), "I give it.", "A nod.",
                        (given(by, to, 5), *more))  # fmt: skip
        return (Recalled("turn:5", share=1.0, likeness=0.0, turn=turn),)

    return found


def darker(person: str) -> tuple[AnyRecord, ...]:
    return (IntentPredicted(NOW, person, "to leave", 0.8, mood=MoodDelta(valence=-0.3)),)


def feared(by: str) -> a.Atom:
    """What somebody felt, and nobody saw."""
    fear = a.EmotionShown("zufearx", -0.8, 0.9, 0.5, Awareness.ARTICULATE)
    return atom(fear, turn=5, number=2, actor=who(by))


def of_both_worlds() -> Story:
    """Bob has a ring that Ann has never seen, and a bowl stands in the hall: both are of a tale."""
    form = {"tale": Form(name="a coal")}
    ring = Thing(id="ring", name="the ring", held_by="bob", symbolism="zuringx", forms=form)
    bowl = Thing(id="bowl", name="the bowl", at="hall", symbolism="A void.", forms=form)
    return structs.replace(told(), things=(ring, bowl))


def hidden_here() -> Story:
    """Ann knows that there is a gem of the tale, and not that it is behind the wall of the hall."""
    both, (ann, *others) = of_both_worlds(), told().cast
    gem = Thing(id="gem", name="the gem", at="hall", hidden=True, symbolism="zugemx",
                forms={"tale": Form(name="a coal")})  # fmt: skip
    ann = structs.replace(ann, scope=Scope(entities=("gem",)))
    return structs.replace(both, things=(*both.things, gem), cast=(ann, *others))


def crowded() -> Story:
    """Bob is fond of Fay, and of Gus and Hal much more, as these are of Fay: they hide here."""
    more = ("fay", "gus", "hal")
    people = [Character(id=n, name=n.capitalize(), line="A guest.", at="hall") for n in more]
    return structs.replace(told(), cast=(*CAST, *people))


def felt_by_all() -> object:
    """A landscape handed to whoever looks, characters too."""
    real = gathering.Proposals

    def careless(line: Boundary, _: object) -> sources.Proposals:
        return real(line, landscape(line.world))

    return patch.object(gathering, "Proposals", careless)


GRAVITY, LAYERS = "context/sources/gravity.py", "context/sources/layers.py"
SOURCES = "context/sources"
EMOTION, SINCE = f"{SOURCES}/emotion.py", f"{SOURCES}/since.py"
EXPLAINED = f"{EMOTION} _explaining boundary.open(source)"
NEARLY = {"happened": {"e1": 1, "e2": 2}, "known": learned("f1")}
BEEN = {"layers": {"tale": LayerState(visits=1, last_left=18)}}
WARMED = StoryEvent(id="e1", summary="x", relations=(
    RelationShift(from_="eve", to="ann", dimension="affection", by=0.4),))  # fmt: skip
FOND = {("eve", "ann"): Standing(affection=0.9, shifts=1, last_shift=9)}
CROWD = {
    pair: Standing(affection=size)
    for size, *pairs in (
        (0.6, ("bob", "fay")), (0.8, ("bob", "gus"), ("gus", "fay")),
        (0.9, ("bob", "hal"), ("hal", "fay")),
    )
    for pair in pairs
}  # fmt: skip
MOVED = (StoryEvent(id="e1", summary="x", moods=(MoodShift(who="eve", valence=-0.4),)),)
ANGRY = Mood(feelings=(Feeling("anger", 0.5, Awareness.ARTICULATE, toward=EntityId("eve")),))
PLACES_AHEAD = (
    Place((f"{GRAVITY} _part boundary.open(source)",), all_seeing(gravity, "_part"),
          Ahead(), "let the telling lean that way: close and bright", only=("zustakesx",)),
    # No character feels a landscape, and the gate refuses what one would: both are taken away.
    Place((f"{GRAVITY} _gate boundary.open(source)",), all_seeing(gravity, "_gate"),
          Ahead(audience="bob", state=NEARLY),
          both=(felt_by_all, NO_GATE, NO_CHECK), only=("zugatex",)),
    Place((f"{LAYERS} _doubles boundary.open(f'cast:{{inner}}')",), all_seeing(layers, "_doubles"),
          Ahead(told(eve="bob"), state=BEEN), "what that tale left is", only=("there is as",)),
    Place((f"{LAYERS} _doubles boundary.open(f'cast:{{outer}}')",), all_seeing(layers, "_doubles"),
          Ahead(told(bob="eve"), state=BEEN), "what that tale left is", only=("there is as",)),
    Place((f"{LAYERS} resonances boundary.open(f'layer:{{layer.id}}')",),
          all_seeing(sources, "resonances"), Ahead(), both=(NO_GATE, NO_CHECK),
          only=("zurereadx",)),
    # What somebody remembers, and how somebody stands who is not here.
    Place((EXPLAINED,), all_seeing(emotion, "_explaining"),
          Ahead(decided=darker("bob"), state={"moods": {"bob": ANGRY}}),
          "feels anger", both=(NO_GATE, NO_CHECK), only=("zuhistoryx",)),
    Place((EXPLAINED,), all_seeing(emotion, "_explaining"),
          Ahead(decided=darker("eve"), state={"standings": FOND, "moods": {"eve": ANGRY}}),
          "eve grows darker",
          both=(NO_GATE, NO_CHECK), only=("fond of ann",)),
    # What is strong and closed does not stand in the way of what is open.
    Place((f"{SOURCES}/entity.py _among_others boundary.open(f'relation:{{of}}/{{to}}')",),
          all_seeing(entity, "_among_others"),
          Ahead(crowded(), decided=(given("ann", "bob"),),
                state={"standings": CROWD, "hidden": ("gus", "hal")}),
          "bob is fond of fay", only=("fond of gus", "fond of hal")),
    # Whom a feeling is for that is somebody nobody has met.
    Place((f"{SOURCES}/feeling.py felt boundary.open(source)",), all_seeing(feeling, "felt"),
          Ahead(decided=darker("bob"), state={"moods": {"bob": ANGRY}}), "feels anger",
          only=("toward eve",)),
    # What speaks for a tale hangs on no thing that is hidden.
    Place((f"{LAYERS} _bridges boundary.at_hand(EntityId(thing.id))",),
          all_seeing(layers, "_bridges"), Ahead(hidden_here(), state=BEEN), "the bowl: a void",
          only=("zugemx", "zuringx")),
    Place((f"{SOURCES}/moments.py _found boundary.witnessed(atom)",), all_seeing(moments, "_found"),
          Ahead(decided=(given("ann", "bob"),), recalled=long_ago("eve", "bob")),
          only=("once before",)),
    # Whom an echo is of; one whose name is closed is refused whole.
    Place((f"{SOURCES}/echo.py _of_what boundary.open(source)",), all_seeing(echo, "_of_what"),
          Ahead(decided=(given("ann", "eve"),), recalled=long_ago("ann", "eve")),
          "once before at the hall", only=("with eve",)),
    Place((f"{SINCE} since boundary.open(f'moved:{{pair.of}}/{{pair.toward}}')",),
          all_seeing(echo, "since"),
          Ahead(structs.replace(told(), events=(WARMED, *told().events[1:])),
                decided=(given("ann", "eve"),), recalled=long_ago("ann", "eve"),
                state={"standings": FOND, "happened": {"e1": 9}}),
          "once before", only=("since then",)),
    Place((f"{SINCE} since boundary.open(f'shift:{{who}}')",), all_seeing(echo, "since"),
          Ahead(structs.replace(told(), events=(*MOVED, *told().events[1:])),
                decided=(given("ann", "eve"),), recalled=long_ago("ann", "eve"),
                state={"happened": {"e1": 9}}),
          "once before", only=("since then",)),
    Place((f"{SINCE} _shown boundary.witnessed(atom)",), all_seeing(since, "_shown"),
          Ahead(decided=(given("ann", "bob"),), recalled=long_ago("ann", "bob", feared("bob"))),
          "once before", only=("zufearx", "since then")),
)  # fmt: skip
