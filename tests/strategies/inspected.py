"""Runs to look at in the inspector: played, hostile, long, and with many scenes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from storykeeper import Storykeeper
from storykeeper.bench.continuity.data import Playthrough
from storykeeper.bench.longruns import Prose, long_run
from storykeeper.serve.keys import SCOPES, Keys
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.scenes import Beat, Scene, Transition
from strategies.runs import go, kept
from strategies.services import service

SENTENCES = [
    f"The {what} was quiet that night, and {n} of them stood at the rail."
    for what in ("tower", "yard", "stair", "pier", "kitchen", "sea") for n in range(20)
]  # fmt: skip
ATTACKS = (
    "<script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "javascript:window.hit=1",
    "\"><svg onload=window.hit=1>", "{{constructor.constructor('window.hit=1')()}}",
    "</title></style></script><script>window.hit=1</script>", "<a href=//evil.example/x>here</a>",
    "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<link rel=stylesheet href=//evil.example/x.css>",
)  # fmt: skip
ODD = (
    "\u202eturned\u2066",
    "שלום " * 40,
    "x" * 900,
    "\x1b[31mred\x07",
    "e" + "\u0301" * 200,
    "𝔘𝔫𝔦",
)


@dataclass
class Served:
    """A service with one run, and its author's key."""

    url: str
    data: Path
    key: str
    run: str = "mine"

    def address(self, key: str = "", run: str = "") -> str:
        return f"{self.url}/inspect/#run={run or self.run}&key={key or self.key}"

    def link(self, who: str) -> str:
        """A player's."""
        keys = Keys(self.data)
        return keys.link(tenant="local", run=self.run, audience=who, now=0)[0]


@contextmanager
def inspected(data: Path, **settings) -> Iterator[Served]:
    """A service over what is in a data folder."""
    key = Keys(data).create(tenant="local", scopes=SCOPES, now=0)[0]
    with service(data, **settings) as made:
        yield Served(made.url, data, key)


def place(data: Path, name: str = "mine") -> Path:
    """Where a run of that name is kept."""
    path = data / "tenants" / "local" / "runs" / f"{name}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def played(data: Path, lines, *, name: str = "mine", **options) -> None:
    """The example, with these lines; a swipe, an edit, a fork and a correction among them."""
    with kept(place(data, name), **options) as keeper:
        go(keeper, *lines)


def told(data: Path, playthrough: Playthrough, *, name: str = "mine") -> None:
    """A playthrough, told as it was told."""
    with Storykeeper.open(place(data, name), story=playthrough.story) as keeper:
        for each in playthrough.turns:
            turn = keeper.begin(each.line)
            keeper.render(turn, each.prose, narrator="told")


def long(data: Path, turns: int) -> None:
    """A run of so many turns."""
    long_run(place(data), turns, Prose(SENTENCES))
    Storykeeper.open(place(data)).close()  # a run that was played has a snapshot


def hostile() -> Story:
    """A story in which every text tries something."""
    said = iter((*ATTACKS, *ODD) * 20)
    cast = tuple(
        Character(id=f"who{n}", name=next(said), line=next(said), speech=next(said))
        for n in range(6)
    )
    scenes = tuple(
        Scene(
            id=f"s{n}", title=next(said), mass=0.5, tone=next(said), stakes=next(said),
            leads_to=(Transition(to=f"s{(n + 1) % 8}"),),
            beats=(Beat(id="first", prose=f"{next(said)}\n\nPlain words. {next(said)}"),),
        )
        for n in range(8)
    )  # fmt: skip
    facts = tuple(
        Fact(id=f"f{n}", full=next(said), hint=next(said), known_by={f"who{n}": "lived"})
        for n in range(6)
    )
    return Story(
        id="hostile", title=ATTACKS[0], author=ATTACKS[1], players=("who0",), start="s0",
        voice=ATTACKS[2], cast=cast, scenes=scenes, facts=facts,
    )  # fmt: skip


def attacked(data: Path) -> None:
    """A run of it, typed and told by somebody hostile."""
    with Storykeeper.open(place(data), story=hostile()) as keeper:
        go(keeper)
        for n, text in enumerate(t for t in (*ATTACKS, *ODD) if t.isprintable() or "\u202e" in t):
            turn = keeper.begin(f"I say “{text}”.")
            keeper.render(turn, f"{text} she says. “{ATTACKS[n % len(ATTACKS)]}” The lamp: {text}")
