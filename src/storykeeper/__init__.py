"""storykeeper: the memory of a story told by a language model.

from storykeeper import Storykeeper

keeper = Storykeeper.open("run.db", story="examples/the-lamp-at-harrow")
turn = keeper.begin("I ask Mara where the brass key went")
print(turn.window.text)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from storykeeper.async_memory import AsyncMemory
    from storykeeper.bootstrap import Storykeeper
    from storykeeper.memories import Memory
    from storykeeper.memory.asker import OWNER

__version__ = "0.1.0"
__all__ = ["OWNER", "AsyncMemory", "Memory", "Storykeeper", "__version__"]

_WHERE = {
    "AsyncMemory": "async_memory",
    "Memory": "memories",
    "OWNER": "memory.asker",
    "Storykeeper": "bootstrap",
}


def __getattr__(name: str) -> Any:
    """Loads the engine when it is first asked for, so that importing the package costs nothing."""
    if name in _WHERE:
        return getattr(import_module(f"storykeeper.{_WHERE[name]}"), name)
    raise AttributeError(f"storykeeper has no {name!r}")
