"""Things that nobody mentions: sitting down implies a seat, walking through a door.

A modest table, and only for what is asserted: where the clause itself names such a thing, or
somewhere else to sit, nothing is implied.
"""

from __future__ import annotations

from dataclasses import dataclass

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.prose.drafts import LIVING, Happening
from storykeeper.language.prose.mentions import Mentions
from storykeeper.language.prose.words import Words
from storykeeper.language.reading import Implied, Modality, Sort


@dataclass(frozen=True, slots=True)
class _Rule:
    what: str
    instead: frozenset[str]  # if one of these is named, nothing is implied
    needs: frozenset[str] = frozenset()  # one of these must be named, or stand as a preposition


def _rule(what: str, instead: str = "", needs: str = "") -> _Rule:
    return _Rule(what, frozenset({what, *instead.split()}), frozenset(needs.split()))


_SEATS = """seat stool bench sofa couch bed armchair throne floor ground rock log step stair wall
    horse lap grass swing windowsill edge sill cushion rug boulder stump saddle deck hammock pew
    settee stone crate barrel box"""
_VESSELS = "glass mug bottle flask goblet tankard bowl jug pitcher can canteen tumbler saucer spring stream well fountain river"  # noqa: E501
RULES: dict[str, tuple[_Rule, ...]] = {
    "sit": (_rule("chair", _SEATS),),
    "sit down": (_rule("chair", _SEATS),),
    "knock": (_rule("door", "window wall table wood glass gate head desk"),),
    "drink": (_rule("cup", _VESSELS),),
    "sip": (_rule("cup", _VESSELS),),
    "pour": (_rule("jug", f"{_VESSELS} pot kettle teapot decanter carafe bucket cup"),),
    "write": (_rule("pen", "pencil quill chalk typewriter keyboard crayon brush stick finger"),),
    "sign": (_rule("pen", "pencil quill", needs="name letter paper document contract form"),),
    "unlock": (_rule("key", "code pick hairpin"),),
    "lock": (_rule("key", "bolt code latch"),),
    "ride": (_rule("horse", "bicycle bike pony mule donkey camel train bus motorcycle mare wagon "
                            "cart carriage car elevator lift wave stallion"),),
    "shoot": (_rule("gun", "pistol rifle revolver arrow bow musket shotgun crossbow glance look"),),
    "dig": (_rule("spade", "shovel hand nail finger claw pick pickaxe"),),
    "sew": (_rule("needle", "machine thread"),),
    "smoke": (_rule("cigarette", "pipe cigar"),),
    "dial": (_rule("telephone", "phone"),),
    "row": (_rule("boat", "oar dinghy skiff raft canoe"),),
    "light": (_rule("match", "lighter torch taper spark flame flint", needs="candle lamp lantern "
                    "fire pipe cigarette cigar stove fuse torch"),),
    "shave": (_rule("razor", "knife"),),
    "photograph": (_rule("camera", "phone"),),
}  # fmt: skip
_THROUGH = _rule("door", "window gate doorway gateway hole tunnel crowd arch archway gap hatch "
                         "curtain forest wood wall passage corridor opening trapdoor")  # fmt: skip
_ROOMS = frozenset({"room", "kitchen", "house", "hall", "bedroom", "parlour", "cottage", "church",
                    "shop", "tavern", "inn", "office", "library", "cabin", "cellar", "attic",
                    "chapel", "pub", "bathroom", "parlor", "study", "barn", "cell"})  # fmt: skip


def find_implied(
    words: Words, mentions: Mentions, happenings: list[Happening], text: str, *, base: int
) -> list[Implied]:
    """What the asserted clauses imply."""
    found = []
    for n, happening in enumerate(happenings):
        if happening.modality is not Modality.ASSERTED or not _is_done(mentions, happening):
            continue
        named = _named(words, mentions, happening)
        for rule in _rules(words, mentions, happening):
            if rule.instead & named or (rule.needs and not rule.needs & named):
                continue
            because = text[words[happening.first].start : words[happening.last].end]
            found.append(Implied(rule.what, " ".join(because.split()), n + base))
    return found


def _is_done(mentions: Mentions, happening: Happening) -> bool:
    """By somebody: a house may sit on a hill and imply no chair."""
    return any(mentions[a].sort in LIVING | {Sort.UNKNOWN} for a in happening.actors)


def _rules(words: Words, mentions: Mentions, happening: Happening) -> tuple[_Rule, ...]:
    through = next((i for i in happening.own if words[i].lower == "through"), None)
    goes = VerbClass.MOVE in verb_classes(happening.verb)
    if goes and through is not None and words.first(through, "pobj") is None:
        return (_THROUGH,)
    if happening.verb in ("enter", "leave") and any(
        mentions[p].head in _ROOMS for p in (*happening.targets, *happening.locations)
    ):
        return (_THROUGH,)
    return RULES.get(happening.verb, ())


def _named(words: Words, mentions: Mentions, happening: Happening) -> set[str]:
    inside = {m.head for m in mentions if happening.first <= m.at <= happening.last}
    inside |= {words[i].lower for i in range(happening.first, happening.last + 1)}
    return inside | {mentions[p].head for p in (*happening.targets, *happening.locations)}
