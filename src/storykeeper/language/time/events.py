"""The words that name an event beside which a time is said: "before the wedding"."""

from __future__ import annotations

from storykeeper.language.time.lexer import Token, listed

_LONGEST = 8
_OPENERS = frozenset(
    listed("the a an my your his her its our their this that these those she he they we i you it")
)
_STOPS = frozenset(
    listed(
        "did does do was were is are has have had will would could can should and or but so "
        "then that which who whom what when where why how if because while before after since "
        "until till during in on at with for from about as"
    )
)
_KEPT = frozenset(listed("of to into with for from at in on"))  # inside a name: "the fall of Rome"


def event_phrase(words: list[Token], i: int) -> tuple[str, int] | None:
    """The phrase at a place and the place after it; none if nothing can be named there."""
    if i >= len(words) or not _opens(words[i]):
        return None
    j = i
    while j < len(words) and j - i < _LONGEST and words[j].tag != "mark":
        word = words[j].word
        first = j == i or (j == i + 1 and words[i].word in _OPENERS)
        if not first and word in _STOPS and word not in _KEPT:
            break
        j += 1
    while j > i and words[j - 1].word in _STOPS | _OPENERS:
        j -= 1
    if j == i:
        return None
    return " ".join(token.raw for token in words[i:j]), j


def _opens(token: Token) -> bool:
    """An article, a pronoun, a name, a doing ("starting boot camps")."""
    if token.tag != "word":
        return False
    return token.word in _OPENERS or token.capital or token.word.endswith("ing")
