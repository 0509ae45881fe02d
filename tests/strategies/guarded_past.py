"""More windows with the boundary taken away at one place: what was told long before.

The words with a z and an x are not for whoever looks. What is hidden must not choose either: where
a word of it would, another piece of the past would stand in the window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

from msgspec import structs

from storykeeper.context import gathering
from storykeeper.context.gathering import Gathered
from storykeeper.context.history import PastTurn, Recalled, Summed
from storykeeper.context.sources import echo, gravity
from storykeeper.events import atoms as a
from storykeeper.story.model import Story
from storykeeper.story.scenes import Withheld
from storykeeper.units import EntityId, SceneId, TurnNo
from strategies.guarded import NO_CHECK, Place, Removal, all_seeing, atom, who, wide
from strategies.guarded_ahead import BEEN, NOW, Ahead, given, told


def gathered_widely(name: str) -> Removal:
    """What is gathered in one way is gathered under a boundary that is open to everything."""
    real = getattr(Gathered, name)

    def asked(self: Gathered) -> object:
        mine, self.boundary = self.boundary, wide(self.boundary)
        try:
            return real(self)
        finally:
            self.boundary = mine

    return lambda: patch.object(Gathered, name, asked)


def telling(
    turn: int, prose: str, *atoms: a.Atom, player: str = "ann", scene: str = "first"
) -> PastTurn:
    return PastTurn(TurnNo(turn), SceneId(scene), EntityId(player), "I wait.", prose, atoms)


def found(make: Callable[[], PastTurn]) -> Callable[[], tuple[Recalled, ...]]:
    """What memory found; a new turn each time, for what is found of one is kept."""

    def recalled() -> tuple[Recalled, ...]:
        turn = make()
        return (Recalled(f"turn:{turn.turn}", share=1.0, likeness=0.0, turn=turn),)

    return recalled


# ── who is told what ─────────────────────────────────────────────────────────────────────────


def in_the_dark() -> PastTurn:
    """Words of Eve's, whom Ann has never met; that they are hers no word says."""
    said = atom(a.SpeechUttered("The tide comes at nine."), turn=5, number=1, actor=who("eve"),
                witness=who("ann"))  # fmt: skip
    return telling(5, "“The tide comes at nine.”", structs.replace(said, source=a.Source.NARRATOR))


def of_bobs() -> PastTurn:
    """A turn that Bob played, and of which Ann knows nothing."""
    low = atom(a.SpeechUttered("It is zulowx."), turn=5, number=1, actor=who("bob"),
               target=who("eve"))  # fmt: skip
    return telling(5, "“It is zulowx,” says Bob.", low, player="bob")


def on_the_hill() -> tuple[PastTurn, ...]:
    """Ann is told, far away, what goes on upon a hill that she has never heard of."""
    return tuple(
        telling(turn, f"Lamp {turn} is lit. Boat {turn} has gone out to sea.", scene="peak")
        for turn in range(1, NOW)
    )


def with_one_of_bobs() -> tuple[PastTurn, ...]:
    """Ann's turns but for one: what was made of all of them tells of that too."""
    mine = list(on_the_hill())
    return (*mine[:4], of_bobs(), *mine[5:])


SUMMED = Summed(tuple(TurnNo(n) for n in range(1, 10)), "It was all zusumx.", TurnNo(11))


# ── what stands in a window, of several ──────────────────────────────────────────────────────


def of_lamp_and_boat() -> PastTurn:
    """A moment that comes back in one of two sentences: in the first, if nothing asks for one."""
    turn = telling(5, "The lamp was lit. The boat was gone.", given("ann", "bob", 5))
    return replace(turn, text="")


def apart() -> Story:
    """Two play. What is at stake where the story is Ann does not know, who is elsewhere."""
    ours = told()
    first, *others = ours.scenes
    first = structs.replace(first, setting="hill", stakes="The boat.")
    return structs.replace(ours, players=("ann", "bob"), scenes=(first, *others))


def of_two() -> Story:
    return structs.replace(told(), players=("ann", "bob"))


def unthemed() -> Story:
    """What lies ahead has a theme of the tale's, and that is withheld."""
    ours = told()
    first, peak, *others = ours.scenes
    peak = structs.replace(peak, themes=("the-drowned",), withheld=(Withheld.THEMES,))
    return structs.replace(ours, scenes=(first, peak, *others))


def remarks() -> tuple[PastTurn, ...]:
    """Much that Bob heard; there is no room for all of it."""
    nouns = ("lamp", "rope", "bell", "coal", "door", "boat", "nail", "tide", "wall", "sack")
    return tuple(
        telling(turn, "So.", atom(a.SpeechUttered(f"It is an old {noun}, and that is all."),
                                  turn=turn, number=1, actor=who("ann"), witness=who("bob")))
        for turn, noun in enumerate(nouns, start=1)
    )  # fmt: skip


BEFORE = Ahead(decided=(given("ann", "bob"),), recalled=found(of_lamp_and_boat))
AS_IT_IS = "once before with bob: the lamp was lit"
GATHERING, RECALLED = "context/gathering.py", "context/sources/recalled.py favoured"
FAVOURED = all_seeing(echo, "favoured")
PLACES_PAST = (
    Place((f"{GATHERING} _found self.boundary.open(p.source)",), gathered_widely("_found"),
          Ahead(of_two(), recalled=found(of_bobs)), both=(NO_CHECK,), only=("zulowx",)),
    Place((f"{GATHERING} _summaries self.boundary.open(f'{{SUMMARY}}:{{each.name}}')",),
          gathered_widely("_summaries"),
          Ahead(of_two(), history=with_one_of_bobs(), tokens=500, summaries=(SUMMED,)),
          "already told\n", both=(NO_CHECK,), only=("zusumx",)),
    # A theme that is withheld weighs nothing of what is said.
    Place(("context/sources/gravity.py _ahead boundary.open(f'ahead:{scene.id}/themes')",),
          all_seeing(gravity, "_ahead"), Ahead(unthemed(), state=BEEN),
          '"theme":0.0,"layer":0.0,"prophecy":0.0}},"sources":["ahead:peak/',
          only=("zugatex",)),
    # Nor does what is hidden choose what comes back.
    Place((f"{RECALLED} boundary.open(f'scene:{{scene.id}}')",), FAVOURED,
          replace(BEFORE, story=apart()), AS_IT_IS, only=("zu",)),
    Place((f"{RECALLED} boundary.shared(boundary.recent[-1])",), FAVOURED,
          replace(BEFORE, story=of_two(), history=(
              replace(of_bobs(), turn=TurnNo(19), prose="“The boat,” says Bob."),)),
          AS_IT_IS, only=("zu",)),
    Place((f"{RECALLED} boundary.open('input')",), all_seeing(gathering, "favoured"),
          Ahead(audience="bob", line="I think of the boat.", history=remarks(), tokens=180),
          "an old sack", only=("boat",)),
)  # fmt: skip
