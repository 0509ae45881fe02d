"""What is done to a chat's run, on a worker thread, by the engine's own calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.bootstrap import Storykeeper
from storykeeper.context.window import Window
from storykeeper.play.narrate import NAME, offline, stage
from storykeeper.play.turn import Turn
from storykeeper.serve.proxy.chat_story import SCENE, Company, joined
from storykeeper.serve.proxy.steps import Row, Steps
from storykeeper.serve.proxy.transcript import Round, key
from storykeeper.staging.declaration import without_blocks
from storykeeper.story.adopt import adoption


class WentOn(Exception):
    """The run stands elsewhere than the index says: somebody else went on in it."""


NOTHING_TYPED = "…"  # a line without words: somebody let the others go on
Done = tuple[int, int, Round]  # a row, its turn, and what stands there


def opened(keeper: Storykeeper, *, opening: str) -> None:
    """Show what stood before the first line; of an authored story, its own opening."""
    if keeper.world().plan.story.id != SCENE:
        turn = keeper.opening()
        prose, left = offline(turn.world, turn.present), stage(turn.world, turn.present)
        keeper.render(turn, prose, narrator=NAME, stage=left)
    elif opening:
        keeper.render(keeper.opening(), opening)


def welcome(keeper: Storykeeper, people: Company) -> None:
    """Take those into the cast of a chat who have joined it since."""
    story = keeper.world().plan.story
    larger = joined(story, people) if story.id == SCENE else None
    if larger is not None:
        keeper.adopt(adoption(larger, turn=keeper.last_turn()))


def done(keeper: Storykeeper, rows: Sequence[Row], todo: Steps) -> list[Done]:
    """Do what brings a run in step; which rows read otherwise now, in order."""
    last = len(rows) - 1
    if keeper.last_turn() != rows[last].turn:
        raise WentOn
    found = list(_mended(keeper, rows, todo))
    if todo.drop_last:
        keeper.reject()
        last -= 1
    for n, each in enumerate(todo.play, last + 1):
        turn = keeper.begin(each.line or NOTHING_TYPED)
        if each.prose:
            keeper.render(turn, each.prose)
        found.append((n, turn.number, each))
    return found


def lived(keeper: Storykeeper) -> list[Row]:
    """The rounds at hand, as they read in this run; the last one may not be fact yet."""
    told = [(turn.turn, turn.text, turn.prose) for turn in keeper.history()]
    shown = keeper.world().pending
    if shown is not None:
        told.append((shown.turn, shown.text, shown.prose))
    return [Row(int(turn), key(text), key(prose)) for turn, text, prose in told if prose]


def window_for(keeper: Storykeeper, turn: Turn, people: Company, *, tokens: int) -> Window:
    """What answers the turn under way: the narrator's, or of several characters one's own."""
    if people.asked is None or not people.is_group:
        return turn.window
    who = next((c.id for c in keeper.world().plan.story.cast if c.name == people.asked), None)
    return turn.window if who is None else keeper.brief(who, tokens=tokens)


def rendered(keeper: Storykeeper, *, turn: Turn, text: str, narrator: str) -> str:
    """Keep an answer; what of it was shown, its stage block apart."""
    left = stage(turn.world, turn.present) if narrator == NAME else None
    keeper.render(turn, text, narrator=narrator, stage=left)
    return without_blocks(text)[0].strip()


def _mended(keeper: Storykeeper, rows: Sequence[Row], todo: Steps) -> Iterator[Done]:
    for n, each in todo.edits:
        keeper.edit(rows[n].turn, each.prose)
        yield n, rows[n].turn, each
    if todo.swipe is not None and todo.swipe.prose:
        keeper.render(keeper.turn(), todo.swipe.prose)
        yield len(rows) - 1, rows[-1].turn, todo.swipe
