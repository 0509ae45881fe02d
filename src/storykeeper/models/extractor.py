"""Reading with a model: the same port as reading by rules, and the rules behind it.

The rules read every text too. They are quick, they say where quotation marks open and close, they
fill what the model leaves open, and where the model answers badly or not at all their reading
stands, with a note that says so. Nothing that a model writes can stop a turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from storykeeper.errors import ModelUnavailable
from storykeeper.language.reading import Reader, Reading, Somebody
from storykeeper.models.answers import Sieve, answer_in
from storykeeper.models.checks import checked
from storykeeper.models.named import Given
from storykeeper.models.parsed import Parsed
from storykeeper.models.port import ChatModel
from storykeeper.models.prompt import messages, schema
from storykeeper.models.spans import Prose

MAX_CHARS = 6_000  # a turn of 1,000 words; the answer to more would not fit
_LEAST_TOKENS, _MOST_TOKENS, _TOKENS_PER_CHAR = 1_024, 16_384, 3
_HALVES = re.compile("[\ud800-\udfff]")  # of characters: no text, and nothing can be sent of them
_LEAST_SHARE = 0.25  # of what the rules find; with less the text was not read


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Reads by asking a model; what it says is checked, and the fallback's reading is at hand.

    `prose` blanks out what is not to be read, character for character, so that places stay.
    """

    model: ChatModel
    fallback: Reader
    prose: Callable[[str], str] = str

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        """The model's reading as far as it holds, else the fallback's; notes say which."""
        other = self.fallback.read(text, cast=cast)
        asked = _HALVES.sub("\ufffd", self.prose(text))
        assert len(asked) == len(text), "what is blanked out keeps its length"
        if not any(char.isalnum() for char in asked):
            return other
        if len(text) > MAX_CHARS:
            return _instead(other, f"The model reads up to {MAX_CHARS:,} characters")
        limit = min(_MOST_TOKENS, _LEAST_TOKENS + _TOKENS_PER_CHAR * len(text))
        try:
            said = messages(asked, cast=cast)
            written = self.model.complete(said, schema=schema(asked), limit_tokens=limit)
        except ModelUnavailable as error:
            return _instead(other, f"The model gave no answer: {error}")
        return _checked(written, asked, text, other)


def _checked(written: str, asked: str, text: str, other: Reading) -> Reading:
    answer = answer_in(written)
    if answer is None:
        return _instead(other, "The model's answer was not the JSON asked for, or was cut off")
    sieve = Sieve()
    given = Given(Prose(asked, original=text), Parsed(asked), other)
    reading = checked(answer, given=given, sieve=sieve)
    if other.mentions and not reading.mentions:
        return _instead(other, "The model's answer named nothing that is in the text")
    if sieve.invented > len(reading.mentions):
        return _instead(other, "Most of what the model named is not in the text")
    few = len(reading.mentions) < _LEAST_SHARE * len(other.mentions)
    if few or len(reading.clauses) < _LEAST_SHARE * len(other.clauses):
        return _instead(other, "The model left most of the text unread")
    return reading


def _instead(reading: Reading, why: str) -> Reading:
    """The fallback's reading, with the reason first."""
    return replace(reading, notes=(f"{why}; the text was read by rules alone.", *reading.notes))
