"""What an "it" or a "they" may stand for: the things spoken of so far, and how well each would do.

The things are kept as one reads: a noun takes up the last of its kind, a part its whole. Each is
weighed by where and how it was last spoken of; the weights were fitted once to labelled passages
(the odd-numbered ones of `bench/passages`), with "nothing that was named" as one more answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from storykeeper.language.lexicon import VerbClass, is_of_body, verb_classes
from storykeeper.language.prose.drafts import LIVING, Draft, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.words import Words, listed
from storykeeper.language.reading import MentionKind, Modality, Sort

_OPENED = listed(
    "door window box lid gate book drawer chest letter envelope cupboard bag trunk case bottle "
    "purse parcel package locket casket curtain shutter jar suitcase eye mouth lock hatch safe"
)
_READ = listed("letter book note page paper map sign diary newspaper journal scroll card document")
_LIT = listed("lamp candle fire lantern torch match cigarette pipe stove cigar fuse wick")
_DRUNK = listed(
    "cup glass mug bottle flask coffee tea water wine beer ale potion goblet milk rum drink cocoa"
)
_RUNG = listed("phone telephone bell doorbell alarm clock")
_SUITED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("open", "close", "shut", "lock", "unlock", "slam"), _OPENED),
    **dict.fromkeys(("read", "unfold", "sign", "write"), _READ),
    **dict.fromkeys(("light", "kindle", "extinguish", "blow out", "put out"), _LIT),
    **dict.fromkeys(("drink", "sip", "swallow", "pour"), _DRUNK),
    "ring": _RUNG,
    "answer": listed("phone telephone door letter bell"),
}
SORTS = {Sort.THING: "", Sort.ANIMAL: "animal", Sort.PART: "part", Sort.MATTER: "matter",
         Sort.PLACE: "place", Sort.UNKNOWN: "unknown"}  # fmt: skip
FAR_SENTENCES = 6
MOST_BETWEEN = 6
MOST_STEPS = 16
KEPT = 24  # things; what was last spoken of before these is out of mind
_NOT_THERE = frozenset({Modality.NEGATED, Modality.FEARED, Modality.IMAGINED,
                        Modality.CONDITIONAL})  # fmt: skip
_HANDLING = frozenset({VerbClass.HANDLE, VerbClass.TAKE, VerbClass.GIVE, VerbClass.PUT,
                       VerbClass.HIDE, VerbClass.MAKE})  # fmt: skip
REFLEXIVE = frozenset({"its", "their", "itself", "themselves", "theirs"})


@dataclass(frozen=True, slots=True)
class Part:
    """What a mention does in its clause."""

    clause: int
    role: str
    verb: str
    handled: bool


def parts_of(happenings: list[Happening]) -> dict[int, Part]:
    """What each mention does, by its place."""
    found: dict[int, Part] = {}
    for n, happening in enumerate(happenings):
        handled = bool(_HANDLING & verb_classes(happening.verb))
        for role, places in (
            ("doer", (*happening.actors, *happening.subjects)),
            ("object", happening.targets),
            ("where", (*happening.locations, *happening.instruments)),
        ):
            for place in places:
                given = role == "doer" and place in happening.subjects and bool(happening.targets)
                name = "object" if given else role
                part = Part(n, name, happening.verb, handled and name == "object")
                found.setdefault(place, part)
    return found


@dataclass(slots=True, eq=False)
class Thing:
    """Something spoken of, as it stands when a pronoun comes."""

    first: int  # the mention that began it
    head: str
    sort: Sort
    plural: bool
    last: int  # its last mention
    noun: int  # its last mention by a noun
    count: int = 1


class Things:
    """The things spoken of so far, those spoken of last at the end."""

    def __init__(self, words: Words, mentions: Mentions, parts: dict[int, Part]) -> None:
        self.words, self.mentions, self.parts = words, mentions, parts
        self.settings: set[int | None] = set()
        self._of: dict[int, Thing] = {}  # by mention
        self._row: list[Thing] = []

    def read(self, i: int) -> None:
        """Take in a mention that is no pronoun."""
        draft = self.mentions[i]
        self.settings.add(draft.near)
        if draft.sort not in SORTS or draft.kind is MentionKind.PRONOUN:
            return
        if draft.kind is MentionKind.NAME and draft.sort not in (Sort.THING, Sort.ANIMAL):
            return
        if draft.sort is Sort.PART and self._is_of_a_body(draft):
            return
        known = self._known(i, draft)
        if known is None and self._is_part_of_it(draft):
            return
        if known is None:
            known = Thing(i, draft.head, draft.sort, draft.plural, i, i)
            self._of[i] = known
            self._row.append(known)
            del self._row[:-KEPT]
        else:
            self.again(known, i)
            known.noun = i if draft.head == known.head else known.noun

    def _is_part_of_it(self, draft: Draft) -> bool:
        """A corner of it: whatever that is, it is not the corner."""
        if draft.whole is None or draft.sort is not Sort.PART:
            return False
        return self.mentions[draft.whole].kind is MentionKind.PRONOUN

    def _is_of_a_body(self, draft: Draft) -> bool:
        whole = draft.whole if draft.whole is not None else draft.possessor
        return is_of_body(draft.head) if whole is None else self.mentions[whole].sort in LIVING

    def again(self, thing: Thing, i: int) -> None:
        """It is spoken of once more."""
        self._of[i] = thing
        thing.last, thing.count = i, thing.count + 1
        self._row.remove(thing)
        self._row.append(thing)

    def _known(self, i: int, draft: Draft) -> Thing | None:
        if draft.whole is not None and draft.whole in self._of:
            whole = self._of[draft.whole]
            return whole if whole in self._row and draft.sort is Sort.PART else None
        if not draft.definite:
            return None
        for thing in reversed(self._row):
            same = thing.head == draft.head and thing.plural is draft.plural
            if same and self._alike(thing, draft):
                return thing
        return None

    def _alike(self, thing: Thing, draft: Draft) -> bool:
        said, before = set(draft.descriptors), set(self.mentions[thing.first].descriptors)
        return not said or bool(said & before) or not before

    def candidates(self, i: int) -> Iterator[tuple[Thing, dict[str, float]]]:
        """What a pronoun could stand for, and what speaks for it and against it."""
        draft = self.mentions[i]
        between = 0
        for thing in reversed(self._row):
            if thing.plural is not draft.plural:
                continue
            far = self.words[draft.at].sentence - self.words[self.mentions[thing.last].at].sentence
            if far <= FAR_SENTENCES and self._can_be(thing, i):
                yield thing, self._features(thing, i, far, between)
                between = min(between + 1, MOST_BETWEEN)

    def are_joined(self, one: Thing, other: Thing) -> bool:
        """Whether both were last named side by side: a cup and a bowl."""
        first, second = sorted(self.mentions[each.last].at for each in (one, other))
        word = self.words[second]
        return one.sort is other.sort and word.dep == "conj" and word.head == first

    def met(self, one: Thing, other: Thing) -> bool:
        """Whether one did something to the other when they were last named."""
        first, second = (self.parts.get(each.last) for each in (one, other))
        if first is None or second is None or first.clause != second.clause:
            return False
        return {first.role, second.role} == {"doer", "object"}

    def _can_be(self, thing: Thing, i: int) -> bool:
        draft, other = self.mentions[i], self.mentions[thing.last]
        if draft.possessor == thing.last or other.possessor == i:
            return False
        if self._is_not_there(other, draft) or self._holds(other, draft):
            return False
        mine, theirs = self.parts.get(i), self.parts.get(thing.last)
        same = mine is not None and theirs is not None and mine.clause == theirs.clause
        return not same or draft.head in REFLEXIVE

    def _is_not_there(self, other: Draft, draft: Draft) -> bool:
        """No key, a lamp she dreamed of; but what one wishes for one may go on wishing for."""
        if other.definite or other.modality not in _NOT_THERE:
            return False
        return other.modality is Modality.NEGATED or draft.modality is Modality.ASSERTED

    def _holds(self, other: Draft, draft: Draft) -> bool:
        """A swan on it, a box to put it in: that is not what it is."""
        word = self.words[draft.at]
        above = self.words[word.head]
        if draft.head in REFLEXIVE:
            return False
        if word.dep == "pobj" and above.dep == "prep" and above.head == other.at:
            return True
        verb = next((w for w in self.words.above(draft.at) if w.pos in ("VERB", "AUX")), None)
        return verb is not None and verb.dep in ("relcl", "acl") and verb.head == other.at

    def _features(self, thing: Thing, i: int, far: int, between: int) -> dict[str, float]:
        draft, other = self.mentions[i], self.mentions[thing.last]
        mine, theirs = self.parts.get(i), self.parts.get(thing.last)
        found = {
            "sentences": float(far),
            "steps": log2(min(i - thing.last, MOST_STEPS)),
            "between": float(between),
            "often": min(thing.count - 1, 3) / 3,
            "pronoun": float(other.kind is MentionKind.PRONOUN),
            "cross": float(other.quotation != draft.quotation),
            "aside": float(self._is_aside(other)),
            "setting": float(thing.last in self.settings),
            "new": float(not other.definite),
            "joined": float(self.words[other.at].dep == "conj"),
        }
        if SORTS[thing.sort]:
            found[SORTS[thing.sort]] = 1.0
        if theirs is not None:
            found[theirs.role] = 1.0
            if mine is not None and mine.role == theirs.role:
                found["same"] = 1.0
        elif self.words[other.at].dep == "pobj":
            found["where"] = 1.0
        if mine is not None and mine.handled and thing.sort is not Sort.THING:
            found["unhandy"] = 1.0
        if mine is not None and mine.verb in _SUITED and mine.role != "where":
            found["suits"] = 1.0 if thing.head in _SUITED[mine.verb] else -1.0
        return found

    def _is_aside(self, other: Draft) -> bool:
        """In a relative clause, or only another word for the noun before."""
        if self.words[other.at].dep == "appos":
            return True
        verb = next((w for w in self.words.above(other.at) if w.pos in ("VERB", "AUX")), None)
        return verb is not None and verb.dep in ("relcl", "acl")
