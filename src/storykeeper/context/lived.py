"""What somebody lived through, in the words it was told in.

A character's past is the pieces it perceived, word for word. Of what is said others than its
speaker and the player it was told to have the spoken words alone: how it was said, and what the
narrator thought of it, is not theirs. Whom they do not know is somebody to them, unless the name
was spoken aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from storykeeper.context.history import PastTurn
from storykeeper.events.atoms import Atom, PieceKind, PieceTold, Source, SpeechUttered
from storykeeper.language.names import Names
from storykeeper.language.quoted import quoted_in
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan

SOMEBODY = "somebody"
_SPOKEN = frozenset({PieceKind.SPEECH, PieceKind.WRITING})


def lived(turn: PastTurn) -> tuple[Atom, ...]:
    """The events of a turn that are told to who perceived them.

    Where its prose was cut into pieces these are the pieces, and what a player said in typing.
    """
    if not any(isinstance(atom.what, PieceTold) for atom in turn.atoms):
        return turn.atoms
    return tuple(atom for atom in turn.atoms if _is_told(atom))


def is_quoted(turns: Iterable[PastTurn]) -> bool:
    """Whether any of these turns is told in pieces."""
    return any(isinstance(atom.what, PieceTold) for turn in turns for atom in turn.atoms)


def _is_told(atom: Atom) -> bool:
    if atom.source is Source.PLAYER:
        return isinstance(atom.what, SpeechUttered)
    return isinstance(atom.what, PieceTold) or atom.source is Source.AUTHOR


def quoted_piece(
    plan: Plan, piece: PieceTold, *, mind: str | None, known: Callable[[str], bool] | None
) -> str:
    """A piece as it stands in somebody's past; `mind` None: as all of them could have it."""
    if not piece.text.strip():
        return ""  # it was erased
    own = mind is not None and (mind == piece.speaker or mind in plan.players)
    if piece.piece not in _SPOKEN or own:
        return _with_names(plan, " ".join(piece.text.split()), known)
    words = " ".join(piece.words.split())
    if not words:
        return ""
    if piece.piece is PieceKind.WRITING:
        return f"“{words}”"
    return f"{_called(plan, piece.speaker, known)}: “{words}”"


def _called(plan: Plan, who: EntityId | None, known: Callable[[str], bool] | None) -> str:
    person = None if who is None else plan.cast.get(who)
    if person is None or who is None or (known is not None and not known(who)):
        return SOMEBODY.capitalize()
    return person.name.strip() or who


def _with_names(plan: Plan, text: str, known: Callable[[str], bool] | None) -> str:
    """A text in which nobody stands by a name that its reader does not know."""
    if known is None:
        return text
    made, at = [], 0
    aloud = [(each.start, each.end) for each in quoted_in(text)]
    for found in _people(plan).find_in_prose(text):
        if known(found.entity) or any(a <= found.start < b for a, b in aloud):
            continue
        start = text[at : found.start].strip() == "" and at == 0
        made += [text[at : found.start], SOMEBODY.capitalize() if start else SOMEBODY]
        at = found.end
    return "".join((*made, text[at:]))


@lru_cache(maxsize=16)
def _people(plan: Plan) -> Names:
    return Names(tuple((EntityId(c.id), (c.name, *c.aliases)) for c in plan.story.cast))
