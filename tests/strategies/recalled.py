"""Runs in the parlour whose recall is kept beside them, and what everybody recalls of them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.play import recalling
from strategies.parlour import READER, parlour, tell

PEOPLE = ("narrator", "ann", "mara", "tom", "eve")
ASKED = "the well, the cup, the bell and what is hidden"
PROSE = (
    "“The well is dry,” says Mara. A chipped cup stands on the table.",
    "Tom whispers to you, “The obsidian is hidden.” Rain falls.",
    "Mara takes the cup. “It is cracked,” says Tom.",
    "“A bell rings at noon,” says Tom. The cup falls.",
    "You walk to the garden. “There you are,” says Eve. A rake leans there.",
    "You walk to the parlour. Tom lifts the lamp.",
)
OTHER_PROSE = "“The pond freezes,” says Mara."


@contextmanager
def kept_from(turns: int, *, every_rows: int) -> Iterator[None]:
    """Short runs are kept too, and often."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recalling, "KEPT_FROM", turns)
        patched.setattr(recalling, "COMMIT_EVERY", every_rows)
        yield


def opened(path: Path | str, **more) -> Storykeeper:
    return Storykeeper.open(path, reader=READER, **more)


def cache_of(path: Path) -> Path:
    return path.with_name(path.name + ".index")


def played(path: Path, *, rounds: int = 2) -> Path:
    """A run that was played, and everybody of which was asked."""
    with opened(path, story=parlour()) as keeper:
        for number in range(rounds):
            for prose in PROSE:
                tell(keeper, f"{prose} It is day {number}.", "I look at the cup")
        every(keeper)
    assert cache_of(path).is_dir()
    return path


def copied(path: Path, to: Path) -> Path:
    """A closed run, with what is kept of it."""
    to.mkdir()
    shutil.copy(path, to / path.name)
    if cache_of(path).is_dir():
        shutil.copytree(cache_of(path), cache_of(to / path.name))
    return to / path.name


def every(keeper: Storykeeper) -> list[str]:
    """What each recalls, to the last byte, and the windows on it."""
    return [
        text
        for who in PEOPLE
        for text in (
            repr(keeper.recall(ASKED, who, k=50)),
            repr(keeper.recall(ASKED, who, budget=300)),
            keeper.window(who, text="I think of the bell and the cup").text,
        )
    ]


def as_kept(path: Path | str) -> tuple[list[str], bool]:
    """What they recall by what is kept, which is written on; and whether it is ours to keep."""
    keeper = opened(path)
    found = every(keeper)
    course = keeper._recollection._course
    keeps = course is not None and course.durable
    let_go(keeper)
    return found, keeps


def afresh(path: Path | str) -> list[str]:
    """The same with nothing kept."""
    keeper = opened(path, read_only=True)
    keeper._recollection = recalling.Recollection()
    found = every(keeper)
    let_go(keeper)
    return found


def let_go(keeper: Storykeeper) -> None:
    """Keep what can be kept, and commit nothing: closing the run would."""
    keeper._recollection.close()
    keeper.ledger.close()
