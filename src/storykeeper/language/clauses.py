"""A line in clauses: what is said one after the other, who does it, and whether it is done.

*And* or a comma joins two clauses if a verb follows it, and otherwise two names. What is denied,
imagined, planned, conditional or asked about is not done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from storykeeper.language.lexicon import verb_classes
from storykeeper.language.names import Found
from storykeeper.language.phrases import Token, is_adverb, is_content
from storykeeper.language.speech import OPENING
from storykeeper.language.typed import Typed
from storykeeper.language.verbs import IRREGULAR, base, is_verb
from storykeeper.units import EntityId

# None of these looks far for an end that may not come: a pasted text must not take long.
_END = re.compile(
    r"[.!?;…\n]+|,? (?:and )?then(?= )|, (?:and|but)(?= )| but(?= )| while(?= )| - | ?[—–] ?",
    re.IGNORECASE,
)
_JOINT = re.compile(r" and (?:i |you )?|, ?(?:i |you )?", re.IGNORECASE)
_WORD = re.compile(r"[a-z']+", re.IGNORECASE)
# Not done: thought of, put off, asked about, or only just not.
_UNDONE = re.compile(
    r"\b((?:was|were) (?:just )?going to|almost|nearly|about to|decide against|decide not"
    r"|think (?:about|of)|consider|wonder"
    r"|imagine|plan to|mean to|intend to|instead of|rather than|nothing|never|later|tomorrow"
    r"|pretend|(?:should|would|shall) i|what if|hope|wish|dream|fail to|hesitate|try not to"
    r"|resist|refrain|remember|recall|forget|(?:would|could|should|might) have|as if|as though"
    r"|might|maybe|perhaps|used to|ought to|no longer|prepare to|ready to|expect|nobody|suppose"
    r"|thinking (?:about|of)|considering|imagining|planning to|wondering|hoping|dreaming"
    r"|thought (?:about|of)|considered|imagined|planned to|wondered|hoped|dreamed|dreamt"
    r"|remembered|forgot|intended to|meant to|pretended|hesitated)\b",
    re.IGNORECASE,
)
_SUPPOSING = re.compile(
    r"[\s,]*(?:if|unless|whenever|when|in case|as soon as|suppose|once)\b", re.IGNORECASE
)
_BEFORE = re.compile(r"[\s,]*before\b", re.IGNORECASE)
_TO_LEARN = re.compile(
    r"\b(?:see|hear|check|know|learn|find out|feel|tell|ask|test|wonder(?:ing)?) (?:if|whether)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|unless|in case)\b", re.IGNORECASE)
_WHETHER = frozenset(
    ["ask", "tell", "see", "check", "look", "know", "inquire", "question", "find", "listen",
     "answer", "say", "wonder"]
)  # fmt: skip
_SUBJECTS = frozenset({"he", "she", "they", "it"})
_NOBODY = frozenset(
    ["nobody", "someone", "somebody", "everyone", "everybody", "nothing", "something",
     "everything", "there"]
)  # fmt: skip
_POINTING = frozenset(
    ["the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their", "some",
     "my", "your", "our"]
)  # fmt: skip
_AUXILIARY = frozenset(
    ["is", "was", "has", "had", "will", "would", "can", "can't", "must", "isn't", "doesn't", "does",
     "did", "didn't", "won't", "may", "might", "should", "'s"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """A clause of a line: from where to where, how it ends, and in which sentence it stands."""

    start: int
    end: int
    asked: bool
    sentence: int
    starred: bool  # between asterisks


def clauses_of(typed: Typed, found: Sequence[Found], known: frozenset[str]) -> Iterator[Span]:
    """The clauses of a line, in order."""
    text, start, sentence = typed.text, 0, 0
    inside = _inside(found)
    stars = iter(sorted(typed.starred))
    star = next(stars, None)
    ends = [m for m in _END.finditer(text) if m.start() not in inside]
    for i in range(len(ends) + 1):
        stop = ends[i].start() if i < len(ends) else len(text)
        mark = ends[i].group() if i < len(ends) else ""
        while star is not None and star[1] <= start:
            star = next(stars, None)
        starred = star is not None and star[0] <= start and stop <= star[1]
        parts = list(_parts(text, start, stop, inside, known))
        for j, (first, last) in enumerate(parts):
            asked = "?" in mark and j == len(parts) - 1
            yield Span(first, last, asked, sentence, starred)
        if mark.strip(" ,–—-").casefold() not in ("and then", "then", "and", "but", "while", ""):
            sentence += 1
        start = ends[i].end() if i < len(ends) else len(text)


def _inside(found: Sequence[Found]) -> frozenset[int]:
    """Positions within names: "Mr. Holt" is one name, not two sentences."""
    return frozenset(at for f in found for at in range(f.start, f.end))


def _parts(
    text: str, start: int, end: int, inside: frozenset[int], known: frozenset[str]
) -> Iterator[tuple[int, int]]:
    for joint in _JOINT.finditer(text, start, end):
        mine = joint.group().casefold().endswith("i ")  # whatever I do is a verb
        if joint.start() in inside:
            continue
        asks = text[start : start + 2] == "i " and _asks_how(text, joint.end(), end)
        if not mine and not asks and not _verb_at(text, joint.end(), end, inside, known):
            continue
        left = text[start : joint.start()].strip().casefold()
        brings = asks or left in OPENING or _has_verb(text, start, joint.start(), inside, known)
        if "," in joint.group() and not brings:
            continue
        if left:
            yield start, joint.start()
        start = joint.end()
    if text[start:end].strip():
        yield start, end


def _verb_at(text: str, at: int, end: int, inside: frozenset[int], known: frozenset[str]) -> bool:
    """Whether a verb stands there, after at most two words that say how, or who."""
    if at in inside:  # "and Mara smiles"
        while at in inside:
            at += 1
        does = _WORD.match(text, at + 1, end)
        return does is not None and _does(does.group()) and is_verb(does.group(), known)
    for _ in range(3):
        word = _WORD.match(text, at, end)
        if word is None or word.start() in inside:
            return False
        if is_verb(word.group(), known) or _looks_done(text, word, end):
            return True
        if not is_adverb(word.group().casefold()) and word.group().casefold() not in _FILLING:
            return False
        at = word.end() + 1
    return False


def _looks_done(text: str, word: re.Match[str], end: int) -> bool:
    """Whether a rarer verb stands there, by what comes after: "and row to the mainland"; any at
    all, if something is pointed at, as after no noun: "and juggle the cups".
    """
    after = _WORD.match(text, word.end() + 1, end)
    if after is None or not is_content(word.group().casefold()):
        return False
    if after.group().casefold() in _POINTING | _OBJECTS:
        return True
    known = after.group().casefold() in _AFTER_VERBS
    return known and bool(verb_classes(base(word.group(), frozenset())))


def _asks_how(text: str, at: int, end: int) -> bool:
    """Whether a question begins there: "I am stuck, how do I get back"."""
    words = [w.group().casefold() for w in islice(_WORD.finditer(text, at, end), 2)]
    asks = len(words) == 2 and words[0] in ("how", "why", "where", "what")
    return asks and words[1] in _AUXILIARY | {"are", "do"}


_OBJECTS = frozenset({"him", "them", "it"})


_AFTER_VERBS = frozenset(
    ["to", "into", "toward", "towards", "away", "off", "back", "out", "in", "on", "under", "behind",
     "around", "through", "up", "down", "over", "inside", "along"]
)  # fmt: skip
_FILLING = frozenset(
    ["just", "please", "then", "also", "i", "try", "to", "i'll", "will", "you", "she", "he",
     "they", "it"]
)  # fmt: skip


def _has_verb(
    text: str, start: int, end: int, inside: frozenset[int], known: frozenset[str]
) -> bool:
    words = _WORD.finditer(text, start, min(end, start + 200))
    return any(is_verb(w.group(), known) for w in words if w.start() not in inside)


def is_supposed(clause: str) -> bool:
    """Whether a clause is a condition, so that its whole sentence is one."""
    return _SUPPOSING.match(clause) is not None


def is_undone(clause: str, verb: str) -> bool:
    """Whether what a clause says is denied, imagined, planned, or hangs on something."""
    if _UNDONE.search(clause) or _BEFORE.match(clause):
        return True
    return verb not in _WHETHER and _IF.search(_TO_LEARN.sub("", clause)) is not None


def wants_another(tokens: Sequence[Token], others: frozenset[EntityId]) -> bool:
    """Whether somebody else is wanted to do it: "I want Mara to light the lamp"."""
    return any(
        one.text in ("want", "wanted", "need", "needed", "let")
        and (other.entity in others or other.text in ("her", "him", "them", "you", "it"))
        for one, other in pairwise(tokens)
    )


def is_another(tokens: Sequence[Token], others: frozenset[EntityId], *, own: bool) -> bool:
    """Whether somebody or something else does it; `own` if *she* is the player's character."""
    if not tokens:
        return False
    first = tokens[0]
    if first.entity is not None:
        return first.entity in others and len(tokens) > 1 and _does(tokens[1].text)
    if any(token.text in ("i", "i'm", "i'll") for token in tokens[:12]):
        return False
    if first.text in _SUBJECTS:
        return not own
    return first.text in _NOBODY or first.text in _POINTING


def _does(word: str) -> bool:
    """Whether a word after a name is what they do: "Pell tells", not "Pell, tell"."""
    if word in _AUXILIARY or (word in IRREGULAR and base(word, frozenset()) != word):
        return True
    return word.endswith(("s", "ed")) and not word.endswith("ss") and word[0].isalpha()
