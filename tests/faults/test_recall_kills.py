"""SIGKILL while turns are played and recalled: what was kept beside the run gives the same bytes.

Once at random moments, and once at every single step of writing what is kept.
"""

import itertools
import os
import random
import stat
import tempfile
from pathlib import Path

import processes
import pytest
from processes import asked, chance, times

from strategies.parlour import tell
from strategies.recalled import (
    OTHER_PROSE,
    PROSE,
    afresh,
    as_kept,
    copied,
    every,
    kept_from,
    let_go,
    opened,
    played,
)
from strategies.sizes import first


@pytest.fixture(scope="module")
def forker():
    with processes.forker("recalling_child.py") as process:
        yield process


def kill(forker, path: Path, luck: random.Random) -> list[int]:
    after = luck.uniform(0.05, 1.2)
    return asked(forker, path=str(path), seed=luck.randrange(2**32), after=after)


def test_killed_at_any_moment(forker, tmp_path):
    luck = chance()
    path, turns, kept = tmp_path / "run.db", 0, 0
    for number in range(times(6, 150)):
        turns = max([turns, *kill(forker, path, luck)])
        if not turns:  # killed before it was begun
            continue
        with kept_from(2, every_rows=luck.choice([1, 4, 16])):
            expected = afresh(path)
            found, keeps = as_kept(path)
            assert found == expected, f"kill {number}, after turn {turns}"
            assert as_kept(path)[0] == expected
        kept += keeps
        if turns > 60:
            path, turns = tmp_path / f"{number}.db", 0
    assert kept > 3, "hardly anything was ever kept"


# ── whoever else is there ────────────────────────────────────────────────────────────────────


def test_two_play_one_run(forker, base, tmp_path):
    """One has it open, and keeps what is recalled; another plays on, and is killed."""
    luck = chance()
    with kept_from(2, every_rows=4):
        for number in range(times(1, 40)):
            path = copied(base, tmp_path / str(number))
            keeper = opened(path)
            before = every(keeper)
            said = asked(forker, path=str(path), seed=luck.randrange(2**32), after=1.5)
            assert said, "the other could not play"
            assert every(keeper) == before  # it stands where it stood
            let_go(keeper)
            expected = afresh(path)
            assert expected != before
            assert as_kept(path) == (expected, True)


@pytest.mark.parametrize("of_what", ["all", "folder"])
def test_a_folder_of_somebody_else(forker, base, of_what):
    with tempfile.TemporaryDirectory() as name, kept_from(2, every_rows=4):
        path = copied(base, Path(name) / "here")
        for each in (Path(name), *Path(name).rglob("*")):
            each.chmod(0o555 if each.is_dir() else 0o444)
        if of_what == "folder":  # the run is anybody's to play, what is kept of it is not
            path.parent.chmod(0o777)
            path.chmod(0o666)
        before = files_under(path.parent)
        (found,) = asked(forker, path=str(path), look=True)
        assert found == afresh(path)
        if of_what == "all":
            assert files_under(path.parent) == before
        for each in (Path(name), *Path(name).rglob("*")):
            each.chmod(0o777)


def files_under(folder: Path) -> dict[str, bytes]:
    return {str(each): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


# ── every step of writing it ─────────────────────────────────────────────────────────────────


class Crash(BaseException):
    """The machine stops here."""


def crashing(patched: pytest.MonkeyPatch, after: int) -> None:
    """Stop at the n-th time that a file is synced, renamed or deleted; what is unsynced is torn.

    Whatever would be written behind that is not: the machine stays off.
    """
    calls = itertools.count()
    sync = os.fsync

    def synced(handle: int) -> None:
        if next(calls) >= after:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                os.ftruncate(handle, os.fstat(handle).st_size // 2)
            raise Crash
        sync(handle)

    def checked(real):
        def called(path: Path, *more, **named):
            if next(calls) >= after:
                raise Crash
            return real(path, *more, **named)

        return called

    patched.setattr(os, "fsync", synced)
    patched.setattr(Path, "replace", checked(Path.replace))
    patched.setattr(Path, "unlink", checked(Path.unlink))


def go_on(path: Path, kind: str) -> None:
    """Something for which what is kept is written, emptied and made again."""
    keeper = opened(path)
    try:
        if kind == "edit":
            keeper.edit(2, OTHER_PROSE)
        else:
            for prose in PROSE[:2]:
                tell(keeper, prose, "I look at the bell")
        every(keeper)
        keeper._recollection.close()
    finally:  # the locks of a process that is gone are gone too
        course = keeper._recollection._course
        if course is not None:
            keeper._recollection._drop_minds()
            course.close()
        keeper.ledger.close()


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    with kept_from(2, every_rows=4):
        return played(tmp_path_factory.mktemp("base") / "run.db", rounds=1)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # torn open files
@pytest.mark.parametrize("kind", first(1, ["turns", "edit"]))
def test_stopped_at_every_step(base, tmp_path, kind):
    with kept_from(2, every_rows=4):
        for after in itertools.count(step=times(8, 1)):
            path = copied(base, tmp_path / str(after))
            done = True
            with pytest.MonkeyPatch.context() as patched:
                crashing(patched, after)
                try:
                    go_on(path, kind)
                except Crash:
                    done = False
            expected = afresh(path)
            assert as_kept(path)[0] == expected, f"stopped at {after}"
            assert as_kept(path)[0] == expected
            if done:
                assert after > 20, "nothing was stopped"
                return
