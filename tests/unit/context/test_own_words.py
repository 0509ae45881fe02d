"""Words of which nobody can tell who says them are laid in no mouth: they may be one's own."""

from __future__ import annotations

from storykeeper.context.lived import quoted_piece
from storykeeper.events.atoms import PieceKind, PieceTold
from strategies.worlds import begun, example


def test_who_reads_words_of_nobody_may_have_said_them():
    plan = begun(example()).plan
    told = PieceTold(PieceKind.SPEECH, "“Pell,” says the young one.", None, "Pell,", (), ())
    for mind in ("mara", "pell", None):
        assert quoted_piece(plan, told, mind=mind, known=lambda _: True) == "“Pell,”"


def test_who_speaks_and_is_a_stranger_is_somebody():
    plan = begun(example()).plan
    told = PieceTold(PieceKind.SPEECH, "“Pell,” says Mara.", "mara", "Pell,", (), ())
    assert quoted_piece(plan, told, mind="pell", known=lambda _: False) == "Somebody: “Pell,”"
    assert quoted_piece(plan, told, mind="pell", known=lambda _: True) == "Mara Rudd: “Pell,”"
    assert quoted_piece(plan, told, mind="mara", known=lambda _: True) == told.text
