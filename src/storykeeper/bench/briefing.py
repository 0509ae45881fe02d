"""How long a brief takes on a field of fifty, with ten thousand passages of canon, and how fast
these are taken in.

- ingest: passages a second, from files on the disk to a library that is searched; nothing embedded.
- brief: everything an actor is told, from the moment of the field to the checked text, with a past
  of some turns behind it. `worked` is the processor's time for it.

Floor: the search of the library alone, for the same questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.timing import spread, timed, worked
from storykeeper.canon.brief import EntityKind, Point
from storykeeper.canon.knowledge_base import KnowledgeBase, added, pinned
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.registry import CanonRegistry, CanonSource, SourceKind
from storykeeper.canon.situation import Barrier, Channel, EntityState, Verb, WorldState
from storykeeper.context.field.fog import Fog
from storykeeper.context.field.proposals import aware, past, query_of
from storykeeper.field import Field, open_library
from storykeeper.memory.evidence import LOOKED_AT
from storykeeper.memory.signals.background import table
from storykeeper.play.faithful_agent import faithful
from storykeeper.story.people import Belief, Goal, Scope

SOURCES = 20
ACTORS = 50
SIDES = ("north", "south", "east")


def briefing(place: Path, setup: Setup, figures: Figures) -> None:
    """Both."""
    rng = Random(7)
    each, turns = (20, 2) if setup.quick else (500, 12)
    base = knowledge(place / "canon", rng, passages=each)
    seconds: list[float] = []
    found = [0]

    def fill() -> None:
        library, done = open_library(base, folder=place / "library")
        library.close()
        found[0] = done.passages

    seconds.append(timed(fill))
    library, _ = open_library(base, folder=place / "library")
    field = Field(world(rng), actors(rng), base, library)
    for turn in range(turns):
        setup.say(f"  turn {turn + 1} of {turns} on a field of {ACTORS}")
        field.play(faithful)
    walls = [timed(lambda who=who: field.brief(who)) for who in field.cast]  # type: ignore[misc]
    works = [worked(lambda who=who: field.brief(who)) for who in field.cast]  # type: ignore[misc]
    floors = [worked(lambda fog=fog: _search(field, fog)) for fog in _fogs(field)]  # type: ignore[misc]
    field.close()
    figures["storykeeper"]["ingest"] = {"per_second": round(found[0] / seconds[0])}
    ours = {"passages": found[0], "actors": ACTORS, **spread(walls)}
    figures["storykeeper"]["brief"] = ours | {"worked": spread(works)}
    figures["floor"]["brief"] = {"worked": spread(floors)}
    least = spread(floors)
    figures["ratio"]["brief"] = {p: round(spread(works)[p] / least[p], 2) for p in least}


def _fogs(field: Field) -> Sequence[Fog]:
    return [Fog(field.world, card, field.base.registry) for card in field.cast.values()]


def _search(field: Field, fog: Fog) -> None:
    query = query_of(fog, (*aware(fog)[:6], *past(fog)[:3]))
    field.library.search(query, cites=[each.cite for each in fog.reads], most=LOOKED_AT)


def knowledge(folder: Path, rng: Random, *, passages: int) -> KnowledgeBase:
    """Sources of so many passages each, of the words of stories and talk."""
    folder.mkdir(parents=True)
    words = list(table()[1])[:6_000]
    base = KnowledgeBase(folder, CanonRegistry())
    for number in range(SOURCES):
        name = f"source-{number}"
        told = (" ".join(rng.choices(words, k=rng.randrange(12, 50))) for _ in range(passages))
        (folder / f"{name}.md").write_text("# Book\n\n" + ".\n\n".join(told) + ".\n", "utf-8")
        kind = SourceKind.DOCTRINE if number % 2 else SourceKind.EVIDENCE
        source = CanonSource(
            id=name, title=name, version="1", licence="CC0-1.0", path=f"{name}.md", kind=kind,
            trust=0.5 + number / (2 * SOURCES),
        )  # fmt: skip
        base = pinned(added(base, source), name)
    return base


def actors(rng: Random) -> list[PersonaCardV2]:
    """Fifty who act; each has read half of all there is."""
    words = list(table()[1])[:6_000]
    return [
        PersonaCardV2(
            id=f"actor-{n}", name=f"Actor {n}", line="One of fifty.", faction=SIDES[n % 3],
            channels=(f"{SIDES[n % 3]}-net",), capabilities=("carries",),
            beliefs=tuple(Belief(text=" ".join(rng.choices(words, k=9))) for _ in range(3)),
            goals=(Goal(text=" ".join(rng.choices(words, k=8))),),
            scope=Scope(canon=tuple(f"source-{i}" for i in range(SOURCES) if (i + n) % 2)),
        )
        for n in range(ACTORS)
    ]  # fmt: skip


def world(rng: Random) -> WorldState:
    """A plane of 200 by 200 with fifty actors, fifty things and some walls."""

    def point() -> Point:
        return Point(x=float(rng.randrange(-100, 100)), y=float(rng.randrange(-100, 100)))

    people = tuple(
        EntityState(
            id=f"actor-{n}", name=f"Actor {n}", faction=SIDES[n % 3], at=point(), noise=12.0,
            looks="in a coat of their side", heard_as="steps",
        )
        for n in range(ACTORS)
    )  # fmt: skip
    things = tuple(
        EntityState(id=f"thing-{n}", name=f"thing {n}", kind=EntityKind.THING, at=point(),
                    looks="a crate", details=("its lid is nailed",))
        for n in range(ACTORS)
    )  # fmt: skip
    return WorldState(
        id="fifty", factions={side: side for side in SIDES}, entities=(*people, *things),
        barriers=tuple(Barrier(from_=point(), to=point()) for _ in range(12)),
        channels=tuple(Channel(id=f"{side}-net", factions=(side,), range=120) for side in SIDES),
        verbs=(
            Verb(id="hold", text="Stay."), Verb(id="go", text="Walk.", moves=True, reach=8, loud=6),
            Verb(id="radio", text="Speak.", speaks=True, by_channel=True, loud=4),
            Verb(id="report", text="Report.", target=True, speaks=True, by_channel=True,
                 shares=True, loud=4),
            Verb(id="search", text="Search.", target=True, kinds=(EntityKind.THING,), reach=5,
                 puts=("searched",)),
        ),
    )  # fmt: skip
