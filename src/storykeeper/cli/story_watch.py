"""Whether an author has changed the files of a story, and what they read now."""

from __future__ import annotations

from pathlib import Path

from storykeeper.language.tokens import counter
from storykeeper.story.loader import Reading, read_story

_KINDS = frozenset({".yaml", ".md"})
_State = dict[Path, tuple[int, int]]


class StoryWatch:
    """The files of a story, looked at whenever somebody asks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.mended = False  # whether what was read last is whole, and what was before it was not
        self._broken = False
        self._seen = self._state()

    def edited(self) -> Reading | None:
        """The story as it reads now, if its files are not those of last time."""
        state = self._state()
        if state == self._seen:
            return None
        self._seen = state
        reading = read_story(self.folder, counters=counter)
        self.mended = self._broken and reading.story is not None
        self._broken = reading.story is None
        return reading

    def _state(self) -> _State:
        files = (file for file in self.folder.rglob("*") if file.suffix.lower() in _KINDS)
        return {file: stamp for file in files if (stamp := _stamp(file)) is not None}


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:  # an editor is putting it in the place of the one before
        return None
    return found.st_mtime_ns, found.st_size
