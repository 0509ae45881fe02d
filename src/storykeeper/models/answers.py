"""A model's answer, taken out of what it wrote, and what had to be left out of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeVar

from storykeeper.models.prompt import PARTS

MAX_ANSWER_CHARS = 400_000
MAX_LISTED = 400  # of one part: a passage has fewer, a model that repeats itself has more
_MAX_STARTS = 20  # braces tried as the start of an answer that stands in other words
_Named = TypeVar("_Named", bound=StrEnum)


class Reason(StrEnum):
    """Why something of an answer was left out."""

    INVENTED = "named something that is not in the text"
    REPEATED = "named twice what the text has once"
    VERBLESS = "told of something without a verb of the text"
    UNDONE = "took something to be implied by what did not happen"
    UNQUOTED = "took for speech what stands in no quotation marks"
    NOWHERE = "pointed at nothing"
    STRANGE = "gave a word that was not among those asked for"
    FOREIGN = "used words that are not in the text"
    MISSHAPEN = "gave a value of the wrong kind"
    TOO_MUCH = "went on for longer than is read"


class Sieve:
    """Takes fields out of an answer, and counts what does not pass."""

    def __init__(self) -> None:
        self._left_out: Counter[Reason] = Counter()

    @property
    def invented(self) -> int:
        """How many mentions the text does not have."""
        return self._left_out[Reason.INVENTED]

    def drop(self, reason: Reason, count: int = 1) -> None:
        """Counts something that is left out."""
        self._left_out[reason] += count

    def notes(self) -> tuple[str, ...]:
        """What was left out, in plain words; none of the model's own."""
        return tuple(
            f"The model {reason} ({_times(self._left_out[reason])}); that was left out."
            for reason in Reason
            if self._left_out[reason]
        )

    def listed(self, value: object) -> list[object]:
        """A list, no longer than is read; nothing for what is none."""
        if value is None:
            return []
        if not isinstance(value, list):
            self.drop(Reason.MISSHAPEN)
            return []
        if len(value) > MAX_LISTED:
            self.drop(Reason.TOO_MUCH, len(value) - MAX_LISTED)
        return value[:MAX_LISTED]

    def objects(self, value: object) -> Iterator[tuple[int, Mapping[str, object]]]:
        """The objects of a list, with their numbers in it."""
        for number, each in enumerate(self.listed(value)):
            if isinstance(each, dict):
                yield number, each
            else:
                self.drop(Reason.MISSHAPEN)

    def text(self, value: object) -> str:
        """Some words, without the space around them; nothing for what is no text."""
        if value is None:
            return ""
        if not isinstance(value, str):
            self.drop(Reason.MISSHAPEN)
            return ""
        return value.strip()

    def truth(self, value: object) -> bool | None:
        """Yes, no, or not said."""
        if value is not None and not isinstance(value, bool):
            self.drop(Reason.MISSHAPEN)
            return None
        return value

    def number(self, value: object, places: Mapping[int, int]) -> int | None:
        """Where a number of the answer ended up; None if nowhere."""
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.drop(Reason.MISSHAPEN)
            return None
        if value not in places:
            self.drop(Reason.NOWHERE)
        return places.get(value)

    def numbers(self, value: object, places: Mapping[int, int]) -> tuple[int, ...]:
        """Where the numbers of a list ended up, each once."""
        found = (self.number(each, places) for each in self.listed(value))
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def named(self, value: object, kind: type[_Named]) -> _Named | None:
        """A word of a closed list; None if it is none of them or was not said."""
        word = self.text(value).casefold()
        if not word:
            return None
        if word not in set(kind):
            self.drop(Reason.STRANGE)
            return None
        return kind(word)


def answer_in(written: str) -> Mapping[str, object] | None:
    """The JSON object in what a model wrote, with or without words around it.

    None if there is none, if it is cut short, or if it has no part that was asked for.
    """
    if len(written) > MAX_ANSWER_CHARS:
        return None
    decoder = json.JSONDecoder()
    start = written.find("{", written.rfind("</think>") + 1)
    for _ in range(_MAX_STARTS):
        if start < 0:
            break
        try:
            value, _end = decoder.raw_decode(written, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and any(part in value for part in PARTS):
            return value
        start = written.find("{", start + 1)
    return None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
