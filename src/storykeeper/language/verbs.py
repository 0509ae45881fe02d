"""Plain forms of verbs, the ones that mean the same to a story, and the kinds of things done."""

from __future__ import annotations

import re

from storykeeper.language.acts import ActKind

# What players type → the act an author would write. The author's own acts always win.
SAME = {
    "grab": "take", "get": "take", "pick": "take", "fetch": "take", "steal": "take",
    "pocket": "take", "snatch": "take", "hand": "give", "offer": "give", "pass": "give",
    "show": "give", "examine": "look", "inspect": "look", "study": "look", "watch": "look",
    "observe": "look", "check": "look", "see": "look", "view": "look", "peer": "look",
    "stare": "look", "glance": "look", "gaze": "look", "peek": "look",
    "question": "ask", "inquire": "ask", "enquire": "ask", "say": "tell", "explain": "tell",
    "confess": "tell", "inform": "tell", "reply": "answer", "respond": "answer",
    "walk": "go", "run": "go", "head": "go", "move": "go", "travel": "go", "return": "go",
    "enter": "go", "climb": "go", "descend": "go", "hurry": "go", "cross": "go", "step": "go",
    "speak": "talk", "chat": "talk", "ignite": "light", "kindle": "light", "decline": "refuse",
    "rush": "go", "race": "go", "sneak": "go", "creep": "go", "stroll": "go", "march": "go",
    "dash": "go", "proceed": "go", "wander": "go", "exit": "leave", "depart": "leave",
    "bolt": "go", "sprint": "go", "jog": "go", "trudge": "go", "tiptoe": "go", "stride": "go",
    "hike": "go", "scurry": "go", "scramble": "go", "row": "go", "sail": "go",
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
    "broke": "break", "threw": "throw", "wore": "wear", "fell": "fall", "came": "come",
    "made": "make", "wept": "weep", "hid": "hide", "shook": "shake", "struck": "strike",
    "drew": "draw", "ate": "eat", "drank": "drink", "wrote": "write", "sang": "sing",
    "slept": "sleep", "woke": "wake", "fought": "fight", "caught": "catch", "bought": "buy",
    "sold": "sell", "sent": "send", "lent": "lend", "got": "get", "stole": "steal",
    "crept": "creep", "fled": "flee", "leapt": "leap", "leant": "lean", "knelt": "kneel",
    "bent": "bend", "bit": "bite", "rose": "rise", "met": "meet", "rang": "ring", "tore": "tear",
    "swore": "swear", "wove": "weave", "died": "die", "dying": "die", "tied": "tie",
}  # fmt: skip
MOVING = frozenset({"go"})
# What a clause is, by its verb. Verbs that are in none of them are looked up, or are plain action.
SPEAKING = frozenset(
    ["tell", "say", "answer", "talk", "whisper", "murmur", "mutter", "shout", "yell", "scream",
     "bellow", "holler", "roar",
     "greet", "thank", "call", "apologise", "apologize", "promise", "swear", "warn", "threaten",
     "insult", "agree", "disagree", "argue", "joke", "flirt", "tease", "remark", "mention",
     "announce", "order", "command", "admit", "deny", "curse", "welcome", "introduce"]
)  # fmt: skip
ASKING = frozenset({"ask", "inquire", "beg", "plead", "implore", "interrogate"})
SEEING = frozenset(
    ["look", "listen", "search", "read", "smell", "sniff", "taste", "find", "seek", "notice",
     "count", "spy", "squint", "admire", "eavesdrop", "investigate", "explore", "scan"]
)  # fmt: skip
GOING = frozenset(
    ["go", "follow", "leave", "flee", "escape", "approach", "come", "arrive", "jump", "leap",
     "swim", "ride", "fly", "crawl", "limp", "chase", "pursue", "visit", "advance", "retreat",
     "withdraw", "stumble", "stagger", "swagger", "storm"]
)  # fmt: skip
EMOTING = frozenset(
    ["nod", "smile", "shrug", "cry", "weep", "sob", "laugh", "sigh", "grin", "frown", "blush",
     "wave", "bow", "curtsy", "wink", "chuckle", "giggle", "smirk", "scowl", "glare", "groan",
     "gasp", "shiver", "tremble", "shudder", "yawn", "blink", "wince", "flinch", "cough",
     "clap", "pout", "sniffle", "snort", "grimace", "cringe", "beam", "growl", "gulp", "swallow",
     "stretch", "shake", "facepalm", "roll", "raise", "cheer", "dance", "sing", "hum", "whistle"]
)  # fmt: skip
TOUCHING = frozenset(
    ["give", "shove", "push", "hug", "embrace", "kiss", "hit", "slap", "punch", "kick", "attack",
     "fight", "help", "comfort", "save", "rescue", "heal", "kill", "stab", "strangle", "tackle",
     "seduce", "arrest", "poke", "tickle", "nudge", "restrain", "guard", "protect", "meet", "join",
     "trust", "obey", "serve", "feed", "bribe", "pay", "lend", "sell", "send", "teach", "grapple"]
)  # fmt: skip
_DOING = frozenset(
    ["put", "place", "set", "drop", "throw", "toss", "open", "close", "shut", "lock", "unlock",
     "light", "wait", "sit", "stand", "kneel", "hide", "hold", "carry", "use", "touch", "break",
     "eat", "drink", "wear", "knock", "press", "pull", "turn", "tie", "untie", "fill", "pour",
     "write", "draw", "burn", "clean", "wash", "fix", "make", "cook", "sleep", "wake", "reach",
     "lean", "lift", "cut", "buy", "dig", "ring", "stay", "keep", "cover", "switch", "wipe"]
)  # fmt: skip
# After these, up to the next comma, nothing is done: "I don't light it", "I refuse to light it".
_REFUSING = frozenset({"refuse", "decline", "stop", "avoid"})
_DENYING = frozenset(
    ["not", "never", "without", "cannot", "don't", "dont", "doesn't", "didn't", "won't", "can't",
     "couldn't", "shouldn't", "wouldn't", "isn't", "neither", "nor", "hardly"]
)  # fmt: skip
_WORD = re.compile(r"[a-z']+")
NOT_VERBS = frozenset(
    ["i", "i'm", "i'll", "i'd", "i've", "you", "he", "she", "it", "we", "they", "me", "him", "her",
     "us", "them", "my", "your", "his", "its", "our", "their", "the", "a", "an", "this", "that",
     "these", "those", "and", "or", "but", "then", "so", "to", "of", "in", "on", "at", "by", "for",
     "from", "with", "about", "into", "onto", "over", "under", "up", "down", "please", "just",
     "now", "quietly", "slowly", "carefully", "again", "back", "here", "there", "not", "no", "yes",
     "well", "oh", "ok", "okay", "what", "where", "who", "whose", "why", "when", "how", "which",
     "whether", "let's", "let", "will", "would", "could", "should", "can", "shall", "may",
     "might", "must", "do", "does", "did", "don't", "won't", "try", "want", "need", "start",
     "begin", "continue", "keep"]
)  # fmt: skip


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


