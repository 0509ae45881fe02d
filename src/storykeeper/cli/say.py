"""Records in one line, sizes and times in words."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import msgspec

from storykeeper.events.codec import kind_of
from storykeeper.ledger.port import Entry

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with � for what a terminal would obey instead of show."""
    return _UNSEEN.sub("�", text)


def log_line(entry: Entry, *, width: int = 0) -> str:
    """`version turn kind details`, cut to a width if there is one."""
    details = _details(msgspec.to_builtins(entry.record))
    mark = " [text erased]" if entry.erased else ""
    head = f"{entry.version:>5}  turn {entry.record.turn:<4} {kind_of(entry.record)}{mark}"
    line = visible(f"{head}  {details}")
    return line if not width or len(line) <= width else f"{line[: width - 1]}…"


def moment(at_ms: int) -> str:
    """A point in time, in the form that sorts."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def size(count: int) -> str:
    """Bytes as people say them."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"


def _details(fields: dict[str, object]) -> str:
    shown = []
    for name, value in fields.items():
        if name not in ("kind", "turn"):
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            shown.append(f"{name}={_short(text)}")
    return " ".join(shown)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else f"{flat[:59]}…"
