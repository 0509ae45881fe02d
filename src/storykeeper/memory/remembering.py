"""Records of a memory as items, and what is said as records.

Things remembered are numbered from 1 without gaps, summaries among them: the number is the record's
turn, and its row in the index one less. An id is another thing, since it is shown: see `tables`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from storykeeper.errors import ItemRefused, NoSuchItem
from storykeeper.events.remembered import MemoryAdded, MemorySummarised
from storykeeper.memory.documents import Passage
from storykeeper.memory.documents.partition import anchor
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.metadata import written
from storykeeper.memory.naming import name_or_refuse
from storykeeper.memory.refusing import names_or_refuse, weight_or_refuse
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from storykeeper.memory.chats import Said  # which reads names with us

MAX_CHARS = 1_000_000
_ID = re.compile(r"m(?P<nth>[1-9][0-9]{0,14})(?:-(?P<tag>[a-z2-7]+))?")
AUTHORED_WEIGHT = 1.0  # a(d) of what stands in a document (L §7.3)


def parts_of(item: str) -> tuple[int, str]:
    """The number and the tag of an id; refuses what is none."""
    found = _ID.fullmatch(item) if isinstance(item, str) else None
    if found is None:
        raise NoSuchItem(f"{item!r} is no id of a memory; they look like m12")
    return int(found["nth"]), found["tag"] or ""


def item_of(
    record: MemoryAdded | MemorySummarised, called: Callable[[Iterable[int]], tuple[str, ...]]
) -> Item:
    """The item that a record is; `called` says the ids of numbers, as far as they have any."""
    audience = None if record.audience is None else frozenset(record.audience)
    name = next(iter(called((record.turn,))), "")
    if isinstance(record, MemorySummarised):
        return Item(
            name, record.text, record.turn, Kind.SUMMARY, at_ms=record.said_ms,
            session=record.session, namespace=record.namespace, audience=audience,
            entities=record.entities, weight=record.weight, confidence=record.confidence,
            sources=called(record.over or record.of), brief=record.brief, hint=record.hint,
            metadata_json=record.metadata,
        )  # fmt: skip
    return Item(
        name, record.text, record.turn,
        Kind.WRITTEN if record.document else Kind.SAID, Part(record.part or Part.VARIANT),
        record.speaker, record.said_ms, None, record.session, record.namespace, audience,
        record.entities, record.weight, links=called(record.links),
        brief=record.brief, hint=record.hint, document=record.document,
        metadata_json=record.metadata, until_ms=record.until_ms,
    )  # fmt: skip


def nameless(_numbers: Iterable[int]) -> tuple[str, ...]:
    """Of what is not in the index yet, nothing has an id."""
    return ()


def refuse_line(said: Said) -> None:
    """Refuse a line whose words, names or metadata cannot be kept."""
    refuse_unsayable(said.text)
    written(said.metadata)
    names_or_refuse(said.entities, what="an entity")
    weight_or_refuse(said.weight)
    name_or_refuse(said.speaker, what="a speaker")
    name_or_refuse(said.session, what="a session")
    names(said.audience)


def refuse_unsayable(text: str) -> None:
    """Refuse what cannot be kept or would never be found."""
    if not isinstance(text, str):
        raise ItemRefused(f"what is remembered is a text, not {repr(text)[:40]}")
    if not text.strip():
        raise ItemRefused("there are no words in it; nothing was added")
    if len(text) > MAX_CHARS:
        raise ItemRefused(
            f"{len(text):,} characters are too many for one memory; at most {MAX_CHARS:,},"
            " or load() it as a document"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ItemRefused(f"the words are not text that can be stored: {error.reason}") from error


def names(wanted: Iterable[str] | None) -> tuple[str, ...] | None:
    """An audience as it is recorded: sorted, each once."""
    if wanted is None:
        return None
    return tuple(sorted(set(names_or_refuse(wanted, what="a name in an audience"))))


def passages_as_records(
    passages: Iterable[Passage], *, first: int, namespace: str, audience: tuple[str, ...] | None,
    metadata: str = "",
) -> list[MemoryAdded]:  # fmt: skip
    """Passages as records, numbered on from one, with links to each other by number."""
    wanted = list(passages)
    numbers: dict[str, int] = {}
    for number, passage in enumerate(wanted, start=first):
        numbers[passage.id] = number
        numbers.setdefault(passage.document, number)
    for number, passage in enumerate(wanted, start=first):  # after the ids: those come first
        for heading in passage.heading:
            numbers.setdefault(f"{passage.document}#{anchor(heading)}", number)
    return [
        MemoryAdded(
            TurnNo(number), passage.text, namespace=namespace, audience=audience,
            weight=AUTHORED_WEIGHT, document=passage.id, metadata=metadata,
            session=" › ".join((passage.document, *passage.heading)),
            part="" if passage.rule.part is Part.VARIANT else passage.rule.part.value,
            links=tuple(TurnNo(numbers[link]) for link in passage.links if link in numbers),
        )
        for number, passage in enumerate(wanted, start=first)
    ]  # fmt: skip
