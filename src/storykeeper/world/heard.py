"""What the author's people, things and places are called, and which of these names a player has
been told.

A player has heard a name that stood in the prose told to them. One that they typed first is a
guess: that a narrator says it back tells nothing, or typing guesses would show who there is. Nor
does a common word tell of who happens to be called so: rain is not Rain, nor a captain the captain.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role, SpeechUttered
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.met import has_come_across
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_MARKS = '\n.,;:!?…“”"()[]—–*_'
_EDGES = (" '", "' ", " -", "- ", "''", "--", "-'", "'-")  # marks that are not within a word
_ARTICLES = frozenset({"the", "a", "an", "my", "our", "his", "her", "their"})
BEAT = "beat:"  # how the window names a beat it asked the narrator to tell
BY_AUTHOR = "!"  # before a name: it stood in the author's own prose
HEAD = "?"  # before a name written large: it stood only where every word is
SMALL = "~"  # before a name that the author writes small: it stood there, and not as one of many
_HEADS = re.compile(r"(?:^|[.!?…:;\n“”\"‘(*_—–-])[\s“\"‘(*_—–]*$")  # a sentence begins after it
_BEFORE_ANY = re.compile(r"\b(?:an?|no|any|some|every|each|another|one)\s+$", re.IGNORECASE)
_HEARING = frozenset({Role.ACTOR, Role.TARGET, Role.WITNESS})


@lru_cache(maxsize=4_096)
def plain(phrase: str) -> str:
    """A name without case, marks, leading article and the s of what is somebody's."""
    words = [_bare(word) for word in _WORD.findall(phrase)]
    return " ".join(words[1:] if words[1:] and words[0] in _ARTICLES else words)


def phrases_of(each: Character | Thing | Setting) -> Iterator[str]:
    """All that something is called, in plain words; a person also by their first name."""
    for phrase in (each.name, *each.aliases):
        yield plain(phrase)
    if each.name[:1].isupper():
        yield plain(each.name).partition(" ")[0]


@lru_cache(maxsize=16)
def owners(plan: Plan) -> Mapping[str, frozenset[EntityId]]:
    """Whose names these are, by the plain name."""
    found: defaultdict[str, set[EntityId]] = defaultdict(set)
    authored: dict[str, Character | Thing | Setting]
    authored = {**plan.cast, **plan.things, **plan.settings}
    for entity, each in authored.items():
        for phrase in filter(None, phrases_of(each)):
            found[phrase].add(EntityId(entity))
    return {phrase: frozenset(who) for phrase, who in found.items()}


@lru_cache(maxsize=16)
def _begun(plan: Plan) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """The words of all names, by the first of them."""
    found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for phrase in owners(plan):
        words = tuple(phrase.split(" "))
        found[words[0]].append(words)
    return {first: tuple(sorted(names)) for first, names in found.items()}


def names_in(plan: Plan, text: str) -> frozenset[str]:
    """Every name of the author's that stands in a text, those within longer ones too."""
    words, begun = _words(text), _begun(plan)
    if begun.keys().isdisjoint(words):
        return frozenset()
    return frozenset(
        " ".join(name)
        for at in [at for at, word in enumerate(words) if word in begun]
        for name in begun[words[at]]
        if tuple(words[at : at + len(name)]) == name
    )


def _words(text: str) -> list[str]:
    """The words of a text as `plain` has them; of ordinary prose in a third of the time."""
    text = text.casefold().replace("’", "'")
    bare = f" {text} "
    for mark in _MARKS:
        bare = bare.replace(mark, " ")
    whole = bare.replace(" ", "").replace("'", "").replace("-", "").isalnum()
    if whole and not any(edge in bare for edge in _EDGES):
        words = bare.split()
    else:
        words = _WORD.findall(text)
    return [word.removesuffix("'s") for word in words] if "'s" in text else words


def told_in_text(plan: Plan, text: str) -> frozenset[str]:
    """The names by which a text tells of somebody, marked by how it writes them."""
    found = names_in(plan, text)
    return frozenset(mark for name in found for mark in _written(plan, text, name))


def bare(mark: str) -> str:
    """The name of a mark."""
    return mark.lstrip(f"{BY_AUTHOR}{HEAD}{SMALL}")


