"""What is regular in how prose tells of coming and going, and of low voices.

"Tom left the parlour", "Eve came in", "Mara leads you down to the cellar": one table of verbs and
the few frames they stand in; and words of which the narration says that they are whispered.
Whatever is told otherwise is learned (`language.tagger`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from storykeeper.events.effects import Effect, effects_of
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.speakers import QUIET
from storykeeper.language.reading import Clause, Modality, Reading
from storykeeper.language.tagger import Hush, Sign
from storykeeper.language.tagger.people import Person, meant, name_words
from storykeeper.language.unseen import UNSEEN
from storykeeper.language.writings import WRITING

SURE = 0.95
_LEAVING = frozenset({"leave", "exit", "depart", "quit", "vacate"})
_ENTERING = frozenset({"enter", "reenter", "re-enter", "reach"})
_TOGETHER = frozenset({
    "lead", "take", "bring", "guide", "escort", "drag", "usher", "follow", "accompany", "join",
})  # fmt: skip
_OUT = frozenset({"out", "away", "off"})
_ROOM = frozenset({"room", "house", "building", "place", "premises", "shop", "hut", "tent"})
_STATES = {"asleep": "sleeps", "unconscious": "sleeps", "awake": "wakes", "gone": "departs"}
_FALLING_ASLEEP = re.compile(r"\b(?:fa?ell?s?|falls) (?:\w+ )?asleep\b|\bto sleep\b", re.IGNORECASE)
_AFAR = re.compile(r"^\W*(?:\w+ly\W+)?(?:upstairs|downstairs|outside|outdoors|home)\b(?! to\b)")
_FROM = re.compile(r"\b(?:out of|from)\s+$", re.IGNORECASE)
_INTO = re.compile(r"\b(?:in|into|to|toward|onto|at|through to)\s+$", re.IGNORECASE)
_NOT_NOW = re.compile(
    r"\b(?:had|often|always|usually|sometimes|every|would|used to)\b|['’]d\b", re.IGNORECASE
)
_STAYING = frozenset({"stay", "remain", "linger", "stay put", "stay behind"})
_READING = frozenset({"read", "unfold", "skim", "open"})
_SCREENS = frozenset({"phone", "screen", "message", "text"})
_HIDING = frozenset({"hide", "conceal", "stash"})
_BESIDE = 3  # characters between words and who says them
_NEAR = 14  # characters before a place in which the word stands that says which way


def whispers(reading: Reading, people: Sequence[Person]) -> list[Hush]:
    """Words that are whispered: for whom they are said to; if nobody is named, for the player."""
    who = meant(reading, people)
    player = next((n for n, p in enumerate(people) if p.is_player), None)
    found: list[Hush] = []
    for quotation in reading.quotations:
        if quotation.whispered:
            to = player if quotation.addressee is None else who[quotation.addressee]
            found.append(Hush(quotation.start, quotation.end, SURE, () if to is None else (to,)))
    for clause in reading.clauses:  # and words that are only reported
        reports = clause.quotation is None and not _tags(clause, reading)
        if clause.verb in QUIET and clause.actors and reports:
            heard = [who[n] for n in (*clause.actors, *clause.targets)]
            heard += [] if clause.targets else [player]
            to_whom = tuple(dict.fromkeys(n for n in heard if n is not None))
            found.append(Hush(clause.start, clause.end, SURE, to_whom))
    return found


def _tags(clause: Clause, reading: Reading) -> bool:
    """Whether a clause says of words beside it whose they are."""
    return any(
        clause.start - _BESIDE <= quotation.end and quotation.start <= clause.end + _BESIDE
        for quotation in reading.quotations
    )


def unseen(reading: Reading, people: Sequence[Person]) -> list[Hush]:
    """Deeds of which a clause says that others do not see them: for who does them, and the player
    it is told to.
    """
    player = tuple(n for n, person in enumerate(people) if person.is_player)
    return [
        Hush(clause.start, clause.end, SURE, player)
        for clause in reading.clauses
        if clause.quotation is None
        and (UNSEEN.search(reading.text[clause.start : clause.end])
             or (clause.verb in _HIDING and clause.targets))
    ]  # fmt: skip


def moves(
    reading: Reading, people: Sequence[Person], places: Mapping[str, tuple[str, ...]]
) -> list[Sign]:
    """Who comes and goes by what stands in the table, in the order of the text; and who `stays`,
    whatever else the sentence sounds like.
    """
    who = meant(reading, people)
    text = _Text(reading, people, places, who, [person.place for person in people])
    return [sign for clause in _in_order(reading) for sign in text.signs(clause)]


def _in_order(reading: Reading) -> list[Clause]:
    return sorted(reading.clauses, key=lambda clause: clause.start)


@dataclass(frozen=True, slots=True)
class _Text:
    reading: Reading
    people: Sequence[Person]
    places: Mapping[str, tuple[str, ...]]
    who: Sequence[int | None]  # each mention means
    now: list[str | None]  # where everyone is, as far as it is read

    @property
    def here(self) -> str | None:
        """Where the player is."""
        return next((at for p, at in zip(self.people, self.now, strict=True) if p.is_player), None)

    def signs(self, clause: Clause) -> Iterator[Sign]:
        words = self.reading.text[clause.start : clause.end]
        told = clause.modality is Modality.ASSERTED and clause.quotation is None
        dated = any(clause.start <= time.start < clause.end for time in self.reading.times)
        if not told or dated or _NOT_NOW.search(words):
            return
        movers = list(self._people(clause.actors))
        if clause.verb.partition(" ")[0] in _TOGETHER:
            movers += self._people(clause.targets)
        for who in movers:
            sign = self._sign(clause, words, who)
            if sign is not None:
                kind, to = sign
                if kind in ("departs", "arrives"):
                    self.now[who] = to
                yield Sign(clause.start, clause.end, who, kind, SURE, to)

    def _people(self, mentions: Sequence[int]) -> Iterator[int]:
        found = (self.who[i] for i in mentions)
        return (who for who in found if who is not None)

    def _sign(self, clause: Clause, words: str, who: int) -> tuple[str, str | None] | None:
        verb = clause.verb
        state = _STATES.get(clause.state.casefold()) if verb in ("be", "lie", "sit") else None
        effects = effects_of(verb)
        if state is not None:
            return state, None
        if verb in _STAYING:
            return "stays", None
        if verb in _READING and any(self._is_writing(i) for i in clause.targets):
            return "reads", None
        if Effect.SLEEPS in effects or _FALLING_ASLEEP.search(words):
            return "sleeps", None
        if Effect.WAKES in effects and not clause.targets:
            return "wakes", None
        if Effect.HIDES in effects and not clause.targets:
            return "hides", None
        return self._going(clause, words, who)

    def _going(self, clause: Clause, words: str, who: int) -> tuple[str, str | None] | None:
        first, _, particle = clause.verb.partition(" ")
        moving = VerbClass.MOVE in verb_classes(first) or Effect.GOES in effects_of(clause.verb)
        goal = self._goal(clause)
        if clause.verb == "be" and self.here is not None and self.now[who] == self.here:
            return None  # who is before us is not elsewhere
        moving = moving or clause.verb == "be"
        if goal is not None and (moving or first in _ENTERING or first in _TOGETHER):
            return None if goal == self.now[who] else (self._way(goal), goal)
        if self._leaves(clause, who, moving=moving) or (
            moving and not clause.targets and self._is_afar(clause, words, particle)
        ):
            return "departs", None
        elsewhere = self.here is not None and self.now[who] != self.here
        comes = Effect.COMES in effects_of(clause.verb) or first in ("come", "return", "arrive")
        if comes and elsewhere and not clause.targets and not clause.locations:
            return "arrives", self.here
        return None

    def _way(self, goal: str) -> str:
        return "arrives" if goal == self.here else "departs"

    def _goal(self, clause: Clause) -> str | None:
        """A place that a clause leads to."""
        if clause.verb in _ENTERING:
            return next(filter(None, map(self._place, (*clause.targets, *clause.locations))), None)
        for i in clause.locations:
            at = self.reading.mentions[i].start
            if _INTO.search(self.reading.text[max(0, at - _NEAR) : at]) and self._place(i):
                return self._place(i)
        return None

    def _leaves(self, clause: Clause, who: int, *, moving: bool) -> bool:
        """Whether it says that somebody is no longer where they are."""
        own = self.now[who]
        if clause.verb in _LEAVING:
            whence = [self._is_here(i, own) for i in clause.targets]
            return all(whence) and not any(self._is_other(i, own) for i in clause.locations)
        return moving and any(
            self._is_here(i, own)
            and _FROM.search(self.reading.text[: self.reading.mentions[i].start][-_NEAR:])
            for i in clause.locations
        )

    def _is_afar(self, clause: Clause, words: str, particle: str) -> bool:
        """Out, away, upstairs: not here any more, wherever that is."""
        if particle in _OUT and not clause.locations and not clause.verb.startswith("come "):
            return True
        verb = clause.verb.partition(" ")[0]
        at = re.search(rf"\b{re.escape(verb[:3])}\w*", words, re.IGNORECASE)
        rest = words[at.end() :] if at is not None else words.partition(" ")[2].partition(" ")[2]
        return _AFAR.match(rest) is not None

    def _is_writing(self, i: int) -> bool:
        return self.reading.mentions[i].head.casefold() in WRITING | _SCREENS | {"it"}

    def _is_here(self, i: int, own: str | None) -> bool:
        head = self.reading.mentions[i].head.casefold()
        place = self._place(i)
        return head in _ROOM if place is None else place == own

    def _is_other(self, i: int, own: str | None) -> bool:
        return self._place(i) not in (None, own)

    def _place(self, i: int) -> str | None:
        """The place that a mention names, if it is one."""
        said = name_words(self.reading.mentions[i].text)
        found = [
            place for place, names in self.places.items()
            if any(said and said == name_words(name) for name in names)
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None
