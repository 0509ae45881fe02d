"""What is said, with or without quotation marks: "hi mara!", "tell her i'm sorry", "say yes".

Also who is spoken to by name ("Mara, light the lamp" is no deed of the player's), and what is a
question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.language.phrases import PREPOSITIONS, Phrase, Token
from storykeeper.language.quoted import quoted_in
from storykeeper.language.verbs import base, is_verb
from storykeeper.units import EntityId

OPENING = frozenset(
    ["hi", "hello", "hey", "hiya", "greetings", "sorry", "thanks", "goodbye", "bye", "farewell",
     "yes", "yeah", "yep", "no", "nope", "ok", "okay", "sure", "welcome", "please", "howdy",
     "congratulations", "cheers", "fine", "alas"]
)  # fmt: skip
_OPENINGS = re.compile(
    r"(?:good (?:morning|evening|afternoon|night|day|bye|luck)|thank you|i'm (?:so |very |really )?"
    r"sorry|i am sorry|excuse me|of course|i (?:\w+ )?(?:love|hate|miss|trust|need|forgive|believe"
    r"|adore|despise|know|like) you|you're|you (?:are|were|should|must|can't|don't|lied|said|know"
    r"|always|never|promised|have to|look (?!at|in|for|under|around|behind))|how dare|shut up"
    r"|go away|leave me alone|help me|come here|watch out|look out (?!of|at|over|the))\b",
    re.IGNORECASE,
)
_TELLING = frozenset({"tell", "answer", "warn", "remind", "inform", "ask"})
_SAYING = frozenset(
    ["say", "whisper", "shout", "yell", "scream", "mutter", "murmur", "reply", "call", "mumble",
     "respond", "bellow", "exclaim", "add", "announce"]
)  # fmt: skip
_DIRECT = frozenset(
    ["i", "i'm", "i'll", "i've", "i'd", "we", "we're", "we'll", "you", "you're", "he", "he's",
     "she", "she's", "they", "they're", "it's", "sorry", "thanks", "yes", "no", "hello", "hi",
     "please", "let's", "don't", "goodbye", "that's", "there's"]
)  # fmt: skip
_NOT_SAID = frozenset(
    ["that", "something", "nothing", "it", "so", "what", "where", "why", "how", "who", "if", "a",
     "an", "the", "my", "her", "his", "their", "back", "out", "anything", "everything", "up", ","]
)  # fmt: skip
_WH = frozenset(
    ["what", "where", "who", "whose", "why", "when", "how", "which", "what's", "where's", "who's",
     "how's"]
)  # fmt: skip
_BEING = frozenset(
    ["is", "are", "am", "was", "were", "do", "does", "did", "can", "could", "may", "will", "would",
     "shall", "should", "has", "have", "isn't", "aren't", "don't", "doesn't", "didn't", "can't",
     "won't", "might", "'s"]
)  # fmt: skip
_CALLING = frozenset({"so", "and", "but", "hey", "well", "oh", "wait", ",", "please", "ok", "um"})
_CLOSING = frozenset({"you", "ok", "okay", "there", "please", "me", "that", "this", "now", "it"})
_ASKING_LEAVE = frozenset({"can", "could", "may", "shall", "should", "would", "will", "might"})
_FINITE = frozenset(
    ["is", "are", "was", "were", "does", "did", "has", "isn't", "aren't", "doesn't", "didn't"]
)
_TURNED = frozenset({"there", "it", "the", "this", "that", "my", "your", "his", "her", "their"})
_SELF = frozenset({"i", "we", "here", "around", "exits", "me", "there"})


@dataclass(frozen=True, slots=True)
class Quote:
    """Words between quotation marks, and where the first mark stands."""

    start: int
    words: str


@dataclass(frozen=True, slots=True)
class Said:
    """Words said in a clause, from one token to another, and to whom."""

    first: int
    end: int
    to: Phrase | None = None
    until: int | None = None  # the token they end before; None: they go on to the end


@dataclass(frozen=True, slots=True)
class Called:
    """Somebody spoken to by name."""

    at: int  # the token that is the name


def quotes_in(text: str) -> tuple[str, list[Quote]]:
    """A line with blanks for what is quoted, and the quotations.

    Words that end a sentence end the clause that brings them: *I say "Stop." I sit.* is two.
    """
    quotes: list[Quote] = []
    bare, at = list[str](), 0
    for each in quoted_in(text):
        if not each.words:
            continue
        quotes.append(Quote(each.start, each.words))
        before = text[max(0, each.start - 3) : each.start].rstrip()
        begins = not before or before[-1] in ".!?…\n\"”’'*"
        after = text[each.end : each.end + 3].lstrip()
        over = each.words.rstrip()[-1:] in (".", "!", "?", "…") and not after[:1].islower()
        blank = " " * (each.end - each.start - 1) + ("\n" if over and not begins else " ")
        bare += [text[at : each.start], blank]
        at = each.end
    return "".join([*bare, text[at:]]), quotes


def is_greeting(text: str, tokens: Sequence[Token], known: frozenset[str]) -> bool:
    """Whether a clause is itself what is said: "hi mara!", "i'm sorry about the cup"."""
    if not tokens or tokens[0].entity is not None:
        return False
    if _OPENINGS.match(text.lstrip(" ,")):
        return True
    after = tokens[1] if len(tokens) > 1 else None
    if tokens[0].text not in OPENING:
        return False
    return after is None or after.entity is not None or not is_verb(after.text, known)


def words_said(
    tokens: Sequence[Token], verb: int, phrases: Sequence[Phrase], known: frozenset[str]
) -> Said | None:
    """The words that a verb of saying brings, without quotation marks."""
    stem = base(tokens[verb].text, known)
    first = phrases[0] if phrases and phrases[0].at <= verb + 2 else None
    if stem in _TELLING and first is not None and not first.before:
        at = first.end + (first.end < len(tokens) and tokens[first.end].text == ",")
        direct = at < len(tokens) and tokens[at].text in _DIRECT
        return Said(at, len(tokens), first) if direct else None
    if stem not in _SAYING:
        return None
    if first is not None and first.before in ("to", "at") and first.at == verb + 2:
        at = first.end
        said = at < len(tokens) and tokens[at].text not in _NOT_SAID | PREPOSITIONS
        return Said(at, len(tokens), first) if said else None
    return _then_to(tokens, verb + 1, phrases)


def _then_to(tokens: Sequence[Token], at: int, phrases: Sequence[Phrase]) -> Said | None:
    if at >= len(tokens) or tokens[at].text in _NOT_SAID | PREPOSITIONS:
        return None
    if tokens[at].entity is not None:
        return None
    last = phrases[-1] if phrases else None
    if last is not None and last.before in ("to", "at") and last.end == len(tokens):
        return Said(at, last.at - 1, last, last.at - 1) if last.at - 1 > at else None
    return Said(at, len(tokens))


def spoken_to(
    tokens: Sequence[Token], people: frozenset[EntityId], known: frozenset[str]
) -> Called | None:
    """Who is spoken to by name: "Mara, …", "… , Pell", "mara look at this"."""
    i = 0
    while i < len(tokens) and tokens[i].text in _CALLING and tokens[i].entity is None:
        i += 1
    if i + 1 < len(tokens) and tokens[i].entity in people:
        after = tokens[i + 1]
        verb = base(after.text, known)
        told = after.entity is None and verb == after.text and is_verb(verb, known)
        being = after.text in _BEING and i + 2 < len(tokens) and tokens[i + 2].text == "you"
        told = told or being or after.text == "," or after.text in _WH
        return Called(i) if told else None
    if len(tokens) > 2 and tokens[-1].entity in people:
        you = tokens[-2].text in _CLOSING and any(t.text == "you" for t in tokens[:-1])
        return Called(len(tokens) - 1) if tokens[-2].text == "," or you else None
    return None


def wonders(tokens: Sequence[Token]) -> bool:
    """Whether a question is only to oneself: "should I tell her?"."""
    words = [t.text for t in tokens[:2]]
    return len(words) == 2 and words[0] in ("should", "would", "shall") and words[1] == "i"


def is_question(tokens: Sequence[Token], *, asked: bool, known: frozenset[str]) -> bool:
    """Whether a clause asks; a mark is not needed after "where am i"."""
    words = [t.text for t in tokens if t.entity is None and t.text not in _CALLING]
    if not words or tokens[-1].text == "'s":
        return False
    if words[0] in _WH:
        return asked or "'" in words[0] or (len(words) > 1 and _goes_on_asking(words, known))
    if not asked:
        return _is_turned(words)
    return words[0] in _BEING or not is_verb(words[0], known)


def _goes_on_asking(words: Sequence[str], known: frozenset[str]) -> bool:
    """Whether *who* or *what* begins a question: "what happened", "who lit", "what about"."""
    first, word = words[0], words[1]
    if word in _BEING:
        return True
    changed = base(word, known) != word and (is_verb(word, known) or word.endswith("ed"))
    return first in ("who", "what", "which", "whose") and (word == "about" or changed)


def _is_turned(words: Sequence[str]) -> bool:
    """Whether who does it stands after the verb, as in a question: "is there", "do I"; an order
    has it there too: "have it", "do that".
    """
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first not in _BEING:
        return False
    if second == "i":
        return first not in _ASKING_LEAVE or words[2:3] == ["have"]
    if second in ("you", "she", "he", "they", "we"):
        return True
    return first in _FINITE and (second in _TURNED or second.endswith(("body", "one")))


def asks_the_game(tokens: Sequence[Token]) -> bool:
    """Whether a question with nothing in it is the player's own: "what can i do", "who is here"."""
    return any(token.text in _SELF for token in tokens)
