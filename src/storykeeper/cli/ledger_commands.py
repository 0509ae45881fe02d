"""Commands about a run's ledger: looking at it, checking it, copying it, forking it, erasing."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.bootstrap import open_ledger
from storykeeper.cli.progress import progress_bar
from storykeeper.cli.say import log_line, moment, say, say_json, say_lines, size
from storykeeper.cli.turn_log import turn_lines
from storykeeper.errors import LedgerDamaged, MemoryProblem
from storykeeper.events.codec import KINDS, kind_of
from storykeeper.ledger.address import Address, parse
from storykeeper.ledger.backup import backup_file, disk_use
from storykeeper.ledger.moving import move
from storykeeper.ledger.places import open_to_check, place_of
from storykeeper.ledger.port import Entry, Ledger, RunInfo, Verdict
from storykeeper.ledger.transfer import export, export_file, import_file
from storykeeper.ledger.verification import in_short
from storykeeper.play.reading import snapshot_problem
from storykeeper.units import RunId, TurnNo, Version

Run = Annotated[str, typer.Argument(metavar="RUN", help="run.db, or run.db@name for a fork.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("log")(log)
    app.command("runs")(runs)
    app.command("verify")(verify)
    app.command("fork")(fork)
    app.command("erase")(erase)
    app.command("export")(export_run)
    app.command("import")(import_run)
    app.command("backup")(backup)
    app.command("move")(move_run)


def log(
    run: Run,
    turn: Annotated[int | None, typer.Option(metavar="TURN", help="Only this turn.")] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only this kind of record.")
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", help="Every record, a line each, and not only the turns.")
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Stay and print records as they come.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Print what happened, a line a turn: what was typed, and what came of it.

    With --turn, --kind, --follow or --json it is every record that is asked for; and so it is where
    no turns are played, as in a memory.
    """
    address = parse(run)
    if kind is not None and kind not in KINDS:
        raise typer.BadParameter(f"no record is called {kind!r}; see docs/reference/records.md")
    with open_ledger(address.place, read_only=True) as ledger:
        if not (records or json or follow) and turn is None and kind is None:
            read = (entry.record for entry in ledger.read(address.run))
            if shown := list(turn_lines(read)):
                say_lines(shown)
                return
        after = Version(0)
        for entry in ledger.read(address.run):
            _print_entry(entry, turn=turn, kind=kind, json=json)
            after = entry.version
        if follow:
            for entry in ledger.follow(address.run, after=after, stop=lambda: False):
                _print_entry(entry, turn=turn, kind=kind, json=json)
                sys.stdout.flush()


def runs(
    run: Annotated[str, typer.Argument(metavar="RUN", help="run.db")], json: AsJson = False
) -> None:
    """List the runs of a file as a tree, with what each takes on disk."""
    place = parse(run).place
    with open_ledger(place, read_only=True) as ledger:
        found = ledger.runs()
    used = disk_use(place)
    if json:
        say_json({"runs": [_run_data(i) for i in found], "disk": used})
        return
    for info in found:
        where = f", forked at record {info.forked_at}" if info.parent is not None else ""
        say(
            f"{'  ' * _depth(found, info)}{info.run}: turn {info.head.turn},"
            f" {info.head.version} records, {size(info.own_bytes)} of its own{where}"
        )
    if used:
        say(f"on disk: {size(sum(used.values()))}")


def verify(run: Run, json: AsJson = False) -> None:
    """Compute the hash chain again and compare. Exits with 1 if anything is not as it was written.

    `run.db` checks every run in the file, `run.db@name` one.
    """
    address = parse(run)
    try:
        with open_to_check(address.place) as ledger:
            chosen = [address.run] if address.named else list(ledger.branches())
            verdicts = [_verdict(ledger, each) for each in chosen]
    except LedgerDamaged as damage:  # not even the list of runs can be read
        verdicts = [Verdict(address.run, 0, 0, None, in_short(damage))]
    if json:
        say_json([_verdict_data(v) for v in verdicts])
    else:
        for verdict in verdicts:
            say(_verdict_line(verdict))
    if not all(verdict.good for verdict in verdicts):
        raise typer.Exit(1)


