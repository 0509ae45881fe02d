"""How clauses hang together: because, then, if."""

from __future__ import annotations

from storykeeper.language.prose.drafts import Happening
from storykeeper.language.prose.words import Word, Words
from storykeeper.language.reading import Joint, Link

_BECAUSE = frozenset({"because", "since"})
_AFTER = frozenset({"after", "when", "once", "as", "while", "until"})


def find_links(words: Words, happenings: list[Happening], *, base: int) -> list[Link]:
    """Every link between two clauses of one sentence."""
    places = {h.at: n for n, h in enumerate(happenings)}
    found = []
    for n, happening in enumerate(happenings):
        verb = words[happening.at]
        link = _link(words, verb, n, _above(words, verb, places))
        if link is not None and link.first != link.second:
            found.append(Link(link.joint, link.first + base, link.second + base))
    return found


def _above(words: Words, verb: Word, places: dict[int, int]) -> int | None:
    """The nearest clause above; one that is only coloured ("began to") counts as the coloured."""
    for word in words.above(verb.i):
        if word.i in places:
            return places[word.i]
        below = words.first(word.i, "xcomp", "ccomp")
        if below is not None and below.i in places and below.i != verb.i:
            return places[below.i]
    return None


def _link(words: Words, verb: Word, here: int, above: int | None) -> Link | None:
    if above is None:
        return None
    marks = {words[c].lower for c in verb.children if words[c].dep in ("mark", "advmod", "prep")}
    if _dependent(words, verb, "advcl"):
        if marks & _BECAUSE:
            return Link(Joint.CAUSE, here, above)
        if marks & {"if", "unless"} and "as" not in marks:
            return Link(Joint.CONDITION, here, above)
        if "before" in marks:
            return Link(Joint.SEQUENCE, above, here)
        return Link(Joint.SEQUENCE, here, above) if marks & _AFTER else None
    if _dependent(words, verb, "conj"):
        return Link(Joint.SEQUENCE, above, here)
    return None


def _dependent(words: Words, verb: Word, dep: str) -> bool:
    """By its own relation, or by that of the verb that colours it."""
    return verb.dep == dep or (verb.dep == "xcomp" and words[verb.head].dep == dep)
