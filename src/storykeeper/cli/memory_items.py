"""Commands about single items: what there is, what it was, and changing or taking out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
import typer

from storykeeper.cli.memory_filters import Metadata, Where, metadata_of, where_of
from storykeeper.cli.memory_opening import (
    AsJson,
    Expires,
    File,
    For,
    Namespace,
    Now,
    expiry_of,
    many,
    moment_of,
    opened,
)
from storykeeper.cli.memory_views import history_lines, item_data, item_line, metadata_line
from storykeeper.cli.say import say, say_json, say_lines
from storykeeper.memory.asker import OWNER
from storykeeper.memory.expiry import AS_IT_IS
from storykeeper.memory.items import Item
from storykeeper.memory.pages import Page

Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Which: m12 m13.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="Which: m12.")]
All = Annotated[
    bool, typer.Option("--all", help="As the owner of the file: whoever may know it.")
]  # fmt: skip
NEVER = "never"


def list_items(
    file: File,
    audience: For = None,
    everything: All = False,
    where: Where = None,
    limit: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many, at most.")] = 100,
    after: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on behind this one: the next page.")
    ] = None,
    newest: Annotated[bool, typer.Option("--newest", help="The last that was told first.")] = False,
    now: Now = None,
    namespace: Namespace = "",
    json: AsJson = False,
) -> None:
    """List what there is, in the order in which it was told."""
    with opened(file, namespace=namespace) as memory:
        page = memory.list(
            audience=OWNER if everything else audience, where=where_of(where), limit=limit,
            after=after, newest=newest, now=moment_of(now),
        )  # fmt: skip
    if json:
        items = [item_data(each) for each in page]
        say_json({"items": items, "total": page.total, "next": page.next})
    else:
        say_lines(_page_lines(page))


def _page_lines(page: Page) -> Iterator[str]:
    yield from map(_line, page)
    if page.next is not None:
        yield f"{len(page):,} of {page.total:,}; go on with --after {page.next}"
    elif not page.total:
        yield "there is nothing"


def _line(item: Item) -> str:
    more = metadata_line(item.metadata)
    return f"{item.id:<5} {item_line(item, item.text)}{f'  {more}' if more else ''}"


def get(
    file: File,
    item: Id,
    audience: For = None,
    namespace: Namespace = "",
    json: AsJson = False,
) -> None:
    """Print one thing by its id, with all that is known of it. With --for, if they may know it."""
    with opened(file, namespace=namespace) as memory:
        found = memory.get(item, audience=OWNER if audience is None else audience)
    if json:
        say_json(item_data(found))
    else:
        say(_line(found))


def history(file: File, item: Id, namespace: Namespace = "", json: AsJson = False) -> None:
    """Print what a thing was, and what became of it; also of one that was deleted."""
    with opened(file, namespace=namespace) as memory:
        changes = memory.history(item)
    if json:
        say_json([_change_data(each) for each in changes])
    else:
        say_lines(history_lines(changes))


def _change_data(change: Any) -> dict[str, Any]:
    return {
        "what": change.what,
        "recorded_ms": change.recorded_ms,
        "text": change.text,
        "speaker": change.speaker,
        "at_ms": change.at_ms,
        "metadata": change.metadata,
    }


def update(
    file: File,
    items: Ids = None,
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What it says from now on; of one item.")
    ] = None,
    speaker: Annotated[str | None, typer.Option(metavar="NAME", help="Who said it.")] = None,
    at: Annotated[
        str | None, typer.Option(metavar="WHEN", help="When: 2024-05-07T10:00, or the word now.")
    ] = None,
    metadata: Metadata = None,
    expires: Expires = None,
    where: Where = None,
    namespace: Namespace = "",
) -> None:
    """Change things, by id or by a filter. They keep their ids; `history` has what they were.

    New metadata are put among the old; NAME= takes one away. --expires never takes it back.
    """
    until = AS_IT_IS if expires is None else None if expires == NEVER else expiry_of(expires)
    with opened(file, namespace=namespace) as memory:
        ids = memory.update(
            _unique(items), text=text, speaker=speaker, at=moment_of(at),
            metadata=metadata_of(metadata) or None, expires=until, where=where_of(where),
        )  # fmt: skip
    say(f"{many(len(ids), 'item')} as they are to be")


def delete(
    file: File, items: Ids = None, where: Where = None, namespace: Namespace = ""
) -> None:  # fmt: skip
    """Take things out of every search, by id or by a filter.

    They stay on record, where `history` shows them; `forget` removes their words.
    """
    with opened(file, namespace=namespace) as memory:
        gone = memory.delete(_unique(items), where=where_of(where))
    say(f"{many(gone, 'item')} taken out of every search; still on record")


def forget(
    file: File,
    items: Ids = None,
    where: Where = None,
    why: Annotated[str, typer.Option(metavar="TEXT", help="A reason, kept on record.")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    namespace: Namespace = "",
) -> None:
    """Remove the words of things for good, with their vectors and summaries made of them.

    All their versions, of deleted ones too. The chain stays intact and says so. Backups and exports
    made earlier keep the words.
    """
    which = ", ".join(items or ()) or f"all with {', '.join(where or ())}"
    if not yes:
        typer.confirm(f"Remove the words of {which} from {file} for good?", abort=True)
    with opened(file, namespace=namespace) as memory:
        changed = memory.forget(_unique(items), where=where_of(where), why=why)
    say(f"text removed from {changed} records" if changed else "nothing to remove")


def sweep(file: File, now: Now = None, namespace: Namespace = "") -> None:
    """Forget what has expired: its words are removed for good."""
    with opened(file, namespace=namespace) as memory:
        gone = memory.sweep(now=moment_of(now))
    say(f"{many(gone, 'item')} forgotten")


def deduplicate(file: File, namespace: Namespace = "", json: AsJson = False) -> None:
    """Keep one of what was said more than once. What went stays on record."""
    with opened(file, namespace=namespace) as memory:
        kept = memory.deduplicate()
    if json:
        say_json(kept)
        return
    for item, gone in kept.items():
        say(f"{item:<5} stays, and {', '.join(gone)} went")
    if not kept:
        say("nothing was said twice")


def export(file: File, namespace: Namespace = "") -> None:
    """Write what was said, one JSON object a line: `memory import` reads it.

    Of one namespace, whoever may know it. `storykeeper backup` copies all of a memory.
    """
    with opened(file, namespace=namespace) as memory:
        for each in memory.export():
            say(msgspec.json.encode(each).decode())


def _unique(items: Sequence[str] | None) -> list[str] | None:
    return list(dict.fromkeys(items)) if items else None
