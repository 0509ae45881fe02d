"""Whom a player's line says to be gone before its words: "I wait until Cora has left, then say …".

Nobody is moved by it: a player does not move others. But words that are said once somebody has left
are not for them, and they do not hear them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storykeeper.events.vocabulary import Gender
from storykeeper.language.names import Names
from storykeeper.play.manner import sentence_at
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of
from storykeeper.world.state import World

_FIRST = re.compile(
    r"\b(?:until|till|once|when|after|as\s+soon\s+as|now\s+that|for)\s+(?:(?:both\s+)?[\w’'-]+"
    r"(?:,|,?\s+and)\s+)*$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?:\s+and\s+[A-Z][\w’'-]*)*(?:[’']s|[’']ve|\s+(?:has|have|had|is|are|was|were))?"
    r"(?:\s+(?:all|both|finally|safely|just|well|to))*\s+"
    r"(?:(?:left|leaves?|gone|goes|go|departs?|departed|away|out)"
    r"|(?:walk|step|slip|head|wander|hurr|storm)\w*\s+(?:out|off|away))"
    r"(?:\s+(?:away|out|off|of\s+(?:earshot|hearing|sight)|(?:of\s+)?(?:the|this)\s+\w+|us|home))*"
    r"(?=\s*(?:$|[.,;:!?…—–])|\s+(?:and|then|before|to|so|I)\b|\s{2,})",
    re.IGNORECASE,
)
_NOT_WAITED = re.compile(r"\b(?:not|never|without)\b|n[’']t\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them)\b", re.IGNORECASE)
_GENDERS = {"he": Gender.HE, "him": Gender.HE, "she": Gender.SHE, "her": Gender.SHE}


def gone_first(
    world: World, names: Names, near: Sequence[EntityId], *,
    line: str, at: int, to: EntityId | None,
) -> set[EntityId]:  # fmt: skip
    """Those `near` who are gone, by a line without its quotations, when words at a place are said.

    A pronoun means all whom it fits but whom the words are said `to`.
    """
    found = [(f.start, f.end, {f.entity}) for f in names.find(line)]
    for said in _PRONOUN.finditer(line):
        gender = _GENDERS.get(said.group().casefold())
        fit = {w for w in near if gender in (None, gender_of(world.plan.cast[w].pronouns))}
        found.append((*said.span(), fit - {to}))
    out: set[EntityId] = set()
    for start, end, whom in found:
        sentence = sentence_at(line, start)
        before = line[max(0, line.find(sentence)) : start]
        if not _FIRST.search(before) or not _GONE.match(line, end) or _NOT_WAITED.search(before):
            continue
        if start < at or sentence == sentence_at(line, at):
            out |= whom
    return out & {*near}