def base(word: str, known: frozenset[str]) -> str:
    """The plain form, with the e that "taking" lost if that makes it a verb we know."""
    stem = plain(word)
    lost = stem != word.casefold() and not _does(stem, known) and _does(f"{stem}e", known)
    return f"{stem}e" if lost else stem


def acts_in(clause: str, known: frozenset[str]) -> tuple[str, ...]:
    """What is done in a clause: its first verb as typed, and the act it stands for.

    `known` are the acts a story asks about; they are found even where they are not the first word.
    """
    words = [
        word
        for part in clause.casefold().replace("’", "'").split(",")
        for word in meant(_WORD.findall(part))
    ]
    plains = [plain(word) for word in words]
    first = next((p for w, p in zip(words, plains, strict=True) if w not in NOT_VERBS), None)
    found = [first] if first is not None else []
    found += [p for p in plains if p in known]
    found += [SAME[p] for p in found if p in SAME]
    if first is not None and f"{first}e" in known:
        found.append(f"{first}e")  # "placing" → "plac" → "place"
    return tuple(dict.fromkeys(found))


def meant(words: list[str]) -> list[str]:
    """The words up to one that takes back what follows; a refusal is itself something done."""
    for i, word in enumerate(words):
        if word in _DENYING or (word == "no" and words[i + 1 : i + 2] and _is_gerund(words[i + 1])):
            return words[:i]
        if plain(word) in _REFUSING:
            return words[: i + 1]
    return words


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and len(word) > 4


_VERBS = frozenset(
    {*SAME, *SAME.values(), *SPEAKING, *ASKING, *SEEING, *GOING, *EMOTING, *TOUCHING, *_DOING}
)
_KINDS = (
    (ActKind.INQUIRY, ASKING), (ActKind.SPEECH, SPEAKING), (ActKind.OBSERVATION, SEEING),
    (ActKind.MOVEMENT, GOING), (ActKind.EMOTE, EMOTING), (ActKind.INTERACTION, TOUCHING),
    (ActKind.ACTION, _DOING),
)  # fmt: skip


def is_verb(word: str, known: frozenset[str]) -> bool:
    """Whether a word is something that players do."""
    return _does(base(word, known), known)


def _does(verb: str, known: frozenset[str]) -> bool:
    return verb in known or verb in _VERBS


def kind_of(verb: str) -> ActKind | None:
    """What kind of act a verb in its plain form is; None if it is none that players often do."""
    return next((kind for kind, verbs in _KINDS if verb in verbs), None)
