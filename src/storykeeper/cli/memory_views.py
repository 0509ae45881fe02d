"""What a memory holds and finds, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from storykeeper.cli.memory_why import explained
from storykeeper.cli.say import visible
from storykeeper.memory.assembly import Assembled
from storykeeper.memory.documents import Passage
from storykeeper.memory.found import FULL, Hit, Results
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.metadata import Metadata
from storykeeper.memory.moments import shown
from storykeeper.memory.versions import Change

KEEP = {Part.HARD: "always", Part.SOFT: "first", Part.VARIANT: "search"}
MAX_LEFT_OUT = 8  # named one by one
MAX_SPANS = 4  # of ids, named one by one
_TEXT_CHARS = 72  # of a passage on one line


def when(item: Item) -> str:
    """The clock that was looked at; nothing, if nobody said when."""
    return "" if item.at_ms is None else f"{shown(item.at_ms):%Y-%m-%d %H:%M}"


def id_spans(ids: Sequence[str]) -> str:
    """`m1 to m7, m1-k7f3q9xw2abc`: the first and last of each kind of id."""
    kinds: dict[str, list[str]] = {}
    for each in ids:
        kinds.setdefault(each.partition("-")[2], []).append(each)
    spans = [of[0] if len(of) == 1 else f"{of[0]} to {of[-1]}" for of in kinds.values()]
    more = len(spans) - MAX_SPANS
    return ", ".join(spans[:MAX_SPANS]) + (f" and {more:,} more kinds" if more > 0 else "")


def item_line(item: Item, text: str) -> str:
    """Who says what, with the lines of a longer text below each other."""
    who = "(in short)" if item.kind is Kind.SUMMARY else item.speaker and f"{item.speaker}:"
    place = item.session if item.kind is Kind.WRITTEN else when(item)
    said = " ".join(filter(None, (who, text)))
    return visible("  ".join(filter(None, (place, said)))).replace("\n", "\n        ")


# ── found ────────────────────────────────────────────────────────────────────────────────────


def found_lines(results: Results, *, why: bool) -> Iterator[str]:
    """Notes, then what was found, the best first."""
    for note in results.notes:
        yield f"note: {visible(note)}"
    for hit in results:
        form = "" if hit.form == FULL else f"[{hit.form}] "
        yield f"{hit.item.id:<5} {hit.score:.3f}  {form}{item_line(hit.item, hit.text)}"
        if why:
            yield from (f"        {visible(line)}" for line in explained(hit))
    if not len(results):
        yield "nothing was found" if results.budget is None else "nothing that fits was found"
    if results.budget is not None:
        yield f"{results.tokens or 0:,} of {results.budget:,} tokens{_left_out(results)}"


def _left_out(results: Results) -> str:
    if not results.left_out:
        return ""
    first = ", ".join(
        f"{each.item.item.id} ({each.lacking:,} tokens too many)" if each.lacking
        else f"{each.item.item.id} ({each.reason})"
        for each in results.left_out[:MAX_LEFT_OUT]
    )  # fmt: skip
    more = len(results.left_out) - MAX_LEFT_OUT
    return f"; left out: {first}{f' and {more:,} more' if more > 0 else ''}"


def results_data(results: Results) -> dict[str, object]:
    """The same for programs; everything is in it."""
    return {
        "hits": [_hit_data(hit) for hit in results],
        "notes": results.notes,
        "budget": results.budget,
        "tokens": results.tokens,
        "text": results.text,
        "left_out": [
            {"id": each.item.item.id, "reason": each.reason, "lacking": each.lacking}
            for each in results.left_out
        ],
    }


def _hit_data(hit: Hit) -> dict[str, object]:
    return {
        "score": hit.score,
        "form": hit.form,
        "shown": hit.text,
        "parent": hit.parent,
        "terms": hit.terms,
        "signals": hit.signals,
        "item": item_data(hit.item),
    }


def item_data(item: Item) -> dict[str, object]:
    """An item; its moment as people write it too."""
    found: dict[str, object] = msgspec.to_builtins(item)
    found["audience"] = None if item.audience is None else sorted(item.audience)
    found["at"] = _written(item.at_ms)
    found["metadata"] = item.metadata
    found["expires"] = _written(item.until_ms)
    del found["metadata_json"], found["until_ms"]
    return found


def _written(at_ms: int | None) -> str | None:
    return None if at_ms is None else shown(at_ms).strftime("%Y-%m-%dT%H:%M:%S")


def metadata_line(metadata: Metadata) -> str:
    """`[open=true project=harrow]`; nothing, if there are none."""
    parts = (
        f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in metadata.items()
    )
    return visible(f"[{' '.join(parts)}]") if metadata else ""


def history_lines(changes: Sequence[Change]) -> Iterator[str]:
    """What became of an item, each with the day and time when it came on record."""
    for change in changes:
        more = metadata_line(change.metadata)
        who = f"{change.speaker}: " if change.speaker and change.text else ""
        said = visible("  ".join(filter(None, (f"{who}{change.text}", more))))
        yield f"{shown(change.recorded_ms):%Y-%m-%d %H:%M}  {change.what:<9}  {said}".rstrip()


def prompt_lines(made: Assembled) -> Iterator[str]:
    """What is in a prompt, and what could not be done."""
    yield (
        f"{made.tokens:,} of {made.budget:,} tokens: {len(made.rules)} rules,"
        f" {len(made.settings)} of background, {len(made.found)} remembered,"
        f" {len(made.recent)} just now"
    )
    yield from (f"note: {visible(note)}" for note in made.notes)


def prompt_data(made: Assembled) -> dict[str, object]:
    """The same for programs."""
    return {
        "text": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "notes": made.notes,
        "rules": [item.id for item in made.rules],
        "background": [item.id for item in made.settings],
        "recent": [item.id for item in made.recent],
        "remembered": results_data(made.found),
    }


# ── documents ────────────────────────────────────────────────────────────────────────────────


def counted(passages: Sequence[Passage]) -> str:
    """`3 passages: 1 always shown, 1 first, 1 searched`."""
    parts = [passage.rule.part for passage in passages]
    many = "1 passage" if len(parts) == 1 else f"{len(parts)} passages"
    return (
        f"{many}: {parts.count(Part.HARD)} always shown, {parts.count(Part.SOFT)} first,"
        f" {parts.count(Part.VARIANT)} searched"
    )


def partition_lines(passages: Sequence[Passage]) -> Iterator[str]:
    """Each passage: its line, where it belongs, and what says so."""
    for passage in passages:
        flat = " ".join(passage.text.split())
        text = flat if len(flat) <= _TEXT_CHARS else f"{flat[: _TEXT_CHARS - 1]}…"
        yield visible(f"{passage.line:>5}  {KEEP[passage.rule.part]:<7} {text}")
        place = f" in {' › '.join(passage.heading)}" if passage.heading else ""
        leads = f"; leads to {', '.join(passage.links)}" if passage.links else ""
        yield visible(f"{'':>15}{passage.rule.why}{place}{leads}")


def passage_data(passage: Passage) -> dict[str, object]:
    """The same for programs."""
    return {
        "id": passage.id,
        "line": passage.line,
        "heading": passage.heading,
        "text": passage.text,
        "keep": KEEP[passage.rule.part],
        "why": passage.rule.why,
        "links": passage.links,
    }
