"""The verbs of a clause that say what is done, and the acts they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.language.lexicon import sort_of, verb_classes
from storykeeper.language.phrases import PARTICLES, PREPOSITIONS, Phrases, Token, is_adverb
from storykeeper.language.reading import Sort
from storykeeper.language.verbs import (
    ASKING,
    MOVING,
    NOT_VERBS,
    SAME,
    SPEAKING,
    acts_in,
    base,
    is_verb,
    meant,
)
from storykeeper.language.ways import way_after

# States, not deeds; what follows them may be one: "I am looking", "I have taken".
_STATES = frozenset(
    ["be", "have", "seem", "know", "believe", "mean", "become", "think", "feel", "own",
     "understand", "remain", "want", "need", "hate", "miss", "trust"]
)  # fmt: skip
_LEADING = frozenset(
    ["like", "love", "attempt", "manage", "decide", "choose", "go", "come", "prefer", "use"]
)  # to something else: "I'd like to follow her"
_WATCHING = frozenset({"watch", "see", "hear", "notice", "let", "make", "help", "feel"})
_PROMISING = frozenset({"threaten", "offer", "promise", "swear", "agree", "volunteer", "refuse"})
_BEFORE_VERBS = frozenset({"to", ",", "and", "or", "then", "i", "by", "while", "you"})
_POINTING = frozenset(
    ["the", "a", "an", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our",
     "their", "some", "any"]
)  # fmt: skip
_SUBJECTS = frozenset({"i", "i'm", "i'll", "i'd", "i've", "you", "we", "she", "he", "they", "to"})
_PHRASAL = {("take", "off"): "remove", ("put", "on"): "wear", ("get", "up"): "stand"}
_BY_HAND = frozenset({"feel"})  # also a state: "I feel sad"
_NONE_DO = frozenset(
    ["s", "hmm", "um", "uh", "ah", "ugh", "lol", "wow", "haha", "heh", "very", "really", "also",
     "maybe", "perhaps", "rather", "still", "too", "even",
     "i'm", "it's", "that's", "there's", "what's",
     "she's", "he's", "you're", "they're", "we're", "who's", "where's", "'s", "am", "have", "as",
     "if", "after", "before", "because", "until", "than", "like", "off", "out", "away", "through"]
)  # fmt: skip


ALWAYS = frozenset({"keep"})  # a deed, also where it only leads to another: "keep walking"


def verbs_at(tokens: Sequence[Token], phrases: Phrases, known: frozenset[str]) -> list[int]:
    """Which tokens say what is done."""
    free = _free(tokens, phrases, known)
    first = _first(tokens, free, known)
    if first is None:
        return [i for i in free if tokens[i].text == "try"][:1]  # "try the door"
    verb = base(tokens[first].text, known)
    later = [i for i in free if i > first and _is_deed(tokens, i, known)]
    if verb in _WATCHING or verb in _PROMISING or SAME.get(verb, verb) in SPEAKING | ASKING:
        return [first]
    if later and verb in _LEADING and _only_small(tokens, first, later[0]):
        return later  # "I'm going to take it", "go get it"
    return [first, *later]


def acts_for(word: str, known: frozenset[str]) -> list[str]:
    """What a verb stands for: the author's acts, or else the plainest; and a movement, if it is."""
    verb = base(word, known)
    chain = acts_in(verb, known) or (verb,)
    wanted = [act for act in chain if act in known] or [chain[-1]]
    moving = [act for act in chain if act in MOVING and act not in wanted]
    return wanted + moving[: not MOVING.intersection(wanted)]


def phrasal(tokens: Sequence[Token], at: int, known: frozenset[str]) -> str:
    """What a verb does with the small word after it: to take off a coat is not to take it."""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    verb = base(tokens[at].text, known)
    if verb == "get" and (verb, after) not in _PHRASAL and way_after(tokens, at)[1] == at + 1:
        return "go"  # "get out of here"
    return _PHRASAL.get((verb, after), "")


