"""What a program is told of a memory it uses: after something was added, changed or looked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from storykeeper.errors import MemoryProblem
from storykeeper.memory.asker import Asker


class Doing(StrEnum):
    """What there are hooks for."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    FORGET = "forget"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that was done, and with which items."""

    what: Doing
    items: tuple[str, ...]  # ids: what was added or changed, or what was found
    namespace: str = ""
    query: str = ""  # of a search
    audience: Asker = None  # of a search: who asked


Hook = Callable[[Happened], object]


@dataclass(slots=True)
class Hooks:
    """Who is told of what."""

    _known: dict[Doing, list[Hook]] = field(default_factory=dict)

    def on(self, what: str, hook: Hook) -> Callable[[], None]:
        """Tell a hook from here on; what is given back takes it off again."""
        if what not in tuple(Doing):
            raise MemoryProblem(f"there is no hook for {what!r}; there are {', '.join(Doing)}")
        hooks = self._known.setdefault(Doing(what), [])
        hooks.append(hook)

        def off() -> None:
            if hook in hooks:
                hooks.remove(hook)

        return off

    def tell(self, happened: Happened) -> None:
        """Tell all of them, in the order in which they were put on. What one raises is raised."""
        for hook in tuple(self._known.get(happened.what, ())):
            hook(happened)
