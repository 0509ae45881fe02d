"""Commands that put things into a memory: `import`, `add`, `load`; `partition` shows how."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import typer

from storykeeper.cli.memory_filters import Metadata, metadata_of
from storykeeper.cli.memory_opening import (
    STDIN,
    AsJson,
    Audience,
    Embedder,
    EmbedderModel,
    Expires,
    File,
    Namespace,
    Once,
    expiry_of,
    many,
    mention_words_alone,
    moment_of,
    opened,
    text_of,
)
from storykeeper.cli.memory_views import counted, id_spans, partition_lines, passage_data
from storykeeper.cli.progress import Progress, progress_bar
from storykeeper.cli.say import say, say_json, say_lines
from storykeeper.errors import DocumentUnreadable
from storykeeper.memories import Memory
from storykeeper.memory.chats import Chat, Said, read_chat
from storykeeper.memory.documents import Passage, passages_of
from storykeeper.memory.hearers import heard
from storykeeper.memory.remembering import refuse_unsayable


def import_chat(
    chat: Annotated[
        str,
        typer.Argument(
            metavar="CHAT", help="JSON objects, one a line, or an array; - reads stdin."
        ),
    ],
    into: Annotated[str, typer.Option(metavar="MEMORY", help="Where to; made if it is not there.")],
    skip: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Leave out the first N, as when an import was stopped there."
        ),
    ] = 0,
    by_presence: Annotated[
        bool,
        typer.Option(
            "--by-presence",
            help="Each line only for those who were there: who says that they go, or comes late,"
            " heard nothing meanwhile. Lines that say for whom they are stay as they are.",
        ),
    ] = False,
    once: Once = False,
    namespace: Namespace = "",
    embedder: Embedder = None,
    embedder_model: EmbedderModel = None,
) -> None:
    """Remember a chat that another program kept.

    Words, speakers, times and sessions are found under the names that most programs give them.
    """
    read = read_chat(text_of(chat), file="standard input" if chat == STDIN else chat)
    if by_presence:
        read = replace(read, said=heard(read.said))
    if not read.said:
        raise DocumentUnreadable(
            f"nothing is said in {chat}: {many(read.passed_over, 'object')}, none with words under"
            " text, content, message, mes, body or value"
        )
    with (
        opened(
            into, create=True, embedder=embedder, embedder_model=embedder_model,
            namespace=namespace,
        ) as memory,
        progress_bar("remembering") as progress,
    ):  # fmt: skip
        ids = _imported(memory, read.said[skip:], skip=skip, once=once, progress=progress)
        mention_words_alone(memory)
    say_lines(_import_lines(ids, read, skip=skip))


def _imported(
    memory: Memory, lines: Sequence[Said], *, skip: int, once: bool, progress: Progress
) -> list[str]:  # fmt: skip
    before = len(memory)
    try:
        return memory.add_all(lines, once=once, progress=progress)
    except KeyboardInterrupt:
        last = memory.store.ledger.last(memory.store.run, kind="memory-added")
        kept = max(0, last.record.turn - before) if last is not None else 0
        say(
            f"stopped: {kept:,} of {len(lines):,} are kept; go on with --skip {skip + kept}",
            err=True,
        )
        raise


def _import_lines(ids: Sequence[str], read: Chat, *, skip: int) -> Iterator[str]:
    yield f"{many(len(ids), 'line')} remembered{', ' if ids else ''}{id_spans(ids)}"
    if skip:
        yield f"{many(min(skip, len(read.said)), 'line')} left out, as asked"
    if read.passed_over:
        yield f"{many(read.passed_over, 'line')} passed over: no words"


def add(
    file: File,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was said; - reads stdin.")],
    speaker: Annotated[str, typer.Option(metavar="NAME", help="Who said it.")] = "",
    at: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help="When: 2024-05-07T10:00, or the word now."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which conversation; the one before it, unless six hours passed."
        ),
    ] = None,
    audience: Audience = None,
    metadata: Metadata = None,
    expires: Expires = None,
    once: Once = False,
    namespace: Namespace = "",
    embedder: Embedder = None,
    embedder_model: EmbedderModel = None,
) -> None:
    """Remember one thing, and print its id. It is on disk when the id is printed."""
    words = text_of(STDIN).rstrip("\n") if text == STDIN else text
    refuse_unsayable(words)
    when, until = moment_of(at), None if expires is None else expiry_of(expires)
    with opened(
        file, create=True, embedder=embedder, embedder_model=embedder_model, namespace=namespace
    ) as memory:
        made = memory.add(
            words, speaker=speaker, at=when, session=session, audience=audience or None,
            metadata=metadata_of(metadata), expires=until, once=once,
        )  # fmt: skip
        mention_words_alone(memory)
    say(made)


def load(
    file: File,
    documents: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Markdown (.md, .txt) or YAML.")
    ],
    audience: Audience = None,
    namespace: Namespace = "",
    embedder: Embedder = None,
    embedder_model: EmbedderModel = None,
) -> None:
    """Remember the passages of documents; an earlier version of the same file is retired.

    A document is known by its path as it was typed. `memory partition` shows what becomes of it.
    """
    wanted = {name: _passages(name) for name in dict.fromkeys(documents)}
    with opened(
        file, create=True, embedder=embedder, embedder_model=embedder_model, namespace=namespace
    ) as memory:
        memory.load(
            (passage for passages in wanted.values() for passage in passages),
            audience=audience or None,
        )
        mention_words_alone(memory)
    say_lines(f"{name}: {counted(passages)}" for name, passages in wanted.items())


def partition(
    documents: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Markdown (.md, .txt) or YAML.")
    ],
    json: AsJson = False,
) -> None:
    """Show how documents are taken apart, and which rule placed each passage. Writes nothing.

    always: in every prompt, never cut. first: in written order, as far as there is room. search:
    when it answers. `<!-- keep: always -->` or `## Name (keep: first)` in it says otherwise.
    """
    found = {name: _passages(name) for name in dict.fromkeys(documents)}
    if json:
        say_json({name: [passage_data(each) for each in of] for name, of in found.items()})
        return
    for name, passages in found.items():
        say(f"{name}: {counted(passages)}")
        say_lines(partition_lines(passages))


def _passages(name: str) -> tuple[Passage, ...]:
    passages = passages_of(text_of(name), document=os.path.normpath(name).replace(os.sep, "/"))
    if not passages:
        raise DocumentUnreadable(f"{name}: there is no passage in it; nothing was changed")
    return passages
