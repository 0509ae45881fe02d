"""What recalling needs, kept beside a run: found again, caught up, dropped with another past."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.bootstrap import open_ledger
from storykeeper.events.turns import InputReceived, TurnCommitted
from storykeeper.memory.held import Held
from storykeeper.play import recalling
from storykeeper.play.course import Course
from storykeeper.play.following import Following
from storykeeper.play.past import remembered
from storykeeper.play.remembering import WholePast
from storykeeper.story.adopt import adoption
from storykeeper.units import MAIN, RunId, TurnNo
from strategies.parlour import parlour, tell
from strategies.worlds import READER

SECRET = "obsidian"
TOLD = (
    "“The well is dry,” says Mara. A chipped cup stands on the table.",
    f"Tom whispers to you, “The {SECRET} is hidden.” Rain falls.",
    "Mara takes the cup. “It is cracked,” says Eve.",
    "“A bell rings at noon,” says Tom.",
)
ASKED = "the well, the cup, the bell and what is hidden"


@pytest.fixture(autouse=True)
def short_runs_are_kept(monkeypatch):
    monkeypatch.setattr(recalling, "KEPT_FROM", 3)


def opened(path: Path | str, **more) -> Storykeeper:
    return Storykeeper.open(path, reader=READER, **more)


def play(keeper: Storykeeper, rounds: int = 3) -> None:
    for number in range(rounds):
        for prose in TOLD:
            tell(keeper, f"{prose} It is day {number}.", "I look at the cup")


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    """A run that was played and closed, and everybody of which was asked."""
    path = tmp_path_factory.mktemp("base") / "run.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recalling, "KEPT_FROM", 3)
        with opened(path, story=parlour()) as keeper:
            play(keeper)
            every(keeper)
    assert folder(path).is_dir()
    return path


@pytest.fixture
def path(base, tmp_path) -> Path:
    """A copy of it, with all that lies beside it."""
    shutil.copytree(base.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / base.name


def folder(path: Path) -> Path:
    return path.with_name(path.name + ".index")


def every(keeper: Storykeeper) -> str:
    """What each audience recalls, to the last byte, and the windows on it."""
    people = ("narrator", "ann", "mara", "tom", "eve")
    found = [repr(keeper.recall(ASKED, who, k=50)) for who in people]
    found += [repr(keeper.recall(ASKED, who, budget=400)) for who in people]
    return "\n".join(
        [*found, *(keeper.window(who, text="I think of the bell").text for who in people)]
    )


def afresh(path: Path | str) -> str:
    """The same with nothing kept."""
    file = Path(str(path).partition("@")[0])
    aside = file.with_name("aside")
    folder(file).rename(aside)
    with opened(path, read_only=True) as keeper:
        found = every(keeper)
    assert not folder(file).exists()  # nothing is written for whoever may only read
    aside.rename(folder(file))
    return found


def files(path: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder(path))): each.read_bytes()
        for each in sorted(folder(path).rglob("*"))
        if each.is_file()
    }


def taken_in(monkeypatch) -> list[int]:
    """How many items were made, each time some were."""
    made: list[int] = []
    add = Held._add
    monkeypatch.setattr(Held, "_add", lambda self, new: made.append(len(new)) or add(self, new))
    return made


# ── found again ──────────────────────────────────────────────────────────────────────────────


def test_what_was_kept_is_found_again_and_nothing_is_made_anew(path, monkeypatch):
    with opened(path, read_only=True) as keeper:  # what closing committed is taken in here
        made = taken_in(monkeypatch)
        first = every(keeper)
        assert sum(made) <= 5 * len(TOLD)  # the last turns, not all of them
    assert first == afresh(path)


def test_it_is_caught_up_as_the_run_goes_on(path):
    with opened(path) as keeper:
        for prose in ("“An owl hoots,” says Mara.", "Tom puts the cup down.", "Rain."):
            tell(keeper, prose)
            assert every(keeper) == afresh_copy(keeper, path)


def afresh_copy(keeper: Storykeeper, path: Path) -> str:
    """What a run with nothing kept gives that stands where this one stands."""
    kept, keeper._recollection = keeper._recollection, recalling.Recollection()
    found = every(keeper)
    keeper._recollection = kept
    return found


def test_a_crash_costs_a_little_work_and_nothing_else(path):
    keeper = opened(path)
    play(keeper, rounds=1)
    every(keeper)
    keeper._recollection._drop_minds()  # the process is gone: nothing is committed by closing
    keeper._recollection._course.close()
    keeper.ledger.close()
    with opened(path) as again:
        assert every(again) == afresh(path)


def test_without_a_folder_it_is_made_again(path):
    expected = afresh(path)
    shutil.rmtree(folder(path))
    with opened(path) as keeper:
        assert every(keeper) == expected
    assert folder(path).is_dir()


def test_files_that_are_damaged_are_made_again(path):
    expected = afresh(path)
    for each in folder(path).rglob("*"):
        if each.suffix in (".rows", ".tiers"):
            each.write_bytes(each.read_bytes()[:-7] + b"garbage")
    with opened(path) as keeper:
        assert every(keeper) == expected


def test_a_short_run_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(recalling, "KEPT_FROM", 200)
    with opened(tmp_path / "run.db", story=parlour()) as keeper:
        play(keeper)
        every(keeper)
    assert not folder(tmp_path / "run.db").exists()


# ── the past changes ─────────────────────────────────────────────────────────────────────────


def test_edits_and_retractions_are_taken_in(path):
    with opened(path) as keeper:
        every(keeper)
        keeper.edit(4, "“The pond is frozen,” says Mara.")
        assert "pond is frozen" in keeper.recall("pond", "mara").text
        keeper.retract(6)
        assert every(keeper) == afresh_copy(keeper, path)
    with opened(path) as keeper:
        assert every(keeper) == afresh(path)
        play(keeper, rounds=1)
        assert every(keeper) == afresh_copy(keeper, path)


def test_another_edited_it_while_this_was_closed(path):
    shutil.copytree(folder(path), path.with_name("old"))
    with opened(path) as keeper:
        keeper.edit(2, "“The pond is frozen,” says Mara.")
    shutil.rmtree(folder(path), ignore_errors=True)
    shutil.copytree(path.with_name("old"), folder(path))  # of the past before
    with opened(path) as keeper:
        assert every(keeper) == afresh(path)
        assert "pond is frozen" in keeper.recall("pond").text


def test_a_story_that_is_adopted_names_things_anew(path):
    story = parlour()
    with opened(path) as keeper:
        every(keeper)
        keeper.adopt(adoption(story, turn=keeper.last_turn()))
        assert every(keeper) == afresh_copy(keeper, path)


@pytest.mark.parametrize("held", [False, True])
def test_erased_words_are_gone_at_once(path, held):
    assert SECRET.encode() in b"".join(files(path).values())
    keeper = opened(path) if held else None
    if keeper is not None:
        every(keeper)
    with open_ledger(path) as ledger:
        for turn in range(ledger.head(MAIN).turn + 1):
            ledger.erase(MAIN, turn=TurnNo(turn))
    assert not folder(path).exists()
    if keeper is not None:  # it stands where it stood; what it held may not come back
        for who in ("narrator", "tom", "eve"):
            assert SECRET not in repr(keeper.recall(ASKED, who, k=50))
        keeper._recollection.close()
        keeper.ledger.close()
    assert SECRET.encode() not in b"".join(files(path).values() if folder(path).exists() else ())
    with opened(path) as again:
        assert SECRET not in every(again)


# ── whose it is ──────────────────────────────────────────────────────────────────────────────


def test_each_audience_has_its_own_and_in_it_nothing_of_others(path):
    """Only Ann and Tom heard of it, and the narrator told it."""
    having = {name.split("/")[1] for name, data in files(path).items() if SECRET.encode() in data}
    assert len({name.split("/")[1] for name in files(path)}) == 6  # five, and where turns stand
    assert len(having) == 3
    assert "turns" not in having


def test_forks_are_apart(path):
    with opened(path) as keeper:
        keeper.fork(at=6, name="other")
    with opened(f"{path}@other") as other:
        tell(other, "“The gannet nests,” says Mara.")
        other.end_scene()
        assert "gannet" in every(other)
    with opened(path) as keeper:
        assert "gannet" not in every(keeper)
        assert every(keeper) == afresh(path)
    with opened(f"{path}@other") as other:
        assert every(other) == afresh(f"{path}@other")
    assert {each.name for each in folder(path).iterdir()} == {"main", "other"}


def test_one_process_keeps_it_and_another_goes_on_in_memory(path):
    with opened(path) as one:
        every(one)
        with opened(path, read_only=True) as two:
            assert every(two) == every(one)
            assert not two._recollection._course.durable
        play(one, rounds=1)
        every(one)
    with opened(path) as again:
        assert every(again) == afresh(path)


def test_whoever_stands_further_back_does_not_see_what_was_kept_since(path):
    behind = opened(path, read_only=True)
    with opened(path) as ahead:
        tell(ahead, "“The gannet nests,” says Mara.")
        ahead.end_scene()
        every(ahead)
    assert "gannet" not in every(behind)
    behind.close()


def test_where_nothing_can_be_written_it_is_in_memory(path, monkeypatch):
    expected = afresh(path)
    shutil.rmtree(folder(path))
    mkdir = Path.mkdir

    def refuse(self, *args, **kwargs):
        if str(self).startswith(str(folder(path))):
            raise PermissionError(13, "not here")
        mkdir(self, *args, **kwargs)

    monkeypatch.setattr(Path, "mkdir", refuse)
    with opened(path) as keeper:
        assert every(keeper) == expected
    assert not folder(path).exists()


def test_a_file_where_the_folder_should_be_stops_nobody(path):
    expected = afresh(path)
    shutil.rmtree(folder(path))
    folder(path).write_text("mine", "utf-8")
    with opened(path) as keeper:
        assert every(keeper) == expected
    assert folder(path).read_text("utf-8") == "mine"


# ── the course ───────────────────────────────────────────────────────────────────────────────


def test_turns_read_from_the_ledger_are_those_that_were_told(path):
    with opened(path) as keeper:
        keeper.edit(4, "“The pond is frozen,” says Mara.")
        keeper.retract(6)
        play(keeper, rounds=1)
        keeper.end_scene()
        records = [entry.record for entry in keeper.ledger.read(MAIN)]
        _, past = remembered(records, past=WholePast())
        course = Course(keeper.ledger, MAIN)
        course.follow(keeper.ledger.head(MAIN).version)
        course._at_hand.clear()
        assert [course.at(place) for place in range(len(course))] == list(past.turns)
        assert list(course.since(2)) == list(past.turns)[2:]
        assert course.numbered(TurnNo(6)) is None
        assert course.numbered(TurnNo(4)) == past.by_number[TurnNo(4)]


def test_a_long_stretch_is_read_in_one_go(path, monkeypatch):
    monkeypatch.setattr("storykeeper.play.course.AT_HAND", 2)
    with opened(path, read_only=True) as keeper:
        head = keeper.ledger.head(MAIN).version
        course = Course(keeper.ledger, RunId("main"))
        course.follow(head)
        turns = [course.at(place) for place in range(len(course))]
        assert [*course.since(3)] == turns[3:]
        assert len(course._at_hand) == 2


def test_what_is_under_way_can_be_followed_from_where_it_stands(path):
    """With a question asked, an answer shown and not fact yet, and a line that was given up."""
    with opened(path) as keeper:
        keeper.begin("I look at the bell")
        keeper.begin("I take the cup")
        entries = list(keeper.ledger.read(MAIN))
        begins = [isinstance(e.record, InputReceived | TurnCommitted) for e in entries]
        for cut in (place for place, is_first in enumerate(begins) if is_first):
            whole, short = Following(), Following()
            for entry in entries[:cut]:
                whole.take(entry.version, entry.record)
            whole.end()
            for entry in entries[:cut]:
                if entry.version in whole.open:
                    short.take(entry.version, entry.record)
            rest = entries[cut:]
            told = [[f.take(e.version, e.record) for e in rest] + [f.end()] for f in (whole, short)]
            later = [[t.turn for t in each if t is not None] for each in told]
            assert later[0] == later[1]
