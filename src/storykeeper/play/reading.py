"""A run read from its ledger: all of it, or from the newest snapshot on."""

from __future__ import annotations

from storykeeper.errors import LedgerDamaged
from storykeeper.events.turns import StoryAdopted, TurnEdited, TurnRetracted
from storykeeper.language.reading import Reader
from storykeeper.ledger.port import Ledger
from storykeeper.play.past import Past, remembered
from storykeeper.play.running import Running
from storykeeper.play.saves import restore, save
from storykeeper.units import RunId, Version
from storykeeper.world.plan import plan
from storykeeper.world.state import World


def opened(ledger: Ledger, run: RunId, reader: Reader) -> Running:
    """Where a run stands, from a snapshot if one fits."""
    adopted = ledger.last(run, kind="story-adopted")
    saved = ledger.snapshot(run)
    if saved is None or adopted is None or not isinstance(adopted.record, StoryAdopted):
        return reread(ledger, run, reader)
    known = restore(saved, plan(adopted.record))
    tail = list(ledger.read(run, after=saved.version))
    if known is None or any(isinstance(e.record, TurnEdited | TurnRetracted) for e in tail):
        return reread(ledger, run, reader)  # a correction changes how what is before it is folded
    version = tail[-1].version if tail else saved.version
    state = _standing(version, reader, *remembered([e.record for e in tail], *known))
    state.saved = saved.version
    return state


def reread(ledger: Ledger, run: RunId, reader: Reader) -> Running:
    """Where a run stands, from its first record on."""
    entries = list(ledger.read(run))
    if not entries:
        raise LedgerDamaged(f"run {run} has no records; restore a backup of its file")
    return _standing(entries[-1].version, reader, *remembered([e.record for e in entries]))


def snapshot_problem(ledger: Ledger, run: RunId) -> str:
    """What is wrong with the snapshot that opening would start from; nothing, if nothing is.

    A snapshot is no record, and the chain says nothing of it: it is folded again and compared.
    """
    adopted, saved = ledger.last(run, kind="story-adopted"), ledger.snapshot(run)
    if saved is None or adopted is None or not isinstance(adopted.record, StoryAdopted):
        return ""
    if restore(saved, plan(adopted.record)) is None:
        return ""  # it is of another edition, and is not used
    records = [entry.record for entry in ledger.read(run, upto=saved.version)]
    made = save(*remembered(records), version=saved.version, link=saved.link)
    if made.body == saved.body:
        return ""
    return (
        f"the records are good, but the snapshot of version {saved.version} is not what they fold"
        " to; export the ledger and import it into a new file, which has none"
    )


def _standing(version: Version, reader: Reader, world: World, past: Past) -> Running:
    state = Running(version, world, past, reader)
    state.decide_answered()  # it was answered, and the process ended before that was written
    return state
