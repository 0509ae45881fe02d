"""The wherry house, for what a narrator declares: who is where, who knows what, which door is shut.

Ilse is played. Dov and Renna are with her in the parlour. Hagen is in the cellar and hears nothing
of it; in the yard one hears the parlour. Petra is nowhere, and nobody has met her. The vault is
shut while Ilse has no iron key, which lies in it. No way leads to the reef.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import structs

from storykeeper.engine import Engine
from storykeeper.events.atoms import Voice
from storykeeper.language.names import Names
from storykeeper.language.prose import ProseReader
from storykeeper.play.readings import Readings
from storykeeper.staging.cues import Cued
from storykeeper.staging.declaration import parsed
from storykeeper.staging.declared_cues import declared
from storykeeper.staging.reader import StagedProse, TableReader
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import Condition, Has
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting, Thing
from storykeeper.story.scenes import Beat, Scene
from storykeeper.units import MAIN, EntityId
from storykeeper.world.fold import fold
from storykeeper.world.state import World
from strategies.ledgers import memory_ledger

READER = Readings(StagedProse(ProseReader(), TableReader()))
PAWNED = "Dov pawned the silver heron to a chandler in Osk."
BURIED = "The drowned clerk lies under the quince tree."
CAST = ("ilse", "dov", "renna", "hagen", "petra")
WITH_KEY = Condition(has=Has(who="ilse", thing="iron-key"))


@cache
def wherry(**changes) -> Story:
    """The story; with other parts, if any are given."""
    story = Story(
        id="wherry", title="The wherry house", players=("ilse",), start="evening", voice="Plain.",
        cast=(
            Character(id="ilse", name="Ilse", pronouns="she/her", line="You.", at="parlour"),
            Character(id="dov", name="Dov", pronouns="he/him", line="A clerk.", at="parlour"),
            Character(id="renna", name="Renna", pronouns="she/her", line="Sews.", at="parlour"),
            Character(id="hagen", name="Hagen", pronouns="he/him", line="Digs.", at="cellar"),
            Character(id="petra", name="Petra", pronouns="she/her", line="Sails."),
        ),
        settings=(
            Setting(id="parlour", name="the parlour", paths=(Path(to="hall"),)),
            Setting(id="hall", name="the hall", paths=(Path(to="attic"), Path(to="cellar"),
                    Path(to="yard"), Path(to="vault", when=WITH_KEY))),
            Setting(id="attic", name="the attic"), Setting(id="cellar", name="the cellar"),
            Setting(id="yard", name="the yard", hears=("parlour",)),
            Setting(id="vault", name="the vault"), Setting(id="reef", name="the reef"),
        ),
        things=(
            Thing(id="lamp", name="the lamp", at="parlour"),
            Thing(id="iron-key", name="the iron key", at="vault", description="Its bow is Zmark."),
        ),
        facts=(
            Fact(id="pawned", full=PAWNED, said=("the heron went to the chandler",), secret=True,
                 known_by={"dov": "saw"}),
            Fact(id="buried", full=BURIED, secret=True, known_by={"hagen": "saw"}),
            Fact(id="ferry", full="The ferry comes on Thursday.", known_by={"dov": "saw"}),
            Fact(id="burned", full="Ilse burned the letter from Marl.", secret=True,
                 known_by={"ilse": "saw"}),
        ),
        scenes=(Scene(id="evening", title="Evening", setting="parlour",
                      beats=(Beat(id="opening", prose="It is late."),)),),
    )  # fmt: skip
    return structs.replace(story, **changes)


def engine(story: Story | None = None) -> Engine:
    """A run in memory."""
    ledger = memory_ledger()
    ledger.begin(MAIN, [adoption(wherry() if story is None else story)])
    return Engine(ledger, MAIN, reader=READER)


def begun(story: Story | None = None) -> Engine:
    """A run in which the opening is told."""
    keeper = engine(story)
    keeper.render(keeper.opening(), "It is late.")
    return keeper


def play(
    keeper: Engine, prose: str, stage: object = None, line: str = "I wait."
) -> tuple[str, ...]:
    """A turn that is told and becomes fact; what was dropped of its declaration."""
    dropped = keeper.render(keeper.begin(line), prose, stage=stage)
    keeper.end_scene()
    return dropped


@cache
def world() -> World:
    """The world as the story begins."""
    return fold([adoption(wherry())])


def world_of(*, facts: tuple[str, ...]) -> World:
    """The same with other facts, all secret: fact0, fact1 …"""
    made = tuple(Fact(id=f"fact{i}", full=full, secret=True) for i, full in enumerate(facts))
    return fold([adoption(structs.replace(wherry(), facts=made))])


def checked(
    stage: object, prose: str, *, at: World | None = None, offered: Sequence[str] = (),
    inline: bool = False, says: Voice = Voice.NARRATOR,
) -> Cued:  # fmt: skip
    """What a declaration comes to, all names known."""
    given = structs.replace(parsed(stage).declaration, inline=inline)
    return declared(
        world() if at is None else at, given, prose, Names.of(wherry()),
        player=EntityId("ilse"), says=says, offered=offered,
    )  # fmt: skip
