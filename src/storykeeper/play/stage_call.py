"""A second, small call: a model that is given what the narrator was given, and what was told, says
what changed on the stage.

It sees nothing that the narrator did not see, so nothing hidden can show in what it says; and it is
believed no more than a block behind a prose. It is asked while the player reads.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from storykeeper.context.window import Window
from storykeeper.errors import SettingsInvalid
from storykeeper.models.port import ChatModel, Message
from storykeeper.staging.declaration import Parsed, json_schema, parsed, without_blocks
from storykeeper.story.preamble import ASK_CALL

LIMIT_TOKENS = 400
# Who says who came and went: the prose alone, its narrator, or a model that is asked afterwards.
READER, INLINE, CALL = "reader", "inline", "call"


@dataclass(frozen=True, slots=True)
class StageCall:
    """Whom to ask. `name` is what the ledger keeps of who declared it."""

    model: ChatModel
    name: str = "model"

    def asked(self, window: Window, prose: str) -> Parsed:
        """What a model says of prose that was told from a window, which offers facts by handles.

        Raises ModelUnavailable and nothing else.
        """
        given = [Message("system", window.stable), Message("user", window.fresh)]
        said = [Message("assistant", prose), Message("user", ASK_CALL)]
        answer = self.model.complete(
            [each for each in given if each.text] + said, schema=json_schema(),
            limit_tokens=LIMIT_TOKENS,
        )  # fmt: skip
        _, block = without_blocks(answer)
        read = parsed(_object(answer) if block is None else block)
        return Parsed(structs.replace(read.declaration, inline=True), read.dropped)


def stage_call(staging: str, stager: tuple[ChatModel, str] | None) -> StageCall | None:
    """Whom to ask by these settings, a model and its name; nobody, unless they want a call."""
    if staging not in (READER, INLINE, CALL):
        known = f"{READER!r}, {INLINE!r} or {CALL!r}"
        raise SettingsInvalid(f"staging is {known}, not {staging!r}")
    if (staging == CALL) is (stager is None):
        raise SettingsInvalid(f"staging={CALL!r} and a model as stager belong together")
    return None if stager is None else StageCall(*stager)


def _object(answer: str) -> str:
    """From the first brace to the last: models write around what they are asked for."""
    start, end = answer.find("{"), answer.rfind("}")
    return answer[start : end + 1] if 0 <= start < end else answer
