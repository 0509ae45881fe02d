"""Whether a text asks something, and what is left to look for once its times are taken out.

Prose is full of "before" and "first": only what asks or bids to tell is read for times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from storykeeper.language.time.lexer import Token, listed, tokens
from storykeeper.language.time.values import Expression

_LONGEST_WORDS = 120  # more is prose, or a paste
_ASKING = frozenset(
    listed(
        "what who whom whose which when where why how did do does was were is are am has have had "
        "can could will would should may might whats"
    )
)
_BIDDING = frozenset(
    listed(
        "tell remind summarize summarise recap list describe show give find recall remember "
        "explain search look say name please sum repeat"
    )
)
_MARKS = ("?", "？", "؟")
_POLITE = frozenset(listed("please yes no and so but well ok okay hey hi now then just also"))
_FUNCTION = frozenset(
    listed(
        "a an the this that these those it its we us our ours you your yours i me my mine he him "
        "his she her they them their there here what who whom which when where why how whatever "
        "did do does done was were is are am be been being has have had can could will would "
        "should may might must shall of in on at to for from with by as about over during within "
        "through across around into and or but if so not all any some every each many much more "
        "most few bit quite lot lots just also then than too very only else up out again back "
        "several cannot can't please yes no ok okay oh well hey hi thanks thank s t d ll re ve m "
        "don didn doesn wasn"
    )
)
# What one says of talking, of remembering and of time itself: no subject to look for.
_TALK = frozenset(
    listed(
        "talk talks talked talking chat chats chatted chatting discuss discusses discussed "
        "discussing discussion discussions conversation conversations converse conversed speak "
        "spoke spoken speaking say says said saying tell tells told mention mentions mentioned "
        "session sessions sitting meeting call message messages scene scenes turn turns subject "
        "subjects topic topics matter matters thing things stuff sort sorts kind kinds anything "
        "something everything nothing content contents detail details summary summarize summarise "
        "summarized recap describe list cover covered covering go went gone over going happen "
        "happens happened happening occur occurred remember remembered recall recalled remind "
        "forget forgot know like share shared ask asked answer answered reply replied wrote "
        "written said exact exactly particular time times moment period date day days week weeks "
        "month months year years when ago last first earlier recently recent we're what's let"
    )
)
_SAYING = frozenset(
    listed(
        "talk talks talked talking chat chats chatted discuss discussed discussing discussion "
        "discussions conversation conversations say said saying tell told mention mentioned "
        "mentions mentioning speak spoke according asked share shared express expressed describe "
        "described suggest suggested"
    )
)
_OF_THE_TALK = frozenset(
    listed("happen happened happens happening occurred summarize summarise recap")
)
_LED = frozenset(listed("did do does didn didn't"))  # by which "tell" is no bidding
_CLAUSES = frozenset(listed("that which who whom whose when where while because since if after"))


def inquires(text: str) -> bool:
    """Whether a text asks, or bids to tell: by its mark, or by how a sentence begins."""
    return asks(text, tokens(text))


def asks(text: str, words: Sequence[Token]) -> bool:
    """The same of a text whose words are known."""
    if not words or len(words) > _LONGEST_WORDS:
        return False
    if any(mark in text for mark in _MARKS):
        return True
    return any(_opens(words, i) for i in _starts(words))


def _starts(words: Sequence[Token]) -> list[int]:
    """Where sentences begin, and clauses after a comma."""
    marks = [i + 1 for i, token in enumerate(words) if token.word in (".", "!", ",", ";", ":")]
    return [i for i in (0, *marks) if i < len(words)]


def _opens(words: Sequence[Token], i: int) -> bool:
    while i < len(words) and words[i].word in _POLITE and words[i].word != "please":
        i += 1
    return i < len(words) and words[i].word in _ASKING | _BIDDING


def without(text: str, expressions: Collection[Expression]) -> str:
    """A text with its times taken out."""
    kept, at = [], 0
    for expression in expressions:
        kept.append(text[at : expression.start])
        at = expression.end
    kept.append(text[at:])
    return " ".join("".join(kept).split()).replace(" ?", "?").replace(" ,", ",").strip(" ,")


def outside(words: Iterable[Token], expressions: Collection[Expression]) -> list[Token]:
    """The words that belong to none of the expressions."""
    spans = [(e.start, e.end) for e in expressions]
    return [w for w in words if not any(start <= w.start < end for start, end in spans)]


def subjects(words: Iterable[Token], *, names: Collection[str] = ()) -> tuple[str, ...]:
    """The words that say what to look for; none where only time and talk are asked of."""
    known = {name.casefold() for name in names}
    return tuple(w.word for w in words if is_subject(w) and w.word not in known)


def is_subject(token: Token) -> bool:
    """Whether a word says something of its own."""
    return token.tag != "mark" and token.word not in _FUNCTION and token.word not in _TALK


_BETWEEN_US = frozenset(listed("we us our turn scene"))


def is_between_us(words: Iterable[Token], *, numbered: bool) -> bool:
    """Whether a question is of the talk or the story as such, and not of somebody in it.

    "What did we do" is, of a session or a turn; of a day it is of what was done, which may have
    been told later.
    """
    known = _SAYING | _OF_THE_TALK | _BETWEEN_US if numbered else _SAYING | _OF_THE_TALK
    return any(token.word in known for token in words)


def is_of_talk(words: Sequence[Token], expression: Expression) -> bool:
    """Whether the time is said of the talking: "what did Ana say about the key last Tuesday".

    Not of what was talked of: "what did Ana say of the trip that she took last summer". Between
    the talking and the time there is no clause of its own. Nor of what is to be told now: "tell me
    of the trip last summer".
    """
    before = [token for token in words if token.start < expression.start]
    said = [i for i in range(len(before)) if _says(before, i)]
    if said:
        return not any(token.word in _CLAUSES for token in before[said[-1] + 1 :])
    after = [i for i, token in enumerate(words) if token.start >= expression.end]
    return not subjects(before) and any(_says(words, i) for i in after)


def _says(words: Sequence[Token], i: int) -> bool:
    """Whether a word is of what was said then, and no bidding to say something now."""
    word = words[i].word
    bids = word in _BIDDING and not any(token.word in _LED for token in words[:i])
    return word in _SAYING and not bids
