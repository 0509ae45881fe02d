"""A small house to try worlds on, worlds and records of it, and playing without an engine."""

from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.events.vocabulary import Awareness, Dimension, Tier
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Reader, Reading, Somebody
from storykeeper.language.tokens import counter
from storykeeper.play.beats import next_beat
from storykeeper.play.commit import commit, play_out, read_prose
from storykeeper.play.unfolding import Unfolding
from storykeeper.staging.reader import StagedProse, TableReader
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import At, Condition, Did, Since, Within
from storykeeper.story.knowledge import Fact, MoodShift, RelationShift, Reveal, StoryEvent
from storykeeper.story.layers import (
    EntityMap,
    Layer,
    LayerKind,
    Permeability,
    Portal,
    Prophecy,
    Reinforcement,
    Waypoint,
)  # fmt: skip
from storykeeper.story.loader import read_story
from storykeeper.story.model import Story
from storykeeper.story.people import Character, Feeling, Mood, Relation
from storykeeper.story.places import Form, Setting, Thing
from storykeeper.story.places import Path as Way
from storykeeper.story.scenes import Beat, Gate, Scene, SceneCast, SceneType, Transition
from storykeeper.world.fold import fold
from storykeeper.world.plan import key
from storykeeper.world.state import Pending, World
from strategies.records import KINDS, records

EXAMPLE = Path(__file__).parents[2] / "examples" / "the-lamp-at-harrow"

RANG = Condition(happened="bell")
ASKED = Condition(did=Did(who="player", act="ask", to="bob", about="key"))


