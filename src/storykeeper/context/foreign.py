"""What is not the author's is made safe before anything is made of it.

What a player typed and a narrator wrote, and whatever was made of that, stands in windows beside
rules that a model obeys. It passes the sanitiser where it comes in: turns whole and in pieces here,
all else at the gate. The author's own texts stand as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from msgspec import Struct

from storykeeper.canon.sanitiser import Finding, is_plain, sanitised, unmarked
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Shown, Tier

# Kinds of sources that the author wrote, or that are made of the author's words alone.
AUTHORED = frozenset({
    "hard", "soft", "scene", "card", "line", "cast", "manner", "aim", "relation", "history", "mood",
    "setting", "thing", "where", "fact", "hint", "beat", "ahead", "gate", "layer", "bridge",
    "prophecy", "shift", "moved", "learned", "taught", "seen", "way",
})  # fmt: skip
# Kinds whose text is made safe where it is read, before it is quoted.
READ_SAFE = frozenset({"turn", "piece", "input"})
_OURS = re.compile(r"(?:- )?(?:\[F\d+\] )?")


class Mended(Struct, frozen=True):
    """Something in an item of a window that was made safe."""

    item: str
    finding: Finding


def safe(text: str) -> str:
    """A text from outside as it may stand in a window."""
    return sanitised(text).text


def plain(text: str) -> str:
    """What is made of safe texts and of our own words, in which no mark means anything."""
    return unmarked(text).text


def is_foreign(candidate: Candidate) -> bool:
    """Whether anything in it is not the author's."""
    return any(_kind(source) not in AUTHORED for source in candidate.sources)


def made_safe(candidate: Candidate) -> tuple[Candidate, tuple[Finding, ...]]:
    """A candidate in which no mark means anything, and what was found in it.

    What it says was read in its parts, before our own words stood between them.
    """
    kinds = set(map(_kind, candidate.sources))
    if candidate.tier is Tier.PREAMBLE or kinds <= AUTHORED | READ_SAFE:
        return candidate, ()
    forms = [_beginning(text) for text in (candidate.full, candidate.brief, candidate.hint)]
    clean = [unmarked(text) for _, text in forms]
    found = tuple(dict.fromkeys(each for form in clean for each in form.findings))
    if not found:
        return candidate, ()
    full, brief, hint = (ours + each.text for (ours, _), each in zip(forms, clean, strict=True))
    return replace(candidate, full=full, brief=brief, hint=hint), found


def mended(
    shown: Iterable[Shown],
    turns: Iterable[PastTurn],
    typed: str,
    at_the_gate: Mapping[str, tuple[Finding, ...]],
) -> Iterator[Mended]:
    """What was made safe in the items of a window."""
    told = {str(turn.turn): turn for turn in turns}
    for each in shown:
        found = [*at_the_gate.get(each.candidate.id, ())]
        for source in dict.fromkeys(map(_of_turn, each.candidate.sources)):
            if source == "input":
                found += _in(each.text, typed)
            elif source in told:
                found += [*_in(each.text, told[source].text), *_in(each.text, told[source].prose)]
        yield from (Mended(each.candidate.id, finding) for finding in found)


def _beginning(text: str) -> tuple[str, str]:
    """What we set before an item, which names a fact by its handle; and the rest."""
    end = _OURS.match(text)
    return (end[0], text[end.end() :]) if end else ("", text)


def _in(shown: str, text: str) -> list[Finding]:
    """What was found in a text, as far as it stands in what is shown of it."""
    return [each for each in sanitised(text).findings if each.now.rstrip("…") in shown]


def _of_turn(source: str) -> str:
    """The turn that a source is of; itself, if it is of none."""
    kind, _, name = source.partition(":")
    return name.partition("/")[0] if kind in ("turn", "piece") else source


def _kind(source: str) -> str:
    return source.partition(":")[0]


def looks_like_ours(each: Shown) -> bool:
    """Whether something in an item that is not the author's could be taken for a part of ours."""
    candidate = each.candidate
    return candidate.tier is not Tier.PREAMBLE and is_foreign(candidate) and not is_plain(each.text)
