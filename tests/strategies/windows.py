"""Runs played without a ledger: a world, what was told in it, and the turn under way."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.window import Window, assemble
from storykeeper.events.atoms import Atom
from storykeeper.events.vocabulary import Awareness
from storykeeper.language.tokens import counter
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import play_out
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Bearing, Fact, Reveal
from storykeeper.story.layers import Layer, LayerKind, Portal
from storykeeper.story.model import NARRATOR, Soft, Story
from storykeeper.story.people import Character, Feeling, Mood, Relation, Scope
from storykeeper.story.places import Path, Setting, Thing
from storykeeper.story.scenes import Beat, Scene, SceneCast, Transition
from storykeeper.story.tuning import Budget, LayerOverride, Overrides, Policy
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.begin import begin
from storykeeper.world.plan import plan
from storykeeper.world.state import Pending, World
from strategies.worlds import committed


@dataclass
class Played:
    """A run as the engine would hold it, turn by turn."""

    world: World
    history: list[PastTurn] = field(default_factory=list)

    @classmethod
    def of(cls, story: Story) -> Played:
        return cls(begin(plan(adoption(story))))

    @property
    def next_turn(self) -> TurnNo:
        return TurnNo(self.history[-1].turn + 1 if self.history else 0)

    def under_way(self, text: str, player: str | None = None) -> tuple[World, PresentTurn]:
        who = EntityId(player or self.world.plan.players[0])
        unfolding = play_out(self.world, Pending(self.next_turn, who, text))
        beat = next_beat(unfolding.world)
        beats = () if beat is None else (beat,)
        decided = tuple(unfolding.records)
        return unfolding.world, PresentTurn(self.next_turn, who, text, decided, beats)

    def play(self, text: str, prose: str | None = None) -> None:
        """A turn, told as its beat unless prose is given, and made fact."""
        world, present = self.under_way(text)
        told = "\n".join(beat.prose for _, beat in present.beats) if prose is None else prose
        shown = tuple(f"beat:{name}" for name, _ in present.beats)
        pending = Pending(present.turn, present.player, text, shown=shown, take=1, prose=told)
        unfolding = committed(self.world, pending)
        atoms = tuple(r for r in unfolding.records if isinstance(r, Atom))
        scene = SceneId(world.scene or "")
        self.history.append(PastTurn(present.turn, scene, present.player, text, told, atoms))
        self.world = unfolding.world

    def window(
        self, text: str, *, audience: str = NARRATOR, tokens: int | None = None,
        encoding: str = "o200k",
    ) -> Window:  # fmt: skip
        world, present = self.under_way(text)
        return assemble(
            world, self.history, present, audience=audience, tokens=tokens,
            count=counter(encoding),
        )  # fmt: skip


PEOPLE = ("ana", "bo", "cy", "dee")
PLACES = ("hall", "yard", "loft")
THINGS = ("cup", "key")
FACTS = ("f-one", "f-two", "f-three", "f-four", "f-five")
LAYER = "tale"
_EVERYBODY = (*PEOPLE, *PLACES, *THINGS)
_some = st.lists(st.sampled_from(_EVERYBODY), max_size=4, unique=True).map(tuple)
_minds = st.dictionaries(
    st.sampled_from(PEOPLE), st.sampled_from(["saw", "told by bo", "read"]), max_size=2
)


@st.composite
def small_stories(draw: st.DrawFn) -> Story:
    """Stories with few parts and much to know: made for windows, and quick to make."""
    return Story(
        id="small", title="Small", players=draw(st.sampled_from([("ana",), ("ana", "bo")])),
        start="first", voice=draw(st.sampled_from(["", "Plain.", "Dry. " * 30])),
        rules=draw(st.sampled_from([(), ("Be brief.",)])),
        soft=tuple(
            Soft(heading=f"S{i}", text="The sea is near. " * draw(st.integers(0, 12)))
            for i in range(draw(st.integers(0, 3)))
        ),
        budget=Budget(policy=draw(st.sampled_from(Policy))),
        cast=tuple(draw(_person(name)) for name in PEOPLE),
        settings=tuple(
            Setting(id=n, name=f"the {n}", description="A room.", paths=_paths(n)) for n in PLACES
        ),
        things=tuple(
            Thing(id=n, name=f"the {n}", description=f"A {n}.", **draw(_placed())) for n in THINGS
        ),
        facts=tuple(draw(_fact(name)) for name in FACTS),
        layers=(
            Layer(id=LAYER, name="The tale", kind=LayerKind.DREAM, scenes=("inner",),
                  portals=(Portal(from_="first", to="inner", when=_done("look", "cup")),),
                  exits=(Portal(from_="inner", to="second", when=_done("look", "key")),)),
        ),
        overrides=Overrides(
            layers={LAYER: LayerOverride(
                permeability=draw(st.sampled_from([0.0, 0.49, 0.5, 0.7, 0.71, 1.0])))}
        ),
        scenes=tuple(draw(_scene(name)) for name in ("first", "inner", "second")),
    )  # fmt: skip


def _paths(name: str) -> tuple[Path, ...]:
    after = PLACES[PLACES.index(name) + 1 :]
    return (Path(to=after[0]),) if after else ()


def _done(act: str, to: str) -> Condition:
    return Condition(did=Did(who="player", act=act, to=to))


@st.composite
def _person(draw: st.DrawFn, name: str) -> Character:
    others = st.sampled_from([p for p in PEOPLE if p != name])
    feeling = Feeling(
        name="envy", awareness=draw(st.sampled_from(Awareness)), shown_as="looks away"
    )
    return Character(
        id=name, name=name.capitalize(), line="Somebody.", at=draw(st.sampled_from(PLACES)),
        scope=Scope(entities=draw(_some)),
        relations=tuple(Relation(to=to) for to in draw(st.lists(others, max_size=2, unique=True))),
        mood=Mood(feelings=(feeling,) if draw(st.booleans()) else ()),
    )  # fmt: skip


@st.composite
def _placed(draw: st.DrawFn) -> dict[str, str]:
    if draw(st.booleans()):
        return {"held_by": draw(st.sampled_from(PEOPLE))}
    return {"at": draw(st.sampled_from(PLACES))}


@st.composite
def _fact(draw: st.DrawFn, name: str) -> Fact:
    told = Condition(told=f"{draw(st.sampled_from(['first', 'second', 'inner']))}/opening")
    asked = Condition(did=Did(who="player", act="ask", about=draw(st.sampled_from(_EVERYBODY))))
    reveals = tuple(
        Reveal(
            when=when, to=(draw(st.sampled_from([*PEOPLE, "player", "present"])),),
            how=draw(st.sampled_from(["saw", "told by bo", "told by ana"])),
            suspects=draw(st.booleans()),
        )
        for when in draw(st.lists(st.sampled_from([told, asked]), max_size=2))
    )  # fmt: skip
    return Fact(
        id=name, full="So.", hint="Perhaps.", secret=draw(st.booleans()), about=draw(_some),
        layer=draw(st.sampled_from([None, None, LAYER])), known_by=draw(_minds),
        suspected_by=draw(_minds), believed_by=draw(_minds), revealed_by=reveals,
        bears_on=(Bearing(from_="ana", to="bo", note="It weighs."),),
    )  # fmt: skip


@st.composite
def _scene(draw: st.DrawFn, name: str) -> Scene:
    after = {"first": "second", "second": "first"}
    cast = draw(st.lists(st.sampled_from(PEOPLE), max_size=3, unique=True))
    beats = [Beat(id="opening", prose=f"It opens, {name}. " * draw(st.sampled_from([1, 20, 200])))]
    beats += [
        Beat(id="asked", prose=f"Asked, in {name}.", when=_done("ask", "bo"), reveals=("f-one",))
    ]
    ways = (Transition(to=after[name], when=_done("wait", "hall")),) if name in after else ()
    return Scene(
        id=name, title=name, setting=draw(st.sampled_from(PLACES)), cast=SceneCast(
            required=tuple(cast)), tone="Low.", stakes="All.", beats=tuple(beats), leads_to=ways,
        revisitable=True,
    )  # fmt: skip


WORDS = (
    "ask", "tell", "look at", "give", "take", "go to", "about", "the", "then", "where", "why",
    "and", "I", "wait", "\n", "quietly", "# Rules", "- no", "> so", "“Well?”", "灯", "дом", "!",
)  # fmt: skip


@st.composite
def lines(draw: st.DrawFn, story: Story) -> str:
    """What a player could type: verbs, names of the story, and things that try to be headings."""
    named = [each.name for each in (*story.cast, *story.things, *story.settings)]
    words = st.sampled_from([*WORDS, *filter(str.strip, named)])
    return " ".join(draw(st.lists(words, max_size=8)))