def _free(tokens: Sequence[Token], phrases: Phrases, known: frozenset[str]) -> list[int]:
    """Tokens that are neither names, nor in a phrase that something points at, nor taken back."""
    free: list[int] = []
    i = 0
    meanings = _meant(tokens)
    while i < len(tokens):
        token = tokens[i]
        if token.entity is not None or i not in meanings:
            i += 1
            continue
        opens = token.text in _POINTING or (token.text in PREPOSITIONS and token.text != "to")
        if opens or (token.text == "to" and not _verb_next(tokens, i, known)):
            i = max(i + 1, _past(tokens, phrases, i + 1, known))
            continue
        free.append(i)
        i += 1
    return free


def _past(tokens: Sequence[Token], phrases: Phrases, i: int, known: frozenset[str]) -> int:
    """The token after a noun phrase; "by lighting it" holds a verb, and is none."""
    if i < len(tokens) and tokens[i].text.endswith("ing") and is_verb(tokens[i].text, known):
        return i
    return phrases.run(i) if i < len(tokens) else i


def _meant(tokens: Sequence[Token]) -> frozenset[int]:
    kept: list[int] = []
    part: list[int] = []
    for i in range(len(tokens) + 1):
        if i < len(tokens) and tokens[i].text != ",":
            part.append(i)
            continue
        words = [tokens[j].text if tokens[j].entity is None else "" for j in part]
        kept += part[: len(meant(words))]
        part = []
    return frozenset(kept)


def _first(tokens: Sequence[Token], free: list[int], known: frozenset[str]) -> int | None:
    stated = False
    for i in free:
        word = tokens[i].text
        stated = stated or word in ("am", "have", "i'm", "i've", "you're")
        if word in NOT_VERBS and base(word, known) not in known:
            continue
        if word in _NONE_DO or is_adverb(word) or not _could_be(word, known):
            continue
        verb = base(word, known)
        if verb in _STATES and verb not in known and not _by_hand(tokens, i, verb):
            stated = True
            continue
        if stated and not (word.endswith("ing") or is_verb(word, known)):
            return None  # "I am tired"
        by_somebody = any(t.entity is not None or t.text in _SUBJECTS for t in tokens[:i])
        if not (by_somebody or is_verb(word, known) or verb_classes(verb)):
            return i if i == free[0] and _is_ordered(tokens, i) else None  # "asdf", "the cup"
        return i
    return None


def _by_hand(tokens: Sequence[Token], i: int, verb: str) -> bool:
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if verb not in _BY_HAND or after is None or after.text in ("like", "for", "about"):
        return False
    return after.entity is not None or after.text in _POINTING or after.text in PREPOSITIONS


def _is_ordered(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word that is no verb we know is one all the same, by what it is done to."""
    word, rest = tokens[i].text, tokens[i + 1 :]
    if word.endswith("s") and not word.endswith("ss"):
        return False
    j = next((j for j, t in enumerate(rest) if t.text not in PARTICLES | PREPOSITIONS), len(rest))
    if j == len(rest):
        return False
    if j and sort_of(word) not in (Sort.UNKNOWN, Sort.ABSTRACT, Sort.MATTER):
        return False  # "footprint in the sand"
    return rest[j].entity is not None or rest[j].text in _POINTING


def _could_be(word: str, known: frozenset[str]) -> bool:
    """Whether a word could be an English verb, if one that we do not know."""
    return word.isascii() and word[0].isalpha() and (len(word) > 1 or is_verb(word, known))


def _is_deed(tokens: Sequence[Token], i: int, known: frozenset[str]) -> bool:
    word, before = tokens[i].text, tokens[i - 1].text
    if not is_verb(word, known) or word in NOT_VERBS:
        return False
    leading = base(before, known) in _LEADING
    return before in _BEFORE_VERBS or leading or word.endswith("ing") or is_adverb(before)


def _only_small(tokens: Sequence[Token], first: int, later: int) -> bool:
    return all(t.text in ("to", "and", "over", "there", "on", "back") or is_adverb(t.text)
               for t in tokens[first + 1 : later])  # fmt: skip


def _verb_next(tokens: Sequence[Token], i: int, known: frozenset[str]) -> bool:
    after = [t for t in tokens[i + 1 : i + 3] if not is_adverb(t.text)]
    return bool(after) and after[0].entity is None and is_verb(after[0].text, known)
