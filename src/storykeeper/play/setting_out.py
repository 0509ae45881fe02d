"""With whom a player sets out, as the typed line says: "with Mara", "Mara and I", "I take Tom".

What a player says of others is tried, as all that players type: who the prose says stays behind
has not come along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storykeeper.language.acts import Act, ActKind
from storykeeper.language.names import Found, Names
from storykeeper.language.verbs import base
from storykeeper.play.company import FOLLOWING, LEADING, company_of, counted
from storykeeper.play.staying import Staying
from storykeeper.units import EntityId
from storykeeper.world.knowledge import believed_place
from storykeeper.world.register import entry
from storykeeper.world.state import World

_WITH = re.compile(
    r"\b(?:with|alongside|beside|accompanied\s+by|followed\s+by|taking|bringing|leading)\s+$",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\b(?:leav(?:e|ing)|let)\s+[^,;]*$", re.IGNORECASE)  # "leave Mara with Tom"
_LISTED = re.compile(r"(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)$")
_AND_I = re.compile(r"(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+|\s*&\s*)(?:I|me|myself)\b", re.IGNORECASE)
_I_AND = re.compile(r"^\W*(?:I|me)\s+and\s+$", re.IGNORECASE)
_BY_WHICH = r"(?:hand|arm|wrist|elbow|shoulder|sleeve)\b"  # one is led
_COMES = re.compile(
    rf"\s+by\s+(?:the|her|his|their)\s+{_BY_WHICH}"
    r"|\s+(?:comes?|goes|go|follows?|tags?|joins?)\s+(?:along|with\s+(?:me|us)|me|us|too)\b"
    r"|\s+(?:close\s+|hard\s+|right\s+|just\s+|still\s+)*(?:(?:behind|beside|alongside|after)\s+(?:me"
    r"|us)\b|in\s+tow\b|on\s+my\s+(?:arm|heels)\b|at\s+my\s+(?:heels?|side|elbow|shoulder)\b"
    r"|by\s+my\s+side\b)"
    r"|\s+(?:following|trailing|coming|tagging\s+along)(?=\s*(?:$|[.,;!?])"
    r"|\s+(?:me|us|behind|close|after\s+me|with\s+me)\b)",
    re.IGNORECASE,
)
# Who is taken, by the arm or not, by somebody who then goes: "I take Mara and go".
_TAKE = re.compile(
    r"\b(?:take|took|grab(?:bed)?|fetch(?:ed)?|collect(?:ed)?|get|got|seize[d]?|gather(?:ed)?"
    r"|bring|brought|catch|caught|hold|held|link(?:ed)?|pull(?:ed)?|drag(?:ged)?|pick\s+up|scoop\s+up"
    r"|clasp(?:ed)?)\s+(?:hold\s+of\s+|arms\s+with\s+)?$",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf"(?:[’']s?\s+(?:\w+\s+)?{_BY_WHICH})?(?:\s+up)?\s*(?:,\s*)?(?:\band\b|\bthen\b)\s+"
    r"(?:(?:then|I|we|both|quickly|together|\w+ly)\s+)*(?P<verb>\w+)",
    re.IGNORECASE,
)
_WE = re.compile(r"^\W*(?:(?:then|so|and|now)\s+)?we\b", re.IGNORECASE)
_OUT = re.compile(
    r"\b(?:without|except|but(?:\s+not)?|not|away\s+from|from|let|leav(?:e|es|ing)[^,;]*)\s+$",
    re.IGNORECASE,
)
_WITH_ME = re.compile(r"\bwith\s+(?:me|us)\b", re.IGNORECASE)


def companions(
    world: World, who: EntityId, names: Names, *,
    to: EntityId, line: str, sentence: str, act: Act, prose: str,
) -> list[EntityId]:  # fmt: skip
    """Those who go along with a player who goes `to` a place, as their line and its sentence say.

    `prose` is what was told of it, once it is.
    """
    near = company_of(world, who)
    called = [each for each in names.find(line) if each.entity in near]
    along = _named([each for each in names.find(sentence) if each.entity in near], sentence, act)
    along += [
        each.entity for each in called
        if _COMES.match(line, each.end) and not _LEFT.search(line[: each.start])
    ]  # fmt: skip
    along += _by_pronoun(act, near, sentence)
    along += counted(world, who, sentence)
    if not along and _WE.search(sentence):
        along = _we(world, near, called, line)
    staying = Staying(world, names, along, who=who, to=to, prose=prose).all() if along else ()
    return [w for w in dict.fromkeys(along) if w not in staying]


def _named(found: Sequence[Found], sentence: str, act: Act) -> list[EntityId]:
    """Those named in a sentence who go, by the words around their names."""
    along: list[EntityId] = []
    for i, each in enumerate(found):
        before = sentence[: each.start]
        listed = i and found[i - 1].entity in along and _LISTED.search(before)
        joined = listed and not before[found[i - 1].end :].strip(" ,&").removeprefix("and").strip()
        if _LEFT.search(before):
            continue
        goes = _WITH.search(before) or _I_AND.search(before) or _subject(sentence, each.end)
        if goes or joined or (_TAKE.search(before) and _then_goes(found[i:], sentence, act)):
            along.append(each.entity)
    return along


def _then_goes(found: Sequence[Found], sentence: str, act: Act) -> bool:
    """Whether what is done next, after who is named and those listed with them, is the going."""
    end = found[0].end
    for each in found[1:]:
        end = each.end if _LISTED.fullmatch(sentence[end : each.start]) else end
    then = _THEN.match(sentence, end)
    return then is not None and base(then["verb"], frozenset()) == act.verb


def _subject(sentence: str, end: int) -> bool:
    """Whether who is named goes, too: "Mara and I", "Tom, Mara and I", "and Mara comes along"."""
    rest = sentence[end:]
    if _COMES.match(rest):
        return True
    listed = re.match(r"(?:\s*,\s*|\s+and\s+)[A-Z]\w*", rest)
    ways = (_AND_I.match(rest), *(p.match(rest, listed.end()) for p in (_AND_I, _COMES) if listed))
    return any(ways)


def _by_pronoun(act: Act, near: list[EntityId], sentence: str) -> Iterator[EntityId]:
    """Whom "with her" means, or whom one leads, or follows to where both go."""
    if act.to not in near or act.target is None:
        return
    words = act.target.mention.text
    spoken = re.search(rf"\bwith\s+{re.escape(words)}\b", sentence, re.IGNORECASE)
    if {act.verb, act.act} & (LEADING | FOLLOWING) or spoken:
        yield act.to


def _we(
    world: World, near: list[EntityId], called: Sequence[Found], line: str
) -> list[EntityId]:  # fmt: skip
    """Whom *we* means besides the player: those whom the line names or who were spoken of last.

    If that is nobody, all who are there: those who were not in the talk need not have heard it.
    """
    out = {each.entity for each in called if _OUT.search(line[: each.start])}
    left = [who for who in near if who not in out]
    named = [who for who in left if who in {each.entity for each in called}]
    lately = [who for who in left if _last(world, who) >= world.now - 1]
    return named or lately or left


def _last(world: World, who: EntityId) -> int:
    """The turn in which somebody last did something, or was spoken of."""
    known = entry(world, who)
    return -1 if known is None or not known.mentions else known.last


def way_of(world: World, who: EntityId, act: Act, *, sentence: str) -> EntityId | None:
    """Where an act takes a player: where they go, where they lead somebody, or after whom.

    One follows to where one knows that the other is; not to where they are.
    """
    if act.kind is ActKind.MOVEMENT and act.place is not None:
        return act.place
    if act.to in world.plan.settings:  # "Tom comes with me to the garden"
        return act.to if act.kind is ActKind.MOVEMENT and _WITH_ME.search(sentence) else None
    if act.to not in world.plan.cast or act.to is None:
        return None
    leads = (act.verb in LEADING or act.act in LEADING) and act.to in company_of(world, who)
    there = next((p for p in (act.place, act.about) if p in world.plan.settings), None)
    if act.act in FOLLOWING:
        known = believed_place(world, (who,), act.to)
        return known if known == world.places.get(act.to) else there
    return there if leads else None
