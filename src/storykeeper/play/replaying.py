"""A run done again from its records: the same world, and every window the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.context.window import Window
from storykeeper.errors import ReplayDiffers
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TurnCommitted, TurnEdited, TurnRetracted, WindowAssembled
from storykeeper.language.reading import Reader
from storykeeper.ledger.port import Entry
from storykeeper.play.past import Past, remembered
from storykeeper.play.remembering import WholePast
from storykeeper.play.reminding import brought_back, turn_of
from storykeeper.play.running import Running
from storykeeper.play.seeing import Remind, seen
from storykeeper.units import RunId, Version
from storykeeper.world.fold import bundle
from storykeeper.world.snapshot import dump
from storykeeper.world.state import World


@dataclass(frozen=True, slots=True)
class Replayed:
    """What was done again, and came out the same."""

    records: int
    windows: int
    erased: int = 0  # windows that showed text which was erased since


def replayed(entries: Sequence[Entry], live: Running, *, run: RunId) -> Replayed:
    """Fold from zero and make every window again; raises if anything is not as it was."""
    records = [entry.record for entry in entries]
    again = Running(live.version, *remembered(records), live.reader)
    again.decide_answered()
    if dump(again.world) != dump(live.world) or again.past.told != live.past.told:
        raise ReplayDiffers(f"run {run}: folding from zero gave another world; run verify")
    erased = next((i for i, entry in enumerate(entries) if entry.erased), len(entries))
    same = gone = 0
    for recorded, then in at_windows(records, live.reader):
        if made_again(recorded, then).digest == recorded.window:
            same += 1
        elif then.version >= erased:
            gone += 1
        else:
            raise ReplayDiffers(
                f"run {run}: the window of turn {recorded.turn} is not the one shown;"
                " it was made by another version, or the ledger was changed: run verify"
            )
    return Replayed(len(records), same, gone)


def made_again(
    recorded: WindowAssembled, then: Running, *, audience: str = "", tokens: int | None = None
) -> Window:
    """The window that a record is about, from the run as it stood; or another's, at that moment.

    With `tokens` it is one of another size.
    """
    turn = then.world.pending
    assert turn is not None
    if audience and audience != recorded.audience:
        return seen(turn, then, audience=audience, tokens=tokens).window
    assert isinstance(then.past, WholePast)
    wanted = [then.past.by_number.get(turn_of(each.source)) for each in recorded.recalled]
    recalled = brought_back(recorded.recalled, [each for each in wanted if each is not None])
    return seen(
        turn, then, audience=recorded.audience, tokens=tokens or recorded.budget,
        remind=Remind(past=lambda _: recalled),
        inline=recorded.inline,
    ).window  # fmt: skip


def at_windows(
    records: Sequence[AnyRecord], reader: Reader
) -> Iterator[tuple[WindowAssembled, Running]]:
    """Every window that was recorded, with the run as it stood when it was made.

    A correction changes how the past is folded, so after one everything before it is folded anew.
    """
    world: World | None = None
    past: Past = WholePast()
    start = i = 0
    while i < len(records):
        record = records[i]
        if isinstance(record, TurnEdited | TurnRetracted):
            i = after_correction(records, i)
            world, past = remembered(records[:i], past=WholePast())
            start = i
            continue
        if isinstance(record, WindowAssembled):
            world, past = remembered(records[start:i], world, past)
            start = i
            yield record, Running(Version(i), world, past, reader)
        i += 1


def after_correction(records: Sequence[AnyRecord], i: int) -> int:
    """The place behind a correction and the bundles that were written with it."""
    i += 1
    while i < len(records) and isinstance(records[i], TurnCommitted):
        i += len(bundle(records, i))
    return i
