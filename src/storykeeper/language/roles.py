"""Who and what takes which part in an act: by the verb, and the small words before each phrase."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from storykeeper.language.acts import Act, ActKind, Referred, Sorts
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.phrases import Phrase, located
from storykeeper.language.reading import Gender, MentionKind, Sort
from storykeeper.language.topics import ABOUT, about_what
from storykeeper.language.verbs import (
    ASKING,
    GOING,
    MOVING,
    SEEING,
    SPEAKING,
    TOUCHING,
    is_verb,
    kind_of,
)
from storykeeper.units import EntityId

GIVING = frozenset(
    ["give", "show", "hand", "offer", "pass", "lend", "sell", "send", "feed", "throw", "toss",
     "return", "serve", "teach", "pay", "promise", "bring", "pour", "slip"]
)  # fmt: skip
_ADDRESSING = frozenset({"ask", "tell", "beg", "warn", "inform", "question"})
_PUTTING = frozenset(
    ["put", "place", "set", "lay", "drop", "throw", "toss", "hang", "hide", "stuff", "slip",
     "tuck", "pour", "leave", "lean", "shove", "push", "stick", "dump", "slide", "stow",
     "lock", "use"]
)  # fmt: skip
_BY_TOOL = frozenset({"open", "unlock", "lock", "close", "shut", "cut", "dig", "pry", "strike"})
_TRAILING = frozenset({"follow", "chase", "pursue", "approach"})  # somebody or something
_LEAVING = frozenset({"leave", "exit", "flee", "escape", "depart"})
_GESTURES = frozenset({"shake", "roll", "raise", "stretch", "swallow"})  # of the body, or not
_OUT = frozenset({"over", "out", "up", "back", "around"})  # "hand over the key"
_STAYING = frozenset({"sit", "stand", "lie", "kneel", "lean", "sleep", "wait", "hide", "rest"})
_THROUGH = frozenset({"through", "over", "across", "along", "past", "by"})
_HERE = frozenset(
    ["in", "on", "under", "behind", "beside", "near", "inside", "at", "by", "over", "above",
     "below", "beneath", "against", "between", "around", "outside", "upon"]
)  # fmt: skip
_CLASSED = {
    VerbClass.PERCEIVE: ActKind.OBSERVATION, VerbClass.ASK: ActKind.INQUIRY,
    VerbClass.SAY: ActKind.SPEECH, VerbClass.MOVE: ActKind.MOVEMENT, VerbClass.FEEL: ActKind.EMOTE,
}  # fmt: skip


@dataclass(slots=True)
class Parts:
    """What was found for each part of an act; what has no part yet may still get one."""

    target: Referred | None = None
    topic: Referred | None = None
    instrument: Referred | None = None
    where: Referred | None = None
    origin: Referred | None = None


def act_with(act: str, verb: str, phrases: Sequence[Phrase], sorts: Sorts) -> Act:
    """An act with everything that its clause refers to in its part."""
    others = [p for p in phrases if not _oneself(p.what, sorts) and not _gerund(p)]
    others = [p for p in others if not _subject(p) and not _infinitive(p) and not _how_often(p)]
    if act in MOVING and verb == "return" and _brings(others, sorts):
        act = "give"
    if verb in _PUTTING and _is_hand_in(others, sorts):
        act, others = "search", others[1:]  # "put my hand in the crock"
    parts = _parts(act, verb, others, sorts)
    kind = _kind(act, verb, parts, sorts)
    return Act(
        act, kind=kind, verb=verb, target=parts.target, topic=parts.topic,
        instrument=parts.instrument, where=parts.where, origin=parts.origin,
        to=_to(act, parts), about=_about(act, parts, others, sorts),
        place=_place(others, sorts) if act in MOVING else None,
    )  # fmt: skip


def _is_hand_in(phrases: list[Phrase], sorts: Sorts) -> bool:
    """Whether somebody reaches into something with a part of their own body."""
    if len(phrases) < 2 or phrases[0].before or not _own_body(phrases[0].what, sorts):
        return False
    return phrases[1].before in ("in", "into", "inside", "under", "behind", "down", "through")


def _oneself(what: Referred | None, sorts: Sorts) -> bool:
    if what is None:
        return False
    return what.entity in sorts.players or (what.entity is None and what.mention.person == 1)


def _to(act: str, parts: Parts) -> EntityId | None:
    """Whom or what of the author's an act is done to; where, if it is done to nothing else."""
    if parts.target is not None or act in MOVING:
        return _entity(parts.target)
    return _entity(parts.where) or _entity(parts.origin)


