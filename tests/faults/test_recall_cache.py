"""What is kept beside a run, damaged, strange, too old or too new: the same bytes as without it."""

import shutil
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from processes import chance, times

from storykeeper.ledger.backup import backup_file
from storykeeper.memory.index.folder import Head
from storykeeper.units import MAIN, TurnNo
from strategies.parlour import parlour, tell
from strategies.recalled import (
    OTHER_PROSE,
    PROSE,
    afresh,
    as_kept,
    cache_of,
    copied,
    every,
    kept_from,
    opened,
    played,
)
from strategies.sizes import thinned


@pytest.fixture(autouse=True)
def short_runs_are_kept():
    with kept_from(2, every_rows=4):
        yield


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    with kept_from(2, every_rows=4):
        return played(tmp_path_factory.mktemp("base") / "run.db")


@pytest.fixture(scope="module")
def expected(base):
    return afresh(base)


@pytest.fixture
def path(base, tmp_path):
    return copied(base, tmp_path / "here")


def files(path: Path) -> list[Path]:
    return sorted(each for each in cache_of(path).rglob("*") if each.is_file())


def folders(path: Path) -> list[Path]:
    """Of the course, and of everybody."""
    return sorted(each.parent for each in files(path) if each.name == "head.json")


def check(path: Path | str, expected: list[str]) -> None:
    """The same at once, and again by what was kept then."""
    found, keeps = as_kept(path)
    assert found == expected
    assert keeps
    assert as_kept(path)[0] == expected


# ── damaged ──────────────────────────────────────────────────────────────────────────────────


def test_bytes_that_changed(base, expected, tmp_path):
    luck = chance()
    for number in range(times(7, 400)):
        path = copied(base, tmp_path / str(number))
        for each in luck.sample(files(path), 2):
            data = bytearray(each.read_bytes())
            if data:
                data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
            each.write_bytes(data)
        check(path, expected)


def test_files_that_are_cut_short_or_gone(base, expected, tmp_path):
    luck = chance()
    for number in range(times(7, 400)):
        path = copied(base, tmp_path / str(number))
        for each in luck.sample(files(path), 2):
            if luck.random() < 0.3:
                each.unlink()
            else:
                data = each.read_bytes()
                each.write_bytes(data[: luck.randrange(len(data) + 1)])
        check(path, expected)


def test_files_of_nothing_and_of_something_else(path, expected):
    for each, data in zip(files(path), [b"", b"mine", b"\0" * 4096] * 99, strict=False):
        each.write_bytes(data)
    check(path, expected)


@pytest.mark.parametrize("name", ["head.json", "lock"])
def test_folders_where_files_should_be(path, expected, name):
    for each in files(path):
        if each.name == name:
            each.unlink()
            each.mkdir()
            (each / "mine").write_text("mine")
    assert as_kept(path)[0] == expected


def test_a_note_that_another_edition_wrote(path, expected):
    """Whole, and with the right sum: only what stands in it is strange."""
    for number, folder in enumerate(folders(path)):
        text = (folder / "head.json").read_bytes().partition(b"\n")[0]
        head = msgspec.json.decode(text, type=Head)
        note = (b"\x93\x01\x02\x03", b"\xc1", b"\x80", msgspec.msgpack.encode("mine"))[number % 4]
        other = msgspec.structs.replace(head, stamp=replace(head.stamp, note=note))
        data = msgspec.json.encode(other)
        (folder / "head.json").write_bytes(data + b"\n" + b"%08x" % zlib.crc32(data))
    check(path, expected)


# ── of others ────────────────────────────────────────────────────────────────────────────────


def test_what_somebody_else_remembers_is_nobody_elses(path, expected):
    """Every folder in the place of the next."""
    everybody = [each for each in folders(path) if each.name != "turns"]
    for each in everybody:
        each.rename(each.with_name("aside"))
    for each, other in zip(everybody, everybody[1:] + everybody[:1], strict=True):
        each.with_name("aside").rename(other)
    check(path, expected)


