"""More windows with the boundary taken away at one place: what leans on the story, and what rhymes.

The words with a z and an x are not for whoever looks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from unittest.mock import patch

from storykeeper.context import sources, window
from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.items import Candidate
from storykeeper.context.sources import echo, emotion, gravity, layers
from storykeeper.events import atoms as a
from storykeeper.events.changes import IntentPredicted, MoodDelta
from storykeeper.events.records import AnyRecord
from storykeeper.gravity.landscape import landscape
from storykeeper.story.layers import EntityMap, Layer, Portal
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.people import Character, Relation
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Gate, Withheld
from storykeeper.story.tuning import LayerOverride, Overrides, SceneOverride
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.state import LayerState, Standing
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
    return story(
        scene("first", "peak", setting="hall"), PEAK, scene("inner"), scene("deep"),
        cast=CAST, layers=(tale, UNDER),
        settings=tuple(Setting(id=each, name=f"the {each}") for each in ("hall", "hill")),
        overrides=Overrides(scenes={"peak": SceneOverride(distance=0.0)},
                            layers={"tale": LayerOverride(mass=0.8, permeability=0.8)}),
    )  # fmt: skip


@dataclass(frozen=True)
class Ahead:
    """A late turn of such a story, and who looks."""

    story: Story = field(default_factory=told)
    audience: str = NARRATOR
    line: str = "I wait."
    decided: tuple[AnyRecord, ...] = ()
    recalled: Callable[[], tuple[Recalled, ...]] = tuple
    state: dict[str, object] = field(default_factory=dict)

    def make(self) -> window.Window:
        """The window."""
        world = world_of(self.story, scene=SceneId("first"), now=TurnNo(NOW - 1), **self.state)
        present = PresentTurn(TurnNo(NOW), EntityId("ann"), self.line, self.decided)
        return window.assemble(
            world, (), present, audience=self.audience, tokens=2_000,
            count=lambda text: len(text) // 3, recalled=self.recalled(),
        )  # fmt: skip


def given(by: str, to: str, turn: int = NOW) -> a.Atom:
    """Somebody gives somebody something; nobody else is there."""
    return atom(a.ActionTaken("give"), turn=turn, number=1, actor=who(by), target=who(to))


def long_ago(by: str, to: str) -> Callable[[], tuple[Recalled, ...]]:
    """A turn in which that was done; a new one each time, for what is found of one is kept."""

    def found() -> tuple[Recalled, ...]:
        turn = PastTurn(TurnNo(5), SceneId("first"), EntityId("ann"), "I give it.", "A nod.",
                        (given(by, to, 5),))  # fmt: skip
        return (Recalled("turn:5", share=1.0, likeness=0.0, turn=turn),)

    return found


def darker(person: str) -> tuple[AnyRecord, ...]:
    return (IntentPredicted(NOW, person, "to leave", 0.8, mood=MoodDelta(valence=-0.3)),)


def felt_by_all() -> object:
    """A landscape handed to whoever looks, characters too."""
    real = window.proposals

    def careless(line: Boundary, **more: object) -> list[Candidate]:
        return real(line, **{**more, "landscape": landscape(line.world)})

    return patch.object(window, "proposals", careless)


GRAVITY, LAYERS = "context/sources/gravity.py", "context/sources/layers.py"
EMOTION, ECHO = "context/sources/emotion.py", "context/sources/echo.py"
EXPLAINED = f"{EMOTION} _explaining boundary.open(source)"
NEARLY = {"happened": {"e1": 1, "e2": 2}, "known": learned("f1")}
BEEN = {"layers": {"tale": LayerState(visits=1, last_left=18)}}
FOND = {("eve", "ann"): Standing(affection=0.9, shifts=1, last_shift=9)}
PLACES_AHEAD = (
    Place((f"{GRAVITY} _part boundary.open(source)",), all_seeing(gravity, "_part"),
          Ahead(), "close now: debt; close and bright", only=("zustakesx",)),
    # No character feels a landscape, and the gate refuses what one would: both are taken away.
    Place((f"{GRAVITY} _gate boundary.open(source)",), all_seeing(gravity, "_gate"),
          Ahead(audience="bob", state=NEARLY),
          both=(felt_by_all, NO_GATE, NO_CHECK), only=("zugatex",)),
    Place((f"{LAYERS} _doubles boundary.open(f'cast:{{inner}}')",), all_seeing(layers, "_doubles"),
          Ahead(told(eve="bob"), state=BEEN), "an undertone: the drowned", only=("there is as",)),
    Place((f"{LAYERS} _doubles boundary.open(f'cast:{{outer}}')",), all_seeing(layers, "_doubles"),
          Ahead(told(bob="eve"), state=BEEN), "an undertone: the drowned", only=("there is as",)),
    Place((f"{LAYERS} resonances boundary.open(f'layer:{{layer.id}}')",),
          all_seeing(sources, "resonances"), Ahead(), both=(NO_GATE, NO_CHECK),
          only=("zurereadx",)),
    # What somebody remembers, and how somebody stands who is not here.
    Place((EXPLAINED,), all_seeing(emotion, "_explaining"), Ahead(decided=darker("bob")),
          "bob grows darker", only=("zuhistoryx",)),
    Place((EXPLAINED,), all_seeing(emotion, "_explaining"),
          Ahead(decided=darker("eve"), state={"standings": FOND}), "eve grows darker",
          both=(NO_GATE, NO_CHECK), only=("toward ann",)),
    Place((f"{ECHO} _of_turn boundary.witnessed(atom)",), all_seeing(echo, "_of_turn"),
          Ahead(decided=(given("ann", "bob"),), recalled=long_ago("eve", "bob")),
          only=("an echo",)),
    Place((f"{ECHO} _since boundary.open(f'relation:{{who}}/{{mind}}')",),
          all_seeing(echo, "_since"),
          Ahead(decided=(given("ann", "eve"),), recalled=long_ago("ann", "eve"),
                state={"standings": FOND}),
          "an echo of an earlier moment", only=("since then",)),
)  # fmt: skip
