"""What an author gives a character to act by: what shows, what they tell and when, what they do.

None of it says what a character knows. A line under `shows` is open: it stands in the narrator's
window as it is written, so that somebody can act on what the narrator never sees.
"""

from __future__ import annotations

from storykeeper.story.conditions import Authored, Condition
from storykeeper.units import Id, Several, Unit


class Show(Authored, frozen=True, kw_only=True, rename={"with_": "with"}):
    """Something to be seen of somebody, or heard: outward, and it gives nothing away."""

    text: str  # `{who}` is their name
    when: Condition | None = None  # while this holds
    about: tuple[Id, ...] = ()  # when one of these is spoken of, or something is done with it
    to: tuple[str, ...] = ()  # when one of these is there to see it; anybody, unless stated
    with_: tuple[Id, ...] | None = None  # what must be at hand; the things it names, unless stated
    answers: bool = False  # only of who is spoken to, or done something to
    every: Several = 3  # at most once in so many turns


class FactShow(Show, frozen=True, kw_only=True, rename={"with_": "with"}):
    """What is to be seen of those who have a fact, when somebody comes near it."""

    who: tuple[str, ...] = ()  # of those who have it; each of them, unless stated


class Tell(Authored, frozen=True, kw_only=True):
    """A fact that somebody decides to tell, and when. One that they do not hold is a lie."""

    fact: Id
    when: Condition
    to: tuple[str, ...] = ("player",)
    suspects: bool = False  # only its hint is given
    weight: Unit = 0.5  # how much they want to


class Attempt(Authored, frozen=True, kw_only=True, rename={"with_": "with"}):
    """Something that somebody does of their own accord, and what comes of it."""

    happens: Id  # the event that it is, if it succeeds
    when: Condition
    text: str = ""  # what is seen of it, however it ends
    weight: Unit = 0.5  # how much they want to
    takes: str = ""  # one of their capabilities
    with_: Id | None = None  # what they must have in hand, or in reach
    chance: Unit = 1.0  # of success
    partly: Id | None = None  # what happens if it half succeeds
    opens: Id | None = None  # if it fails, and something better comes of it
    fails: Id | None = None  # if it fails, and has a price