def test_what_was_kept_of_another_run(path, expected, tmp_path):
    (tmp_path / "there").mkdir()
    with opened(tmp_path / "there" / "run.db", story=parlour()) as other:
        for prose in reversed(PROSE * 2):
            tell(other, prose, "I look at the bell")
        every(other)
    shutil.rmtree(cache_of(path))
    shutil.copytree(cache_of(tmp_path / "there" / "run.db"), cache_of(path))
    check(path, expected)


@pytest.mark.parametrize("of_everybody", [True, False])
def test_parts_of_different_ages(path, of_everybody, tmp_path):
    """The course from before and the people of now, and the other way round."""
    old = copied(path, tmp_path / "old")
    with opened(path) as keeper:
        for prose in PROSE:
            tell(keeper, prose, "I look at the lamp")
        every(keeper)
    for each in folders(old):
        if (each.name == "turns") is not of_everybody:
            now = cache_of(path) / each.relative_to(cache_of(old))
            shutil.rmtree(now)
            shutil.copytree(each, now)
    check(path, afresh(path))


# ── ahead of the ledger ──────────────────────────────────────────────────────────────────────


def restored(path: Path, tmp_path: Path) -> None:
    """Played on from a backup, everybody asked; then the backup is put back, not the folder."""
    backup_file(path, tmp_path / "backup.db")
    with opened(path) as keeper:
        for prose in PROSE:
            tell(keeper, prose, "I look at the lamp")
        keeper.edit(3, OTHER_PROSE)
        every(keeper)
    for each in path.parent.glob("run.db-*"):
        each.unlink()
    shutil.copy(tmp_path / "backup.db", path)


def test_a_ledger_that_was_put_back(path, expected, tmp_path):
    restored(path, tmp_path)
    check(path, expected)


@pytest.mark.parametrize("turns", thinned([1, 6, 12], every=2))
def test_a_ledger_that_was_put_back_and_played_on(path, tmp_path, turns):
    """So that it is as long again as what is kept says, or longer, and another."""
    restored(path, tmp_path)
    with opened(path) as keeper:
        keeper._recollection._folder = None  # nothing is kept yet
        for prose in (PROSE * 2)[:turns]:
            tell(keeper, f"A gannet cries. {prose}", "I look at the rake")
    check(path, afresh(path))


def test_a_fork_takes_up_nothing_of_what_came_after_it(path):
    with opened(path) as keeper:
        keeper.fork(at=6, name="other")
    shutil.copytree(cache_of(path) / "main", cache_of(path) / "other")
    check(f"{path}@other", afresh(f"{path}@other"))
    check(path, afresh(path))


def test_a_fork_goes_on_from_what_was_kept_before_it(path, monkeypatch):
    """What the two have in common is of the same past."""
    with opened(path) as keeper:
        keeper.fork(at=keeper.last_turn(), name="other")
        every(keeper)
    shutil.copytree(cache_of(path) / "main", cache_of(path) / "other")
    with opened(f"{path}@other") as other:
        tell(other, OTHER_PROSE, "I look at the rake")
    check(f"{path}@other", afresh(f"{path}@other"))


# ── erased ───────────────────────────────────────────────────────────────────────────────────


class Crash(BaseException):
    """The machine stops here."""


def test_words_whose_erasing_was_cut_short_come_back_nowhere(path, monkeypatch):
    """Killed once it is on record: in a fork, which shares the words and not the record, too."""
    with opened(path) as keeper:
        keeper.fork(at=keeper.last_turn(), name="other")
    as_kept(f"{path}@other")
    whispered = [turn for turn in range(13) if turn % 6 == 2]
    with closing(opened(path).ledger) as ledger, monkeypatch.context() as patched:
        patched.setattr("storykeeper.ledger.sqlite.scrub", crash)
        for turn in whispered:
            with pytest.raises(Crash):
                ledger.erase(MAIN, turn=TurnNo(turn))
    for run in (f"{path}@other", str(path)):
        found, _ = as_kept(run)
        assert "bell" in "".join(found)
        assert "obsidian" not in "".join(found)
    assert not any(b"obsidian" in each.read_bytes() for each in files(path))


def crash(*_):
    raise Crash
