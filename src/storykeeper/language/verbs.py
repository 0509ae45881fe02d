"""Plain forms of verbs, and the ones that mean the same to a story."""

from __future__ import annotations

import re

# What players type → the act an author would write. The author's own acts always win.
SAME = {
    "grab": "take", "get": "take", "pick": "take", "fetch": "take", "steal": "take",
    "pocket": "take", "hand": "give", "offer": "give", "pass": "give", "show": "give",
    "examine": "look", "inspect": "look", "study": "look", "watch": "look", "observe": "look",
    "check": "look", "see": "look", "view": "look", "peer": "look", "stare": "look",
    "question": "ask", "inquire": "ask", "enquire": "ask", "say": "tell", "explain": "tell",
    "confess": "tell", "inform": "tell", "reply": "answer", "respond": "answer",
    "walk": "go", "run": "go", "head": "go", "move": "go", "travel": "go", "return": "go",
    "enter": "go", "climb": "go", "descend": "go", "hurry": "go", "cross": "go", "step": "go",
    "speak": "talk", "chat": "talk", "ignite": "light", "kindle": "light", "decline": "refuse",
    "rush": "go", "race": "go", "sneak": "go", "creep": "go", "stroll": "go", "march": "go",
    "dash": "go", "proceed": "go", "wander": "go",
    "rest": "wait", "pause": "wait", "hear": "listen", "accompany": "follow", "bring": "carry",
    "x": "look", "l": "look", "z": "wait",  # as players of text adventures type
}  # fmt: skip
IRREGULAR = {
    "asked": "ask", "told": "tell", "said": "say", "says": "say", "went": "go", "gone": "go",
    "goes": "go", "going": "go", "took": "take", "taken": "take", "gave": "give", "given": "give",
    "lit": "light", "kept": "keep", "left": "leave", "held": "hold", "spoke": "speak",
    "ran": "run", "saw": "see", "read": "read", "put": "put", "sat": "sit", "stood": "stand",
    "heard": "hear", "brought": "bring", "thought": "think", "am": "be", "is": "be",
    "are": "be", "was": "be", "were": "be", "does": "do", "did": "do", "has": "have",
    "had": "have", "lay": "lie", "lying": "lie", "knew": "know", "felt": "feel", "found": "find",
}  # fmt: skip
MOVING = frozenset({"go"})
# After these, up to the next comma, nothing is done: "I don't light it", "I refuse to light it".
_REFUSING = frozenset({"refuse", "decline", "stop", "avoid"})
_DENYING = frozenset(
    ["not", "never", "without", "cannot", "don't", "dont", "doesn't", "didn't", "won't", "can't",
     "couldn't", "shouldn't", "wouldn't"]
)  # fmt: skip
_WORD = re.compile(r"[a-z']+")
_NOT_VERBS = frozenset(
    [
        "i",
        "i'm",
        "i'll",
        "i'd",
        "i've",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "me",
        "him",
        "her",
        "us",
        "them",
        "my",
        "your",
        "his",
        "its",
        "our",
        "their",
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "and",
        "or",
        "but",
        "then",
        "so",
        "to",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "with",
        "about",
        "into",
        "onto",
        "over",
        "under",
        "up",
        "down",
        "please",
        "just",
        "now",
        "quietly",
        "slowly",
        "carefully",
        "again",
        "back",
        "here",
        "there",
        "not",
        "no",
        "yes",
        "well",
        "oh",
        "ok",
        "okay",
        "what",
        "where",
        "who",
        "whose",
        "why",
        "when",
        "how",
        "which",
        "whether",
        "let's",
        "let",
        "will",
        "would",
        "could",
        "should",
        "can",
        "shall",
        "may",
        "might",
        "must",
        "do",
        "does",
        "did",
        "don't",
        "won't",
        "try",
        "want",
        "need",
        "start",
        "begin",
        "continue",
        "keep",
    ]
)


def plain(word: str) -> str:
    """The plain form of a verb, by rule: asks → ask, carried → carry, lighting → light."""
    word = word.casefold().replace("’", "'")
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, base in (("ies", "y"), ("ied", "y")):
        if word.endswith(ending) and len(word) > 4:
            return word[: -len(ending)] + base
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            return stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] not in "lsz" else stem
    if word.endswith("es") and word[-3:-2] in "shxzo":
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def acts_in(clause: str, known: frozenset[str]) -> tuple[str, ...]:
    """What is done in a clause: its first verb as typed, and the act it stands for.

    `known` are the acts a story asks about; they are found even where they are not the first word.
    """
    words = [
        word
        for part in clause.casefold().replace("’", "'").split(",")
        for word in _meant(_WORD.findall(part))
    ]
    plains = [plain(word) for word in words]
    first = next((p for w, p in zip(words, plains, strict=True) if w not in _NOT_VERBS), None)
    found = [first] if first is not None else []
    found += [p for p in plains if p in known]
    found += [SAME[p] for p in found if p in SAME]
    if first is not None and f"{first}e" in known:
        found.append(f"{first}e")  # "placing" → "plac" → "place"
    return tuple(dict.fromkeys(found))


def _meant(words: list[str]) -> list[str]:
    """The words up to one that takes back what follows; a refusal is itself something done."""
    for i, word in enumerate(words):
        if word in _DENYING:
            return words[:i]
        if plain(word) in _REFUSING:
            return words[: i + 1]
    return words


def is_verb(word: str, known: frozenset[str]) -> bool:
    """Whether a word is something that players do."""
    base = plain(word)
    return base in known or base in SAME or base in SAME.values()
