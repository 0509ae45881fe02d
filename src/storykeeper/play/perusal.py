"""Who reads what was handed or sent to them, and who leaves it unread, as prose tells it.

A verb of reading, and what is read: "it", "the note", "his phone". Who does it stands right before
the verb, or is the only one named in the sentence, or is the "he" of a sentence after one that
names them alone. What is only meant, wished or left for later is not read; the last word counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from storykeeper.language.names import Found, Names
from storykeeper.language.quoted import blanked
from storykeeper.units import EntityId

_THING = (
    r"(?:note|letter|message|text|e-?mail|mail|paper|page|slip|envelope|card|postcard|telegram|wire"
    r"|scrap|sheet|writing|words|contents|lines?|seal|phone|mobile|handset|screen|inbox|tablet"
    r"|laptop|computer)s?"
)
_WHAT = (
    r"(?:(?:it|them|both|this|that)(?!\s+(?:\w+\s+)?(?:room|man|woman|face|window))"
    rf"|(?:(?:the|his|her|your|my|their|its|this|that|[A-Z]\w*[’']s)\s+)(?:[\w-]+\s+){{0,3}}?{_THING}"
    r"|what\s+(?:it|the\s+\w+|you|he|she|they|is|was|has|had)\s?\w*|(?:a|one)\s+(?:\w+\s+)?(?:word|line)"
    r"(?=\s+of\s+(?:it|the)))\b"
)
_LOOK = (
    r"(?:look(?:s|ed|ing)?|glanc(?:e|es|ed|ing)|peer(?:s|ed|ing)?|star(?:e|es|ed|ing))"
    r"\s+(?:\w+ly\s+)?(?:down\s+)?(?:at|over|through|into)"
)
_READ = (
    r"(?:read(?:s|ing)?|skim(?:s|med|ming)?|scan(?:s|ned|ning)?|perus(?:e|es|ed|ing)"
    r"|stud(?:y|ies|ied|ying)|decipher(?:s|ed|ing)?|check(?:s|ed|ing)?)"
)
_OPEN = (
    r"(?:open(?:s|ed|ing)?|unfold(?:s|ed|ing)?|unseal(?:s|ed|ing)?|unroll(?:s|ed|ing)?"
    r"|(?:break|breaks|broke|breaking)|(?:slit|slits|slitting|tears?|tore|tearing)\s+open)"
)
_TAKE = r"(?:takes?|took|taking|accept(?:s|ed|ing)?|touch(?:es|ed|ing)?)"
_ADVERB = r"(?:(?:\w+ly|even|ever|once|so\s+much\s+as|just|then|at\s+once|yet|still|all)\s+){0,3}"
_NOT = (
    r"(?i:not|n[’']t|cannot|never|nor|without|instead\s+of|rather\s+than|before|until|unless|if"
    r"|(?:refus|declin|forget|forgot|fail|mean|meant|intend|plan|want|wish|wait|hope|pretend|afraid"
    r"|promis|hesitat|omit|offer)\w*(?:\s+to)?|will|would|shall|[’']ll|should|might|may|could|about\s+to"
    r"|going\s+to|too\s+\w+\s+to|no\s+(?:time|wish|need|chance)\s+to)\s+"
    r"(?:(?:even\s+|ever\s+|once\s+|\w+ly\s+)?(?:bother|stop|dare|pause|trouble|deign|care|want|get|try|need|have|be)\w*\s+(?:to\s+)?)?"
)
_ACT = re.compile(
    rf"(?P<undone>(?:\b|(?<=[a-z]))(?:{_NOT})(?:(?:s?he|they|[A-Z]\w+)\s+(?:can\s+|could\s+)?)?{_ADVERB})?"
    rf"\b(?:(?P<reads>{_READ}|{_LOOK})|(?P<opens>{_OPEN})|(?P<takes>{_TAKE}))\s+{_WHAT}",
)
# Told of it that nobody has read it: not "unread books", which are others.
_UNREAD = re.compile(
    r"\b(?:unread|unopened|unseen|(?:still|stays?|remains?|leaves?|left)\s+(?:\w+\s+)?(?:sealed|folded|shut"
    r"|closed))\b(?=\s*(?:[.,;:!?—–]|$)|\s+(?:and|in|into|on|to|back|under|beneath|for|beside|by|as|away)\b)"
    rf"|\b(?:the|his|her|your)\s+(?:unread|unopened|still-sealed)\s+{_THING}\b"
    r"|\bseal\s+(?:is\s+|still\s+)*(?:unbroken|intact|whole)\b"
    r"|\bwithout\s+(?:so\s+much\s+as\s+|even\s+)?(?:(?:a|one)\s+(?:single\s+)?(?:glance|look)"
    r"|(?:looking|glancing|reading|opening))(?=\s*(?:[.,;:!?—–]|$|at\s+(?:it|the)\b))"
    rf"|\b(?:ignor(?:es|ed|ing)|refus(?:es|ed|ing)|declin(?:es|ed|ing))\s+{_WHAT}",
    re.IGNORECASE,
)
_SEALED = re.compile(
    r"\b(?:sealed(?! (?:room|door|jar|box)\b)|unopened"
    r"|in(?:side)? (?:an?|its|the) (?:\w+ )?envelope"
    r"|(?:closed|shut|gummed|glued|taped) (?:\w+ )?(?:envelope|letter|note|card))\b",
    re.IGNORECASE,
)
_OPENED = re.compile(
    r"(?<!\bthat )(?<!\bwhich )(?<!\bit )\b(?:reads?|opens?|opened|unfold(?:s|ed)?|unseal(?:s|ed)?"
    r"|breaks?|broke|tears?|tore|slits?)\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)[.!?…]+(?=\s|$)|\n")
_AFTER = re.compile(
    r"\b(?:to|at|from|with|of|for|by|beside|behind|near|past|toward|towards|and)\s+$", re.IGNORECASE
)
_YOU = re.compile(r"\b(?:you|I)\b", re.IGNORECASE)
_PLAYER = EntityId("")  # whom the prose is told to: nobody of those asked for
_HE = re.compile(r"\b(?:he|she|they)\b", re.IGNORECASE)


def readers_in(
    prose: str, names: Names, people: Collection[EntityId], *, given: EntityId | None = None
) -> tuple[EntityId, ...]:
    """Those whom prose says to read what was sent; `given`: to whom, if that is known."""
    return tuple(
        who for who in people if has_read(prose, names, people, who=who, given=given) is True
    )


def is_read(
    prose: str, names: Names, people: Collection[str], *, by: EntityId, sealed: bool
) -> bool:
    """Whether somebody reads what is handed to them: if sealed, only if the prose says so."""
    everyone = [EntityId(each) for each in people]
    read = has_read(prose, names, everyone, who=by, given=by)
    return read is True if sealed else read is not False


def is_sealed(words: str) -> bool:
    """Whether words tell that what they speak of is sealed, and must be opened to be read."""
    return _SEALED.search(words) is not None and _OPENED.search(words) is None


def has_read(
    prose: str,
    names: Names,
    people: Collection[EntityId],
    *,
    who: EntityId,
    given: EntityId | None = None,
) -> bool | None:
    """Whether prose says that somebody reads what was given to one, or that they do not."""
    found: bool | None = None
    last: set[EntityId] = set() if given is None else {given}
    bare = blanked(prose)
    start = 0
    for stop in (*(each.end() for each in _END.finditer(bare)), len(bare)):
        sentence, start = bare[start:stop].rstrip(" .!?…\n"), stop
        named = [each for each in names.find_in_prose(sentence) if each.entity in people]
        for at, reads in _signs(sentence):
            doer = _doer(sentence, at, named, last)
            if reads and doer == {who}:
                found = True
            elif not reads and (who in doer or not doer):
                found = False
        last = {each.entity for each in named} or last
    return found


def _signs(sentence: str) -> list[tuple[int, bool]]:
    """Where a sentence tells that something is read, or that it is not."""
    found = [(each.start(), False) for each in _UNREAD.finditer(sentence)]
    for each in _ACT.finditer(sentence):
        if each["undone"] is not None:
            found.append((each.start(), False))
        elif each["takes"] is None:
            to = re.search(r"\bto\s+(?:\w+ly\s+)?$", sentence[: each.start()])
            if to is None:
                found.append((each.start(), True))
    return sorted(found)


def _doer(
    sentence: str, at: int, named: Sequence[Found], last: set[EntityId]
) -> set[EntityId]:  # fmt: skip
    """Who does what stands at a place: nobody if that is not said, several if it is not plain."""
    before = [each for each in named if each.end <= at]
    near = [each for each in before if re.fullmatch(r"\s+(?:\w+ly\s+)?", sentence[each.end : at])]
    if near:
        return {near[-1].entity}
    doing = {
        each.entity for each in before
        if not _AFTER.search(sentence[: each.start])
        and not sentence[each.end :].startswith(("'s", "’s"))
    }  # fmt: skip
    if doing:
        return doing
    if _YOU.search(sentence[:at]):
        return {_PLAYER}
    return set(last) if _HE.search(sentence[:at]) else set()
