"""How a player says the words of a line: aloud, low, in writing, or not at all.

Only the narration beside the words is asked, and it is typed: short, and in the first person. What
a narrator writes is an open class, and is read otherwise (`language.tagger`).
"""

from __future__ import annotations

import re
from enum import StrEnum

from storykeeper.language.quoted import Quoted
from storykeeper.language.verbs import ASKING, SPEAKING, base

MOST_CHARS = 400  # of narration on either side of the words


class Tone(StrEnum):
    """How words are said."""

    ALOUD = "aloud"
    LOW = "low"  # for whom they are said to
    WRITTEN = "written"  # for who reads them
    UNSAID = "unsaid"  # thought, wanted, denied


_SAYING = SPEAKING | ASKING | {"say", "reply", "add", "explain", "confess", "speak", "cry", "read"}
_LOW = frozenset({"whisper", "murmur", "mutter", "mumble", "breathe", "mouth", "confide", "hiss"})
_WRITING = frozenset({
    "write", "scribble", "scrawl", "jot", "text", "message", "email", "e-mail", "wire", "post",
    "type", "send",
})  # fmt: skip
_THINKING = frozenset({
    "think", "wonder", "dream", "imagine", "remember", "recall", "realise", "realize", "muse",
})  # fmt: skip
_UNDOING = frozenset({
    "not", "never", "almost", "nearly", "without", "cannot", "want", "wish", "mean", "plan",
    "hope", "intend", "prepare", "refuse", "forget", "fail", "long", "dare", "would", "could",
    "should", "will", "shall", "might", "pretend", "about",
})  # fmt: skip
_REACH = 4  # words between what undoes a saying and the saying
_NOTE = re.compile(
    r"\b(?:note|letter|message|card|text|slip|scrap)\b[^|]*"
    r"(?:\b(?:says?|saying|reads?|reading|with the words?)|:)[\s,:]*\|",
    re.IGNORECASE,
)
_LOWLY = re.compile(
    r"\b(?:quietly|softly|privately|secretly|aside|confidentially|apart|alone"
    r"|in (?:an? )?(?:\w+ )?(?:low|hushed|soft|small|quiet|lowered|private|confidence|undertone)\b"
    r"|under (?:my|his|her|their) breath|in(?:to)? [\w'’]+ ear"
    r"|(?:out of|beyond) (?:[\w'’]+ )*earshot|without [\w'’]+ hearing"
    r"|(?:lower|drop|keep)(?:s|ed|ing)? my voice|my voice (?:drops|is low|is down|down)"
    r"|lean(?:s|ed|ing)? (?:in |close |over )?(?:close|in|to|toward|towards) (?!the\b|a\b|my\b)"
    r"|into a corner|only (?:to )?(?-i:[A-Z])\w+"
    r"|only (?:[\w'’]+ ){1,3}(?:can |could |to )?hears?"
    r"|(?:not|n['’]t|nobody|no one|none) (?:\w+ ){0,2}hears?)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:tell|remind) myself\b", re.IGNORECASE)
_END = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.!?…]+(?=\s|$)|\n")
_WORD = re.compile(r"[\w'’-]+|\|")


def tone_of(beside: str) -> Tone:
    """How words are said, by the narration beside them, in which a bar stands for them."""
    words = [_plain(each) for each in _WORD.findall(beside)]
    saying = [n for n, word in enumerate(words) if word in _SAYING or word in _LOW]
    undone = any(_UNDOING & {*words[max(0, n - _REACH) : n]} for n in saying)
    if undone or _SELF.search(beside) or (not saying and _THINKING & {*words}):
        return Tone.UNSAID
    if (not saying and _WRITING & {*words}) or _NOTE.search(beside):
        return Tone.WRITTEN
    return Tone.LOW if _LOW & {*words} or is_low(beside) else Tone.ALOUD


def is_low(words: str) -> bool:
    """Whether a sentence says that its speaker goes on low."""
    return _LOWLY.search(words) is not None and not _UNDOING & set(map(_plain, words.split()))


def _plain(word: str) -> str:
    if word.casefold().endswith(("n't", "n’t")):
        return "not"
    return base(word.casefold(), frozenset())


def beside(line: str, quoted: Quoted, *, after: int = 0, before: int | None = None) -> str:
    """The narration of the sentence in which quoted words stand, with a bar in their place.

    Other quotations end at `after` and begin at `before`.
    """
    first = max(after, quoted.start - MOST_CHARS)
    last = min(len(line) if before is None else before, quoted.end + MOST_CHARS)
    *earlier, led = _END.split(line[first : quoted.start])
    rest = line[quoted.end : last]
    over = quoted.words[-1:] in (".", "!", "?") and not rest.lstrip(" ,;")[:1].islower()
    over = over and not rest.lstrip().startswith("I ")
    rest = "" if over else _END.split(rest, maxsplit=1)[0].strip()
    if not led.strip() and not rest:  # "I text Dov. “…”"
        led = next((each for each in reversed(earlier) if each.strip()), "")
    return f"{led.strip()} | {rest}"


def sentence_before(text: str, at: int) -> str:
    """The sentence that ended before a place, in the same paragraph."""
    ended = [each for each in _END.split(text[max(0, at - MOST_CHARS) : at])[:-1] if each.strip()]
    return ended[-1].strip() if ended else ""


def sentence_at(text: str, at: int) -> str:
    """The sentence around a place in some text."""
    led = _END.split(text[max(0, at - MOST_CHARS) : at])[-1]
    return led + _END.split(text[at : at + MOST_CHARS], maxsplit=1)[0]
