"""All that somebody gets to see of a run, to compare it to the last byte with another run."""

from collections.abc import Iterable

import msgspec

from storykeeper.engine import Engine
from storykeeper.errors import StorykeeperError

ASKED = ("What was said?", "What happened?", "Who is it?")


def bytes_of(window, audience: str) -> tuple[str, ...]:
    """A window with its receipt, as its audience gets it."""
    receipt = msgspec.json.encode(window.receipt_for(audience), order="deterministic").decode()
    return window.text, *(message["content"] for message in window.messages), receipt


def all_shown(keeper: Engine, audience: str, lines: Iterable[str] = ()) -> list[object]:
    """Windows on the turn under way and on lines that might be typed, and what is recalled."""
    shown: list[object] = []
    for line in ("", *lines):
        for look in (_window, _brief):
            try:
                shown.append(look(keeper, audience, line))
            except StorykeeperError as error:
                shown.append((str(error), repr(error.args)))
    shown += [repr(keeper.recall(query, audience, k=50)) for query in (*ASKED, *lines)]
    return shown


def _window(keeper: Engine, audience: str, line: str) -> tuple[str, ...]:
    return bytes_of(keeper.window(audience, text=line), audience)


def _brief(keeper: Engine, audience: str, line: str) -> tuple[str, ...]:
    if audience == "narrator":
        return ()
    return bytes_of(keeper.brief(audience, line), audience)