def _about(act: str, parts: Parts, phrases: list[Phrase], sorts: Sorts) -> EntityId | None:
    if act in MOVING:
        return None
    if parts.topic is not None or not is_person(parts.target, sorts):
        return _entity(parts.topic)
    named = (p.what.entity for p in phrases if not is_person(p.what, sorts))
    return next((entity for entity in named if entity is not None), None)


def _place(phrases: list[Phrase], sorts: Sorts) -> EntityId | None:
    named = [p.what.entity for p in phrases if p.before not in ("from", "of")]
    return next((entity for entity in reversed(named) if entity in sorts.places), None)


def _entity(what: Referred | None) -> EntityId | None:
    return None if what is None else what.entity


def is_person(what: Referred | None, sorts: Sorts) -> bool:
    """Whether somebody is referred to, by name or not."""
    if what is None:
        return False
    return what.entity in sorts.people if what.entity else what.mention.sort is Sort.PERSON


def is_place(what: Referred, sorts: Sorts) -> bool:
    """Whether a place is referred to."""
    return what.entity in sorts.places if what.entity else what.mention.sort is Sort.PLACE


def _addressable(what: Referred, sorts: Sorts) -> bool:
    """Whether one can ask it something: only people are asked, a thing is asked about."""
    if what.entity is not None:
        return what.entity in sorts.people
    if what.mention.kind is MentionKind.PRONOUN:
        return what.mention.gender is not Gender.IT
    return what.mention.sort in (Sort.PERSON, Sort.GROUP, Sort.ANIMAL, Sort.UNKNOWN)


def each_of(act: Act, phrases: Sequence[Phrase]) -> list[Act]:
    """ "Take the key and the coat" is two acts."""
    if act.kind in (ActKind.SPEECH, ActKind.INQUIRY, ActKind.MOVEMENT) or act.target is None:
        return [act]
    first = next((i for i, p in enumerate(phrases) if p.what == act.target), None)
    if first is None:
        return [act]
    acts = [act]
    for phrase in phrases[first + 1 :]:
        if not phrase.joined:
            break
        acts.append(replace(act, target=phrase.what, to=phrase.what.entity))
    return acts


def _brings(phrases: Sequence[Phrase], sorts: Sorts) -> bool:
    first = next(iter(phrases), None)
    return first is not None and not first.before and not is_place(first.what, sorts)


def _parts(act: str, verb: str, phrases: list[Phrase], sorts: Sorts) -> Parts:
    parts = Parts()
    if verb in _LEAVING and not _puts_down(phrases, sorts):
        return _left(phrases, parts, sorts)
    if act in MOVING or (verb in GOING and verb not in _LEAVING and act not in _TRAILING):
        return _moved(phrases, parts, sorts)
    if act == "give" or (verb in GIVING and _to_somebody(phrases, sorts)):
        return _given(phrases, parts, sorts)
    if act in _ADDRESSING or act in SPEAKING or act in ASKING:
        return _said(act, phrases, parts, sorts)
    return _done(act, verb, phrases, parts, sorts)


def _to_somebody(phrases: list[Phrase], sorts: Sorts) -> bool:
    bare = [p.what for p in phrases if not p.before and not p.joined]
    to = any(p.before == "to" and is_person(p.what, sorts) for p in phrases)
    return to or (len(bare) > 1 and is_person(bare[0], sorts))