def is_large(name: str) -> bool:
    """Whether the author writes it as a name, article aside."""
    words = name.split()
    return any(word[:1].isupper() for word in (words[1:] or words))


def _written(plan: Plan, text: str, name: str) -> Iterator[str]:
    """Places are told of by any mention. Others are if it is written as their name is."""
    forms = _forms(plan)[name]
    if "place" in forms:
        yield name
    for match in _pattern(name).finditer(text):
        before = text[max(0, match.start() - 9) : match.start()]
        if "small" in forms and _BEFORE_ANY.search(before) is None:
            yield f"{SMALL}{name}"
        words = match.group().split()
        if "large" in forms and words[-1][:1].isupper():
            head = len(words) == 1 and _HEADS.search(before) is not None
            yield f"{HEAD}{name}" if head else name


@lru_cache(maxsize=16)
def _forms(plan: Plan) -> Mapping[str, frozenset[str]]:
    """How its owners write each name: large, small, or as that of a place."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    authored: dict[str, Character | Thing | Setting]
    authored = {**plan.cast, **plan.things, **plan.settings}
    for each in authored.values():
        sort = "place" if isinstance(each, Setting) else ""
        for phrase in (each.name, *each.aliases):
            found[plain(phrase)].add(sort or ("large" if is_large(phrase) else "small"))
        if each.name[:1].isupper():
            found[plain(each.name).partition(" ")[0]].add(sort or "large")
    return {name: frozenset(forms) for name, forms in found.items()}


@lru_cache(maxsize=4_096)
def _pattern(name: str) -> re.Pattern[str]:
    words = (re.escape(word).replace("'", "['’]") for word in name.split(" "))
    return re.compile(r"(?<!\w)" + r"\W+".join(words) + r"(?!\w)", re.IGNORECASE)


def told_names(world: World, turn: TurnNo) -> World:
    """The world with the names that the turn which becomes fact told its player, or had them
    guess.
    """
    both = (world.answered, world.pending)
    told = next((p for p in both if p is not None and p.turn == turn), None)
    if told is None or not (told.prose or told.text):
        return world
    plan, who = world.plan, told.player
    typed_first = (n for n in names_in(plan, told.text) if not _is_known(world, who, n))
    guessed = _and(world.guessed, who, typed_first)
    typed = guessed.get(who, ())
    new = {mark for mark in told_in_text(plan, told.prose) if bare(mark) not in typed}
    beats = (item.removeprefix(BEAT) for item in told.shown if told.take and item.startswith(BEAT))
    for beat in filter(None, map(plan.beats.get, beats)):
        new |= {f"{BY_AUTHOR}{mark}" for mark in told_in_text(plan, beat.prose)}
    return structs.replace(world, heard=_and(world.heard, who, new), guessed=guessed)


def _is_known(world: World, who: EntityId, name: str) -> bool:
    known = world.heard.get(who, ())
    told = name in known or f"{SMALL}{name}" in known
    return told or any(has_come_across(world, who, each) for each in owners(world.plan)[name])


def overheard(world: World, atom: Atom) -> World:
    """The world with the names that players hear in another's turn, of those an event is about."""
    if len(world.plan.players) < 2:
        return world
    refs = [p.entity for p in atom.participants if isinstance(p.entity, Resolved)]
    said = atom.what.words if isinstance(atom.what, SpeechUttered) else ""
    about = {ref.entity for ref in refs}
    text = " . ".join((said, *(ref.mention for ref in refs if ref.mention)))
    named = {n for n in names_in(world.plan, text) if not about.isdisjoint(owners(world.plan)[n])}
    people = {p.entity.entity for p in atom.participants
              if p.role in _HEARING and isinstance(p.entity, Resolved)}  # fmt: skip
    heard = world.heard
    for who in world.plan.players:
        if who in people and named:
            heard = _and(heard, who, named)
    return world if heard is world.heard else structs.replace(world, heard=heard)


def _and(
    rows: Map[EntityId, tuple[str, ...]], who: EntityId, names: Iterable[str]
) -> Map[EntityId, tuple[str, ...]]:
    """The rows with more names for somebody."""
    known = rows.get(who, ())
    new = {*names}.difference(known)
    return rows.set(who, tuple(sorted(new.union(known)))) if new else rows


def _bare(word: str) -> str:
    return word.casefold().replace("’", "'").removesuffix("'s")
