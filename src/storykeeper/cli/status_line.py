"""One line about where a story stands: turn, scene, place, who is here, what pulls, tokens."""

from __future__ import annotations

from storykeeper.bootstrap import Storykeeper
from storykeeper.context.window import Window
from storykeeper.play.presence import Present
from storykeeper.play.turn import Turn
from storykeeper.world.state import World, whose_turn

_STEPS = "▁▂▃▄▅▆▇█"


def status_line(keeper: Storykeeper, turn: Turn | None) -> str:
    """What a player may know at a glance, after what was told. Who may be gone has a `?`."""
    if turn is None and keeper.world().pending is not None:
        turn = keeper.turn()
    world, past = keeper.world(shown=True), keeper.history()
    here = world.plan.settings.get(world.places.get(whose_turn(world)) or "")
    parts = [
        f"turn {turn.number if turn is not None else past[-1].turn if past else 0}",
        *_scene(world),
        here.name if here is not None else "…",
        ", ".join(_people(world, keeper.presence(whose_turn(world), shown=True))) or "alone",
        *_pull(keeper),
    ]
    if turn is not None:
        parts.append(_tokens(turn.window))
    return " · ".join(parts)


def _people(world: World, present: tuple[Present, ...]) -> list[str]:
    """By their first names, where these tell them apart: a line is short."""
    first = [card.name.split(" ")[0] for card in world.plan.cast.values()]
    return [
        each.name.split(" ")[0] + "?" * (not each.sure)
        if first.count(each.name.split(" ")[0]) == 1
        else str(each)
        for each in present
    ]


def _tokens(window: Window) -> str:
    return f"{window.tokens:,} of {window.receipt.spent.budget:,} tokens"


def _scene(world: World) -> list[str]:
    """The scene they are in; which others there are is nobody's to read here."""
    scene = world.plan.scenes.get(world.scene or "")
    return [scene.title] if scene is not None and scene.title else []


def _pull(keeper: Storykeeper) -> list[str]:
    """How near what pulls most is felt to be, without saying what it is."""
    strongest = keeper.landscape().strongest
    if strongest is None:
        return []
    return [f"pull {_STEPS[round(strongest.nearness * (len(_STEPS) - 1))]}"]
