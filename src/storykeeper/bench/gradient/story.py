"""The story that `bench gradient` renders: a ferry house, and what lies ahead of it.

Six scenes lie ahead at the same distance, each with images of its own; a tale was told once; a
flood was foretold. A moment is one of seven openings and one of ten lines that the player types
after it; as nothing divides both, counting goes through all seventy. Windows are short, so that a
slow model can be measured, and hold few of these.
"""

from __future__ import annotations

from storykeeper.story.conditions import At, Condition
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.layers import Layer, LayerKind, Prophecy
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Images, Scene, SceneCast, SceneType, Transition
from storykeeper.story.tuning import (
    LayerOverride,
    Overrides,
    SceneOverride,
)

TARGET, TALE, FORETOLD = "bell", "heron", "flood"
DISTANCE = 0.25
# id, what is seen and heard of it before it comes
AHEAD = {
    "bell": (
        "a bronze bell tolling under the water, where no bell hangs",
        "green bronze on the fingers of whoever touched the rope; a muffled toll",
    ),
    "ledger": (
        "ink on somebody's cuff; a column of names that does not add up",
        "a page torn from an account book, folded small",
    ),
    "fire": (
        "a smell of smoke from a chimney that is cold",
        "soot on the sill; an ember in the grass",
    ),
    "wedding": (
        "a white ribbon caught on a nail",
        "an organ tune that somebody hums and breaks off",
    ),
    "dog": (
        "a dog barking on the far bank, every night later",
        "paw prints in the mud that end at the edge",
    ),
    "letter": (
        "a wax seal that was broken and pressed together again",
        "a stranger's handwriting on a torn envelope",
    ),
}
TALE_IMAGES = (
    "a grey heron that stands on one leg and waits",
    "a feather between the reeds; an egg, still warm",
)
FORETOLD_IMAGES = (
    "the river over the third step; barrels afloat in a cellar",
    "a tide mark on the wallpaper, higher than a man",
)
# The words of those images that stand in nothing else of the story.
WORDS = {
    TARGET: "bell bronze toll muffled rope green",
    TALE: "heron feather reed egg grey leg",
    FORETOLD: "river flood barrel afloat cellar tide wallpaper",
}
OPENINGS = (
    "You come in out of the rain. Odile looks up from the stove; Bastian does not.",
    "Bastian sets a cup before you and goes back to his net. Odile counts under her breath.",
    "It is late. Odile has turned down the lamp, and nobody has spoken for a while.",
    "You unroll your maps. Odile moves the bread out of their way; Bastian laughs.",
    "Morning, and the window is white. Bastian's boots stand wet and steaming by the stove.",
    '"So you are the one who closes us," Odile says, and says it to the stove.',
    "The door bangs, and bangs again. Bastian wedges it with a chip of wood and sits down.",
)
LINES = (
    "I look around.", "I wait.", "I ask Odile who lives here.", "I sit down on the bench.",
    "I listen.", "I go to the window.", "I warm my hands.", "I ask Bastian about the crossing.",
    "I say nothing.", "I open the door and look out.",
)  # fmt: skip
MOMENTS = len(OPENINGS) * len(LINES)


def story(*, mass: float = 0.3, permeability: float = 0.1, foretold: float | None = None) -> Story:
    """An edition of it: how much the bell weighs, how thin the tale is, how strong the prophecy."""
    weights = dict.fromkeys(AHEAD, 1.0) | {TARGET: mass}
    return Story(
        id="ferry-house", title="The ferry house", players=("imre",), start="hall",
        voice="Second person, present tense. Plain words, concrete things. At most 80 words.",
        cast=(
            _somebody("imre", "he/him", "A surveyor, sent to close the ferry."),
            _somebody("odile", "she/her", "Keeps the ferry house."),
            _somebody("bastian", "he/him", "Rows, and mends nets."),
        ),
        settings=(
            Setting(id="hall", name="the hall", description="A bench, a stove, a window.",
                    paths=tuple(Path(to=f"at-{name}") for name in (*AHEAD, TALE, FORETOLD))),
            *(Setting(id=f"at-{name}", name=f"the {name} place")
              for name in (*AHEAD, TALE, FORETOLD)),
        ),
        scenes=(_hall(), *(_ahead(name, images) for name, images in AHEAD.items()),
                _ahead(TALE, ()), _ahead(FORETOLD, ())),
        events=(StoryEvent(id="said", summary="It was foretold."),),
        layers=(Layer(id=TALE, name="The heron's tale", kind=LayerKind.FRAME, scenes=(TALE,),
                      images=TALE_IMAGES),),
        prophecies=() if foretold is None else (
            Prophecy(id=FORETOLD, source="said", target=FORETOLD, imagery=FORETOLD_IMAGES),
        ),
        overrides=Overrides(
            scenes={name: SceneOverride(mass=each, distance=DISTANCE)
                    for name, each in weights.items()}
            | {FORETOLD: SceneOverride(mass=0.0, distance=1.0)},
            layers={TALE: LayerOverride(mass=0.9, permeability=permeability)},
            prophecies={} if foretold is None else {FORETOLD: foretold},
        ),
    )  # fmt: skip


def _somebody(name: str, pronouns: str, line: str) -> Character:
    return Character(id=name, name=name.title(), pronouns=pronouns, line=line, at="hall")


def _hall() -> Scene:
    ways = tuple(
        Transition(to=name, when=Condition(at=At(who="player", place=f"at-{name}")))
        for name in (*AHEAD, TALE, FORETOLD)
    )
    return Scene(
        id="hall", title="The hall", setting="hall", cast=SceneCast(required=("odile", "bastian")),
        type=SceneType.CONNECTIVE, leads_to=ways, revisitable=True,
    )  # fmt: skip


def _ahead(name: str, images: tuple[str, ...]) -> Scene:
    return Scene(
        id=name, title=name, setting=f"at-{name}", type=SceneType.GRAVITATIONAL,
        images=Images(distant=images, approaching=images, imminent=images),
    )  # fmt: skip