class Once:
    """The real reader, asked once for a text: tests tell the same few texts over and over."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._read: dict[tuple[str, tuple[Somebody, ...]], Reading] = {}

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        key = (text, cast)
        if key not in self._read:
            self._read[key] = self._reader.read(text, cast=cast)
        return self._read[key]


READER = StagedProse(Once(ProseReader()), TableReader())


def committed(world: World, turn: Pending) -> Unfolding:
    """A turn made fact, its prose read by the parser."""
    return commit(world, turn, read_prose(world, turn, READER))


def house(**changes) -> Story:
    """Two rooms and a cellar, three people, a tale with one scene, two ways to end."""
    story = Story(
        id="house", title="House", players=("ann",), start="hall-scene", voice="Plain.",
        cast=(
            Character(
                id="ann", name="Ann", line="You.", at="hall",
                relations=(Relation(to="bob", affection=0.2),),
                mood=Mood(valence=0.1, feelings=(Feeling(name="dread", toward="player",
                                                         awareness=Awareness.DEFENDED,
                                                         shown_as="tidying"),)),
            ),
            Character(id="bob", name="Bob", line="He waits.", at="hall"),
            Character(id="eve", name="Eve", line="She hides.", at="attic"),
            Character(id="fox", name="the fox", line="In the tale."),
        ),
        settings=(
            Setting(id="hall", name="the hall",
                    paths=(Way(to="attic"), Way(to="cellar", when=Condition(opened="hatch")))),
            Setting(id="attic", name="the attic"),
            Setting(id="cellar", name="the cellar"),
        ),
        things=(
            Thing(id="key", name="the key", at="hall", forms={"tale": Form(name="a tooth")}),
            Thing(id="letter", name="the letter", held_by="bob"),
        ),
        facts=(
            Fact(id="secret", full="Eve is in the attic.", hint="Somebody walks above.",
                 secret=True, known_by={"bob": "saw", "eve": "lived"},
                 suspected_by={"player": "heard"},
                 revealed_by=(Reveal(when=ASKED, how="told by bob"),)),
            Fact(id="rumour", full="It rains.", confidence=0.6, known_by={"bob": "heard"}),
            Fact(id="lie", full="It is dry.", confidence=0.3, known_by={"bob": "heard"},
                 believed_by={"eve": "told by bob"}),
        ),
        events=(
            StoryEvent(id="bell", summary="The bell rings.", reveals=("rumour",),
                       when=Condition(did=Did(who="player", act="ring")),
                       mass={"attic-scene": 0.2}, permeability={"tale": 0.3},
                       relations=(RelationShift(from_="player", to="bob", by=0.3,
                                                dimension=Dimension.AFFECTION),),
                       moods=(MoodShift(who="bob", arousal=0.4, valence=-0.2),),
                       moves={"eve": "hall"}, gives={"key": "player"}),
            StoryEvent(id="storm", summary="A storm."),
        ),
        layers=(
            Layer(id="tale", name="The tale", kind=LayerKind.FRAME, scenes=("tale-scene",),
                  permeability=Permeability(waypoints=(Waypoint(progress=0.0, value=0.1),
                                                       Waypoint(progress=1.0, value=0.9))),
                  portals=(Portal(from_="hall-scene", to="tale-scene",
                                  when=Condition(did=Did(who="player", act="listen"))),),
                  exits=(Portal(from_="tale-scene", to="hall-scene",
                                when=Condition(did=Did(who="player", act="wake"))),),
                  entity_map=EntityMap(projected={"fox": "ann"})),
        ),
        prophecies=(
            Prophecy(id="omen", source="storm", target="attic-scene", base=0.3,
                     reinforced_by=(Reinforcement(event="bell", amount=0.2),)),
        ),
        scenes=(
            Scene(id="hall-scene", title="Hall", setting="hall", required=True, mass=0.4,
                  type=SceneType.GRAVITATIONAL, cast=SceneCast(required=("bob",)),
                  gates=(Gate(id="hatch", conditions=(RANG,), reveals=("rumour",)),),
                  leads_to=(
                      Transition(to="attic-scene",
                                 when=Condition(at=At(who="player", place="attic"))),
                      Transition(to="end-scene",
                                 when=Condition(since=Since(turns=3, of=RANG))),
                  ),
                  beats=(Beat(id="opening", prose="The hall.", happens=("storm",)),
                         Beat(id="rung", prose="It rang.",
                              when=Condition(within=Within(turns=2, of=RANG)))),
                  done_when=RANG),
            Scene(id="attic-scene", title="Attic", setting="attic", revisitable=True,
                  required=True, beats=(Beat(id="opening", prose="The attic."),),
                  leads_to=(Transition(to="hall-scene",
                                       when=Condition(at=At(who="player", place="hall"))),)),
            Scene(id="end-scene", title="End", setting="hall", ending=True,
                  beats=(Beat(id="opening", prose="The end.", reveals=("secret",)),)),
            Scene(id="tale-scene", title="Tale", beats=(Beat(id="opening", prose="A fox."),)),
        ),
    )  # fmt: skip
    return structs.replace(story, **changes)


def changed(story: Story, section: str, name: str, **changes) -> Story:
    """The story with one of its people, scenes, facts … changed."""
    each = getattr(story, section)
    made = tuple(structs.replace(e, **changes) if e.id == name else e for e in each)
    assert made != each
    return structs.replace(story, **{section: made})


def begun(story: Story | None = None):
    return _new_house() if story is None else fold([adoption(story)])


@cache
def _new_house():
    return fold([adoption(house())])


@cache
def edition(turn):
    """The house again, in another version, adopted in a turn."""
    return adoption(house(version=str(turn)), turn=turn)


@cache
def example() -> Story:
    reading = read_story(EXAMPLE, counters=counter)
    assert reading.story is not None, [str(p) for p in reading.errors]
    return reading.story


def atom(what, *, turn=1, number=1, source=a.Source.RULE, **roles) -> a.Atom:
    """An atom; participants by role: actor="ann", target="bob", witness=("eve", "fox")."""
    taking_part = [
        a.Participant(a.Role(role), a.Resolved(who))
        for role, named in roles.items()
        for who in ((named,) if isinstance(named, str) else named)
    ]
    return a.Atom(
        turn=turn, id=f"t{turn}.{number}", scene="hall-scene", what=what,
        participants=tuple(taking_part), source=source, confidence=a.Confidence(1.0),
        priority=a.Priority.NORMAL,
    )  # fmt: skip


def scene_changed(scene, change, *, turn=1):
    return atom(a.SceneChanged(scene, a.SceneChange(change)), turn=turn)


def play(world, lines, *, first=0):
    """Lines played as the engine plays them; the records written, and the world after them."""
    written = []
    for turn, line in enumerate(lines, start=first):
        player = world.plan.players[0]
        received = t.InputReceived(turn, player, line)
        world = fold([received], world)
        beat = next_beat(play_out(world, Pending(turn, player, line)).world)
        shown = () if beat is None else (f"beat:{beat[0]}",)
        rendered = [
            t.WindowAssembled(turn, "narrator", "0", "1", 10, shown),
            t.Rendered(turn, 1, "" if beat is None else beat[1].prose),
        ]
        world = fold(rendered, world)
        unfolding = committed(world, world.pending)
        world = unfolding.world
        written += [received, *rendered, *unfolding.records]
    return written, world


# ── records of the house ─────────────────────────────────────────────────────────────────────

PEOPLE = st.sampled_from(["ann", "bob", "eve", "fox", "stranger"])
PLACES = st.sampled_from(["hall", "attic", "cellar"])
THINGS = st.sampled_from(["key", "letter", "cup"])
FACTS = st.sampled_from(["secret", "rumour", "lie", "gone"])
SCENES = st.sampled_from(["hall-scene", "attic-scene", "end-scene", "tale-scene"])
EVENTS = st.sampled_from(["bell", "storm", "gone"])
LAYERS = st.sampled_from(["tale", "dream"])
MARKS = st.sampled_from([key(RANG), "0" * 32])
ACTS = ("ask", "ring", "sleep", "wake", "hide", "emerge", "close", "open", "go out", "phone",
        "hang up", "turn invisible", "turn visible")  # fmt: skip
_SIGNED = st.floats(-1, 1)
_UNIT = st.floats(0, 1)
_HOW = st.sampled_from(["saw", "heard", "told by bob"])
_SOME = st.lists(PEOPLE, min_size=1, max_size=2).map(tuple)


@cache
def happenings():
    """Everything that can happen, in the house."""
    return st.one_of(
        st.builds(a.StateAsserted, state=st.just("It is so."),
                  at=st.none() | PLACES | THINGS),
        st.builds(a.ActionTaken, act=st.sampled_from(ACTS), about=st.none() | THINGS),
        st.builds(a.Moved, to=st.one_of(PLACES, PEOPLE, THINGS)),
        st.builds(a.EmotionShown, feeling=st.sampled_from(["dread", "joy"]), valence=_SIGNED,
                  arousal=_UNIT, determination=_UNIT, awareness=st.sampled_from(Awareness)),
        st.builds(a.InformationTold, claim=st.just("So."), fact=st.none() | FACTS,
                  at=st.none() | PLACES | THINGS),
        st.builds(a.SpeechUttered, words=st.just("Well.")),
        st.builds(a.RelationShifted, dimension=st.sampled_from(Dimension), by=_SIGNED),
        st.builds(a.EnvironmentChanged, change=st.just("Dark.")),
        st.builds(a.SceneChanged, scene=SCENES, change=st.sampled_from(a.SceneChange)),
        st.builds(a.EntityChanged, change=st.sampled_from(a.EntityChange)),
        st.builds(a.LineChanged, change=st.sampled_from(a.LineChange)),
    )  # fmt: skip


@cache
def house_atoms(turn):
    roles = st.lists(
        st.builds(a.Participant, st.sampled_from(a.Role),
                  st.one_of(PEOPLE, THINGS).map(a.Resolved)),
        max_size=4,
    ).map(tuple)  # fmt: skip
    return st.builds(
        a.Atom, turn=st.just(turn), id=st.just(f"t{turn}.1"), scene=SCENES, what=happenings(),
        participants=roles, source=st.sampled_from(a.Source),
        confidence=st.just(a.Confidence(1.0)), priority=st.just(a.Priority.NORMAL),
    )  # fmt: skip


@cache
def house_changes(turn):
    """What becomes of the house in a turn."""
    at = st.just(turn)
    return st.one_of(
        house_atoms(turn),
        st.builds(ch.SecretRevealed, at, FACTS, _SOME, _HOW, st.booleans()),
        st.builds(ch.BeatTold, at, SCENES, st.sampled_from(["opening", "rung"])),
        st.builds(ch.EventHappened, at, EVENTS),
        st.builds(ch.ConditionTurned, at, MARKS, st.booleans()),
        st.builds(ch.GateOpened, at, st.just("hatch")),
        st.builds(ch.LayerEntered, at, LAYERS, SCENES),
        st.builds(ch.LayerLeft, at, LAYERS, SCENES, st.booleans()),
        st.builds(ch.LayerMerged, at, LAYERS, st.dictionaries(PEOPLE, PEOPLE, max_size=2)),
        st.builds(ch.ProphecyBorn, at, st.just("omen"), EVENTS),
        st.builds(ch.ProphecyReinforced, at, st.just("omen"), EVENTS, _UNIT),
        st.builds(ch.ProphecyFulfilled, at, st.just("omen"), SCENES),
        st.builds(ch.BeliefFormed, at, PEOPLE, st.just("b1"), st.just("x"), _HOW, _UNIT, FACTS),
        st.builds(ch.BeliefSuperseded, at, PEOPLE, st.just("b1"), st.none()),
        st.builds(ch.EntityDemoted, at, THINGS, st.just(Tier.PERSISTENT), st.sampled_from(Tier),
                  st.just("")),
    )  # fmt: skip


@cache
def _some_changes(turn):
    return st.lists(house_changes(turn), max_size=5)


_ANYWHERE = tuple(kind for kind in KINDS if kind not in (t.StoryAdopted, t.TurnCommitted))


@cache
def odd_records(turn):
    """Any record at all, about people and places that are not of the house."""
    return st.one_of([records(kind, st.just(turn)) for kind in _ANYWHERE])


@st.composite
def house_turns(draw, *, max_turns=6, corrections=True):
    """What a ledger may hold after the adoption: turns in order, with anything in between."""
    written = []
    for turn in range(draw(st.integers(1, max_turns))):
        written.append(t.InputReceived(turn, "ann", draw(st.sampled_from(["", "I wait."]))))
        written.append(t.Rendered(turn, 1, "Prose."))
        if draw(st.booleans()):
            odd = draw(odd_records(turn))
            if not isinstance(odd, ch.SecretRevealed | a.Atom):
                written.append(odd)
        written.append(t.TurnCommitted(turn, 1))
        written += draw(_some_changes(turn))
        if corrections and draw(st.integers(0, 4)) == 0:
            who = draw(_SOME)
            written.append(t.Corrected(turn, "secret", "no", fact="secret", unlearned_by=who))
        if draw(st.integers(0, 5)) == 0:
            written.append(edition(turn))
    return written
