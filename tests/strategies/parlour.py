"""A parlour and a garden, for things that earn their place; nothing in them is the author's.

Ann is played. Mara and Tom are with her in the parlour; Eve is in the garden, and hears and sees
nothing of the parlour. One goes to and fro as one likes.
"""

from msgspec import structs

from storykeeper.engine import Engine, Turn
from storykeeper.language.prose import ProseReader
from storykeeper.play.entity_views import EntityView
from storykeeper.play.readings import Readings
from storykeeper.staging.reader import StagedProse, TableReader
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import At, Condition
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Beat, Scene, SceneCast, SceneType, Transition
from storykeeper.story.tuning import EntityTuning, Tuning
from storykeeper.units import MAIN
from strategies.ledgers import memory_ledger

READER = Readings(StagedProse(ProseReader(), TableReader()))
ROOMS = ("parlour", "garden", "cellar", "attic")


def parlour(**tuning) -> Story:
    """The story; with other numbers for its entities, if any are given."""
    return Story(
        id="parlour", title="The parlour", players=("ann",), start="in-parlour", voice="Plain.",
        cast=(
            Character(id="ann", name="Ann", pronouns="she/her", line="You.", at="parlour"),
            Character(id="mara", name="Mara", pronouns="she/her", line="A guest.", at="parlour"),
            Character(id="tom", name="Tom", pronouns="he/him", line="A guest.", at="parlour"),
            Character(id="eve", name="Eve", pronouns="she/her", line="Gardens.", at="garden"),
        ),
        settings=tuple(
            Setting(id=room, name=f"the {room}",
                    paths=tuple(Path(to=to) for to in ROOMS[i + 1:]))
            for i, room in enumerate(ROOMS)
        ),
        scenes=tuple(_scene(room) for room in ROOMS),
        tuning=Tuning(entities=EntityTuning(**tuning)),
    )  # fmt: skip


def _scene(room: str) -> Scene:
    ways = tuple(
        Transition(to=f"in-{to}", when=Condition(at=At(who="player", place=to)))
        for to in ROOMS
        if to != room
    )
    return Scene(
        id=f"in-{room}", title=room, setting=room, revisitable=True, type=SceneType.GRAVITATIONAL,
        cast=SceneCast(contingent=("mara", "tom", "eve")), leads_to=ways,
        beats=(Beat(id="opening", prose="", when=Condition(at=At(who="eve", place="attic"))),),
    )  # fmt: skip


def with_things(story: Story, *things) -> Story:
    """The story with things of its author's."""
    return structs.replace(story, things=things)


def engine(story: Story | None = None, *, reader=READER) -> Engine:
    """A run in memory."""
    ledger = memory_ledger()
    ledger.begin(MAIN, [adoption(parlour() if story is None else story)])
    return Engine(ledger, MAIN, reader=reader)


def tell(keeper: Engine, prose: str, line: str | None = None, stage: object = None) -> Turn:
    """One turn: a line (none: the opening, or waiting) and what is told of it."""
    fresh = keeper.world().pending is None and not keeper.history()
    if fresh and line is None:
        turn = keeper.opening()
    else:
        turn = keeper.begin("I wait." if line is None else line)
    keeper.render(turn, prose, stage=stage)
    return turn


def called(keeper: Engine, words: str, *, at: int | None = None) -> EntityView:
    """The one thing that has been called so."""
    found = all_called(keeper, words, at=at)
    assert len(found) == 1, f"{words!r} is {len(found)} things"
    return found[0]


def all_called(keeper: Engine, words: str, *, at: int | None = None) -> list[EntityView]:
    """Everything that has been called so."""
    wanted = bare(words)
    return [
        view
        for view in keeper.entities(at=at)
        if wanted in {bare(view.words), *(bare(m.words) for m in view.mentions)}
    ]


def bare(words: str) -> str:
    """Words without their article."""
    first, _, rest = words.casefold().partition(" ")
    return rest if first in ("the", "a", "an") and rest else words.casefold()
