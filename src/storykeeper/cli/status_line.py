"""One line about where a story stands: turn, scene, place, who is here, tokens, what pulls."""

from __future__ import annotations

from storykeeper.bootstrap import Storykeeper
from storykeeper.play.presence import presence
from storykeeper.play.turn import Turn
from storykeeper.story.model import NARRATOR
from storykeeper.world.state import World

_STEPS = "▁▂▃▄▅▆▇█"


def status_line(keeper: Storykeeper, turn: Turn | None) -> str:
    """What a player may know at a glance. Who may be gone has a question mark."""
    if turn is None and keeper.world().pending is not None:
        turn = keeper.turn()
    world, past = turn.world if turn is not None else keeper.world(), keeper.history()
    here = world.plan.settings.get(world.places.get(world.plan.players[0]) or "")
    people = [str(each) for each in presence(world, past, NARRATOR)]
    parts = [
        f"turn {turn.number if turn is not None else past[-1].turn if past else 0}",
        *_scene(world),
        here.name if here is not None else "…",
        ", ".join(people) or "alone",
        *_pull(keeper),
    ]
    if turn is not None:
        spent = turn.window.receipt.spent
        parts.append(f"window {turn.window.tokens} of {spent.budget} tokens")
    return " · ".join(parts)


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