def _left(phrases: list[Phrase], parts: Parts, sorts: Sorts) -> Parts:
    for phrase in phrases:
        if phrase.before in ("", "from", "of") and parts.origin is None:
            parts.origin = phrase.what
        elif phrase.before in ("with", "without") and is_person(phrase.what, sorts):
            parts.target = parts.target or phrase.what
        elif phrase.before in ("through", "by"):
            parts.instrument = parts.instrument or phrase.what
        else:
            parts.where = parts.where or phrase.what
    return parts


def _moved(phrases: list[Phrase], parts: Parts, sorts: Sorts) -> Parts:
    ways = [p for p in phrases if p.before in _THROUGH]
    for phrase in phrases:
        if is_person(phrase.what, sorts):
            parts.target = parts.target or phrase.what
        elif phrase.before in ("from", "of"):
            parts.origin = parts.origin or phrase.what
        elif phrase.before == "with":
            parts.instrument = parts.instrument or phrase.what
        elif phrase not in ways:
            parts.where = phrase.what
    for way in ways:
        if is_person(way.what, sorts):
            continue
        if parts.where is None:
            parts.where = way.what
        elif parts.where is not way.what:
            parts.instrument = parts.instrument or way.what
    return parts


def _given(phrases: list[Phrase], parts: Parts, sorts: Sorts) -> Parts:
    bare = [p.what for p in phrases if not p.before or (p is phrases[0] and p.before in _OUT)]
    phrases = [p for p in phrases if p is not phrases[0] or p.before not in _OUT]
    for phrase in phrases:
        what = phrase.what
        if phrase.before == "to":
            parts.target = parts.target or what
        elif phrase.before == "from":
            parts.origin = parts.origin or what
        elif phrase.before == "with":
            parts.instrument = parts.instrument or what
        elif phrase.before in _HERE:
            parts.where = parts.where or what
        elif phrase.before == "of" or (phrase.before and phrase.before not in ABOUT):
            parts.topic = parts.topic or what
    if parts.target is None and bare and (len(bare) > 1 or is_person(bare[0], sorts)):
        parts.target = bare.pop(0)
    parts.topic = next((b for b in bare if b != parts.target), parts.topic)
    return parts


def _said(act: str, phrases: list[Phrase], parts: Parts, sorts: Sorts) -> Parts:
    rest = list(phrases)
    for i, phrase in enumerate(phrases):
        asked = act not in _ADDRESSING or _addressable(phrase.what, sorts)
        if asked and phrase.before not in ABOUT:
            parts.target = phrase.what
            rest = [p for p in phrases[i + 1 :] if not p.joined or p.before in ABOUT]
            break  # "ask Mara and Pell": the first stands for both
        if phrase.before in ABOUT:
            break
    parts.topic = about_what(rest, sorts)
    you = parts.target is not None and parts.target.mention.person == 2
    if you and rest and is_person(rest[0].what, sorts) and not rest[0].before:  # "you, Mara"
        parts.target, parts.topic = rest[0].what, about_what(rest[1:], sorts)
    return parts


def _subject(phrase: Phrase) -> bool:
    return phrase.what.mention.head in ("he", "she", "they")


def _how_often(phrase: Phrase) -> bool:
    """Whether a phrase says when or how often: "knock three times"."""
    return not phrase.before and phrase.what.mention.sort is Sort.TIME


def _infinitive(phrase: Phrase) -> bool:
    """Whether a phrase is what is to be done: "promise to return the key"."""
    mention = phrase.what.mention
    bare = phrase.what.entity is None and not mention.definite and mention.text == mention.head
    return bare and phrase.before == "to" and is_verb(mention.head, frozenset())


def _gerund(phrase: Phrase) -> bool:
    """Whether a phrase is what is being done: "stop pumping the lamp"."""
    mention = phrase.what.mention
    bare = phrase.what.entity is None and not mention.definite and not mention.descriptors
    return bare and mention.head.endswith("ing") and mention.text == mention.head


