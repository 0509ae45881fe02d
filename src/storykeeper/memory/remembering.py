"""Records of a memory as items, and what is said as records.

Things remembered are numbered from 1 without gaps, summaries among them: the number is the record's
turn, `m12` its id, and its row in the index one less.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from storykeeper.errors import ItemRefused, NoSuchItem
from storykeeper.events.remembered import MemoryAdded, MemorySummarised
from storykeeper.memory.documents import Passage
from storykeeper.memory.documents.partition import anchor
from storykeeper.memory.items import Item, Kind, Part
from storykeeper.memory.naming import name_or_refuse
from storykeeper.units import TurnNo

if TYPE_CHECKING:
    from storykeeper.memory.chats import Said  # which reads names with us

MAX_CHARS = 1_000_000
AUTHORED_WEIGHT = 1.0  # a(d) of what stands in a document (L §7.3)


def id_of(number: int) -> str:
    """`m12`."""
    return f"m{number}"


def number_of(item: str, *, last: int) -> TurnNo:
    """The number behind an id; refuses what is none, or not there yet."""
    digits = item[1:]
    if item[:1] != "m" or not digits.isascii() or not digits.isdigit() or digits[0] == "0":
        raise NoSuchItem(f"{item!r} is no id of a memory; they look like m12")
    number = int(digits)
    if number > last:
        raise NoSuchItem(f"nothing is called {item}; the last is {id_of(last)}")
    return TurnNo(number)


def item_of(record: MemoryAdded | MemorySummarised) -> Item:
    """The item that a record is."""
    audience = None if record.audience is None else frozenset(record.audience)
    if isinstance(record, MemorySummarised):
        return Item(
            id_of(record.turn), record.text, record.turn, Kind.SUMMARY, at_ms=record.said_ms,
            session=record.session, namespace=record.namespace, audience=audience,
            entities=record.entities, weight=record.weight,
            sources=tuple(id_of(n) for n in record.over or record.of),
            confidence=record.confidence, brief=record.brief, hint=record.hint,
        )  # fmt: skip
    return Item(
        id_of(record.turn), record.text, record.turn,
        Kind.WRITTEN if record.document else Kind.SAID, Part(record.part or Part.VARIANT),
        record.speaker, record.said_ms, None, record.session, record.namespace, audience,
        record.entities, record.weight, links=tuple(id_of(n) for n in record.links),
        brief=record.brief, hint=record.hint,
    )  # fmt: skip


def refuse_line(said: Said) -> None:
    """Refuse a line whose words or names cannot be kept."""
    refuse_unsayable(said.text)
    name_or_refuse(said.speaker, what="a speaker")
    name_or_refuse(said.session, what="a session")
    for name in said.audience or ():
        name_or_refuse(name, what="a name in an audience")


def refuse_unsayable(text: str) -> None:
    """Refuse what cannot be kept or would never be found."""
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
    """An audience as it is recorded: sorted, each once. A bare text is most likely a mistake."""
    if wanted is None:
        return None
    if isinstance(wanted, str):
        raise ItemRefused(f"an audience is a set of names; write {{{wanted!r}}}")
    found = tuple(sorted(set(wanted)))
    for name in found:
        name_or_refuse(name, what="a name in an audience")
    return found


def passages_as_records(
    passages: Iterable[Passage], *, first: int, namespace: str, audience: tuple[str, ...] | None
) -> list[MemoryAdded]:
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
            weight=AUTHORED_WEIGHT, document=passage.id,
            session=" › ".join((passage.document, *passage.heading)),
            part="" if passage.rule.part is Part.VARIANT else passage.rule.part.value,
            links=tuple(TurnNo(numbers[link]) for link in passage.links if link in numbers),
        )
        for number, passage in enumerate(wanted, start=first)
    ]  # fmt: skip
