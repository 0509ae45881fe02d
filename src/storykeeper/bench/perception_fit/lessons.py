"""Labelled passages as the tagger learns from them (`data/perception`).

An event is labelled by segment, and a segment may be several stretches: which of them tells it is
left to the fit (see `tagger.loss`). Where somebody is and whether they sleep follows from the
events, stretch by stretch, and is learned beside them, since events are few.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from storykeeper.language.prose.reader import ProseReader
from storykeeper.language.reading import Gender, Somebody
from storykeeper.language.tagger.given import Vectors, given
from storykeeper.language.tagger.network import Floats, Input, Ints
from storykeeper.language.tagger.people import Person
from storykeeper.language.tagger.scene import Scene, Stretch, laid_out
from storykeeper.language.tagger.tagger import KINDS

Small = npt.NDArray[np.int8]

UNKNOWN = "unknown"
_OVERLAP = 8  # characters of a segment that a stretch must have to tell of it
_MOVES, _SLEEPS = ("departs", "arrives"), ("sleeps", "wakes")
_CLOSED_WEIGHT = {"thought": 0.09, "aside": 0.09}  # not what staging asks
_NARRATED_WEIGHT, _OWN_WEIGHT = 0.3, 0.1


@dataclass(frozen=True, slots=True)
class Event:
    """Somebody's event, with the stretches one of which tells it."""

    who: int
    kind: int
    to: str | None
    stretches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A passage, read, and what is to be learned of it."""

    author: str
    passage: dict[str, Any]
    scene: Scene
    given: Input
    segment: Ints  # of each stretch
    events: tuple[Event, ...]
    closed: Floats  # people × stretches
    weight: Floats  # of closed
    moved: Small  # people × stretches; −1: in between
    asleep: Small

    @property
    def ids(self) -> list[str]:
        """Of the cast, in the order of the scene's people."""
        return [each["id"] for each in self.passage["cast"]]


