"""Disks that are full and folders that cannot be written."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import child, finished

from storykeeper.units import MAIN
from strategies.ledgers import exported, fingerprint, shown, sqlite_ledger, told


def can_mount() -> bool:
    """Whether we may mount things where nobody else sees them."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*APART, "true"], capture_output=True, check=False).returncode == 0


APART = ("unshare", "--mount") if os.getuid() == 0 else ("unshare", "--map-root-user", "--mount")
mounting = pytest.mark.skipif(not can_mount(), reason="no mount namespaces here")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users can look into."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        told(sqlite_ledger(folder / "run.db")).close()
        yield folder
        folder.chmod(0o755)


# ── full ─────────────────────────────────────────────────────────────────────────────────────


def check_full(lines: list[str], *, fills: int) -> None:
    assert lines[-1] == "done"
    full = [line.split(" ", 3) for line in lines if line.startswith("full")]
    assert len(full) == fills
    for _, before, after, message in full:
        assert before == after, "something of a refused batch was left"
        assert "no room" in message
        assert "nothing was written" in message
    assert "bad" not in lines


def test_no_room_to_grow(folder):
    check_full(finished("fill", folder), fills=3)
    with sqlite_ledger(folder / "run.db") as ledger:
        assert ledger.verify(MAIN).good
        assert list(ledger.read(MAIN))[-1].record.prose == "room again"


@mounting
def test_a_disk_that_is_full(folder):
    """A real one, of a megabyte and a half, in memory."""
    disk = folder / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=1536k none {disk} && cp {folder}/run.db {disk}/ &&"
        f' head -c 300000 /dev/zero > {disk}/ballast && "$@" &&'
        f" mkdir {folder}/after && cp {disk}/run.db* {folder}/after/"
    )
    lines = finished("fill_disk", disk, before=(*APART, "sh", "-c", script, "sh"))
    check_full(lines, fills=1)
    with sqlite_ledger(folder / "after" / "run.db") as ledger:
        assert ledger.verify(MAIN).good
        assert list(ledger.read(MAIN))[-1].record.prose == "room again"


# ── read-only ────────────────────────────────────────────────────────────────────────────────


def check_looking(lines: list[str]) -> None:
    assert lines[:3] == ["True", "12", "12"], "reading works"
    assert len(lines) == 6
    for line in lines[3:]:
        assert line.startswith("read-only:"), line


def test_a_folder_of_somebody_else(folder):
    before = fingerprint(folder / "run.db")
    folder.chmod(0o555)
    (folder / "run.db").chmod(0o444)
    check_looking(finished("look", folder))
    assert fingerprint(folder / "run.db") == before
    assert [p.name for p in folder.iterdir()] == ["run.db"]


def test_a_file_of_somebody_else_in_an_open_folder(folder):
    folder.chmod(0o777)
    (folder / "run.db").chmod(0o444)
    lines = finished("look", folder)
    assert lines[:3] == ["True", "12", "12"]
    assert lines[3].startswith("read-only:")


@mounting
def test_a_disk_mounted_read_only(folder):
    script = f'mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} && "$@"'
    check_looking(finished("look", folder, "as-root", before=(*APART, "sh", "-c", script, "sh")))


def test_what_is_still_in_the_wal_is_never_left_out(folder):
    """A killed writer left its last records beside the file; here they cannot be moved into it."""
    with child("append", folder) as process:
        process.stdout.readline()
        process.kill()
    if not (folder / "run.db-wal").exists():
        pytest.skip("it was killed just after a checkpoint")
    copy = shutil.copytree(folder, folder / "copy")
    with sqlite_ledger(copy / "run.db") as ledger:
        version = ledger.head(MAIN).version
    assert version > 12
    for file in folder.glob("run.db*"):
        file.chmod(0o444)
    folder.chmod(0o555)
    for line in finished("look", folder)[:3]:
        assert line in ("True", str(version)) or line.startswith("read-only:"), line


def test_what_may_not_be_read(folder):
    (folder / "run.db").chmod(0o000)
    lines = finished("look", folder)
    assert all(line.startswith("read-only:") for line in lines[:3])


def test_after_all_that_it_can_be_written_again(folder):
    folder.chmod(0o555)
    finished("look", folder)
    folder.chmod(0o755)
    with sqlite_ledger(folder / "run.db") as ledger:
        before = exported(ledger)
        ledger.append(MAIN, [shown(6)], expected=12)
        assert exported(ledger) != before
        assert ledger.verify(MAIN).good
