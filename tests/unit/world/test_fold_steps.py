"""A turn on its way to being fact, step by step."""

from __future__ import annotations

from storykeeper.events.turns import InputReceived, LeftUnread, Rendered, Swiped, Unread
from storykeeper.world.steps import stepped

TYPED = InputReceived(3, "ann", "I wait.")
SHOWN = Rendered(3, 1, "It rains.")
LEFT = LeftUnread(3, Unread.PROSE, "it took too long")


def after(*records):
    both = (None, None)
    for record in records:
        both = stepped(*both, record)
    return both


def test_what_is_left_unread_is_a_turns_own():
    _, pending = after(TYPED, SHOWN, LEFT)
    assert pending.unread == (Unread.PROSE,)
    answered, pending = after(TYPED, SHOWN, InputReceived(4, "ann", "I nod."), LEFT)
    assert answered.unread == (Unread.PROSE,)
    assert pending.unread == ()
    assert after(TYPED, SHOWN, LeftUnread(2, Unread.PROSE))[1].unread == ()


def test_another_telling_was_not_tried_yet():
    line = LeftUnread(3, Unread.LINE)
    _, pending = after(TYPED, line, SHOWN, LEFT, LEFT)
    assert pending.unread == (Unread.LINE, Unread.PROSE)
    _, pending = after(TYPED, line, SHOWN, LEFT, Swiped(3, 1), Rendered(3, 2, "It snows."))
    assert pending.unread == (Unread.LINE,)
