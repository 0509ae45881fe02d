"""storykeeper: the memory of a story told by a language model.

from storykeeper import Storykeeper

keeper = Storykeeper.open("run.db", story="examples/the-lamp-at-harrow")
turn = keeper.begin("I ask Mara where the brass key went")
print(turn.window.text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from storykeeper.bootstrap import Memory, Storykeeper

__version__ = "0.1.0"
__all__ = ["Memory", "Storykeeper", "__version__"]


def __getattr__(name: str) -> Any:
    """Loads the engine when it is first asked for, so that importing the package costs nothing."""
    if name in ("Memory", "Storykeeper"):
        from storykeeper import bootstrap

        return getattr(bootstrap, name)
    raise AttributeError(f"storykeeper has no {name!r}")
