"""What comes of the tagger's signs by the rule of staging, on labelled passages.

A sign that is sure changes a place or sleep; a doubtful one makes unsure, and the unsure perceive
nothing until they speak or act. Speech is heard at the speaker's place by those awake and not
unsure, and a hush leaves only the speaker and whom it is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from storykeeper.bench.perception_fit.lessons import UNKNOWN, Lesson
from storykeeper.language.tagger.features import ROLES, roles
from storykeeper.language.tagger.tagger import Hush, Sign

_SUBJECT = ROLES.index("subject")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where a sign is sure, where a doubt, and where words are only for some."""

    sure: float
    doubt: float
    hush: float


@dataclass(slots=True)
class Figures:
    """Counts, and the shares that are reported."""

    counts: Counter[str] = field(default_factory=Counter)

    def share(self, name: str, of: str) -> float:
        """One count by another."""
        return self.counts[name] / max(1, self.counts[of])

    def __str__(self) -> str:
        return (
            f"leak {self.share('leak', 'others'):.3f}  miss {self.share('miss', 'perceivers'):.3f}"
            f"  gone {self.share('gone', 'left'):.3f}  right {self.share('right', 'left'):.3f}"
            f"  stayed {self.share('stayed', 'remained'):.3f}"
        )


@dataclass(slots=True)
class _State:
    place: list[str | None]
    awake: list[bool]
    unsure: list[bool]

    def take(self, sign: Sign, limits: Thresholds) -> None:
        """Change what a sign changes."""
        who = sign.who
        if sign.p < limits.doubt:
            return
        if sign.p < limits.sure:
            self.unsure[who] = self.unsure[who] or sign.kind in ("departs", "sleeps")
        elif sign.kind in ("departs", "arrives"):
            self.place[who] = sign.to or "away"
            self.unsure[who] = False
        elif sign.kind in ("sleeps", "wakes"):
            self.awake[who] = sign.kind == "wakes"

    def show(self, who: int) -> None:
        """There is evidence that somebody is there."""
        self.unsure[who] = False

    def listeners(self, speaker: int | None, player: int | None) -> set[int]:
        """Who is where it is said; if nobody knows who speaks, where the player is."""
        at = speaker if speaker is not None else player
        here = self.place[at] if at is not None else Counter(self.place).most_common(1)[0][0]
        found = {
            who for who, place in enumerate(self.place)
            if place == here and self.awake[who] and not self.unsure[who]
        }  # fmt: skip
        return found if speaker is None else found | {speaker}


def played(
    lesson: Lesson, signs: Sequence[Sign], hushes: Sequence[Hush], limits: Thresholds
) -> tuple[dict[int, set[int]], list[str | None]]:
    """Who hears each segment of speech, and where everyone is at the end."""
    scene = lesson.scene
    count = len(scene.people)
    state = _State([p.place for p in scene.people], [True] * count, [False] * count)
    player = next((who for who, p in enumerate(scene.people) if p.is_player), None)
    by_start = {hush.start: hush for hush in hushes}
    given: dict[int, list[Sign]] = {}
    for sign in signs:
        given.setdefault(sign.start, []).append(sign)
    heard: dict[int, set[int]] = {}
    for at, stretch in enumerate(scene.stretches):
        if stretch.quotation is None:
            _narrated(state, roles(scene, stretch), given.get(stretch.start, []), limits)
            continue
        speaker = scene.speakers[stretch.quotation]
        if speaker is not None:
            state.show(speaker)
            state.awake[speaker] = True
        segment = int(lesson.segment[at])
        if segment not in heard:
            audience = state.listeners(speaker, player)
            hush = by_start.get(stretch.start)
            if hush is not None and hush.p >= limits.hush:
                audience &= {*hush.to, *([] if speaker is None else [speaker])}
            heard[segment] = audience
    for n, segment_ in enumerate(lesson.passage["segments"]):
        if segment_["kind"] == "speech" and n not in heard:
            heard[n] = state.listeners(None, player)
    return heard, state.place


def _narrated(
    state: _State, stands: Sequence[int], signs: Sequence[Sign], limits: Thresholds
) -> None:
    strong = {sign.who for sign in signs if sign.p >= limits.doubt}
    for who, role in enumerate(stands):
        if role == _SUBJECT and who not in strong:
            state.show(who)
    for sign in signs:
        state.take(sign, limits)


def counted(
    lesson: Lesson, heard: dict[int, set[int]], places: Sequence[str | None]
) -> Counter[str]:
    """Leaks and misses of speech; who left, and who stayed, at the end."""
    passage, found = lesson.passage, Counter[str]()
    for n, segment in enumerate(passage["segments"]):
        if segment["kind"] != "speech":
            continue
        for who, one in enumerate(lesson.ids):
            perceives, opened = one in segment["perceivers"], who in heard[n]
            found["perceivers" if perceives else "others"] += 1
            found["miss"] += perceives and not opened
            found["leak"] += opened and not perceives
    departed = {w for e in passage["events"] if e["kind"] == "departs" for w in e["who"]}
    for who, one in enumerate(lesson.ids):
        start, after = passage["start"][one], passage["after"][one]
        if UNKNOWN in (start, after):
            continue
        if start != after and one in departed:
            found["left"] += 1
            found["gone"] += places[who] != start
            found["right"] += places[who] == after
        elif start == after:
            found["remained"] += 1
            found["stayed"] += places[who] == start
    return found


def figures(
    read: Iterable[tuple[Lesson, Sequence[Sign], Sequence[Hush]]], limits: Thresholds
) -> Figures:
    """All counts of some passages."""
    found = Figures()
    for lesson, signs, hushes in read:
        found.counts.update(counted(lesson, *played(lesson, signs, hushes, limits)))
    return found
