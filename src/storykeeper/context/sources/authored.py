"""What the author wants told now; what a character was taught."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.entity import names_known
from storykeeper.context.sources.proposing import proposed
from storykeeper.language.verbs import is_verb
from storykeeper.memory.compaction.sentences import sentences
from storykeeper.scoring.composite import Terms

BEAT, DOCTRINE = "beat", 0.5
VOICES, MOST_VOICES = "voices", 4  # sentences


def beats(boundary: Boundary) -> Iterator[Candidate]:
    """The beats that are due."""
    for name, beat in boundary.present.beats:
        yield proposed(
            f"beat:{name}", origin=BEAT, klass=Class.MANDATORY, full=beat.prose, terms=Terms()
        )


def voices(boundary: Boundary, told_above: Collection[str]) -> Iterator[Candidate]:
    """How those who are here talk and behave, from soft material that gives way: its sentences that
    begin with their name and what they do.
    """
    if not boundary.narrator:
        return
    said: dict[str, tuple[str, ...]] = {}
    names, here = names_known(boundary), boundary.here.difference(boundary.minds)
    for i, soft in enumerate(boundary.plan.story.soft):
        for text in sentences(soft.text) if f"soft:{i}" not in told_above else ():
            who = next((each for each in names.find(text) if each.start == 0), None)
            if who is not None and who.entity in here and _does(text[who.end :]):
                said[text] = (f"soft:{i}", f"cast:{who.entity}")
    kept = [*said][:MOST_VOICES]
    if not kept:
        return
    yield proposed(
        "voices:now", origin=VOICES, klass=Class.MANDATORY,
        sources=tuple(dict.fromkeys(source for text in kept for source in said[text])),
        full=f"- {' '.join(kept)}", terms=Terms(),
    )  # fmt: skip


def _does(behind: str) -> bool:
    """Whether words behind a name say what somebody does."""
    verb = behind.split(None, 1)[:1]
    return behind[:1] == " " and bool(verb) and is_verb(verb[0].casefold(), frozenset())


def doctrine(boundary: Boundary) -> Iterator[Candidate]:
    """A character's own, one by one."""
    if boundary.narrator:
        return
    me = boundary.plan.cast[boundary.audience]
    for i, text in enumerate(me.doctrine):
        yield proposed(
            f"doctrine:{me.id}/{i}", origin="doctrine", klass=Class.ENRICHMENT,
            sources=(f"card:{me.id}",), full=f"- Taught: {text.strip()}" if text.strip() else "",
            terms=Terms(relevance=DOCTRINE),
        )  # fmt: skip
