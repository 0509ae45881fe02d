"""Texts that are open from the start and tell what is withheld.

The gate keeps a fact from those who do not know it. What the author writes elsewhere it does not
read: a line of somebody's card that says the secret in other words stands in the first window. So
each sentence that anybody may have before the first turn is held against each sentence of each fact
that a player does not have then (`overlap.tells`). Names alone tell nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from storykeeper.events.vocabulary import Awareness
from storykeeper.story.conditions import Condition, children
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import PLAYER, Story
from storykeeper.story.overlap import OVERLAP, SMALL_WORDS, sentences, tells, words_of
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.problems import Path, Problem, Severity
from storykeeper.story.scenes import Scene, Withheld

_MOST = 3  # facts that are named of one text
_LEAST = 2  # content words; a sentence of one tells nothing
_OWNED = frozenset({Awareness.ARTICULATE, Awareness.RECOGNISABLE})  # feelings given by their names
_ENDINGS = ("ing", "ed", "es", "s")
_STEM = 4  # letters that an ending leaves

Text = tuple[Path, str, str]  # where, what it is called, what it says


class _Kept(NamedTuple):
    """One sentence of what is withheld: its content words, and those of them that name nobody."""

    fact: Fact
    content: frozenset[str]
    said: frozenset[str]


def check_telling(story: Story) -> Iterator[Problem]:
    """Every open text that tells a fact which some player does not have; of one text, a few."""
    kept = list(_withheld(story))
    places = _by_rare_words(kept)
    for path, called, text in (*_open_texts(story), *_opening(story)):
        found: set[str] = set()
        for sentence in map(_content, sentences(text)):
            for number in sorted({n for word in sentence for n in places.get(word, ())}):
                each = kept[number]
                if len(found) >= _MOST:
                    break
                if each.fact.id not in found and _tells(sentence, each, path, story):
                    found.add(each.fact.id)
                    yield _problem(each.fact, path, called, sentence & each.content)


def _by_rare_words(kept: list[_Kept]) -> dict[str, list[int]]:
    """By so many of their rarest words that whoever tells one has at least one of these."""
    times = Counter(word for each in kept for word in each.content)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(kept):
        rarest = sorted(each.content, key=lambda word: (times[word], word))
        for word in rarest[: int((1 - OVERLAP) * len(rarest)) + 1]:
            places[word].append(number)
    return places


def _tells(sentence: frozenset[str], kept: _Kept, path: Path, story: Story) -> bool:
    both = tells(sentence, kept.content) and tells(sentence, kept.said)
    return both and not _is_shown(story, kept.fact, path)


def _problem(fact: Fact, path: Path, called: str, words: frozenset[str]) -> Problem:
    what = f"{called} tells much of `{fact.id}`, which a player does not know yet"
    what += f" ({', '.join(sorted(words))})"
    fix = "say less there, in other words, or let players know it from the start"
    return Problem(code="secret-told", what=what, fix=fix, path=path, severity=Severity.WARNING)


# ── what is withheld ─────────────────────────────────────────────────────────────────────────


def _withheld(story: Story) -> Iterator[_Kept]:
    names = frozenset(_names(story))
    for fact in story.facts:
        if _is_withheld(story, fact):
            for text in (fact.full, *fact.said):
                for sentence in map(_content, sentences(text)):
                    if len(sentence) >= _LEAST:
                        yield _Kept(fact, sentence, sentence - names)


def _names(story: Story) -> Iterator[str]:
    """The words that people, places and things are called by."""
    called: list[Character | Setting | Thing] = [*story.cast, *story.settings, *story.things]
    for each in called:
        for name in (each.name, *each.aliases):
            yield from _content(words_of(name))


def _is_withheld(story: Story, fact: Fact) -> bool:
    """Whether some player neither knows nor believes it when the story begins."""
    has = {*fact.known_by, *fact.believed_by}
    return PLAYER not in has and any(player not in has for player in story.players)


def _content(words: frozenset[str]) -> frozenset[str]:
    return frozenset(_bare(word) for word in words if word not in SMALL_WORDS and len(word) > 1)


def _bare(word: str) -> str:
    """A word without its ending."""
    if word.endswith("ies") and len(word) > _STEM:
        return f"{word[:-3]}y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


# ── what is open ─────────────────────────────────────────────────────────────────────────────


def _open_texts(story: Story) -> Iterator[Text]:
    """What the narrator, a player or anybody who comes across it may have, and where it stands."""
    yield ("voice",), "the voice", story.voice
    for key, called in (("rules", "a rule"), ("anti_patterns", "an anti-pattern")):
        yield from _each((key,), called, getattr(story, key))
    for i, soft in enumerate(story.soft):
        yield ("soft", i, "text"), f"“{soft.heading}”", f"{soft.heading}. {soft.text}"
    for i, person in enumerate(story.cast):
        yield ("cast", i, "line"), f"the line of `{person.id}`", person.line
        yield from _feelings(person, ("cast", i, "mood", "feelings"))
        yield from _acts(person, ("cast", i))
        if person.id in story.players:
            yield from _own(person, ("cast", i))
    for key in ("settings", "things"):
        for i, each in enumerate(getattr(story, key)):
            yield (key, i, "description"), f"the description of `{each.id}`", each.description
    for i, fact in enumerate(story.facts):
        for j, each in enumerate(fact.shows):
            yield ("facts", i, "shows", j, "text"), f"what `{fact.id}` shows", each.text
    for i, scene in enumerate(story.scenes):
        yield from _felt(story, scene, ("scenes", i))


def _each(path: Path, called: str, texts: tuple[str, ...]) -> Iterator[Text]:
    yield from (((*path, i), called, text) for i, text in enumerate(texts))


def _feelings(person: Character, path: Path) -> Iterator[Text]:
    """As the narrator is given them: by name, or as behaviour."""
    for i, each in enumerate(person.mood.feelings):
        key = "name" if each.awareness in _OWNED else "shown_as"
        yield (*path, i, key), f"a feeling of `{person.id}`", getattr(each, key)


def _acts(person: Character, path: Path) -> Iterator[Text]:
    """What is seen of them."""
    for key in ("shows", "does"):
        for i, each in enumerate(getattr(person, key)):
            yield (*path, key, i, "text"), f"what is seen of `{person.id}`", each.text


def _own(person: Character, path: Path) -> Iterator[Text]:
    """The card of somebody who is played."""
    called = f"the card of `{person.id}`"
    for key in ("rules", "taboos", "doctrine", "capabilities"):
        yield from _each((*path, key), called, getattr(person, key))
    for key in ("beliefs", "goals"):
        for i, each in enumerate(getattr(person, key)):
            yield (*path, key, i, "text"), called, each.text
    for i, relation in enumerate(person.relations):
        yield (*path, "relations", i, "history"), called, relation.history


def _felt(story: Story, scene: Scene, path: Path) -> Iterator[Text]:
    """Tone and stakes, which are felt from afar unless they are withheld."""
    for key in (Withheld.TONE, Withheld.STAKES):
        if scene.id == story.start or key not in scene.withheld:
            yield (*path, key.value), f"the {key.value} of `{scene.id}`", getattr(scene, key)


def _opening(story: Story) -> Iterator[Text]:
    """The first that is told."""
    for i, scene in enumerate(story.scenes):
        if scene.id == story.start and scene.beats:
            beat = scene.beats[0]
            called = f"the beat `{scene.id}/{beat.id}`"
            yield ("scenes", i, "beats", 0, "prose"), called, beat.prose


def _is_shown(story: Story, fact: Fact, path: Path) -> bool:
    """Whether the text is a beat by which a player learns the fact."""
    if path[0] != "scenes" or path[2] != "beats":
        return False
    scene = story.scenes[int(path[1])]
    beat = scene.beats[int(path[3])]
    shown = {f for event in story.events if event.id in beat.happens for f in event.reveals}
    if fact.id in shown or fact.id in beat.reveals:
        return True
    return any(_asks_for(each.when, f"{scene.id}/{beat.id}") for each in fact.revealed_by)


def _asks_for(when: Condition, beat: str) -> bool:
    return when.told == beat or any(_asks_for(inner, beat) for _, inner in children(when))
