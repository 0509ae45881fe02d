"""Who reads words that stand on a thing: on a sign all who can see it, else who has it in hand.

A note is read by whoever unfolds, holds or looks at it, and by whom it is shown or handed to. The
player is told it, as everything. What nothing says anybody reads, nobody else has read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.events.atoms import Participant, Resolved, StateAsserted
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.reading import Clause, MentionKind, Modality, Quotation, Reading, Sort
from storykeeper.language.unseen import UNSEEN
from storykeeper.language.writings import WRITING, is_posted
from storykeeper.play.manner import MAX_BESIDE_CHARS, lead_start, tag_end
from storykeeper.play.witnesses import witnesses
from storykeeper.units import EntityId
from storykeeper.world.state import World

_READING = frozenset({VerbClass.PERCEIVE, VerbClass.TAKE, VerbClass.HANDLE})
_OPENING = frozenset({"read", "unfold", "open", "unroll", "hold", "find", "unseal", "turn over"})
_INKING = frozenset({"read", "write", "paint", "carve", "scrawl", "scribble", "engrave", "inscribe",
                     "print", "stamp", "chalk", "etch", "scratch", "type", "daub"})  # fmt: skip
_SHOWING = frozenset({"show", "hand", "pass", "give", "offer", "slide", "push", "slip", "send"})


def thing_of(reading: Reading, quoted: Quotation) -> int | None:
    """The mention of what quoted words stand on: the nearest such thing before them, or in their
    own sentence.
    """
    first, last = quoted.start - MAX_BESIDE_CHARS, _told_until(reading, quoted)
    found = [
        i for i, m in enumerate(reading.mentions)
        if first <= m.start < last and m.quotation is None and m.kind is MentionKind.NOUN
        and _head(m.head) in WRITING
    ]  # fmt: skip
    led = lead_start(reading.text, quoted.start)
    own = [i for i in found if reading.mentions[i].start >= led]
    return own[0] if own else found[-1] if found else None


def readers_of(reading: Reading, quoted: Quotation, on: int | None) -> list[int]:
    """The mentions of those who read it, by what is told of it before the words or beside them."""
    first, last = quoted.start - MAX_BESIDE_CHARS, _told_until(reading, quoted)
    led = lead_start(reading.text, quoted.start)
    found: list[int] = []
    for clause in reading.clauses:
        if clause.quotation is not None or not first <= clause.start < last:
            continue
        if clause.modality is Modality.ASSERTED:
            beside = clause.start >= led and clause.verb.split()[0] in _INKING
            found += _reading(reading, clause, on, beside=beside)
    return [i for i in dict.fromkeys(found) if _is_somebody(reading, i)]


def _reading(reading: Reading, clause: Clause, on: int | None, *, beside: bool) -> Iterator[int]:
    with_it = [i for i, m in enumerate(reading.mentions) if clause.start <= m.start < clause.end]
    if not beside and (on is None or not any(_is(reading, i, on) for i in with_it)):
        return
    classes = verb_classes(clause.verb)
    if VerbClass.GIVE in classes or clause.verb.split()[0] in _SHOWING:
        yield from clause.targets  # who hands it on need not have read it
    elif beside or classes & _READING or clause.verb in _OPENING:
        yield from clause.actors


def read_by(
    world: World,
    reading: Reading,
    quoted: Quotation,
    on: int | None,
    *,
    told: EntityId,
    readers: Sequence[EntityId],
    thing: Participant | None,
) -> tuple[EntityId, ...]:
    """Everyone who reads it: the player told, the readers, who holds it; of a sign all there."""
    led, last = lead_start(reading.text, quoted.start), _told_until(reading, quoted)
    sentence = reading.text[led : quoted.start] + reading.text[quoted.end : last]
    head = "" if on is None else _head(reading.mentions[on].head)
    everyone: list[EntityId] = [told, *readers]
    held = thing.entity.entity if thing is not None and isinstance(thing.entity, Resolved) else None
    holder = None if held is None else world.holders.get(held)
    everyone += [] if holder is None else [holder]
    posted = holder is None and is_posted(head, sentence) and not UNSEEN.search(sentence)
    if posted and not _is_elsewhere(world, held, told):
        everyone += witnesses(world, StateAsserted(""), ())
    return tuple(
        who for who in dict.fromkeys(everyone)
        if who == told or (who in world.plan.cast and who not in world.asleep)
    )  # fmt: skip


def _is_elsewhere(world: World, thing: EntityId | None, told: EntityId) -> bool:
    at = None if thing is None else world.places.get(thing)
    return at is not None and at != world.places.get(told)


def _told_until(reading: Reading, quoted: Quotation) -> int:
    stop = min(len(reading.text), quoted.end + MAX_BESIDE_CHARS)
    return tag_end(reading.text, start=quoted.start, end=quoted.end, before=stop)


def _head(head: str) -> str:
    return (head.split() or [""])[-1]


def _is(reading: Reading, one: int, other: int) -> bool:
    """Whether two mentions are of one thing: by what the reader joined, or the same noun; also
    whose it is: the map, and its title.
    """
    whose = reading.mentions[other].possessor
    if whose is not None and whose != other and _is(reading, one, whose):
        return True
    a, b = reading.mentions[one], reading.mentions[other]
    joined = a.cluster is not None and a.cluster == b.cluster
    return one == other or joined or (a.head == b.head and a.kind is b.kind is MentionKind.NOUN)


def _is_somebody(reading: Reading, i: int) -> bool:
    mention = reading.mentions[i]
    named = mention.kind is MentionKind.NAME and mention.sort is Sort.UNKNOWN
    return named or mention.sort in (Sort.PERSON, Sort.ANIMAL, Sort.GROUP)
