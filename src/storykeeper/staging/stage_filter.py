"""What of an answer the player may see while it comes: prose, and never a stage block.

    shown so far   is always the beginning of what is kept as prose in the end

Whatever could still turn out to be the opening of a block, or a mark by which a chat template ends
an answer, waits until it is decided; if the stream ends there, it is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from storykeeper.staging.declaration import without_blocks

# By which models end what they say; a server that does not know its model's lets them through.
END_MARKS = (
    "<|im_end|>", "<|im_start|>", "<|eot_id|>", "<|endoftext|>", "<|end|>", "<|end_of_text|>",
    "<end_of_turn>", "</s>", "[/INST]",
)  # fmt: skip
# The end of a text that may become a fence with `stage` or `json` behind it, and the space before.
_LABEL = "(?:s(?:t(?:a(?:ge?)?)?)?|j(?:s(?:on?)?)?)?"
_UNDECIDED = re.compile(
    rf"(?<!\s)\s*+(?:(?:`{{1,8}}|~{{1,8}})[ \t]*{_LABEL}[ \t]*)?\Z", re.IGNORECASE
)
_CUT = re.compile(rf"(?<!\s)\s*+(?:`{{3,8}}|~{{3,8}})[ \t]*{_LABEL}[ \t]*\Z", re.IGNORECASE)


@dataclass(slots=True)
class StageFilter:
    """An answer as it comes. `raw` is all of it up to where it ends, with its block."""

    raw: str = ""
    ended: bool = False  # by a mark: what follows is not of the answer
    shown: str = ""

    def add(self, part: str) -> str:
        """What may be shown now that this part has come."""
        if not self.ended:
            self.raw += part
            ends = [at for mark in END_MARKS if (at := self.raw.find(mark)) >= 0]
            if ends:
                self.raw, self.ended = self.raw[: min(ends)], True
        return self._more(_decided(self.raw, ended=self.ended))

    def end(self) -> str:
        """The stream is over: what may be shown of what was waiting."""
        self.raw = _CUT.sub("", self.raw)
        return self._more(self.raw)

    @property
    def prose(self) -> str:
        """What is kept as prose."""
        return without_blocks(self.raw)[0].strip()

    def _more(self, raw: str) -> str:
        prose = without_blocks(raw)[0].strip()
        more, self.shown = prose[len(self.shown) :], prose
        return more


def _decided(raw: str, *, ended: bool) -> str:
    """The text without what may become something else at its end; no mark, where one ended it."""
    marks = () if ended else END_MARKS
    held = max((size for mark in marks for size in range(1, len(mark))
                if raw.endswith(mark[:size])), default=0)  # fmt: skip
    return _UNDECIDED.sub("", raw[: len(raw) - held])
