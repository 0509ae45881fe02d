"""Stories of cups, keys and people, made from a small grammar; and playing them.

Everything is chosen by a function that is given, so that a property test may choose, or a seed.
Run as a program with a number it plays so many stories and prints what came of them: the same
under every hash seed.
"""

import hashlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from storykeeper.engine import Engine
from storykeeper.events.codec import encode
from storykeeper.story.model import Story
from storykeeper.world.snapshot import dump
from strategies.parlour import engine, parlour
from strategies.runs import records

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]

PEOPLE = ("Mara", "Tom", "She", "He", "You", "A stranger")
NOUNS = ("cup", "key", "letter", "bell")
LIKE = ("", "red ", "blue ", "old ", "brass ")
ARTICLES = ("the ", "the ", "a ", "{who}'s ", "her ")
PLACES = ("on the table", "by the door", "in the drawer")
DEEDS = ("looks at", "takes", "picks up", "drops", "hides", "kisses", "notices", "breaks")
SPOKEN = ("says", "whispers to you", "asks")
NOT_SO = (
    "There is no {noun}.", "If {who} had the {noun}, somebody would hide it.",
    "{who} dreamed of a {noun}.", "Did {who} take the {noun}?", "{who} does not take the {noun}.",
)  # fmt: skip
LINES = (
    "I wait.", "look at the {noun}", "take the {noun}", "break the {noun}", "take it", "drop it",
    "take the red {noun}", "ask Mara about the {noun}", "give the {noun} to Tom", "look at her",
    "the first one", "red", "kiss the dragon", "I say: “Where is the {noun}?”",
)  # fmt: skip
MOVES = ("I go to the garden", "I go to the parlour", "I go to the cellar")


def sentence(choose: Choose, nouns: Sequence[str] = NOUNS, people: Sequence[str] = PEOPLE) -> str:
    """One sentence of a rendering."""
    noun, who = choose(nouns), choose(people)
    thing = choose((f"{choose(ARTICLES)}{choose(LIKE)}{noun}", "it")).format(who=people[0])
    match choose(("deed", "deed", "deed", "there", "two", "said", "feels", "not", "sleeps")):
        case "deed":
            return f"{who} {choose(DEEDS)} {thing}."
        case "there":
            return f"A {choose(LIKE)}{noun} stands {choose(PLACES)}."
        case "two":
            return f"A red {noun} stands on the table. A blue {noun} stands by the door."
        case "said":
            return f"“Where is the {noun}?” {people[0]} {choose(SPOKEN)}."
        case "feels":
            return f"{who} {choose(DEEDS)} {thing} and begins to cry."
        case "not":
            return choose(NOT_SO).format(noun=noun, who=people[0])
        case _:
            return f"{people[0]} {choose(('is asleep', 'wakes up'))}."


def prose(
    choose: Choose, nouns: Sequence[str] = NOUNS, people: Sequence[str] = PEOPLE, *, most: int = 3
) -> str:
    """A rendering of a few sentences."""
    return " ".join(sentence(choose, nouns, people) for _ in range(choose(range(1, most + 1))))


def line(choose: Choose, nouns: Sequence[str] = NOUNS) -> str:
    """What a player types."""
    return choose((*LINES, *MOVES)).format(noun=choose(nouns))


def script(choose: Choose, *, most: int = 5) -> list[tuple[str, str]]:
    """Lines and what is told of them; the first line is the opening's, and empty."""
    turns = [("", prose(choose))]
    turns += [(line(choose), prose(choose)) for _ in range(choose(range(1, most)))]
    return turns


def play(keeper: Engine, turns: Sequence[tuple[str, str]]) -> Iterator[int]:
    """Play it; the number of each turn under way, after it was shown."""
    for typed, told in turns:
        fresh = keeper.world().pending is None and not keeper.history()
        turn = keeper.opening() if fresh else keeper.begin(typed)
        if turn.question is None:
            keeper.render(turn, told)
        yield turn.number
    keeper.end_scene()


def played(turns: Sequence[tuple[str, str]], story: Story | None = None) -> Engine:
    """A run in which all of this is fact."""
    keeper = engine(story)
    for _ in play(keeper, turns):
        pass
    return keeper


def _report(number: int) -> None:
    for seed in range(number):
        keeper = played(script(random.Random(seed).choice, most=7), parlour(soft_budget=4))
        written = b"\n".join(encode(record).payload for record in records(keeper))
        views = "\n".join(map(str, keeper.entities()))
        parts = (written, dump(keeper.world()), views.encode())
        print(seed, *(hashlib.sha256(part).hexdigest()[:16] for part in parts))


if __name__ == "__main__":
    _report(int(sys.argv[1]))
