"""What commands say: nothing that a terminal would obey; records in one line, sizes in words."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial

import msgspec
import typer

from storykeeper.events.codec import kind_of
from storykeeper.ledger.port import Entry

# What moves a cursor, rings or colours; what turns the order of letters round (embeddings,
# overrides, isolates: not the marks that Hebrew and Arabic need); lines that are no lines; tags.
_TURNS = r"\u061c\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f"
_UNSEEN = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_TURNS}]")
_IN_JSON = re.compile(rf"[\x7f-\x9f{_TURNS}]")  # the rest msgspec escapes
LEAST_WIDTH = 40
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")


def visible(text: str) -> str:
    """The text with � for what a terminal would obey instead of show."""
    return _UNSEEN.sub("�", text)


def say(text: str, *, err: bool = False, coloured: bool = False) -> None:
    """A line or lines to standard output, or to standard error; `coloured` has colours of ours."""
    parts = _COLOUR.split(text) if coloured else [text]
    shown = "".join(each if n % 2 else visible(each) for n, each in enumerate(parts))
    typer.echo(shown, err=err)


def folded(text: str) -> str:
    """The text with its lines folded between words to the width of the terminal, if it is one."""
    if not sys.stdout.isatty():
        return text
    width = max(LEAST_WIDTH, shutil.get_terminal_size().columns - 1)
    return "\n".join(map(partial(_folded, width=width), text.split("\n")))


def _folded(line: str, *, width: int) -> str:
    hanging = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.fill(
        line, width, subsequent_indent=hanging, drop_whitespace=True, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def say_lines(lines: Iterable[str]) -> None:
    """Each on a line of its own."""
    for line in lines:
        say(line)


def say_json(value: object, *, indent: int = 0) -> None:
    """One JSON value, for programs; for terminals as harmless as any text."""
    encoded = msgspec.json.encode(value)
    if indent:
        encoded = msgspec.json.format(encoded, indent=indent)
    typer.echo(_IN_JSON.sub(_escaped, encoded.decode()))


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[n]:02x}{units[n + 1]:02x}" for n in range(0, len(units), 2))


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
