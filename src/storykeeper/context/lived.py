"""What somebody lived through, in the words it was told in.

A character's past is the pieces it perceived, word for word. Of what is said others than its
speaker and the player it was told to have the spoken words alone: how it was said, and what the
narrator thought of it, is not theirs. Whom they do not know is somebody to them, unless the name
was spoken aloud.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from storykeeper.context.history import PastTurn
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    InformationTold,
    PieceKind,
    PieceTold,
    Source,
    SpeechUttered,
)
from storykeeper.language.quoted import quoted_in
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan

SOMEBODY = "somebody"
_ASKING = frozenset({"ask", "tell", "answer", "talk"})  # acts of a line that say something
_SPOKEN = frozenset({PieceKind.SPEECH, PieceKind.WRITING})


def lived(turn: PastTurn) -> tuple[Atom, ...]:
    """The events of a turn that are told to who perceived them: the pieces of its prose, and what a
    player said and asked in typing.

    What was read from a prose stands in its pieces; in a ledger from before there were any, it
    tells itself. That must not hang on what else there is in the turn: somebody may not have it.
    But who perceives that somebody is told something has what they are told.
    """
    after = (*turn.atoms[1:], None)
    return tuple(a for a, b in zip(turn.atoms, after, strict=False) if _is_told(a) and not _says(b))


def _says(atom: Atom | None) -> bool:
    """Whether it is what somebody tells another in typing, right after that they do."""
    if atom is None or atom.source is not Source.PLAYER:
        return False
    return isinstance(atom.what, InformationTold)


def _is_told(atom: Atom) -> bool:
    match atom.source:
        case Source.PLAYER:
            asked = isinstance(atom.what, ActionTaken) and atom.what.act in _ASKING
            return isinstance(atom.what, SpeechUttered | InformationTold) or asked
        case Source.NARRATOR:
            return isinstance(atom.what, PieceTold) or atom.says is None
        case _:
            return atom.source is Source.AUTHOR


def quoted_piece(
    plan: Plan, piece: PieceTold, *, mind: str | None, known: Callable[[str], bool] | None,
    own: bool = False,
) -> str:  # fmt: skip
    """A piece as it stands in somebody's past; `mind` None: as all of them could have it, `own`: it
    was told to them as the player whose turn it was.
    """
    if not piece.text.strip():
        return ""  # it was erased
    if piece.piece not in _SPOKEN or own or (mind is not None and mind == piece.speaker):
        return _with_names(piece, known)
    words = " ".join(piece.words.split())
    if not words:
        return ""
    if piece.piece is PieceKind.WRITING:
        return f"“{words}”"
    if piece.speaker is None:  # nobody can tell who speaks: it may be whoever reads it
        return f"“{words}”"
    return f"{_called(plan, piece.speaker, known)}: “{words}”"


def _called(plan: Plan, who: EntityId, known: Callable[[str], bool] | None) -> str:
    person = plan.cast.get(who)
    if person is None or (known is not None and not known(who)):
        return SOMEBODY.capitalize()
    return person.name.strip() or who


def _with_names(piece: PieceTold, known: Callable[[str], bool] | None) -> str:
    """The words of a piece, in which nobody stands by a name that its reader does not know."""
    text = " ".join(piece.text.split())
    unknown = {
        " ".join(each.words.split()) for each in piece.names if known and not known(each.who)
    }
    if not unknown:
        return text
    longest = sorted(map(re.escape, unknown), key=len, reverse=True)
    aloud = [(each.start, each.end) for each in quoted_in(text)]

    def replaced(found: re.Match[str]) -> str:
        if any(start <= found.start() < end for start, end in aloud):
            return found.group()
        return SOMEBODY if found.start() else SOMEBODY.capitalize()

    return re.sub(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", replaced, text)