def lessons(paths: Sequence[Path], encoder: Vectors) -> list[Lesson]:
    """Every passage of some files; a file is an author."""
    reader = ProseReader()
    return [
        lesson(path.stem, json.loads(line), reader, encoder)
        for path in sorted(paths, key=lambda path: path.name)
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


def lesson(author: str, passage: dict[str, Any], reader: ProseReader, encoder: Vectors) -> Lesson:
    """One passage."""
    text = "".join(each["text"] for each in passage["segments"])
    people = list(people_of(passage))
    reading = reader.read(text, cast=tuple(Somebody(p.names, p.gender) for p in people))
    scene = laid_out(reading, people, {p["id"]: tuple(p["names"]) for p in passage["places"]})
    spans = list(_spans(passage))
    segment = np.array([_most(spans, each) for each in scene.stretches], np.int64)
    kinds = [passage["segments"][n]["kind"] for n in segment]
    heard = [passage["segments"][n]["perceivers"] for n in segment]
    ids = [each["id"] for each in passage["cast"]]
    closed = np.array([[one not in those for those in heard] for one in ids], np.float32)
    shape = (len(ids), len(scene.stretches))
    return Lesson(
        author,
        passage,
        scene,
        given(scene, encoder),
        segment,
        tuple(_events(passage, scene, spans, segment)),
        closed.reshape(shape),
        _weights(scene, kinds).reshape(shape),
        _standing(passage, segment, _MOVES).reshape(shape),
        _standing(passage, segment, _SLEEPS).reshape(shape),
    )


def people_of(passage: dict[str, Any]) -> Iterator[Person]:
    """The cast as the tagger knows them."""
    genders = {gender.value: gender for gender in Gender}
    for each in passage["cast"]:
        place = passage["start"][each["id"]]
        gender = genders.get(each.get("pronouns", "").split("/")[0].strip(), Gender.UNKNOWN)
        yield Person(
            tuple(each["names"]),
            gender,
            None if place == UNKNOWN else place,
            each["id"] == passage["player"],
        )


def _spans(passage: dict[str, Any]) -> Iterator[tuple[int, int]]:
    at = 0
    for each in passage["segments"]:
        yield at, at + len(each["text"])
        at += len(each["text"])


def _shared(span: tuple[int, int], stretch: Stretch) -> int:
    return min(span[1], stretch.end) - max(span[0], stretch.start)


def _most(spans: Sequence[tuple[int, int]], stretch: Stretch) -> int:
    """The segment that has the most of a stretch."""
    return max(range(len(spans)), key=lambda n: _shared(spans[n], stretch))


def _events(
    passage: dict[str, Any], scene: Scene, spans: Sequence[tuple[int, int]], segment: Ints
) -> Iterator[Event]:
    ids = [each["id"] for each in passage["cast"]]
    for each in passage["events"]:
        if each["kind"] not in KINDS:
            continue
        span = spans[each["segment"]]
        least = min(_OVERLAP, span[1] - span[0])
        over = [
            n for n, stretch in enumerate(scene.stretches)
            if _shared(span, stretch) >= least or segment[n] == each["segment"]
        ]  # fmt: skip
        told = [n for n in over if scene.stretches[n].quotation is None] or over
        for who in each["who"]:
            if told:
                kind = KINDS.index(each["kind"])
                yield Event(ids.index(who), kind, each.get("to"), tuple(told))


def _weights(scene: Scene, kinds: Sequence[str]) -> Floats:
    """How much it matters whether a person perceives a stretch: what others say, the most."""
    rows = np.ones((len(scene.people), len(kinds)), np.float32)
    for at, (kind, stretch) in enumerate(zip(kinds, scene.stretches, strict=True)):
        speaks = stretch.quotation is not None and kind == "speech"
        rows[:, at] = 1.0 if speaks else _CLOSED_WEIGHT.get(kind, _NARRATED_WEIGHT)
        speaker = None if stretch.quotation is None else scene.speakers[stretch.quotation]
        if speaker is not None:
            rows[speaker, at] *= _OWN_WEIGHT
    return rows


def _standing(passage: dict[str, Any], segment: Ints, kinds: tuple[str, str]) -> Small:
    """Of each person and stretch whether they are not where they began, or asleep."""
    rows: list[list[int]] = []
    for each in passage["cast"]:
        start = now = passage["start"][each["id"]] if kinds == _MOVES else "wakes"
        after: list[int] = []
        for n in range(len(passage["segments"])):
            own = [e for e in _of(passage["events"], n, each["id"]) if e["kind"] in kinds]
            for event in own:
                now = event["to"] if kinds == _MOVES else event["kind"]
            after.append(-1 if own else int(now != start))
        rows.append([after[n] for n in segment])
    return np.array(rows, np.int8)


def _of(events: Iterable[dict[str, Any]], segment: int, who: str) -> list[dict[str, Any]]:
    return [each for each in events if each["segment"] == segment and who in each["who"]]


@dataclass(frozen=True, slots=True)
class Part:
    """Where one text is in a batch."""

    people: int
    stretches: int
    words: slice  # of all texts' words
    tracked: slice  # of all tracks' words
    slots: slice  # people × stretches of them


@dataclass(frozen=True, slots=True)
class Batch:
    """A word stands once for each text, and once for each track of it; −1 is nothing."""

    parts: tuple[Part, ...]
    vectors: Floats
    marks: Floats  # of tracks' words
    place: Ints  # of a track's word in its track
    size: Ints  # of its track
    slot: Ints  # it belongs to
    numbers: Floats  # of slots
    speaker: Ints  # the slot, of the same stretch, of whoever speaks in it
    forth: Ints  # tracks × steps: the slot of each
    back: Ints
    at_forth: Ints  # of a slot, its place in these
    at_back: Ints


def batch(given: Sequence[Input]) -> Batch:
    """Put end to end."""
    parts: list[Part] = []
    marks, places, sizes, slots, speakers = [], [], [], [], []
    word = tracked = slot = 0
    for each in given:
        kept = each.stretch >= 0
        stretch, count = each.stretch[kept], int(kept.sum())
        people, stretches = each.numbers.shape[:2]
        who = np.arange(people)[:, None]
        end = (word + count, tracked + people * count, slot + people * stretches)
        parts.append(Part(people, stretches, slice(word, end[0]), slice(tracked, end[1]),
                          slice(slot, end[2])))  # fmt: skip
        marks.append(each.marks[:, kept].reshape(people * count, -1))
        places.append(np.tile(np.arange(count), people))
        sizes.append(np.full(people * count, count))
        slots.append((slot + who * stretches + stretch).ravel())
        spoken = slot + each.speaker * stretches + np.arange(stretches)
        speakers.append(np.tile(np.where(each.speaker >= 0, spoken, -1), people))
        word, tracked, slot = end
    forth, back, at_forth, at_back = _tracks(parts)
    return Batch(
        tuple(parts),
        np.concatenate([each.vectors[each.stretch >= 0] for each in given]),
        np.concatenate(marks),
        np.concatenate(places),
        np.concatenate(sizes),
        np.concatenate(slots),
        np.concatenate([each.numbers.reshape(-1, each.numbers.shape[2]) for each in given]),
        np.concatenate(speakers),
        forth,
        back,
        at_forth,
        at_back,
    )


def _tracks(parts: Sequence[Part]) -> tuple[Ints, Ints, Ints, Ints]:
    """The slots of each track in order and in reverse, and where each slot is in these."""
    longest = max(part.stretches for part in parts)
    count = sum(part.people for part in parts)
    forth, back = np.full((count, longest), -1), np.full((count, longest), -1)
    row = 0
    for part in parts:
        own = np.arange(part.slots.start, part.slots.stop).reshape(part.people, part.stretches)
        forth[row : row + part.people, : part.stretches] = own
        back[row : row + part.people, : part.stretches] = own[:, ::-1]
        row += part.people
    return forth, back, _places(forth, parts[-1].slots.stop), _places(back, parts[-1].slots.stop)


def _places(table: Ints, slots: int) -> Ints:
    flat = table.ravel()
    found = np.zeros(slots, np.int64)
    found[flat[flat >= 0]] = np.flatnonzero(flat >= 0)
    return found
