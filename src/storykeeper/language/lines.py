"""A player's line as acts: who is addressed, what is done, to what, about what.

Rules and names only, no model: an act is a verb, the person or thing after it is what it is done
to, and what follows *about*, *where* or *why* is what it is about. Quoted words are speech. A line
that says several things gives several acts, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from storykeeper.language.names import Found, Names
from storykeeper.language.verbs import MOVING, SAME, acts_in, is_verb
from storykeeper.units import EntityId

# None of these looks far for an end that may not come: a pasted text must not take long.
_QUOTED = re.compile(r'"([^"]+)"|“([^“”]+)”')
_SPACES = re.compile(r"[^\S\n]+")
_CLAUSE = re.compile(r"([.!?;\n]+|,? (?:and )?then |, and )", re.IGNORECASE)
_WORD = re.compile(r"[a-z’']+", re.IGNORECASE)
_AND = re.compile(r" and (?:i )?", re.IGNORECASE)
_ASKING = re.compile(r"[\s,]*(?:what|where|who|whose|why|when|how|which)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?\s")
_ABOUT = re.compile(
    r"\b(about|abt|where|why|whether|when|who|what|how|if|concerning|regarding|for|of|that)\b",
    re.IGNORECASE,
)
# Not done: thought of, put off, asked about, or only just not.
_UNDONE = re.compile(
    r"\b(almost|nearly|about to|decide against|decide not|think (?:about|of)|consider|wonder"
    r"|imagine|plan to|mean to|intend to|instead of|rather than|nothing|never|later|tomorrow"
    r"|pretend|(?:should|would|shall) i|what if)\b",
    re.IGNORECASE,
)
_TELL_ME = re.compile(r"\b(?:tell|show) (?:me|us)\b", re.IGNORECASE)
_WHISPER = re.compile(r"\b(?:whisper|murmur)", re.IGNORECASE)
_OTHERS_DO = re.compile(r" [a-z]+s\b(?!')", re.IGNORECASE)  # "Pell tells", not "Pell, tell"
_WATCHING = frozenset({"watch", "see", "hear", "notice", "let", "make", "help"})
_GIVING = frozenset({"give", "show", "hand"})
_ADDRESSING = frozenset({"ask", "tell"})  # only people are asked; a thing is asked about
MAX_ACTS = 12  # of one line; more is a pasted text, not a turn


@dataclass(frozen=True, slots=True)
class Act:
    """Something a player does."""

    act: str
    to: EntityId | None = None
    about: EntityId | None = None
    place: EntityId | None = None  # where a movement goes
    words: str = ""  # what is said
    whispered: bool = False  # so that only `to` can hear it


@dataclass(frozen=True, slots=True)
class Sorts:
    """Which names are people, which places; the rest are things."""

    people: frozenset[EntityId]
    places: frozenset[EntityId]
    players: frozenset[EntityId] = frozenset()  # who types is neither told nor talked about


def read_line(text: str, *, names: Names, sorts: Sorts, known: frozenset[str]) -> tuple[Act, ...]:
    """The acts of a line, in order."""
    spoken = [quoted.group(1) or quoted.group(2) for quoted in _QUOTED.finditer(text)]
    bare = _SPACES.sub(" ", _QUOTED.sub(" ", text)).strip().lstrip("> ").strip("*")
    acts = list(_said(spoken, bare, names=names, sorts=sorts))
    for clause, asked in _clauses(bare, known):
        if len(acts) >= MAX_ACTS:
            break
        acts.extend(_clause(clause, asked=asked, names=names, sorts=sorts, known=known))
    if spoken:
        acts = _with_topics(acts, spoken, names=names, sorts=sorts)
    return tuple(acts[:MAX_ACTS])


def _said(spoken: list[str], bare: str, *, names: Names, sorts: Sorts) -> Iterator[Act]:
    """What is said aloud; or whispered, and then to whom."""
    people = [f.entity for f in _others(names.find(bare), sorts) if f.entity in sorts.people]
    low = bool(people) and _WHISPER.search(bare) is not None
    for words in spoken:
        yield Act("say", to=people[0] if low else None, words=words, whispered=low)


def _with_topics(acts: list[Act], spoken: list[str], *, names: Names, sorts: Sorts) -> list[Act]:
    """Quoted words say what was asked or told about; a quoted question is one even alone."""
    words = " ".join(spoken)
    named = [f.entity for f in _others(names.find(words), sorts)]
    addressed = [act for act in acts if act.act in _ADDRESSING]
    if not addressed and any("?" in each for each in spoken):
        people = [who for who in named if who in sorts.people]
        rest = [what for what in named if what not in people[:1]]
        topic = rest[0] if rest else None
        return [*acts, Act("ask", to=people[0] if people else None, about=topic)]
    return [
        replace(act, about=next((n for n in named if n != act.to), None))
        if act in addressed and act.about is None
        else act
        for act in acts
    ]


def _others(found: Sequence[Found], sorts: Sorts) -> list[Found]:
    return [f for f in found if f.entity not in sorts.players]


def _clauses(text: str, known: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """What is said one after the other, and whether it is a question.

    *And* joins two clauses if a verb follows it, and otherwise two names.
    """
    split = [*_CLAUSE.split(text), ""]
    for clause, end in zip(split[::2], split[1::2], strict=True):
        start = 0
        for joint in _AND.finditer(clause):
            verb = _WORD.match(clause, joint.end())
            if verb is not None and is_verb(verb.group(), known):
                yield clause[start : joint.start()], False
                start = joint.end()
        if clause[start:].strip():
            yield clause[start:], "?" in end


def _clause(
    clause: str, *, asked: bool, names: Names, sorts: Sorts, known: frozenset[str]
) -> Iterator[Act]:
    clause = _TELL_ME.sub("ask", clause)
    if _UNDONE.search(clause) or _somebody_else(clause, names, sorts):
        return
    found = _others(_without_owners(clause, names.find(clause)), sorts)
    marker = _ABOUT.search(clause)
    split = marker.start() if marker is not None else len(clause)
    before = [f for f in found if f.start < split]
    after = [f for f in found if f.start >= split]
    unnamed = _unnamed(clause, names.find(clause))
    if asked and _ASKING.match(unnamed):
        yield _act("ask", before=before, after=after, sorts=sorts)
        return
    verbs = acts_in(unnamed, known)
    if verbs and verbs[0] in _WATCHING:  # she lights it; the player looks
        verbs = tuple(v for v in verbs if v in (verbs[0], SAME.get(verbs[0])))
    wanted = [verb for verb in verbs if verb in known] or list(verbs[-1:])
    for verb in wanted:
        yield _act(verb, before=before, after=after, sorts=sorts)
    moving = MOVING.intersection(verbs)
    if moving and not moving.intersection(wanted):
        yield _act("go", before=before, after=after, sorts=sorts)


def _somebody_else(clause: str, names: Names, sorts: Sorts) -> bool:
    """Whether the clause says what another person does."""
    first = next(iter(names.find(clause)), None)
    if first is None or first.entity not in sorts.people - sorts.players:
        return False
    return not clause[: first.start].strip() and bool(_OTHERS_DO.match(clause, first.end))


def _unnamed(clause: str, found: Sequence[Found]) -> str:
    """The clause with blanks for names: the watch room is nothing that anybody watches."""
    for f in found:
        clause = clause[: f.start] + " " * (f.end - f.start) + clause[f.end :]
    return clause


def _without_owners(clause: str, found: Sequence[Found]) -> list[Found]:
    """Names but for those that only say whose: in "Mara's grey coat", the coat."""
    followed = {f.end for f in found[:-1]}
    return [f for f in found if f.end not in followed or not _POSSESSIVE.match(clause, f.end)]


def _act(verb: str, *, before: list[Found], after: list[Found], sorts: Sorts) -> Act:
    people = [f.entity for f in before if f.entity in sorts.people]
    others = [f.entity for f in before if f.entity not in sorts.people]
    about = after[0].entity if after else None
    if verb in MOVING:
        named = [f.entity for f in (*before, *after) if f.entity in sorts.places]
        return Act(verb, place=named[-1] if named else None, to=people[0] if people else None)
    if verb in _GIVING and people:
        things = [f.entity for f in (*before, *after) if f.entity not in sorts.people]
        return Act(verb, to=people[0], about=things[0] if things else None)
    to = before[0].entity if before else None
    if verb in _ADDRESSING and to is not None and to not in sorts.people:
        return Act(verb, to=people[0] if people else None, about=about or to)
    if to is not None and about is None and to in sorts.people and others:
        about = others[0]
    return Act(verb, to=to, about=about)
