"""A text as sentences, word for word, and what must stay together.

A sentence is never cut. Three kinds are never torn apart: what stands inside one pair of quotes, a
question and the words after it (an answer alone may say the opposite), and a sentence that takes
back the one before it ("But …", "No, …"). At most four go together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.memory.items import Item

_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)")
_END = re.compile(r"(?:(?<![.!?…])[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”）]*)\s*")
_SHORT = re.compile(
    r"(?:^|[\s(\"“‘'])(?:Mr|Mrs|Ms|Dr|St|Prof|Sr|Jr|Capt|Col|Gen|Lt|Sgt|Rev|Hon|vs|etc|e\.g|i\.e|"
    r"[A-Z])\.$"
)
_TAKES_BACK = re.compile(
    r"[\"'“‘«\s]*(?:but|however|yet|except|unless|although|though|instead|actually|no|nope|not|"
    r"never|nah|neither|nor|wrong|false)\b",
    re.IGNORECASE,
)
MOST_TOGETHER = 4  # sentences: a page of questions is not one
LONG_QUOTE = 400  # characters: a speech may be taken in parts, a remark may not


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order; only the spaces between words are made even."""
    found: list[str] = []
    for paragraph in _PARAGRAPH.split(text):
        flat = " ".join(paragraph.split())
        start = 0
        for end in _ends(flat):
            found.append(flat[start:end].strip())
            start = end
        found.append(flat[start:].strip())
    return [sentence for sentence in found if sentence]


def _ends(flat: str) -> list[int]:
    from storykeeper.language.prose.quotes import quote_spans  # its package is slow to import

    quotes = [s for s in quote_spans(flat) if s.end - s.start <= LONG_QUOTE]
    ends, quote = [], 0
    for match in _END.finditer(flat):
        stop = match.end()
        while quote < len(quotes) and quotes[quote].end <= match.start() + 1:
            quote += 1
        inside = quote < len(quotes) and quotes[quote].start < match.start() < quotes[quote].end
        if inside and len(match.group().rstrip()) and stop < quotes[quote].end:
            continue
        if flat[stop : stop + 1].islower() or _SHORT.search(
            flat[max(0, stop - 12) : stop].rstrip()
        ):
            continue
        ends.append(stop)
    return ends


@dataclass(frozen=True, slots=True)
class Unit:
    """Sentences that are taken together or not at all, and which items they stand in."""

    parts: tuple[tuple[int, str], ...]  # (place of the item, sentence), in order

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(sentence for _, sentence in self.parts)


def units(items: Sequence[Item]) -> list[Unit]:
    """What may be taken out of some items, in order."""
    found: list[Unit] = []
    open_question = False
    for place, item in enumerate(items):
        for number, sentence in enumerate(sentences(item.text)):
            back = number > 0 and _TAKES_BACK.match(sentence) is not None
            if found and (open_question or back) and len(found[-1].parts) < MOST_TOGETHER:
                found[-1] = Unit((*found[-1].parts, (place, sentence)))
            else:
                found.append(Unit(((place, sentence),)))
            open_question = _asks(sentence)
    return found


def _asks(sentence: str) -> bool:
    return sentence.rstrip("\"'”’»)] ").endswith(("?", "？"))
