"""What every ledger promises, whatever it is kept in. A new back end joins BACKENDS."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_struct

from storykeeper.errors import (
    RecordInvalid,
    RunExists,
    RunNotFound,
    TurnNotFound,
    WrongExpectedVersion,
    WrongStory,
)
from storykeeper.events.turns import (
    InputReceived,
    Rejected,
    RunBegun,
    RunForked,
    TextErased,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)
from storykeeper.ledger.port import Ledger, Snapshot
from storykeeper.ledger.stories import require_story, story_of
from storykeeper.units import MAIN, RunId
from strategies.ledgers import (
    add,
    adopted,
    exported,
    memory_ledger,
    no_sleep,
    shown,
    sqlite_ledger,
    told,
)
from strategies.postgres import postgres_ledger

BACKENDS: dict[str, Callable[[Path], Ledger]] = {
    "memory": lambda folder: memory_ledger(),
    "sqlite": lambda folder: sqlite_ledger(folder / "run.db", sleep=no_sleep),
    "postgres": lambda folder: postgres_ledger(),
}
WHAT_IF, AGAIN = RunId("what-if"), RunId("again")


@pytest.fixture(params=BACKENDS)
def empty(request, tmp_path) -> Iterator[Ledger]:
    with BACKENDS[request.param](tmp_path) as ledger:
        yield ledger


@pytest.fixture
def ledger(empty) -> Ledger:
    return told(empty)


def records(ledger: Ledger, run: RunId = MAIN, **span) -> list:
    return [entry.record for entry in ledger.read(run, **span)]


# ── beginning and appending ──────────────────────────────────────────────────────────────────


def test_an_empty_ledger_has_no_runs(empty):
    assert empty.runs() == ()
    with pytest.raises(RunNotFound, match=r"main.*none yet"):
        empty.head(MAIN)


def test_a_run_begins_with_its_own_record(empty):
    assert empty.begin(MAIN, [adopted()]) == 2
    assert records(empty) == [RunBegun(turn=0, run=MAIN), adopted()]
    (info,) = empty.runs()
    assert (info.run, info.parent, info.forked_at, info.head.version) == (MAIN, None, 0, 2)
    assert info.own_bytes > 0


def test_a_ledger_begins_once(ledger):
    with pytest.raises(RunExists, match="main"):
        ledger.begin(RunId("other"), [])


@pytest.mark.parametrize("name", ["", "Main", "what if", "a@b", "../x", "x" * 65, "é", "a\n"])
def test_run_names_are_ids(empty, name):
    with pytest.raises(RecordInvalid, match="cannot name a run"):
        empty.begin(RunId(name), [])
    told(empty)
    with pytest.raises(RecordInvalid, match="cannot name a run"):
        empty.fork(MAIN, RunId(name), at=1)


def test_what_was_appended_is_read_in_order(ledger):
    before = ledger.head(MAIN)
    new = [shown(6, "one"), shown(6, "two", take=2), shown(7, "three")]
    assert ledger.append(MAIN, new, expected=before.version) == before.version + 3
    assert records(ledger, after=before.version) == new
    assert ledger.head(MAIN).turn == 7
    assert ledger.verify(MAIN).good


def test_versions_count_from_one_without_gaps(ledger):
    assert [e.version for e in ledger.read(MAIN)] == list(range(1, 13))
    assert ledger.head(MAIN).version == 12


def test_times_come_from_the_clock(ledger):
    times = [e.at_ms for e in ledger.read(MAIN)]
    assert times == sorted(times)
    assert times[0] >= 1_700_000_000_000


def test_the_stale_writer_is_told_both_versions(ledger):
    add(ledger, shown(6))
    with pytest.raises(WrongExpectedVersion, match=r"main.* 12,.* 13.*try again"):
        ledger.append(MAIN, [shown(6, "late")], expected=12)
    with pytest.raises(WrongExpectedVersion, match=r" 20,.* 13"):
        ledger.append(MAIN, [shown(6, "early")], expected=20)
    assert ledger.head(MAIN).version == 13


def test_a_refused_batch_leaves_nothing(ledger):
    before = exported(ledger)
    with pytest.raises(RecordInvalid, match="lone surrogate"):
        add(ledger, shown(6), shown(6, "\ud800"))
    with pytest.raises(RecordInvalid):
        add(ledger, shown(6), shown(6, take=0))
    with pytest.raises(RecordInvalid, match="turns go up to"):
        add(ledger, shown(2**64))
    assert exported(ledger) == before
    add(ledger, shown(6))
    assert ledger.verify(MAIN).good


def test_turns_never_run_backwards(ledger):
    """The commit of turn 4 is written when turn 5 has begun: its place is in turn 5."""
    add(ledger, shown(6), shown(4), shown(5))
    last = list(ledger.read(MAIN))[-3:]
    assert [(e.turn, e.record.turn) for e in last] == [(6, 6), (6, 4), (6, 5)]
    assert ledger.head(MAIN).turn == 6
    assert ledger.verify(MAIN).good


def test_a_late_record_is_erased_with_its_turn_and_not_shared_by_a_fork(ledger):
    add(ledger, shown(6), shown(4, "about the fourth"), shown(7))
    fork = ledger.fork(MAIN, WHAT_IF, at=5)
    assert fork.head.version == 13  # what was written once turn 6 had begun is not shared
    assert ledger.erase(MAIN, turn=4) >= 1
    assert not any("about the fourth" in str(e.record) for e in ledger.read(MAIN))
    assert ledger.verify(MAIN).good
    assert ledger.verify(WHAT_IF).good


@pytest.mark.parametrize(
    "record",
    [RunBegun(9, MAIN), RunForked(9, WHAT_IF, MAIN, 3), TextErased(9, 1, ())],
    ids=["run-begun", "run-forked", "text-erased"],
)
def test_some_records_only_the_ledger_writes(ledger, record):
    with pytest.raises(RecordInvalid, match="written by the ledger itself"):
        add(ledger, record)


def test_appending_nothing_still_checks_the_version(ledger):
    assert ledger.append(MAIN, [], expected=12) == 12
    with pytest.raises(WrongExpectedVersion):
        ledger.append(MAIN, [], expected=11)


def test_a_run_that_is_not_there(ledger):
    for attempt in (
        lambda: ledger.head(WHAT_IF),
        lambda: ledger.append(WHAT_IF, [shown(9)], expected=0),
        lambda: ledger.read(WHAT_IF),
        lambda: ledger.rows(WHAT_IF),
        lambda: ledger.follow(WHAT_IF, stop=lambda: True),
        lambda: ledger.last(WHAT_IF, kind="rendered"),
        lambda: ledger.fork(WHAT_IF, AGAIN, at=1),
        lambda: ledger.erase(WHAT_IF, turn=1),
        lambda: ledger.verify(WHAT_IF),
        lambda: ledger.snapshot(WHAT_IF),
    ):
        with pytest.raises(RunNotFound, match=r"what-if.*main"):
            list(attempt() or ())


@pytest.mark.parametrize(
    "text", ["", "\0", "🔥🗝️", "‏שלום", "a\u2028b\nc", "e\u0301", "x" * 200_000], ids=ascii
)
def test_any_text_comes_back_as_it_was(ledger, text):
    add(ledger, shown(6, text))
    assert records(ledger)[-1].prose == text
    assert ledger.verify(MAIN).good


# ── reading ──────────────────────────────────────────────────────────────────────────────────


def test_a_span_is_after_and_up_to(ledger):
    assert [e.version for e in ledger.read(MAIN, after=3, upto=5)] == [4, 5]
    assert [e.version for e in ledger.read(MAIN, after=11, upto=99)] == [12]
    assert list(ledger.read(MAIN, after=12)) == []
    assert list(ledger.read(MAIN, after=5, upto=3)) == []


def test_reading_is_one_moment_while_others_append(ledger):
    add(ledger, *(shown(6, str(n)) for n in range(1500)))
    reading = ledger.read(MAIN)
    seen = [next(reading)]
    add(ledger, shown(7, "too late"))
    seen.extend(reading)
    assert len(seen) == 12 + 1500
    assert len(records(ledger)) == 12 + 1501


def test_a_half_read_run_can_be_written_and_closed(ledger):
    reading = ledger.read(MAIN)
    next(reading)
    add(ledger, shown(6))
    ledger.erase(MAIN, turn=1)
    assert ledger.verify(MAIN).good


def test_rows_are_what_entries_are_made_of(ledger):
    ledger.fork(MAIN, WHAT_IF, at=2)
    rows = list(ledger.rows(WHAT_IF))
    assert [r.version for r in rows] == [e.version for e in ledger.read(WHAT_IF)]
    assert [r.kind for r in ledger.rows(WHAT_IF, own=True)] == ["run-forked"]


def test_the_last_of_a_kind(ledger):
    assert ledger.last(MAIN, kind="rendered").version == 12
    assert ledger.last(MAIN, kind="gate-opened") is None
    ledger.fork(MAIN, WHAT_IF, at=2)
    assert ledger.last(WHAT_IF, kind="rendered").version == 6
    add(ledger, shown(3), run=WHAT_IF)
    assert ledger.last(WHAT_IF, kind="rendered").version == 8


def test_following_sees_what_comes(ledger):
    seen = []
    for entry in ledger.follow(MAIN, after=10, stop=lambda: len(seen) >= 4):
        seen.append(entry.version)
        if entry.version == 12:
            add(ledger, shown(6), shown(6, take=2))
    assert seen == [11, 12, 13, 14]


def test_threads_share_a_ledger(ledger):
    def write(who):
        for n in range(20):
            while True:
                try:
                    add(ledger, shown(6, f"{who} {n}"))
                    break
                except WrongExpectedVersion:
                    continue

    threads = [threading.Thread(target=write, args=[who]) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({r.prose for r in records(ledger, after=12)}) == 80
    assert ledger.verify(MAIN).records == 92
    assert ledger.verify(MAIN).good


# ── forking ──────────────────────────────────────────────────────────────────────────────────


def test_a_fork_shares_up_to_its_turn(ledger):
    info = ledger.fork(MAIN, WHAT_IF, at=2)
    assert (info.run, info.parent, info.forked_at, info.head.version) == (WHAT_IF, MAIN, 6, 7)
    add(ledger, shown(3, "otherwise"), run=WHAT_IF)
    ours, theirs = list(ledger.read(MAIN)), list(ledger.read(WHAT_IF))
    assert theirs[:6] == ours[:6]
    assert [e.record for e in theirs[6:]] == [
        RunForked(turn=2, run=WHAT_IF, parent=MAIN, at=6),
        shown(3, "otherwise"),
    ]
    assert ledger.verify(WHAT_IF).good
    assert ledger.verify(MAIN).records == 12


def test_parent_and_fork_go_on_apart(ledger):
    ledger.fork(MAIN, WHAT_IF, at=5)
    add(ledger, shown(6, "main goes on"))
    assert [r.kind for r in ledger.rows(WHAT_IF)][-1] == "run-forked"
    with pytest.raises(WrongExpectedVersion):
        ledger.append(WHAT_IF, [shown(6)], expected=12)
    assert [info.run for info in ledger.runs()] == [MAIN, WHAT_IF]


def test_a_turn_without_records_can_be_forked_at(ledger):
    add(ledger, shown(9))
    assert ledger.fork(MAIN, WHAT_IF, at=7).forked_at == 12


def test_a_fork_before_the_first_turn(ledger):
    assert ledger.fork(MAIN, WHAT_IF, at=0).forked_at == 2
    assert ledger.verify(WHAT_IF).good


@pytest.mark.parametrize("at", [6, -1])
def test_no_fork_at_a_turn_that_is_not_there(ledger, at):
    with pytest.raises(TurnNotFound, match=f"no turn {at}; .* 0 to 5"):
        ledger.fork(MAIN, WHAT_IF, at=at)
    assert len(ledger.runs()) == 1


def test_a_fork_needs_a_new_name(ledger):
    ledger.fork(MAIN, WHAT_IF, at=2)
    for name in (MAIN, WHAT_IF):
        with pytest.raises(RunExists, match=name):
            ledger.fork(MAIN, name, at=2)


def test_a_fork_of_a_fork(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    add(ledger, shown(4, "other"), run=WHAT_IF)
    ledger.fork(WHAT_IF, AGAIN, at=4)
    add(ledger, shown(5, "again"), run=AGAIN)
    kinds = [(e.version, e.record.turn) for e in ledger.read(AGAIN)]
    assert kinds[-4:] == [(9, 3), (10, 4), (11, 4), (12, 5)]
    assert ledger.verify(AGAIN).good
    assert ledger.verify(AGAIN).records == 12


def test_a_fork_of_a_fork_from_before_it_was_one(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    info = ledger.fork(WHAT_IF, AGAIN, at=1)
    assert (info.parent, info.forked_at) == (WHAT_IF, 4)
    assert [r.kind for r in ledger.rows(AGAIN)][-2:] == ["rendered", "run-forked"]
    assert ledger.verify(AGAIN).good


# ── erasing ──────────────────────────────────────────────────────────────────────────────────


def test_erasing_blanks_and_says_so(ledger):
    assert ledger.erase(MAIN, turn=2, why="they asked") == 2
    entries = list(ledger.read(MAIN))
    assert [e.version for e in entries if e.erased] == [5, 6]
    assert entries[4].record == shown(2, "")
    last = entries[-1].record
    assert isinstance(last, TextErased)
    assert (last.of, last.why, [r.version for r in last.redactions]) == (2, "they asked", [5, 6])
    verdict = ledger.verify(MAIN)
    assert verdict.good
    assert (verdict.records, verdict.erased) == (13, 2)
    assert b"of 2" not in exported(ledger)
    assert b"prose of 3" in exported(ledger)


def test_erasing_twice_changes_nothing_more(ledger):
    ledger.erase(MAIN, turn=2)
    before = exported(ledger)
    assert ledger.erase(MAIN, turn=2) == 0
    assert exported(ledger) == before


def test_what_is_left_cannot_be_guessed_at(ledger):
    rows = list(ledger.rows(MAIN))
    ledger.erase(MAIN, turn=2)
    for before, after in zip(rows, ledger.rows(MAIN), strict=False):
        if after.erased:
            assert after.nonce == b""
            assert (after.digest, after.link) == (before.digest, before.link)


def test_erasing_reaches_what_was_said_of_a_turn_later(ledger):
    add(ledger, TurnEdited(turn=6, of=2, prose="better"), TurnEdited(turn=6, of=3, prose="kept"))
    add(ledger, TurnRetracted(turn=7, of=2, why="a slip"), Rejected(turn=8, take=1))
    assert ledger.erase(MAIN, turn=2) == 4
    left = {r.of: r.prose for r in records(ledger) if isinstance(r, TurnEdited)}
    assert left == {2: "", 3: "kept"}
    assert ledger.erase(MAIN, turn=8) == 0  # nothing was said there
    assert ledger.verify(MAIN).good


def test_erasing_again_after_more_was_said(ledger):
    ledger.erase(MAIN, turn=2)
    add(ledger, TurnEdited(turn=6, of=2, prose="once more"))
    assert ledger.erase(MAIN, turn=2) == 1
    assert ledger.verify(MAIN).good
    assert ledger.verify(MAIN).erased == 3


def test_a_fork_erases_what_it_shares_for_all(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    ledger.fork(MAIN, AGAIN, at=5)
    add(ledger, TurnEdited(turn=4, of=2, prose="in the fork"), run=WHAT_IF)
    assert ledger.erase(WHAT_IF, turn=2) == 3
    for run in (MAIN, WHAT_IF, AGAIN):
        assert ledger.verify(run).good
        assert all(e.erased for e in ledger.read(run) if e.turn == 2 and e.version in (5, 6))
    assert ledger.last(MAIN, kind="text-erased").record.redactions[0].version == 5
    assert len(ledger.last(WHAT_IF, kind="text-erased").record.redactions) == 1
    assert b"of 2" not in exported(ledger)
    assert b"in the fork" not in exported(ledger)


def test_a_fork_leaves_alone_what_it_does_not_share(ledger):
    ledger.fork(MAIN, WHAT_IF, at=2)
    add(ledger, shown(3, "another three"), run=WHAT_IF)
    assert ledger.erase(WHAT_IF, turn=3) == 1
    assert b"prose of 3" in exported(ledger)


def test_no_turn_no_erasing(ledger):
    for turn in (6, -1):
        with pytest.raises(TurnNotFound, match="no turn"):
            ledger.erase(MAIN, turn=turn)


def test_the_writer_of_the_run_notices_an_erasure(ledger):
    ledger.erase(MAIN, turn=2)
    with pytest.raises(WrongExpectedVersion):
        ledger.append(MAIN, [shown(6)], expected=12)


def test_input_is_erased_too(ledger):
    add(ledger, InputReceived(6, "you", "my real name"))
    assert ledger.erase(MAIN, turn=6) == 1
    assert b"my real name" not in exported(ledger)
    assert records(ledger)[12] == InputReceived(6, "you", "")


def test_the_link_of_every_record_can_be_asked_for(ledger):
    links = [row.link for row in ledger.rows(MAIN)]
    assert [ledger.link(MAIN, at=n) for n in range(1, len(links) + 1)] == links
    assert ledger.link(MAIN, at=ledger.head(MAIN).version) == ledger.head(MAIN).link
    assert ledger.link(MAIN, at=len(links) + 1) is None
    assert ledger.link(MAIN, at=0) is None


# ── snapshots ────────────────────────────────────────────────────────────────────────────────


def at(ledger: Ledger, version: int, run: RunId = MAIN, body: bytes = b"world") -> Snapshot:
    link = next(r.link for r in ledger.rows(run) if r.version == version)
    return Snapshot(version, link, body)


def test_the_latest_snapshot_that_fits(ledger):
    assert ledger.snapshot(MAIN) is None
    for version in (4, 8):
        ledger.put_snapshot(MAIN, at(ledger, version))
    assert ledger.snapshot(MAIN).version == 8
    assert ledger.snapshot(MAIN, upto=7).version == 4
    assert ledger.snapshot(MAIN, upto=3) is None


def test_a_snapshot_of_other_records_is_refused(ledger):
    with pytest.raises(WrongExpectedVersion, match="version 4"):
        ledger.put_snapshot(MAIN, Snapshot(4, b"?" * 32, b"world"))
    with pytest.raises(WrongExpectedVersion):
        ledger.put_snapshot(MAIN, Snapshot(99, b"?" * 32, b"world"))


def test_a_fork_starts_from_its_parents_snapshot(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    ledger.put_snapshot(MAIN, at(ledger, 6))
    ledger.put_snapshot(MAIN, at(ledger, 12))
    assert ledger.snapshot(WHAT_IF).version == 6
    ledger.put_snapshot(WHAT_IF, at(ledger, 9, WHAT_IF))
    assert ledger.snapshot(WHAT_IF).version == 9


def test_a_fork_that_lends_nothing_lends_no_snapshot(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    ledger.put_snapshot(WHAT_IF, at(ledger, 7, WHAT_IF))
    ledger.fork(WHAT_IF, AGAIN, at=1)
    add(ledger, shown(2), shown(2), shown(2), run=AGAIN)
    assert ledger.snapshot(AGAIN) is None


def test_old_snapshots_make_room(ledger):
    for version in range(3, 13):
        ledger.put_snapshot(MAIN, at(ledger, version))
    assert ledger.snapshot(MAIN, upto=9) is None
    assert ledger.snapshot(MAIN).version == 12


def test_erasing_drops_snapshots(ledger):
    ledger.fork(MAIN, WHAT_IF, at=3)
    ledger.put_snapshot(MAIN, at(ledger, 12, body=b"prose of 2"))
    ledger.put_snapshot(WHAT_IF, at(ledger, 9, WHAT_IF))
    ledger.erase(MAIN, turn=2)
    assert ledger.snapshot(MAIN) is None
    assert ledger.snapshot(WHAT_IF) is None


# ── stories ──────────────────────────────────────────────────────────────────────────────────


def test_the_story_of_a_run(empty):
    empty.begin(MAIN, [])
    assert story_of(empty, MAIN) is None
    with pytest.raises(WrongStory, match="follows no story"):
        require_story(empty, MAIN, "harrow")
    add(empty, adopted("harrow"))
    assert require_story(empty, MAIN, "harrow").story == "harrow"
    with pytest.raises(WrongStory, match="'harrow', not 'lamp'"):
        require_story(empty, MAIN, "lamp")


def test_an_edited_story_adopted_later_counts_and_forks_keep_theirs(ledger):
    ledger.fork(MAIN, WHAT_IF, at=2)
    add(ledger, adopted("harrow-again", turn=6))
    assert story_of(ledger, MAIN).story == "harrow-again"
    assert story_of(ledger, WHAT_IF).story == "harrow"


def test_erasing_reaches_every_run_that_shares_the_turn(ledger):
    """Also what a fork, or the parent behind the fork, wrote about it later; and no other turn."""
    add(ledger, shown(6), shown(5, "late, in the parent"))
    ledger.fork(MAIN, WHAT_IF, at=5)
    fork = ledger.head(WHAT_IF).version
    ledger.append(WHAT_IF, [shown(5, "late, in the fork"), shown(6, "kept")], expected=fork)
    ledger.fork(MAIN, RunId("earlier"), at=4)
    apart = ledger.head(RunId("earlier")).version
    ledger.append(RunId("earlier"), [shown(5, "another fifth turn")], expected=apart)
    ledger.erase(WHAT_IF, turn=5)
    said = {run: str([e.record for e in ledger.read(RunId(run))])
            for run in (MAIN, WHAT_IF, "earlier")}  # fmt: skip
    assert "late, in the" not in said[MAIN] + said[WHAT_IF]
    assert "kept" in said[WHAT_IF]
    assert "another fifth turn" in said["earlier"]  # not the same turn: they had parted
    assert all(ledger.verify(info.run).good for info in ledger.runs())


def test_no_hash_is_left_to_test_a_guess_against(ledger):
    window = WindowAssembled(6, "narrator", "a" * 64, "b" * 64, 900)
    add(ledger, window, replace_struct(window, turn=7))
    ledger.erase(MAIN, turn=6)
    left = [e.record for e in ledger.read(MAIN) if isinstance(e.record, WindowAssembled)]
    assert {(w.window, w.receipt) for w in left if w.turn >= 6} == {("", "")}
    assert ledger.verify(MAIN).good