def fork(
    run: Run,
    at: Annotated[int, typer.Option(metavar="TURN", help="The last turn that both share.")],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="What to call it; at-N unless given.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Branch off after a turn. The fork shares the records up to and including it."""
    address = parse(run)
    with open_ledger(address.place) as ledger:
        _refuse_memory(ledger, address)
        info = ledger.fork(address.run, RunId(name or f"at-{at}"), at=TurnNo(at))
    if json:
        say_json(_run_data(info))
    else:
        say(f"{address.place}@{info.run}: forked from {address.run} after turn {at}")


def _refuse_memory(ledger: Ledger, address: Address) -> None:
    """A memory is one run, and stays one: nothing could be asked of a fork of it."""
    kinds = ("embedder-chosen", "memory-added")
    if any(ledger.last(address.run, kind=kind) is not None for kind in kinds):
        raise MemoryProblem(
            f"{address.place} is a memory and has no forks; nothing was changed."
            f" `storykeeper backup {address.place} COPY` makes a copy to go on with"
        )


def erase(
    run: Run,
    turn: Annotated[int, typer.Option(metavar="TURN", help="Whose text to remove.")],
    why: Annotated[str, typer.Option(metavar="TEXT", help="A reason, kept on record.")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a person's text from a turn, for good. The chain stays intact and says so.

    Forks that share the turn lose the text too. Backups and exports made earlier keep it.
    """
    address = parse(run)
    if not yes:
        typer.confirm(f"Remove the text of turn {turn} from {run} for good?", abort=True)
    with open_ledger(address.place) as ledger:
        changed = ledger.erase(address.run, turn=TurnNo(turn), why=why)
    say(f"text removed from {changed} records" if changed else "nothing to remove")


def export_run(
    run: Run,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A new file instead of standard output."
        ),
    ] = None,
) -> None:
    """Write a file's runs as JSONL, or one run with those it was forked from."""
    address = parse(run)
    only = address.run if address.named else None
    with open_to_check(address.place) as ledger:
        if output is None:
            export(ledger, sys.stdout.buffer, run=only)
            return
        with progress_bar("exporting") as progress:
            done = export_file(ledger, output, run=only, progress=progress)
    say(f"{done.records} records to {output}", err=True)


def import_run(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A JSONL export.")],
    run: Annotated[str, typer.Argument(metavar="RUN", help="The new run.db.")],
) -> None:
    """Make a run from a JSONL export. Every hash is checked before the file appears."""
    with progress_bar("importing") as progress:
        done = import_file(source, place_of(run), progress=progress)
    say(f"{done.records} records in {len(done.runs)} runs to {run}", err=True)


def backup(run: Run, to: Annotated[Path, typer.Argument(metavar="TO", help="A new file.")]) -> None:
    """Copy a run safely to a file, also while it is being played, and verify the copy."""
    place = parse(run).place
    with progress_bar("copying") as progress:
        if isinstance(place, Path):
            backup_file(place, to, progress=progress)
        else:
            move(place, to, progress=progress)
    say(f"copied and verified: {to} ({size(to.stat().st_size)})", err=True)


def move_run(
    source: Annotated[str, typer.Argument(metavar="FROM", help="run.db, or a run in a database.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Where nothing is yet.")],
    json: AsJson = False,
) -> None:
    """Move a run or a memory between a file and a database, with all its forks, to the byte.

    What arrives is verified, and its export compared with that of FROM. FROM is left as it is:
    remove it when nobody plays on there. A place in a database is
    postgresql://ROLE@HOST/DATABASE#TENANT/RUN.
    """
    places = [place_of(each) for each in (source, target)]
    with progress_bar("moving") as progress:
        done = move(*places, progress=progress)
    if json:
        say_json(done)
        return
    vectors = f" and {done.vectors:,} vectors" if done.vectors else ""
    say(
        f"{done.records:,} records in {len(done.runs)} runs{vectors} to {places[1]}; both export"
        f" the same bytes (sha256 {done.sha256})"
    )


def _print_entry(entry: Entry, *, turn: int | None, kind: str | None, json: bool) -> None:
    if turn not in (None, entry.record.turn) or kind not in (None, kind_of(entry.record)):
        return
    if json:
        head = {"version": entry.version, "at": moment(entry.at_ms), "erased": entry.erased}
        say_json(head | {"record": entry.record})
    else:
        say(log_line(entry))


def _verdict(ledger: Ledger, run: RunId) -> Verdict:
    """Of the records and the file, and of what opening starts from."""
    verdict = ledger.verify(run)
    return replace(verdict, problem=snapshot_problem(ledger, run)) if verdict.good else verdict


def _verdict_line(verdict: Verdict) -> str:
    if verdict.good:
        erased = f", {verdict.erased} with their text erased" if verdict.erased else ""
        return f"{verdict.run}: {verdict.records} records, all as they were written{erased}"
    where = f"record {verdict.bad_version}" if verdict.bad_version is not None else "the file"
    return f"{verdict.run}: {where} is not as it was written: {verdict.problem}"


def _verdict_data(verdict: Verdict) -> dict[str, object]:
    return {
        "run": verdict.run,
        "good": verdict.good,
        "records": verdict.records,
        "erased": verdict.erased,
        "bad_version": verdict.bad_version,
        "problem": verdict.problem,
    }


def _run_data(info: RunInfo) -> dict[str, object]:
    return {
        "run": info.run,
        "parent": info.parent,
        "forked_at": info.forked_at,
        "version": info.head.version,
        "turn": info.head.turn,
        "own_bytes": info.own_bytes,
    }


def _depth(found: tuple[RunInfo, ...], info: RunInfo) -> int:
    parents = {i.run: i.parent for i in found}
    depth, parent = 0, info.parent
    while parent is not None:
        depth, parent = depth + 1, parents[parent]
    return depth
