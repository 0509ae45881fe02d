"""How strongly something foretold leans on its scene."""

from __future__ import annotations

from math import exp

from storykeeper.story.layers import Prophecy
from storykeeper.units import TurnNo
from storykeeper.world.state import ProphecyState

REINFORCED_SHARE, NEVER_BELOW, FORGETTING = 0.5, 0.5, 0.01


def magnitude(prophecy: Prophecy, state: ProphecyState, *, now: TurnNo) -> float:
    """max(.5·base, (base + .5·Σ reinforcements)·e^(−.01·turns)).   F2.6: 0 once fulfilled."""
    if state.fulfilled is not None:
        return 0.0
    grown = prophecy.base + REINFORCED_SHARE * state.reinforced
    age = max(0, now - state.last)
    return max(NEVER_BELOW * prophecy.base, grown * exp(-FORGETTING * age))
