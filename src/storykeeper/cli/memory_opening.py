"""What the commands of a memory share: their options, opening one, and saying things."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from storykeeper.cli.progress import progress_bar
from storykeeper.cli.say import say
from storykeeper.errors import DocumentUnreadable, MemoryProblem
from storykeeper.ledger.address import parse
from storykeeper.ledger.places import Place, is_there
from storykeeper.memories import IN_MEMORY, Memory
from storykeeper.memory.moments import moment
from storykeeper.models.embedders.named import embedder as embedder_named

STDIN = "-"
NOW = "now"
_SPAN = re.compile(r"(?P<count>\d{1,6})(?P<unit>[mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}

File = Annotated[str, typer.Argument(metavar="MEMORY", help="The file of a memory: chat.db.")]
Query = Annotated[str, typer.Argument(metavar="QUERY", help="What is asked, in plain words.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]
For = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="WHO",
        help="Who asks: finds what is for them too. Without, only what is open to everybody.",
    ),
]
Now = Annotated[
    str | None,
    typer.Option(
        metavar="WHEN",
        help="When it is asked: 2024-05-09T10:00, or the word now. Then what is recent counts for"
        " more, and “last Tuesday” means something.",
    ),
]
Audience = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="Only for this one; may be given again. Without, open to everybody."
    ),
]
Namespace = Annotated[
    str, typer.Option(metavar="NAME", help="Whose part of the memory, besides what all share.")
]
Embedder = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="minilm, fast, none, or the URL of an endpoint. The one it has unless given; another"
        " takes its place, and embeds all of it again.",
    ),
]
EmbedderModel = Annotated[
    str | None, typer.Option(metavar="NAME", help="Which model of an embedder that is a URL.")
]


Expires = Annotated[
    str | None,
    typer.Option(
        metavar="WHEN", help="From when on it is not found: 2024-06-01, or after 90m, 12h, 30d."
    ),
]
Once = Annotated[
    bool,
    typer.Option("--once", help="What says the same as something that is there is not added."),
]


@contextmanager
def opened(
    file: str,
    *,
    create: bool = False,
    embedder: str | None = None,
    embedder_model: str | None = None,
    namespace: str = "",
) -> Iterator[Memory]:
    """A memory that is there, or is to be made; closed behind whatever is done with it."""
    place = place_of(file)
    if not create and not is_there(place):
        raise MemoryProblem(
            f"there is no memory at {place}; check the name, or add something first"
        )
    if embedder is not None:
        embedder_named(embedder, model=embedder_model)  # refuses a wrong name before a file is made
    with progress_bar("embedding") as progress:
        memory = Memory.open(
            file,
            embedder=embedder,
            model=embedder_model,
            namespace=namespace,
            progress=progress,
        )
        with _closing(memory):
            _settled(memory)
    with _closing(memory):
        yield memory
    memory.close()


@contextmanager
def _closing(memory: Memory) -> Iterator[None]:
    """Whatever goes wrong, the memory is closed."""
    try:
        yield
    except KeyboardInterrupt:
        # The index may be half way through something. It is left as after a crash, and mended when
        # the memory is opened again; the ledger has every item or none of a batch.
        if memory.reembedding is not None:
            memory.reembedding.stop()
        memory.store.ledger.close()
        raise
    except BaseException:
        memory.close()
        raise


def _settled(memory: Memory) -> None:
    """A change of embedder is waited for: whoever named another wants it to be used."""
    if not memory.settle(wait=True) and memory.reembedding is not None:
        note = f"note: the embedder is not changed: {memory.reembedding.problem}"
        say(note, err=True)


def place_of(file: str) -> Place:
    """Where it is; a memory has no forks."""
    address = parse(file)
    if file == IN_MEMORY:
        raise MemoryProblem(f"a memory at {file} would end with this command; name a file")
    if address.named:
        raise MemoryProblem(f"a memory is a file and has no forks; leave out @{address.run}")
    return address.place


def moment_of(written: str | None) -> str | datetime | None:
    """A moment as it was typed, refused if it is none; `now` is what the clock here shows."""
    if written == NOW:
        return datetime.now().astimezone().replace(tzinfo=None)
    if written is not None:
        moment(written)
    return written


def expiry_of(written: str) -> str | timedelta:
    """Until when, as it was typed: a moment, or so long from then on."""
    span = _SPAN.fullmatch(written)
    if span is not None:
        return timedelta(**{_UNITS[span["unit"]]: int(span["count"])})
    moment(written)
    return written


def text_of(file: str) -> str:
    """What is in a file, or comes on standard input; it must be UTF-8."""
    data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentUnreadable(f"{file} is not UTF-8 text: {error}; save it as UTF-8") from error


def mention_words_alone(memory: Memory) -> None:
    """Say so if the embedder could not be asked."""
    if memory.store.unavailable:
        note = f"note: found by words alone for now: {memory.store.unavailable}"
        say(note, err=True)


def many(count: int, word: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
