"""What memory found for the player's words: older turns, or events that a character perceived.

What of a turn is shown is what answers best: of what came of it, the sentences that have most words
in common with the player's, in their order. A turn of which nothing came is recalled for the
player's own words, if they are more than a few, and else not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, Recalled
from storykeeper.context.items import Candidate, Class
from storykeeper.context.naming import told_to
from storykeeper.context.sources.moments import about, of_turn
from storykeeper.context.sources.proposing import line, proposed
from storykeeper.events.atoms import Atom
from storykeeper.language.outcomes import outcome
from storykeeper.language.shortening import SKELETON_WORDS, excerpt, first_sentence, first_words
from storykeeper.scoring.composite import Terms

RECALLED, FOUND = "recalled", 0.9
SENTENCES = 3


def recollections(
    boundary: Boundary, echoed: Collection[str] = (), *, above: str = ""
) -> Iterator[Candidate]:
    """One for each that memory found, the likeliest first; not for what is an echo already.

    `above` is what tier 1 says of where they are: it is not said again.
    """
    for each in boundary.recalled:
        if f"moment:{each.turn.turn}" in echoed:
            continue
        kind, _, name = each.source.partition(":")
        if kind == "turn":
            yield from _turn(boundary, each, above)
        else:
            events = (atom for atom in each.turn.atoms if atom.id == name)
            yield from (_event(boundary, each, atom) for atom in events)


def _turn(boundary: Boundary, found: Recalled, above: str) -> Iterator[Candidate]:
    turn, asked = found.turn, boundary.present.text
    said = f"“{first_words(turn.text, SKELETON_WORDS * 2)}” " if turn.text.strip() else ""
    came = outcome(turn.prose, turn.text, above=above)
    if not came and len(turn.text.split()) <= SKELETON_WORDS:
        return
    many = excerpt(came, asked, sentences=SENTENCES)
    one = excerpt(came, asked, sentences=1)
    yield _item(
        boundary, found, turn.atoms, same=f"{RECALLED}:{said}{many}",
        full=line(f"Earlier: {said}{many}"), brief=line(f"Earlier: {said}{one}"),
        hint=line(f"Earlier: {said}{first_words(came, SKELETON_WORDS)}"),
    )  # fmt: skip


def _event(boundary: Boundary, found: Recalled, atom: Atom) -> Candidate:
    text = told_to(boundary, atom)
    return _item(
        boundary, found, (atom,), full=line(f"Earlier: {text}") if text else "",
        brief=line(f"Earlier: {first_sentence(text)}") if text else "",
    )  # fmt: skip


def _item(boundary: Boundary, found: Recalled, atoms: tuple[Atom, ...], **forms: str) -> Candidate:
    return proposed(
        f"{RECALLED}:{found.source.partition(':')[2]}", origin=RECALLED, klass=Class.ENRICHMENT,
        sources=(found.source,), entities=about(boundary.plan, found.turn.scene, atoms),
        **happened(boundary, found.turn), valence=of_turn(boundary, found.turn).valence,
        terms=Terms(relevance=FOUND * found.share), **forms,
    )  # fmt: skip


def happened(boundary: Boundary, turn: PastTurn) -> dict[str, Any]:
    """The author's events that came to be in a turn, and their themes; the narrator feels them."""
    events = boundary.plan.events
    here = sorted(e for e, when in boundary.world.happened.items() if when == turn.turn)
    known = [each for each in here if each in events] if boundary.narrator else []
    themes = dict.fromkeys(theme for each in known for theme in events[each].themes)
    return {"about": tuple(known), "themes": tuple(themes)}
