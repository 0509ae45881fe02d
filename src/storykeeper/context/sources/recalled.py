"""What memory found for the moment: older turns, or events that a character perceived.

Of a turn what is shown is what answers: the piece that says most of what is asked, with its
question or answer and its speaker, word for word. More of it may come in where there is room.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn, Recalled
from storykeeper.context.items import Candidate, Class
from storykeeper.context.naming import told_to
from storykeeper.context.passages import brought, joined
from storykeeper.context.pieces import LEANING, Piece, of_event
from storykeeper.context.pieces import of_turn as pieces_of
from storykeeper.context.sources.moments import about, of_turn
from storykeeper.context.sources.proposing import proposed
from storykeeper.events.atoms import Atom
from storykeeper.memory.compaction.terms import names, stem, terms
from storykeeper.scoring.composite import Terms

RECALLED, FOUND = "recalled", 0.9
EARLIER = "earlier"  # more of the past, where there is room
LIKELY = 2.0  # how much more a piece is worth of a turn that memory found first
ASKED, TOLD_LAST, HERE = 1.0, 0.5, 0.3  # how much more a word is worth that stands there


def recollections(boundary: Boundary, echoed: Collection[str] = ()) -> Iterator[Candidate]:
    """One for each that memory found, the likeliest first; not for what is an echo already."""
    asked = favoured(boundary)
    for each in boundary.recalled:
        if f"moment:{each.turn.turn}" not in echoed:
            pieces = found_pieces(boundary, each)
            if pieces:
                best = max(range(len(pieces)), key=lambda i: answers(pieces[i], asked))
                yield _item(boundary, each, [pieces[i] for i in brought(pieces, best)])


def found_pieces(boundary: Boundary, found: Recalled) -> tuple[Piece, ...]:
    """What can be quoted of something that memory found."""
    kind, _, name = found.source.partition(":")
    if kind == "turn":
        return pieces_of(boundary, found.turn)
    events = (atom for atom in found.turn.atoms if atom.id == name)
    told = ((atom, told_to(boundary, atom)) for atom in events)
    return tuple(of_event(found.turn, atom, text) for atom, text in told if text)


def answers(piece: Piece, asked: Mapping[str, float]) -> float:
    """How much of what is asked for a piece has, for its length; less, if it leans on another."""
    found = sorted(asked[term] for term in piece.terms if term in asked)
    return (LEANING if piece.leans else 1.0) * sum(found) / sqrt(max(1, len(piece.terms)))


def favoured(boundary: Boundary) -> dict[str, float]:
    """Words that are worth more just now, by how much: of the player's line, of what was told last,
    of those who are here and of what is at stake.
    """
    found: dict[str, float] = {}
    scene = boundary.plan.scenes.get(boundary.world.scene or "") if boundary.narrator else None
    if scene is not None and boundary.open(f"scene:{scene.id}"):
        found.update(dict.fromkeys(terms(f"{scene.stakes} {scene.tone}"), HERE))
    for who in sorted(boundary.here):
        if who not in boundary.minds and boundary.open(f"cast:{who}"):
            name = boundary.plan.cast[who].name
            found.update(dict.fromkeys((stem(each) for each in names(f"with {name}")), HERE))
    if boundary.recent and boundary.narrator and boundary.shared(boundary.recent[-1]):
        found.update(dict.fromkeys(terms(boundary.recent[-1].prose), TOLD_LAST))
    if boundary.open("input"):
        found.update(dict.fromkeys(terms(boundary.present.text), ASKED))
    return found


def recall_line(pieces: Sequence[Piece]) -> str:
    """Pieces of one turn as a line of a list."""
    return f"- {joined(pieces)}" if pieces else ""


def _item(boundary: Boundary, found: Recalled, best: Sequence[Piece]) -> Candidate:
    atoms = found.turn.atoms if best[0].source.startswith("piece:") else _own(found)
    return proposed(
        f"{RECALLED}:{found.source.partition(':')[2]}", origin=RECALLED, klass=Class.ENRICHMENT,
        sources=tuple(piece.source for piece in best), full=recall_line(best),
        entities=about(boundary.plan, found.turn.scene, atoms),
        **happened(boundary, found.turn), valence=of_turn(boundary, found.turn).valence,
        terms=Terms(relevance=FOUND * found.share),
    )  # fmt: skip


def _own(found: Recalled) -> tuple[Atom, ...]:
    name = found.source.partition(":")[2]
    return tuple(atom for atom in found.turn.atoms if atom.id == name)


def happened(boundary: Boundary, turn: PastTurn) -> dict[str, Any]:
    """The author's events that came to be in a turn, and their themes; the narrator feels them."""
    events = boundary.plan.events
    here = sorted(e for e, when in boundary.world.happened.items() if when == turn.turn)
    known = [each for each in here if each in events] if boundary.narrator else []
    themes = dict.fromkeys(theme for each in known for theme in events[each].themes)
    return {"about": tuple(known), "themes": tuple(themes)}
