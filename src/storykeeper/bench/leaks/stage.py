"""A story in the making: people, rooms and a script, to which each carrier adds its secrets.

Six people in five rooms. The player, a friend and two bystanders are in the hall; somebody stands
in a room that hears the hall; somebody is away; and one, whom nobody has met, is locked up. The
player alone moves about; whoever else plays stays in the hall. The script is a list of turns, each
in its room; the way there is a turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from storykeeper.bench.leaks.secrets import NARRATOR, MayHave, Secret, Spoken
from storykeeper.bench.leaks.vocabulary import Vocabulary, Wording, capital
from storykeeper.story.conditions import At, Condition, Did
from storykeeper.story.knowledge import Fact, StoryEvent
from storykeeper.story.layers import Layer, LayerKind, Prophecy
from storykeeper.story.minds import Attempt, Show, Tell
from storykeeper.story.model import Soft, Story
from storykeeper.story.people import Belief, Character, Feeling, Goal, Mood, Relation
from storykeeper.story.places import Path, Setting, Thing
from storykeeper.story.scenes import Scene, SceneType, Transition
from storykeeper.story.tuning import (
    Budget,
    Encoding,
    GravityTuning,
    LayerOverride,
    Overrides,
    Policy,
    SceneOverride,
    Tuning,
)

_NAMES = (
    ("Ann", "she/her"), ("Mara", "she/her"), ("Tom", "he/him"), ("Greta", "she/her"),
    ("Silas", "he/him"), ("Otto", "he/him"), ("Vera", "she/her"), ("Jonas", "he/him"),
    ("Edith", "she/her"), ("Walter", "he/him"), ("Nora", "she/her"), ("Hugo", "he/him"),
)  # fmt: skip
_ROOMS = ("parlour", "kitchen", "library", "garden", "attic", "stable", "pantry", "study")
_THINGS = ("letter", "clock", "key", "lamp", "map", "book", "ring", "coat", "cup", "box")
TALE = "tale"
_TALE = Layer(id=TALE, name="A tale", kind=LayerKind.FRAME, scenes=("in-tale",))
NEVER = Condition(did=Did(who="player", act="sing"))  # as no script does


@dataclass(slots=True)
class Person:
    """One of the cast, while carriers still add to them."""

    id: str
    name: str
    pronouns: str
    at: str
    aliases: tuple[str, ...] = ()
    goals: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    taboos: list[str] = field(default_factory=list)
    doctrine: list[str] = field(default_factory=list)
    beliefs: list[str] = field(default_factory=list)
    capabilities: list[str] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    feelings: list[Feeling] = field(default_factory=list)
    wants: list[Goal] = field(default_factory=list)
    shows: list[Show] = field(default_factory=list)
    tells: list[Tell] = field(default_factory=list)
    does: list[Attempt] = field(default_factory=list)

    def character(self) -> Character:
        """As the author would have written them."""
        return Character(
            id=self.id, name=self.name, pronouns=self.pronouns, line=f"{self.name} lives here.",
            at=self.at, aliases=self.aliases, rules=tuple(self.rules), taboos=tuple(self.taboos),
            doctrine=tuple(self.doctrine), capabilities=tuple(self.capabilities),
            goals=(*(Goal(text=text) for text in self.goals), *self.wants),
            beliefs=tuple(Belief(text=text) for text in self.beliefs),
            relations=tuple(self.relations), mood=Mood(feelings=tuple(self.feelings)),
            shows=tuple(self.shows), tells=tuple(self.tells), does=tuple(self.does),
        )  # fmt: skip


Move = Mapping[str, object]  # one entry of a declaration


@dataclass(frozen=True, slots=True)
class Step:
    """A turn of the script: what the player types, what is told of it, and the secrets in both."""

    room: str
    line: str
    prose: str
    secrets: tuple[Spoken, ...] = ()
    mark: str = ""  # what carriers know it by
    moves: bool = False  # the line goes there by itself
    player: str | None = None  # who types it, if not the first player
    staged: tuple[Move, ...] = ()  # who comes, goes, calls and reads in it, as its narrator says


class Stage:
    """The story, the script and the secrets."""

    def __init__(self, seed: int, *, hidden_from: str | None = None) -> None:
        """With `hidden_from`, all that this audience may never have is otherwise."""
        self.seed = seed
        self.hidden_from = hidden_from
        self.random = Random(seed)  # for the shape: it must not depend on what is otherwise
        self.words, self.others = (Vocabulary(Random(f"{seed} {n}")) for n in ("one", "other"))
        self.hall, self.nook, self.yard, self.vault, self.loft = self.random.sample(_ROOMS, 5)
        rooms = (self.hall, self.nook, self.yard, self.vault, self.loft)
        self.cells = tuple(room for room in _ROOMS if room not in rooms)  # where nobody goes
        self.shut: tuple[str, ...] = ()  # those of them that there are
        self.facts: list[Fact] = []
        self.steps: list[Step] = []  # in any order
        self.first: list[Step] = []  # before all others
        self.branch: list[Step] = []  # played in the fork
        self.scenes: list[Scene] = []  # beside the rooms
        self.ahead: dict[str, SceneOverride] = {}  # those that every room could lead to, but never
        self.layers: list[Layer] = []
        self.events: dict[str, StoryEvent] = {}
        self.prophecies: list[Prophecy] = []
        self.authored: list[Secret] = []
        self.spoken: list[Spoken] = []
        self.asides: list[Move] = []  # words that are said low
        self.turns: dict[str, int] = {}  # of marked steps, once they are played
        self.permeability = self.random.choice((0.0, 0.1, 0.3, 0.49, 0.5, 0.6, 0.7, 0.8))
        self._people()
        self.common = tuple(self.random.sample(_THINGS, 4))  # what lies in the hall for all to see
        self.things = [
            Thing(id=name, name=f"the {name}", at=self.hall, description=f"An old {name}")
            for name in self.common
        ]
        # At half of the tables a second sits, and plays one of those in the hall.
        self.second = self.other if self.random.random() < 0.5 else None
        self.asked_once: list[Thing] = []  # what nobody asks about but by the script

    def stranger(self) -> Person:
        """Somebody more, in the hall with the others."""
        taken = {person.name for person in self.cast}
        name, pronouns = next(each for each in _NAMES if each[0] not in taken)
        more = Person(name.lower(), name, pronouns, self.hall)
        self.cast.append(more)
        return more

    def _people(self) -> None:
        rooms = (self.hall, self.hall, self.hall, self.hall, self.nook, self.yard)
        names = self.random.sample(_NAMES, len(rooms))
        made = [
            Person(name.lower(), name, pronouns, room)
            for (name, pronouns), room in zip(names, rooms, strict=True)
        ]
        self.player, self.friend, self.bystander, self.other, self.listener, self.away = made
        unmet, another = self.words.canary(), self.others.canary()
        name = unmet if self.hidden_from in (None, unmet) else another
        self.unmet = Person(name, capital(name), "she/her", self.vault)
        self.cast = [*made, self.unmet]

    # ── what carriers ask ────────────────────────────────────────────────────────────────────

    @property
    def places(self) -> dict[str, str]:
        """Where everybody is at the start."""
        return {person.id: person.at for person in self.cast}

    @property
    def everybody(self) -> tuple[str, ...]:
        """All who may look."""
        return (NARRATOR, *(person.id for person in self.cast))

    def hearing(self, places: Mapping[str, str]) -> frozenset[str]:
        """Everybody who hears what is said aloud where the player is, the narrator included."""
        here = places[self.player.id]
        reached = (here, self.nook) if here == self.hall else (here,)
        return frozenset({NARRATOR, *(who for who, at in places.items() if at in reached)})

    def company(self, *people: Person) -> frozenset[str]:
        """Some, with the player and the narrator, to whom all is told."""
        return frozenset({NARRATOR, self.player.id, *(p.id for p in people)})

    def moved(self, places: Mapping[str, str], to: str) -> dict[str, str]:
        """Where everybody is once the player is in a room."""
        return {**places, self.player.id: to}

    def subject(self) -> tuple[str, ...]:
        """What a fact may be about, so that it is thought of: people and things of the hall."""
        people = (self.player, self.friend, self.bystander, self.other)
        return tuple(self.random.sample([*(p.id for p in people), *self.common], 3))

    def is_otherwise(self, *people: str) -> bool:
        """Whether something that only these may ever have is otherwise on this stage."""
        return self.hidden_from is not None and self.hidden_from not in people

    def wording(self, *people: str) -> Wording:
        """A secret that these may have."""
        both = self.words.wording(), self.others.wording()
        return both[self.is_otherwise(*people)]

    def canary(self, *people: str) -> str:
        """A word that these may have."""
        both = self.words.canary(), self.others.canary()
        return both[self.is_otherwise(*people)]

    def keep(self, carrier: str, wording: Wording, may_have: MayHave, *sources: str) -> None:
        """Remember a secret that the author wrote."""
        self.authored.append(
            Secret(
                carrier, may_have, wording.canary, wording.content, frozenset(sources),
                wording.topic,
            )
        )  # fmt: skip

    def declared(self, step: Step) -> dict[str, object]:
        """What the narrator of a step says of it: all of it, so that nothing hangs on a reading."""
        low = [each for each in self.asides if str(each["words"]) in step.prose]
        return {"complete": True, "moves": list(step.staged), "asides": low}

    # ── the script ───────────────────────────────────────────────────────────────────────────

    def script(self) -> Iterator[Step]:
        """Every turn in its order, ways between rooms included."""
        blocks = [[step] for step in (*self.steps, *(self._chat() for _ in range(3)))]
        blocks.append([self._chat(), *self._pause()])
        if self.second is not None:
            blocks.append([replace(self._chat(), player=self.second.id)])
        self.random.shuffle(blocks)
        here = self.hall
        for step in (*self.first, *(step for block in blocks for step in block), self._chat()):
            if step.room != here and not step.moves:
                yield self._way(step.room)
            here = step.room
            yield step

    def _way(self, to: str) -> Step:
        return Step(to, f"I go to the {to}.", f"The {to} is quiet.", moves=True)

    def _chat(self) -> Step:
        who, thing = self.random.choice((self.friend, self.bystander)), self.things[0]
        line = f"I ask {who.name} about {thing.name}."
        answers = (f"“It is old,” says {who.name}.", "The rain goes on.", f"{who.name} shrugs.")
        return Step(self.hall, line, self.random.choice(answers))

    def _pause(self) -> list[Step]:
        """Two turns in which nothing is heard: the player waits in the hall, or leaves it."""
        seeing = (self.player, self.friend, self.bystander, self.other)
        if self.is_otherwise(NARRATOR, *(person.id for person in seeing)):
            return [self._way(self.loft), self._way(self.hall)]
        return [Step(self.hall, "I wait.", "The rain goes on.") for _ in range(2)]

    # ── the story ────────────────────────────────────────────────────────────────────────────

    def story(self) -> Story:
        """All of it, as an author would have written it."""
        rooms = (self.hall, self.nook, self.yard, self.vault, self.loft)
        layers = {TALE: LayerOverride(permeability=self.permeability)}
        return Story(
            id="planted", title="Planted", players=self._players(), start=f"in-{self.hall}",
            voice="Plain and short.", rules=("Stay in the house.",),
            soft=(Soft(heading="The house", text="It has stood for a hundred years."),),
            cast=tuple(person.character() for person in self.cast),
            settings=(
                *(self._setting(room, rooms) for room in rooms),
                *(Setting(id=room, name=f"the {room}") for room in self.shut),
            ),
            things=(*self.things, *self.asked_once), facts=tuple(self.facts),
            layers=(_TALE, *self.layers), events=tuple(self.events.values()),
            prophecies=tuple(self.prophecies),
            scenes=(
                *(self._scene(room, rooms) for room in rooms), Scene(id="in-tale", title="Tale"),
                *self.scenes,
            ),
            tuning=self._tuning(), budget=self._budget(),
            overrides=Overrides(layers=layers, scenes=self.ahead),
        )  # fmt: skip

    def _players(self) -> tuple[str, ...]:
        return (self.player.id, *(() if self.second is None else (self.second.id,)))

    def _scene(self, room: str, rooms: tuple[str, ...]) -> Scene:
        there = (
            Transition(to=f"in-{to}", when=Condition(at=At(who=self.player.id, place=to)))
            for to in rooms
            if to != room
        )
        never = (Transition(to=name, when=NEVER) for name in self.ahead)
        return Scene(
            id=f"in-{room}", title=room, setting=room, revisitable=True,
            leads_to=(*there, *never), type=SceneType.GRAVITATIONAL, tone="Low.",
            stakes="The house.",
        )  # fmt: skip

    def _setting(self, room: str, rooms: tuple[str, ...]) -> Setting:
        after = rooms[rooms.index(room) + 1 :]
        return Setting(
            id=room, name=f"the {room}", description=f"A plain {room}",
            paths=tuple(Path(to=to) for to in after),
            hears=(self.hall,) if room == self.nook else (),
        )  # fmt: skip

    def _tuning(self) -> Tuning:
        floor = self.random.choice((0.0, 0.1, 0.3))
        return Tuning(gravity=GravityTuning(minimum_score=floor))

    def _budget(self) -> Budget:
        draw = self.random
        return Budget(
            tokens=draw.choice((1_500, 3_300, 8_000)), brief_tokens=draw.choice((800, 2_500)),
            soft_share=draw.choice((0.05, 0.1, 0.3)), recent_share=draw.choice((0.05, 0.18, 0.4)),
            policy=draw.choice(tuple(Policy)),
            encoding=draw.choice((Encoding.O200K, Encoding.ESTIMATE)),
        )  # fmt: skip
