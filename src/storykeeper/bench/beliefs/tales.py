"""A tale told sentence by sentence, each a turn, through what reads and decides in play.

    sentence → the reader of prose → telling → records → evolve → a world after each sentence

The author's part is made from the text alone: who is named, where somebody is or goes, and all else
that is mentioned. The one player is whom it is told to; they are nowhere in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.events.atoms import Atom, EntityChanged, Moved, StateAsserted, Unresolved
from storykeeper.events.records import AnyRecord
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Mention, MentionKind, Reading, Somebody, Sort
from storykeeper.play.commit import commit
from storykeeper.staging.reader import TableReader
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene
from storykeeper.units import AtomId, EntityId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.knowledge.sightings import everyone, perceivers
from storykeeper.world.state import Pending, World

TOLD_TO = EntityId("whom-it-is-told-to")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_GOING = frozenset({"enter", "exit", "leave"})


@dataclass(frozen=True, slots=True)
class Tale:
    """What became of a story: the world after each sentence, and the records that made it so."""

    sentences: tuple[str, ...]
    worlds: tuple[World, ...]
    records: tuple[tuple[AnyRecord, ...], ...]
    unread: tuple[str, ...]  # sentences that nothing, or not all, was understood of

    @property
    def world(self) -> World:
        """The world at the end."""
        return self.worlds[-1]


def told(sentences: Sequence[str]) -> Tale:
    """A story, told."""
    texts = tuple(map(plain, sentences))
    world = fold([adoption(authored(texts))])
    people = frozenset(c.name for c in world.plan.story.cast)
    worlds, records, unread = [], [], []
    for turn, text in enumerate(texts, 1):
        reading = _read(text, people)
        pending = Pending(TurnNo(turn), TOLD_TO, "", take=1, prose=text)
        unfolding = commit(world, pending, reading, stager=_STAGER)
        world = unfolding.world
        worlds.append(world)
        records.append(tuple(unfolding.records))
        if not _is_understood(reading, unfolding.records):
            unread.append(text)
    return Tale(texts, tuple(worlds), tuple(records), tuple(unread))


def plain(sentence: str) -> str:
    """A sentence as prose has it: words apart, a stop at its end."""
    text = " ".join(sentence.replace("_", " ").split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def perceived(sentences: Sequence[str]) -> list[frozenset[str]]:
    """Who of the cast perceives what each sentence of a story tells, by name.

    Of something in a container it may come out only later in what room it was; that is looked for
    to the end.
    """
    tale = told(sentences)
    names = {EntityId(c.id): c.name for c in tale.world.plan.story.cast}
    sentence_of: dict[AtomId, int] = {}
    found: list[set[EntityId]] = [set() for _ in tale.sentences]
    world = fold([adoption(tale.world.plan.story)])
    for number, records in enumerate(tale.records):
        for record in records:
            if isinstance(record, Atom):
                sentence_of[record.id] = number
                found[number].update(perceivers(world, record))
            world = evolve(world, record)
            for seen in (s for rows in world.sightings.values() for s in rows):
                if seen.atom in sentence_of and seen.teller is None:
                    found[sentence_of[seen.atom]].update(everyone(seen))
    return [frozenset(names[who] for who in people if who != TOLD_TO) for people in found]


def _is_understood(reading: Reading, records: Iterable[AnyRecord]) -> bool:
    """Whether a sentence has come to something: all in it known, and where they are now."""
    atoms = [record for record in records if isinstance(record, Atom)]
    refs = [part.entity for atom in atoms for part in atom.participants]
    known = bool(refs) and not any(isinstance(ref, Unresolved) for ref in refs)
    done = bool(reading.clauses) and all(c.actors or c.subjects for c in reading.clauses)
    about_places = any(
        verb_classes(c.verb) & {VerbClass.MOVE, VerbClass.PUT} or c.locations
        for c in reading.clauses
    )
    placed = any(
        isinstance(a.what, Moved | EntityChanged)
        or (isinstance(a.what, StateAsserted) and a.what.at is not None)
        for a in atoms
    )
    return known and done and (placed or not about_places)


# ── what an author would have written ────────────────────────────────────────────────────────


def authored(texts: Sequence[str]) -> Story:
    """The cast, rooms and things of a text, as the reader finds them mentioned."""
    readings = [_read(text, frozenset()) for text in texts]
    names = sorted({n for reading in readings for n in _names(reading)})
    readings = [_read(text, frozenset(names)) for text in texts]
    rooms = sorted(set(_rooms(readings)))
    others = {_called(m) for r in readings for m in r.mentions if m.kind is MentionKind.NOUN} - {
        *rooms,
        *(name.casefold() for name in names),
    }
    return Story(
        id="tale", title="A tale", players=(TOLD_TO,), start="told", voice="Plain.",
        cast=(
            Character(id=TOLD_TO, name="", line="They are told it."),
            *(Character(id=_id("who", n), name=n, line="In the tale.") for n in names),
        ),
        settings=tuple(Setting(id=_id("room", room), name=f"the {room}") for room in rooms),
        things=tuple(Thing(id=_id("thing", t), name=f"the {t}") for t in sorted(others)),
        scenes=(Scene(id="told", title="Told"),),
    )  # fmt: skip


def _names(reading: Reading) -> Iterator[str]:
    """People's names; "Hunter entered" too, which names nobody's calling without an article."""
    for mention in reading.mentions:
        bare = mention.kind is MentionKind.NOUN and mention.text[:1].isupper()
        if mention.kind is MentionKind.NAME and mention.sort in (Sort.PERSON, Sort.UNKNOWN):
            yield mention.head
        elif bare and mention.sort is Sort.PERSON and not _ARTICLE.match(mention.text):
            yield mention.text


def _rooms(readings: Sequence[Reading]) -> Iterator[str]:
    """What somebody goes in or out of, or is in; and what something is in that things are in."""
    inside: dict[str, set[str]] = {}
    for reading in readings:
        for clause in reading.clauses:
            if clause.verb in _GOING:
                yield from _nouns(reading, clause.targets)
            elif clause.verb == "be" and clause.actors:
                yield from _nouns(reading, clause.locations)
            elif clause.verb == "be":
                for thing in _nouns(reading, clause.subjects):
                    inside.setdefault(thing, set()).update(_nouns(reading, clause.locations))
    holding = {place for places in inside.values() for place in places}
    yield from (place for thing in sorted(holding) for place in sorted(inside.get(thing, ())))


def _nouns(reading: Reading, mentions: Sequence[int]) -> list[str]:
    found = (reading.mentions[i] for i in mentions)
    return [_called(m) for m in found if m.kind is MentionKind.NOUN]


def _called(mention: Mention) -> str:
    return _ARTICLE.sub("", mention.text).casefold()


def _id(kind: str, name: str) -> str:
    return f"{kind}-{'-'.join(re.findall(r'[a-z0-9]+', name.casefold()))}"


def named(world: World, words: str) -> EntityId | None:
    """The one of the author's people, things or places that is called so."""
    wanted = _ARTICLE.sub("", plain(words).rstrip(".")).casefold()
    plan = world.plan
    called = {
        _ARTICLE.sub("", each.name).casefold(): EntityId(entity)
        for kind in (plan.settings, plan.things, plan.cast)
        for entity, each in kind.items()
    }
    return called.get(wanted)


# ── reading ──────────────────────────────────────────────────────────────────────────────────

_READER = ProseReader()
_STAGER = TableReader()


def _read(text: str, people: frozenset[str]) -> Reading:
    """The reading of a sentence, with those of the cast who are named in it."""
    mentioned = sorted(name for name in people if re.search(rf"\b{re.escape(name)}\b", text))
    return _once(text, tuple(Somebody((name,)) for name in mentioned))


@lru_cache(maxsize=32_768)
def _once(text: str, cast: tuple[Somebody, ...]) -> Reading:
    return _READER.read(text, cast=cast)