def _done(act: str, verb: str, phrases: list[Phrase], parts: Parts, sorts: Sorts) -> Parts:
    bare = next((p for p in phrases[:1] if not p.before), None)
    if act == "look" and bare is not None:
        bare = _watched(bare, phrases, parts)
    for phrase in phrases:
        what, before = phrase.what, phrase.before
        if phrase is bare:
            parts.target = what
        elif phrase.joined:
            continue
        elif before in ("about", "concerning", "regarding", "for") or _seen(act, phrase, parts):
            parts.topic = parts.topic or what
        elif before == "from" or (before == "off" and parts.target is not None):
            parts.origin = parts.origin or what
        elif before in ("with", "using") and (
            parts.target is not None or act in SEEING or verb in _BY_TOOL
        ):
            _with(what, parts, sorts)
        elif verb in _STAYING and before in _HERE and parts.where is None:
            parts.where = what
        elif parts.target is None and bare is None:
            parts.target = what
        else:
            _further(verb, phrase, parts)
    return parts


def _seen(act: str, phrase: Phrase, parts: Parts) -> bool:
    """ "See Mara take the key": what she takes is what it is about."""
    return act == "look" and not phrase.before and phrase.is_pointed and parts.target is not None


def _watched(first: Phrase, phrases: list[Phrase], parts: Parts) -> Phrase:
    """ "Watch her light the lamp": the lamp is looked at, and it is about her."""
    second = next((p for p in phrases if p is not first and not p.before and p.is_pointed), None)
    if second is None or first.what.mention.kind is not MentionKind.PRONOUN:
        return first
    parts.topic = first.what
    return second


def _with(what: Referred, parts: Parts, sorts: Sorts) -> None:
    if not is_person(what, sorts):
        parts.instrument = parts.instrument or what
    elif parts.topic is None:
        parts.topic = what


def _further(verb: str, phrase: Phrase, parts: Parts) -> None:
    """What stands after the target: where it is put, or where it is."""
    if not phrase.before:
        return  # "leave the lamp dark"
    if verb in _PUTTING or phrase.before not in _HERE or phrase.before == "at":
        parts.where = parts.where or phrase.what
    elif parts.target is not None and parts.target.near is None:
        parts.target = located(parts.target, phrase.what, phrase.before)


def _puts_down(phrases: list[Phrase], sorts: Sorts) -> bool:
    """Whether leaving is leaving something behind: a lamp, not a room or a person."""
    first = next(iter(phrases), None)
    if first is None or first.before:
        return False
    return not is_place(first.what, sorts) and not is_person(first.what, sorts)


def _kind(act: str, verb: str, parts: Parts, sorts: Sorts) -> ActKind:
    if verb in _LEAVING:
        put_down = parts.target is not None and parts.origin is None
        return ActKind.ACTION if put_down else ActKind.MOVEMENT
    kind = kind_of(verb) or kind_of(act)
    if verb in _GESTURES and parts.target and not _own_body(parts.target, sorts):
        kind = ActKind.ACTION
    if kind is ActKind.INTERACTION and verb in TOUCHING and act != "give":
        kind = kind if parts.target is None or not _thing(parts.target, sorts) else ActKind.ACTION
    if kind in (None, ActKind.ACTION):
        met = (parts.target, parts.origin, parts.topic if verb in GIVING else None)
        touched = (_body_of(parts.target), _body_of(parts.where))
        if any(is_person(who, sorts) and not _oneself(who, sorts) for who in (*met, *touched)):
            return ActKind.INTERACTION
    return kind or _looked_up(verb)


def _own_body(what: Referred, sorts: Sorts) -> bool:
    owner = what.possessor
    return what.mention.sort is Sort.PART and (owner is None or _oneself(owner, sorts))


def _thing(what: Referred, sorts: Sorts) -> bool:
    """Whether a thing or place is referred to: kicking a door is no meeting."""
    if what.entity is not None:
        return what.entity not in sorts.people
    return what.mention.sort in (Sort.THING, Sort.PLACE, Sort.MATTER) or (
        what.mention.gender is Gender.IT
    )


def _body_of(what: Referred | None) -> Referred | None:
    """Whose body a thing is a part of: "her arm"."""
    return what.possessor if what is not None and what.mention.sort is Sort.PART else None


def _looked_up(verb: str) -> ActKind:
    classes = verb_classes(verb)
    return next((kind for c, kind in _CLASSED.items() if classes == {c}), ActKind.ACTION)
