"""A player's own sentence, said back: "I look in my bag." → "You look in your bag."

What stands between quotation marks stays as it was said. A sentence that is neither about the
player nor an order to do something is not said back: its claims are not the narrator's to repeat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from storykeeper.language.quoted import blanked, quoted_in
from storykeeper.language.verbs import ASKING, SPEAKING, is_verb, plain

MAX_CHARS = 240  # more is a text, not a deed
_END = re.compile(r"[.!?][*\"”’']?\s+|\n+")
_EMOTE = re.compile(r"^\*[^*\n]+\*\s+", re.MULTILINE)
_BETWEEN = re.compile(r"\*[^*\n]+\*")
_LINKED = re.compile(r"^(?:then|so|and|but|now|next),?\s+(?=I\b)", re.IGNORECASE)
_WORD = re.compile(r"[\w’']+")
_YOURS = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "i'm": "you're", "i've": "you've", "i'll": "you'll", "i'd": "you'd",
}  # fmt: skip
_BEING = re.compile(r"\b(you) (am|was)\b", re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    """A line, a sentence at a time, without the marks that chats put around it.

    What is said between quotation marks is not taken apart.
    """
    quotes = [(each.start, each.end) for each in quoted_in(text)]
    ends = sorted({m.end() for mark in (_END, _EMOTE) for m in mark.finditer(text)})
    cuts = [
        at for at in ends
        if not any(start < at < end for start, end in quotes) and not _tagged(text, at)
    ]  # fmt: skip
    for start, end in pairwise([0, *cuts, len(text)]):
        bare = text[start:end].strip().strip("*>").strip()
        if bare:
            yield bare


def beside_emotes(text: str) -> str:
    """What is said beside what is done, in a line that has its deeds between asterisks."""
    return " ".join(_BETWEEN.sub(" ", text).split()) if _BETWEEN.search(text) else ""


def acknowledged(text: str, *, known: frozenset[str]) -> str:
    """A line said back, as far as it can be."""
    said = beside_emotes(text)
    if said:
        return f"You {'ask' if said.endswith('?') else 'say'}: “{said}”"
    return " ".join(filter(None, (said_back(each, known=known) for each in sentences(text))))


def _tagged(text: str, at: int) -> bool:
    """Whether it goes on with who says what stands before in quotation marks: `I ask.`"""
    found = [word.casefold() for word in _WORD.findall(text[at : at + 80])][:2]
    quoted = text[:at].rstrip().endswith(('"', "”", "’", "'"))
    return quoted and found[:1] == ["i"] and plain(found[-1]) in SPEAKING | ASKING


def said_back(sentence: str, *, known: frozenset[str]) -> str | None:
    """The sentence with the player as *you*; None if that would not be right.

    `known` are acts that the story asks about; they count as verbs.
    """
    if len(sentence) > MAX_CHARS:
        return None
    sentence = _LINKED.sub("", sentence)
    outside = _WORD.search(blanked(sentence))
    spoken = any(each.start == 0 for each in quoted_in(sentence))
    if outside is None:
        return f"You say: {sentence}" if spoken else None
    first = outside.group().casefold().replace("’", "'")
    if first in _YOURS:
        return _ended(_capital(_yours(sentence)))
    if sentence.endswith("?") and not spoken:
        return f"You ask: “{sentence}”"
    if not spoken and first == plain(first) and is_verb(first, known):
        return _ended(f"You {_yours(sentence[:1].lower() + sentence[1:])}")
    return None


def _yours(sentence: str) -> str:
    said, at = "", 0
    for each in quoted_in(sentence):
        said += _of_you(sentence[at : each.start]) + sentence[each.start : each.end]
        at = each.end
    return said + _of_you(sentence[at:])


def _of_you(words: str) -> str:
    yours = _WORD.sub(_your, words)
    return _BEING.sub(lambda m: f"{m[1]} {_were(m[2])}", yours)


def _your(word: re.Match[str]) -> str:
    return _YOURS.get(word.group().casefold().replace("’", "'"), word.group())


def _were(being: str) -> str:
    return "are" if being.casefold() == "am" else "were"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(text: str) -> str:
    return text if text[-1] in ".!?…\"”'" else f"{text}."
