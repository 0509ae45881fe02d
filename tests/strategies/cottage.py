"""A cottage, for who sees what: four people, three rooms, things to put somewhere.

From the garden one sees into the kitchen, in the cellar one hears it. Ren is played and is nowhere:
what happens is decided by the rules of play, atom by atom, without reading any text.
"""

from functools import cache

from storykeeper.events import atoms as a
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import witnesses
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.fold import fold
from storykeeper.world.knowledge import believed_place
from storykeeper.world.state import World

PEOPLE = ("ada", "ben", "cid", "dot")
ROOMS = ("kitchen", "garden", "cellar")
THINGS = ("pie", "tin", "crate")


@cache
def cottage() -> Story:
    return Story(
        id="cottage", title="The cottage", players=("ren",), start="told", voice="Plain.",
        cast=(
            Character(id="ren", name="Ren", line="You."),
            *(Character(id=who, name=who.title(), line="Of the cottage.") for who in PEOPLE),
        ),
        settings=(
            Setting(id="kitchen", name="the kitchen"),
            Setting(id="garden", name="the garden", sees=("kitchen",)),
            Setting(id="cellar", name="the cellar", hears=("kitchen",)),
        ),
        things=tuple(Thing(id=thing, name=f"the {thing}") for thing in THINGS),
        scenes=(Scene(id="told", title="Told"),),
    )  # fmt: skip


@cache
def empty() -> World:
    return fold([adoption(cottage())])


class Happens:
    """Things happening in the cottage, one after the other, each seen by whom the rules say."""

    def __init__(self, world: World | None = None) -> None:
        self.at = Unfolding(empty() if world is None else world, TurnNo(1))

    @property
    def world(self) -> World:
        return self.at.world

    @property
    def records(self):
        return self.at.records

    def deed(self, what: a.Happening, *, seen_by=None, source=a.Source.RULE, **roles) -> None:
        parts = [
            a.Participant(a.Role(role), a.Resolved(EntityId(who))) for role, who in roles.items()
        ]
        self.at.take_place(what, parts, source=source, seen_by=seen_by)

    def goes(self, who: str, to: str) -> None:
        self.deed(a.Moved(EntityId(to)), actor=who)

    def leaves(self, who: str) -> None:
        self.deed(a.EntityChanged(a.EntityChange.DEPARTED), actor=who, subject=who)

    def puts(self, who: str, thing: str, to: str) -> None:
        """Somebody puts a thing somewhere, before the eyes of all who are there."""
        self.deed(a.Moved(EntityId(to)), seen_by=self.near(who), subject=thing)

    def lies(self, thing: str, at: str) -> None:
        self.deed(a.StateAsserted("", EntityId(at)), subject=thing)

    def says(self, who: str, thing: str, at: str, *, to: str | None = None) -> None:
        heard = (*self.near(who, heard=True), *(() if to is None else (to,)))
        told = a.InformationTold("", at=EntityId(at))
        others = tuple(each for each in heard if each != who)
        self.deed(told, seen_by=others, actor=who, subject=thing)

    def acts(self, who: str, act: str, **roles) -> None:
        self.deed(a.deed(act), actor=who, **roles)

    def near(self, who: str, *, heard: bool = False) -> tuple[str, ...]:
        what = a.SpeechUttered("Hm.") if heard else a.deed("nod")
        part = a.Participant(a.Role.ACTOR, a.Resolved(EntityId(who)))
        return (who, *witnesses(self.world, what, [part]))

    def thinks(self, *chain: str, of: str = "pie", **more) -> str | None:
        return believed_place(self.world, chain, EntityId(of), **more)


def all_in(room: str, *people: str) -> Happens:
    """These people, in one room."""
    happens = Happens()
    for who in people:
        happens.goes(who, room)
    return happens
